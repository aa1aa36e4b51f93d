/* SPDX-License-Identifier: Apache-2.0
 *
 * lockstep_lane_coalescer - byw_lane_coalescer.v against byw_lane_coalescer.c: every output of
 * every cycle. Also checks the function from outside: each lane gets the bytes of its own address
 * once, each stored byte arrives, atomics on a word are performed lane by lane, and the beats of a
 * line form one access.
 */
#include "cosim/lock.h"
#include "top/byw_lane_coalescer.h"

enum {
    BYTES = 4096,
    WAITING = 64,
    PORT_BYTES = P_BEAT_BYTES == 0 ? P_LINE_BYTES : P_BEAT_BYTES /* bytes of a request */
};

#define PORTS(X)                                                                                   \
    X(rst, "rst_i")                                                                                \
    X(in_valid, "in_valid_i")                                                                      \
    X(in_ready, "in_ready_o")                                                                      \
    X(in_op, "in_op_i")                                                                            \
    X(in_byte, "in_byte_i")                                                                        \
    X(in_lanes, "in_lanes_i")                                                                      \
    X(in_addr, "in_addr_i")                                                                        \
    X(in_data, "in_data_i")                                                                        \
    X(in_warp, "in_warp_i")                                                                        \
    X(in_pc, "in_pc_i")                                                                            \
    X(in_hint, "in_hint_i")                                                                        \
    X(in_func, "in_func_i")                                                                        \
    X(req_valid, "req_valid_o")                                                                    \
    X(req_ready, "req_ready_i")                                                                    \
    X(req_op, "req_op_o")                                                                          \
    X(req_line, "req_line_o")                                                                      \
    X(req_beat, "req_beat_o")                                                                      \
    X(req_more, "req_more_o")                                                                      \
    X(req_bytes, "req_bytes_o")                                                                    \
    X(req_data, "req_data_o")                                                                      \
    X(req_pc, "req_pc_o")                                                                          \
    X(req_id, "req_id_o")                                                                          \
    X(req_hint, "req_hint_o")                                                                      \
    X(req_func, "req_func_o")                                                                      \
    X(rsp_valid, "rsp_valid_i")                                                                    \
    X(rsp_ready, "rsp_ready_o")                                                                    \
    X(rsp_data, "rsp_data_i")                                                                      \
    X(rsp_id, "rsp_id_i")                                                                          \
    X(rsp_error, "rsp_error_i")                                                                    \
    X(out_valid, "out_valid_o")                                                                    \
    X(out_ready, "out_ready_i")                                                                    \
    X(out_warp, "out_warp_o")                                                                      \
    X(out_lanes, "out_lanes_o")                                                                    \
    X(out_data, "out_data_o")                                                                      \
    X(out_last, "out_last_o")                                                                      \
    X(error, "error_o")                                                                            \
    X(stores, "stores_o")                                                                          \
    X(idle, "idle_o")

struct ports {
#define X(field, name) uint32_t field;
    PORTS(X)
#undef X
};

struct bench {
    struct lock l;
    struct ports p;
    struct byw_lane_coalescer c;
    struct byw_lane_coalescer_in in;
    uint8_t line[BYW_LINE_MAX]; /* bytes of in.rsp */
    uint8_t memory[BYTES]; /* memory after the requests so far */
    struct {
        uint32_t id, op, due;
        uint8_t line[BYW_LINE_MAX];
    } waiting[WAITING];
    uint32_t waits, offered; /* requests in `waiting`; 1 + the index of the one whose answer is
                                offered, or 0 */
    /* the reference, computed from the instructions: */
    uint8_t want[BYTES]; /* memory after the instructions so far */
    struct byw_warp_access flying[P_WARPS]; /* loads and atomics; lanes: those without an answer */
    uint32_t before[P_WARPS][P_LANES]; /* expected bytes of a load */
    uint32_t seen[P_WARPS]; /* lanes of an atomic that were in a request */
    uint32_t phase, in_rate, req_rate, rsp_rate, out_rate, narrow;
    bool stores; /* stores of the last warp only */
    uint64_t parts, accesses, errors, merged;
    uint64_t lines, first; /* instructions, requests that begin an access; since the reset */
};

static uint32_t get_word(const uint8_t *at)
{
    uint32_t value;

    memcpy(&value, at, 4);
    return value;
}

/* Draws an instruction. Its addresses are within `span` bytes, `span` random up to b->narrow, at
 * a random base. The model of memory has BYTES bytes and ignores the higher address bits. Some
 * phases have stores of one warp only. */
static void draw(struct bench *b)
{
    struct byw_warp_access *a = &b->in.in;
    uint32_t i, base = lock_below(&b->l, BYTES), span;
    uint32_t part =
        (uint32_t)byw_rng_next(&b->l.rng) & ~(BYTES - 1U) & (uint32_t)byw_mask64(P_ADDR_W);

    a->warp = b->stores ? P_WARPS - 1 : lock_below(&b->l, P_WARPS);
    a->op = b->stores ? BYW_OP_STORE : (uint8_t)lock_below(&b->l, 3);
    a->byte = a->op != BYW_OP_ATOMIC && lock_chance(&b->l, 40);
    a->hint = (uint8_t)lock_below(&b->l, 5);
    a->pc = (uint32_t)byw_rng_next(&b->l.rng);
    a->func = lock_below(&b->l, 1U << P_FUNC_W);
    a->lanes = 1 + lock_below(&b->l, (1U << P_LANES) - 1);
    span = 1 + lock_below(&b->l, b->narrow);
    for (i = 0; i < P_LANES; i++) {
        a->addr[i] = part | ((base + lock_below(&b->l, span)) % BYTES & (a->byte ? ~0U : ~3U));
        a->data[i] = (uint32_t)byw_rng_next(&b->l.rng);
    }
}

/* A warp with a load in flight offers no instruction. Stores may be in flight: their only order
 * with the warp's loads is that within a line. */
static bool may_ask(const struct bench *b)
{
    return b->flying[b->in.in.warp].lanes == 0;
}

/* Number of different lines or beats (of so many bytes) that the lanes access. */
static uint32_t places(const struct byw_warp_access *a, uint32_t bytes)
{
    uint32_t i, j, n = 0;

    for (i = 0; i < P_LANES; i++) {
        bool known = (a->lanes >> i & 1) == 0;

        for (j = 0; j < i; j++)
            known |= (a->lanes >> j & 1) != 0 && a->addr[j] / bytes == a->addr[i] / bytes;
        n += !known;
    }
    return n;
}

/* Applies the instruction in program order: the expected values of its lanes and of memory. */
static void accept(struct bench *b)
{
    const struct byw_warp_access *a = &b->in.in;
    uint32_t i, w = a->warp;

    b->accesses++;
    b->lines += places(a, P_LINE_BYTES);
    if (a->op != BYW_OP_STORE) {
        b->flying[w] = *a;
        b->seen[w] = 0;
    }
    for (i = 0; i < P_LANES; i++) {
        uint8_t *at = b->want + a->addr[i] % BYTES;

        if ((a->lanes >> i & 1) == 0)
            continue;
        b->before[w][i] = a->byte ? *at : get_word(at);
        if (a->op == BYW_OP_STORE)
            memcpy(at, &a->data[i], a->byte ? 1 : 4);
        if (a->op == BYW_OP_ATOMIC) {
            uint32_t sum = get_word(at) + a->data[i];

            memcpy(at, &sum, 4);
        }
    }
}

/* The memory: performs a request on arrival and answers later, in any order. */
static void request(struct bench *b, const struct byw_req *req)
{
    uint8_t *line = b->memory + (req->line * P_LINE_BYTES + req->beat * PORT_BYTES) % BYTES;
    uint32_t i;

    b->waiting[b->waits].id = req->id;
    b->waiting[b->waits].op = req->op;
    b->waiting[b->waits].due = lock_below(&b->l, 20);
    memcpy(b->waiting[b->waits++].line, line, PORT_BYTES);
    b->parts++;
    b->first += !req->more;
    if (req->op == BYW_OP_ATOMIC) {
        for (i = 0; i < PORT_BYTES; i += 4)
            if ((req->bytes.w[i / 64] >> i % 64 & 1) != 0) {
                uint32_t sum = get_word(line + i) + get_word(req->data + i);

                memcpy(line + i, &sum, 4);
            }
    }
    for (i = 0; req->op == BYW_OP_STORE && i < PORT_BYTES; i++)
        if ((req->bytes.w[i / 64] >> i % 64 & 1) != 0)
            line[i] = req->data[i];
}

static void offer(struct bench *b)
{
    uint32_t i;

    if (b->offered == 0 && b->waits != 0 && lock_chance(&b->l, b->rsp_rate)) {
        b->offered = 1 + lock_below(&b->l, b->waits);
        b->in.rsp.error = lock_below(&b->l, 200) == 0;
    }
    b->in.rsp_valid = b->offered != 0;
    if (b->offered == 0)
        return;
    i = b->offered - 1;
    b->in.rsp.id = b->waiting[i].id;
    memcpy(b->line, b->waiting[i].line, PORT_BYTES);
    b->in.rsp.data = b->line;
}

static void answered(struct bench *b)
{
    uint32_t i = b->offered - 1;

    b->errors += b->in.rsp.error;
    b->waits--;
    memmove(&b->waiting[i], &b->waiting[i + 1], (b->waits - i) * sizeof(b->waiting[0]));
    b->offered = 0;
}

/* Each lane gets the old bytes at its address, once. The word of an atomic may already contain the
 * additions of other lanes of the instruction, which are performed one after the other. */
static void check_out(struct bench *b, const struct byw_lane_coalescer_out *out)
{
    struct byw_warp_access *a = &b->flying[out->out_warp];
    uint32_t i, j;

    lock_same(&b->l, "lanes answered twice or not asked", 0, out->out_lanes & ~a->lanes);
    for (i = 0; i < P_LANES; i++) {
        uint32_t want = b->before[out->out_warp][i];

        if ((out->out_lanes >> i & 1) == 0)
            continue;
        for (j = 0; j < i && a->op == BYW_OP_ATOMIC; j++)
            b->merged += a->addr[j] == a->addr[i];
        lock_same_at(&b->l, "word of lane", i, want, out->out_data[i]);
    }
    a->lanes &= ~out->out_lanes;
    lock_same(&b->l, "out_last", a->lanes == 0, out->out_last);
}

static void compare_req(struct bench *b, const struct byw_req *req)
{
    const struct lock *l = &b->l;
    uint32_t bits[BYW_LINE_MAX / 32] = {0};
    uint8_t got[BYW_LINE_MAX];

    lock_same(l, "req_op", req->op, dut_get(l->dut, b->p.req_op));
    lock_same(l, "req_line", req->line, dut_get(l->dut, b->p.req_line));
    lock_same(l, "req_beat", req->beat, dut_get(l->dut, b->p.req_beat));
    lock_same(l, "req_more", req->more, dut_get(l->dut, b->p.req_more));
    lock_same(l, "req_pc", req->pc, dut_get(l->dut, b->p.req_pc));
    lock_same(l, "req_id", req->id, dut_get(l->dut, b->p.req_id));
    lock_same(l, "req_func", req->func, dut_get(l->dut, b->p.req_func));
    lock_same(l, "req_hint", req->hint, dut_get(l->dut, b->p.req_hint));
    dut_get_bytes(l->dut, b->p.req_bytes, bits, sizeof(bits));
    lock_same_bytes(l, "req_bytes", (const uint8_t *)req->bytes.w, (const uint8_t *)bits,
                    (PORT_BYTES + 7) / 8);
    dut_get_bytes(l->dut, b->p.req_data, got, sizeof(got));
    lock_same_bytes(l, "req_data", req->data, got, PORT_BYTES);
}

static void compare(struct bench *b, const struct byw_lane_coalescer_out *out)
{
    const struct lock *l = &b->l;
    uint32_t got[P_LANES], i;

    lock_same(l, "in_ready", out->in_ready, dut_get(l->dut, b->p.in_ready));
    lock_same(l, "req_valid", out->req_valid, dut_get(l->dut, b->p.req_valid));
    lock_same(l, "out_valid", out->out_valid, dut_get(l->dut, b->p.out_valid));
    lock_same(l, "stores", out->stores, dut_get(l->dut, b->p.stores));
    lock_same(l, "idle", out->idle, dut_get(l->dut, b->p.idle));
    lock_same(l, "error", out->error, dut_get(l->dut, b->p.error));
    if (b->in.rsp_valid)
        lock_same(l, "rsp_ready", out->rsp_ready, dut_get(l->dut, b->p.rsp_ready));
    if (out->req_valid)
        compare_req(b, &out->req);
    if (!out->out_valid)
        return;
    lock_same(l, "out_warp", out->out_warp, dut_get(l->dut, b->p.out_warp));
    lock_same(l, "out_lanes", out->out_lanes, dut_get(l->dut, b->p.out_lanes));
    lock_same(l, "out_last", out->out_last, dut_get(l->dut, b->p.out_last));
    dut_get_bytes(l->dut, b->p.out_data, got, sizeof(got));
    for (i = 0; i < P_LANES; i++)
        lock_same_at(l, "out_data", i, out->out_data[i], got[i]);
}

static void put(struct bench *b)
{
    const struct byw_lane_coalescer_in *in = &b->in;
    uint32_t addr[P_LANES * P_ADDR_W / 32 + 1] = {0}, i;
    struct dut *d = b->l.dut;

    for (i = 0; i < P_LANES; i++)
        lock_set_field(addr, i * P_ADDR_W, P_ADDR_W, in->in.addr[i]);
    dut_put(d, b->p.rst, in->rst);
    dut_put(d, b->p.in_valid, in->in_valid);
    dut_put(d, b->p.in_op, in->in.op);
    dut_put(d, b->p.in_byte, in->in.byte);
    dut_put(d, b->p.in_lanes, in->in.lanes);
    dut_put_bytes(d, b->p.in_addr, addr, sizeof(addr));
    dut_put_bytes(d, b->p.in_data, in->in.data, P_LANES * 4);
    dut_put(d, b->p.in_warp, in->in.warp);
    dut_put(d, b->p.in_pc, in->in.pc);
    dut_put(d, b->p.in_hint, in->in.hint);
    dut_put(d, b->p.in_func, in->in.func);
    dut_put(d, b->p.req_ready, in->req_ready);
    dut_put(d, b->p.rsp_valid, in->rsp_valid);
    dut_put(d, b->p.rsp_id, in->rsp.id);
    dut_put(d, b->p.rsp_error, in->rsp.error);
    dut_put_bytes(d, b->p.rsp_data, b->line, PORT_BYTES);
    dut_put(d, b->p.out_ready, in->out_ready);
}

static void renew(struct bench *b)
{
    if (b->phase++ % 300 != 0)
        return;
    b->in_rate = lock_below(&b->l, 101);
    b->req_rate = 10 + lock_below(&b->l, 91);
    b->rsp_rate = 10 + lock_below(&b->l, 91);
    b->out_rate = 10 + lock_below(&b->l, 91);
    b->stores = lock_chance(&b->l, 10);
    b->narrow = lock_chance(&b->l, 30) ? BYTES : lock_chance(&b->l, 50) ? 16 : 2 * P_LINE_BYTES;
}

static void forget(struct bench *b)
{
    b->waits = b->offered = 0;
    b->lines = b->first = 0;
    memset(b->flying, 0, sizeof(b->flying));
    memcpy(b->want, b->memory, sizeof(b->want));
}

static void one_cycle(struct bench *b)
{
    struct byw_lane_coalescer_out out;

    renew(b);
    b->in.rst = b->l.cycle == 0 || lock_below(&b->l, 5000) == 0;
    b->in.in_valid = may_ask(b) && lock_chance(&b->l, b->in_rate);
    b->in.req_ready = b->waits < WAITING && lock_chance(&b->l, b->req_rate);
    b->in.out_ready = lock_chance(&b->l, b->out_rate);
    offer(b);
    put(b);
    dut_eval(b->l.dut);
    byw_lane_coalescer_eval(&b->c, &b->in, &out);
    if (!b->in.rst) {
        compare(b, &out);
        if (out.out_valid && b->in.out_ready)
            check_out(b, &out);
        if (out.req_valid && b->in.req_ready)
            request(b, &out.req);
        if (b->in.rsp_valid && out.rsp_ready)
            answered(b);
        if (b->in.in_valid && out.in_ready)
            accept(b);
        if (out.idle && PORT_BYTES < P_LINE_BYTES && !b->in.in_valid)
            lock_same(&b->l, "accesses when idle", b->lines, b->first);
        if (out.idle)
            lock_same_bytes(&b->l, "memory when idle", b->want, b->memory,
                            b->in.in_valid ? 0 : BYTES);
    }
    byw_lane_coalescer_tick(&b->c, &b->in);
    dut_tick(b->l.dut);
    if (b->in.rst)
        forget(b);
    if (b->in.rst || (b->in.in_valid && out.in_ready) || !may_ask(b))
        draw(b);
}

int main(int argc, char **argv)
{
    static struct bench bench;
    struct bench *b = &bench;
    struct byw_lane_coalescer_config cfg = {P_LANES, P_WARPS, P_LINE_BYTES, P_SLOTS, P_BEAT_BYTES};

    b->l = lock_start(argc, argv, 60000);
#define X(field, name) b->p.field = dut_port(b->l.dut, name);
    PORTS(X)
#undef X
    if (byw_lane_coalescer_init(&b->c, &cfg) != BYW_OK)
        return 2;
    draw(b);
    for (b->l.cycle = 0; b->l.cycle < b->l.cycles; b->l.cycle++)
        one_cycle(b);
    lock_met(&b->l, "answers with an error", b->errors);
    if (P_LANES > 1)
        lock_met(&b->l, "lanes of an atomic that name one word", b->merged);
    byw_lane_coalescer_release(&b->c);
    return lock_pass(&b->l, ", %" PRIu64 " instructions, %" PRIu64 " requests", b->accesses,
                     b->parts);
}
