/* SPDX-License-Identifier: Apache-2.0
 *
 * t_mi_policies.c - the shipped policies of paper 004 on its machine, with an L2 small enough to
 * evict: skipping cycles changes nothing, every conservation law holds, each policy has its effect,
 * and no line is dirty after a launch.
 */
#include "sim/gpu_rig.h"

static void load(struct bench *b, const char *policy)
{
    struct byw_diag diag = {""};
    char path[200];

    byw_config_defaults(&b->config);
    snprintf(path, sizeof(path), "cmodel/configs/policies/%s.cfg", policy);
    if (byw_config_read(&b->config, "cmodel/configs/machines/gcn_ml.cfg", NULL, BYW_PARAM_MACHINE,
                        &diag) != BYW_OK ||
        byw_config_read(&b->config, path, NULL, BYW_PARAM_POLICY, &diag) != BYW_OK)
        fail_msg("%s", diag.text);
    b->config.sm_lanes = 32; /* as the test's trace has */
    b->config.l2_sets = 1; /* 4 KB in all */
    b->config.l2_ways = 4;
    b->config.l2_dbi_entries = 64;
    b->config.l2_dbi_ways = 2;
    b->config.pc_threshold = 2;
    b->config.pc_sample = 4;
    if (byw_config_check(&b->config, &diag) != BYW_OK)
        fail_msg("%s", diag.text);
}

static struct byw_level_stats run_both_ways(struct bench *b, const char *policy)
{
    struct byw_gpu_result *skipped, *stepped;
    struct byw_level_stats l2;

    load(b, policy);
    b->options.every_cycle = false;
    skipped = mixed(b);
    b->options.every_cycle = true;
    stepped = mixed(b);
    assert_same(skipped, stepped);
    l2 = skipped->mem.l2;
    assert_memory_equal(&l2, &stepped->mem.l2, sizeof(l2));
    byw_gpu_result_free(skipped);
    byw_gpu_result_free(stepped);
    return l2;
}

static void static_policies_keep_what_they_say(void **state)
{
    struct byw_level_stats none = run_both_ways(*state, "mi_uncached");
    struct byw_level_stats loads = run_both_ways(*state, "mi_cacher");
    struct byw_level_stats all = run_both_ways(*state, "mi_cacherw");

    assert_true(none.passed_loads > 0);
    assert_true(none.passed_stores > 0);
    assert_int_equal(loads.passed_loads, 0);
    assert_true(loads.passed_stores > 0);
    assert_int_equal(all.passed_loads + all.passed_stores, 0);
    assert_true(all.writebacks > all.flushed); /* some leave before the end */
    assert_int_equal(all.rinsed, 0);
}

static void each_optimisation_acts(void **state)
{
    struct byw_level_stats plain = run_both_ways(*state, "mi_cacherw");
    struct byw_level_stats ab = run_both_ways(*state, "mi_cacherw_ab");
    struct byw_level_stats cr = run_both_ways(*state, "mi_cacherw_cr");
    struct byw_level_stats pcby = run_both_ways(*state, "mi_cacherw_pcby");

    assert_true(plain.fail_line > 0);
    assert_true(ab.passed_loads + ab.passed_stores > 0);
    assert_true(ab.fail_line < plain.fail_line); /* instructions and atomics still wait for a
                                                    line */
    assert_int_equal(ab.rinsed, 0);
    assert_true(cr.rinsed > 0);
    assert_true(pcby.passed_loads > cr.passed_loads);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(static_policies_keep_what_they_say, setup, teardown),
        cmocka_unit_test_setup_teardown(each_optimisation_acts, setup, teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
