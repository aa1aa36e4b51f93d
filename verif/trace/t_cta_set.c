/* SPDX-License-Identifier: Apache-2.0
 *
 * t_cta_set.c - sets of CTAs: in order, in any order, repeated, and in grids too large for a table.
 */
#include "common/byw_rng.h"
#include "common/test.h"
#include "trace/accelsim/byw_cta_set.h"

enum { X = 13, Y = 11, Z = 17, ALL = X * Y * Z };

static bool add(struct byw_cta_set *set, uint32_t number)
{
    const uint32_t id[3] = {number % X, number / X % Y, number / X / Y};
    bool again;

    assert_true(byw_cta_set_add(set, id, &again));
    return !again;
}

static uint32_t missing(const struct byw_cta_set *set)
{
    uint32_t id[3];

    byw_cta_set_missing(set, id);
    return (id[2] * Y + id[1]) * X + id[0];
}

static void ascending_ctas_are_new_once(void **state)
{
    struct byw_cta_set set = {.before = 0};

    (void)state;
    for (int round = 0; round < 2; round++) { /* the second launch starts empty */
        byw_cta_set_start(&set, (const uint32_t[3]){X, Y, Z});
        for (uint32_t i = 0; i < ALL; i++) {
            assert_int_equal(missing(&set), i);
            assert_true(add(&set, i));
            assert_false(add(&set, i / 2));
        }
        assert_int_equal(set.numbers.count, 0); /* without memory */
    }
    byw_cta_set_release(&set);
}

/* In random order, with each CTA tried a second time, compared with a table. */
static void ctas_in_any_order_are_new_once(void **state)
{
    static uint32_t order[ALL];
    static bool in[ALL];
    struct byw_cta_set set = {.before = 0};
    struct byw_rng rng;
    uint32_t lowest = 0;

    (void)state;
    byw_rng_init(&rng, 1);
    for (uint32_t i = 0; i < ALL; i++) {
        uint32_t j = byw_rng_below(&rng, i + 1);

        order[i] = order[j];
        order[j] = i;
    }
    byw_cta_set_start(&set, (const uint32_t[3]){X, Y, Z});
    for (uint32_t i = 0; i < ALL; i++) {
        uint32_t any = byw_rng_below(&rng, ALL);

        assert_int_equal(missing(&set), lowest);
        assert_int_equal(add(&set, order[i]), !in[order[i]]);
        in[order[i]] = true;
        assert_int_equal(add(&set, any), !in[any]);
        in[any] = true;
        while (lowest < ALL && in[lowest])
            lowest++;
        if (lowest == ALL)
            break;
    }
    byw_cta_set_release(&set);
}

static void huge_grids_need_no_table(void **state)
{
    const uint32_t last[3] = {UINT32_MAX - 1, 0, 65535};
    struct byw_cta_set set = {.before = 0};
    uint32_t id[3];
    bool again;

    (void)state;
    byw_cta_set_start(&set, (const uint32_t[3]){UINT32_MAX, 1, 65536});
    assert_true(byw_cta_set_add(&set, last, &again) && !again);
    assert_true(byw_cta_set_add(&set, last, &again) && again);
    byw_cta_set_missing(&set, id);
    assert_true(id[0] == 0 && id[1] == 0 && id[2] == 0);
    byw_cta_set_release(&set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ascending_ctas_are_new_once),
        cmocka_unit_test(ctas_in_any_order_are_new_once),
        cmocka_unit_test(huge_grids_need_no_table),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
