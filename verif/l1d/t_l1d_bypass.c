/* SPDX-License-Identifier: Apache-2.0
 *
 * The bypass mechanisms inside the L1D: bypass mode (loads do not probe the tags, stores still
 * update lines, dirty bytes are written first, a request keeps the mode in which it was accepted);
 * mixtures of all mechanisms under random traffic with every byte checked; and a mechanism without
 * effect changes nothing (mechanisms/two_level.md 3.3, mechanisms/across.md 15.1: 4, 5, 11).
 */
#include "common/byw_l1d_mix.h"
#include "policy/byw_policy_events.h"

static struct byw_config config(void)
{
    struct byw_config c;

    byw_config_defaults(&c);
    c.l1d_sets = 8;
    c.l1d_ways = 2;
    c.l1d_store_hit = BYW_STORE_UPDATE;
    return c;
}

/* mechanisms/across.md 15.1, assertion 11, for a mix of loads, stores and atomics. */
static void loads_in_bypass_mode_do_not_probe_the_tags(void **state)
{
    static const struct host_mix mix = {
        .lines = 60, .percent = 80, .stores = 30, .atomics = 5, .hints = 10};
    struct byw_config c = config();
    struct host *h = host_new("no probe", &c, host_seed(5));
    uint8_t data[HOST_WHOLE];
    struct byw_req req;
    uint64_t reads, others = 0, loads = 0, i;

    (void)state;
    for (i = 0; i < 500; i++) /* lines that C mode can find */
        host_cycle(h, host_random_req(h, &mix, data, &req) ? &req : NULL);
    host_drain(h);
    assert_true(h->ev[BYW_EV_HIT] > 50);
    reads = h->ev[BYW_EV_TAG_READ];
    h->bypass = true;
    for (i = 0; i < 4000; i++) {
        bool offered = host_random_req(h, &mix, data, &req);
        bool accepted = host_cycle(h, offered ? &req : NULL);

        others += accepted && !byw_op_is_load(req.op);
        loads += accepted && byw_op_is_load(req.op);
        if (byw_op_is_load(req.op) && accepted)
            assert_int_equal(h->out.events >> BYW_EV_TAG_READ & 1, 0);
    }
    host_drain(h);
    assert_true(loads > 1000 && others > 500);
    assert_int_equal(h->ev[BYW_EV_TAG_READ] - reads, others);
    assert_true(h->ev[BYW_EV_STORE_HIT] > 100); /* stores do probe */
    host_free(h);
}

/* A store in B mode updates the line that a load in C mode finds later; a store that misses
 * allocates nothing. */
static void stores_in_bypass_mode_update_lines(void **state)
{
    struct byw_config c = config();
    struct host *h = host_new("stores", &c, 1);
    uint64_t hits;

    (void)state;
    host_do(h, BYW_OP_LOAD, 3, BYW_HINT_NONE);
    h->bypass = true;
    host_do(h, BYW_OP_STORE, 3, BYW_HINT_NONE);
    assert_int_equal(h->ev[BYW_EV_STORE_HIT], 1);
    host_do(h, BYW_OP_STORE, 4, BYW_HINT_NONE);
    assert_int_equal(used_ways(h), 1);
    host_do(h, BYW_OP_LOAD, 3, BYW_HINT_NONE); /* bypasses the line, which stays */
    assert_int_equal(h->ev[BYW_EV_BYPASS], 1);
    assert_int_equal(used_ways(h), 1);
    hits = h->ev[BYW_EV_HIT];
    h->bypass = false;
    host_do(h, BYW_OP_LOAD, 3, BYW_HINT_NONE); /* the host compares the bytes */
    assert_int_equal(h->ev[BYW_EV_HIT], hits + 1);
    host_free(h);
}

/* A fill in flight when the mode changes completes; loads in B mode do not merge into it. */
static void fills_in_flight_complete_after_a_mode_change(void **state)
{
    struct byw_config c = config();
    struct host *h = host_new("fill in flight", &c, 1);

    (void)state;
    h->latency = 60;
    host_send(h, BYW_OP_LOAD, 5, BYW_HINT_NONE);
    h->bypass = true;
    host_send(h, BYW_OP_LOAD, 5, BYW_HINT_NONE);
    host_send(h, BYW_OP_LOAD, 5, BYW_HINT_NONE);
    host_drain(h);
    assert_int_equal(h->ev[BYW_EV_HIT_PENDING], 0);
    assert_int_equal(h->ev[BYW_EV_BYPASS], 2);
    assert_int_equal(h->ev[BYW_EV_MEM_READ], 3);
    assert_int_equal(h->ev[BYW_EV_FILL], 1);
    h->bypass = false;
    host_do(h, BYW_OP_LOAD, 5, BYW_HINT_NONE);
    assert_int_equal(h->ev[BYW_EV_HIT], 1);
    host_free(h);
}

/* Bytes that only the cache holds: the line is dirty, or becomes dirty just before the load. */
static void dirty_bytes_reach_memory_before_a_bypass(void **state)
{
    struct byw_config c = config();
    struct host *h = host_new("dirty", &c, 1);
    uint64_t writes, reads;

    (void)state;
    host_do(h, BYW_OP_LOCAL_LOAD, 2, BYW_HINT_NONE);
    host_do(h, BYW_OP_LOCAL_STORE, 2, BYW_HINT_NONE);
    writes = h->ev[BYW_EV_MEM_WRITE];
    reads = h->ev[BYW_EV_TAG_READ];
    h->bypass = true;
    host_do(h, BYW_OP_LOCAL_LOAD, 2, BYW_HINT_NONE);
    assert_int_equal(h->ev[BYW_EV_MEM_WRITE], writes + 1);
    assert_int_equal(h->ev[BYW_EV_TAG_READ], reads + 1); /* a load of a dirty line does probe the
                                                            tags */
    assert_int_equal(h->ev[BYW_EV_BYPASS], 1);
    host_do(h, BYW_OP_LOCAL_LOAD, 2, BYW_HINT_NONE); /* clean by now */
    assert_int_equal(h->ev[BYW_EV_TAG_READ], reads + 1);
    host_send(h, BYW_OP_LOCAL_STORE, 2, BYW_HINT_NONE); /* accepted in consecutive cycles */
    host_send(h, BYW_OP_LOCAL_LOAD, 2, BYW_HINT_NONE);
    host_drain(h);
    host_send(h, BYW_OP_LOCAL_STORE, 2, BYW_HINT_NONE);
    host_send(h, BYW_OP_LOAD, 7, BYW_HINT_NONE);
    host_send(h, BYW_OP_LOAD, 2, BYW_HINT_NONE);
    host_drain(h);
    assert_int_equal(h->ev[BYW_EV_MEM_WRITE], writes + 3);
    assert_int_equal(h->ev[BYW_EV_HIT], 3); /* the local stores */
    host_free(h);
}

/* A request keeps the mode of the cycle in which it was accepted, however long it waits. */
static void a_request_keeps_the_mode_it_was_accepted_in(void **state)
{
    struct byw_config c = config();
    struct host *h;
    int first;

    (void)state;
    c.l1d_mshrs = 1;
    c.l1d_trackers = 1;
    /* accepted in C mode, delayed into B mode; and the other way round */
    for (first = 0; first < 2; first++) {
        h = host_new("taken along", &c, 1);
        h->latency = 100;
        h->bypass = first != 0;
        host_send(h, BYW_OP_LOAD, 1, BYW_HINT_NONE); /* occupies the only MSHR or tracker */
        host_send(h, BYW_OP_LOAD, 2, BYW_HINT_NONE); /* waits for it */
        h->bypass = first == 0;
        host_drain(h);
        assert_int_equal(h->ev[BYW_EV_BYPASS], first != 0 ? 2 : 0);
        assert_int_equal(h->ev[BYW_EV_MISS], first != 0 ? 0 : 2);
        assert_true(h->ev[first != 0 ? BYW_EV_FAIL_ICNT : BYW_EV_FAIL_MSHR] > 50);
        host_free(h);
    }
}

static const struct host_mix everything = {.lines = 96,
                                           .percent = 85,
                                           .stores = 15,
                                           .atomics = 4,
                                           .locals = 30,
                                           .hints = 10,
                                           .flushes = 1};

struct tally {
    uint64_t pev[BYW_PEV_COUNT];
    uint64_t predicted; /* memory requests marked as predicted */
};

static void tally_step(struct host *h, const struct byw_l1d_in *in, struct byw_l1d_out *out)
{
    struct tally *tally = h->owner;
    struct byw_l1d_in blaming = *in;
    uint32_t e;

    blaming.mem_rsp.mispredict = in->mem_rsp_valid && in->mem_rsp.id % 4 == 0;
    byw_l1d_step(h->l1d, &blaming, &blaming.ctrl, out);
    for (e = 0; e < BYW_PEV_COUNT; e++)
        tally->pev[e] += out->policy_events >> e & 1;
    tally->predicted += out->mem_req_valid && in->mem_req_ready && out->mem_req.predicted;
    if ((out->policy_events >> BYW_PEV_TL_BYPASS & out->policy_events >> BYW_PEV_PC_ASK & 1) != 0)
        host_fail(h, "a load asks the predictor in bypass mode");
}

static uint64_t run(const struct byw_config *c, uint32_t accesses, uint64_t seed, uint32_t flips,
                    struct tally *tally)
{
    struct host *h = host_new("mixture", c, seed);
    uint8_t data[HOST_WHOLE];
    struct byw_req req;
    bool offered = false;
    uint64_t digest;

    h->step = tally_step;
    h->owner = tally;
    h->jitter = 60;
    h->rsp_percent = 85;
    h->req_percent = 70;
    h->error_percent = 1;
    while (accesses > 0) {
        if (!offered)
            offered = host_random_req(h, &everything, data, &req);
        if (flips != 0 && byw_rng_below(&h->rng, flips) == 0)
            h->bypass = !h->bypass;
        if (host_cycle(h, offered ? &req : NULL)) {
            offered = false;
            accesses--;
            host_check(h);
        }
    }
    host_drain(h);
    host_check(h);
    host_check_counts(h);
    if (tally->predicted != tally->pev[BYW_PEV_PC_BYPASS])
        host_fail(h, "requests marked as predicted are not the predicted bypasses");
    digest = h->digest;
    host_free(h);
    return digest;
}

/* Every mechanism together with every other, in both modes, with scarce resources: all bytes are
 * right. */
static void all_mechanisms_together_return_the_right_bytes(void **state)
{
    struct tally tally = {.predicted = 0};
    uint32_t i;

    (void)state;
    for (i = 0; i < 48; i++) {
        struct byw_config c = config();

        c.policy_mode = i % 3 == 2 ? BYW_MODE_DECOUPLED : BYW_MODE_BASE;
        c.pc_on = i >> 1 & 1;
        c.pc_duel = i >> 2 & 1;
        c.pc_prior = i >> 3 & 1;
        c.pc_threshold = 2;
        c.pc_sample = 4;
        c.stall_bypass = i % 4 == 3 ? BYW_STALL_OFF : i % 3;
        c.l1d_store_hit = i % 5 < 2 ? BYW_STORE_UPDATE : BYW_STORE_EVICT;
        c.byp_on_hit = i % 3;
        c.l1d_mshrs = 3 + i % 4;
        c.l1d_merges = 2;
        c.l1d_miss_queue = 3;
        c.l1d_bypass_queue = 1 + i % 3;
        c.l1d_trackers = 4;
        run(&c, 4000, host_seed(900) + i, i % 2 == 0 ? 0 : 100, &tally);
    }
    for (i = BYW_PEV_TL_BYPASS; i < BYW_PEV_COUNT; i++)
        if (tally.pev[i] < 200)
            fail_msg("event %u came only %llu times", i, (unsigned long long)tally.pev[i]);
}

/* Enabled but without effect: every output of every cycle equals the plain cache's. */
static void a_mechanism_without_effect_equals_the_plain_cache(void **state)
{
    struct tally tally = {.predicted = 0};
    uint32_t i;

    (void)state;
    for (i = 0; i < 4; i++) {
        struct byw_config c = config();
        uint64_t off, on;

        c.policy_mode = i % 2 == 0 ? BYW_MODE_BASE : BYW_MODE_DECOUPLED;
        c.l1d_mshrs = 4;
        c.l1d_miss_queue = 3;
        off = run(&c, 8000, host_seed(70) + i, 0, &tally);
        c.pc_on = 1;
        c.pc_threshold = 1;
        c.pc_sample = 1; /* every load predicted dead is cached nevertheless */
        c.pc_duel = i / 2 != 0;
        on = run(&c, 8000, host_seed(70) + i, 0, &tally);
        assert_true(on == off);
        c.pc_sample = 8;
        assert_true(run(&c, 8000, host_seed(70) + i, 0, &tally) != off);
        c.pc_on = 0;
        c.stall_bypass = BYW_STALL_ANY;
        assert_true(run(&c, 8000, host_seed(70) + i, 0, &tally) != off);
    }
    assert_true(tally.pev[BYW_PEV_PC_SAMPLE] > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loads_in_bypass_mode_do_not_probe_the_tags),
        cmocka_unit_test(stores_in_bypass_mode_update_lines),
        cmocka_unit_test(fills_in_flight_complete_after_a_mode_change),
        cmocka_unit_test(dirty_bytes_reach_memory_before_a_bypass),
        cmocka_unit_test(a_request_keeps_the_mode_it_was_accepted_in),
        cmocka_unit_test(all_mechanisms_together_return_the_right_bytes),
        cmocka_unit_test(a_mechanism_without_effect_equals_the_plain_cache),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
