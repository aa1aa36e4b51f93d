/* SPDX-License-Identifier: Apache-2.0
 *
 * The allocate-on-fill organisation of the L1D, rule by rule: mechanisms/two_level.md 3.5 and the
 * section "Allocate on fill" of rtl/doc/l1d_pipeline.md, whose rule numbers head the tests. The
 * host checks the bytes of every answer, and that memory sends only the requested sector.
 */
#include "l1d/fill_rig.h"

/* 1: a hit takes 3 cycles and a miss L + 6 with a memory of L cycles, two more than with allocate
 * on miss. Bypasses, stores and atomics take L + 4, as with allocate on miss. */
static void hits_take_three_cycles_and_misses_memory_plus_six(void **state)
{
    struct byw_config c = config(4, 48, 4);
    uint32_t latency;

    (void)state;
    for (latency = 1; latency < 100; latency += 11) {
        struct host *h = make("latencies", &c);

        h->latency = latency;
        assert_int_equal(load(h, 1, 2), latency + 6);
        assert_int_equal(load(h, 1, 2), 3);
        assert_int_equal(host_do(h, BYW_OP_LOAD, 2, BYW_HINT_BYPASS), latency + 4);
        assert_int_equal(host_do(h, BYW_OP_STORE, 3, BYW_HINT_NONE), latency + 4);
        assert_int_equal(host_do(h, BYW_OP_ATOMIC, 3, BYW_HINT_NONE), latency + 4);
        finish(h);
    }
}

/* 2: a miss reserves no line and writes no record; only its own sector becomes valid. */
static void a_miss_reserves_no_line(void **state)
{
    struct byw_config c = config(1, 2, 4);
    struct host *h = make("no reservation", &c);
    uint32_t i;

    (void)state;
    h->latency = 60;
    for (i = 0; i < 8; i++) /* more misses than lines */
        send(h, BYW_OP_LOAD, i, 1);
    idle_cycles(h, 10);
    assert_int_equal(h->ev[BYW_EV_MISS], 8);
    assert_int_equal(h->ev[BYW_EV_FAIL_LINE], 0);
    assert_int_equal(h->ev[BYW_EV_TAG_WRITE], 0);
    assert_int_equal(used_ways(h), 0);
    host_drain(h);
    assert_int_equal(h->ev[BYW_EV_FILL], 8);
    assert_int_equal(h->ev[BYW_EV_EVICT], 6);
    assert_int_equal(h->ev[BYW_EV_EVICT_ZERO], 6);
    assert_true(hits(h, 7, 1) && hits(h, 6, 1));
    assert_false(hits(h, 7, 0));
    finish(h);
}

/* 3: a sector miss is a miss with a separate pulse; the sector joins the line. */
static void a_sector_miss_adds_its_sector_to_the_line(void **state)
{
    struct byw_config c = config(4, 48, 4);
    struct host *h = make("sector miss", &c);
    uint32_t i;

    (void)state;
    for (i = 0; i < 4; i++)
        assert_int_equal(load(h, 5, i), h->latency + 6);
    assert_int_equal(h->ev[BYW_EV_MISS], 4);
    assert_int_equal(h->ev[BYW_EV_SECTOR_MISS], 3);
    assert_int_equal(used_ways(h), 1);
    for (i = 0; i < 4; i++)
        assert_true(hits(h, 5, i));
    assert_int_equal(h->ev[BYW_EV_EVICT], 0);
    finish(h);
}

/* 4: misses on different sectors of an absent line are plain misses; the second fill finds the tag
 * of the first, also in the next cycle. */
static void a_second_fill_finds_the_tag_of_the_first(void **state)
{
    struct byw_config c = config(4, 48, 4);
    struct host *h = make("racing fills", &c);
    uint32_t i, id[4];

    (void)state;
    for (i = 0; i < 4; i++)
        id[i] = send(h, BYW_OP_LOAD, 5, i);
    host_drain(h);
    assert_int_equal(h->ev[BYW_EV_MISS], 4);
    assert_int_equal(h->ev[BYW_EV_SECTOR_MISS], 0);
    assert_int_equal(h->ev[BYW_EV_MEM_READ], 4);
    assert_int_equal(used_ways(h), 1);
    for (i = 1; i < 4; i++)
        assert_int_equal(h->rsp_cycle[id[i]], h->rsp_cycle[id[i - 1]] + 1);
    finish(h);
}

/* 5: loads of a pending sector merge until its fill is in f2, including that cycle; the next load
 * hits.  Loads of other sectors do not merge. */
static void loads_merge_until_their_fill_is_in_f2(void **state)
{
    struct byw_config c = config(4, 48, 4);
    uint32_t wait, merged = 0, hit = 0;

    (void)state;
    for (wait = 0; wait < 40; wait++) {
        struct host *h = make("merging", &c);
        uint32_t first = send(h, BYW_OP_LOAD, 9, 1), second;
        uint64_t f2 = h->id[first].cycle + 3 + h->latency + 2;

        idle_cycles(h, wait);
        second = send(h, BYW_OP_LOAD, 9, 1);
        host_drain(h);
        if (h->id[second].cycle + 2 < f2) {
            assert_int_equal(h->rsp_served[second], BYW_SERVED_FILL);
            assert_int_equal(h->ev[BYW_EV_HIT_PENDING], 1);
            merged++;
        } else {
            assert_int_equal(h->rsp_served[second], BYW_SERVED_HIT);
            hit++;
        }
        if (h->id[second].cycle + 2 ==
            f2) /* the install uses the record, so this is decided a cycle later */
            assert_int_equal(h->rsp_cycle[second], h->id[second].cycle + 4);
        assert_int_equal(h->ev[BYW_EV_MEM_READ], 1);
        finish(h);
    }
    assert_true(merged > 10 && hit > 10);
}

/* 6: a full merge list refuses a load with the reason merge; missing MSHRs and queue slots have
 * their own reasons. The reason is never line. */
static void loads_are_never_refused_for_a_line(void **state)
{
    struct byw_config c = config(1, 1, 4);
    struct host *h;
    uint32_t i;

    (void)state;
    c.l1d_merges = 2;
    c.l1d_mshrs = 3;
    h = make("refusals", &c);
    h->latency = 50;
    for (i = 0; i < 3; i++)
        send(h, BYW_OP_LOAD, 1, 0);
    idle_cycles(h, 10);
    assert_true(h->ev[BYW_EV_FAIL_MERGE] >= 9);
    assert_int_equal(h->ev[BYW_EV_FAIL_MSHR], 0);
    host_drain(h);
    for (i = 0; i < 4; i++)
        send(h, BYW_OP_LOAD, 10 + i, 0);
    idle_cycles(h, 10);
    assert_true(h->ev[BYW_EV_FAIL_MSHR] >= 9);
    host_drain(h);
    h->req_percent = 0;
    for (i = 0; i < c.l1d_miss_queue + 1; i++)
        send(h, BYW_OP_STORE, 20 + i, 0);
    idle_cycles(h, 10);
    assert_true(h->ev[BYW_EV_FAIL_MISS_QUEUE] >= 9);
    assert_int_equal(h->ev[BYW_EV_FAIL_LINE], 0);
    h->req_percent = 100;
    finish(h);
}

/* 7: a refused request does not delay the fill that will free its resource. */
static void a_refused_request_does_not_block_the_fill_that_frees_it(void **state)
{
    struct byw_config c = config(1, 1, 1);
    struct host *h;
    uint32_t i;

    (void)state;
    c.l1d_merges = c.l1d_mshrs = c.l1d_miss_queue = c.l1d_bypass_queue = c.l1d_trackers = 1;
    h = make("no deadlock", &c);
    for (i = 0; i < 50; i++)
        send(h, i % 3 == 0 ? BYW_OP_STORE : BYW_OP_LOAD, i % 2, 0);
    finish(h);
}

/* 8: one fill per cycle is accepted and answered, back to back. */
static void one_fill_per_cycle_is_accepted_and_answered(void **state)
{
    struct byw_config c = config(4, 48, 4);
    struct host *h;
    uint32_t i, id[16];

    (void)state;
    c.l1d_miss_queue = 16;
    h = make("fill rate", &c);
    h->latency = 60;
    for (i = 0; i < 16; i++)
        id[i] = send(h, BYW_OP_LOAD, i / 4, i % 4);
    host_drain(h);
    for (i = 1; i < 16; i++)
        assert_int_equal(h->rsp_cycle[id[i]], h->rsp_cycle[id[0]] + i);
    finish(h);
}

/* 9: a fill that fails installs nothing; all merged requests get the error. */
static void a_failed_fill_installs_nothing(void **state)
{
    struct byw_config c = config(4, 48, 4);
    struct host *h = make("failed fill", &c);
    uint32_t first, second;

    (void)state;
    h->error_line = 6;
    first = send(h, BYW_OP_LOAD, 6, 3);
    second = send(h, BYW_OP_LOAD, 6, 3);
    host_drain(h);
    assert_true(h->rsp_error[first] && h->rsp_error[second]);
    assert_int_equal(used_ways(h), 0);
    assert_int_equal(h->ev[BYW_EV_FILL], 0);
    h->error_line = UINT64_MAX;
    assert_false(hits(h, 6, 3));
    assert_true(hits(h, 6, 3));
    finish(h);
}

/* 10: a store to a pending sector detaches its MSHR: the old bytes are not kept, and a load behind
 * the store fetches again. Fetches of other sectors of the line continue. */
static void a_store_to_a_pending_sector_detaches_its_mshr(void **state)
{
    struct byw_config c = config(4, 48, 4);
    enum byw_op op;

    (void)state;
    for (op = BYW_OP_STORE; op <= BYW_OP_LOCAL_STORE; op++) {
        struct host *h = make("store to a pending sector", &c);
        uint32_t before, after, other;

        if (op == BYW_OP_LOCAL_LOAD)
            op = BYW_OP_LOCAL_STORE;
        h->latency = 50;
        other = send(h, BYW_OP_LOAD, 7, 2);
        before = send(h, BYW_OP_LOAD, 7, 1);
        send(h, op, 7, 1);
        after = send(h, BYW_OP_LOAD, 7, 1);
        host_drain(h);
        assert_int_equal(h->rsp_served[other], BYW_SERVED_FILL);
        assert_int_equal(h->rsp_served[before], BYW_SERVED_FILL);
        assert_int_equal(h->rsp_served[after], BYW_SERVED_FILL);
        assert_int_equal(h->ev[BYW_EV_MISS], 3);
        assert_int_equal(h->ev[BYW_EV_FILL], 2); /* the detached MSHR's fill does not count */
        if (op != BYW_OP_ATOMIC)
            assert_int_equal(h->ev[BYW_EV_HIT_PENDING], 1);
        assert_true(hits(h, 7, 1) && hits(h, 7, 2));
        finish(h);
    }
}

/* 11: a store to a valid sector evicts the line, or updates the sector; a store to an absent sector
 * leaves the line alone. Stores are always written through; local stores always update. */
static void a_store_evicts_the_line_or_updates_its_sector(void **state)
{
    struct byw_config c = config(4, 48, 4);
    struct host *h;

    (void)state;
    c.l1d_store_hit = BYW_STORE_EVICT;
    h = make("write evict", &c);
    load(h, 3, 0);
    load(h, 3, 1);
    host_do(h, BYW_OP_STORE, 3, BYW_HINT_NONE); /* sector 1 */
    assert_int_equal(h->ev[BYW_EV_EVICT], 1);
    assert_false(hits(h, 3, 0));
    h->sector = 2;
    host_do(h, BYW_OP_STORE, 3, BYW_HINT_NONE);
    assert_true(hits(h, 3, 0));
    h->sector = 0;
    assert_true(host_do(h, BYW_OP_LOCAL_STORE, 3, BYW_HINT_NONE) > 3);
    assert_true(hits(h, 3, 0));
    assert_int_equal(h->ev[BYW_EV_MEM_WRITE], 3);
    finish(h);

    c.l1d_store_hit = BYW_STORE_UPDATE;
    h = make("write update", &c);
    load(h, 3, 1);
    host_do(h, BYW_OP_STORE, 3, BYW_HINT_NONE);
    assert_true(hits(h, 3, 1));
    assert_int_equal(h->ev[BYW_EV_STORE_HIT], 1);
    assert_int_equal(h->ev[BYW_EV_MEM_WRITE], 1);
    assert_int_equal(h->ev[BYW_EV_EVICT], 0);
    h->sector = 1;
    host_do(h, BYW_OP_ATOMIC, 3, BYW_HINT_NONE);
    assert_false(hits(h, 3, 1));
    assert_true(host_do(h, BYW_OP_FLUSH, 0, BYW_HINT_NONE) == 3); /* nothing is ever dirty */
    finish(h);
}

/* 12: the victim is the least recently used line. Hits, fills of further sectors and updating
 * stores count as uses; a sector miss does not. */
static void the_least_recently_used_line_is_evicted(void **state)
{
    struct byw_config c = config(1, 3, 4);
    struct host *h;

    (void)state;
    c.l1d_store_hit = BYW_STORE_UPDATE;
    h = make("lru", &c);
    load(h, 1, 0);
    load(h, 2, 0);
    load(h, 3, 0); /* 1 2 3 */
    load(h, 1, 0); /* 2 3 1 */
    load(h, 2, 1); /* 3 1 2 by its fill */
    h->sector = 0;
    host_do(h, BYW_OP_STORE, 3, BYW_HINT_NONE); /* 1 2 3 */
    load(h, 4, 0); /* evicts 1 */
    assert_true(hits(h, 2, 0) && hits(h, 2, 1) && hits(h, 3, 0) && hits(h, 4, 0));
    assert_int_equal(h->ev[BYW_EV_EVICT], 1);
    assert_int_equal(h->ev[BYW_EV_EVICT_ZERO], 0);
    h->latency = 100; /* 2 3 4; sector miss on 2, but 5 arrives first and still evicts 2 */
    send(h, BYW_OP_LOAD, 5, 0);
    send(h, BYW_OP_LOAD, 2, 2);
    host_drain(h);
    assert_true(hits(h, 5, 0) && hits(h, 2, 2));
    assert_false(hits(h, 2, 0));
    finish(h);
}

/* The replacement policy's random number advances when a fill allocates a line: not at the miss,
 * not for a further sector, not for a failed fill. */
static void the_random_number_advances_when_a_fill_takes_a_line(void **state)
{
    struct byw_config c = config(1, 3, 4);
    struct host *h = make("random number", &c);
    uint16_t first = byw_repl_next_random(BYW_REPL_SEED);

    (void)state;
    h->latency = 50;
    send(h, BYW_OP_LOAD, 1, 0);
    idle_cycles(h, 20);
    assert_int_equal(h->ev[BYW_EV_MISS], 1);
    assert_int_equal(h->l1d->repl.random, BYW_REPL_SEED);
    host_drain(h);
    assert_int_equal(h->l1d->repl.random, first);
    load(h, 1, 1);
    load(h, 1, 0);
    h->error_line = 2;
    load(h, 2, 0);
    h->error_line = UINT64_MAX;
    assert_int_equal(h->l1d->repl.random, first);
    load(h, 2, 0);
    assert_int_equal(h->l1d->repl.random, byw_repl_next_random(first));
    finish(h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hits_take_three_cycles_and_misses_memory_plus_six),
        cmocka_unit_test(a_miss_reserves_no_line),
        cmocka_unit_test(a_sector_miss_adds_its_sector_to_the_line),
        cmocka_unit_test(a_second_fill_finds_the_tag_of_the_first),
        cmocka_unit_test(loads_merge_until_their_fill_is_in_f2),
        cmocka_unit_test(loads_are_never_refused_for_a_line),
        cmocka_unit_test(a_refused_request_does_not_block_the_fill_that_frees_it),
        cmocka_unit_test(one_fill_per_cycle_is_accepted_and_answered),
        cmocka_unit_test(a_failed_fill_installs_nothing),
        cmocka_unit_test(a_store_to_a_pending_sector_detaches_its_mshr),
        cmocka_unit_test(a_store_evicts_the_line_or_updates_its_sector),
        cmocka_unit_test(the_least_recently_used_line_is_evicted),
        cmocka_unit_test(the_random_number_advances_when_a_fill_takes_a_line),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
