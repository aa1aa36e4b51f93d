/* SPDX-License-Identifier: Apache-2.0
 *
 * Directed tests of the whole L1D: kernel start, invalidate, flush, local lines, reset, switching
 * the filter off, sleep (rtl/doc/l1d_pipeline.md).
 */
#include "common/byw_l1d_mix.h"

static struct byw_config config(uint32_t mode)
{
    struct byw_config c;

    byw_config_defaults(&c);
    c.dec_rc_init = 0; /* the third touch allocates a line */
    c.policy_mode = mode;
    return c;
}

static struct host *make(const char *name, const struct byw_config *c)
{
    return host_new(name, c, host_seed(1));
}

static void a_kernel_start_drops_fills_in_flight(void **state)
{
    struct byw_config c = config(BYW_MODE_BASE);
    struct host *h = make("kernel start in flight", &c);
    uint32_t pending;

    (void)state;
    host_do(h, BYW_OP_LOAD, 1, BYW_HINT_NONE);
    pending = host_send(h, BYW_OP_LOAD, 2, BYW_HINT_NONE);
    idle_cycles(h, 5);
    h->kernel_start = true;
    host_cycle(h, NULL);
    host_check(h);
    assert_int_equal(used_ways(h), 0);
    host_drain(h);
    assert_int_equal(h->rsp_served[pending], BYW_SERVED_FILL);
    assert_int_equal(used_ways(h), 0); /* the fill was dropped */
    assert_true(host_do(h, BYW_OP_LOAD, 1, BYW_HINT_NONE) > 3);
    assert_true(host_do(h, BYW_OP_LOAD, 2, BYW_HINT_NONE) > 3);
    host_free(h);
}

static void local_stores_are_written_back(void **state)
{
    struct byw_config c = config(BYW_MODE_BASE);
    struct host *h;
    uint32_t i;

    (void)state;
    c.l1d_sets = 1;
    h = make("local lines", &c);
    host_do(h, BYW_OP_LOCAL_STORE, 1, BYW_HINT_NONE); /* absent: through */
    assert_int_equal(h->ev[BYW_EV_MEM_WRITE], 1);
    host_do(h, BYW_OP_LOCAL_LOAD, 1, BYW_HINT_NONE);
    assert_int_equal(host_do(h, BYW_OP_LOCAL_STORE, 1, BYW_HINT_NONE), 3); /* present: not sent */
    assert_int_equal(h->ev[BYW_EV_MEM_WRITE], 1);
    assert_int_equal(host_do(h, BYW_OP_LOCAL_LOAD, 1, BYW_HINT_NONE), 3);
    for (i = 2; i < 6; i++) /* evicts the dirty line */
        host_do(h, BYW_OP_LOCAL_LOAD, i, BYW_HINT_NONE);
    assert_int_equal(h->ev[BYW_EV_MEM_WRITE], 2);
    host_do(h, BYW_OP_LOCAL_LOAD, 1, BYW_HINT_NONE); /* the written bytes come back from memory */
    host_do(h, BYW_OP_LOCAL_STORE, 1, BYW_HINT_NONE);
    host_do(h, BYW_OP_FLUSH, 0, BYW_HINT_NONE);
    assert_int_equal(h->ev[BYW_EV_MEM_WRITE], 3);
    assert_memory_equal(h->mem[1], h->ref[1], HOST_WHOLE);
    assert_int_equal(host_do(h, BYW_OP_LOCAL_LOAD, 1, BYW_HINT_NONE), 3); /* flushed, not dropped */
    host_do(h, BYW_OP_LOCAL_STORE, 1, BYW_HINT_NONE);
    host_do(h, BYW_OP_ATOMIC, 1, BYW_HINT_NONE); /* memory must get the dirty bytes first */
    host_do(h, BYW_OP_FLUSH, 0, BYW_HINT_NONE);
    host_do(h, BYW_OP_INVALIDATE, 0, BYW_HINT_NONE);
    assert_int_equal(used_ways(h), 0);
    host_free(h);
}

/* After an INVALIDATE no load sees a fill that was requested before it. */
static void a_load_after_invalidate_never_sees_an_older_fill(void **state)
{
    struct byw_config c = config(BYW_MODE_BASE);
    struct host *h = make("invalidate in flight", &c);
    uint32_t old, late;

    (void)state;
    h->latency = 60;
    old = host_send(h, BYW_OP_LOAD, 3, BYW_HINT_NONE);
    host_send(h, BYW_OP_INVALIDATE, 0, BYW_HINT_NONE);
    late = host_send(h, BYW_OP_LOAD, 3, BYW_HINT_NONE);
    host_drain(h);
    assert_int_equal(h->ev[BYW_EV_MISS], 2);
    assert_int_equal(h->ev[BYW_EV_MEM_READ], 2);
    assert_int_equal(h->rsp_served[old], BYW_SERVED_FILL);
    assert_int_equal(h->rsp_served[late], BYW_SERVED_FILL);
    host_check(h);
    host_free(h);
}

/* FLUSH is answered when every dirty byte and every older store has left for memory. */
static void flush_waits_for_dirty_bytes_and_older_stores(void **state)
{
    struct byw_config c = config(BYW_MODE_BASE);
    struct host *h = make("flush waits", &c);
    uint32_t i, id;

    (void)state;
    for (i = 0; i < 6; i++) {
        host_do(h, BYW_OP_LOCAL_LOAD, i, BYW_HINT_NONE);
        host_do(h, BYW_OP_LOCAL_STORE, i, BYW_HINT_NONE);
    }
    h->req_percent = 5;
    host_send(h, BYW_OP_STORE, 100, BYW_HINT_NONE);
    id = host_send(h, BYW_OP_FLUSH, 0, BYW_HINT_NONE);
    while (h->id[id].busy)
        host_cycle(h, NULL);
    assert_memory_equal(h->mem, h->ref, sizeof(h->mem));
    host_drain(h);
    h->req_percent = 0; /* nothing is dirty, but a store is still in the queue */
    host_send(h, BYW_OP_STORE, 101, BYW_HINT_NONE);
    id = host_send(h, BYW_OP_FLUSH, 0, BYW_HINT_NONE);
    idle_cycles(h, 50);
    assert_true(h->id[id].busy);
    h->req_percent = 100;
    host_drain(h);
    host_free(h);
}

/* zero_reuse_evictions considers hits since the fill; requests that merged before it do not
 * count. */
static void merged_loads_are_not_hits_since_the_fill(void **state)
{
    struct byw_config c = config(BYW_MODE_BASE);
    struct host *h;
    uint32_t i;

    (void)state;
    c.l1d_sets = 1;
    c.l1d_ways = 1;
    h = make("zero reuse", &c);
    host_send(h, BYW_OP_LOAD, 1, BYW_HINT_NONE);
    host_send(h, BYW_OP_LOAD, 1, BYW_HINT_NONE);
    host_drain(h);
    assert_int_equal(h->ev[BYW_EV_HIT_PENDING], 1);
    host_do(h, BYW_OP_LOAD, 2, BYW_HINT_NONE); /* line 1 leaves, never hit */
    assert_int_equal(h->ev[BYW_EV_EVICT], 1);
    assert_int_equal(h->ev[BYW_EV_EVICT_ZERO], 1);
    host_do(h, BYW_OP_LOAD, 2, BYW_HINT_NONE);
    host_do(h, BYW_OP_LOAD, 3, BYW_HINT_NONE); /* line 2 leaves, hit once */
    assert_int_equal(h->ev[BYW_EV_EVICT], 2);
    assert_int_equal(h->ev[BYW_EV_EVICT_ZERO], 1);
    for (i = 4; i < 8; i++) /* a line does not inherit the hits of its predecessor */
        host_do(h, BYW_OP_LOAD, i, BYW_HINT_NONE);
    assert_int_equal(h->ev[BYW_EV_EVICT_ZERO], 5);
    host_do(h, BYW_OP_STORE, 7, BYW_HINT_NONE); /* write-evict */
    assert_int_equal(h->ev[BYW_EV_EVICT_ZERO], 6);
    assert_int_equal(h->ev[BYW_EV_EVICT], 7);
    host_free(h);
}

/* One cycle with the filter off drops the candidates of all sets, accessed or not. */
static void one_cycle_without_filter_drops_all_candidates(void **state)
{
    struct byw_config c = config(BYW_MODE_DECOUPLED);
    struct host *h = make("filter pulse", &c);

    (void)state;
    host_do(h, BYW_OP_LOAD, 1, BYW_HINT_NONE);
    host_do(h, BYW_OP_LOAD, 1, BYW_HINT_NONE);
    host_do(h, BYW_OP_LOAD, 2, BYW_HINT_CACHE);
    assert_int_equal(h->ev[BYW_EV_NEW_TAG], 1);
    assert_int_equal(h->ev[BYW_EV_CANDIDATE], 1);
    h->filter_on = false;
    host_cycle(h, NULL);
    h->filter_on = true;
    host_do(h, BYW_OP_LOAD, 1, BYW_HINT_NONE);
    assert_int_equal(h->ev[BYW_EV_NEW_TAG], 2);
    assert_int_equal(host_do(h, BYW_OP_LOAD, 2, BYW_HINT_NONE), 3); /* lines stay */
    host_free(h);
}

/* In the cycle of kernel_start nothing is decided: a request at the decision point then finds the
 * cache empty. */
static void nothing_is_decided_in_the_cycle_of_a_kernel_start(void **state)
{
    struct byw_config c = config(BYW_MODE_BASE);
    uint32_t at;

    (void)state;
    for (at = 0; at < 5; at++) {
        struct host *h = make("kernel start at decision", &c);
        uint32_t i, id;

        host_do(h, BYW_OP_LOAD, 1, BYW_HINT_NONE);
        h->kernel_start = at == 0;
        id = host_send(h, BYW_OP_LOAD, 1, BYW_HINT_NONE);
        for (i = 1; i < 5; i++) {
            h->kernel_start = at == i;
            host_cycle(h, NULL);
        }
        host_drain(h);
        assert_int_equal(h->rsp_served[id], at <= 2 ? BYW_SERVED_FILL : BYW_SERVED_HIT);
        host_free(h);
    }
}

static void idle_is_low_while_anything_is_in_flight(void **state)
{
    static const uint8_t op[] = {BYW_OP_LOAD, BYW_OP_STORE, BYW_OP_ATOMIC};
    struct byw_config c = config(BYW_MODE_BASE);
    struct host *h = make("idle", &c);
    uint32_t i;

    (void)state;
    h->latency = 50;
    host_cycle(h, NULL);
    assert_true(h->out.idle);
    for (i = 0; i < 3; i++) {
        uint32_t id = host_send(h, (enum byw_op)op[i], i, BYW_HINT_NONE);

        host_cycle(h, NULL);
        while (h->id[id].busy) {
            assert_false(h->out.idle);
            host_cycle(h, NULL);
        }
        host_cycle(h, NULL);
        assert_true(h->out.idle);
    }
    host_free(h);
}

static void reset_restores_the_initial_state(void **state)
{
    struct byw_config c = config(BYW_MODE_DECOUPLED);
    struct host *h = make("reset", &c), *fresh = make("fresh", &c);
    struct byw_l1d_in in = {.rst = true};
    struct byw_l1d_out out;
    uint32_t i;

    (void)state;
    for (i = 0; i < 20; i++)
        host_send(h, BYW_OP_LOAD, i % 5, BYW_HINT_NONE);
    byw_l1d_eval(h->l1d, &in, &out);
    assert_false(out.req_ready || out.rsp_valid || out.mem_req_valid || out.mem_rsp_ready);
    byw_l1d_tick(h->l1d, &in);
    assert_true(byw_l1d_digest(h->l1d) == byw_l1d_digest(fresh->l1d));
    host_free(h);
    host_free(fresh);
}

/* eval and tick are the two halves of step. */
static void step_halves(struct host *h, const struct byw_l1d_in *in, struct byw_l1d_out *out)
{
    byw_l1d_eval(h->l1d, in, out);
    byw_l1d_tick(h->l1d, in);
}

static void eval_and_tick_equal_step(void **state)
{
    struct host_mix mix = {
        .lines = 64, .percent = 70, .stores = 20, .atomics = 5, .locals = 20, .hints = 10};
    struct byw_config c = config(BYW_MODE_DECOUPLED);
    struct host *h[2];
    int i, n;

    (void)state;
    c.l1d_sets = 2;
    for (i = 0; i < 2; i++) {
        h[i] = make("eval and tick", &c);
        h[i]->step = i == 0 ? NULL : step_halves;
        h[i]->jitter = 30;
        h[i]->rsp_percent = 80;
        for (n = 0; n < 20000; n++) {
            uint8_t data[HOST_WHOLE];
            struct byw_req req;
            bool offered = host_random_req(h[i], &mix, data, &req);

            host_cycle(h[i], offered ? &req : NULL);
        }
        host_drain(h[i]);
    }
    assert_true(h[0]->digest == h[1]->digest);
    assert_true(byw_l1d_digest(h[0]->l1d) == byw_l1d_digest(h[1]->l1d));
    host_free(h[0]);
    host_free(h[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_kernel_start_drops_fills_in_flight),
        cmocka_unit_test(local_stores_are_written_back),
        cmocka_unit_test(a_load_after_invalidate_never_sees_an_older_fill),
        cmocka_unit_test(flush_waits_for_dirty_bytes_and_older_stores),
        cmocka_unit_test(merged_loads_are_not_hits_since_the_fill),
        cmocka_unit_test(one_cycle_without_filter_drops_all_candidates),
        cmocka_unit_test(nothing_is_decided_in_the_cycle_of_a_kernel_start),
        cmocka_unit_test(idle_is_low_while_anything_is_in_flight),
        cmocka_unit_test(reset_restores_the_initial_state),
        cmocka_unit_test(eval_and_tick_equal_step),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
