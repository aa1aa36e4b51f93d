/* SPDX-License-Identifier: Apache-2.0
 *
 * t_load_traffic.c - the traffic below the L1s charged to loads, to stores and to no access
 * (byw_load_stats.h) adds up to the run's, on machines with two, three and four levels, with
 * write-backs by eviction, flush and rinse, and with any number of threads.
 */
#include <math.h>
#include <string.h>

#include "cli/shipped_run.h"
#include "common/test.h"
#include "study/job/byw_counters.h"

static const struct shipped_run cases[] = {
    {"fermi", "bl", "nw", NULL},
    {"fermi", "decoupled", "kmeans", "dram.ideal=on"},
    {"fermi", "mrpb", "backprop", NULL},
    {"gcn_apu", "pc", "spmv", NULL}, /* an L3 */
    {"rdna2", "bl", "lbm", NULL}, /* GL1s */
    {"gcn_ml", "mi_cacherw", "bwbn", NULL}, /* flushes */
    {"gcn_ml", "mi_cacherw_pcby", "fwlrn", NULL}, /* rinses rows; stores bypass */
    {"pascal_gpgpusim", "two_level", "lud", NULL}, /* sectors */
};

enum { CASES = sizeof(cases) / sizeof(cases[0]) };

static json_t *run(size_t i, uint32_t threads)
{
    const struct byw_job_options how = {.loads = true, .threads = threads};

    return shipped_run(&cases[i], &how);
}

/* Sum over a list of the member at a path. */
static double over(const json_t *list, const char *path)
{
    double sum = 0.0;
    json_t *one;
    size_t i;

    json_array_foreach(list, i, one) sum += byw_result_number(one, path);
    return sum;
}

static double all_of(const json_t *result, const char *path)
{
    return over(json_object_get(result, "loads"), path) +
           over(json_object_get(result, "other_accesses"), path) +
           byw_result_number(json_object_get(result, "rest_accesses"), path);
}

static void traffic_of_all_accesses_adds_up_to_the_run(void **state)
{
    static const char *const counts[] = {
        "l2.reads",  "l2.writes",  "l2.atomics",  "l2.hits",       "l2.hit_pending",
        "l2.misses", "dram.reads", "dram.writes", "dram.row_hits", "dram.activates"};
    static const char *const energies[] = {"energy.l1_nj", "energy.icnt_nj", "energy.l2_nj",
                                           "energy.dram_nj", "energy.total_nj"};

    (void)state;
    for (size_t i = 0; i < CASES; i++) {
        json_t *result = run(i, 1);

        for (size_t k = 0; k < sizeof(counts) / sizeof(counts[0]); k++)
            if (all_of(result, counts[k]) != byw_result_number(result, counts[k]))
                fail_msg("%s on %s, %s: %.0f of the instructions, %.0f of the run",
                         cases[i].workload, cases[i].machine, counts[k], all_of(result, counts[k]),
                         byw_result_number(result, counts[k]));
        for (size_t k = 0; k < sizeof(energies) / sizeof(energies[0]); k++) {
            double whole = byw_result_number(result, energies[k]);

            if (fabs(all_of(result, energies[k]) - whole) > 1e-9 * whole)
                fail_msg("%s on %s, %s: %.3f of the instructions, %.3f of the run",
                         cases[i].workload, cases[i].machine, energies[k],
                         all_of(result, energies[k]), whole);
        }
        json_decref(result);
    }
}

/* Loads make no line dirty: whichever access evicts a line, its DRAM writes are charged to the
 * store that wrote it. */
static void dram_writes_are_charged_to_stores(void **state)
{
    (void)state;
    for (size_t i = 0; i < CASES; i++) {
        json_t *result = run(i, 1);
        double writes = byw_result_number(result, "dram.writes");

        assert_true(over(json_object_get(result, "loads"), "dram.writes") == 0.0);
        assert_true(over(json_object_get(result, "other_accesses"), "dram.writes") == writes);
        assert_true(over(json_object_get(result, "loads"), "l2.writes") == 0.0);
        json_decref(result);
    }
}

/* A load's L2 requests are those that the L1Ds did not serve: its misses and bypasses, if each
 * fetches one line of the L2. */
static void l2_requests_are_misses_and_bypasses(void **state)
{
    json_t *result = run(0, 1), *load;
    size_t i;

    (void)state;
    json_array_foreach(json_object_get(result, "loads"), i, load)
        assert_true(byw_result_number(load, "l2.reads") ==
                    byw_result_number(load, "misses") + byw_result_number(load, "bypasses"));
    assert_true(i > 8);
    json_decref(result);
}

static bool has(const json_t *one, const char *path)
{
    char part[64];
    const char *dot;

    while (one != NULL && (dot = strchr(path, '.')) != NULL) {
        snprintf(part, sizeof(part), "%.*s", (int)(dot - path), path);
        one = json_object_get(one, part);
        path = dot + 1;
    }
    return json_is_number(json_object_get(one, path));
}

/* Every counter of a load appears in each load, in other accesses, and in the remainder. */
static void every_load_has_every_counter(void **state)
{
    static const char *const members[] = {"loads", "other_accesses"};
    json_t *result = run(0, 1), *one;
    size_t of_loads = 0, n;

    (void)state;
    for (size_t i = 0; i < byw_counter_count(); i++) {
        struct byw_counter c = byw_counter(i);
        const char *path;

        if (c.scope != BYW_SCOPE_LOAD)
            continue;
        of_loads++;
        path = strstr(c.path, "[].");
        assert_non_null(path);
        for (size_t m = 0; m < 2; m++)
            json_array_foreach(json_object_get(result, members[m]), n, one)
                assert_true(has(one, path + 3));
        assert_true(has(json_object_get(result, "rest_accesses"), path + 3));
    }
    assert_true(of_loads > 10);
    json_decref(result);
}

static void threads_change_nothing(void **state)
{
    static const char *const members[] = {"loads", "other_accesses", "rest_accesses"};
    json_t *one = run(2, 1), *three = run(2, 3);

    (void)state;
    for (size_t i = 0; i < 3; i++)
        assert_true(
            json_equal(json_object_get(one, members[i]), json_object_get(three, members[i])));
    json_decref(one);
    json_decref(three);
}

/* A warp reads a line in four sectors, each of which is a request; none is read again. */
static void a_stream_of_sectors_is_not_reused(void **state)
{
    static const struct shipped_run stream = {"h200", "bl", "fwact", NULL};
    const struct byw_job_options how = {.loads = true};
    json_t *result = shipped_run(&stream, &how);
    const json_t *loads = json_object_get(result, "loads");

    (void)state;
    assert_true(over(loads, "transactions") >= 65536.0);
    assert_true(over(loads, "reused") == 0.0);
    json_decref(result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(traffic_of_all_accesses_adds_up_to_the_run),
        cmocka_unit_test(dram_writes_are_charged_to_stores),
        cmocka_unit_test(l2_requests_are_misses_and_bypasses),
        cmocka_unit_test(every_load_has_every_counter),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(a_stream_of_sectors_is_not_reused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
