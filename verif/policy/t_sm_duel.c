/* SPDX-License-Identifier: Apache-2.0
 *
 * SM dueling: orientation, margin, minimum of accesses, hysteresis, windows, what counts
 * (mechanisms/sm_duel.md 1.5).
 */
#include "common/test.h"
#include "l1d/byw_l1d.h"
#include "policy/byw_sm_duel.h"

#define EV(e) (UINT32_C(1) << (e))

static struct byw_sm_duel make(struct byw_config *c)
{
    struct byw_sm_duel duel;

    byw_sm_duel_init(&duel, c);
    return duel;
}

static struct byw_config config(void)
{
    struct byw_config c;

    byw_config_defaults(&c);
    c.duel_interval = 500;
    c.duel_hold = 0;
    c.duel_follow = 0;
    c.duel_margin = 10;
    c.duel_min = 32;
    c.duel_hyst = 1;
    return c;
}

static void loads(struct byw_sm_duel *duel, uint32_t leader, uint32_t accesses, uint32_t misses)
{
    uint32_t i;

    for (i = 0; i < accesses; i++)
        byw_sm_duel_count(duel, leader,
                          EV(BYW_EV_LOAD) | EV(i < misses ? BYW_EV_MISS : BYW_EV_HIT));
}

/* Passes the four cycles after a sample; its vote takes effect at the last one's clock edge. */
static void late(struct byw_sm_duel *duel)
{
    bool before = duel->on;
    uint32_t votes = duel->votes, i;

    for (i = 0; i < 4; i++) {
        assert_int_equal(duel->on, before);
        assert_int_equal(duel->votes, votes);
        assert_int_equal(byw_sm_duel_tick(duel, 1), 1);
    }
}

/* One window with these loads; returns the decision that follows. */
static bool window(struct byw_sm_duel *duel, uint32_t a0, uint32_t m0, uint32_t a1, uint32_t m1)
{
    uint32_t left = duel->interval - duel->cycle;

    loads(duel, 0, a0, m0);
    loads(duel, 1, a1, m1);
    assert_int_equal(byw_sm_duel_tick(duel, duel->interval), left);
    late(duel);
    return duel->on;
}

static void the_filter_stays_on_up_to_the_margin(void **state)
{
    struct byw_config c = config();
    struct byw_sm_duel duel = make(&c);

    (void)state;
    assert_false(duel.on); /* followers start like SM 1 */
    assert_true(window(&duel, 100, 50, 100, 90)); /* the filter misses less */
    assert_true(window(&duel, 100, 99, 100, 99)); /* no difference, as for NW and HS: on */
    assert_true(window(&duel, 100, 60, 100, 50)); /* exactly the margin: on */
    assert_false(window(&duel, 100, 61, 100, 50)); /* above it: off */
    assert_true(window(&duel, 1000, 600, 200, 100)); /* rates, not counts */
    assert_false(window(&duel, 200, 121, 1000, 500));
    assert_false(window(&duel, 1000, 1000, 1000, 899));
}

static void too_few_accesses_cast_no_vote(void **state)
{
    struct byw_config c = config();
    struct byw_sm_duel duel = make(&c);

    (void)state;
    assert_false(window(&duel, 31, 0, 100, 100));
    assert_false(window(&duel, 100, 0, 31, 31));
    assert_true(window(&duel, 32, 0, 32, 32));
    assert_true(window(&duel, 31, 31, 500, 0)); /* keeps the last decision */
    c.duel_min = 0;
    c.duel_init = 1;
    duel = make(&c);
    assert_true(window(&duel, 0, 0, 10, 0)); /* no rate, therefore no vote */
    assert_true(window(&duel, 10, 10, 0, 0));
    assert_false(window(&duel, 1, 1, 1, 0));
}

static void each_sample_counts_from_zero(void **state)
{
    struct byw_config c = config();
    struct byw_sm_duel duel = make(&c);

    (void)state;
    loads(&duel, 0, 20, 0);
    loads(&duel, 1, 20, 20);
    assert_int_equal(byw_sm_duel_tick(&duel, 499), 499);
    assert_int_equal(byw_sm_duel_tick(&duel, 1), 1); /* 20 + 20: too few */
    assert_false(window(&duel, 20, 0, 20, 20)); /* the first 20 are forgotten */
    assert_true(window(&duel, 40, 0, 40, 40));
}

static void the_decision_changes_after_consecutive_votes(void **state)
{
    struct byw_config c = config();
    struct byw_sm_duel duel;

    (void)state;
    c.duel_hyst = 3;
    duel = make(&c);
    assert_false(window(&duel, 100, 10, 100, 90));
    assert_false(window(&duel, 100, 10, 100, 90));
    assert_false(
        window(&duel, 100, 90, 100, 10)); /* one vote for the current decision restarts the count */
    assert_false(window(&duel, 100, 10, 100, 90));
    assert_false(window(&duel, 100, 10, 100, 90));
    assert_false(window(&duel, 5, 5, 5, 0)); /* no vote in either direction */
    assert_true(window(&duel, 100, 10, 100, 90));
    assert_true(window(&duel, 100, 90, 100, 10));
}

static void bypasses_count_as_misses_and_stores_not_at_all(void **state)
{
    struct byw_config c = config();
    struct byw_sm_duel duel = make(&c);

    (void)state;
    byw_sm_duel_count(&duel, 0, EV(BYW_EV_LOAD) | EV(BYW_EV_BYPASS) | EV(BYW_EV_NEW_TAG));
    byw_sm_duel_count(&duel, 0, EV(BYW_EV_LOAD) | EV(BYW_EV_HIT_PENDING));
    byw_sm_duel_count(&duel, 0, EV(BYW_EV_LOAD) | EV(BYW_EV_MISS));
    byw_sm_duel_count(&duel, 0, EV(BYW_EV_STORE) | EV(BYW_EV_MISS));
    byw_sm_duel_count(&duel, 0, EV(BYW_EV_ATOMIC));
    byw_sm_duel_count(&duel, 0, EV(BYW_EV_FAIL_LINE));
    assert_int_equal(duel.accesses[0], 3);
    assert_int_equal(duel.misses[0], 2);
    assert_int_equal(duel.accesses[1], 0);
    c.duel_byp_miss = 0;
    duel = make(&c);
    byw_sm_duel_count(&duel, 0, EV(BYW_EV_LOAD) | EV(BYW_EV_BYPASS));
    byw_sm_duel_count(&duel, 0, EV(BYW_EV_LOAD) | EV(BYW_EV_HIT));
    assert_int_equal(duel.accesses[0], 1);
    assert_int_equal(duel.misses[0], 0);
}

/* 500 cycles of sample, 1500 of hold: nothing counts in a hold, and the leaders follow the decision
 * if configured to. */
static void nothing_counts_during_a_hold(void **state)
{
    struct byw_config c = config();
    struct byw_sm_duel duel;
    uint32_t follow;

    (void)state;
    c.duel_hold = 1500;
    for (follow = 0; follow < 2; follow++) {
        c.duel_follow = follow;
        duel = make(&c);
        assert_true(byw_sm_duel_filter(&duel, 0));
        assert_false(byw_sm_duel_filter(&duel, 1));
        assert_false(byw_sm_duel_filter(&duel, 2));
        loads(&duel, 0, 100, 10);
        loads(&duel, 1, 100, 90);
        assert_int_equal(byw_sm_duel_tick(&duel, 5000), 500);
        assert_int_equal(byw_sm_duel_filter(&duel, 0), !follow); /* the old decision */
        assert_false(byw_sm_duel_filter(&duel, 2));
        late(&duel);
        assert_true(byw_sm_duel_filter(&duel, 0) && byw_sm_duel_filter(&duel, 2));
        assert_int_equal(byw_sm_duel_filter(&duel, 1), follow);
        loads(&duel, 0, 100, 100); /* would say the opposite, but does not count */
        loads(&duel, 1, 100, 0);
        assert_int_equal(duel.accesses[0], 0);
        assert_int_equal(byw_sm_duel_tick(&duel, 5000), 1500 - 4);
        assert_true(duel.on && !byw_sm_duel_filter(&duel, 1));
        loads(&duel, 0, 100, 100);
        loads(&duel, 1, 100, 0);
        assert_int_equal(byw_sm_duel_tick(&duel, 5000), 500);
        late(&duel);
        assert_false(duel.on);
        assert_int_equal(byw_sm_duel_filter(&duel, 0), !follow);
        assert_false(byw_sm_duel_filter(&duel, 1));
    }
    assert_int_equal(byw_sm_duel_role(0), 0);
    assert_int_equal(byw_sm_duel_role(1), 1);
    assert_int_equal(byw_sm_duel_role(2), 2);
    assert_int_equal(byw_sm_duel_role(254), 2);
}

/* Without a hold there is no time to follow: the leaders keep their roles. */
static void without_a_hold_the_leaders_keep_their_roles(void **state)
{
    struct byw_config c = config();
    struct byw_sm_duel duel;

    (void)state;
    c.duel_follow = 1;
    duel = make(&c);
    assert_true(window(&duel, 100, 10, 100, 90));
    assert_true(byw_sm_duel_filter(&duel, 0) && !byw_sm_duel_filter(&duel, 1));
    assert_false(window(&duel, 100, 90, 100, 10)); /* the next cycle already belongs to a sample */
}

/* Off when SM 0 completes fewer loads than SM 1 by more than 10 percent of SM 1's; misses and
 * bypass_is_miss are ignored. */
static void the_filter_goes_off_if_sm_0_completes_fewer_loads(void **state)
{
    struct byw_config c = config();
    struct byw_sm_duel duel;

    (void)state;
    c.duel_compare = 1;
    c.duel_byp_miss = 0;
    duel = make(&c);
    assert_true(window(&duel, 90, 90, 100, 0)); /* exactly the margin: on */
    assert_false(window(&duel, 89, 0, 100, 100));
    assert_true(window(&duel, 500, 500, 100, 0)); /* more loads never count against the filter */
    assert_true(window(&duel, 31, 0, 1000, 0)); /* no vote: too few for a comparison */
    byw_sm_duel_count(&duel, 0, EV(BYW_EV_LOAD) | EV(BYW_EV_BYPASS));
    assert_int_equal(duel.accesses[0], 1);
}

static void skipping_stops_at_every_change(void **state)
{
    struct byw_config c = config();
    struct byw_sm_duel duel = make(&c);

    (void)state;
    assert_int_equal(byw_sm_duel_tick(&duel, 100), 100);
    loads(&duel, 0, 50, 0);
    loads(&duel, 1, 50, 50);
    assert_int_equal(byw_sm_duel_tick(&duel, 100000), 400); /* stops at the end of the sample */
    assert_int_equal(byw_sm_duel_tick(&duel, 99600),
                     1); /* it also stops while a decision has not taken effect yet */
    assert_int_equal(byw_sm_duel_tick(&duel, 99599), 1);
    assert_int_equal(byw_sm_duel_tick(&duel, 99598), 1);
    assert_false(duel.on);
    assert_int_equal(byw_sm_duel_tick(&duel, 99597), 1);
    assert_true(duel.on);
    assert_int_equal(byw_sm_duel_tick(&duel, 99596), 496);
    assert_true(duel.on);
}

/* The product form is exact where a division would round: full-size windows. */
static void rates_are_exact_in_full_size_windows(void **state)
{
    struct byw_config c = config();
    struct byw_sm_duel duel;

    (void)state;
    c.duel_interval = 1000000;
    duel = make(&c);
    assert_true(window(&duel, 1000000, 600000, 1000000, 500000));
    assert_false(window(&duel, 1000000, 600001, 1000000, 500000));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_filter_stays_on_up_to_the_margin),
        cmocka_unit_test(too_few_accesses_cast_no_vote),
        cmocka_unit_test(each_sample_counts_from_zero),
        cmocka_unit_test(the_decision_changes_after_consecutive_votes),
        cmocka_unit_test(bypasses_count_as_misses_and_stores_not_at_all),
        cmocka_unit_test(nothing_counts_during_a_hold),
        cmocka_unit_test(without_a_hold_the_leaders_keep_their_roles),
        cmocka_unit_test(the_filter_goes_off_if_sm_0_completes_fewer_loads),
        cmocka_unit_test(skipping_stops_at_every_change),
        cmocka_unit_test(rates_are_exact_in_full_size_windows),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
