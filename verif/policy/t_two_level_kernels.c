/* SPDX-License-Identifier: Apache-2.0
 *
 * The two-level bypass across kernels: what starts a window, the table of decisions by kernel,
 * kernels shorter than the window and alternating ones, and every way to sample again
 * (mechanisms/two_level.md 3.3, 3.4).
 */
#include "policy/two_level_rig.h"

static void a_window_needs_a_kernel_start_and_a_cta(void **state)
{
    struct byw_config c = config();
    struct byw_two_level tl = make(&c);
    uint32_t i;

    (void)state;
    assert_int_equal(place(&tl), 0); /* no kernel yet */
    for (i = 0; i < 300; i++)
        assert_int_equal(tick(&tl, LOAD_MISS, 0), 0);
    assert_int_equal(start(&tl, 4, false), 0);
    for (i = 0; i < 300; i++) /* an SM without a CTA keeps its mode */
        assert_int_equal(tick(&tl, LOAD_MISS, 0), 0);
    assert_int_equal(byw_two_level_state(&tl), BYW_TL_CACHE);
    assert_int_equal(place(&tl), byw_pev(BYW_PEV_TL_WINDOW));
    window(&tl, 0, 100, 0);
    assert_true(byw_two_level_bypasses(&tl));
    assert_int_equal(place(&tl), 0); /* further CTAs of the kernel start no window */
    assert_int_equal(start(&tl, 5, false), 0); /* armed: B is held until a CTA comes */
    for (i = 0; i < 300; i++)
        assert_true((tick(&tl, 0, 0), byw_two_level_bypasses(&tl)));
    assert_int_equal(place(&tl), byw_pev(BYW_PEV_TL_WINDOW));
    assert_false(byw_two_level_bypasses(&tl)); /* sampling forces the cache on */
}

static void the_ninth_kernel_replaces_the_oldest_entry(void **state)
{
    struct byw_config c = config();
    struct byw_two_level tl = make(&c);
    uint32_t pc;

    (void)state;
    for (pc = 0; pc < BYW_BDU_TABLE; pc++) /* eight kernels, every second one bypasses */
        assert_int_equal(sample(&tl, 0x100 * pc, pc % 2 != 0 ? 0 : 100, pc % 2 != 0 ? 100 : 0, 32),
                         pc % 2);
    for (pc = BYW_BDU_TABLE; pc-- > 0;) {
        assert_int_equal(start(&tl, 0x100 * pc, true), byw_pev(BYW_PEV_TL_KNOWN));
        assert_int_equal(byw_two_level_bypasses(&tl), pc % 2);
        assert_int_equal(place(&tl), 0);
    }
    assert_true(sample(&tl, 0x900, 0, 100, 32)); /* the ninth replaces the first one's entry */
    assert_int_equal(start(&tl, 0x100, true), byw_pev(BYW_PEV_TL_KNOWN));
    assert_int_equal(start(&tl, 0x900, true), byw_pev(BYW_PEV_TL_KNOWN));
    assert_int_equal(start(&tl, 0, true), byw_pev(BYW_PEV_TL_WINDOW));
    byw_two_level_clear(&tl);
    assert_int_equal(start(&tl, 0x900, true), byw_pev(BYW_PEV_TL_WINDOW));
}

/* A kernel in entry e begins in cycle t + 2 (e + 1) after its start in t. A kernel without an entry
 * begins in the cycle of the first free entry, or of the last one. A CTA placed in the same cycle
 * as the start opens the window in the next cycle but one. */
static void a_lookup_takes_two_cycles_per_entry(void **state)
{
    struct byw_config c = config();
    struct byw_two_level tl = make(&c);
    uint32_t kernel, i;

    (void)state;
    for (kernel = 0; kernel < BYW_BDU_TABLE + 2; kernel++) {
        uint32_t entry = kernel < BYW_BDU_TABLE ? kernel : BYW_BDU_TABLE - 1;
        struct byw_l1d_ctrl ctrl = {.kernel_start = true, .kernel_pc = kernel, .cta_placed = true};

        byw_two_level_tick(&tl, &ctrl, 0);
        for (i = 1; i <= 2 * (entry + 1); i++) {
            assert_false(tl.bdu.armed);
            assert_int_equal(tick(&tl, 0, 0), 0);
        }
        assert_true(tl.bdu.armed);
        assert_int_equal(tick(&tl, 0, 0), byw_pev(BYW_PEV_TL_WINDOW));
        window(&tl, 0, 100, 0);
    }
    for (kernel = 2; kernel < BYW_BDU_TABLE; kernel++) { /* 0 and 1 have lost their entries */
        struct byw_l1d_ctrl ctrl = {.kernel_start = true, .kernel_pc = kernel};

        byw_two_level_tick(&tl, &ctrl, 0);
        for (i = 1; i <= 2 * (kernel + 1); i++)
            assert_int_equal(tick(&tl, 0, 0),
                             i == 2 * (kernel + 1) ? byw_pev(BYW_PEV_TL_KNOWN) : 0);
    }
}

/* A kernel of the first entry would begin in cycle t+2. If that is the window's last cycle or the
 * one after it, the kernel begins after both; one cycle earlier, it holds the window. */
static void a_verdict_delays_the_beginning_of_a_kernel(void **state)
{
    uint32_t left;

    (void)state;
    for (left = 1; left <= 6; left++) { /* cycles left in the window, including the start's cycle */
        struct byw_config c = config();
        struct byw_two_level tl = make(&c);
        struct byw_l1d_ctrl ctrl = {.kernel_start = true, .kernel_pc = 4};
        uint32_t i, known = 0, judged = 0;

        sample(&tl, 4, 100, 0, 0);
        start(&tl, 8, true);
        for (i = left; i < c.tl_sample; i++)
            tick(&tl, LOAD_MISS, 0);
        byw_two_level_tick(&tl, &ctrl, 0);
        for (i = 1; i <= 8; i++) {
            uint32_t pulses = tick(&tl, 0, 0);

            if (pulses & byw_pev(BYW_PEV_TL_HIGH))
                judged = i;
            if (pulses & byw_pev(BYW_PEV_TL_KNOWN))
                known = i;
        }
        assert_int_equal(judged, left <= 3 ? left : 0); /* 0: it is held */
        assert_int_equal(known, left == 2 ? 3 : left == 3 ? 4 : 2);
        assert_int_equal(tl.bdu.table[1].held, left > 3);
    }
}

/* A kernel that starts during the lookup of another one replaces it. A CTA belongs to the kernel
 * that started before it or in the same cycle. */
static void a_kernel_replaces_the_one_being_looked_up(void **state)
{
    struct byw_config c = config();
    struct byw_two_level tl = make(&c);
    struct byw_l1d_ctrl first = {.kernel_start = true, .kernel_pc = 4, .cta_placed = true};
    struct byw_l1d_ctrl second = {.kernel_start = true, .kernel_pc = 8};
    struct byw_l1d_ctrl cta = {.cta_placed = true};

    (void)state;
    byw_two_level_tick(&tl, &first, 0);
    byw_two_level_tick(&tl, &second, 0);
    assert_int_equal(settle(&tl), byw_pev(BYW_PEV_TL_WINDOW)); /* the CTA waited */
    assert_int_equal(tl.bdu.table[0].pc, 8);
    assert_false(tl.bdu.table[1].valid);

    tl = make(&c);
    start(&tl, 4, false);
    byw_two_level_tick(&tl, &cta, 0);
    assert_int_equal(byw_two_level_tick(&tl, &second, 0), byw_pev(BYW_PEV_TL_WINDOW));
    assert_int_equal(settle(&tl), 0); /* holds the window */
    assert_true(tl.bdu.table[0].held);
    assert_int_equal(tl.bdu.table[0].left, 100 - 4);
}

/* Launches shorter than the window: the same kernel continues its window; another kernel has its
 * own. */
static void short_launches_share_one_window_per_kernel(void **state)
{
    struct byw_config c = config();
    struct byw_two_level tl = make(&c);
    uint32_t i, launch;

    (void)state;
    start(&tl, 4, true);
    for (launch = 0; launch < 5; launch++) {
        for (i = 0; i < 16; i++)
            assert_int_equal(tick(&tl, LOAD_HIT, 8), 0);
        assert_int_equal(start(&tl, 4, true), 0); /* four cycles */
    }
    assert_int_equal(tick(&tl, 0, 0), byw_pev(BYW_PEV_TL_LOW));
    assert_int_equal(tl.mrmu.accesses, 80);
    assert_int_equal(start(&tl, 4, true), byw_pev(BYW_PEV_TL_KNOWN));
    start(&tl, 12, true);
    for (i = 0; i < 50; i++)
        tick(&tl, LOAD_HIT, 8);
    assert_int_equal(start(&tl, 20, false), 0); /* holds 12's window after seven cycles */
    assert_int_equal(byw_two_level_state(&tl), BYW_TL_CACHE);
    for (i = 0; i < 300; i++)
        tick(&tl, LOAD_MISS, 32); /* not counted, because it is outside 12's window */
    assert_int_equal(place(&tl), byw_pev(BYW_PEV_TL_WINDOW));
    assert_int_equal(tl.mrmu.accesses, 0);
    assert_int_equal(tl.womu.sum, 0);
    window(&tl, 0, 100, 0);
    /* resumes: 57 cycles have passed */
    assert_int_equal(start(&tl, 12, true), 0);
    assert_int_equal(tl.mrmu.accesses, 50);
    assert_int_equal(tl.womu.sum, 50 * 8);
    for (i = 0; i < 43; i++) {
        assert_int_equal(byw_two_level_state(&tl), BYW_TL_SAMPLE);
        assert_int_equal(tick(&tl, LOAD_HIT, 8), 0);
    }
    assert_int_equal(tick(&tl, LOAD_HIT, 8), byw_pev(BYW_PEV_TL_LOW));
    assert_int_equal(start(&tl, 20, true), byw_pev(BYW_PEV_TL_KNOWN));
    assert_int_equal(byw_two_level_state(&tl), BYW_TL_BYPASS);
}

/* `count` kernels alternate; every second one hits. A kernel's window counts only cycles of its own
 * launches: 18 cycles each, plus the cycle of the next start, plus those in which the next kernel
 * is looked up. */
static void take_turns(uint32_t count)
{
    struct byw_config c = config();
    struct byw_two_level tl = make(&c);
    uint32_t own[BYW_BDU_TABLE] = {0};
    uint32_t turn, k, i, windows = 0, known = 0;

    for (turn = 0; turn < 8; turn++)
        for (k = 0; k < count; k++) {
            /* a new kernel is known to have no entry when its future entry is reached */
            uint32_t next = (k + 1) % count, pulses = start(&tl, 0x40 * k, true);
            bool decided = own[k] >= c.tl_sample;

            windows += pulses >> BYW_PEV_TL_WINDOW & 1;
            known += decided;
            assert_int_equal(pulses >> BYW_PEV_TL_KNOWN & 1, decided);
            assert_int_equal(byw_two_level_bypasses(&tl), decided && k % 2 != 0);
            for (i = 0; i < 18; i++)
                tick(&tl, k % 2 != 0 ? LOAD_MISS : LOAD_HIT, 32);
            own[k] += 18 + 1 + 2 * (next + 1);
        }
    assert_int_equal(windows, count);
    assert_true(known >= 2 * count);
}

static void alternating_kernels_keep_their_windows(void **state)
{
    (void)state;
    take_turns(2);
    take_turns(3);
    take_turns(BYW_BDU_TABLE);
}

/* Nine kernels alternate, one more than the table has entries: each has lost its entry, and its
 * window, when it starts again. */
static void nine_kernels_in_turn_lose_their_windows(void **state)
{
    struct byw_config c = config();
    struct byw_two_level tl = make(&c);
    uint32_t launch, i;

    (void)state;
    for (launch = 0; launch < 10 * (BYW_BDU_TABLE + 1); launch++) {
        assert_int_equal(start(&tl, launch % (BYW_BDU_TABLE + 1), true),
                         byw_pev(BYW_PEV_TL_WINDOW));
        for (i = 0; i < 18; i++)
            assert_int_equal(tick(&tl, LOAD_HIT, 32), 0);
    }
}

static void each_resample_mode_samples_at_its_time(void **state)
{
    struct byw_config c = config();
    struct byw_two_level tl;
    uint32_t i;

    (void)state;
    c.tl_resample = BYW_BDU_EVERY_LAUNCH;
    tl = make(&c);
    assert_true(sample(&tl, 4, 0, 100, 0));
    assert_false(sample(&tl, 4, 100, 0, 0));
    assert_int_equal(start(&tl, 4, true), byw_pev(BYW_PEV_TL_WINDOW));
    tick(&tl, LOAD_HIT, 1);
    assert_int_equal(start(&tl, 4, true), byw_pev(BYW_PEV_TL_WINDOW)); /* a kernel start within a
                                                                          window opens a new one */
    assert_int_equal(tl.mrmu.accesses, 0);

    c.tl_resample = BYW_BDU_FIRST_ONLY;
    tl = make(&c);
    assert_int_equal(start(&tl, 4, true), byw_pev(BYW_PEV_TL_WINDOW));
    assert_int_equal(start(&tl, 8, true), 0); /* continues after four cycles */
    for (i = 0; i < 97; i++)
        tick(&tl, LOAD_MISS, 1);
    assert_true(byw_two_level_bypasses(&tl));
    for (i = 0; i < 5; i++)
        assert_int_equal(start(&tl, 100 + i, true), 0);
    assert_true(byw_two_level_bypasses(&tl));

    c.tl_resample = BYW_BDU_PERIODIC;
    c.tl_period = 50; /* counted from the window's last cycle; includes the cycle of the verdict */
    tl = make(&c);
    assert_true(sample(&tl, 4, 0, 100, 0));
    for (i = 0; i < 45; i++) { /* one of them four cycles */
        assert_int_equal(i == 20 ? start(&tl, 8, true) : tick(&tl, LOAD_BYPASS, 1), 0);
        assert_true(byw_two_level_bypasses(&tl));
    }
    assert_int_equal(tick(&tl, LOAD_BYPASS, 1), byw_pev(BYW_PEV_TL_WINDOW));
    window(&tl, 100, 0, 0);
    assert_false(byw_two_level_bypasses(&tl));
    for (i = 0; i < 49; i++)
        assert_int_equal(tick(&tl, LOAD_HIT, 1), i == 48 ? byw_pev(BYW_PEV_TL_WINDOW) : 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_window_needs_a_kernel_start_and_a_cta),
        cmocka_unit_test(the_ninth_kernel_replaces_the_oldest_entry),
        cmocka_unit_test(a_lookup_takes_two_cycles_per_entry),
        cmocka_unit_test(a_verdict_delays_the_beginning_of_a_kernel),
        cmocka_unit_test(a_kernel_replaces_the_one_being_looked_up),
        cmocka_unit_test(short_launches_share_one_window_per_kernel),
        cmocka_unit_test(alternating_kernels_keep_their_windows),
        cmocka_unit_test(nine_kernels_in_turn_lose_their_windows),
        cmocka_unit_test(each_resample_mode_samples_at_its_time),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
