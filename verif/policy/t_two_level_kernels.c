/* SPDX-License-Identifier: Apache-2.0
 *
 * The two-level bypass over kernels: what starts a window, the table of decisions by kernel,
 * kernels shorter than the window and in turn, and every way to sample again (MECHANISMS 3.3, 3.4).
 */
#include "policy/two_level_rig.h"

static void test_start_needs_both(void **state)
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
    assert_int_equal(place(&tl), 0); /* further CTAs of the kernel start nothing */
    assert_int_equal(start(&tl, 5, false), 0); /* armed: B is held until a CTA comes */
    for (i = 0; i < 300; i++)
        assert_true((tick(&tl, 0, 0), byw_two_level_bypasses(&tl)));
    assert_int_equal(place(&tl), byw_pev(BYW_PEV_TL_WINDOW));
    assert_false(byw_two_level_bypasses(&tl)); /* sampling forces the cache on */
}

static void test_table(void **state)
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
    assert_true(sample(&tl, 0x900, 0, 100, 32)); /* the ninth takes the first one's entry */
    assert_int_equal(start(&tl, 0x100, true), byw_pev(BYW_PEV_TL_KNOWN));
    assert_int_equal(start(&tl, 0x900, true), byw_pev(BYW_PEV_TL_KNOWN));
    assert_int_equal(start(&tl, 0, true), byw_pev(BYW_PEV_TL_WINDOW));
    byw_two_level_clear(&tl);
    assert_int_equal(start(&tl, 0x900, true), byw_pev(BYW_PEV_TL_WINDOW));
}

/* Launches shorter than the window: the same kernel goes on with it, another one has its own. */
static void test_short_kernels(void **state)
{
    struct byw_config c = config();
    struct byw_two_level tl = make(&c);
    uint32_t i, launch, pulses = 0;

    (void)state;
    start(&tl, 4, true);
    for (launch = 0; launch < 5; launch++) {
        for (i = 0; i < 18; i++)
            assert_int_equal(tick(&tl, LOAD_HIT, 8), 0);
        pulses = start(&tl, 4, true); /* counts in the 20th cycle */
    }
    assert_int_equal(pulses, byw_pev(BYW_PEV_TL_LOW) | byw_pev(BYW_PEV_TL_KNOWN));
    assert_int_equal(tl.mrmu.accesses, 90);
    start(&tl, 12, true);
    for (i = 0; i < 50; i++)
        tick(&tl, LOAD_HIT, 8);
    assert_int_equal(start(&tl, 20, false), 0); /* holds 12's window */
    assert_int_equal(byw_two_level_state(&tl), BYW_TL_CACHE);
    for (i = 0; i < 300; i++)
        tick(&tl, LOAD_MISS, 32); /* of which it sees nothing */
    assert_int_equal(place(&tl), byw_pev(BYW_PEV_TL_WINDOW));
    assert_int_equal(tl.mrmu.accesses, 0);
    assert_int_equal(tl.womu.sum, 0);
    window(&tl, 0, 100, 0);
    /* goes on: 50 cycles and the other one's start have passed */
    assert_int_equal(start(&tl, 12, true), 0);
    assert_int_equal(tl.mrmu.accesses, 50);
    assert_int_equal(tl.womu.sum, 50 * 8);
    for (i = 0; i < 47; i++)
        assert_int_equal(tick(&tl, LOAD_HIT, 8), 0);
    assert_int_equal(byw_two_level_state(&tl), BYW_TL_SAMPLE);
    assert_int_equal(tick(&tl, LOAD_HIT, 8), byw_pev(BYW_PEV_TL_LOW));
    assert_int_equal(start(&tl, 20, true), byw_pev(BYW_PEV_TL_KNOWN));
    assert_int_equal(byw_two_level_state(&tl), BYW_TL_BYPASS);
}

/* `count` kernels of 20 cycles take turns, every second one hits.  Each has its window of 100
 * cycles in its own launches 1 to 5 and its decision from the sixth on. */
static void take_turns(uint32_t count)
{
    struct byw_config c = config();
    struct byw_two_level tl = make(&c);
    uint32_t turn, k, i, windows = 0;

    for (turn = 0; turn < 6; turn++)
        for (k = 0; k < count; k++) {
            uint32_t pulses = start(&tl, 0x40 * k, true);

            windows += pulses >> BYW_PEV_TL_WINDOW & 1;
            assert_int_equal(pulses >> BYW_PEV_TL_KNOWN & 1, turn == 5);
            assert_int_equal(byw_two_level_bypasses(&tl), turn == 5 && k % 2 != 0);
            for (i = 0; i < 18; i++)
                tick(&tl, k % 2 != 0 ? LOAD_MISS : LOAD_HIT, 32);
        }
    assert_int_equal(windows, count);
}

static void test_kernels_that_alternate(void **state)
{
    (void)state;
    take_turns(2);
    take_turns(3);
    take_turns(BYW_BDU_TABLE);
}

/* Nine kernels in turn: each has lost its entry, and with it its window, when it comes again. */
static void test_more_kernels_than_entries(void **state)
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

static void test_resample(void **state)
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
    assert_int_equal(start(&tl, 4, true), byw_pev(BYW_PEV_TL_WINDOW)); /* also within a window */
    assert_int_equal(tl.mrmu.accesses, 0);

    c.tl_resample = BYW_BDU_FIRST_ONLY;
    tl = make(&c);
    assert_int_equal(start(&tl, 4, true), byw_pev(BYW_PEV_TL_WINDOW));
    assert_int_equal(start(&tl, 8, true), 0); /* goes on */
    for (i = 0; i < 98; i++)
        tick(&tl, LOAD_MISS, 1);
    assert_true(byw_two_level_bypasses(&tl));
    for (i = 0; i < 5; i++)
        assert_int_equal(start(&tl, 100 + i, true), 0);
    assert_true(byw_two_level_bypasses(&tl));

    c.tl_resample = BYW_BDU_PERIODIC;
    c.tl_period = 50;
    tl = make(&c);
    assert_true(sample(&tl, 4, 0, 100, 0));
    for (i = 0; i < 48; i++) { /* one of them two cycles */
        assert_int_equal(i == 20 ? start(&tl, 8, true) : tick(&tl, LOAD_BYPASS, 1), 0);
        assert_true(byw_two_level_bypasses(&tl));
    }
    assert_int_equal(tick(&tl, LOAD_BYPASS, 1), byw_pev(BYW_PEV_TL_WINDOW));
    window(&tl, 100, 0, 0);
    assert_false(byw_two_level_bypasses(&tl));
    for (i = 0; i < 50; i++)
        assert_int_equal(tick(&tl, LOAD_HIT, 1), i == 49 ? byw_pev(BYW_PEV_TL_WINDOW) : 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_start_needs_both),
        cmocka_unit_test(test_table),
        cmocka_unit_test(test_short_kernels),
        cmocka_unit_test(test_kernels_that_alternate),
        cmocka_unit_test(test_more_kernels_than_entries),
        cmocka_unit_test(test_resample),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
