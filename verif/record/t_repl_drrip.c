/* SPDX-License-Identifier: Apache-2.0
 *
 * DRRIP as its rule is written (mechanisms/baselines.md 2.5), worked out by hand. Of 32 sets 0, 9,
 * 18, 27 lead for SRRIP, which inserts with 2, and 4, 13, 22, 31 for BRRIP, which inserts with 3
 * (the random number in these tests never makes it 2).
 */
#include "record/byw_set_duel.h"
#include "record/repl_rig.h"
#include "sim/gpu/byw_config_check.h"

enum { FOLLOWER = 1, OTHER_FOLLOWER = 30, STATIC_LEADER = 9, BIMODAL_LEADER = 22, PC = 0x40 };

/* The number with which a line is now inserted into the set. */
static uint32_t placed_with(struct rig *r, uint32_t set)
{
    static const char names[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    uint32_t i = 0;

    while (strchr(r->line[set], names[i]) != NULL)
        i++;
    assert_false(rig_load(r, set, PC, names[i], false, 0));
    return r->set[set]->rank[strchr(r->line[set], names[i]) - r->line[set]];
}

static void misses(struct rig *r, uint32_t set, uint32_t n)
{
    while (n-- > 0)
        placed_with(r, set);
}

/* 1. After reset all sets but the leaders of BRRIP are SRRIP. */
static void followers_start_with_srrip(void **state)
{
    (void)state;
    for (uint32_t set = 0; set < RIG_SETS; set++) {
        struct rig r = rig_new(&byw_repl_drrip, 2);
        bool bimodal = set == 4 || set == 13 || set == 22 || set == 31;

        assert_int_equal(placed_with(&r, set), bimodal ? 3 : 2);
        rig_free(&r);
    }
}

/* 2. The central rule: if the leaders of SRRIP miss once more often than those of BRRIP, the
 *   followers use BRRIP. */
static void followers_use_the_policy_with_fewer_leader_misses(void **state)
{
    struct rig r = rig_new(&byw_repl_drrip, 2);

    (void)state;
    misses(&r, STATIC_LEADER, 1);
    assert_int_equal(placed_with(&r, FOLLOWER), 3);
    assert_int_equal(placed_with(&r, OTHER_FOLLOWER), 3);
    misses(&r, BIMODAL_LEADER, 1);
    assert_int_equal(placed_with(&r, FOLLOWER), 2);
    misses(&r, BIMODAL_LEADER, 5);
    misses(&r, STATIC_LEADER, 5);
    assert_int_equal(placed_with(&r, FOLLOWER), 2);
    misses(&r, STATIC_LEADER, 1);
    assert_int_equal(placed_with(&r, FOLLOWER), 3);
    rig_free(&r);
}

/* 3. Leaders keep their policy, regardless of the winner. */
static void leaders_keep_their_policy(void **state)
{
    struct rig r = rig_new(&byw_repl_drrip, 2);

    (void)state;
    misses(&r, STATIC_LEADER, 50);
    assert_int_equal(placed_with(&r, STATIC_LEADER), 2);
    misses(&r, BIMODAL_LEADER, 100);
    assert_int_equal(placed_with(&r, BIMODAL_LEADER), 3);
    rig_free(&r);
}

/* 4. Hits do not vote, nor do followers. */
static void only_misses_of_leaders_vote(void **state)
{
    struct rig r = rig_new(&byw_repl_drrip, 2);

    (void)state;
    misses(&r, STATIC_LEADER, 1);
    for (int i = 0; i < 10; i++) {
        rig_loads(&r, BIMODAL_LEADER, PC, i == 0 ? "A" : "AAA", i == 0 ? "M" : "HHH");
        misses(&r, STATIC_LEADER, i == 0);
    }
    misses(&r, FOLLOWER, 20);
    assert_int_equal(placed_with(&r, FOLLOWER), 3);
    misses(&r, BIMODAL_LEADER, 1);
    assert_int_equal(placed_with(&r, FOLLOWER), 2);
    rig_free(&r);
}

/* 5. PSEL saturates at 255: from there 128 misses of the other policy's leaders switch back to
 *   SRRIP. */
static void psel_saturates(void **state)
{
    struct rig r = rig_new(&byw_repl_drrip, 2);

    (void)state;
    misses(&r, STATIC_LEADER, 300);
    misses(&r, BIMODAL_LEADER, 127);
    assert_int_equal(placed_with(&r, FOLLOWER), 3);
    misses(&r, BIMODAL_LEADER, 1);
    assert_int_equal(placed_with(&r, FOLLOWER), 2);
    misses(&r, BIMODAL_LEADER, 300); /* drives PSEL to 0; 128 misses bring it back */
    misses(&r, STATIC_LEADER, 127);
    assert_int_equal(placed_with(&r, FOLLOWER), 2);
    misses(&r, STATIC_LEADER, 1);
    assert_int_equal(placed_with(&r, FOLLOWER), 3);
    rig_free(&r);
}

/* 6. A BRRIP set inserts one line in 32 as SRRIP does. */
static void a_brrip_set_inserts_one_line_in_32_as_srrip(void **state)
{
    struct rig r = rig_new(&byw_repl_drrip, 2);

    (void)state;
    r.side.random = 64;
    assert_int_equal(placed_with(&r, BIMODAL_LEADER), 2);
    rig_free(&r);
}

/* 7. Both policies share victim selection and hits: a set that changes policy keeps its numbers. */
static void a_set_keeps_its_predictions_when_it_switches(void **state)
{
    struct rig r = rig_new(&byw_repl_drrip, 2);

    (void)state;
    rig_loads(&r, FOLLOWER, PC, "ABA", "MMH");
    misses(&r, STATIC_LEADER, 1);
    /* numbers 0 2 become 1 3; B is evicted, C is inserted as by BRRIP */
    rig_loads(&r, FOLLOWER, PC, "C", "M");
    rig_expect(&r, FOLLOWER, "A1 C3");
    rig_free(&r);
}

/* 8. A reset clears PSEL; dueling needs 8 sets. */
static void reset_clears_psel_and_dueling_needs_eight_sets(void **state)
{
    struct rig r = rig_new(&byw_repl_drrip, 2);
    struct byw_config c;
    struct byw_diag diag = {""};

    (void)state;
    misses(&r, STATIC_LEADER, 9);
    byw_repl_reset(&r.side);
    r.side.random = 1;
    assert_int_equal(placed_with(&r, FOLLOWER), 2);
    rig_free(&r);
    byw_config_defaults(&c);
    c.l1d_repl = BYW_REPL_DRRIP;
    c.l1d_sets = 8;
    assert_int_equal(byw_config_check(&c, &diag), BYW_OK);
    c.l1d_sets = 4;
    assert_int_equal(byw_config_check(&c, &diag), BYW_EINVAL);
    assert_non_null(strstr(diag.text, "l1d.sets of 8 or more"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(followers_start_with_srrip),
        cmocka_unit_test(followers_use_the_policy_with_fewer_leader_misses),
        cmocka_unit_test(leaders_keep_their_policy),
        cmocka_unit_test(only_misses_of_leaders_vote),
        cmocka_unit_test(psel_saturates),
        cmocka_unit_test(a_brrip_set_inserts_one_line_in_32_as_srrip),
        cmocka_unit_test(a_set_keeps_its_predictions_when_it_switches),
        cmocka_unit_test(reset_clears_psel_and_dueling_needs_eight_sets),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
