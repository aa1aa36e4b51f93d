/* SPDX-License-Identifier: Apache-2.0
 *
 * CARB-like as its rule is written (mechanisms/comparators.md 4.3), worked out by hand: 48 warps,
 * windows of 256 cycles, limit 25 %, margin 10.
 */
#include "comparator/mech_rig.h"

/* A window: `busy` of its cycles have a request, of which `refused` are refused; a load of warp 0
 * ends it. */
static void window(struct rig *r, uint64_t cycles, uint64_t busy, uint64_t refused)
{
    r->ops->busy(r->self, refused, true);
    r->ops->busy(r->self, busy - refused, false);
    r->ops->tick(r->self, cycles);
    r->warp = 0;
    rig_load(r, 0);
}

/* The outcome of a load of this warp, which misses. */
static char load_of(struct rig *r, uint32_t warp)
{
    char outcome;

    r->warp = warp;
    outcome = rig_load(r, 1000 + r->now * 2);
    r->warp = 0;
    return outcome;
}

static void open(struct rig *r)
{
    rig_open(r, "carb_like", 1, 4, "sm.warps=48");
    rig_load(r, 0);
}

/* 1. At first no warp bypasses. */
static void no_load_bypasses_before_the_first_window(void **state)
{
    struct rig r;

    (void)state;
    open(&r);
    assert_int_equal(load_of(&r, 0), 'M');
    assert_int_equal(load_of(&r, 47), 'M');
    rig_close(&r);
}

/* 2. The central rule: 26 of 100 busy cycles refused, and warps 24 to 47 bypass. */
static void the_upper_half_of_the_warps_bypasses_above_the_limit(void **state)
{
    struct rig r;

    (void)state;
    open(&r);
    window(&r, 256, 100, 26);
    assert_int_equal(load_of(&r, 23), 'M');
    assert_int_equal(load_of(&r, 24), 'B');
    assert_int_equal(load_of(&r, 47), 'B');
    assert_int_equal(rig_count(&r, 0), 2);
    rig_close(&r);
}

/* 3. The limit itself is not exceeded; idle cycles do not count. */
static void the_limit_is_exclusive_and_idle_cycles_do_not_count(void **state)
{
    struct rig r;

    (void)state;
    open(&r);
    window(&r, 256, 100, 25);
    assert_int_equal(load_of(&r, 47), 'M');
    window(&r, 256, 4, 2);
    assert_int_equal(load_of(&r, 47), 'B');
    window(&r, 256, 0, 0);
    assert_int_equal(load_of(&r, 47), 'M');
    rig_close(&r);
}

/* 4. Once on, bypassing ends at 15 %, not at 16. */
static void bypassing_ends_a_margin_below_the_limit(void **state)
{
    struct rig r;

    (void)state;
    open(&r);
    window(&r, 256, 100, 26);
    window(&r, 256, 100, 16);
    assert_int_equal(load_of(&r, 47), 'B');
    window(&r, 256, 100, 15);
    assert_int_equal(load_of(&r, 47), 'M');
    window(&r, 256, 100, 16);
    assert_int_equal(load_of(&r, 47), 'M');
    rig_close(&r);
}

/* 5. A window has 256 cycles; its counts do not carry over to the next. */
static void each_window_counts_from_zero(void **state)
{
    struct rig r;

    (void)state;
    open(&r);
    window(&r, 255, 100, 100);
    assert_int_equal(rig_count(&r, 1), 0);
    window(&r, 1, 0, 0);
    assert_int_equal(rig_count(&r, 1), 1);
    assert_int_equal(load_of(&r, 47), 'B');
    window(&r, 256, 100, 0);
    assert_int_equal(load_of(&r, 47), 'M');
    assert_int_equal(rig_count(&r, 1), 2);
    assert_int_equal(rig_count(&r, 2), 1);
    rig_close(&r);
}

/* 6. A window is judged when a request is accepted, so the outcome for a waiting request does not
 *   change. */
static void a_waiting_load_keeps_its_answer(void **state)
{
    struct rig r;
    struct byw_mech_access load;

    (void)state;
    open(&r);
    r.warp = 40;
    load = rig_access(&r, 7, BYW_OP_LOAD);
    r.ops->busy(r.self, 5000, true);
    r.ops->tick(r.self, 5000);
    assert_int_equal(r.ops->ask(r.self, &load), BYW_OPINION_NONE);
    r.warp = 0;
    rig_load(&r, 0);
    assert_int_equal(r.ops->ask(r.self, &load), BYW_OPINION_BYPASS);
    rig_close(&r);
}

/* 7. A present line is served; a reset clears the state. */
static void present_lines_are_served_and_reset_clears(void **state)
{
    struct rig r;

    (void)state;
    open(&r);
    window(&r, 256, 100, 100);
    r.warp = 47;
    assert_int_equal(rig_load(&r, 0), 'H');
    r.ops->reset(r.self);
    assert_int_equal(load_of(&r, 47), 'M');
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_load_bypasses_before_the_first_window),
        cmocka_unit_test(the_upper_half_of_the_warps_bypasses_above_the_limit),
        cmocka_unit_test(the_limit_is_exclusive_and_idle_cycles_do_not_count),
        cmocka_unit_test(bypassing_ends_a_margin_below_the_limit),
        cmocka_unit_test(each_window_counts_from_zero),
        cmocka_unit_test(a_waiting_load_keeps_its_answer),
        cmocka_unit_test(present_lines_are_served_and_reset_clears),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
