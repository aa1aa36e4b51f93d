/* SPDX-License-Identifier: Apache-2.0
 *
 * The L1D in front of a memory that performs and answers requests in any order. With the order
 * guard every load returns the bytes of a flat memory, and requests that the guard separates are
 * never in flight together. Without the guard the same traffic must return wrong bytes, which
 * proves that the test can fail. rtl/doc/ordering.md, "Order guard".
 */
#include "common/byw_l1d_mix.h"
#include "l1d/hand.h"

enum { WAITING = 256 };

struct waiting {
    struct byw_mem_req req;
    bool performed;
    bool used;
    uint8_t data[HOST_WHOLE]; /* bytes of a write; for a read, those of its answer */
};

struct any_order {
    struct waiting slot[WAITING];
    uint32_t count;
    /* percent of cycles in which a request is performed, and in which one is answered */
    uint32_t eager;
    int shown; /* the answer on the port; -1: none */
    bool tolerates; /* wrong bytes are counted and corrected */
    uint64_t wrong;
    uint64_t beside; /* requests that left while another request of their line was in flight */
    uint64_t apart; /* those of them that the guard must separate */
    uint32_t most; /* largest number in flight at a time */
};

static bool writes(const struct byw_mem_req *req)
{
    return req->write || req->atomic;
}

static bool answered(const struct host *h, const struct byw_mem_req *req)
{
    return req->kind != BYW_MEM_WRITEBACK || h->config.port.order != BYW_ORDER_OFF;
}

/* A random waiting request, performed or not; -1 if there is none. */
static int choose(struct host *h, const struct any_order *m, bool performed)
{
    uint32_t i, first = byw_rng_below(&h->rng, WAITING);

    for (i = 0; i < WAITING && m->count != 0; i++) {
        uint32_t n = (first + i) % WAITING;

        if (m->slot[n].used && m->slot[n].performed == performed)
            return (int)n;
    }
    return -1;
}

static void perform(struct host *h, struct any_order *m)
{
    int n = choose(h, m, false);
    struct waiting *slot;
    uint8_t before[HOST_WHOLE];
    uint8_t *line;

    if (n < 0)
        return;
    slot = &m->slot[n];
    line = h->mem[slot->req.line % HOST_LINES];
    memcpy(before, line, HOST_WHOLE);
    if (writes(&slot->req))
        host_perform(line, &slot->req.bytes, slot->data, slot->req.atomic);
    memcpy(slot->data, before, HOST_WHOLE);
    slot->performed = true;
    if (!answered(h, &slot->req)) {
        slot->used = false;
        m->count--;
    }
}

static void take(struct host *h, struct any_order *m, const struct byw_mem_req *req)
{
    bool beside = false, apart = false;
    uint32_t i, n = 0;

    host_check_mem_req(h, req);
    for (i = 0; i < WAITING; i++) {
        const struct waiting *slot = &m->slot[i];

        if (!slot->used || slot->req.line != req->line)
            continue;
        beside = true;
        apart |= h->config.port.order == BYW_ORDER_ALL || writes(&slot->req) || writes(req);
    }
    m->beside += beside;
    m->apart += apart;
    while (m->slot[n].used)
        n++;
    m->slot[n] = (struct waiting){.req = *req, .used = true};
    if (writes(req))
        memcpy(m->slot[n].data, req->data, h->config.l1d_line);
    if (++m->count > m->most)
        m->most = m->count;
    if (h->config.port.order != BYW_ORDER_OFF && req->id >= h->config.port.in_flight)
        host_fail(h, "a number at memory that the guard does not have");
}

static void check_answer(struct host *h, struct any_order *m, struct byw_rsp *rsp)
{
    const struct host_id *id = &h->id[rsp->id];

    if (!m->tolerates || rsp->data == NULL || rsp->error || byw_op_is_store(id->op) ||
        host_same_bytes(h, rsp->data, id))
        return;
    m->wrong++;
    rsp->data = id->want;
}

/* One cycle of the cache, with this test's memory in place of the host's. */
static void step(struct host *h, const struct byw_l1d_in *host_in, struct byw_l1d_out *out)
{
    struct any_order *m = h->owner;
    struct byw_l1d_in in = *host_in;

    if (host_chance(h, m->eager))
        perform(h, m);
    if (m->shown < 0 && host_chance(h, m->eager))
        m->shown = choose(h, m, true);
    in.mem_req_ready = m->count < WAITING && host_chance(h, 80);
    in.mem_rsp_valid = m->shown >= 0;
    if (in.mem_rsp_valid) {
        const struct waiting *slot = &m->slot[m->shown];

        in.mem_rsp =
            (struct byw_mem_rsp){.data = slot->data, .id = slot->req.id, .kind = slot->req.kind};
    }
    byw_l1d_step(h->l1d, &in, &in.ctrl, out);
    if (out->mem_req_valid && in.mem_req_ready)
        take(h, m, &out->mem_req);
    if (in.mem_rsp_valid && out->mem_rsp_ready) {
        m->slot[m->shown].used = false;
        m->count--;
        m->shown = -1;
    }
    if (out->rsp_valid && in.rsp_ready)
        check_answer(h, m, &out->rsp);
    out->mem_req_valid = false;
}

static const struct host_mix few_lines = {.lines = 40,
                                          .percent = 80,
                                          .stores = 30,
                                          .atomics = 8,
                                          .locals = 30,
                                          .hints = 20,
                                          .flushes = 1};

/* Runs random traffic, of which the host checks every load. */
static void run(const char *name, const struct byw_config *c, uint32_t accesses,
                struct any_order *result)
{
    struct any_order m = {.shown = -1, .tolerates = result->tolerates};
    struct host *h = host_new(name, c, host_seed(7));
    uint8_t data[HOST_WHOLE];
    struct byw_req req;
    bool offered = false;
    uint32_t n = 0;

    h->step = step;
    h->owner = &m;
    h->rsp_percent = 80;
    while (n < accesses) {
        if (n % 512 == 0)
            m.eager = 10 + byw_rng_below(&h->rng, 90);
        if (!offered)
            offered = host_random_req(h, &few_lines, data, &req);
        if (host_cycle(h, offered ? &req : NULL)) {
            offered = false;
            n++;
        }
    }
    m.eager = 100;
    host_drain(h);
    host_check(h);
    *result = m;
    host_free(h);
}

static struct byw_config config(uint32_t order, uint32_t i)
{
    struct byw_config c = host_scarce_config(i % 3);

    c.l1d_store_hit = i / 3 % 2;
    c.byp_on_hit = i / 2 % 3;
    c.l1d_look = i / 4 % 2;
    if (i % 5 == 4) {
        c.policy_mode = BYW_MODE_BASE;
        c.l1d_alloc = BYW_ALLOC_ON_FILL;
        c.l1d_look = 0;
        c.l1d_sectors = 4;
    }
    c.port.order = order;
    c.port.fence = order != BYW_ORDER_OFF && i % 2 != 0;
    c.port.uncached = i % 4 == 1;
    c.port.in_flight = 1 + i * 7 % 24;
    return c;
}

static void guarded(uint32_t order, const char *name)
{
    uint64_t beside = 0;
    uint32_t most = 0;

    for (uint32_t i = 0; i < 24; i++) {
        struct byw_config c = config(order, i);
        struct any_order m = {.tolerates = false};

        run(name, &c, 40000, &m);
        assert_int_equal(m.apart, 0);
        assert_true(m.most <= c.port.in_flight);
        beside += m.beside;
        most = m.most > most ? m.most : most;
    }
    assert_true(most > 8); /* the guard does not simply send one request at a time */
    assert_true(order == BYW_ORDER_ALL ? beside == 0 : beside > 100); /* reads pass */
}

static void guarded_writes_return_the_right_bytes(void **state)
{
    (void)state;
    guarded(BYW_ORDER_WRITES, "guard of writes");
}

static void guarded_requests_return_the_right_bytes(void **state)
{
    (void)state;
    guarded(BYW_ORDER_ALL, "guard of all requests");
}

/* The same traffic without the guard must return wrong bytes. */
static void unguarded_traffic_returns_wrong_bytes(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 6; i++) {
        struct byw_config c = config(BYW_ORDER_OFF, i);
        struct any_order m = {.tolerates = true};

        run("no guard", &c, 20000, &m);
        assert_true(m.apart > 100);
        assert_true(m.wrong > 10);
    }
}

/* Store, store, load of one line and a load of another, accepted in cycles 0 to 3, leave in cycles
 * 3 to 6 without the guard. With it the second store waits for the answer to the first (cycle 20),
 * and all others wait behind it; the load waits for the answer of cycle 30. */
static void the_guard_holds_requests_until_the_answer_to_their_line(void **state)
{
    static const enum byw_op op[] = {BYW_OP_STORE, BYW_OP_STORE, BYW_OP_LOAD, BYW_OP_LOAD};
    struct byw_config c = config(BYW_ORDER_WRITES, 0);
    struct hand h;

    (void)state;
    c.port.in_flight = 3;
    h = hand_new(&c);
    for (uint32_t i = 0; i < 4; i++)
        hand_ask(&h, op[i], i == 3 ? 9 : 8, BYW_HINT_NONE, 100 + i);
    hand_until(&h, 20);
    hand_answer(&h, BYW_MEM_STORE, 0);
    assert_int_equal(h.fetches, 1);
    hand_cycle(&h);
    assert_true(h.out.rsp_valid);
    assert_int_equal(h.out.rsp.id, 100); /* the requester's id, not the store number */
    hand_until(&h, 30);
    hand_answer(&h, BYW_MEM_STORE, 1);
    hand_cycle(&h);
    assert_int_equal(h.out.rsp.id, 101);
    hand_until(&h, 35);
    assert_int_equal(h.fetches, 4);
    assert_int_equal(h.left[0], 3);
    assert_int_equal(h.left[1], 21);
    assert_int_equal(h.left[2], 31);
    assert_int_equal(h.left[3], 32);
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(h.fetch[i].id, i % 3);
    byw_l1d_free(h.l1d);
}

/* Store numbers without a guard: stores wait only for a free number; loads keep their ids. */
static void numbered_stores_wait_only_for_a_free_number(void **state)
{
    struct byw_config c = config(BYW_ORDER_OFF, 0);
    struct hand h;

    (void)state;
    c.port.store_ids = 1;
    c.port.in_flight = 2;
    h = hand_new(&c);
    for (uint32_t i = 0; i < 3; i++)
        hand_ask(&h, BYW_OP_STORE, 8, BYW_HINT_NONE, 7000);
    hand_until(&h, 20);
    hand_answer(&h, BYW_MEM_STORE, 1); /* store number 0 is next, but still in use */
    hand_cycle(&h);
    assert_int_equal(h.out.rsp.id, 7000);
    assert_int_equal(h.fetches, 2);
    hand_answer(&h, BYW_MEM_STORE, 0);
    hand_cycle(&h);
    assert_int_equal(h.fetches, 3);
    assert_int_equal(h.left[0], 3);
    assert_int_equal(h.left[1], 4);
    assert_int_equal(h.left[2], 23);
    assert_int_equal(h.fetch[0].id, 0);
    assert_int_equal(h.fetch[1].id, 1);
    assert_int_equal(h.fetch[2].id, 0);
    byw_l1d_free(h.l1d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_guard_holds_requests_until_the_answer_to_their_line),
        cmocka_unit_test(numbered_stores_wait_only_for_a_free_number),
        cmocka_unit_test(guarded_writes_return_the_right_bytes),
        cmocka_unit_test(guarded_requests_return_the_right_bytes),
        cmocka_unit_test(unguarded_traffic_returns_wrong_bytes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
