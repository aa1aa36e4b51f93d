/* SPDX-License-Identifier: Apache-2.0
 *
 * lockstep_order - byw_order.v against byw_order.c: few lines, so that many requests conflict;
 * answers in any order; all numbers in use. A plain list of the requests in flight checks that no
 * two conflicting ones are in flight together.
 */
#include "cosim/lock.h"
#include "l1d/byw_order.h"

struct flight {
    struct byw_mem_req req;
    uint32_t number;
};

struct ports {
    uint32_t rst, valid, kind, atomic, line, id, go, number, taken, done, done_kind, done_id, own;
};

struct test {
    struct lock l;
    struct ports p;
    struct byw_order guard;
    struct byw_mem_req head;
    bool shown; /* the head is on the port and stays until it is taken */
    struct flight flight[P_IN_FLIGHT];
    uint32_t flights;
    uint64_t leaves, waits, full;
};

static struct ports find_ports(const struct dut *d)
{
    return (struct ports){
        .rst = dut_port(d, "rst_i"),
        .valid = dut_port(d, "req_valid_i"),
        .kind = dut_port(d, "req_kind_i"),
        .atomic = dut_port(d, "req_atomic_i"),
        .line = dut_port(d, "req_line_i"),
        .id = dut_port(d, "req_id_i"),
        .go = dut_port(d, "req_go_o"),
        .number = dut_port(d, "req_id_o"),
        .taken = dut_port(d, "req_taken_i"),
        .done = dut_port(d, "rsp_taken_i"),
        .done_kind = dut_port(d, "rsp_kind_i"),
        .done_id = dut_port(d, "rsp_id_i"),
        .own = dut_port(d, "own_id_o"),
    };
}

static struct byw_mem_req random_head(struct lock *l)
{
    uint8_t kind = (uint8_t)lock_below(l, 4);
    uint64_t line = lock_below(l, 2 * P_IN_FLIGHT + 2);

    if (lock_chance(l, 50)) /* another line, which for some time differs only in one bit */
        line ^= UINT64_C(1) << l->cycle / 256 % P_LINE_W;
    return (struct byw_mem_req){
        .line = line,
        .id = lock_below(l, 1 << P_ID_W),
        .kind = kind,
        .write = kind == BYW_MEM_STORE || kind == BYW_MEM_WRITEBACK,
        .atomic = kind == BYW_MEM_BYPASS && lock_chance(l, 20),
    };
}

static bool write(const struct byw_mem_req *req)
{
    return req->write || req->atomic;
}

/* Checks, when the head leaves the queue, that no request in flight conflicts with it. */
static void check_flights(struct test *t)
{
    for (uint32_t i = 0; P_ORDER != 0 && i < t->flights; i++) {
        const struct byw_mem_req *old = &t->flight[i].req;

        lock_same(&t->l, "requests of one line in flight that must not be", 0,
                  old->line == t->head.line && (P_ORDER == 2 || write(old) || write(&t->head)));
    }
}

static void leave(struct test *t)
{
    check_flights(t);
    if (byw_order_numbers(&t->guard, t->head.kind))
        t->flight[t->flights++] = (struct flight){t->head, t->guard.next};
    byw_order_take(&t->guard, &t->head);
    t->shown = false;
    t->leaves++;
}

static void cycle(struct test *t, uint32_t rate)
{
    struct dut *d = t->l.dut;
    struct lock *l = &t->l;
    bool go, takes, gives = t->flights != 0 && lock_chance(l, 100 - rate);
    uint32_t i = gives ? lock_below(l, t->flights) : 0;
    struct byw_mem_rsp rsp = {.kind = BYW_MEM_FILL,
                              .id = P_ORDER == 0 ? lock_below(l, 1 << P_ID_W) : 0};

    if (!t->shown && lock_chance(l, rate)) {
        t->head = random_head(l);
        t->shown = true;
    }
    if (gives)
        rsp = (struct byw_mem_rsp){.kind = t->flight[i].req.kind, .id = t->flight[i].number};
    dut_put(d, t->p.rst, 0);
    dut_put(d, t->p.valid, t->shown);
    dut_put(d, t->p.kind, t->head.kind);
    dut_put(d, t->p.atomic, t->head.atomic);
    dut_put(d, t->p.line, t->head.line);
    dut_put(d, t->p.id, t->head.id);
    dut_put(d, t->p.done, gives);
    dut_put(d, t->p.done_kind, rsp.kind);
    dut_put(d, t->p.done_id, rsp.id);
    go = t->shown && byw_order_go(&t->guard, &t->head);
    takes = go && lock_chance(l, 80);
    dut_put(d, t->p.taken, takes);
    dut_eval(d);
    lock_same(l, "req_go", go, dut_get(d, t->p.go));
    if (go)
        lock_same(l, "req_id",
                  byw_order_numbers(&t->guard, t->head.kind) ? t->guard.next : t->head.id,
                  dut_get(d, t->p.number));
    t->waits += t->shown && !go;
    t->full += t->flights == P_IN_FLIGHT;
    if (!gives && P_ORDER == 0)
        lock_same(l, "own_id without a number", rsp.id, dut_get(d, t->p.own));
    if (gives) {
        lock_same(l, "own_id", t->flight[i].req.id, dut_get(d, t->p.own));
        lock_same(l, "own_id of the twin", t->flight[i].req.id, byw_order_own(&t->guard, &rsp));
        byw_order_give(&t->guard, &rsp);
        t->flight[i] = t->flight[--t->flights];
    }
    if (takes)
        leave(t);
    dut_tick(d);
}

static void reset(struct test *t)
{
    dut_put(t->l.dut, t->p.rst, 1);
    dut_eval(t->l.dut);
    dut_tick(t->l.dut);
    byw_order_clear(&t->guard);
    t->flights = 0;
    t->shown = false;
}

int main(int argc, char **argv)
{
    const struct byw_port port = {.order = P_ORDER, .in_flight = P_IN_FLIGHT, .store_ids = 1};
    struct test *t = calloc(1, sizeof(*t));
    uint32_t rate = 50;
    int result;

    if (t == NULL || byw_order_init(&t->guard, &port) != BYW_OK)
        return 2;
    t->l = lock_start(argc, argv, 200000);
    t->p = find_ports(t->l.dut);
    for (; t->l.cycle < t->l.cycles; t->l.cycle++) {
        if (t->l.cycle % 300 == 0)
            rate = lock_below(&t->l, 101);
        if (t->l.cycle == 0 || lock_below(&t->l, 20000) == 0)
            reset(t);
        else
            cycle(t, rate);
    }
    lock_met(&t->l, "cycles in which the head waits", t->waits);
    if (P_ORDER < 2)
        lock_met(&t->l, "cycles with all numbers in use", t->full);
    byw_order_release(&t->guard);
    result = lock_pass(&t->l, ", %" PRIu64 " requests, %" PRIu64 " cycles of waiting", t->leaves,
                       t->waits);
    free(t);
    return result;
}
