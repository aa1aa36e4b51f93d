/* SPDX-License-Identifier: Apache-2.0
 *
 * Directed tests of the L1D: latencies, orders and ties of rtl/doc/l1d_pipeline.md.
 */
#include "common/byw_l1d_host.h"

static struct byw_config config(uint32_t mode)
{
    struct byw_config c;

    byw_config_defaults(&c);
    c.policy_mode = mode;
    return c;
}

static struct host *make(const char *name, const struct byw_config *c)
{
    return host_new(name, c, host_seed(1));
}

static void hits_take_three_cycles_one_per_cycle(void **state)
{
    struct byw_config c = config(BYW_MODE_BASE);
    struct host *h = make("hit latency", &c);
    uint64_t first;
    uint32_t i, id[64];

    (void)state;
    for (i = 0; i < 32; i++)
        host_do(h, BYW_OP_LOAD, i, BYW_HINT_NONE);
    assert_int_equal(host_do(h, BYW_OP_LOAD, 5, BYW_HINT_NONE), 3);
    first = h->cycle;
    for (i = 0; i < 64; i++)
        id[i] = host_send(h, BYW_OP_LOAD, i % 32, BYW_HINT_NONE);
    assert_int_equal(h->cycle - first, 64); /* one per cycle, back to back */
    host_drain(h);
    for (i = 0; i < 64; i++) {
        assert_int_equal(h->rsp_served[id[i]], BYW_SERVED_HIT);
        assert_int_equal(h->rsp_cycle[id[i]], first + i + 3);
    }
    host_free(h);
}

static void misses_bypasses_and_stores_add_four_cycles_to_memory(void **state)
{
    struct byw_config c = config(BYW_MODE_BASE);
    uint32_t latency;

    (void)state;
    for (latency = 1; latency < 300; latency += 13) {
        struct host *h = make("miss latency", &c);

        h->latency = latency;
        assert_int_equal(host_do(h, BYW_OP_LOAD, 1, BYW_HINT_NONE), latency + 4);
        assert_int_equal(host_do(h, BYW_OP_LOAD, 2, BYW_HINT_BYPASS), latency + 4);
        assert_int_equal(host_do(h, BYW_OP_STORE, 3, BYW_HINT_NONE), latency + 4);
        assert_int_equal(host_do(h, BYW_OP_ATOMIC, 3, BYW_HINT_NONE), latency + 4);
        host_free(h);
    }
}

static void a_bypass_of_a_present_line_follows_bypass_on_hit(void **state)
{
    struct byw_config c = config(BYW_MODE_BASE);
    struct host *h;
    uint32_t id;

    (void)state;
    c.byp_on_hit = BYW_BYP_SERVE;
    h = make("bypass, serve", &c);
    host_do(h, BYW_OP_LOAD, 1, BYW_HINT_NONE);
    assert_int_equal(host_do(h, BYW_OP_LOAD, 1, BYW_HINT_BYPASS), 3);
    host_free(h);

    c.byp_on_hit = BYW_BYP_IGNORE;
    h = make("bypass, ignore", &c);
    host_do(h, BYW_OP_LOAD, 1, BYW_HINT_NONE);
    id = host_send(h, BYW_OP_LOAD, 1, BYW_HINT_BYPASS);
    host_drain(h);
    assert_int_equal(h->rsp_served[id], BYW_SERVED_BYPASS);
    assert_int_equal(host_do(h, BYW_OP_LOAD, 1, BYW_HINT_NONE), 3);
    host_free(h);

    c.byp_on_hit = BYW_BYP_EVICT;
    h = make("bypass, evict", &c);
    host_do(h, BYW_OP_LOAD, 1, BYW_HINT_NONE);
    id = host_send(h, BYW_OP_LOAD, 1, BYW_HINT_BYPASS);
    host_drain(h);
    assert_int_equal(h->rsp_served[id], BYW_SERVED_BYPASS);
    assert_true(host_do(h, BYW_OP_LOAD, 1, BYW_HINT_NONE) > 3);
    assert_int_equal(h->ev[BYW_EV_EVICT], 1);
    host_free(h);
}

/* A load directly after a store to its line, on every path: the host checks the bytes. */
static void a_load_sees_the_store_before_it_on_every_path(void **state)
{
    uint32_t mode;
    uint8_t hint;

    (void)state;
    for (mode = BYW_MODE_BASE; mode <= BYW_MODE_DECOUPLED; mode++) {
        for (hint = BYW_HINT_NONE; hint <= BYW_HINT_VOLATILE; hint++) {
            struct byw_config c = config(mode);
            struct host *h = make("store then load", &c);
            uint64_t line;

            h->req_percent = 30;
            for (line = 0; line < 40; line++) {
                if (line % 2 != 0)
                    host_do(h, BYW_OP_LOAD, line, BYW_HINT_CACHE);
                host_send(h, BYW_OP_STORE, line, BYW_HINT_NONE);
                host_send(h, BYW_OP_LOAD, line, (enum byw_hint)hint);
                host_send(h, BYW_OP_ATOMIC, line, BYW_HINT_NONE);
                host_send(h, BYW_OP_LOAD, line, (enum byw_hint)hint);
            }
            host_drain(h);
            host_free(h);
        }
    }
}

static void merged_loads_are_answered_in_order(void **state)
{
    struct byw_config c = config(BYW_MODE_BASE);
    struct host *h;
    uint32_t i, id[6];

    (void)state;
    c.l1d_merges = 4;
    h = make("merging", &c);
    h->latency = 100;
    for (i = 0; i < 6; i++)
        id[i] = host_send(h, BYW_OP_LOAD, 9, BYW_HINT_NONE);
    idle_cycles(h, 50);
    assert_int_equal(h->ev[BYW_EV_HIT_PENDING], 3);
    assert_true(h->ev[BYW_EV_FAIL_MERGE] > 40); /* the fifth request waits at the decision point */
    assert_int_equal(h->ev[BYW_EV_LOAD], 4);
    assert_int_equal(h->ev[BYW_EV_MEM_READ], 1);
    host_drain(h);
    for (i = 1; i < 4; i++) /* in the order in which they merged, one per cycle */
        assert_true(h->rsp_cycle[id[i]] > h->rsp_cycle[id[i - 1]]);
    assert_int_equal(h->rsp_served[id[4]], BYW_SERVED_HIT); /* accepted once the line was filled */
    assert_int_equal(h->rsp_served[id[5]], BYW_SERVED_HIT);
    host_free(h);
}

/* A load that is decided in the cycle in which its line's fill is accepted still merges; one cycle
 * later it hits. */
static void a_load_in_the_cycle_of_the_fill_still_merges(void **state)
{
    struct byw_config c = config(BYW_MODE_BASE);
    uint32_t wait, merged = 0, hits = 0;

    (void)state;
    for (wait = 0; wait < 40; wait++) {
        struct host *h = make("fill meets load", &c);
        uint64_t fill_at, decided_at;
        uint32_t first, second;

        first = host_send(h, BYW_OP_LOAD, 9, BYW_HINT_NONE);
        fill_at = h->id[first].cycle + 3 + h->latency;
        idle_cycles(h, wait);
        second = host_send(h, BYW_OP_LOAD, 9, BYW_HINT_NONE);
        decided_at = h->id[second].cycle + 2;
        host_drain(h);
        if (decided_at <= fill_at) {
            assert_int_equal(h->rsp_served[second], BYW_SERVED_FILL);
            merged++;
        } else {
            assert_int_equal(h->rsp_served[second], BYW_SERVED_HIT);
            hits++;
        }
        if (decided_at == fill_at)
            assert_int_equal(h->rsp_cycle[second], fill_at + 2);
        host_check(h);
        host_free(h);
    }
    assert_true(merged > 10 && hits > 10);
}

static void a_store_to_a_pending_line_detaches_its_fill(void **state)
{
    struct byw_config c = config(BYW_MODE_BASE);
    struct host *h;
    uint32_t before, after;

    (void)state;
    c.byp_on_hit = BYW_BYP_SERVE;
    h = make("store to pending line", &c);
    h->latency = 50;
    before = host_send(h, BYW_OP_LOAD, 7, BYW_HINT_NONE);
    host_send(h, BYW_OP_STORE, 7, BYW_HINT_NONE);
    after = host_send(h, BYW_OP_LOAD, 7, BYW_HINT_NONE); /* must not merge into the old fill */
    idle_cycles(h, 10);
    assert_int_equal(h->ev[BYW_EV_MEM_READ], 2);
    assert_int_equal(h->ev[BYW_EV_MEM_WRITE], 1);
    host_drain(h); /* the host knows which bytes each load must see */
    assert_int_equal(h->rsp_served[before], BYW_SERVED_FILL);
    assert_int_equal(h->rsp_served[after], BYW_SERVED_FILL);
    assert_int_equal(h->ev[BYW_EV_FILL], 1); /* the marked fill is not kept */
    assert_int_equal(h->ev[BYW_EV_EVICT], 0);
    host_do(h, BYW_OP_STORE, 8, BYW_HINT_NONE);
    host_send(h, BYW_OP_LOAD, 8, BYW_HINT_NONE);
    host_send(h, BYW_OP_STORE, 8, BYW_HINT_NONE);
    host_drain(h);
    assert_true(host_do(h, BYW_OP_LOAD, 8, BYW_HINT_NONE) > 3); /* no stale data remained */
    host_free(h);
}

/* l1d.stale_fills: as in Accel-Sim, the load behind the store merges into the old fill, which
 * stays, with the reference counts as if there had been no store. Without data, since it would be
 * wrong. */
static void a_stale_fill_stays_after_a_store(void **state)
{
    static const uint32_t mode[] = {BYW_MODE_BASE, BYW_MODE_DECOUPLED};
    struct byw_req req[3] = {{.op = BYW_OP_LOAD, .line = 7, .hint = BYW_HINT_CACHE, .id = 0},
                             {.op = BYW_OP_STORE, .line = 7, .id = 1},
                             {.op = BYW_OP_LOAD, .line = 7, .id = 2}};

    (void)state;
    for (uint32_t i = 0; i < 4; i++) {
        struct byw_config c = config(mode[i / 2]);
        struct byw_l1d *l1d;
        uint32_t events = 0, pending = 0, reads = 0;

        c.l1d_stale_fills = i % 2;
        assert_int_equal(byw_l1d_create(&c, false, &l1d, NULL), BYW_OK);
        for (uint32_t n = 0, cycle = 0; cycle < 30; cycle++) {
            struct byw_l1d_in in = {.req_valid = n < 3,
                                    .req = req[n < 3 ? n : 0],
                                    .rsp_ready = true,
                                    .mem_req_ready = true};
            struct byw_l1d_ctrl ctrl = {.filter_on = true};
            struct byw_l1d_out out;

            byw_l1d_step(l1d, &in, &ctrl, &out);
            n += in.req_valid && out.req_ready;
            events |= out.events;
            pending += out.events >> BYW_EV_HIT_PENDING & 1;
            reads += out.mem_req_valid && out.mem_req.kind == BYW_MEM_FILL;
        }
        assert_int_equal(events >> BYW_EV_STORE & 1, 1);
        assert_int_equal(reads, i % 2 || mode[i / 2] != BYW_MODE_BASE ? 1 : 2);
        assert_int_equal(pending, 1 + i % 2); /* the store, and with stale fills the load */
        byw_l1d_free(l1d);
    }
}

static void a_memory_error_reaches_every_merged_load(void **state)
{
    struct byw_config c = config(BYW_MODE_DECOUPLED);
    struct host *h = make("memory error", &c);
    uint32_t i, id[3], stores;

    (void)state;
    h->error_line = 33;
    h->latency = 40;
    for (i = 0; i < 3; i++)
        id[i] = host_send(h, BYW_OP_LOAD, 33, BYW_HINT_CACHE);
    host_drain(h);
    for (i = 0; i < 3; i++) {
        assert_true(h->rsp_error[id[i]]);
        assert_int_equal(h->rsp_served[id[i]], BYW_SERVED_FILL);
    }
    assert_int_equal(used_ways(h), 0);
    id[0] = host_send(h, BYW_OP_LOAD, 33, BYW_HINT_BYPASS);
    stores = host_send(h, BYW_OP_STORE, 33, BYW_HINT_NONE);
    host_drain(h);
    assert_true(h->rsp_error[id[0]]);
    assert_false(h->rsp_error[stores]);
    h->error_line = UINT64_MAX;
    id[0] = host_send(h, BYW_OP_LOAD, 33, BYW_HINT_CACHE);
    host_drain(h);
    assert_false(h->rsp_error[id[0]]);
    assert_int_equal(host_do(h, BYW_OP_LOAD, 33, BYW_HINT_NONE), 3);
    host_check(h);
    host_free(h);
}

static void back_pressure_loses_no_request(void **state)
{
    struct byw_config c = config(BYW_MODE_BASE);
    struct host *h = make("back pressure", &c);
    uint32_t i;

    (void)state;
    for (i = 0; i < 4; i++)
        host_do(h, BYW_OP_LOAD, i, BYW_HINT_NONE);
    /* a hit waits in s3, a second one behind it, then one in s1; then nothing is accepted */
    h->rsp_percent = 0;
    for (i = 0; i < 3; i++)
        host_send(h, BYW_OP_LOAD, i, BYW_HINT_NONE);
    idle_cycles(h, 5);
    assert_false(h->out.req_ready);
    assert_int_equal(h->ev[BYW_EV_HIT], 1);
    h->rsp_percent = 100;
    host_drain(h);

    h->rsp_percent = 0; /* a miss behind a waiting hit proceeds: it does not need s3 */
    host_send(h, BYW_OP_LOAD, 0, BYW_HINT_NONE);
    host_send(h, BYW_OP_LOAD, 100, BYW_HINT_NONE);
    idle_cycles(h, 5);
    assert_int_equal(h->in_flight, 1);
    h->rsp_percent = 100;
    host_drain(h);

    h->req_percent = 0; /* the queue fills up; hits still pass until a miss is at the head */
    for (i = 0; i < c.l1d_miss_queue; i++)
        host_send(h, BYW_OP_STORE, 200 + i, BYW_HINT_NONE);
    host_send(h, BYW_OP_LOAD, 300, BYW_HINT_BYPASS); /* a separate pool */
    host_send(h, BYW_OP_LOAD, 0, BYW_HINT_NONE);
    idle_cycles(h, 5);
    assert_int_equal(h->ev[BYW_EV_FAIL_MISS_QUEUE], 0);
    assert_int_equal(h->ev[BYW_EV_BYPASS], 1);
    host_send(h, BYW_OP_STORE, 301, BYW_HINT_NONE);
    idle_cycles(h, 5);
    assert_true(h->ev[BYW_EV_FAIL_MISS_QUEUE] >= 3);
    h->req_percent = 100;
    host_drain(h);
    host_check_counts(h);
    host_free(h);
}

/* Fill path 1 keeps up: with two buffers, one fill per cycle with one requester each is
 * answered, and none starves while a hit arrives in every cycle. */
static void fills_do_not_starve_among_hits(void **state)
{
    struct byw_config c = config(BYW_MODE_BASE);
    struct host *h = make("fills among hits", &c);
    uint64_t slowest = 0;
    uint32_t i;

    (void)state;
    for (i = 0; i < 4; i++)
        host_do(h, BYW_OP_LOAD, i, BYW_HINT_NONE);
    for (i = 0; i < 400; i++) {
        if (i % 4 != 0) {
            host_send(h, BYW_OP_LOAD, i % 4, BYW_HINT_NONE);
            continue;
        }
        host_send(h, BYW_OP_LOAD, 5 + i % 24, BYW_HINT_VOLATILE);
    }
    host_drain(h);
    for (i = 0; i < HOST_IDS; i++) {
        uint64_t took = h->rsp_cycle[i] - h->id[i].cycle;

        if (h->rsp_served[i] == BYW_SERVED_BYPASS && took > slowest)
            slowest = took;
    }
    assert_true(slowest != 0 && slowest <= h->latency + 4 + 8);
    host_free(h);
}

/* An MSHR that is freed in a cycle is not available to the decision of that cycle. */
static void a_freed_mshr_is_free_in_the_next_cycle(void **state)
{
    struct byw_config c = config(BYW_MODE_BASE);
    uint32_t wait, held = 0, free = 0;

    (void)state;
    c.l1d_mshrs = 1;
    for (wait = 0; wait < 40; wait++) {
        struct host *h = make("MSHR free in next cycle", &c);
        uint32_t first = host_send(h, BYW_OP_LOAD, 1, BYW_HINT_NONE), second;
        uint64_t freed_at = h->cycle - 1 + h->latency + 4, decided_at, taken_at;

        idle_cycles(h, wait);
        second = host_send(h, BYW_OP_LOAD, 2, BYW_HINT_NONE);
        decided_at = h->id[second].cycle + 2;
        while (!h->out.mem_req_valid || h->out.mem_req.line != 2)
            host_cycle(h, NULL);
        taken_at = h->cycle - 2; /* visible one cycle later, and the host is one cycle ahead */
        host_drain(h);
        assert_int_equal(h->rsp_cycle[first], freed_at);
        assert_int_equal(taken_at, decided_at <= freed_at ? freed_at + 1 : decided_at);
        held += decided_at <= freed_at;
        free += decided_at > freed_at + 1;
        host_free(h);
    }
    assert_true(held != 0 && free != 0);
}

/* A fill is accepted and written while the answers of the previous fill are still being sent; a
 * third fill waits. */
static void a_third_fill_waits_while_two_drain(void **state)
{
    struct byw_config c = config(BYW_MODE_BASE);
    struct host *h = make("two fills", &c);
    uint64_t fill_at;
    uint32_t i, first;

    (void)state;
    h->latency = 60;
    first = host_send(h, BYW_OP_LOAD, 1, BYW_HINT_NONE);
    fill_at = h->id[first].cycle + 3 + h->latency;
    host_send(h, BYW_OP_LOAD, 2, BYW_HINT_NONE);
    host_send(h, BYW_OP_LOAD, 3, BYW_HINT_NONE);
    for (i = 0; i < 7; i++)
        host_send(h, BYW_OP_LOAD, 1, BYW_HINT_NONE);
    while (h->cycle <= fill_at)
        host_cycle(h, NULL);
    assert_int_equal(h->ev[BYW_EV_FILL], 1);
    host_cycle(h, NULL);
    assert_int_equal(h->ev[BYW_EV_FILL], 2);
    while (h->cycle <= fill_at + 8) {
        host_cycle(h, NULL);
        assert_int_equal(h->ev[BYW_EV_FILL], 2);
    }
    host_cycle(h, NULL);
    assert_int_equal(h->ev[BYW_EV_FILL], 3);
    host_drain(h);
    host_free(h);
}

static void bypass_all_never_probes_or_merges(void **state)
{
    struct byw_config c = config(BYW_MODE_BYPASS_ALL);
    struct host *h = make("bypass all", &c);
    uint32_t i;

    (void)state;
    for (i = 0; i < 50; i++) {
        host_send(h, BYW_OP_LOAD, 1, BYW_HINT_CACHE);
        host_send(h, BYW_OP_LOCAL_LOAD, 2, BYW_HINT_NONE);
        host_send(h, BYW_OP_STORE, 1, BYW_HINT_NONE);
    }
    host_drain(h);
    assert_int_equal(h->ev[BYW_EV_BYPASS], 100);
    assert_int_equal(h->ev[BYW_EV_MISS], 50);
    assert_int_equal(h->ev[BYW_EV_TAG_READ] + h->ev[BYW_EV_TAG_WRITE], 0); /* no probe */
    assert_int_equal(h->ev[BYW_EV_MEM_READ], 100); /* bypasses are never merged */
    host_free(h);
}

static void loads_without_a_tracker_are_refused_as_icnt(void **state)
{
    struct byw_config c = config(BYW_MODE_BYPASS_ALL);
    struct host *h;
    uint32_t i;

    (void)state;
    c.l1d_trackers = 2;
    h = make("no tracker", &c);
    h->latency = 40;
    for (i = 0; i < 4; i++)
        host_send(h, BYW_OP_LOAD, i, BYW_HINT_NONE);
    idle_cycles(h, 10);
    assert_int_equal(h->ev[BYW_EV_LOAD], 2);
    assert_true(h->ev[BYW_EV_FAIL_ICNT] >= 8);
    host_drain(h);
    assert_int_equal(h->ev[BYW_EV_LOAD], 4);
    host_free(h);
}

static void unsupported_configurations_are_rejected_by_name(void **state)
{
    struct byw_config c = config(BYW_MODE_BASE);
    struct byw_l1d *l1d = NULL;
    struct byw_diag diag;

    (void)state;
    c.l1d_sectors = 4;
    assert_int_equal(byw_l1d_create(&c, false, &l1d, &diag), BYW_EUNSUPPORTED);
    assert_non_null(strstr(diag.text, "l1d.sectors"));
    assert_null(l1d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hits_take_three_cycles_one_per_cycle),
        cmocka_unit_test(misses_bypasses_and_stores_add_four_cycles_to_memory),
        cmocka_unit_test(a_bypass_of_a_present_line_follows_bypass_on_hit),
        cmocka_unit_test(a_load_sees_the_store_before_it_on_every_path),
        cmocka_unit_test(merged_loads_are_answered_in_order),
        cmocka_unit_test(a_load_in_the_cycle_of_the_fill_still_merges),
        cmocka_unit_test(a_store_to_a_pending_line_detaches_its_fill),
        cmocka_unit_test(a_stale_fill_stays_after_a_store),
        cmocka_unit_test(a_memory_error_reaches_every_merged_load),
        cmocka_unit_test(back_pressure_loses_no_request),
        cmocka_unit_test(fills_do_not_starve_among_hits),
        cmocka_unit_test(a_third_fill_waits_while_two_drain),
        cmocka_unit_test(a_freed_mshr_is_free_in_the_next_cycle),
        cmocka_unit_test(bypass_all_never_probes_or_merges),
        cmocka_unit_test(loads_without_a_tracker_are_refused_as_icnt),
        cmocka_unit_test(unsupported_configurations_are_rejected_by_name),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
