/* SPDX-License-Identifier: Apache-2.0
 *
 * MRPB's queues (mechanisms/baselines.md 2.3): the order in which requests leave them, and the L1
 * of an SM behind them.
 */
#include "common/byw_l1d_mix.h"
#include "l1d/byw_req_queue.h"
#include "top/byw_sm_l1.h"

static struct byw_config config_of(const char *queues, const char *depth)
{
    struct byw_config c;

    byw_config_defaults(&c);
    assert_int_equal(byw_config_set(&c, "mrpb.enable", "on", "", NULL), BYW_OK);
    assert_int_equal(byw_config_set(&c, "mrpb.queues", queues, "", NULL), BYW_OK);
    assert_int_equal(byw_config_set(&c, "mrpb.depth", depth, "", NULL), BYW_OK);
    return c;
}

static const struct byw_req_queue_ops *ops;

static void *make(const char *queues, const char *depth)
{
    const struct byw_config c = config_of(queues, depth);
    const struct byw_mech *mech = byw_mech_named("mrpb");
    const struct byw_mech_setup setup = byw_mech_setup_of(&c, mech);
    void *self;

    ops = mech->queue;
    assert_int_equal(ops->create(&setup, &self), BYW_OK);
    return self;
}

static void push(void *self, uint8_t warp, uint32_t id)
{
    const struct byw_req req = {.warp = warp, .id = id};

    assert_true(ops->room(self, &req));
    ops->push(self, &req);
}

static void leaves(void *self, uint32_t id)
{
    assert_false(ops->empty(self));
    assert_int_equal(ops->choose(self)->id, id);
    ops->pop(self);
}

static void the_first_nonempty_queue_has_priority(void **state)
{
    void *self = make("48", "8");

    (void)state;
    push(self, 5, 1);
    push(self, 2, 2);
    push(self, 5, 3);
    push(self, 2, 4);
    leaves(self, 2);
    leaves(self, 4);
    push(self, 0, 5);
    leaves(self, 5); /* leaves before 1 and 3, which arrived earlier */
    leaves(self, 1);
    push(self, 4, 6);
    leaves(self, 6);
    leaves(self, 3);
    assert_true(ops->empty(self));
    assert_int_equal(ops->counters(self)[0], 6); /* requests */
    assert_int_equal(ops->counters(self)[1], 4); /* 2, 4, 5 and 6 overtook others */
    ops->release(self);
}

/* Warp 0 has a request at each of its turns, so the request of warp 9 waits until warp 0 stops, and
 * counts as starved once more than 1000 requests have overtaken it. */
static void starve(uint32_t passing, uint64_t starved)
{
    void *self = make("48", "8");

    push(self, 9, 5000);
    for (uint32_t i = 0; i < passing; i++) {
        push(self, 0, i);
        leaves(self, i);
    }
    leaves(self, 5000);
    assert_int_equal(ops->counters(self)[1], passing);
    assert_int_equal(ops->counters(self)[2], starved);
    ops->release(self);
}

static void requests_overtaken_by_over_1000_count_as_starved(void **state)
{
    (void)state;
    starve(1000, 0);
    starve(1001, 1);
}

/* An offered request stays offered when others arrive. */
static void an_offered_request_stays_offered(void **state)
{
    void *self = make("48", "8");

    (void)state;
    push(self, 5, 1);
    assert_int_equal(ops->choose(self)->id, 1);
    push(self, 0, 2);
    leaves(self, 1);
    leaves(self, 2);
    ops->release(self);
}

static void warps_share_queues_modulo_their_number(void **state)
{
    const struct byw_req of_6 = {.warp = 6}, of_3 = {.warp = 3};
    void *self = make("4", "2");

    (void)state;
    push(self, 2, 1);
    push(self, 6, 2); /* 6 mod 4 = 2: the same queue */
    assert_false(ops->room(self, &of_6));
    assert_true(ops->room(self, &of_3));
    leaves(self, 1);
    assert_true(ops->room(self, &of_6));
    leaves(self, 2);
    ops->reset(self);
    assert_int_equal(ops->counters(self)[0], 0);
    ops->release(self);
}

static void step(struct host *h, const struct byw_l1d_in *in, struct byw_l1d_out *out)
{
    byw_sm_l1_step(h->owner, in, h->filter_on, false, out);
}

/* Creates an SM's L1 with the queue, connected to the host's memory. */
static struct host *bench(struct byw_sm_l1 *sm, const struct byw_config *c)
{
    struct host *h = host_new("mrpb", c, host_seed(7));

    assert_int_equal(byw_sm_l1_init(sm, c, &byw_l1d_model, true, NULL), BYW_OK);
    h->owner = sm;
    h->step = step;
    return h;
}

/* Requests of one warp keep their order, so that each load sees the stores before it; flushes and
 * invalidations wait for earlier requests. */
static void requests_of_one_warp_stay_in_order(void **state)
{
    static const struct host_mix mix = {
        .lines = 40, .percent = 95, .stores = 30, .atomics = 4, .locals = 30, .flushes = 2};
    struct byw_config c = config_of("3", "2");
    struct byw_sm_l1 sm;
    uint8_t data[HOST_WHOLE];
    struct byw_req req;
    struct host *h;
    bool offered = false;

    (void)state;
    c.stall_bypass = BYW_STALL_ANY;
    c.l1d_sets = 32;
    c.l1d_mshrs = 3;
    h = bench(&sm, &c);
    h->jitter = 30;
    h->rsp_percent = 80;
    h->req_percent = 70;
    for (uint32_t n = 0; n < 10000;) {
        if (!offered)
            offered = host_random_req(h, &mix, data, &req);
        req.warp = 1;
        if (host_cycle(h, offered ? &req : NULL)) {
            offered = false;
            n++;
        }
    }
    host_drain(h);
    byw_sm_l1_count_mechs(&sm);
    assert_true(sm.stats.mech[byw_mech_counter_base(byw_mech_named("mrpb"))] > 9000);
    byw_sm_l1_release(&sm);
    host_free(h);
}

/* A request takes one cycle longer: it enters the queue in one cycle and is offered in the next. */
static void a_queued_request_takes_one_more_cycle(void **state)
{
    uint64_t cycles[2];

    (void)state;
    for (int with = 0; with < 2; with++) {
        struct byw_config c = config_of("48", "8");
        struct byw_sm_l1 sm;
        struct host *h;

        assert_int_equal(byw_config_set(&c, "mrpb.enable", with ? "on" : "off", "", NULL), BYW_OK);
        h = bench(&sm, &c);
        host_do(h, BYW_OP_LOAD, 1, BYW_HINT_NONE);
        cycles[with] = host_do(h, BYW_OP_LOAD, 1, BYW_HINT_NONE);
        byw_sm_l1_release(&sm);
        host_free(h);
    }
    assert_int_equal(cycles[1], cycles[0] + 1);
}

/* The L1 does not sleep while a request is waiting that the L1D could accept. */
static void the_l1_stays_awake_while_a_queued_request_can_enter(void **state)
{
    struct byw_config c = config_of("48", "8");
    struct byw_sm_l1 sm;
    struct host *h = bench(&sm, &c);
    enum byw_event held;

    (void)state;
    assert_true(byw_sm_l1_asleep(&sm, true, false, &held));
    host_send(h, BYW_OP_LOAD, 1, BYW_HINT_NONE); /* returns when the queue has accepted it */
    assert_false(byw_sm_l1_asleep(&sm, true, false, &held));
    host_drain(h);
    assert_true(byw_sm_l1_asleep(&sm, true, false, &held));
    byw_sm_l1_release(&sm);
    host_free(h);
}

/* With `stall` behind MRPB's queues: a load that finds every line of its set in flight bypasses
 * with `line` and `any`, one that finds no MSHR only with `any`. */
static void stall_bypass_works_behind_the_queues(void **state)
{
    static const uint32_t bypasses[3][2] = {
        [BYW_STALL_OFF] = {0, 0}, [BYW_STALL_LINE] = {1, 0}, [BYW_STALL_ANY] = {1, 1}};

    (void)state;
    for (uint32_t stall = BYW_STALL_OFF; stall <= BYW_STALL_ANY; stall++)
        for (int mshrs = 0; mshrs < 2; mshrs++) {
            struct byw_config c = config_of("48", "8");
            struct byw_sm_l1 sm;
            struct host *h;

            c.stall_bypass = stall;
            c.l1d_sets = mshrs ? 8 : 1; /* lines 0 1 2: one set or three */
            c.l1d_ways = 2;
            c.l1d_mshrs = mshrs ? 2 : 8;
            h = bench(&sm, &c);
            h->latency = 200;
            for (uint64_t line = 0; line < 3; line++)
                host_send(h, BYW_OP_LOAD, line, BYW_HINT_NONE);
            host_drain(h);
            assert_int_equal(h->ev[BYW_EV_BYPASS], bypasses[stall][mshrs]);
            assert_int_equal(h->ev[BYW_EV_MISS], 3 - bypasses[stall][mshrs]);
            byw_sm_l1_release(&sm);
            host_free(h);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_nonempty_queue_has_priority),
        cmocka_unit_test(an_offered_request_stays_offered),
        cmocka_unit_test(warps_share_queues_modulo_their_number),
        cmocka_unit_test(requests_of_one_warp_stay_in_order),
        cmocka_unit_test(a_queued_request_takes_one_more_cycle),
        cmocka_unit_test(the_l1_stays_awake_while_a_queued_request_can_enter),
        cmocka_unit_test(requests_overtaken_by_over_1000_count_as_starved),
        cmocka_unit_test(stall_bypass_works_behind_the_queues),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
