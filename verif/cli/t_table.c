/* SPDX-License-Identifier: Apache-2.0
 *
 * t_table.c - the lines of the comparison's table: classes at their limits, means, and the list
 * of losses under each policy. The expected lines are worked out by hand from the IPC of each
 * run.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/page_data.h"
#include "common/test.h"
#include "common/text.h"
#include "study/compare/byw_compare.h"
#include "study/compare/byw_table.h"
#include "study/page/byw_report.h"

enum { POLICIES = 4, WORKLOADS = 6 };

static const char *const policy[POLICIES] = {"BL", "BALL", "X", "Y"};
static const char *const mode[POLICIES] = {"base", "bypass_all", "decoupled", "base"};

/* Relative IPC in hundredths. The class follows from BALL: a, b and f are cache-friendly; c and d,
 * at the limits 0.98 and 1.02, are cache-insensitive; e is cache-unfriendly. */
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

/* BALL's IPC relative to BL: above 1.02 cache-unfriendly, below 0.98 cache-friendly; a workload at
 * a limit is cache-insensitive. */
static void classes_begin_beyond_their_limits(void **state)
{
    /* Workloads of no paper are grouped by measured class. */
    static const struct {
        const char *workload;
        enum byw_wclass here;
    } want[WORKLOADS] = {{"e", BYW_WCLASS_CNF}, {"a", BYW_WCLASS_CF}, {"b", BYW_WCLASS_CF},
                         {"f", BYW_WCLASS_CF},  {"c", BYW_WCLASS_CI}, {"d", BYW_WCLASS_CI}};
    const struct fixture *f = *state;

    for (size_t w = 0; w < WORKLOADS; w++) {
        assert_string_equal(f->compare->row[w].workload, want[w].workload);
        assert_int_equal(f->compare->row[w].here, want[w].here);
    }
}

/* Cache-friendly workloads below 0.98 of the first policy, under every policy except the one that
 * bypasses everything. */
static void losses_name_every_policy(void **state)
{
    const struct fixture *f = *state;

    assert_non_null(strstr(f->text, "\nCache-friendly (here) and below 0.98 of BL:\n"
                                    "  X: a 0.900 b 0.979\n"
                                    "  Y: f 0.970\n"
                                    "\n"));
}

/* With BL and BALL alone there are no losses to list. */
static void losses_of_nobody_have_no_heading(void **state)
{
    const struct fixture *f = *state;
    json_t *results[WORKLOADS * 2];
    struct byw_compare *compare;
    struct byw_diag diag;
    char *text = NULL;
    size_t size;
    FILE *out;

    for (size_t i = 0; i < WORKLOADS * 2; i++)
        results[i] = f->results[i / 2 * POLICIES + i % 2];
    assert_int_equal(byw_compare_create(results, WORKLOADS, 2, &compare, &diag), BYW_OK);
    out = open_memstream(&text, &size);
    assert_non_null(out);
    byw_table_compare(out, compare, false);
    fclose(out);
    assert_null(strstr(text, "Cache-friendly (here)"));
    free(text);
    byw_compare_free(compare);
}

/* Geometric for ratios, arithmetic for rates.  X on a, b, f: (0.9 x 0.979 x 1.2)^(1/3) = 1.019. */
static void means_are_of_their_kind(void **state)
{
    const struct fixture *f = *state;

    assert_true(text_has_line(f->text, "CF (3) 1.000 0.732 1.019 0.983"));
    assert_true(text_has_line(f->text, "CI (2) 1.000 1.000 0.500 0.500"));
    assert_true(text_has_line(f->text, "CNF (1) 1.000 1.021 0.500 2.000"));
    assert_true(text_has_line(f->text, "all (6) 1.000 0.858 0.714 0.883"));
    assert_true(text_has_line(f->text, "mean (6) 0.000 0.250 0.500 0.750"));
    assert_true(text_has_line(f->text, "a - CF 100.00 1.000 0.500 0.900 0.980"));
}

/* The page; the caller frees it. */
static char *page(const struct fixture *f)
{
    char path[] = "/tmp/byw_t_table_XXXXXX", *text = NULL;
    struct byw_diag diag = {""};
    struct byw_file *file;
    size_t room = 0;
    FILE *in;

    close(mkstemp(path));
    assert_int_equal(byw_file_create(path, &file, &diag), BYW_OK);
    assert_int_equal(byw_report_write(&f->compare, 1, file, &diag), BYW_OK);
    in = fopen(path, "r");
    assert_non_null(in);
    assert_true(getdelim(&text, &room, '\0', in) > 0);
    fclose(in);
    unlink(path);
    return text;
}

/* The page has the same figures: one cell per policy under IPC, hit rate of all accesses, of those
 * not bypassed, L2 reads per 1000 instructions, energy. */
static void page_has_the_figures(void **state)
{
    static const char want[] =
        "<tr><td class=\"left\">a</td><td class=\"left\">-</td><td class=\"left\">CF</td>"
        "<td class=\"first\">1.000</td><td>0.500</td><td>0.900</td><td>0.980</td>"
        "<td class=\"first\">0.000</td><td>0.250</td><td>0.500</td><td>0.750</td>"
        "<td class=\"first\">0.500</td><td>0.500</td><td>0.500</td><td>0.500</td>"
        "<td class=\"first\">10.000</td><td>10.000</td><td>10.000</td><td>10.000</td>"
        "<td class=\"first\">1.000</td><td>1.000</td><td>1.000</td><td>1.000</td></tr>";
    static const char mean[] =
        "<tr><td class=\"left\">CF</td><td>3</td>"
        "<td class=\"first\">1.000</td><td>0.732</td><td>1.019</td><td>0.983</td></tr>";
    char *text = page(*state);

    assert_non_null(strstr(text, want));
    assert_non_null(strstr(text, mean));
    free(text);
}

/* The charts use the same results: under BALL, X and Y a has 0.5, 0.9 and 0.98 of BL's IPC
 * (t_page.sh checks what is drawn). */
static void charts_have_the_figures(void **state)
{
    static const double want[] = {1, 0.5, 0.9, 0.98};
    char *text = page(*state);
    json_t *data = page_data(text);

    assert_non_null(data);
    for (size_t p = 0; p < 4; p++)
        assert_true(fabs(page_value(data, p, "a", "ipc") / page_value(data, 0, "a", "ipc") -
                         want[p]) < 1e-9);
    json_decref(data);
    free(text);
}

/* The table of one run, with a different figure for each counter that it shows. */
static void a_run_shows_its_counters(void **state)
{
    json_t *json = json_pack(
        "{s:s, s:s, s:s, s:i, s:i, s:f, s:{s:i, s:i, s:i, s:i, s:i, s:f, s:f, s:i, s:{s:i, s:i, "
        "s:i, s:i, s:i}}, s:{s:i, s:i}, s:{s:i, s:i, s:i}, s:{s:f, s:f, s:f, s:f, s:f}, s:{s:f, "
        "s:f, s:f}}",
        "workload", "w", "machine", "m", "policy", "p", "cycles", 101, "warp_instructions", 102,
        "ipc", 10.3, "l1d", "accesses", 104, "hits", 105, "hit_pending", 106, "misses", 107,
        "bypasses", 108, "hit_rate_all", 0.1, "hit_rate_cached", 0.2, "stall_cycles", 109,
        "reservation_fails", "line", 110, "mshr", 111, "merge", 112, "miss_queue", 113, "icnt", 114,
        "l2", "reads", 115, "writes", 116, "dram", "reads", 117, "writes", 118, "activates", 119,
        "energy", "total_nj", 120e3, "l1_nj", 121e3, "icnt_nj", 122e3, "l2_nj", 123e3, "dram_nj",
        124e3, "sim", "seconds", 1.0, "kips", 125.0, "peak_rss_mb", 126.0);
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    (void)state;
    assert_true(json != NULL && out != NULL);
    byw_table_run(out, json);
    fclose(out);
    assert_true(text_has_line(text, "w on m with p"));
    assert_true(text_has_line(text, "cycles 101"));
    assert_true(text_has_line(text, "warp instructions 102"));
    assert_true(text_has_line(text, "IPC 10.300 thread instructions per cycle"));
    assert_true(text_has_line(text, "L1D accesses 104"));
    assert_true(text_has_line(text, "hits 105"));
    assert_true(text_has_line(text, "hits on pending 106"));
    assert_true(text_has_line(text, "misses 107"));
    assert_true(text_has_line(text, "bypasses 108"));
    assert_true(text_has_line(text, "hit rate 0.1000 of all, 0.2000 of those not bypassed"));
    assert_non_null(strstr(text, "  line 110, MSHR 111, merge slot 112,"));
    assert_true(text_has_line(text, "L2 reads, writes 115 116"));
    assert_true(text_has_line(text, "DRAM reads, writes 117 118 atoms, 119 activates"));
    assert_non_null(strstr(text, "  uJ (L1 121.0, crossbar 122.0, L2 123.0,"));
    free(text);
    json_decref(json);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(classes_begin_beyond_their_limits),
        cmocka_unit_test(losses_name_every_policy),
        cmocka_unit_test(losses_of_nobody_have_no_heading),
        cmocka_unit_test(means_are_of_their_kind),
        cmocka_unit_test(page_has_the_figures),
        cmocka_unit_test(charts_have_the_figures),
        cmocka_unit_test(a_run_shows_its_counters),
    };

    return cmocka_run_group_tests_name("table", tests, make_fixture, drop_fixture);
}
