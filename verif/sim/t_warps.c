/* SPDX-License-Identifier: Apache-2.0
 *
 * t_warps.c - dependences, wake-ups and barriers of resident warps; each time is probed at t-1 and
 * t.
 */
#include <stdlib.h>

#include "common/test.h"
#include "sim/sm/byw_sched.h"
#include "sim/sm/byw_warps.h"

struct bench {
    struct byw_warps warps;
    struct byw_cta cta;
};

static int setup(void **state)
{
    struct bench *b = calloc(1, sizeof(*b));

    byw_warps_init(&b->warps, 0);
    byw_cta_init(&b->cta);
    *state = b;
    return 0;
}

static int teardown(void **state)
{
    struct bench *b = *state;

    byw_cta_release(&b->cta);
    free(b);
    return 0;
}

static void add(struct bench *b, enum byw_class cls, uint32_t count, uint32_t use)
{
    struct byw_inst *i;

    if (b->cta.warp_count == 0)
        byw_cta_add_warp(&b->cta);
    i = byw_cta_add_inst(&b->cta);
    *i = (struct byw_inst){.mask = 1, .count = count, .use = use, .cls = (uint8_t)cls, .width = 4};
}

/* One warp in slot 0 with the added instructions, all of them buffered. */
static void place(struct bench *b)
{
    struct byw_warp_trace t = {.first = 0, .count = b->cta.inst_count};

    byw_warps_place(&b->warps, 0, &b->cta, &t, 0);
    b->warps.warp[0].buffered = 200;
    b->warps.buffered = 1;
}

/* First cycle, starting at `from`, in which warp 0 is ready. */
static uint64_t ready_at(struct bench *b, uint64_t from)
{
    for (uint64_t now = from; now < from + 2000; now++) {
        byw_warps_turn(&b->warps, now);
        if ((b->warps.ready & 1) != 0)
            return now;
    }
    return UINT64_MAX;
}

static void a_result_holds_its_consumer_exactly_its_latency(void **state)
{
    for (uint32_t latency = 1; latency <= 600; latency += 37) {
        struct bench *b = *state;

        byw_warps_init(&b->warps, 0);
        byw_cta_clear(&b->cta);
        add(b, BYW_CLASS_INT, 1, 1);
        add(b, BYW_CLASS_INT, 1, 0);
        place(b);
        byw_warps_issue(&b->warps, 0, 10, latency);
        assert_int_equal(ready_at(b, 11), 10 + latency);
    }
}

static void a_distant_consumer_lets_others_pass(void **state)
{
    struct bench *b = *state;

    add(b, BYW_CLASS_INT, 1, 3); /* needed by the fourth instruction */
    add(b, BYW_CLASS_INT, 3, 0);
    place(b);
    byw_warps_issue(&b->warps, 0, 100, 10);
    assert_int_equal(ready_at(b, 101), 101);
    byw_warps_issue(&b->warps, 0, 101, 10);
    assert_int_equal(ready_at(b, 102), 102);
    byw_warps_issue(&b->warps, 0, 102, 10);
    assert_int_equal(ready_at(b, 103), 110);
}

static void each_member_of_a_run_feeds_its_own_consumer(void **state)
{
    struct bench *b = *state;
    uint64_t now = 0;

    add(b, BYW_CLASS_FP, 8, 2); /* each result is needed by the second instruction after it */
    place(b);
    for (uint32_t i = 0; i < 7; i++) {
        byw_warps_issue(&b->warps, 0, now, 10);
        now = ready_at(b, now + 1);
        assert_int_equal(now, (i + 1) / 2 * 10 + (i + 1) % 2);
    }
}

static void a_load_blocks_at_its_use_only(void **state)
{
    struct bench *b = *state;
    uint16_t load;

    add(b, BYW_CLASS_LOAD, 1, 2);
    add(b, BYW_CLASS_INT, 1, 0);
    add(b, BYW_CLASS_INT, 1, 0);
    place(b);
    load = byw_warps_load(&b->warps, 0, 0);
    b->warps.load[load].remaining = 2;
    byw_warps_issue(&b->warps, 0, 5, 0);
    assert_int_equal(ready_at(b, 6), 6);
    byw_warps_issue(&b->warps, 0, 6, 0);
    assert_true(ready_at(b, 7) == UINT64_MAX);
    assert_false(byw_warps_load_answer(&b->warps, load, 5000, 0));
    assert_false(b->warps.ready & 1);
    assert_true(byw_warps_load_answer(&b->warps, load, 5001, 0));
    assert_true(b->warps.ready & 1);
    assert_int_equal(b->warps.loads, 0);
}

static void loads_complete_out_of_order(void **state)
{
    struct bench *b = *state;
    uint16_t first, second;

    add(b, BYW_CLASS_LOAD, 1, 2);
    add(b, BYW_CLASS_LOAD, 1, 1);
    add(b, BYW_CLASS_EXIT, 1, 0);
    place(b);
    first = byw_warps_load(&b->warps, 0, 0);
    byw_warps_issue(&b->warps, 0, 0, 0);
    byw_warps_turn(&b->warps, 1);
    second = byw_warps_load(&b->warps, 0, 0);
    byw_warps_issue(&b->warps, 0, 1, 0);
    b->warps.load[first].remaining = b->warps.load[second].remaining = 1;
    byw_warps_load_answer(&b->warps, second, 50, 0);
    assert_false(b->warps.ready & 1);
    byw_warps_load_answer(&b->warps, first, 60, 0);
    assert_true(b->warps.ready & 1);
    byw_warps_issue(&b->warps, 0, 60, 0);
    assert_true(b->warps.drained == 1);
}

/* A load has two answers, one from a line and one that bypassed the cache: its data is complete at
 * the later of their times, which need not be that of the last answer. */
static void a_load_is_whole_with_its_slowest_answer(void **state)
{
    static const struct {
        uint64_t last; /* cycle of the second answer, whose data can be used at once */
        uint64_t whole;
    } row[] = {{101, 176}, {175, 176}, {176, 176}, {177, 177}};

    for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
        struct bench *b;
        uint16_t load;

        teardown(state);
        setup(state);
        b = *state;
        add(b, BYW_CLASS_LOAD, 1, 1);
        add(b, BYW_CLASS_INT, 1, 0);
        place(b);
        load = byw_warps_load(&b->warps, 0, 0);
        b->warps.load[load].remaining = 2;
        byw_warps_issue(&b->warps, 0, 5, 0);
        assert_false(byw_warps_load_answer(&b->warps, load, 100, 76));
        assert_true(byw_warps_load_answer(&b->warps, load, row[i].last, 0));
        assert_int_equal(ready_at(b, row[i].last), row[i].whole);
    }
}

static void a_timed_load_completes_on_time(void **state)
{
    struct bench *b = *state;
    uint16_t load;

    add(b, BYW_CLASS_SHARED_LOAD, 1, 1);
    add(b, BYW_CLASS_INT, 1, 0);
    place(b);
    load = byw_warps_load(&b->warps, 0, 0);
    byw_warps_issue(&b->warps, 0, 0, 0);
    byw_warps_load_after(&b->warps, load, 3, 5);
    assert_int_equal(byw_warps_next(&b->warps, 3), 8);
    assert_int_equal(ready_at(b, 4), 8);
}

static void a_barrier_holds_until_released(void **state)
{
    struct bench *b = *state;

    add(b, BYW_CLASS_BARRIER, 1, 0);
    add(b, BYW_CLASS_INT, 1, 0);
    place(b);
    b->warps.barrier = 1;
    byw_warps_issue(&b->warps, 0, 0, 0);
    assert_true(ready_at(b, 1) == UINT64_MAX);
    byw_warps_release(&b->warps, 1, 3000, 3000);
    assert_int_equal(ready_at(b, 3001), 3001);
}

/* --- schedulers --------------------------------------------------------------------------- */

static void schedule(struct bench *b, struct byw_sched *sched, uint32_t kind)
{
    struct byw_config config;
    struct byw_warp_trace t = {.first = 0, .count = 1};
    static const uint32_t slots[] = {6, 0, 2, 4}; /* placed in this order: slot 6 is the oldest */

    byw_config_defaults(&config);
    config.sm_scheduler = kind;
    config.sm_active_warps = 2;
    add(b, BYW_CLASS_INT, 100, 0);
    for (uint32_t i = 0; i < 4; i++)
        byw_warps_place(&b->warps, slots[i], &b->cta, &t, 0);
    byw_sched_init(sched, &config, NULL);
}

static void gto_stays_then_takes_the_oldest(void **state)
{
    struct bench *b = *state;
    struct byw_sched sched;

    schedule(b, &sched, BYW_SCHED_GTO);
    assert_int_equal(byw_sched_pick(&sched, 0, 0x55, &b->warps), 6);
    assert_int_equal(byw_sched_pick(&sched, 0, 0x15, &b->warps), 0);
    assert_int_equal(byw_sched_pick(&sched, 0, 0x55, &b->warps), 0); /* greedy */
    assert_int_equal(byw_sched_pick(&sched, 0, 0x14, &b->warps), 2);
    assert_int_equal(byw_sched_pick(&sched, 0, 0x50, &b->warps), 6);
    assert_int_equal(byw_sched_pick(&sched, 1, 0x55, &b->warps), BYW_WARP_SLOTS); /* the other
                                                                                     scheduler does
                                                                                     not own these
                                                                                     warps */
}

static void lrr_rotates(void **state)
{
    struct bench *b = *state;
    struct byw_sched sched;
    static const uint32_t want[] = {0, 2, 4, 6, 0, 2};

    schedule(b, &sched, BYW_SCHED_LRR);
    for (uint32_t i = 0; i < 6; i++)
        assert_int_equal(byw_sched_pick(&sched, 0, 0x55, &b->warps), want[i]);
}

static void two_level_swaps_a_warp_that_waits_for_a_load(void **state)
{
    struct bench *b = *state;
    struct byw_sched sched;

    schedule(b, &sched, BYW_SCHED_TWO_LEVEL);
    assert_int_equal(byw_sched_pick(&sched, 0, 0x55, &b->warps), 0);
    assert_int_equal(byw_sched_pick(&sched, 0, 0x55, &b->warps), 2);
    assert_int_equal(byw_sched_pick(&sched, 0, 0x55, &b->warps), 0); /* 4 and 6 are not active */
    b->warps.on_load = 1;
    assert_int_equal(byw_sched_pick(&sched, 0, 0x54, &b->warps), 2);
    assert_int_equal(byw_sched_pick(&sched, 0, 0x54, &b->warps), 4); /* promoted for 0 */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_result_holds_its_consumer_exactly_its_latency, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(a_distant_consumer_lets_others_pass, setup, teardown),
        cmocka_unit_test_setup_teardown(each_member_of_a_run_feeds_its_own_consumer, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(a_load_blocks_at_its_use_only, setup, teardown),
        cmocka_unit_test_setup_teardown(loads_complete_out_of_order, setup, teardown),
        cmocka_unit_test_setup_teardown(a_load_is_whole_with_its_slowest_answer, setup, teardown),
        cmocka_unit_test_setup_teardown(a_timed_load_completes_on_time, setup, teardown),
        cmocka_unit_test_setup_teardown(a_barrier_holds_until_released, setup, teardown),
        cmocka_unit_test_setup_teardown(gto_stays_then_takes_the_oldest, setup, teardown),
        cmocka_unit_test_setup_teardown(lrr_rotates, setup, teardown),
        cmocka_unit_test_setup_teardown(two_level_swaps_a_warp_that_waits_for_a_load, setup,
                                        teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
