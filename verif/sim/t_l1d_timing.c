/* SPDX-License-Identifier: Apache-2.0
 *
 * t_l1d_timing.c - the L1D's bounds, for both ways of allocating: the decision point accepts as
 * many entries as the key says, and one more in the cycle after an entry is freed, not before.
 */
#include "common/byw_l1d_host.h"
#include "sim/timing_keys.h"

static struct host *start(void **state, uint32_t n, uint32_t on_fill)
{
    struct byw_config c;

    byw_config_defaults(&c);
    c.l1d_alloc = on_fill ? BYW_ALLOC_ON_FILL : BYW_ALLOC_ON_MISS;
    *timing_key(state, &c) = n;
    return host_new("L1D timing", &c, host_seed(1));
}

static uint64_t accepted(const struct host *h)
{
    return h->ev[BYW_EV_LOAD] + h->ev[BYW_EV_STORE];
}

/* Sends one more request than fits; the last one is refused for `why` in every cycle. */
static void one_too_many(struct host *h, enum byw_op op, enum byw_hint hint, uint32_t lines,
                         uint32_t n, enum byw_event why)
{
    uint64_t refused;

    /* far enough apart that fills do not meet in the pipeline */
    for (uint32_t i = 0; i <= n; i++) {
        host_send(h, op, i % lines, hint);
        for (int wait = 0; wait < 8; wait++)
            host_cycle(h, NULL);
    }
    assert_int_equal(accepted(h), n);
    refused = h->ev[why];
    for (uint64_t i = 0; i < 10; i++) {
        assert_int_equal(h->ev[why], refused + i);
        host_cycle(h, NULL);
    }
    assert_int_equal(accepted(h), n);
}

/* Expects nothing to be accepted up to and in cycle `at`, and one request in the next. */
static void accepted_behind(struct host *h, uint64_t at)
{
    uint64_t before = accepted(h);

    assert_true(at + 1 >= h->cycle);
    while (h->cycle <= at)
        host_cycle(h, NULL);
    assert_int_equal(accepted(h), before);
    host_cycle(h, NULL);
    assert_int_equal(accepted(h), before + 1);
}

/* --- MSHRs -------------------------------------------------------------------------------- */

/* Steps until *count decreases; returns that cycle. */
static uint64_t falls(struct host *h, const uint32_t *count)
{
    uint32_t before = *count;

    for (int i = 0; *count == before; i++) {
        assert_true(i < 1000);
        host_cycle(h, NULL);
    }
    return h->cycle - 1;
}

/* Expects that exactly n entries can be used, and that one is free after the answer that decreases
 * *count. */
static void places_hold(void **state, enum byw_hint hint, enum byw_event why, size_t count)
{
    for (uint32_t i = 0; i < 6; i++) {
        uint32_t n = 1 + i / 2 * 4;
        struct host *h = start(state, n, i % 2);

        h->latency = 200;
        one_too_many(h, BYW_OP_LOAD, hint, 100, n, why);
        accepted_behind(h, falls(h, (const uint32_t *)((const char *)h + count)));
        host_drain(h);
        host_free(h);
    }
}

/* With the look stage, a hit and a miss take one cycle more (details: t_l1d_look.c). */
static void look_stage_takes_one(void **state)
{
    (void)state;
    for (uint32_t on = 0; on < 2; on++) {
        struct byw_config c;
        struct host *h;

        byw_config_defaults(&c);
        c.l1d_look = on;
        h = host_new("look stage", &c, host_seed(1));
        h->latency = 20;
        assert_int_equal(host_do(h, BYW_OP_LOAD, 1, BYW_HINT_NONE), 24 + on);
        assert_int_equal(host_do(h, BYW_OP_LOAD, 1, BYW_HINT_NONE), 3 + on);
        host_free(h);
    }
}

/* An MSHR is free after the answer to its last request. */
static void mshrs_hold(void **state)
{
    places_hold(state, BYW_HINT_NONE, BYW_EV_FAIL_MSHR, offsetof(struct host, outstanding));
}

/* After its fill, a line serves loads as hits. */
static void mshr_lists_hold(void **state)
{
    for (uint32_t i = 0; i < 6; i++) {
        uint32_t n = 1 + i / 2 * 4;
        struct host *h = start(state, n, i % 2);

        h->latency = 200;
        one_too_many(h, BYW_OP_LOAD, BYW_HINT_NONE, 1, n, BYW_EV_FAIL_MERGE);
        while (h->ev[BYW_EV_FILL] == 0) {
            assert_int_equal(accepted(h), n);
            host_cycle(h, NULL);
        }
        accepted_behind(h, h->cycle - 1);
        assert_int_equal(h->ev[BYW_EV_HIT], 1);
        host_drain(h);
        host_free(h);
    }
}

/* --- to the crossbar ---------------------------------------------------------------------- */

/* With the crossbar closed, the queue fills; each packet that leaves makes room for one. */
static void queue_holds(void **state, enum byw_op op, enum byw_hint hint, enum byw_event why)
{
    for (uint32_t i = 0; i < 6; i++) {
        uint32_t n = 1 + i / 2 * 4;
        struct host *h = start(state, n, i % 2);

        h->req_percent = 0;
        one_too_many(h, op, hint, 100, n, why);
        for (int more = 0; more < 3; more++) {
            uint64_t left;

            h->req_percent = 100;
            left = h->cycle;
            host_cycle(h, NULL);
            h->req_percent = 0;
            assert_int_equal(accepted(h), n + (uint64_t)more);
            accepted_behind(h, left);
            host_send(h, op, 50 + (uint64_t)more, hint);
            host_cycle(h, NULL);
        }
        h->req_percent = 100;
        host_drain(h);
        host_free(h);
    }
}

static void miss_queue_holds(void **state)
{
    queue_holds(state, BYW_OP_STORE, BYW_HINT_NONE, BYW_EV_FAIL_MISS_QUEUE);
    queue_holds(state, BYW_OP_LOAD, BYW_HINT_NONE, BYW_EV_FAIL_MISS_QUEUE);
}

static void bypass_queue_holds(void **state)
{
    queue_holds(state, BYW_OP_LOAD, BYW_HINT_BYPASS, BYW_EV_FAIL_ICNT);
}

/* A tracker is free after the memory's answer. */
static void trackers_hold(void **state)
{
    places_hold(state, BYW_HINT_BYPASS, BYW_EV_FAIL_ICNT, offsetof(struct host, in_flight));
}

/* --- inside ------------------------------------------------------------------------------- */

/* A hit is answered three cycles after its request, one per cycle. If the requester is not
 * ready, one request waits at the exit, one at the decision point and one before it; the next is
 * accepted in the cycle in which the first leaves. */
static void stages_hold(void **state)
{
    struct byw_config c;
    struct host *h;
    uint64_t start_at;
    uint32_t id;

    (void)state;
    byw_config_defaults(&c);
    h = host_new("L1D stages", &c, host_seed(1));
    host_do(h, BYW_OP_LOAD, 1, BYW_HINT_NONE);
    start_at = h->cycle;
    id = host_send(h, BYW_OP_LOAD, 1, BYW_HINT_NONE);
    while (h->cycle < start_at + 3)
        host_cycle(h, NULL);
    assert_int_equal(h->outstanding, 1);
    host_cycle(h, NULL);
    assert_int_equal(h->outstanding, 0);
    assert_int_equal(h->rsp_cycle[id], start_at + 3);
    h->rsp_percent = 0;
    for (int i = 0; i < 3; i++)
        host_send(h, BYW_OP_LOAD, 1, BYW_HINT_NONE);
    for (int i = 0; i < 5; i++) {
        host_cycle(h, NULL);
        assert_false(h->out.req_ready);
    }
    h->rsp_percent = 100;
    host_cycle(h, NULL);
    assert_true(h->out.req_ready);
    host_drain(h);
    host_free(h);
}

/* Two fills are accepted while the requests of the first are answered; the third when the last of
 * them is answered. */
static void fill_buffers_hold(void **state)
{
    enum { MERGED = 8 };
    struct byw_config c;
    struct host *h;
    uint64_t first;

    (void)state;
    byw_config_defaults(&c);
    h = host_new("L1D fill buffers", &c, host_seed(1));
    h->latency = 60;
    for (uint64_t line = 1; line <= 3; line++)
        host_send(h, BYW_OP_LOAD, line, BYW_HINT_NONE);
    for (int i = 1; i < MERGED; i++)
        host_send(h, BYW_OP_LOAD, 1, BYW_HINT_NONE);
    while (h->ev[BYW_EV_FILL] == 0)
        host_cycle(h, NULL);
    first = h->cycle - 1;
    host_cycle(h, NULL);
    assert_int_equal(h->ev[BYW_EV_FILL], BYW_FILL_BUFFERS);
    while (h->cycle <= first + MERGED) {
        assert_int_equal(h->ev[BYW_EV_FILL], BYW_FILL_BUFFERS);
        host_cycle(h, NULL);
    }
    assert_int_equal(h->ev[BYW_EV_FILL], BYW_FILL_BUFFERS);
    host_cycle(h, NULL);
    assert_int_equal(h->ev[BYW_EV_FILL], BYW_FILL_BUFFERS + 1);
    host_drain(h);
    host_free(h);
}

int main(void)
{
#define L1D TIMING_KEY
#define L1D_BOUND TIMING_BOUND
    const struct CMUnitTest tests[] = {
#include "sim/timing_keys.def"
    };

    return cmocka_run_group_tests_name("l1d_timing", tests, NULL, NULL);
}
