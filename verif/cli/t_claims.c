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
#include <string.h>

#include "study/byw_figure.h"
#include "study/byw_paper.h"
#include "study/byw_reproduce.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tables),   cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_senses),   cmocka_unit_test(test_metrics),
        cmocka_unit_test(test_points),   cmocka_unit_test(test_all_figures),
        cmocka_unit_test(test_strength), cmocka_unit_test(test_texts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
