/* SPDX-License-Identifier: Apache-2.0
 *
 * The look stage of the L1D (l1d.look_stage): its cost, by the rule numbers of
 * rtl/doc/l1d_pipeline.md. Events that change all records at once are in t_l1d_look_cold.c.
 */
#include "l1d/look_rig.h"

/* L1: a hit is answered 4 cycles after it was accepted, one per cycle, even within one set. */
static void hits_take_four_cycles_one_per_cycle(void **state)
{
    struct byw_config c = config(BYW_MODE_BASE);
    struct host *h = make("look: hits", &c);
    uint32_t i, id[96];
    uint64_t first;

    (void)state;
    for (i = 0; i < 64; i++)
        host_do(h, BYW_OP_LOAD, i, BYW_HINT_NONE);
    first = h->cycle;
    for (i = 0; i < 96; i++)
        id[i] = host_send(h, BYW_OP_LOAD,
                          i < 32   ? i
                          : i < 64 ? 5
                                   : 5 + i % 2 * SAME,
                          BYW_HINT_NONE);
    host_drain(h);
    for (i = 0; i < 96; i++)
        assert_int_equal(h->rsp_cycle[id[i]], first + i + HIT);
    host_free(h);
}

/* L2: a request that is sent to memory is answered L + 5 cycles after it was accepted. */
static void misses_add_five_cycles_to_memory(void **state)
{
    struct byw_config c = config(BYW_MODE_BASE);
    uint32_t latency;

    (void)state;
    for (latency = 1; latency < 300; latency += 13) {
        struct host *h = make("look: misses", &c);

        h->latency = latency;
        assert_int_equal(host_do(h, BYW_OP_LOAD, 1, BYW_HINT_NONE), latency + 5);
        assert_int_equal(host_do(h, BYW_OP_LOAD, 2, BYW_HINT_BYPASS), latency + 5);
        assert_int_equal(host_do(h, BYW_OP_STORE, 3, BYW_HINT_NONE), latency + 5);
        assert_int_equal(host_do(h, BYW_OP_ATOMIC, 3, BYW_HINT_NONE), latency + 5);
        host_free(h);
    }
}

/* Two requests, the second `apart` cycles after the first. Returns the latency of the second. */
static uint64_t second(uint64_t warm, uint64_t a, uint64_t b, uint32_t apart)
{
    struct byw_config c = config(BYW_MODE_BASE);
    struct host *h = make("look: two requests", &c);
    uint64_t result;
    uint32_t id;

    if (warm != 0)
        host_do(h, BYW_OP_LOAD, warm, BYW_HINT_NONE);
    id = host_send(h, BYW_OP_LOAD, a, BYW_HINT_NONE);
    idle_until(h, h->id[id].cycle + apart);
    id = host_send(h, BYW_OP_LOAD, b, BYW_HINT_NONE);
    host_drain(h);
    result = took(h, id);
    host_free(h);
    return result;
}

/* L3: a miss changes the tags of its set, so a request of the same set in the next cycle repeats
 * its lookup, which costs one cycle. A request two cycles later does not, nor does one of another
 * set. */
static void a_request_right_behind_a_miss_of_its_set_looks_again(void **state)
{
    (void)state;
    assert_int_equal(second(0, 1, 33, 1), MISS + 1);
    assert_int_equal(second(0, 1, 33, 2), MISS);
    assert_int_equal(second(0, 1, 2, 1), MISS);
    assert_int_equal(second(33, 1, 33, 1), HIT + 1);
    assert_int_equal(second(33, 1, 33, 2), HIT);
}

/* L4: a hit changes the LRU order: a miss in the next cycle looks again, a hit does not. */
static void a_miss_right_behind_a_hit_looks_again(void **state)
{
    (void)state;
    assert_int_equal(second(1, 1, 33, 1), MISS + 1);
    assert_int_equal(second(1, 1, 33, 2), MISS);
    assert_int_equal(second(1, 1, 2, 1), MISS);
    assert_int_equal(second(1, 1, 1, 1), HIT);
}

/* A hit on line 33 that is taken `before` cycles before the fill of line `miss` is accepted; a
 * store to that line may have detached its MSHR. */
static uint64_t near_fill(enum byw_op op, uint64_t miss, uint32_t before, bool fails, bool detached)
{
    struct byw_config c = config(BYW_MODE_BASE);
    struct host *h = make("look: near a fill", &c);
    uint64_t result, taken;
    uint32_t id;

    host_do(h, BYW_OP_LOAD, 33, BYW_HINT_NONE);
    if (fails)
        h->error_line = miss;
    id = host_send(h, BYW_OP_LOAD, miss, BYW_HINT_NONE);
    taken = h->id[id].cycle;
    if (detached)
        host_send(h, BYW_OP_STORE, miss, BYW_HINT_NONE);
    idle_until(h, taken + 4 + LATENCY - before);
    id = host_send(h, op, 33, BYW_HINT_NONE);
    host_drain(h);
    result = took(h, id);
    host_free(h);
    return result;
}

static uint64_t hit_near_fill(uint64_t miss, uint32_t before, bool fails)
{
    return near_fill(BYW_OP_LOAD, miss, before, fails, false);
}

/* L5: a fill costs one cycle if its set is in look; one cycle earlier or later, or in another set,
 * it costs nothing. */
static void a_fill_for_the_set_in_look_costs_one_cycle(void **state)
{
    (void)state;
    assert_int_equal(hit_near_fill(1, 0, false), HIT);
    assert_int_equal(hit_near_fill(1, 1, false), HIT);
    assert_int_equal(hit_near_fill(1, 2, false), HIT + 1);
    assert_int_equal(hit_near_fill(1, 3, false), HIT);
    assert_int_equal(hit_near_fill(2, 2, false), HIT);
}

/* L6: a failed fill changes the record: requests of its set lose three cycles if they are in s1 or
 * look or are accepted in its cycle; s2 waits for the record's write port, too. */
static void a_failed_fill_costs_three_cycles(void **state)
{
    (void)state;
    assert_int_equal(hit_near_fill(1, 0, true), HIT + 3);
    assert_int_equal(hit_near_fill(1, 1, true), HIT + 3);
    assert_int_equal(hit_near_fill(1, 2, true), HIT + 3);
    assert_int_equal(hit_near_fill(1, 3, true), HIT + 4);
    assert_int_equal(hit_near_fill(1, 4, true), HIT);
    assert_int_equal(hit_near_fill(2, 2, true), HIT);
}

/* L14: a fill reserves the ports that it may need: that of the data store and, in case it fails,
 * that of the record, even if its MSHR is detached. */
static void a_fill_reserves_the_ports_that_it_may_need(void **state)
{
    int detached;

    (void)state;
    for (detached = 0; detached < 2; detached++) {
        assert_int_equal(near_fill(BYW_OP_LOCAL_STORE, 2, 2, false, detached), HIT);
        assert_int_equal(near_fill(BYW_OP_LOCAL_STORE, 2, 3, false, detached), HIT + 1);
        assert_int_equal(near_fill(BYW_OP_LOCAL_STORE, 2, 4, false, detached), HIT);
        assert_int_equal(near_fill(BYW_OP_LOAD, 2, 3, false, detached), HIT);
        assert_int_equal(near_fill(BYW_OP_LOAD, 2, 2, true, detached), HIT);
        assert_int_equal(near_fill(BYW_OP_LOAD, 2, 3, true, detached), HIT + 1);
        assert_int_equal(near_fill(BYW_OP_LOAD, 2, 4, true, detached), HIT);
    }
}

/* L9: loads in bypass mode look up nothing and wait for nothing. */
static void loads_in_bypass_mode_do_not_wait(void **state)
{
    struct byw_config c = config(BYW_MODE_BASE);
    struct host *h = make("look: bypass mode", &c);
    uint32_t i, id[4];

    (void)state;
    h->bypass = true;
    for (i = 0; i < 4; i++)
        id[i] = host_send(h, BYW_OP_LOAD, 1, BYW_HINT_NONE);
    host_drain(h);
    for (i = 0; i < 4; i++)
        assert_int_equal(took(h, id[i]), MISS);
    host_free(h);
}

/* L10: a load behind an INVALIDATE misses; a load behind a store to its line finds the line
 * evicted. */
static void loads_see_the_invalidate_or_store_before_them(void **state)
{
    struct byw_config c = config(BYW_MODE_BASE);
    struct host *h = make("look: order", &c);
    uint32_t id;

    (void)state;
    host_do(h, BYW_OP_LOAD, 1, BYW_HINT_NONE);
    host_send(h, BYW_OP_INVALIDATE, 0, BYW_HINT_NONE);
    id = host_send(h, BYW_OP_LOAD, 1, BYW_HINT_NONE);
    host_drain(h);
    assert_int_equal(h->rsp_served[id], BYW_SERVED_FILL);
    host_send(h, BYW_OP_STORE, 1, BYW_HINT_NONE);
    id = host_send(h, BYW_OP_LOAD, 1, BYW_HINT_NONE);
    host_drain(h);
    assert_int_equal(h->rsp_served[id], BYW_SERVED_FILL);
    host_free(h);
}

/* L11: a refused request retries in each cycle; the next request waits and is not lost. */
static void a_refused_request_retries_in_every_cycle(void **state)
{
    struct byw_config c = config(BYW_MODE_BASE);
    struct host *h;
    uint32_t i, id[4];

    (void)state;
    c.l1d_mshrs = 1;
    h = make("look: refused", &c);
    for (i = 0; i < 4; i++)
        id[i] = host_send(h, BYW_OP_LOAD, 1 + i, BYW_HINT_NONE);
    host_drain(h);
    assert_int_equal(took(h, id[0]), MISS);
    /* The register is free in the cycle after the answer, which is the cycle of the next
     * decision. */
    for (i = 1; i < 4; i++)
        assert_int_equal(h->rsp_cycle[id[i]] - h->rsp_cycle[id[i - 1]], LATENCY + 3);
    assert_int_equal(h->ev[BYW_EV_FAIL_MSHR], 3 * (LATENCY + 2));
    host_free(h);
}

/* With its only MSHR in use, a load waits in s2. A load of line `b` is accepted `apart` cycles
 * after it, and a third one as soon as possible. Returns the cycle of the third, and in *left the
 * cycle in which the first leaves s2, both counted from the first. */
static uint64_t third(uint64_t b, uint32_t apart, uint64_t *left)
{
    struct byw_config c = config(BYW_MODE_BASE);
    struct host *h;
    uint64_t taken, result;
    uint32_t id, holds;

    c.l1d_mshrs = 1;
    h = make("look: behind a request that waits", &c);
    holds = host_send(h, BYW_OP_LOAD, 2, BYW_HINT_NONE);
    id = host_send(h, BYW_OP_LOAD, 1, BYW_HINT_NONE);
    taken = h->id[id].cycle;
    idle_until(h, taken + apart);
    host_send(h, BYW_OP_LOAD, b, BYW_HINT_NONE);
    id = host_send(h, BYW_OP_LOAD, 5, BYW_HINT_NONE);
    result = h->id[id].cycle - taken;
    host_drain(h);
    *left = h->rsp_cycle[holds] + 1 - taken;
    host_free(h);
    return result;
}

/* L14: behind a waiting request of its set in s2, a request stays in s1 although look is empty, so
 * that no further one is accepted until s2 is free. A request of another set enters look. A request
 * that was already in look stays there. */
static void a_request_behind_its_set_waits_in_s1(void **state)
{
    uint64_t left;

    (void)state;
    assert_int_equal(third(3, 2, &left), 3);
    assert_int_equal(third(33, 2, &left), left);
    assert_int_equal(left, LATENCY + 5);
    assert_int_equal(third(3, 1, &left), 2);
    assert_int_equal(third(33, 1, &left), 2);
}

/* L12: the look stage does not support allocate on fill. */
static void the_look_stage_rejects_allocate_on_fill(void **state)
{
    struct byw_config c = config(BYW_MODE_BASE);
    struct byw_l1d *l1d = NULL;
    struct byw_diag diag;

    (void)state;
    c.l1d_alloc = BYW_ALLOC_ON_FILL;
    assert_int_equal(byw_l1d_create(&c, false, &l1d, &diag), BYW_EUNSUPPORTED);
    assert_non_null(strstr(diag.text, "l1d.look_stage"));
    assert_null(l1d);
}

/* A line of PC 0x40 is evicted, which makes its counter predict dead. A load of that PC follows
 * `apart` cycles after the load that evicted the line. Returns the latency of a later load of the
 * same line: a hit if the first was cached. */
static uint64_t behind_training(uint32_t look, uint32_t apart)
{
    struct byw_config c = config(BYW_MODE_BASE);
    struct host *h;
    uint64_t result;
    uint32_t id;

    c.l1d_look = look;
    c.l1d_ways = 1;
    c.pc_on = 1;
    c.pc_duel = 0;
    c.pc_sample = 0;
    c.pc_threshold = 1;
    c.pc_init = 0;
    h = make("look: a guess behind training", &c);
    h->pc = 0x40;
    host_do(h, BYW_OP_LOAD, 1, BYW_HINT_NONE);
    h->pc = 0x80;
    id = host_send(h, BYW_OP_LOAD, 33, BYW_HINT_NONE);
    idle_until(h, h->id[id].cycle + apart);
    h->pc = 0x40;
    host_send(h, BYW_OP_LOAD, 2, BYW_HINT_NONE);
    host_drain(h);
    result = host_do(h, BYW_OP_LOAD, 2, BYW_HINT_NONE);
    host_free(h);
    return result;
}

/* L13: a load's counter is read as it leaves look. A load that leaves look in the cycle of a
 * decision does not see what that decision trains, and is cached. */
static void a_counter_is_read_before_the_training_of_that_cycle(void **state)
{
    (void)state;
    assert_int_equal(behind_training(1, 1), HIT);
    assert_int_equal(behind_training(1, 2), MISS);
    assert_int_equal(behind_training(0, 1), MISS - 1);
}

/* Latency of a request of `line` that arrives `apart` cycles after the last of `tags` loads of new
 * lines of one set, with a filter of 8 tags. */
static uint64_t with_tags(uint32_t tags, bool filter, enum byw_op op, uint64_t line, uint8_t hint,
                          uint32_t apart)
{
    struct byw_config c = config(BYW_MODE_DECOUPLED);
    struct host *h = make("look: a set full of tags", &c);
    uint32_t i, id = 0;
    uint64_t result;

    h->filter_on = filter;
    for (i = 0; i < tags; i++) {
        host_drain(h);
        id = host_send(h, BYW_OP_LOAD, 1 + i * SAME, BYW_HINT_NONE);
    }
    idle_until(h, h->id[id].cycle + apart);
    id = host_send(h, op, line, hint);
    host_drain(h);
    result = took(h, id);
    host_free(h);
    return result;
}

/* L15: a load that needs a tag in a set without a free one waits one cycle in s2 for the replaced
 * tag. Directly behind a request that changed the record it also looks again, which costs another
 * cycle. */
static void a_load_that_replaces_a_tag_waits_one_cycle(void **state)
{
    (void)state;
    assert_int_equal(with_tags(7, true, BYW_OP_LOAD, 257, BYW_HINT_NONE, 60), MISS);
    assert_int_equal(with_tags(8, true, BYW_OP_LOAD, 257, BYW_HINT_NONE, 60), MISS + 1);
    assert_int_equal(with_tags(8, true, BYW_OP_LOAD, 257, BYW_HINT_NONE, 1), MISS + 2);
    assert_int_equal(with_tags(8, true, BYW_OP_LOAD, 257, BYW_HINT_NONE, 2), MISS + 1);
    assert_int_equal(with_tags(8, true, BYW_OP_LOAD, 258, BYW_HINT_NONE, 1), MISS);
}

/* L16: no other request waits: loads whose line has a tag, bypasses by hint, stores, atomics, and
 * all requests without the filter. */
static void requests_that_replace_no_tag_do_not_wait(void **state)
{
    (void)state;
    assert_int_equal(with_tags(8, true, BYW_OP_LOAD, 33, BYW_HINT_NONE, 60), MISS);
    assert_int_equal(with_tags(8, true, BYW_OP_LOAD, 257, BYW_HINT_BYPASS, 60), MISS);
    assert_int_equal(with_tags(8, true, BYW_OP_STORE, 257, BYW_HINT_NONE, 60), MISS);
    assert_int_equal(with_tags(8, true, BYW_OP_ATOMIC, 257, BYW_HINT_NONE, 60), MISS);
    assert_int_equal(with_tags(8, false, BYW_OP_LOAD, 257, BYW_HINT_NONE, 60), MISS);
}

/* Cycles of a FLUSH that is sent `apart` cycles after a local store to line 1. */
static uint64_t flush_with_a_dirty_line(uint32_t apart)
{
    struct byw_config c = config(BYW_MODE_BASE);
    struct host *h = make("look: flush", &c);
    uint32_t id;
    uint64_t result;

    host_do(h, BYW_OP_LOCAL_LOAD, 1, BYW_HINT_NONE);
    id = host_send(h, BYW_OP_LOCAL_STORE, 1, BYW_HINT_NONE);
    idle_until(h, h->id[id].cycle + apart);
    id = host_send(h, BYW_OP_FLUSH, 0, BYW_HINT_NONE);
    host_drain(h);
    result = took(h, id);
    host_free(h);
    return result;
}

/* L17: a flush or fence ends in the cycle after everything that it waits for has completed; an
 * INVALIDATE waits for nothing and ends at once. */
static void a_flush_ends_in_the_cycle_after_its_last_write(void **state)
{
    struct byw_config c = config(BYW_MODE_BASE);
    struct host *h = make("look: flush", &c);

    (void)state;
    assert_int_equal(host_do(h, BYW_OP_INVALIDATE, 0, BYW_HINT_NONE), HIT);
    assert_int_equal(host_do(h, BYW_OP_FLUSH, 0, BYW_HINT_NONE), HIT + 1);
    assert_int_equal(host_do(h, BYW_OP_FENCE, 0, (enum byw_hint)BYW_FENCE_WAIT), HIT + 1);
    host_free(h);
    /* 3 cycles to s2, 4 to way 0 of set 1, 2 into the queue, 1 out of it. */
    assert_int_equal(flush_with_a_dirty_line(60), 3 + 4 + 2 + 1 + 2);
    assert_int_equal(flush_with_a_dirty_line(1), 3 + 4 + 2 + 1 + 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_load_that_replaces_a_tag_waits_one_cycle),
        cmocka_unit_test(requests_that_replace_no_tag_do_not_wait),
        cmocka_unit_test(hits_take_four_cycles_one_per_cycle),
        cmocka_unit_test(misses_add_five_cycles_to_memory),
        cmocka_unit_test(a_request_right_behind_a_miss_of_its_set_looks_again),
        cmocka_unit_test(a_miss_right_behind_a_hit_looks_again),
        cmocka_unit_test(a_fill_for_the_set_in_look_costs_one_cycle),
        cmocka_unit_test(a_failed_fill_costs_three_cycles),
        cmocka_unit_test(loads_in_bypass_mode_do_not_wait),
        cmocka_unit_test(loads_see_the_invalidate_or_store_before_them),
        cmocka_unit_test(a_refused_request_retries_in_every_cycle),
        cmocka_unit_test(a_request_behind_its_set_waits_in_s1),
        cmocka_unit_test(the_look_stage_rejects_allocate_on_fill),
        cmocka_unit_test(a_counter_is_read_before_the_training_of_that_cycle),
        cmocka_unit_test(a_fill_reserves_the_ports_that_it_may_need),
        cmocka_unit_test(a_flush_ends_in_the_cycle_after_its_last_write),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
