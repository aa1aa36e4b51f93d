/* SPDX-License-Identifier: Apache-2.0
 *
 * t_palette.c - marks of policies: one table for all pages.
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "common/test.h"
#include "study/job/byw_words.h"
#include "study/page/byw_palette.h"

static const char *const names[] = {
#define POLICY(name, title) name,
#include "study/page/byw_palette.def"
#undef POLICY
};
static const char *const titles[] = {
#define POLICY(name, title) title,
#include "study/page/byw_palette.def"
#undef POLICY
};
enum { ALL = sizeof(names) / sizeof(names[0]), VARIANTS = 20 };

static bool same(struct byw_mark a, struct byw_mark b)
{
    return a.colour == b.colour && a.look == b.look && a.number == b.number;
}

static void expect_different(const struct byw_mark *mark, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < i; j++)
            assert_false(same(mark[i], mark[j]));
}

static void no_two_policies_have_the_same_mark(void **state)
{
    struct byw_mark mark[ALL];

    (void)state;
    byw_palette_marks(names, ALL, mark);
    expect_different(mark, ALL);
}

static void a_policy_has_its_mark_on_every_page(void **state)
{
    struct byw_mark all[ALL], mark[2];

    (void)state;
    byw_palette_marks(names, ALL, all);
    for (size_t i = 1; i < ALL; i++) { /* alone, after another policy, and by its title */
        byw_palette_marks(&names[i], 1, mark);
        assert_true(same(mark[0], all[i]));
        byw_palette_marks((const char *const[]){names[0], titles[i]}, 2, mark);
        assert_true(same(mark[1], all[i]));
    }
}

static void variants_have_their_policys_colour_and_a_second_cue(void **state)
{
    const char *policy[2 * VARIANTS];
    struct byw_mark mark[2 * VARIANTS];

    (void)state;
    for (size_t i = 0; i < VARIANTS; i++) {
        policy[2 * i] = "bl";
        policy[2 * i + 1] = "decoupled";
    }
    byw_palette_marks(policy, 2 * VARIANTS, mark);
    expect_different(mark, 2 * VARIANTS);
    for (size_t i = 0; i < 2 * VARIANTS; i++) {
        assert_int_equal(mark[i].colour, mark[i % 2].colour);
        assert_int_equal(mark[i].number != 0, i / 2 >= BYW_PALETTE_LOOKS);
    }
}

static void policies_of_the_users_differ_from_all_others(void **state)
{
    const char *policy[4] = {"bl", "mine", "mine_too", "decoupled"};
    struct byw_mark mark[4], again[1];

    (void)state;
    byw_palette_marks(policy, 4, mark);
    expect_different(mark, 4);
    byw_palette_marks(&policy[1], 1, again);
    assert_true(same(mark[1], again[0]));
}

static void counters_have_words(void **state)
{
    (void)state;
    assert_string_equal(byw_counter_word("energy.l1_nj"), "L1 energy (nJ)");
    assert_string_equal(byw_counter_word("l1d.reservation_fails.icnt"), "crossbar");
    assert_string_equal(byw_counter_word("what.else"), "what.else");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_two_policies_have_the_same_mark),
        cmocka_unit_test(a_policy_has_its_mark_on_every_page),
        cmocka_unit_test(variants_have_their_policys_colour_and_a_second_cue),
        cmocka_unit_test(policies_of_the_users_differ_from_all_others),
        cmocka_unit_test(counters_have_words),
    };

    return cmocka_run_group_tests_name("palette", tests, NULL, NULL);
}
