/* SPDX-License-Identifier: Apache-2.0
 *
 * t_table.c - what the comparison's table says: classes at their limits, means, and the list of who
 * pays for a policy.  The expected lines are worked out by hand from the IPC of each run.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "study/byw_compare.h"
#include "study/byw_table.h"

enum { POLICIES = 4, WORKLOADS = 6 };

static const char *const policy[POLICIES] = {"BL", "BALL", "X", "Y"};
static const char *const mode[POLICIES] = {"base", "bypass_all", "decoupled", "base"};

/* Relative IPC in hundredths; the class is that of BALL: a, b and f cache-friendly, c and d at the
 * limits 0.98 and 1.02, which belong to cache-insensitive, e cache-unfriendly. */
static const struct {
    const char *workload;
    double ipc[POLICIES];
} run[WORKLOADS] = {
    {"a", {100.0, 50.0, 90.0, 98.0}},   {"b", {100.0, 97.9, 97.9, 100.0}},
    {"c", {100.0, 98.0, 50.0, 50.0}},   {"d", {100.0, 102.0, 50.0, 50.0}},
    {"e", {100.0, 102.1, 50.0, 200.0}}, {"f", {100.0, 80.0, 120.0, 97.0}},
};

static json_t *result(size_t w, size_t p)
{
    json_t *json = json_pack(
        "{s:s, s:s, s:s, s:f, s:i, s:{s:f, s:f}, s:{s:i}, s:{s:f}, s:{s:s, s:s, s:s}}", "workload",
        run[w].workload, "machine", "fermi", "policy", policy[p], "ipc", run[w].ipc[p],
        "thread_instructions", 1000, "l1d", "hit_rate_all", 0.25 * (double)p, "hit_rate_cached",
        0.5, "l2", "reads", 10, "energy", "total_nj", 10.0, "config", "policy.mode", mode[p],
        "policy.title", policy[p], "machine.title", "Fermi");

    assert_non_null(json);
    return json;
}

struct fixture {
    json_t *results[WORKLOADS * POLICIES];
    struct byw_compare *compare;
    char *text;
};

static int make_fixture(void **state)
{
    struct fixture *f = calloc(1, sizeof(*f));
    struct byw_diag diag;
    size_t size;
    FILE *out;

    if (f == NULL)
        return -1;
    for (size_t w = 0; w < WORKLOADS; w++)
        for (size_t p = 0; p < POLICIES; p++)
            f->results[w * POLICIES + p] = result(w, p);
    if (byw_compare_create(f->results, WORKLOADS, POLICIES, &f->compare, &diag) != BYW_OK)
        return -1;
    out = open_memstream(&f->text, &size);
    if (out == NULL)
        return -1;
    byw_table_compare(out, f->compare, false);
    *state = f;
    return fclose(out);
}

static int drop_fixture(void **state)
{
    struct fixture *f = *state;

    byw_compare_free(f->compare);
    for (size_t i = 0; i < WORKLOADS * POLICIES; i++)
        json_decref(f->results[i]);
    free(f->text);
    free(f);
    return 0;
}

/* Above 1.02 cache-unfriendly, below 0.98 cache-friendly; the limits themselves are neither. */
static void classes_begin_beyond_their_limits(void **state)
{
    static const enum byw_wclass want[WORKLOADS] = {BYW_WCLASS_CF, BYW_WCLASS_CF,  BYW_WCLASS_CI,
                                                    BYW_WCLASS_CI, BYW_WCLASS_CNF, BYW_WCLASS_CF};
    const struct fixture *f = *state;

    for (size_t w = 0; w < WORKLOADS; w++) {
        assert_string_equal(f->compare->row[w].workload, run[w].workload);
        assert_int_equal(f->compare->row[w].here, want[w]);
    }
}

/* Cache-friendly workloads below 0.98 of the first policy, under every other policy but the one
 * that bypasses all. */
static void losses_name_every_policy(void **state)
{
    const struct fixture *f = *state;

    assert_non_null(strstr(f->text, "\nCache-friendly (here) and below 0.98 of BL:\n"
                                    "  X: a 0.900 b 0.979\n"
                                    "  Y: f 0.970\n"
                                    "\n"));
}

/* One line of the table, its words apart by one blank. */
static bool has_line(const char *text, const char *want)
{
    char line[256];
    size_t n = 0;

    for (; *text != '\0'; text++) {
        if (*text == '\n') {
            line[n] = '\0';
            if (strcmp(line, want) == 0)
                return true;
            n = 0;
        } else if (n + 1 < sizeof(line) && !(*text == ' ' && (n == 0 || line[n - 1] == ' '))) {
            line[n++] = *text;
        }
    }
    return false;
}

/* Geometric for ratios, arithmetic for rates.  X on a, b, f: (0.9 x 0.979 x 1.2)^(1/3) = 1.019. */
static void means_are_of_their_kind(void **state)
{
    const struct fixture *f = *state;

    assert_true(has_line(f->text, "CF (3) 1.000 0.732 1.019 0.983"));
    assert_true(has_line(f->text, "CI (2) 1.000 1.000 0.500 0.500"));
    assert_true(has_line(f->text, "CNF (1) 1.000 1.021 0.500 2.000"));
    assert_true(has_line(f->text, "all (6) 1.000 0.858 0.714 0.883"));
    assert_true(has_line(f->text, "mean (6) 0.000 0.250 0.500 0.750"));
    assert_true(has_line(f->text, "a - CF 100.00 1.000 0.500 0.900 0.980"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(classes_begin_beyond_their_limits),
        cmocka_unit_test(losses_name_every_policy),
        cmocka_unit_test(means_are_of_their_kind),
    };

    return cmocka_run_group_tests_name("table", tests, make_fixture, drop_fixture);
}
