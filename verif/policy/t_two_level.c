/* SPDX-License-Identifier: Apache-2.0
 *
 * The two-level bypass: what counts as an access, the thresholds at their edges, occupancy, the
 * sampling window to the cycle, kernels and the decision table, every way to sample again, and that
 * skipping cycles is the same as ticking them (MECHANISMS 3.3, 3.4).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/byw_rng.h"
#include "l1d/byw_l1d.h"
#include "policy/byw_policy_events.h"
#include "policy/byw_two_level.h"

#define EV(e) (UINT32_C(1) << (e))
#define LOAD_HIT (EV(BYW_EV_LOAD) | EV(BYW_EV_HIT))
#define LOAD_MISS (EV(BYW_EV_LOAD) | EV(BYW_EV_MISS))
#define LOAD_PENDING (EV(BYW_EV_LOAD) | EV(BYW_EV_HIT_PENDING))
#define LOAD_BYPASS (EV(BYW_EV_LOAD) | EV(BYW_EV_BYPASS))

static struct byw_config config(void)
{
    struct byw_config c;

    byw_config_defaults(&c);
    c.tl_on = 1;
    c.tl_sample = 100;
    c.tl_min = 10;
    c.sm_warps = 32;
    return c;
}

static struct byw_two_level make(const struct byw_config *c)
{
    struct byw_two_level tl;

    byw_two_level_init(&tl, c);
    return tl;
}

static uint32_t tick(struct byw_two_level *tl, uint32_t events, uint8_t warps)
{
    struct byw_l1d_ctrl ctrl = {.active_warps = warps};

    return byw_two_level_tick(tl, &ctrl, events);
}

static uint32_t start(struct byw_two_level *tl, uint32_t pc, bool cta)
{
    struct byw_l1d_ctrl ctrl = {.kernel_start = true, .kernel_pc = pc, .cta_placed = cta};

    return byw_two_level_tick(tl, &ctrl, 0);
}

static uint32_t place(struct byw_two_level *tl)
{
    struct byw_l1d_ctrl ctrl = {.cta_placed = true};

    return byw_two_level_tick(tl, &ctrl, 0);
}

/* Runs the open window to its end with these loads; returns the pulses of its last cycle. */
static uint32_t window(struct byw_two_level *tl, uint32_t hits, uint32_t misses, uint8_t warps)
{
    uint32_t i, pulses = 0;

    for (i = 0; i < tl->bdu.sample; i++) {
        assert_int_equal(byw_two_level_state(tl), BYW_TL_SAMPLE);
        assert_false(byw_two_level_bypasses(tl));
        assert_int_equal(pulses, 0);
        pulses = tick(tl, i < hits ? LOAD_HIT : i < hits + misses ? LOAD_MISS : 0, warps);
    }
    assert_int_not_equal(byw_two_level_state(tl), BYW_TL_SAMPLE);
    return pulses;
}

/* A kernel start with a CTA, then a window; the mode it leaves. */
static bool sample(struct byw_two_level *tl, uint32_t pc, uint32_t hits, uint32_t misses,
                   uint8_t warps)
{
    assert_int_equal(start(tl, pc, true), byw_pev(BYW_PEV_TL_WINDOW));
    window(tl, hits, misses, warps);
    return byw_two_level_bypasses(tl);
}

static void test_mrmu_counts(void **state)
{
    struct byw_mrmu mrmu;
    uint32_t fail;

    (void)state;
    byw_mrmu_clear(&mrmu);
    byw_mrmu_count(&mrmu, LOAD_HIT, false);
    byw_mrmu_count(&mrmu, LOAD_MISS, false);
    byw_mrmu_count(&mrmu, LOAD_MISS | EV(BYW_EV_SECTOR_MISS), false);
    byw_mrmu_count(&mrmu, LOAD_PENDING, false);
    assert_int_equal(mrmu.accesses, 4);
    assert_int_equal(mrmu.misses, 2);
    byw_mrmu_count(&mrmu, LOAD_PENDING, true);
    assert_int_equal(mrmu.accesses, 5);
    assert_int_equal(mrmu.misses, 3);
    byw_mrmu_count(&mrmu, LOAD_BYPASS, true);
    byw_mrmu_count(&mrmu, EV(BYW_EV_STORE) | EV(BYW_EV_MISS), true);
    byw_mrmu_count(&mrmu, EV(BYW_EV_STORE) | EV(BYW_EV_HIT), true);
    byw_mrmu_count(&mrmu, EV(BYW_EV_ATOMIC), true);
    for (fail = BYW_EV_FAIL_LINE; fail <= BYW_EV_FAIL_ICNT; fail++)
        byw_mrmu_count(&mrmu, EV(fail) | EV(BYW_EV_MEM_READ), true);
    assert_int_equal(mrmu.accesses, 5);
    assert_int_equal(mrmu.misses, 3);
}

static void test_mrmu_edges(void **state)
{
    struct byw_mrmu mrmu = {.accesses = 1000, .misses = 499};

    (void)state;
    assert_int_equal(byw_mrmu_judge(&mrmu, 128, 230, 64), BYW_MRMU_LOW);
    mrmu.misses = 500; /* exactly half: not below */
    assert_int_equal(byw_mrmu_judge(&mrmu, 128, 230, 64), BYW_MRMU_BETWEEN);
    mrmu = (struct byw_mrmu){.accesses = 512, .misses = 460}; /* exactly 230 / 256: not above */
    assert_int_equal(byw_mrmu_judge(&mrmu, 128, 230, 64), BYW_MRMU_BETWEEN);
    mrmu.misses = 461;
    assert_int_equal(byw_mrmu_judge(&mrmu, 128, 230, 64), BYW_MRMU_HIGH);
    mrmu.misses = 512;
    assert_int_equal(byw_mrmu_judge(&mrmu, 256, 256, 64), BYW_MRMU_BETWEEN); /* all miss */
    mrmu = (struct byw_mrmu){.accesses = 63};
    assert_int_equal(byw_mrmu_judge(&mrmu, 128, 230, 64), BYW_MRMU_FEW);
    mrmu.accesses = 64;
    assert_int_equal(byw_mrmu_judge(&mrmu, 128, 230, 64), BYW_MRMU_LOW);
    mrmu = (struct byw_mrmu){0};
    assert_int_equal(byw_mrmu_judge(&mrmu, 128, 230, 0), BYW_MRMU_BETWEEN); /* no rate at all */
    mrmu = (struct byw_mrmu){.accesses = 65535, .misses = 32767};
    assert_int_equal(byw_mrmu_judge(&mrmu, 128, 230, 64), BYW_MRMU_LOW);
    mrmu.misses = 32768;
    assert_int_equal(byw_mrmu_judge(&mrmu, 128, 230, 64), BYW_MRMU_BETWEEN);
}

static void test_womu_edges(void **state)
{
    struct byw_womu womu;

    (void)state;
    byw_womu_clear(&womu);
    byw_womu_count(&womu, 20, 99);
    byw_womu_count(&womu, 19, 1); /* one warp short in one of 100 cycles */
    assert_true(byw_womu_below(&womu, true, 100, 32, 160));
    assert_true(byw_womu_below(&womu, false, 100, 32, 160));
    byw_womu_clear(&womu);
    byw_womu_count(&womu, 20, 100); /* 20 of 32 is 160 / 256: not below */
    assert_false(byw_womu_below(&womu, true, 100, 32, 160));
    assert_true(byw_womu_below(&womu, true, 100, 32, 161));
    byw_womu_count(&womu, 0, 1);
    assert_false(byw_womu_below(&womu, true, 100, 32, 160)); /* the sum is what counts */
    assert_true(byw_womu_below(&womu, false, 100, 32, 160)); /* the last cycle is */
    byw_womu_clear(&womu);
    byw_womu_count(&womu, 64, 65535);
    assert_false(byw_womu_below(&womu, true, 65535, 64, 256));
    assert_false(byw_womu_below(&womu, true, 65535, 64, 0));
}

/* Rows of the decision: rate, then occupancy, few accesses. */
static void test_decisions(void **state)
{
    static const struct {
        uint32_t hits, misses;
        uint8_t warps;
        bool bypass;
        enum byw_policy_event why;
    } row[] = {
        {60, 40, 1, false, BYW_PEV_TL_LOW},  {5, 95, 32, true, BYW_PEV_TL_HIGH},
        {30, 70, 19, true, BYW_PEV_TL_LAZY}, {30, 70, 20, false, BYW_PEV_TL_BUSY},
        {50, 50, 19, true, BYW_PEV_TL_LAZY}, {51, 49, 19, false, BYW_PEV_TL_LOW},
        {9, 0, 32, true, BYW_PEV_TL_FEW},    {10, 0, 0, false, BYW_PEV_TL_LOW},
        {0, 0, 32, true, BYW_PEV_TL_FEW},    {11, 89, 32, false, BYW_PEV_TL_BUSY},
        {10, 90, 32, true, BYW_PEV_TL_HIGH},
    };
    struct byw_config c = config();
    size_t i;

    (void)state;
    c.tl_sample = 101; /* 100 cycles whose loads count in it */
    for (i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
        struct byw_two_level tl = make(&c);

        start(&tl, 0, true);
        assert_int_equal(window(&tl, row[i].hits, row[i].misses, row[i].warps),
                         byw_pev(row[i].why));
        assert_int_equal(byw_two_level_bypasses(&tl), row[i].bypass);
        assert_int_equal(byw_two_level_state(&tl), row[i].bypass ? BYW_TL_BYPASS : BYW_TL_CACHE);
    }
    c.tl_low = c.tl_high = 192; /* threshold-k: exactly k goes to the second phase */
    for (i = 0; i < 3; i++) {
        struct byw_two_level tl = make(&c);

        assert_int_equal(sample(&tl, 0, 26 - (uint32_t)i, 74 + (uint32_t)i, 0), i != 0);
    }
    c.tl_occupancy = 0; /* which then always caches */
    for (i = 0; i < 3; i++) {
        struct byw_two_level tl = make(&c);

        assert_int_equal(sample(&tl, 0, 26 - (uint32_t)i, 74 + (uint32_t)i, 0), i == 2);
    }
}

/* The window is the cycles t+1 .. t+sample behind the placement at t, no more and no less; a load
 * counts in the cycle after its pulse. */
static void test_window_to_the_cycle(void **state)
{
    struct byw_config c = config();
    uint32_t at;

    (void)state;
    c.tl_min = 1;
    for (at = 0; at <= 102; at++) { /* ten misses in cycle `at`.. behind 10 hits: 11 or 10 count */
        struct byw_two_level tl = make(&c);
        uint32_t i;

        start(&tl, 8, false);
        tick(&tl, 0, 0);
        for (i = 0; i <= 102; i++) {
            struct byw_l1d_ctrl ctrl = {.cta_placed = i == 0, .active_warps = 32};

            assert_int_equal(byw_two_level_state(&tl) == BYW_TL_SAMPLE, i >= 1 && i <= 100);
            byw_two_level_tick(&tl, &ctrl, i == at ? LOAD_HIT : 0);
        }
        /* One hit inside decides for the cache, outside there are too few accesses. */
        assert_int_equal(byw_two_level_bypasses(&tl), at > 99);
    }
    c.tl_low = c.tl_high = 0;
    c.tl_min = 0;
    for (at = 0; at <= 102; at++) { /* the same for occupancy: 32 warps in one cycle */
        struct byw_two_level tl;
        uint32_t i;

        c.tl_occupancy = 2; /* needs 0.25 warps on average */
        c.tl_sample = 100;
        tl = make(&c);
        start(&tl, 8, false);
        for (i = 0; i <= 102; i++) {
            struct byw_l1d_ctrl ctrl = {.cta_placed = i == 0, .active_warps = i == at ? 32 : 0};

            byw_two_level_tick(&tl, &ctrl, 0);
        }
        assert_int_equal(byw_two_level_bypasses(&tl), at < 1 || at > 100);
    }
}

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
        for (i = 0; i < 19; i++)
            assert_int_equal(tick(&tl, LOAD_HIT, 8), 0);
        pulses = start(&tl, 4, true); /* the 20th cycle */
    }
    assert_int_equal(pulses, byw_pev(BYW_PEV_TL_LOW) | byw_pev(BYW_PEV_TL_KNOWN));
    assert_int_equal(tl.mrmu.accesses, 95);
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
    assert_int_equal(start(&tl, 12, true), 0); /* goes on: 50 cycles and its start have passed */
    assert_int_equal(tl.mrmu.accesses, 50);
    assert_int_equal(tl.womu.sum, 50 * 8);
    for (i = 0; i < 48; i++)
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
            for (i = 0; i < 19; i++)
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
        for (i = 0; i < 19; i++)
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
    for (i = 0; i < 99; i++)
        tick(&tl, LOAD_MISS, 1);
    assert_true(byw_two_level_bypasses(&tl));
    for (i = 0; i < 5; i++)
        assert_int_equal(start(&tl, 100 + i, true), 0);
    assert_true(byw_two_level_bypasses(&tl));

    c.tl_resample = BYW_BDU_PERIODIC;
    c.tl_period = 50;
    tl = make(&c);
    assert_true(sample(&tl, 4, 0, 100, 0));
    for (i = 0; i < 49; i++) {
        assert_int_equal(i == 20 ? start(&tl, 8, true) : tick(&tl, LOAD_BYPASS, 1), 0);
        assert_true(byw_two_level_bypasses(&tl));
    }
    assert_int_equal(tick(&tl, LOAD_BYPASS, 1), byw_pev(BYW_PEV_TL_WINDOW));
    window(&tl, 100, 0, 0);
    assert_false(byw_two_level_bypasses(&tl));
    for (i = 0; i < 50; i++)
        assert_int_equal(tick(&tl, LOAD_HIT, 1), i == 49 ? byw_pev(BYW_PEV_TL_WINDOW) : 0);
}

static void test_off(void **state)
{
    struct byw_config c = config();
    struct byw_two_level tl;
    uint32_t i;

    (void)state;
    c.tl_on = 0;
    tl = make(&c);
    start(&tl, 4, true);
    for (i = 0; i < 1000; i++)
        assert_int_equal(tick(&tl, LOAD_MISS, 0), 0);
    assert_false(byw_two_level_bypasses(&tl));
}

/* Random controls: one unit is ticked in every cycle, the other skips the cycles without pulses. */
static void test_skip_is_ticking(void **state)
{
    uint64_t seed = getenv("SEED") != NULL ? strtoull(getenv("SEED"), NULL, 0) : 11;
    uint32_t run;

    (void)state;
    for (run = 0; run < 400; run++) {
        struct byw_config c = config();
        struct byw_two_level a, b;
        struct byw_rng rng;
        uint32_t step, decisions = 0;

        byw_rng_init(&rng, seed + run);
        c.tl_resample = run % 4;
        c.tl_period = 1 + byw_rng_below(&rng, 300);
        c.tl_sample = 1 + byw_rng_below(&rng, 200);
        c.tl_min = byw_rng_below(&rng, 3);
        c.tl_last = byw_rng_below(&rng, 2);
        a = b = make(&c);
        for (step = 0; step < 60; step++) {
            struct byw_l1d_ctrl ctrl = {.active_warps = (uint8_t)byw_rng_below(&rng, 33)};
            uint64_t quiet = byw_rng_below(&rng, 4) == 0 ? byw_rng_below(&rng, 700) : 0;
            uint32_t events = byw_rng_below(&rng, 2) == 0 ? LOAD_MISS : LOAD_HIT;
            uint32_t seen_a = 0, seen_b = 0, n = 0, i;

            for (i = 0; i < quiet; i++) {
                uint32_t pulses = byw_two_level_tick(&a, &ctrl, 0);

                seen_a = seen_a * 31 + pulses;
                decisions += pulses != 0;
            }
            while (quiet != 0) {
                uint64_t taken = byw_two_level_skip(&b, ctrl.active_warps, quiet, &n);

                assert_in_range(taken, 1, quiet);
                quiet -= taken;
                for (i = 0; i < taken; i++) /* the same digest: zeros, then the last one's pulses */
                    seen_b = seen_b * 31 + (i + 1 == taken ? n : 0);
            }
            if (seen_a != seen_b || memcmp(&a, &b, sizeof(a)) != 0) {
                print_error("skipping differs; rerun with SEED=%llu\n",
                            (unsigned long long)seed + run);
                fail();
            }
            ctrl.kernel_start = byw_rng_below(&rng, 3) == 0;
            ctrl.kernel_pc = byw_rng_below(&rng, 12);
            ctrl.cta_placed = byw_rng_below(&rng, 2);
            assert_int_equal(byw_two_level_tick(&a, &ctrl, events),
                             byw_two_level_tick(&b, &ctrl, events));
        }
        assert_true(run % 4 == 2 || decisions > 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mrmu_counts),
        cmocka_unit_test(test_mrmu_edges),
        cmocka_unit_test(test_womu_edges),
        cmocka_unit_test(test_decisions),
        cmocka_unit_test(test_window_to_the_cycle),
        cmocka_unit_test(test_start_needs_both),
        cmocka_unit_test(test_table),
        cmocka_unit_test(test_short_kernels),
        cmocka_unit_test(test_kernels_that_alternate),
        cmocka_unit_test(test_more_kernels_than_entries),
        cmocka_unit_test(test_resample),
        cmocka_unit_test(test_off),
        cmocka_unit_test(test_skip_is_ticking),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
