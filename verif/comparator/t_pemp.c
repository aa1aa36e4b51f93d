/* SPDX-License-Identifier: Apache-2.0
 *
 * PEMP-like as its rule is written (mechanisms/comparators.md 4.2), worked out by hand: one set of
 * two lines, periods of 1000 cycles, of which the first 100 are observed.
 */
#include "comparator/mech_rig.h"

static void pass(struct rig *r, uint64_t cycles, uint64_t refused)
{
    r->ops->busy(r->self, refused, true);
    r->ops->tick(r->self, cycles);
}

static void open(struct rig *r, const char *more)
{
    char settings[128];

    snprintf(settings, sizeof(settings), "pemp_like.period=1000 %s", more);
    rig_open(r, "pemp_like", 1, 2, settings);
}

/* 1. During observation nothing bypasses. */
static void nothing_bypasses_in_the_first_tenth(void **state)
{
    struct rig r;

    (void)state;
    open(&r, "");
    rig_loads(&r, "ABCDEF", "MMMMMM");
    pass(&r, 99, 99);
    rig_loads(&r, "ABCDEF", "MMMMMM");
    rig_close(&r);
}

/* 2. The central rule: five of six loads miss (83 %), so the rest of the period is filtered: a load
 *   whose tag is in the tag copy goes to the cache, any other bypasses. The first load after the
 *   100 cycles is still unfiltered. */
static void loads_that_miss_in_the_copy_bypass(void **state)
{
    struct rig r;

    (void)state;
    open(&r, "");
    rig_loads(&r, "ABCDE", "MMMMM");
    pass(&r, 100, 0);
    rig_loads(&r, "E", "H"); /* the sixth; the copy has D and E */
    rig_loads(&r, "DEAFEDB", "HHBBHHB");
    assert_int_equal(rig_count(&r, 0), 3);
    assert_int_equal(rig_count(&r, 2), 1);
    rig_close(&r);
}

/* 3. Refusals: 11 of 100 cycles, with few misses. */
static void refused_cycles_start_the_filter(void **state)
{
    struct rig r;

    (void)state;
    open(&r, "");
    rig_loads(&r, "ABABABABAB", "MMHHHHHHHH");
    pass(&r, 100, 11);
    rig_loads(&r, "A CD AB", "H BB HH");
    rig_close(&r);
}

/* 4. Neither count exceeds its limit (10 % of the cycles, 80 % of the loads): nothing bypasses. */
static void limits_are_exclusive(void **state)
{
    struct rig r;

    (void)state;
    open(&r, "");
    rig_loads(&r, "ABCD", "MMMM");
    pass(&r, 100, 10);
    rig_loads(&r, "D E F", "H M M"); /* 4 of 5 miss */
    assert_int_equal(rig_count(&r, 1), 1);
    assert_int_equal(rig_count(&r, 2), 0);
    rig_close(&r);
}

/* 5. After 1000 cycles a new period observes again, from zero. */
static void a_new_period_watches_from_zero(void **state)
{
    struct rig r;

    (void)state;
    open(&r, "");
    rig_loads(&r, "AB", "MM");
    pass(&r, 100, 50);
    rig_loads(&r, "A C", "H B");
    pass(&r, 900, 0);
    rig_loads(&r, "A C D", "H M M"); /* the first one ends the period */
    pass(&r, 100, 0);
    rig_loads(&r, "DDDD E", "HHHH M"); /* C, D and D: two of three miss, which is not above 80 % */
    assert_int_equal(rig_count(&r, 1), 2);
    rig_close(&r);
}

/* 6. The tag copy follows the cache: evicted lines are dropped from it, and so are all at a kernel
 *   start. */
static void the_copy_follows_the_cache(void **state)
{
    struct rig r;

    (void)state;
    open(&r, "");
    rig_loads(&r, "AB", "MM");
    pass(&r, 100, 50);
    rig_loads(&r, "A", "H");
    rig_drop(&r, rig_line(&r, 'B'));
    rig_loads(&r, "B A", "B H");
    rig_kernel(&r, 0);
    rig_loads(&r, "A", "B");
    rig_close(&r);
}

/* 7. The tag copy holds partial tags. With one bit, line C (2) matches A (0): it is sent to the
 *   cache and misses. B (1) bypasses as soon as no line with its bit is left. */
static void partial_tags_may_match_another_line(void **state)
{
    struct rig r;

    (void)state;
    open(&r, "pemp_like.tag_bits=1");
    rig_loads(&r, "A", "M");
    pass(&r, 100, 50);
    rig_loads(&r, "A B C A", "H B M H");
    rig_close(&r);
}

/* 8. Phases change when a request is accepted, so the outcome for a waiting request does not
 *   change. */
static void a_waiting_load_keeps_its_answer(void **state)
{
    struct rig r;
    struct byw_mech_access load;

    (void)state;
    open(&r, "");
    rig_loads(&r, "A", "M");
    load = rig_access(&r, 9, BYW_OP_LOAD);
    pass(&r, 500, 500);
    assert_int_equal(r.ops->ask(r.self, &load), BYW_OPINION_NONE);
    rig_loads(&r, "A", "H");
    assert_int_equal(r.ops->ask(r.self, &load), BYW_OPINION_BYPASS);
    pass(&r, 5000, 0);
    assert_int_equal(r.ops->ask(r.self, &load), BYW_OPINION_BYPASS);
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_bypasses_in_the_first_tenth),
        cmocka_unit_test(loads_that_miss_in_the_copy_bypass),
        cmocka_unit_test(refused_cycles_start_the_filter),
        cmocka_unit_test(limits_are_exclusive),
        cmocka_unit_test(a_new_period_watches_from_zero),
        cmocka_unit_test(the_copy_follows_the_cache),
        cmocka_unit_test(partial_tags_may_match_another_line),
        cmocka_unit_test(a_waiting_load_keeps_its_answer),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
