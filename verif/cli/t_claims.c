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

/* A number belongs to a claim, and the paper's own value has the sense that it is judged by. */
static void test_numbers(void **state)
{
    (void)state;
    for (size_t i = 0; i < byw_claim_number_count(); i++) {
        const struct byw_claim_number *n = byw_claim_number(i);
        bool found = false;

        for (size_t c = 0; c < byw_claim_count(); c++)
            found = found || strcmp(byw_claim(c)->id, n->id) == 0;
        assert_true(found);
        assert_true(byw_claim_holds(n, n->value));
        assert_int_equal(n->reference[0] == '\0', n->sense == BYW_LEVEL);
    }
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
    assert_true(isnan(byw_metric_of(result, "l1d.a/l1d.z")));
    assert_true(isnan(byw_metric_of(result, "l1d.none")));
    json_decref(result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tables),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_senses),
        cmocka_unit_test(test_metrics),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
