/* SPDX-License-Identifier: Apache-2.0
 *
 * t_gaps.c - comparisons in which some runs were refused: values, means, footnotes, JSON, table,
 * page.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/page_data.h"
#include "common/test.h"
#include "study/compare/byw_compare.h"
#include "study/compare/byw_table.h"
#include "study/page/byw_report.h"

enum { WORKLOADS = 3, POLICIES = 4 };

static const char *const policy[POLICIES] = {"BL", "BALL", "X", "Y"};
static const char *const mode[POLICIES] = {"base", "bypass_all", "base", "base"};

/* IPC; 0: refused.  X is refused by the machine, "b" does not fit under BALL, "c" under BL. */
static const struct {
    const char *workload;
    double ipc[POLICIES];
} run[WORKLOADS] = {{"a", {100, 50, 0, 200}}, {"b", {100, 0, 0, 400}}, {"c", {0, 70, 0, 90}}};

static json_t *record(size_t w, size_t p)
{
    const char *why = p == 2 ? "the machine refuses <X>" : "no room for a CTA";
    json_t *json = json_pack("{s:s, s:s, s:s, s:{s:s, s:s, s:s}}", "workload", run[w].workload,
                             "machine", "m", "policy", policy[p], "config", "policy.mode", mode[p],
                             "policy.title", policy[p], "machine.title", "M");

    assert_non_null(json);
    if (run[w].ipc[p] > 0)
        json_object_set_new(json, "ipc", json_real(run[w].ipc[p]));
    else
        json_object_set_new(json, "refused", json_string(why));
    return json;
}

struct fixture {
    json_t *result[WORKLOADS * POLICIES];
    struct byw_compare *compare;
};

static int make_fixture(void **state)
{
    struct fixture *f = calloc(1, sizeof(*f));
    struct byw_diag diag;

    if (f == NULL)
        return -1;
    for (size_t i = 0; i < WORKLOADS * POLICIES; i++)
        f->result[i] = record(i / POLICIES, i % POLICIES);
    *state = f;
    return byw_compare_create(f->result, WORKLOADS, POLICIES, &f->compare, &diag) == BYW_OK ? 0
                                                                                            : -1;
}

static int drop_fixture(void **state)
{
    struct fixture *f = *state;

    byw_compare_free(f->compare);
    for (size_t i = 0; i < WORKLOADS * POLICIES; i++)
        json_decref(f->result[i]);
    free(f);
    return 0;
}

static const struct byw_compare *fixed(void **state)
{
    return ((const struct fixture *)*state)->compare;
}

/* a is cache-friendly; b and c, whose class is unknown, come after it. */
static void gaps_have_no_value_but_a_note(void **state)
{
    const struct byw_compare *c = fixed(state);

    assert_true(c->measured);
    assert_int_equal(byw_compare_class(c, 0), BYW_WCLASS_CF);
    assert_int_equal(byw_compare_class(c, 1), BYW_WCLASS_NONE);
    assert_int_equal(c->note_count, 2);
    assert_string_equal(c->note[0], "no room for a CTA");
    assert_string_equal(c->note[1], "the machine refuses <X>");
    assert_true(byw_compare_value(c, 0, 3, BYW_METRIC_IPC) == 2.0);
    assert_int_equal(byw_compare_note(c, 0, 3, BYW_METRIC_IPC), 0);
    assert_true(isnan(byw_compare_value(c, 1, 1, BYW_METRIC_IPC)));
    assert_int_equal(byw_compare_note(c, 1, 1, BYW_METRIC_IPC), 1);
    assert_int_equal(byw_compare_note(c, 1, 2, BYW_METRIC_L2), 2);
    /* a ratio without its reference is missing; a rate is not */
    assert_true(isnan(byw_compare_value(c, 2, 3, BYW_METRIC_IPC)));
    assert_int_equal(byw_compare_note(c, 2, 3, BYW_METRIC_IPC), 1);
    assert_int_equal(byw_compare_note(c, 2, 3, BYW_METRIC_HIT_ALL), 0);
}

/* Means are over the workloads that all policies have, except for the policy that has none. */
static void means_skip_rows_with_gaps(void **state)
{
    const struct byw_compare *c = fixed(state);
    size_t n = 9;

    assert_true(byw_compare_mean(c, 3, BYW_METRIC_IPC, BYW_WCLASS_NONE, false, &n) == 2.0);
    assert_int_equal(n, 1);
    assert_true(isnan(byw_compare_mean(c, 2, BYW_METRIC_IPC, BYW_WCLASS_NONE, false, &n)));
    assert_false(byw_compare_ran(c, 2));
    assert_true(byw_compare_ran(c, 1));
}

static void gaps_are_null_in_json(void **state)
{
    struct byw_compare *both[2] = {((struct fixture *)*state)->compare,
                                   ((struct fixture *)*state)->compare};
    json_t *json = byw_compare_json(both, 2);
    const json_t *machine = json_array_get(json_object_get(json, "machines"), 1);
    const json_t *row = json_array_get(json_object_get(machine, "workloads"), 1);

    assert_string_equal(byw_result_text(json, "schema"), BYW_MACHINES_SCHEMA);
    assert_string_equal(byw_result_text(machine, "schema"), BYW_COMPARE_SCHEMA);
    assert_int_equal(json_array_size(json_object_get(json, "machines")), 2);
    assert_int_equal(json_array_size(json_object_get(machine, "runs")), 7);
    assert_int_equal(json_array_size(json_object_get(machine, "refused")), 5);
    assert_true(json_is_null(json_object_get(json_object_get(row, "relative_ipc"), "BALL")));
    assert_true(byw_result_number(row, "relative_ipc.Y") == 4.0);
    json_decref(json);
}

static char *text_of(void (*print)(FILE *, struct byw_compare *), struct byw_compare *compare)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    assert_non_null(out);
    print(out, compare);
    fclose(out);
    return text;
}

static void print_table(FILE *out, struct byw_compare *compare)
{
    byw_table_compare(out, compare, false);
    byw_table_machines(out, &compare, 1);
}

static void table_marks_gaps_with_notes(void **state)
{
    char *text = text_of(print_table, ((struct fixture *)*state)->compare);

    assert_non_null(strstr(text, "    100.00     1.000     - [1]     - [2]     4.000\n"));
    assert_non_null(strstr(text, "         -     - [1]     - [1]     - [2]     - [1]\n"));
    assert_non_null(strstr(text, "\n[1] no room for a CTA\n[2] the machine refuses <X>\n"));
    assert_non_null(strstr(text, "  1.000       0.500           -       2.000\n"));
    assert_null(strstr(text, "nan"));
    assert_null(strstr(text, "  X: ")); /* no losses for a policy that did not run */
    free(text);
}

static void page_marks_gaps_with_notes(void **state)
{
    struct byw_compare *both[2] = {((struct fixture *)*state)->compare,
                                   ((struct fixture *)*state)->compare};
    const char *dir = getenv("TMPDIR");
    char path[128], *text;
    struct byw_file *file;
    struct byw_diag diag;
    json_t *data;
    FILE *in;

    snprintf(path, sizeof(path), "%.60s/t_gaps-%ld", dir != NULL ? dir : "/tmp", (long)getpid());
    assert_int_equal(byw_file_create(path, &file, &diag), BYW_OK);
    assert_int_equal(byw_report_write(both, 2, file, &diag), BYW_OK);
    in = fopen(path, "r");
    text = calloc(1, 1 << 20);
    assert_true(in != NULL && text != NULL && fread(text, 1, (1 << 20) - 1, in) > 0);
    fclose(in);
    unlink(path);
    assert_null(strstr(text, ":nan"));
    assert_null(strstr(text, ">nan"));
    assert_null(strstr(text, " nan"));
    assert_non_null(strstr(text, "<td>- [1]</td><td>- [2]</td><td>4.000</td>"));
    assert_non_null(strstr(text, "<p class=\"note\">[2] the machine refuses &lt;X&gt;</p>"));
    data = page_data(text);
    assert_non_null(data);
    assert_true(page_value(data, 3, "b", "ipc") == 400 && isnan(page_value(data, 1, "b", "ipc")));
    assert_true(page_value(data, 0, "b", "ipc") == 100 && isnan(page_value(data, 2, "b", "ipc")));
    json_decref(data);
    assert_non_null(strstr(text, "id=\"machine1\""));
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gaps_have_no_value_but_a_note),
        cmocka_unit_test(means_skip_rows_with_gaps),
        cmocka_unit_test(gaps_are_null_in_json),
        cmocka_unit_test(table_marks_gaps_with_notes),
        cmocka_unit_test(page_marks_gaps_with_notes),
    };

    return cmocka_run_group_tests(tests, make_fixture, drop_fixture);
}
