/* SPDX-License-Identifier: Apache-2.0
 *
 * Crossover dueling: which SMs lead, when roles swap, what a sample votes, and how many votes
 * reverse the decision (mechanisms/sm_duel.md 1.5.1).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "policy/byw_cross_duel.h"
#include "record/byw_events.h"

#define EV(e) (UINT32_C(1) << (e))

enum { HALF = 1000, SETTLE = 500, HOLD = 10000 };

/* Margin 10 %, speedup 50 %, noise 4 hits or 8 loads, 64 loads, hysteresis 1. */
static struct byw_config config(void)
{
    struct byw_config c;

    byw_config_defaults(&c);
    c.duel_interval = HALF - SETTLE;
    c.duel_settle = SETTLE;
    c.duel_hold = HOLD;
    c.duel_margin = 10;
    c.duel_speedup = 50;
    c.duel_noise = 4;
    c.duel_min = 64;
    c.duel_hyst = 1;
    return c;
}

static struct byw_cross_duel make(void)
{
    struct byw_config c = config();
    struct byw_cross_duel duel;

    byw_cross_duel_init(&duel, &c);
    return duel;
}

static void pass(struct byw_cross_duel *duel, uint32_t cycles)
{
    while (cycles != 0) {
        uint32_t left = byw_cross_duel_left(duel), taken = cycles < left ? cycles : left;

        byw_cross_duel_tick(duel, taken);
        cycles -= taken;
    }
}

static void loads(struct byw_cross_duel *duel, uint32_t sm, uint32_t count, uint32_t hits)
{
    for (uint32_t i = 0; i < count; i++)
        byw_cross_duel_count(duel, sm, EV(BYW_EV_LOAD) | EV(i < hits ? BYW_EV_HIT : BYW_EV_BYPASS));
}

/* A sample in which the filter side completes `filter` loads and the cache side `cache`, split
 * evenly between its halves, and the cycles until its vote takes effect. */
static void sample(struct byw_cross_duel *duel, uint32_t filter, uint32_t filter_hits,
                   uint32_t cache, uint32_t cache_hits)
{
    assert_false(duel->holding);
    assert_int_equal(duel->cycle, 0);
    pass(duel, SETTLE);
    loads(duel, duel->leader[0], filter / 2, filter_hits / 2);
    loads(duel, duel->leader[1], cache / 2, cache_hits / 2);
    pass(duel, HALF);
    loads(duel, duel->leader[1], filter - filter / 2, filter_hits - filter_hits / 2);
    loads(duel, duel->leader[0], cache - cache / 2, cache_hits - cache_hits / 2);
    pass(duel, HALF - SETTLE + BYW_CROSS_LATE);
}

static void to_next_sample(struct byw_cross_duel *duel)
{
    pass(duel, HOLD - BYW_CROSS_LATE);
    assert_false(duel->holding);
}

static bool on_after(uint32_t filter, uint32_t filter_hits, uint32_t cache, uint32_t cache_hits)
{
    struct byw_cross_duel duel = make();

    sample(&duel, filter, filter_hits, cache, cache_hits);
    return duel.on;
}

static void a_tie_keeps_the_cache(void **state)
{
    (void)state;
    assert_false(on_after(100, 0, 100, 0)); /* a stream without reuse */
    assert_false(on_after(100, 50, 100, 50));
}

static void a_tie_restores_the_cache(void **state)
{
    struct byw_cross_duel duel = make();

    (void)state;
    sample(&duel, 400, 0, 100, 0);
    assert_true(duel.on);
    to_next_sample(&duel);
    sample(&duel, 100, 0, 100, 0);
    assert_true(duel.on); /* one vote of two */
    to_next_sample(&duel);
    sample(&duel, 100, 0, 100, 0);
    assert_false(duel.on);
}

/* The limit is 50 % above 100 loads, plus 8 loads of noise: 158 is a tie, 159 is not. */
static void the_filter_must_complete_half_as_many_loads_again(void **state)
{
    (void)state;
    assert_false(on_after(158, 0, 100, 0));
    assert_true(on_after(159, 0, 100, 0));
    assert_true(on_after(72, 0, 0, 0)); /* the cache is blocked by its refusals */
}

/* The margin is 10 % of 100 loads, plus 4 hits of noise: 14 lost hits are allowed, 15 are not. */
static void lost_hits_outweigh_more_loads(void **state)
{
    (void)state;
    assert_true(on_after(300, 36, 100, 50));
    assert_false(on_after(300, 35, 100, 50));
    assert_true(on_after(300, 50, 100, 50)); /* a lower hit rate, but no hit is lost */
}

static void merged_loads_are_hits_and_bypassed_ones_are_not(void **state)
{
    struct byw_cross_duel duel = make();

    (void)state;
    pass(&duel, SETTLE);
    byw_cross_duel_count(&duel, 0, EV(BYW_EV_LOAD) | EV(BYW_EV_HIT_PENDING));
    byw_cross_duel_count(&duel, 0, EV(BYW_EV_LOAD) | EV(BYW_EV_BYPASS));
    byw_cross_duel_count(&duel, 0, EV(BYW_EV_LOAD) | EV(BYW_EV_MISS));
    byw_cross_duel_count(&duel, 0, EV(BYW_EV_STORE) | EV(BYW_EV_HIT));
    byw_cross_duel_count(&duel, 0, EV(BYW_EV_FAIL_LINE));
    assert_int_equal(duel.loads[BYW_CROSS_FILTER], 3);
    assert_int_equal(duel.hits[BYW_CROSS_FILTER], 1);
    assert_int_equal(duel.loads[BYW_CROSS_CACHE], 0);
}

/* 63 loads on both sides cast no vote: the next sample begins at once instead of 10,000 cycles
 * later. */
static void too_few_loads_are_no_vote_and_cost_no_hold(void **state)
{
    struct byw_cross_duel duel = make();

    (void)state;
    sample(&duel, 60, 0, 3, 0);
    assert_false(duel.on);
    assert_false(duel.holding);
    assert_int_equal(duel.votes, 1);
    sample(&duel, 61, 0, 3, 0);
    assert_true(duel.on);
    assert_true(duel.holding);
}

static void the_leaders_swap_roles_halfway(void **state)
{
    struct byw_cross_duel duel = make();

    (void)state;
    assert_true(byw_cross_duel_filter(&duel, 0));
    assert_false(byw_cross_duel_filter(&duel, 1) || byw_cross_duel_filter(&duel, 2));
    pass(&duel, HALF - 1);
    assert_true(byw_cross_duel_filter(&duel, 0));
    pass(&duel, 1);
    assert_true(byw_cross_duel_filter(&duel, 1));
    assert_false(byw_cross_duel_filter(&duel, 0) || byw_cross_duel_filter(&duel, 2));
    pass(&duel, HALF);
    assert_false(byw_cross_duel_filter(&duel, 1)); /* in a hold all SMs follow the decision */
}

static void loads_soon_after_a_change_of_roles_do_not_count(void **state)
{
    struct byw_cross_duel duel = make();

    (void)state;
    pass(&duel, SETTLE - 1);
    loads(&duel, 0, 10, 0);
    assert_int_equal(duel.loads[BYW_CROSS_FILTER], 0);
    pass(&duel, 1);
    loads(&duel, 0, 10, 0);
    assert_int_equal(duel.loads[BYW_CROSS_FILTER], 10);
    pass(&duel, HALF);
    loads(&duel, 0, 10, 0); /* the same SM, now without the filter */
    assert_int_equal(duel.loads[BYW_CROSS_FILTER], 10);
    assert_int_equal(duel.loads[BYW_CROSS_CACHE], 10);
}

/* SMs 3, 5 and 9 have work, 0 and 1 do not. */
static void the_lowest_busy_sms_lead_the_next_sample(void **state)
{
    struct byw_cross_duel duel = make();

    (void)state;
    loads(&duel, 9, 1, 0);
    loads(&duel, 5, 1, 0);
    loads(&duel, 3, 1, 0);
    pass(&duel, 2 * HALF + BYW_CROSS_LATE);
    assert_true(byw_cross_duel_filter(&duel, 3));
    assert_false(byw_cross_duel_filter(&duel, 5) || byw_cross_duel_filter(&duel, 0));
    pass(&duel, HALF);
    assert_true(byw_cross_duel_filter(&duel, 5));
    assert_false(byw_cross_duel_filter(&duel, 3) || byw_cross_duel_filter(&duel, 9));
    pass(&duel, HALF + BYW_CROSS_LATE);
    assert_int_equal(duel.leader[0], 3); /* if no SM has work, the leaders stay */
}

static void a_single_busy_sm_is_compared_with_itself(void **state)
{
    struct byw_cross_duel duel = make();

    (void)state;
    loads(&duel, 7, 1, 0);
    pass(&duel, 2 * HALF + BYW_CROSS_LATE);
    assert_int_equal(duel.leader[0], 7);
    assert_int_equal(duel.leader[1], BYW_CROSS_NOBODY);
    pass(&duel, SETTLE);
    loads(&duel, 7, 200, 0);
    pass(&duel, HALF);
    loads(&duel, 7, 50, 0);
    pass(&duel, HALF - SETTLE + BYW_CROSS_LATE);
    assert_true(duel.on);
}

/* Hysteresis 2: two votes for the first decision, four against it afterwards; a vote that confirms
 * it takes one away. */
static void a_decision_turns_after_twice_the_hysteresis(void **state)
{
    static const struct {
        uint32_t filter;
        bool on;
    } samples[] = {{400, false}, {400, true}, {100, true},  {100, true}, {400, true},
                   {100, true},  {100, true}, {100, false}, {400, false}};
    struct byw_config c = config();
    struct byw_cross_duel duel;

    (void)state;
    c.duel_hyst = 2;
    byw_cross_duel_init(&duel, &c);
    for (size_t i = 0; i < sizeof(samples) / sizeof(samples[0]); i++) {
        sample(&duel, samples[i].filter, 0, 100, 0);
        assert_int_equal(duel.on, samples[i].on);
        to_next_sample(&duel);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tie_keeps_the_cache),
        cmocka_unit_test(a_tie_restores_the_cache),
        cmocka_unit_test(the_filter_must_complete_half_as_many_loads_again),
        cmocka_unit_test(lost_hits_outweigh_more_loads),
        cmocka_unit_test(merged_loads_are_hits_and_bypassed_ones_are_not),
        cmocka_unit_test(too_few_loads_are_no_vote_and_cost_no_hold),
        cmocka_unit_test(the_leaders_swap_roles_halfway),
        cmocka_unit_test(loads_soon_after_a_change_of_roles_do_not_count),
        cmocka_unit_test(the_lowest_busy_sms_lead_the_next_sample),
        cmocka_unit_test(a_single_busy_sm_is_compared_with_itself),
        cmocka_unit_test(a_decision_turns_after_twice_the_hysteresis),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
