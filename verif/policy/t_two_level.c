/* SPDX-License-Identifier: Apache-2.0
 *
 * The two-level bypass: its decision table row by row, the sampling window to the cycle, and that
 * skipping cycles equals ticking them (mechanisms/two_level.md 3.3, 3.4). Its monitors are in
 * t_mrmu_womu.c, kernels in t_two_level_kernels.c.
 */
#include "common/byw_rng.h"
#include "policy/two_level_rig.h"

/* Rows of the decision: rate, then occupancy, few accesses. */
static void miss_rate_decides_before_occupancy(void **state)
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
    c.tl_sample = 101; /* 100 cycles whose loads count */
    for (i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
        struct byw_two_level tl = make(&c);

        start(&tl, 0, true);
        assert_int_equal(window(&tl, row[i].hits, row[i].misses, row[i].warps),
                         byw_pev(row[i].why));
        assert_int_equal(byw_two_level_bypasses(&tl), row[i].bypass);
        assert_int_equal(byw_two_level_state(&tl), row[i].bypass ? BYW_TL_BYPASS : BYW_TL_CACHE);
    }
    /* 192/256 = 75 %: a miss rate of exactly that enters the second phase */
    c.tl_low = c.tl_high = 192;
    for (i = 0; i < 3; i++) {
        struct byw_two_level tl = make(&c);

        assert_int_equal(sample(&tl, 0, 26 - (uint32_t)i, 74 + (uint32_t)i, 0), i != 0);
    }
    c.tl_occupancy = 0; /* the second phase then always caches */
    for (i = 0; i < 3; i++) {
        struct byw_two_level tl = make(&c);

        assert_int_equal(sample(&tl, 0, 26 - (uint32_t)i, 74 + (uint32_t)i, 0), i == 2);
    }
}

/* The window covers exactly cycles t+2 .. t+1+sample after the placement at t; a load counts in
 * the cycle after its pulse. */
static void the_window_starts_two_cycles_after_the_cta(void **state)
{
    struct byw_config c = config();
    uint32_t at;

    (void)state;
    c.tl_min = 1;
    for (at = 0; at <= 103; at++) { /* a hit in cycle `at` */
        struct byw_two_level tl = make(&c);
        uint32_t i;

        start(&tl, 8, false);
        for (i = 0; i <= 103; i++) {
            struct byw_l1d_ctrl ctrl = {.cta_placed = i == 0, .active_warps = 32};

            assert_int_equal(byw_two_level_state(&tl) == BYW_TL_SAMPLE, i >= 2 && i <= 101);
            byw_two_level_tick(&tl, &ctrl, i == at ? LOAD_HIT : 0);
        }
        /* One hit inside the window decides for caching; outside it there are too few accesses. */
        assert_int_equal(byw_two_level_bypasses(&tl), at < 1 || at > 100);
    }
    c.tl_low = c.tl_high = 0;
    c.tl_min = 0;
    for (at = 0; at <= 103; at++) { /* the same test for occupancy: 32 warps in one cycle */
        struct byw_two_level tl;
        uint32_t i;

        c.tl_occupancy = 2; /* needs 0.25 warps on average */
        c.tl_sample = 100;
        tl = make(&c);
        start(&tl, 8, false);
        for (i = 0; i <= 103; i++) {
            struct byw_l1d_ctrl ctrl = {.cta_placed = i == 0, .active_warps = i == at ? 32 : 0};

            byw_two_level_tick(&tl, &ctrl, 0);
        }
        assert_int_equal(byw_two_level_bypasses(&tl), at < 2 || at > 101);
    }
}

static void a_unit_that_is_off_never_bypasses(void **state)
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

/* Random control inputs: one unit is ticked in every cycle, the other skips the cycles without
 * pulses. */
static void skipping_equals_ticking(void **state)
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
                for (i = 0; i < taken; i++) /* digested like single cycles: no pulses except in the
                                               last */
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
        cmocka_unit_test(miss_rate_decides_before_occupancy),
        cmocka_unit_test(the_window_starts_two_cycles_after_the_cta),
        cmocka_unit_test(a_unit_that_is_off_never_bypasses),
        cmocka_unit_test(skipping_equals_ticking),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
