/* SPDX-License-Identifier: Apache-2.0
 *
 * t_timeline.c - a run over time and by load: the values of intervals and of loads add up to the
 * run's, and observing a run does not change its result.
 */
#include <string.h>

#include "cli/shipped_run.h"
#include "common/test.h"

/* Policies that differ in how they sleep, bypass, or end a launch. */
static const struct shipped_run cases[] = {
    {"fermi", "bl", "lud", NULL},
    {"fermi", "decoupled_duel", "nw", NULL},
    {"fermi", "mrpb", "kmeans", NULL},
    {"pascal_gpgpusim", "two_level", "nw", NULL},
    {"gcn_ml", "mi_cacherw_pcby", "fwlrn", NULL},
    {"fermi", "decoupled", "nw", NULL},
};

enum { CASES = sizeof(cases) / sizeof(cases[0]) };

static json_t *run(size_t i, uint32_t intervals, bool loads, uint64_t max_cycles)
{
    const struct byw_job_options how = {
        .timeline = intervals, .loads = loads, .max_cycles = max_cycles};
    json_t *result = shipped_run(&cases[i], &how);

    json_object_del(result, "sim");
    return result;
}

static json_int_t sum(const json_t *list)
{
    json_int_t all = 0;
    json_t *one;
    size_t i;

    json_array_foreach(list, i, one) all += json_integer_value(one);
    return all;
}

static void check_sums(const json_t *result, const json_t *counters, size_t intervals)
{
    const char *path;
    json_t *list;

    json_object_foreach((json_t *)counters, path, list)
    {
        assert_int_equal(json_array_size(list), intervals);
        if ((double)sum(list) != byw_result_number(result, path))
            fail_msg("%s: %lld over the intervals, %.0f in the run", path, (long long)sum(list),
                     byw_result_number(result, path));
    }
}

/* The intervals cover the run, are no more than requested, and add up. */
static void check_timeline(const json_t *result, uint32_t most)
{
    const json_t *timeline = json_object_get(result, "timeline");
    uint64_t interval = (uint64_t)byw_result_number(timeline, "interval");
    uint64_t cycles = (uint64_t)byw_result_number(timeline, "cycles");
    size_t intervals = (size_t)((cycles + interval - 1) / interval);
    const char *name;
    json_t *list, *level;
    size_t i;

    assert_int_equal(cycles, byw_result_number(result, "cycles"));
    assert_true(intervals <= most && 2 * intervals >= most - 1);
    check_sums(result, json_object_get(timeline, "counters"), intervals);
    json_object_foreach(json_object_get(timeline, "levels"), name, list)
    {
        char path[32];
        double room;

        snprintf(path, sizeof(path), "capacity.%s", name);
        room = byw_result_number(timeline, path);
        assert_int_equal(json_array_size(list), intervals);
        json_array_foreach(list, i, level)
            assert_true(room == 0 || json_number_value(level) <= room);
    }
}

static void intervals_add_up_to_the_run(void **state)
{
    (void)state;
    for (size_t i = 0; i < CASES; i++) {
        json_t *result = run(i, 64, false, 0);

        check_timeline(result, 64);
        json_decref(result);
    }
}

/* Each interval counts exactly its own cycles: a filter that is always on counts one per cycle. */
static void intervals_count_their_own_cycles(void **state)
{
    json_t *result = run(CASES - 1, 64, false, 0);
    const json_t *timeline = json_object_get(result, "timeline");
    const json_t *on =
        json_object_get(json_object_get(timeline, "counters"), "policy_stats.filter_on_cycles");
    double sms = json_number_value(json_object_get(json_object_get(result, "config"), "sm.count"));

    (void)state;
    for (size_t i = 0; i + 1 < json_array_size(on); i++)
        assert_true(json_number_value(json_array_get(on, i)) ==
                    sms * byw_result_number(timeline, "interval"));
    json_decref(result);
}

static void a_stopped_run_has_intervals_so_far(void **state)
{
    json_t *result = run(0, 16, false, 5000);

    (void)state;
    assert_true(json_is_true(json_object_get(result, "partial")));
    check_timeline(result, 16);
    json_decref(result);
}

/* Whatever the number of intervals, a run's other members stay equal. */
static void observing_changes_no_result(void **state)
{
    (void)state;
    for (size_t i = 0; i < CASES; i++) {
        json_t *plain = run(i, 0, false, 0);

        assert_null(json_object_get(plain, "timeline"));
        for (uint32_t intervals = 8; intervals <= 4096; intervals *= 512) {
            json_t *looked = run(i, intervals, true, 0);

            json_object_del(looked, "timeline");
            json_object_del(looked, "loads");
            json_object_del(looked, "other_accesses");
            json_object_del(looked, "rest_accesses");
            if (!json_equal(plain, looked))
                fail_msg("%s on %s with %s: %u intervals change the result", cases[i].workload,
                         cases[i].machine, cases[i].policy, intervals);
            json_decref(looked);
        }
        json_decref(plain);
    }
}

/* Each refused cycle belongs to one load if the L1Ds refuse nothing but loads. */
static void each_refused_cycle_belongs_to_one_load(void **state)
{
    static const char *const reasons[] = {"line", "mshr", "merge", "miss_queue", "icnt"};
    json_t *result = run(1, 0, true, 0);
    double all = 0;

    (void)state;
    for (size_t k = 0; k < 5; k++) {
        double loads = 0;
        char path[48];
        json_t *load;
        size_t i;

        json_array_foreach(json_object_get(result, "loads"), i, load) loads +=
            byw_result_number(json_object_get(load, "refused"), reasons[k]);
        snprintf(path, sizeof(path), "l1d.reservation_fails.%s", reasons[k]);
        assert_true(loads == byw_result_number(result, path));
        all += loads;
    }
    assert_true(all > 1000);
    json_decref(result);
}

/* Launches one after the other: their activity below the L1s adds up to the run's. */
static void launches_add_up_to_the_run(void **state)
{
    static const char *const paths[] = {"l2.reads", "l2.misses", "dram.reads",
                                        "schedulers.scoreboard", "energy.icnt_nj"};
    json_t *result = run(1, 0, false, 0), *kernel;
    double end = 0, sums[5] = {0};
    size_t i;

    (void)state;
    json_array_foreach(json_object_get(result, "per_kernel"), i, kernel)
    {
        assert_true(byw_result_number(kernel, "start") >= end);
        end = byw_result_number(kernel, "start") + byw_result_number(kernel, "cycles");
        for (size_t k = 0; k < 5; k++)
            sums[k] += byw_result_number(kernel, paths[k]);
    }
    assert_true(i > 1);
    for (size_t k = 0; k < 5; k++) {
        double whole = byw_result_number(result, paths[k]);

        if (sums[k] > whole * 1.0000001 || sums[k] < 0.98 * whole)
            fail_msg("%s: %.0f over the launches, %.0f in the run", paths[k], sums[k], whole);
    }
    json_decref(result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(intervals_add_up_to_the_run),
        cmocka_unit_test(intervals_count_their_own_cycles),
        cmocka_unit_test(a_stopped_run_has_intervals_so_far),
        cmocka_unit_test(observing_changes_no_result),
        cmocka_unit_test(each_refused_cycle_belongs_to_one_load),
        cmocka_unit_test(launches_add_up_to_the_run),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
