/* SPDX-License-Identifier: Apache-2.0
 *
 * Optional features of the L1D's native port: fences, uncached requests, the function field. Each
 * in directed tests, with the cycles and bytes of rtl/doc/handshake.md, then all together under
 * random traffic against a flat memory. The order guard: t_l1d_order.c.
 */
#include "common/byw_l1d_mix.h"
#include "l1d/hand.h"

static struct byw_config config(uint32_t mode)
{
    struct byw_config c = host_scarce_config(mode);

    c.port.fence = c.port.uncached = 1;
    c.port.func_w = 7;
    return c;
}

/* Makes line 8 present and dirty; returns with the cache idle in cycle 40. */
static struct hand dirty_line(const struct byw_config *c)
{
    struct hand h = hand_new(c);

    hand_ask(&h, BYW_OP_LOCAL_LOAD, 8, 0, 1);
    hand_until(&h, 20);
    hand_answer(&h, BYW_MEM_FILL, h.fetch[0].id);
    hand_ask(&h, BYW_OP_LOCAL_STORE, 8, 0, 2);
    hand_until(&h, 40);
    assert_true(h.out.idle);
    assert_int_equal(h.l1d->lines.dirty_count, 1);
    h.fetches = 0;
    return h;
}

/* Store in cycle 40, fence in 41. The store leaves in 43 and is acknowledged in 60, answered in 61;
 * from 62 on nothing is ahead of the fence, which is answered in 63. The dirty line stays dirty. */
static void a_waiting_fence_is_answered_after_everything_before_it(void **state)
{
    struct byw_config c = config(BYW_MODE_BASE);
    struct hand h = dirty_line(&c);

    (void)state;
    hand_ask(&h, BYW_OP_STORE, 9, 0, 3);
    hand_ask(&h, BYW_OP_FENCE, 0, BYW_FENCE_WAIT, 4);
    hand_until(&h, 60);
    assert_int_equal(h.answered, 24); /* cycle of the answer to the local store */
    hand_answer(&h, BYW_MEM_STORE, 3);
    hand_until(&h, 62);
    assert_int_equal(h.rsp.id, 3);
    assert_int_equal(h.answered, 61);
    hand_until(&h, 80);
    assert_int_equal(h.rsp.id, 4);
    assert_int_equal(h.rsp.served, BYW_SERVED_DONE);
    assert_int_equal(h.answered, 63);
    assert_int_equal(h.fetches, 1);
    assert_int_equal(h.left[0], 43);
    assert_int_equal(h.l1d->lines.dirty_count, 1);
    byw_l1d_free(h.l1d);
}

/* A fence in cycle 40 reaches the dirty line, the first of the cache, in 42; the line leaves in 44.
 * Its acknowledgement in 60 releases the fence in 61, answered in 62. The line is then clean; it
 * stays unless the fence drops lines. */
static void flush_with(uint8_t what)
{
    struct byw_config c = config(BYW_MODE_BASE);
    struct hand h = dirty_line(&c);

    hand_ask(&h, BYW_OP_FENCE, 0, what, 5);
    hand_until(&h, 60);
    assert_int_equal(h.fetches, 1);
    assert_int_equal(h.fetch[0].kind, BYW_MEM_WRITEBACK);
    assert_int_equal(h.left[0], 44);
    assert_false(h.out.idle);
    hand_answer(&h, BYW_MEM_WRITEBACK, h.fetch[0].id);
    hand_until(&h, 70);
    assert_int_equal(h.rsp.id, 5);
    assert_int_equal(h.answered, 62);
    assert_true(h.out.idle);
    assert_int_equal(h.l1d->lines.dirty_count, 0);
    hand_ask(&h, BYW_OP_LOCAL_LOAD, 8, 0, 6);
    hand_until(&h, 80);
    if (what == BYW_FENCE_FLUSH) {
        assert_int_equal(h.rsp.id, 6);
        assert_int_equal(h.answered, 73);
        assert_int_equal(h.fetches, 1);
    } else {
        assert_int_equal(h.fetches, 2);
        assert_int_equal(h.fetch[1].kind, BYW_MEM_FILL);
        assert_int_equal(h.left[1], 73);
    }
    byw_l1d_free(h.l1d);
}

static void a_flushing_fence_writes_dirty_lines_back(void **state)
{
    (void)state;
    flush_with(BYW_FENCE_FLUSH);
    flush_with(BYW_FENCE_INVALIDATE);
}

/* An uncached load of the dirty line: in cycle 42 the line enters the write-back register, which is
 * sent in 44; the load, for its own bytes only, in 45. The line is dropped. An uncached store drops
 * a present line, too, although stores update. */
static void an_uncached_request_drops_the_present_line(void **state)
{
    struct byw_config c = config(BYW_MODE_BASE);
    struct hand h;

    (void)state;
    c.l1d_store_hit = BYW_STORE_UPDATE;
    h = dirty_line(&c);
    hand_ask(&h, BYW_OP_LOAD, 8, BYW_HINT_UNCACHED, 7);
    hand_until(&h, 50);
    assert_int_equal(h.fetches, 2);
    assert_int_equal(h.fetch[0].kind, BYW_MEM_WRITEBACK);
    assert_int_equal(h.left[0], 44);
    assert_int_equal(h.fetch[1].kind, BYW_MEM_BYPASS);
    assert_int_equal(h.left[1], 45);
    assert_false(h.fetch[1].atomic);
    assert_int_equal(h.fetch[1].bytes.w[0], 15);
    hand_answer(&h, BYW_MEM_WRITEBACK, 0);
    h.data[0] = 77;
    hand_answer(&h, BYW_MEM_BYPASS, h.fetch[1].id);
    hand_cycle(&h);
    assert_int_equal(h.rsp.id, 7);
    assert_int_equal(h.rsp.served, BYW_SERVED_BYPASS);
    assert_int_equal(h.rsp.data[0], 77);
    hand_ask(&h, BYW_OP_LOAD, 8, 0, 8);
    hand_until(&h, 60);
    assert_int_equal(h.fetches, 3);
    hand_answer(&h, BYW_MEM_FILL, h.fetch[2].id);
    hand_until(&h, 70);
    assert_int_equal(byw_l1d_record(h.l1d, 0)->used, 1);
    hand_ask(&h, BYW_OP_LOCAL_STORE, 8, BYW_HINT_UNCACHED, 9);
    hand_until(&h, 80);
    assert_int_equal(byw_l1d_record(h.l1d, 0)->used, 0);
    assert_int_equal(h.fetch[3].kind, BYW_MEM_STORE);
    byw_l1d_free(h.l1d);
}

/* Uncached requests leave no tag and change no counter, however often they occur. */
static void uncached_requests_train_nothing(void **state)
{
    struct byw_config c = config(BYW_MODE_DECOUPLED);
    struct host *h;
    uint64_t before;

    (void)state;
    c.dec_store_rc = 1;
    c.dec_threshold = 3;
    h = host_new("uncached", &c, host_seed(1));
    host_do(h, BYW_OP_LOAD, 1, BYW_HINT_NONE); /* a candidate */
    before = h->ev[BYW_EV_TAG_WRITE];
    for (uint32_t i = 0; i < 10; i++) {
        host_do(h, BYW_OP_LOAD, i % 3, BYW_HINT_UNCACHED);
        host_do(h, BYW_OP_STORE, i % 3, BYW_HINT_UNCACHED);
    }
    assert_int_equal(h->ev[BYW_EV_TAG_WRITE], before);
    assert_int_equal(h->ev[BYW_EV_BYPASS], 1 + 10);
    assert_int_equal(h->ev[BYW_EV_LOAD], 1 + 10);
    assert_int_equal(h->ev[BYW_EV_ATOMIC], 0);
    assert_int_equal(used_ways(h), 0);
    host_free(h);
}

/* In this memory load-reserved is function 2 and store-conditional 3, which reports a failure as a
 * 1 in the returned bytes. Both drop the cache's copy, so the next load fetches. */
static void load_reserved_and_store_conditional_reach_memory(void **state)
{
    struct byw_config c = config(BYW_MODE_BASE);
    struct hand h = hand_new(&c);

    (void)state;
    hand_ask(&h, BYW_OP_ATOMIC, 8, 0, 2);
    hand_ask(&h, BYW_OP_ATOMIC, 8, 0, 0x103);
    hand_until(&h, 10);
    assert_int_equal(h.fetches, 2);
    assert_true(h.fetch[0].atomic && h.fetch[1].atomic);
    assert_int_equal(h.fetch[0].func, 2);
    assert_int_equal(h.fetch[1].func, 3); /* seven bits */
    hand_answer(&h, BYW_MEM_BYPASS, h.fetch[0].id);
    h.data[0] = 1;
    hand_answer(&h, BYW_MEM_BYPASS, h.fetch[1].id);
    hand_cycle(&h);
    assert_int_equal(h.rsp.id, 0x103);
    assert_int_equal(h.rsp.data[0], 1);
    hand_ask(&h, BYW_OP_LOAD, 8, 0, 4);
    hand_until(&h, 20);
    assert_int_equal(h.fetch[2].kind, BYW_MEM_FILL);
    assert_int_equal(h.fetch[2].func, 4);
    byw_l1d_free(h.l1d);
}

/* Lines of 8 bytes in 4 sets: lines 5, 9 and 13 share set 1 and its two ways. A fetch is for 8
 * bytes; 13 evicts 5, the oldest; 9 still hits, in 3 cycles. */
static void lines_of_eight_bytes_work(void **state)
{
    static const uint64_t line[] = {5, 9, 13};
    struct byw_config c = config(BYW_MODE_BASE);
    struct hand h;

    (void)state;
    c.l1d_line = 8;
    c.l1d_ways = 2;
    h = hand_new(&c);
    for (uint32_t i = 0; i < 3; i++) {
        hand_ask(&h, BYW_OP_LOAD, line[i], 0, i);
        hand_until(&h, 10 * (i + 1));
        assert_int_equal(h.fetch[i].bytes.w[0], 0xff);
        assert_int_equal(h.fetch[i].line, line[i]);
        hand_answer(&h, BYW_MEM_FILL, h.fetch[i].id);
    }
    hand_until(&h, 40);
    assert_int_equal(byw_l1d_record(h.l1d, 1)->used, 3);
    assert_int_equal(byw_l1d_record(h.l1d, 0)->used, 0);
    hand_ask(&h, BYW_OP_LOAD, 9, 0, 20);
    hand_until(&h, 50);
    assert_int_equal(h.rsp.id, 20);
    assert_int_equal(h.answered, 43);
    hand_ask(&h, BYW_OP_LOAD, 5, 0, 21);
    hand_until(&h, 60);
    assert_int_equal(h.fetches, 4);
    byw_l1d_free(h.l1d);
}

static void run(const char *name, const struct byw_config *c, uint32_t accesses)
{
    static const struct host_mix mix = {.lines = 96,
                                        .percent = 80,
                                        .stores = 20,
                                        .atomics = 4,
                                        .locals = 30,
                                        .hints = 10,
                                        .flushes = 2};
    struct host *h = host_new(name, c, host_seed(1));
    uint8_t data[HOST_WHOLE];
    struct byw_req req;
    bool offered = false;

    host_disturb(h);
    for (uint32_t n = 0; n < accesses;) {
        if (!offered)
            offered = host_random_req(h, &mix, data, &req);
        if (byw_rng_below(&h->rng, 300) == 0)
            h->bypass = !h->bypass;
        if (host_cycle(h, offered ? &req : NULL)) {
            offered = false;
            n++;
        }
        host_check(h);
    }
    host_drain(h);
    host_check_counts(h);
    host_free(h);
}

static void every_port_option_returns_the_right_bytes(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 12; i++) {
        struct byw_config c = config(i % 3);

        c.l1d_store_hit = i % 2;
        c.byp_on_hit = i / 2 % 3;
        c.l1d_look = i / 6;
        c.port.order = i % 3;
        if (i % 4 == 3) {
            c.policy_mode = BYW_MODE_BASE;
            c.l1d_alloc = BYW_ALLOC_ON_FILL;
            c.l1d_look = 0;
            c.l1d_sectors = 4;
        }
        run("fences and uncached requests", &c, 30000);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_waiting_fence_is_answered_after_everything_before_it),
        cmocka_unit_test(a_flushing_fence_writes_dirty_lines_back),
        cmocka_unit_test(an_uncached_request_drops_the_present_line),
        cmocka_unit_test(uncached_requests_train_nothing),
        cmocka_unit_test(load_reserved_and_store_conditional_reach_memory),
        cmocka_unit_test(lines_of_eight_bytes_work),
        cmocka_unit_test(every_port_option_returns_the_right_bytes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
