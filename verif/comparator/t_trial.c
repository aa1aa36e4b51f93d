/* SPDX-License-Identifier: Apache-2.0
 *
 * Trials as their rules are written (mechanisms/across.md 13.1), worked out by hand. Windows of 8
 * loads; each trial mode (protecting, relieving) has 2 windows, of which the second is measured.
 */
#include "comparator/mech_rig.h"
#include "l1d/byw_req_queue.h"

enum { TRIALS, PROTECT, RELIEVE, WAITED, BYPASSES }; /* counters */

#define SETTINGS "trial.window=8 trial.confirm=1 trial.windows=2 trial.distance=4 trial.step=1"

static uint64_t fresh; /* the next line that has not been loaded yet */

static void open_rig(struct rig *r, const char *settings)
{
    fresh = 100;
    rig_open(r, "trial", 1, 2, settings);
}

/* Waits `cycles` cycles, then loads. */
static char timed(struct rig *r, uint64_t line, uint64_t cycles)
{
    r->ops->tick(r->self, cycles);
    return rig_load(r, line);
}

/* A window of `cycles` cycles in which the first `hits` + 1 loads are of one new line, and each
 * other load is of another new line. */
static void window(struct rig *r, uint32_t hits, uint64_t cycles)
{
    uint64_t line = fresh++;

    timed(r, line, cycles);
    for (uint32_t i = 1; i < 8; i++)
        timed(r, i <= hits ? line : fresh++, 0);
}

static void no_reuse(struct rig *r, uint32_t windows, uint64_t cycles)
{
    for (uint32_t i = 0; i < windows; i++)
        window(r, 0, cycles);
}

/* A caching window that requests a trial, then the windows of both trial modes. */
static void whole_trial(struct rig *r, uint64_t cached, uint64_t protecting, uint64_t relieving)
{
    window(r, 0, cached);
    no_reuse(r, 1, 1);
    no_reuse(r, 1, protecting);
    no_reuse(r, 1, 1);
    no_reuse(r, 1, relieving);
}

static bool saves(struct rig *r, enum byw_rsfail reason)
{
    const struct byw_mech_access load = rig_access(r, 0, BYW_OP_LOAD);

    return r->ops->rescues(r->self, &load, reason);
}

/* 1. The central rule: protecting takes 10 cycles, relieving 20 and caching 80, so protecting is
 *   kept. A then keeps its line for four loads of the set (B to E) and is evicted for F. */
static void the_faster_mode_stays(void **state)
{
    struct rig r;

    (void)state;
    open_rig(&r, SETTINGS);
    whole_trial(&r, 80, 10, 20);
    assert_int_equal(rig_count(&r, TRIALS), 1);
    assert_int_equal(rig_count(&r, PROTECT), 1);
    rig_kernel(&r, 0);
    rig_loads(&r, "AB CDE F B A", "MM BBB M H B");
    assert_false(saves(&r, BYW_RSFAIL_MSHR));
    rig_close(&r);

    open_rig(&r, SETTINGS); /* now relieving */
    whole_trial(&r, 80, 20, 10);
    assert_int_equal(rig_count(&r, RELIEVE), 1);
    rig_kernel(&r, 0);
    rig_loads(&r, "AB CDE F B A", "MM MMM M M M");
    assert_true(saves(&r, BYW_RSFAIL_MSHR));
    rig_close(&r);
}

/* 2. 4 of 8 loads hit: 50 %, no trial. 3 of 8, 38 %: a trial. */
static void windows_with_enough_reuse_start_no_trial(void **state)
{
    struct rig r;

    (void)state;
    open_rig(&r, SETTINGS);
    window(&r, 4, 80);
    assert_int_equal(rig_count(&r, TRIALS), 0);
    window(&r, 3, 80);
    assert_int_equal(rig_count(&r, TRIALS), 1);
    rig_close(&r);
}

/* 3. A trial mode need not be faster than caching: protecting takes 85 cycles, relieving 90 and
 *   caching 80, and protecting is kept. */
static void a_trial_mode_need_not_beat_caching(void **state)
{
    struct rig r;

    (void)state;
    open_rig(&r, SETTINGS);
    whole_trial(&r, 80, 85, 90);
    assert_int_equal(rig_count(&r, PROTECT), 1);
    rig_close(&r);
}

/* 4. Protecting wins with 21 cycles against 20, 5 % more, but not with 22. */
static void protecting_wins_within_the_margin(void **state)
{
    struct rig r;

    (void)state;
    open_rig(&r, SETTINGS);
    whole_trial(&r, 80, 21, 20);
    assert_int_equal(rig_count(&r, PROTECT), 1);
    rig_close(&r);
    open_rig(&r, SETTINGS);
    whole_trial(&r, 80, 22, 20);
    assert_int_equal(rig_count(&r, PROTECT), 0);
    assert_int_equal(rig_count(&r, RELIEVE), 1);
    rig_close(&r);
}

/* 5. A trial that ends by overtime leaves the L1 caching, and there is no trial for trial.rest
 *   windows. */
static void a_failed_trial_is_followed_by_a_rest(void **state)
{
    struct rig r;

    (void)state;
    open_rig(&r, SETTINGS " trial.rest=3");
    window(&r, 0, 80);
    window(&r, 0, 93); /* ends the trial, and is the first window of the rest */
    assert_false(saves(&r, BYW_RSFAIL_MSHR));
    no_reuse(&r, 2, 80);
    assert_int_equal(rig_count(&r, TRIALS), 1);
    no_reuse(&r, 1, 80);
    assert_int_equal(rig_count(&r, TRIALS), 2);
    assert_int_equal(rig_count(&r, PROTECT) + rig_count(&r, RELIEVE), 0);
    rig_close(&r);
}

/* 6. A trial window of 92 cycles, 15 % more than 80, continues; at 93 the next load ends the
 *   trial. */
static void a_window_beyond_the_overtime_ends_the_trial(void **state)
{
    for (uint64_t cycles = 92; cycles <= 93; cycles++) {
        struct rig r;

        open_rig(&r, SETTINGS);
        window(&r, 0, 80); /* now relieving is tried, after two windows */
        no_reuse(&r, 2, 1);
        timed(&r, fresh++, 1);
        assert_true(saves(&r, BYW_RSFAIL_MSHR));
        timed(&r, fresh++, cycles - 1);
        assert_int_equal(saves(&r, BYW_RSFAIL_MSHR), cycles == 92);
        rig_close(&r);
    }
    (void)state;
}

/* 7. A use renews the protection: B's line outlives A's. With steps of two loads, four loads are
 *   two steps, of which B's load ends the first. */
static void a_use_renews_the_protection(void **state)
{
    struct rig r;

    (void)state;
    open_rig(&r, SETTINGS);
    whole_trial(&r, 80, 10, 20);
    rig_kernel(&r, 0);
    rig_loads(&r, "AB C B D E F", "MM B H B M B");
    assert_true(rig_count(&r, BYPASSES) >= 3);
    assert_true(rig_has(&r, rig_line(&r, 'B')));
    assert_false(rig_has(&r, rig_line(&r, 'A')));
    rig_close(&r);
    open_rig(&r, SETTINGS " trial.step=2");
    whole_trial(&r, 80, 10, 20);
    rig_kernel(&r, 0);
    rig_loads(&r, "AB CD E F", "MM BB M B");
    rig_close(&r);
}

/* 8. Caching: a load whose set is all in flight bypasses if fewer than half of the last
 *   trial.line_window loads hit, but only once there were that many loads. */
static void pending_sets_bypass_while_hits_are_few(void **state)
{
    struct rig r;

    (void)state;
    open_rig(&r, "trial.line_window=3");
    r.late = true;
    rig_loads(&r, "AB C", "MM R");
    rig_loads(&r, "A", "P"); /* 1 of 3 */
    rig_loads(&r, "C AB", "B PP"); /* 2 of 3 */
    rig_loads(&r, "C", "R");
    rig_loads(&r, "AAB D", "PPP R");
    rig_close(&r);
}

/* 9. Events that a trial ignores: stores do not count; a kernel start keeps the mode, a reset does
 *   not. */
static void kernel_starts_keep_the_mode_and_reset_ends_it(void **state)
{
    struct rig r;

    (void)state;
    open_rig(&r, SETTINGS);
    window(&r, 0, 80);
    assert_int_equal(rig_count(&r, TRIALS), 1);
    for (int i = 0; i < 40; i++) {
        const struct byw_mech_access store = rig_access(&r, 7, BYW_OP_STORE);

        rig_accept(&r, &store, BYW_MISS, 0, 0);
    }
    no_reuse(&r, 2, 10);
    assert_true(saves(&r, BYW_RSFAIL_MSHR)); /* the second side begins with this window */
    rig_kernel(&r, 0);
    no_reuse(&r, 2, 20);
    assert_int_equal(rig_count(&r, PROTECT), 1);
    r.ops->reset(r.self);
    memset(r.block, 0, sizeof(r.block));
    assert_int_equal(rig_count(&r, TRIALS), 0);
    rig_loads(&r, "ABC", "MMM");
    rig_close(&r);
}

/* 10. Storage on machine A: 2 bits per line and 4 per set, three counters of a window's loads, two
 *   of another's, 24 bits for each number of cycles, FIFOs of 16 requests of 64 bits: under a fifth
 *   of what the Decoupled L1D adds. */
static void storage_on_machine_a_is_as_documented(void **state)
{
    struct byw_config config;
    const struct byw_mech *trial = byw_mech_named("trial");
    uint64_t bits;

    (void)state;
    byw_config_defaults(&config);
    bits = trial->storage_bits(&config, byw_mech_values(&config, trial));
    assert_int_equal(bits, 128 * 2 + 32 * 4 + 3 * 8 + 2 * 7 + 2 * 24 + 2 * (24 + 2) + 11 + 4 + 2 +
                               13 + 16 * 64);
    assert_true(bits * 5 < 8416);
}

/* 11. With trial.confirm 3, the third consecutive window that requests a trial starts one; a window
 * that requests none restarts the count. Trial windows are compared with the fastest of the three,
 * 80 cycles: 92 cycles continue the trial, 93 end it. */
static void three_requesting_windows_in_a_row_start_a_trial(void **state)
{
    for (uint64_t cycles = 92; cycles <= 93; cycles++) {
        struct rig r;

        open_rig(&r, SETTINGS " trial.confirm=3");
        window(&r, 0, 50);
        window(&r, 0, 50);
        window(&r, 4, 50);
        window(&r, 0, 90);
        window(&r, 0, 80);
        assert_int_equal(rig_count(&r, TRIALS), 0);
        window(&r, 0, 100);
        assert_int_equal(rig_count(&r, TRIALS), 1);
        no_reuse(&r, 2, 1);
        assert_true(saves(&r, BYW_RSFAIL_MSHR));
        timed(&r, fresh++, cycles);
        assert_int_equal(saves(&r, BYW_RSFAIL_MSHR), cycles == 92);
        rig_close(&r);
    }
    (void)state;
}

/* 12. Each failed trial doubles the rest, at most two times: 1, 2, 4, 4, 4 windows. */
static void each_failed_trial_doubles_the_rest(void **state)
{
    static const uint32_t rest[] = {1, 2, 4, 4, 4};
    struct rig r;

    (void)state;
    open_rig(&r, SETTINGS " trial.rest=1 trial.doublings=2");
    for (int i = 0; i < 5; i++) {
        window(&r, 0, 80);
        assert_int_equal(rig_count(&r, TRIALS), i + 1);
        window(&r, 0, 93); /* the first window of the rest */
        no_reuse(&r, rest[i] - 1, 80);
        assert_int_equal(rig_count(&r, TRIALS), i + 1);
    }
    rig_close(&r);
}

/* A caching window whose loads are of one warp except every `other`-th, then protecting. */
static void ask_with_runs(struct rig *r, uint32_t other)
{
    r->warp = 0;
    timed(r, fresh++, 80);
    for (uint32_t i = 1; i < 8; i++) {
        r->warp = i % other == 0 ? i : 0;
        timed(r, fresh++, 0);
    }
    r->warp = 0;
}

static struct byw_req req_of(uint8_t warp, uint64_t line)
{
    return (struct byw_req){.op = BYW_OP_LOAD, .warp = warp, .line = line};
}

/* 13. While protecting, requests wait by warp if, in the caching window, half of the loads followed
 *   a load of their own warp. With another warp in every third load, 5 of 8 do; in every second, 1
 *   of 8. Only loads wait. */
static void requests_wait_by_warp_only_if_loads_come_in_runs(void **state)
{
    const struct byw_req req = req_of(1, 7);
    struct byw_req store = req;

    (void)state;
    store.op = BYW_OP_STORE;
    for (uint32_t other = 2; other <= 3; other++) {
        struct rig r;

        open_rig(&r, SETTINGS);
        assert_false(r.mech->queue->room(r.self, &req)); /* caching */
        ask_with_runs(&r, other);
        assert_int_equal(rig_count(&r, TRIALS), 1);
        assert_int_equal(r.mech->queue->room(r.self, &req), other == 3);
        assert_false(r.mech->queue->room(r.self, &store));
        no_reuse(&r, 2, 1); /* now relieving */
        assert_false(r.mech->queue->room(r.self, &req));
        rig_close(&r);
    }
}

/* 14. Two FIFOs of two entries: the first FIFO is served first, regardless of arrival order; a
 * warp's requests keep their order, and a selected one keeps its turn. */
static void the_first_fifo_has_priority(void **state)
{
    static const struct {
        uint8_t warp;
        uint64_t line;
    } enters[] = {{1, 10}, {3, 11}, {2, 12}};
    static const uint64_t leaves[] = {10, 12, 11};
    struct rig r;
    const struct byw_req_queue_ops *queue;
    struct byw_req req = req_of(1, 13);

    (void)state;
    open_rig(&r, SETTINGS " trial.queues=2 trial.depth=2");
    queue = r.mech->queue;
    assert_true(queue->through);
    ask_with_runs(&r, 3);
    for (size_t i = 0; i < 3; i++) {
        req = req_of(enters[i].warp, enters[i].line);
        assert_true(queue->room(r.self, &req));
        queue->push(r.self, &req);
        assert_int_equal(queue->choose(r.self)->line, 10);
    }
    req = req_of(5, 13);
    assert_false(queue->room(r.self, &req));
    req = req_of(4, 14);
    assert_true(queue->room(r.self, &req));
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(queue->choose(r.self)->line, leaves[i]);
        queue->pop(r.self);
    }
    assert_true(queue->empty(r.self));
    assert_int_equal(rig_count(&r, WAITED), 3);
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_faster_mode_stays),
        cmocka_unit_test(windows_with_enough_reuse_start_no_trial),
        cmocka_unit_test(a_trial_mode_need_not_beat_caching),
        cmocka_unit_test(protecting_wins_within_the_margin),
        cmocka_unit_test(a_failed_trial_is_followed_by_a_rest),
        cmocka_unit_test(a_window_beyond_the_overtime_ends_the_trial),
        cmocka_unit_test(a_use_renews_the_protection),
        cmocka_unit_test(pending_sets_bypass_while_hits_are_few),
        cmocka_unit_test(kernel_starts_keep_the_mode_and_reset_ends_it),
        cmocka_unit_test(storage_on_machine_a_is_as_documented),
        cmocka_unit_test(three_requesting_windows_in_a_row_start_a_trial),
        cmocka_unit_test(each_failed_trial_doubles_the_rest),
        cmocka_unit_test(requests_wait_by_warp_only_if_loads_come_in_runs),
        cmocka_unit_test(the_first_fifo_has_priority),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
