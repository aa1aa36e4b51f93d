/* SPDX-License-Identifier: Apache-2.0
 *
 * The tables of claims and figures, and how their numbers are judged.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "study/papers/byw_figure.h"
#include "study/papers/byw_paper.h"
#include "study/papers/byw_reproduce.h"

static bool is_paper(const char *number)
{
    for (size_t i = 0; i < byw_paper_count(); i++)
        if (strcmp(byw_paper(i)->number, number) == 0)
            return true;
    return false;
}

static void test_tables(void **state)
{
    (void)state;
    for (size_t i = 0; i < byw_claim_count(); i++) {
        const struct byw_claim *claim = byw_claim(i);

        assert_true(is_paper(claim->paper));
        assert_int_equal(claim->id[0] - '0', claim->paper[2] - '0');
        assert_string_not_equal(claim->text, "");
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(byw_claim(j)->id, claim->id);
    }
    for (size_t i = 0; i < byw_figure_count(); i++) {
        assert_true(is_paper(byw_figure(i)->paper));
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(byw_figure(j)->id, byw_figure(i)->id);
    }
}

/* A number belongs to a claim, and the paper's own value has the sense that it is judged by, unless
 * its text gives an order alone (1).  What is judged without a reference is a level or a bound. */
static void test_numbers(void **state)
{
    (void)state;
    for (size_t i = 0; i < byw_claim_number_count(); i++) {
        const struct byw_claim_number *n = byw_claim_number(i);
        bool found = false;

        for (size_t c = 0; c < byw_claim_count(); c++)
            found = found || strcmp(byw_claim(c)->id, n->id) == 0;
        assert_true(found);
        assert_true(n->value == 1.0 || byw_claim_holds(n, n->value));
        if (n->reference[0] == '\0')
            assert_true(n->sense == BYW_LEVEL || n->sense == BYW_AT_MOST);
        else
            assert_int_not_equal(n->sense, BYW_LEVEL);
    }
}

/* What a paper says of a point names a column of its figure, and a row unless rows are a set. */
static void test_points(void **state)
{
    (void)state;
    assert_true(byw_figure_number_count() > 80);
    for (size_t i = 0; i < byw_figure_number_count(); i++) {
        const struct byw_figure_number *p = byw_figure_number(i);
        const struct byw_figure *figure = NULL;
        char columns[2048], *rest = columns, *name, *variant;
        bool found = false;

        for (size_t f = 0; f < byw_figure_count(); f++)
            if (strcmp(byw_figure(f)->id, p->id) == 0)
                figure = byw_figure(f);
        assert_non_null(figure);
        assert_true(strlen(figure->columns) < sizeof(columns));
        strcpy(columns, figure->columns);
        while (byw_figure_next(&rest, &name, &variant))
            found = found || strcmp(name, p->column) == 0;
        assert_true(found);
        if (strchr(figure->rows, '@') == NULL && strcmp(p->row, "mean") != 0)
            assert_non_null(strstr(figure->rows, p->row));
    }
}

/* Every figure and table of the papers that runs, traces or kept figures can give. */
static void test_all_figures(void **state)
{
    static const char *const all[] = {
        "000-T1",   "000-F2",   "000-F3",   "000-F4",   "000-F5a",  "000-F5b",  "000-F8",
        "000-F9",   "000-F10a", "000-F10b", "000-F10c", "000-F11",  "000-F12",  "000-F13a",
        "000-F13b", "000-F13c", "000-F14",  "000-F15",  "000-S65c", "000-S65e", "001-F1",
        "001-F3",   "001-F4",   "001-F5",   "002-a",    "002-b",    "002-c",    "002-d",
        "002-e",    "002-f",    "002-t",    "003-F2",   "003-F5",   "003-F6",   "003-F7a",
        "003-F7b",  "004-F2",   "004-F3",   "004-F4"};

    (void)state;
    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
        bool found = false;

        for (size_t f = 0; f < byw_figure_count(); f++)
            found = found || strcmp(byw_figure(f)->id, all[i]) == 0;
        if (!found)
            print_error("no figure %s\n", all[i]);
        assert_true(found);
    }
}

static double strength(enum byw_sense sense, double paper, double value)
{
    const struct byw_claim_number n = {.sense = sense, .value = paper};

    return byw_claim_strength(&n, value);
}

/* In logarithms: half of a factor of 4 is a factor of 2, the other way is below 0; a level's is a
 * ratio; without an effect in the paper there is none. */
static void test_strength(void **state)
{
    (void)state;
    assert_float_equal(strength(BYW_UP, 4.0, 2.0), 0.5, 1e-6);
    assert_float_equal(strength(BYW_DOWN, 0.25, 0.5), 0.5, 1e-6);
    assert_float_equal(strength(BYW_UP, 2.0, 0.5), -1.0, 1e-6);
    assert_float_equal(strength(BYW_LEVEL, 0.4, 0.1), 0.25, 1e-6);
    assert_true(isnan(strength(BYW_SAME, 1.0, 1.02)));
    assert_true(isnan(strength(BYW_UP, 2.0, NAN)));
}

static void shown(double value, const char *expected)
{
    char text[32];

    byw_figure_text(value, text);
    assert_string_equal(text, expected);
}

static void test_texts(void **state)
{
    (void)state;
    shown(NAN, "-");
    shown(0.0, "0.000");
    shown(1.30349, "1.303");
    shown(0.00238, "0.00238");
    shown(25.944, "25.94");
    shown(7516393326.0, "7516393326");
    shown(-43.58, "-43.58");
}

static void holds(enum byw_sense sense, double paper, double value, bool expected)
{
    const struct byw_claim_number n = {.sense = sense, .value = paper};

    assert_int_equal(byw_claim_holds(&n, value), expected);
}

static void test_senses(void **state)
{
    (void)state;
    holds(BYW_UP, 1.3, 1.001, true);
    holds(BYW_UP, 1.3, 1.0, false);
    holds(BYW_DOWN, 0.3, 0.999, true);
    holds(BYW_DOWN, 0.3, 1.0, false);
    holds(BYW_SAME, 1.0, 1.049, true);
    holds(BYW_SAME, 1.0, 1.051, false);
    holds(BYW_SAME, 1.0, 0.949, false);
    holds(BYW_AT_MOST, 1.0, 0.5, true);
    holds(BYW_AT_MOST, 1.0, 1.009, true);
    holds(BYW_AT_MOST, 1.0, 1.011, false);
    holds(BYW_LEVEL, 0.4, 0.79, true);
    holds(BYW_LEVEL, 0.4, 0.81, false);
    holds(BYW_LEVEL, 0.4, 0.19, false);
    for (int sense = BYW_UP; sense <= BYW_LEVEL; sense++)
        holds((enum byw_sense)sense, 1.0, NAN, false);
}

static void test_metrics(void **state)
{
    json_t *result =
        json_pack("{s:i, s:{s:i, s:i, s:i}}", "cycles", 7, "l1d", "a", 6, "b", 4, "z", 0);

    (void)state;
    assert_float_equal(byw_metric_of(result, "cycles"), 7.0, 0.0);
    assert_float_equal(byw_metric_of(result, "l1d.a-l1d.b"), 2.0, 0.0);
    assert_float_equal(byw_metric_of(result, "l1d.a+l1d.b"), 10.0, 0.0);
    assert_float_equal(byw_metric_of(result, "l1d.a/l1d.b"), 1.5, 0.0);
    assert_float_equal(byw_metric_of(result, "1-l1d.b"), -3.0, 0.0);
    assert_float_equal(byw_metric_of(result, "l1d.a+l1d.b*1000/l1d.b"), 2500.0, 0.0);
    assert_float_equal(byw_metric_of(result, "l1d.a-l1d.b/l1d.b"), 0.5, 0.0);
    assert_true(isnan(byw_metric_of(result, "l1d.a/l1d.z")));
    assert_true(isnan(byw_metric_of(result, "l1d.none")));
    json_decref(result);
}

/* Runs that are asked for, and what each takes. */
struct order_rig {
    struct byw_places places;
    struct byw_reproduce *what;
    size_t count, *point;
    double *seconds;
};

static void order_begin(struct order_rig *rig, const char *paper, bool claims)
{
    const struct byw_reproduce_request asked = {.paper = paper, .claims = claims};

    assert_int_equal(byw_places_find(&rig->places, NULL), BYW_OK);
    assert_int_equal(byw_reproduce_create(&rig->places, &asked, &rig->what, NULL), BYW_OK);
    rig->count = byw_plan_count(byw_reproduce_plan(rig->what));
    rig->point = calloc(rig->count, sizeof(*rig->point));
    rig->seconds = calloc(rig->count, sizeof(*rig->seconds));
    for (size_t i = 0; i < rig->count; i++)
        rig->seconds[i] = 100.0 + (double)(i * 7919 % 101);
}

static void order_end(struct order_rig *rig)
{
    byw_reproduce_free(rig->what);
    free(rig->point);
    free(rig->seconds);
}

static const struct byw_job *job_of(const struct order_rig *rig, size_t place)
{
    return &byw_plan_point(byw_reproduce_plan(rig->what), rig->point[place])->job;
}

/* Each point once; those of the claim whose runs take least come first, the shortest first; then
 * those of the next. */
static void test_order(void **state)
{
    struct order_rig rig;
    bool *seen;

    (void)state;
    order_begin(&rig, "001", true);
    for (size_t i = 0; i < rig.count; i++) { /* claim 1.3: four runs */
        const char *workload = byw_plan_point(byw_reproduce_plan(rig.what), i)->job.workload;

        if (strcmp(workload, "pathfinder") == 0 || strcmp(workload, "mergesort") == 0)
            rig.seconds[i] = 1.0 + (double)(rig.count - i);
    }
    assert_int_equal(byw_reproduce_order(rig.what, rig.seconds, rig.point, NULL), BYW_OK);
    seen = calloc(rig.count, sizeof(*seen));
    for (size_t i = 0; i < rig.count; i++) {
        assert_true(rig.point[i] < rig.count && !seen[rig.point[i]]);
        seen[rig.point[i]] = true;
    }
    free(seen);
    for (size_t i = 0; i < 4; i++) {
        assert_true(strcmp(job_of(&rig, i)->workload, "pathfinder") == 0 ||
                    strcmp(job_of(&rig, i)->workload, "mergesort") == 0);
        assert_string_not_equal(job_of(&rig, i)->policy, "threshold"); /* that is claim 1.2 */
        assert_true(i == 0 || rig.seconds[rig.point[i]] >= rig.seconds[rig.point[i - 1]]);
    }
    order_end(&rig);
}

/* Runs of figures alone come after all runs of claims, whatever they take. */
static void test_claims_before_figures(void **state)
{
    struct order_rig claims, all;

    (void)state;
    order_begin(&claims, "002", true);
    order_begin(&all, "002", false);
    assert_true(all.count > claims.count);
    for (size_t i = 0; i < all.count; i++)
        all.seconds[i] = 1000.0 - (double)i;
    assert_int_equal(byw_reproduce_order(all.what, all.seconds, all.point, NULL), BYW_OK);
    for (size_t i = 0; i < all.count; i++) {
        const char *id = byw_plan_point(byw_reproduce_plan(all.what), all.point[i])->id;
        bool of_claim = false;

        for (size_t k = 0; k < claims.count; k++)
            of_claim =
                of_claim || strcmp(byw_plan_point(byw_reproduce_plan(claims.what), k)->id, id) == 0;
        assert_int_equal(of_claim, i < claims.count);
    }
    order_end(&all);
    order_end(&claims);
}

static bool in(const struct byw_names *names, const char *name)
{
    for (size_t i = 0; i < names->count; i++)
        if (strcmp(names->name[i], name) == 0)
            return true;
    return false;
}

/* Inputs of another size are wanted for everything that is looked at, runs of the sweep or not. */
static void test_workloads(void **state)
{
    static const char *const mpache[] = {"spmv",           "lbm",     "hybridsort",
                                         "particlefilter", "convsep", "dct8x8"};
    const struct byw_reproduce_request traces = {.paper = "000", .figure = "000-F3"},
                                       kernels = {.paper = "003", .claims = true};
    struct byw_places places;
    struct byw_reproduce *what;
    struct byw_names names;

    (void)state;
    assert_int_equal(byw_places_find(&places, NULL), BYW_OK);
    assert_int_equal(byw_reproduce_create(&places, &kernels, &what, NULL), BYW_OK);
    assert_int_equal(byw_reproduce_workloads(what, 32, &names, NULL), BYW_OK);
    assert_int_equal(names.count, 6);
    for (size_t i = 0; i < 6; i++)
        assert_true(in(&names, mpache[i]));
    byw_names_free(&names);
    byw_reproduce_free(what);
    assert_int_equal(byw_reproduce_create(&places, &traces, &what, NULL), BYW_OK);
    assert_int_equal(byw_reproduce_workloads(what, 32, &names, NULL), BYW_OK);
    assert_true(names.count == 7 && in(&names, "sssp"));
    byw_names_free(&names);
    byw_reproduce_free(what);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tables),    cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_senses),    cmocka_unit_test(test_metrics),
        cmocka_unit_test(test_points),    cmocka_unit_test(test_all_figures),
        cmocka_unit_test(test_strength),  cmocka_unit_test(test_texts),
        cmocka_unit_test(test_order),     cmocka_unit_test(test_claims_before_figures),
        cmocka_unit_test(test_workloads),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
