/* SPDX-License-Identifier: Apache-2.0
 *
 * t_compare.c - comparisons: classes, means, order; and the selection of workloads.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/test.h"
#include "study/compare/byw_compare_oracle.h"

enum { POLICIES = 3, WORKLOADS = 4 };

/* Like a run's result, with the members that a comparison reads. */
static json_t *result(const char *workload, const char *policy, const char *mode, double ipc)
{
    json_t *json =
        json_pack("{s:s, s:s, s:s, s:f, s:i, s:{s:f, s:f}, s:{s:i}, s:{s:f}, s:{s:s, s:s, s:s}}",
                  "workload", workload, "machine", "fermi", "policy", policy, "ipc", ipc,
                  "thread_instructions", 5000, "l1d", "hit_rate_all", ipc / 100.0,
                  "hit_rate_cached", 0.5, "l2", "reads", 250, "energy", "total_nj", 10.0 * ipc,
                  "config", "policy.mode", mode, "policy.title", policy, "machine.title", "Fermi");

    assert_non_null(json);
    return json;
}

struct fixture {
    json_t *results[WORKLOADS * POLICIES];
    struct byw_compare *compare;
};

/* IPC of BL, BALL, X: nw gains by bypassing (1.5), gemm loses (0.5), pathfinder is unchanged (1.01)
 * and one that no paper has gains (2). */
static int make_fixture(void **state)
{
    static const char *const names[WORKLOADS] = {"pathfinder", "mine", "gemm", "nw"};
    static const double ipc[WORKLOADS][POLICIES] = {
        {10.0, 10.1, 10.0}, {10.0, 20.0, 40.0}, {10.0, 5.0, 9.0}, {10.0, 15.0, 20.0}};
    static const char *const policies[POLICIES] = {"bl", "ball", "x"};
    static const char *const modes[POLICIES] = {"base", "bypass_all", "decoupled"};
    struct fixture *f = calloc(1, sizeof(*f));
    struct byw_diag diag;

    if (f == NULL)
        return -1;
    for (int w = 0; w < WORKLOADS; w++)
        for (int p = 0; p < POLICIES; p++)
            f->results[w * POLICIES + p] = result(names[w], policies[p], modes[p], ipc[w][p]);
    *state = f;
    return byw_compare_create(f->results, WORKLOADS, POLICIES, &f->compare, &diag) == BYW_OK ? 0
                                                                                             : -1;
}

static int drop_fixture(void **state)
{
    struct fixture *f = *state;

    byw_compare_free(f->compare);
    for (int i = 0; i < WORKLOADS * POLICIES; i++)
        json_decref(f->results[i]);
    free(f);
    return 0;
}

static void rows_are_ordered_by_class(void **state)
{
    const struct byw_compare *c = ((struct fixture *)*state)->compare;

    assert_int_equal(c->row_count, WORKLOADS);
    assert_true(c->measured);
    assert_string_equal(c->row[0].workload, "mine");
    assert_string_equal(c->row[1].workload, "nw");
    assert_string_equal(c->row[2].workload, "gemm");
    assert_string_equal(c->row[3].workload, "pathfinder");
    assert_int_equal(c->row[0].paper, BYW_WCLASS_NONE);
    assert_int_equal(c->row[1].paper, BYW_WCLASS_CNF);
    assert_int_equal(c->row[2].paper, BYW_WCLASS_CF);
    assert_int_equal(c->row[3].paper, BYW_WCLASS_CI);
}

static void classes_are_measured_from_bl_and_ball(void **state)
{
    const struct byw_compare *c = ((struct fixture *)*state)->compare;

    assert_int_equal(c->row[0].here, BYW_WCLASS_CNF);
    assert_int_equal(c->row[1].here, BYW_WCLASS_CNF);
    assert_int_equal(c->row[2].here, BYW_WCLASS_CF);
    assert_int_equal(c->row[3].here, BYW_WCLASS_CI); /* 1.01 */
}

static void values_are_relative_to_the_first_policy(void **state)
{
    const struct byw_compare *c = ((struct fixture *)*state)->compare;

    assert_true(byw_compare_value(c, 0, 0, BYW_METRIC_IPC) == 1.0);
    assert_true(byw_compare_value(c, 1, 2, BYW_METRIC_IPC) == 2.0);
    assert_true(byw_compare_value(c, 2, 1, BYW_METRIC_IPC) == 0.5);
    assert_true(byw_compare_value(c, 2, 1, BYW_METRIC_L2) == 50.0); /* 250 / 5000 x 1000 */
    assert_true(fabs(byw_compare_value(c, 2, 2, BYW_METRIC_HIT_ALL) - 0.09) < 1e-12);
    assert_true(byw_compare_value(c, 0, 2, BYW_METRIC_ENERGY) == 4.0);
}

/* nw on fermi: at best 40 loads found and 500 cycles. Hits 10, 4 of them stores, and 6 merged: 12
 * of 40. The other rows, and another machine's oracle, give nothing. */
static void shares_are_fractions_of_the_oracle(void **state)
{
    struct byw_compare *c = ((struct fixture *)*state)->compare;
    json_t *run = c->row[1].result[1], *l1d = json_object_get(run, "l1d");
    json_t *other = json_pack("{s:s, s:[{s:s, s:{s:i}}]}", "machine", "v100", "workloads",
                              "workload", "nw", "oracle", "best", 20);
    json_t *oracle =
        json_pack("{s:s, s:[{s:s, s:{s:i}, s:{s:i}}]}", "machine", "fermi", "workloads", "workload",
                  "nw", "oracle", "best", 40, "bound", "cycles", 500);

    json_object_set_new(run, "cycles", json_integer(625));
    json_object_set_new(l1d, "hits", json_integer(10));
    json_object_set_new(l1d, "store_hits", json_integer(4));
    json_object_set_new(l1d, "hit_pending", json_integer(6));
    byw_compare_use_oracle(c, other);
    assert_false(byw_compare_has_share(c, BYW_SHARE_LOADS));
    byw_compare_use_oracle(c, oracle);
    assert_true(byw_compare_has_share(c, BYW_SHARE_LOADS));
    assert_true(fabs(byw_compare_share(c, 1, 1, BYW_SHARE_LOADS) - 0.3) < 1e-12);
    assert_true(fabs(byw_compare_share(c, 1, 1, BYW_SHARE_CYCLES) - 0.8) < 1e-12);
    assert_true(isnan(byw_compare_share(c, 2, 1, BYW_SHARE_LOADS)));
    json_decref(oracle);
    json_decref(other);
}

static void ratios_have_geometric_means(void **state)
{
    const struct byw_compare *c = ((struct fixture *)*state)->compare;
    size_t n;

    assert_true(fabs(byw_compare_mean(c, 2, BYW_METRIC_IPC, BYW_WCLASS_CNF, false, &n) - 2.0) <
                1e-12);
    assert_int_equal(n, 1);
    /* relative IPC of X: 2 on nw, 4 on mine */
    assert_true(fabs(byw_compare_mean(c, 2, BYW_METRIC_IPC, BYW_WCLASS_CNF, true, &n) - sqrt(8.0)) <
                1e-12);
    assert_int_equal(n, 2);
    assert_true(fabs(byw_compare_mean(c, 2, BYW_METRIC_IPC, BYW_WCLASS_NONE, false, &n) -
                     pow(2.0 * 0.9 * 1.0 * 4.0, 0.25)) < 1e-12);
    assert_int_equal(n, 4);
    assert_true(fabs(byw_compare_mean(c, 2, BYW_METRIC_HIT_ALL, BYW_WCLASS_NONE, false, &n) -
                     (0.2 + 0.09 + 0.1 + 0.4) / 4.0) < 1e-12);
}

static void a_class_needs_bl_and_ball(void **state)
{
    struct fixture *f = *state;
    struct byw_compare *c = NULL;
    json_t *only[2] = {f->results[0], f->results[2]}; /* BL and X */
    struct byw_diag diag;

    assert_int_equal(byw_compare_create(only, 1, 2, &c, &diag), BYW_OK);
    assert_int_equal(c->row[0].here, BYW_WCLASS_NONE);
    byw_compare_free(c);
}

static void json_has_every_value_and_mean(void **state)
{
    struct byw_compare *c = ((struct fixture *)*state)->compare;
    json_t *json = byw_compare_json(&c, 1);

    assert_non_null(json);
    assert_string_equal(byw_result_text(json, "schema"), BYW_COMPARE_SCHEMA);
    assert_int_equal(json_array_size(json_object_get(json, "policies")), POLICIES);
    assert_string_equal(byw_result_text(json, "machine"), "fermi");
    assert_int_equal(json_array_size(json_object_get(json, "runs")), WORKLOADS * POLICIES);
    assert_int_equal(json_array_size(json_object_get(json, "workloads")), WORKLOADS);
    assert_int_equal(json_array_size(json_object_get(json, "refused")), 0);
    assert_true(fabs(byw_result_number(json, "geomean_ipc_by_measured_class.CNF.x") - sqrt(8.0)) <
                1e-9);
    assert_true(byw_result_number(json, "geomean_ipc_by_paper_class.all.workloads") == 4.0);
    json_decref(json);
}

/* --- selection ---------------------------------------------------------------------------- */

static void touch(const char *folder, const char *name)
{
    char path[256];
    FILE *out;

    snprintf(path, sizeof(path), "%.200s/%s", folder, name);
    out = fopen(path, "w");
    assert_non_null(out);
    fclose(out);
}

static void expect(const struct byw_places *places, const char *selection, const char *want)
{
    struct byw_names names;
    struct byw_diag diag = {""};
    char got[256] = "";

    if (byw_workloads_select(places, selection, &names, &diag) != BYW_OK)
        fail_msg("%s: %s", selection, diag.text);
    for (size_t i = 0; i < names.count; i++) {
        strcat(got, names.name[i]);
        strcat(got, " ");
    }
    assert_string_equal(got, want);
    byw_names_free(&names);
}

static void selections_take_names_and_sets(void **state)
{
    static const char *const files[] = {"nw.bwt", "gemm.bwt", "zeta.bwt", "notes.txt", "lud.bwt"};
    struct byw_places places = {.traces = "t_compare_XXXXXX"};
    struct byw_names names;
    struct byw_diag diag = {""};

    (void)state;
    assert_non_null(mkdtemp(places.traces));
    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
        touch(places.traces, files[i]);
    expect(&places, "all", "gemm lud nw zeta ");
    expect(&places, "@cnf", "lud nw ");
    expect(&places, "@CF,zeta", "gemm zeta ");
    expect(&places, "zeta,nw,@cnf,nw", "zeta nw lud ");
    assert_int_equal(byw_workloads_select(&places, "@ci", &names, &diag), BYW_ENOENT);
    assert_int_equal(byw_workloads_select(&places, "@nothing", &names, &diag), BYW_ENOENT);
    assert_int_equal(byw_workloads_select(&places, "zetta", &names, &diag), BYW_ENOENT);
    assert_non_null(strstr(diag.text, "did you mean 'zeta'?"));
    assert_int_equal(byw_workloads_select(&places, ",", &names, &diag), BYW_EINVAL);
    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
        char path[256];

        snprintf(path, sizeof(path), "%.200s/%s", places.traces, files[i]);
        unlink(path);
    }
    rmdir(places.traces);
}

/* Every entry of the registry is valid on its own. */
static void registry_entries_are_valid(void **state)
{
    (void)state;
    for (size_t i = 0; i < byw_workload_count(); i++) {
        struct byw_workload w = byw_workload(i);
        struct byw_workload found;

        assert_true(byw_workload_find(w.name, &found));
        assert_string_equal(found.what, w.what);
        assert_true((w.cls == BYW_WCLASS_NONE) == (w.n_ipc == 0.0));
        if (w.cls == BYW_WCLASS_CNF)
            assert_true(w.n_ipc > BYW_CNF_ABOVE);
        if (w.cls == BYW_WCLASS_CF)
            assert_true(w.n_ipc < BYW_CF_BELOW);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_ordered_by_class),
        cmocka_unit_test(classes_are_measured_from_bl_and_ball),
        cmocka_unit_test(values_are_relative_to_the_first_policy),
        cmocka_unit_test(ratios_have_geometric_means),
        cmocka_unit_test(a_class_needs_bl_and_ball),
        cmocka_unit_test(json_has_every_value_and_mean),
        cmocka_unit_test(selections_take_names_and_sets),
        cmocka_unit_test(registry_entries_are_valid),
        cmocka_unit_test(shares_are_fractions_of_the_oracle),
    };

    return cmocka_run_group_tests_name("compare", tests, make_fixture, drop_fixture);
}
