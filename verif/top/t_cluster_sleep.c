/* SPDX-License-Identifier: Apache-2.0
 *
 * A host that lets L1s of a cluster sleep and skips cycles sees exactly the same as one that steps
 * every L1 in every cycle: transfers, counters, dueling, two-level, final state.
 */
#include "top/cluster_rig.h"

static void compare(const struct byw_config *config, uint64_t seed, uint64_t *flips,
                    struct byw_l1_stats *sum)
{
    struct rig *plain = rig_new(config, false, seed);
    struct rig *lazy = rig_new(config, true, seed);
    uint32_t sm;

    rig_run(plain, 60000);
    rig_run(lazy, 60000);
    if (plain->digest != lazy->digest)
        fail_msg("transfers differ when L1s sleep; rerun with SEED=%llu", (unsigned long long)seed);
    for (sm = 0; sm < SMS; sm++) {
        const struct byw_l1d *a = byw_cluster_l1d(plain->cluster, sm);
        const struct byw_l1d *b = byw_cluster_l1d(lazy->cluster, sm);

        assert_memory_equal(byw_cluster_stats(plain->cluster, sm),
                            byw_cluster_stats(lazy->cluster, sm), sizeof(struct byw_l1_stats));
        assert_true(byw_l1d_digest(a) == byw_l1d_digest(b));
        assert_null(byw_l1d_check(b));
    }
    assert_int_equal(plain->slept, 0);
    assert_true(lazy->slept > 60000 && lazy->skipped > (config->l1d_look ? 500U : 1000U));
    *flips += plain->flips;
    for (sm = 0; sm < SMS; sm++)
        byw_stats_add(sum, byw_cluster_stats(lazy->cluster, sm), 1);
    rig_free(plain);
    rig_free(lazy);
}

/* Caches so small that requests wait for each other. */
static struct byw_config small_caches(uint32_t i)
{
    struct byw_config c;

    byw_config_defaults(&c);
    c.sm_count = SMS;
    c.l1d_mshrs = 3 + i % 3;
    c.l1d_merges = 2;
    c.l1d_miss_queue = 2;
    c.l1d_bypass_queue = 2;
    c.l1d_trackers = 4;
    return c;
}

/* Windows of two-level and pauses between them, of many lengths. */
static void set_windows(struct byw_config *c, uint32_t i)
{
    c->tl_sample = 300 + 177 * i;
    c->tl_period = 1 + 400 * i;
    c->tl_low = 80;
    c->tl_high = 200;
    c->tl_occupancy = 85;
    c->tl_min = 4;
}

/* An arbiter whose decisions change with any difference between the two sides. */
static void set_duel(struct byw_config *c, uint32_t i, uint32_t often)
{
    c->duel_interval = i % 3 == 0 ? often : 130;
    c->duel_hold = i % 4 == 3 ? 200 : 0; /* the leaders change, too */
    c->duel_follow = 1;
    c->duel_margin = 0;
    c->duel_min = 1;
}

static void sleeping_equals_stepping(void **state)
{
    uint64_t seed = host_seed(100), flips = 0, none = 0;
    struct byw_l1_stats sum = {.stall_cycles = 0};
    uint32_t i;

    (void)state;
    for (i = 0; i < 12; i++) {
        struct byw_config c = small_caches(i);

        c.l1d_sets = 2;
        c.policy_mode = i % 4 == 0 ? BYW_MODE_BASE : BYW_MODE_DECOUPLED;
        if (i % 8 == 1)
            c.policy_mode = BYW_MODE_BYPASS_ALL;
        c.duel_on = i % 2;
        set_duel(&c, i, 1);
        c.dec_byp_rsfail = i % 5 == 0;
        compare(&c, seed + 10 * i,
                c.policy_mode == BYW_MODE_DECOUPLED && c.duel_on ? &flips : &none, &sum);
    }
    assert_int_equal(none, 0);
    assert_true(flips > 50); /* the filter was switched while caches slept */
}

/* The look stage: s1 moves into it while s2 is refused, and the filter is switched behind both. */
static void sleeping_equals_stepping_with_a_look_stage(void **state)
{
    uint64_t seed = host_seed(500), flips = 0;
    struct byw_l1_stats sum = {.stall_cycles = 0};
    uint32_t i;

    (void)state;
    for (i = 0; i < 12; i++) {
        struct byw_config c = small_caches(i);

        c.l1d_sets = 2;
        c.l1d_look = 1;
        c.policy_mode = i % 4 == 1 ? BYW_MODE_BYPASS_ALL : BYW_MODE_DECOUPLED;
        c.duel_on = 1;
        set_duel(&c, i, 33);
        c.tl_on = i % 2; /* bypass mode: requests that need no record */
        set_windows(&c, i);
        compare(&c, seed + 10 * i, &flips, &sum);
    }
    assert_true(flips > 50);
}

/* Two-level bypass, alone and with other mechanisms: windows open and close while L1s sleep. */
static void sleeping_equals_stepping_with_two_level(void **state)
{
    uint64_t seed = host_seed(300), flips = 0;
    struct byw_l1_stats sum = {.stall_cycles = 0};
    uint32_t i;

    (void)state;
    for (i = 0; i < 12; i++) {
        struct byw_config c = small_caches(i);

        c.l1d_sets = 8;
        c.l1d_ways = 1;
        c.policy_mode = i % 3 == 0 ? BYW_MODE_DECOUPLED : BYW_MODE_BASE;
        c.duel_on = i % 6 == 0;
        c.tl_on = 1;
        c.tl_resample = i % 4 == 3 ? BYW_BDU_PER_KERNEL_PC : BYW_BDU_PERIODIC;
        set_windows(&c, i);
        c.tl_last = i & 1;
        c.pc_on = i >> 1 & 1;
        c.pc_threshold = 3;
        c.stall_bypass = i % 3;
        compare(&c, seed + 10 * i, &flips, &sum);
    }
    for (i = BYW_PEV_TL_WINDOW; i < BYW_PEV_COUNT; i++)
        if (i != BYW_PEV_TL_KNOWN && i != BYW_PEV_PC_MISPREDICT && i != BYW_PEV_PC_HOT &&
            sum.policy[i] == 0)
            fail_msg("event %u never came", i);
    assert_true(sum.two_level_cycles[BYW_TL_SAMPLE] > 100000);
    assert_true(sum.two_level_cycles[BYW_TL_BYPASS] > 100000);
    assert_int_equal(sum.two_level_cycles[BYW_TL_SAMPLE] + sum.two_level_cycles[BYW_TL_BYPASS] +
                         sum.two_level_cycles[BYW_TL_CACHE],
                     12 * SMS * 60000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sleeping_equals_stepping),
        cmocka_unit_test(sleeping_equals_stepping_with_a_look_stage),
        cmocka_unit_test(sleeping_equals_stepping_with_two_level),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
