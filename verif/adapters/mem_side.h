/* SPDX-License-Identifier: Apache-2.0
 *
 * mem_side.h - the contract bench of a memory side: a requester that behaves like mem_req and
 * mem_rsp of the cache, plain memory as the scoreboard, and a measurement of the latency that the
 * adapter adds.
 *
 * A bus is a file with bus_find(), bus_drive(), bus_look() and bus_end(); it includes this one. Its
 * memory reorders, delays and stalls in every way that the bus allows, and checks the rules of the
 * bus. Both sides use the same few lines, so that requests for one line meet. Usage of every
 * program: NAME [seed [requests]].
 *
 * The scoreboard keeps no order: requests for one line are performed in the order of acceptance, so
 * a read must return what plain memory holds when the read is accepted.
 */
#ifndef BYW_MEM_SIDE_H
#define BYW_MEM_SIDE_H

#include "cosim/lock.h"
#include "record/byw_request.h"

#ifndef SIDE_ATOMICS
#define SIDE_ATOMICS 0 /* the bus performs atomics; else they are answered with an error */
#endif
#ifndef P_WB_ACKS
#define P_WB_ACKS 0
#endif
#ifndef P_ORDER
#define P_ORDER 1
#endif
#ifndef P_BEAT_BYTES /* a request is for a beat; a fill is answered beat by beat */
#define P_BEAT_BYTES P_LINE_BYTES
#endif

enum {
    SIDE_PORT = P_BEAT_BYTES == 0 ? P_LINE_BYTES : P_BEAT_BYTES, /* bytes of a request */
    SIDE_PARTS = P_LINE_BYTES / SIDE_PORT,
    SIDE_LINES = 48,
    SIDE_BAD = 4, /* this many lines answer with an error */
    SIDE_ALL = 400, /* requests in flight that are remembered */
    SIDE_ALONE = 400, /* requests at the start that are sent one by one and measured */
    SIDE_HANGS = 20000, /* cycles without an answer */
};

enum side_kind { KIND_FILL, KIND_BYPASS, KIND_STORE, KIND_WRITEBACK };

struct side_request {
    bool busy;
    uint32_t kind, id, line;
    uint32_t beat, come; /* beat of the line; beats of the answer so far */
    bool write, atomic, error;
    bool mask[P_LINE_BYTES];
    uint8_t data[P_LINE_BYTES]; /* bytes written; for a read, the bytes expected (fill: the line) */
    uint64_t shown; /* cycle of the first offer */
};

struct side {
    struct lock l;
    uint32_t req_beat; /* port of the beat number; with beats only */
    uint32_t rst, req_valid, req_ready, req_kind, req_write, req_atomic, req_line, req_bytes;
    uint32_t req_data, req_id, rsp_valid, rsp_ready, rsp_kind, rsp_data, rsp_id, rsp_error, idle;
    uint64_t address[SIDE_LINES]; /* line addresses */
    uint8_t plain[SIDE_LINES][P_LINE_BYTES]; /* memory after all requests accepted so far */
    uint8_t memory[SIDE_LINES][P_LINE_BYTES]; /* memory as written through the bus so far */
    struct side_request now; /* the request offered at mem_req */
    struct side_request flight[SIDE_ALL];
    uint32_t flying, busy_to;
    uint64_t wanted, taken, answered, last_answer, reads, errors, conflicts;
    uint32_t rate, space, rsp_rate, bus_rate; /* percent: requests, ready for answers, bus */
    bool alone;
    bool stays; /* an answer was offered and not taken */
    struct side_request stayed; /* this answer */
    /* cycles of the first request and of the end of the answer at the bus */
    uint64_t bus_seen, bus_done;
    uint64_t adds; /* largest number of cycles that the adapter added */
    uint64_t full_from, full_taken; /* cycle and number of requests where the stretch without
                                       back-pressure begins */
};

/* The functions of a bus. */
static void bus_find(struct side *s);
static void bus_drive(struct side *s); /* inputs of this cycle */
static void bus_look(struct side *s); /* outputs of this cycle; then the bus advances */
static void bus_end(struct side *s);

static inline void side_need(const struct side *s, const char *rule, bool kept)
{
    if (!kept)
        lock_fail(&s->l, rule, 1, 0);
}

static inline uint32_t side_below(struct side *s, uint32_t bound)
{
    return lock_below(&s->l, bound);
}

static inline bool side_chance(struct side *s, uint32_t percent)
{
    return lock_below(&s->l, 100) < percent;
}

/* Checks that no one-bit input of the bus reaches an output of the bus combinationally: inverts
 * each input and restores it within the cycle. */
static inline void side_paths(struct side *s, const uint32_t *in, uint32_t ins, const uint32_t *out,
                              uint32_t outs)
{
    uint64_t want[16], was;
    uint32_t i, o;

    if (s->l.cycle % 32 != 0)
        return;
    for (o = 0; o < outs; o++)
        want[o] = dut_get(s->l.dut, out[o]);
    for (i = 0; i < ins; i++) {
        was = dut_get(s->l.dut, in[i]);
        dut_put(s->l.dut, in[i], !was);
        dut_eval(s->l.dut);
        for (o = 0; o < outs; o++)
            side_need(s, "no input of the bus reaches an output of it in its cycle",
                      want[o] == dut_get(s->l.dut, out[o]));
        dut_put(s->l.dut, in[i], was);
    }
    dut_eval(s->l.dut);
}

/* The number of a line; a line that was not requested is a fault. */
static inline uint32_t side_line(const struct side *s, uint64_t address)
{
    uint32_t i;

    for (i = 0; i < SIDE_LINES; i++)
        if (s->address[i] == address)
            return i;
    lock_fail(&s->l, "the bus names a line that nobody asked for", 0, address);
    return 0;
}

static inline bool side_bad(uint32_t line)
{
    return line < SIDE_BAD;
}

/* _seen: the bus has seen a request.  _done: it has answered one completely. */
static inline void side_seen(struct side *s)
{
    if (s->bus_seen == 0)
        s->bus_seen = s->l.cycle;
}
static inline void side_done(struct side *s)
{
    s->bus_done = s->l.cycle;
}

static inline void side_draw_mask(struct side *s, struct side_request *r)
{
    uint32_t i, way = side_below(s, 8), from = side_below(s, SIDE_PORT), n = 1;

    memset(r->mask, way == 0, sizeof(r->mask));
    if (way == 1) /* any bytes */
        for (i = 0; i < SIDE_PORT; i++)
            r->mask[i] = side_chance(s, 20);
    if (way >= 3) { /* an aligned piece; way 2 leaves the mask empty */
        n = UINT32_C(1) << side_below(s, 6);
        for (i = from / n * n; i < from / n * n + n && i < SIDE_PORT; i++)
            r->mask[i] = true;
    }
}

static inline void side_draw(struct side *s)
{
    struct side_request *r = &s->now;
    uint32_t i;

    *r = (struct side_request){.busy = true, .shown = s->l.cycle};
    r->line = side_below(s, side_chance(s, 50) ? 8 : SIDE_LINES);
    r->beat = side_below(s, SIDE_PARTS);
    r->kind = side_below(s, 4);
    r->write = r->kind == KIND_STORE || r->kind == KIND_WRITEBACK;
    r->atomic = r->kind == KIND_BYPASS && side_chance(s, 20);
    side_draw_mask(s, r);
    if (r->kind == KIND_FILL)
        memset(r->mask, 1, sizeof(r->mask));
    for (i = 0; i < P_LINE_BYTES; i++)
        r->data[i] = (uint8_t)side_below(s, 256);
    /* Fills and bypasses use tracker numbers; a store has its requester's id, unchanged. */
    r->id = side_below(s, 1 << (r->write ? 4 : 10));
    for (i = 0; i < s->busy_to && !r->write; i++)
        if (s->flight[i].busy && s->flight[i].kind == r->kind && s->flight[i].id == r->id) {
            r->id = (r->id + 1) % (1 << 10);
            i = UINT32_MAX;
        }
}

static inline void side_put(struct side *s)
{
    uint32_t bits[P_LINE_BYTES / 32 + 1] = {0}, i;

    for (i = 0; i < SIDE_PORT; i++)
        lock_set_field(bits, i, 1, s->now.mask[i]);
    dut_put(s->l.dut, s->req_valid, s->now.busy);
    dut_put(s->l.dut, s->req_kind, s->now.kind);
    dut_put(s->l.dut, s->req_write, s->now.write);
    dut_put(s->l.dut, s->req_atomic, s->now.atomic);
    dut_put(s->l.dut, s->req_line, s->address[s->now.line]);
    dut_put(s->l.dut, s->req_id, s->now.id);
    dut_put_bytes(s->l.dut, s->req_bytes, bits, sizeof(bits));
    dut_put_bytes(s->l.dut, s->req_data, s->now.data, SIDE_PORT);
    if (SIDE_PARTS > 1)
        dut_put(s->l.dut, s->req_beat, s->now.beat);
}

/* A request is accepted: plain memory changes now, and a read's answer is known now. */
static inline void side_take(struct side *s)
{
    struct side_request *r = &s->now;
    uint32_t i, at = 0, n = r->kind == KIND_FILL ? P_LINE_BYTES : SIDE_PORT;
    uint8_t *plain = s->plain[r->line] + (r->kind == KIND_FILL ? 0 : r->beat * SIDE_PORT);

    r->error = side_bad(r->line) || (r->atomic && SIDE_ATOMICS == 0);
    for (i = 0; i < s->busy_to; i++)
        s->conflicts += s->flight[i].busy && s->flight[i].line == r->line;
    for (i = 0; i < n; i++)
        if (!r->write)
            r->data[i] = plain[i];
        else if (r->mask[i] && !r->error)
            plain[i] = r->data[i];
    s->taken++;
    s->reads += !r->write;
    if (r->kind != KIND_WRITEBACK || P_WB_ACKS != 0) {
        while (at < SIDE_ALL && s->flight[at].busy)
            at++;
        side_need(s, "the bench remembers enough requests", at < SIDE_ALL);
        s->flight[at] = *r;
        s->busy_to = at + 1 > s->busy_to ? at + 1 : s->busy_to;
        s->flying++;
    }
    r->busy = false;
}

/* Whether an answer of this kind, id and error can belong to the request: a failing fill may report
 * the error in any beat, and no fill begins before the last beat of another one. */
static inline bool side_due(const struct side *s, const struct side_request *r, uint32_t kind,
                            uint32_t id, bool error)
{
    bool last = kind != KIND_FILL || r->come + 1 == SIDE_PARTS;
    uint32_t i;

    if (!r->busy || r->kind != kind || r->id != id ||
        (last ? r->error != error : error && !r->error))
        return false;
    for (i = 0; i < s->busy_to && kind == KIND_FILL && SIDE_PARTS > 1; i++)
        if (s->flight[i].busy && s->flight[i].come != 0 && &s->flight[i] != r)
            return false;
    return true;
}

/* An answer at mem_rsp belongs to a request in flight and has its bytes. */
static inline void side_answer(struct side *s, bool taken)
{
    uint32_t kind = (uint32_t)dut_get(s->l.dut, s->rsp_kind), i, at;
    uint32_t id = (uint32_t)dut_get(s->l.dut, s->rsp_id);
    bool error = dut_get(s->l.dut, s->rsp_error) != 0;
    uint8_t got[P_LINE_BYTES];

    dut_get_bytes(s->l.dut, s->rsp_data, got, sizeof(got));
    if (s->stays)
        side_need(s, "an answer stays until it is taken",
                  s->stayed.kind == kind && s->stayed.id == id && s->stayed.error == error);
    s->stays = !taken;
    s->stayed = (struct side_request){.kind = kind, .id = id, .error = error};
    if (!taken)
        return;
    for (at = 0; at < s->busy_to; at++)
        if (side_due(s, &s->flight[at], kind, id, error))
            break;
    side_need(s, "an answer is due, with this kind, id and error", at < s->busy_to);
    for (i = 0; i < SIDE_PORT && !s->flight[at].write && !s->flight[at].error; i++)
        if (s->flight[at].mask[i])
            lock_same_at(&s->l, "byte of an answer", i,
                         s->flight[at].data[s->flight[at].come * SIDE_PORT + i], got[i]);
    s->last_answer = s->l.cycle;
    if (kind == KIND_FILL && ++s->flight[at].come < SIDE_PARTS)
        return;
    s->flight[at].busy = false;
    s->flying--;
    s->answered++;
    s->errors += error;
}

/* A request alone on the bus is delayed by the cycles that the adapter adds in both directions. */
static inline void side_measure(struct side *s, bool answer)
{
    uint64_t late = s->bus_seen - s->stayed.shown + (answer ? s->l.cycle - s->bus_done : 0);

    if (!s->alone || s->bus_seen == 0 || (answer && s->flying != 0))
        return;
    s->adds = late > s->adds ? late : s->adds;
    s->bus_seen = 0;
}

static inline void side_phase(struct side *s)
{
    static const uint8_t RATES[] = {5, 30, 70, 100};

    if (s->alone && s->taken == SIDE_ALONE && s->flying == 0) {
        s->alone = false;
        s->full_from = s->l.cycle;
    }
    if (s->alone || s->l.cycle % 512 != 0)
        return;
    s->rate = RATES[side_below(s, 4)];
    s->rsp_rate = RATES[side_below(s, 4)];
    s->bus_rate = RATES[side_below(s, 4)];
}

static inline void side_find(struct side *s)
{
    const struct dut *d = s->l.dut;

    s->rst = dut_port(d, "rst_i");
    s->req_valid = dut_port(d, "mem_req_valid_i");
    s->req_ready = dut_port(d, "mem_req_ready_o");
    s->req_kind = dut_port(d, "mem_req_kind_i");
    s->req_write = dut_port(d, "mem_req_write_i");
    s->req_atomic = dut_port(d, "mem_req_atomic_i");
    s->req_line = dut_port(d, "mem_req_line_i");
    s->req_bytes = dut_port(d, "mem_req_bytes_i");
    if (SIDE_PARTS > 1)
        s->req_beat = dut_port(d, "mem_req_beat_i");
    s->req_data = dut_port(d, "mem_req_data_i");
    s->req_id = dut_port(d, "mem_req_id_i");
    s->rsp_valid = dut_port(d, "mem_rsp_valid_o");
    s->rsp_ready = dut_port(d, "mem_rsp_ready_i");
    s->rsp_kind = dut_port(d, "mem_rsp_kind_o");
    s->rsp_data = dut_port(d, "mem_rsp_data_o");
    s->rsp_id = dut_port(d, "mem_rsp_id_o");
    s->rsp_error = dut_port(d, "mem_rsp_error_o");
    s->idle = dut_port(d, "idle_o");
    bus_find(s);
}

/* Distinct lines, some of them adjacent at a border of 4 KB. */
static inline void side_addresses(struct side *s)
{
    uint64_t mask = byw_mask64(P_ADDR_W - (uint32_t)__builtin_ctz(P_LINE_BYTES));
    uint32_t i, j;

    for (i = 0; i < SIDE_LINES; i++) {
        s->address[i] = i % 4 != 1 ? byw_rng_next(&s->l.rng) & mask
                                   : ((s->address[i - 1] | (4096 / P_LINE_BYTES - 1))) & mask;
        for (j = 0; j < i; j++)
            if (s->address[j] == s->address[i]) {
                s->address[i] = byw_rng_next(&s->l.rng) & mask;
                j = UINT32_MAX;
            }
        for (j = 0; j < P_LINE_BYTES; j++)
            s->plain[i][j] = s->memory[i][j] = (uint8_t)side_below(s, 256);
    }
}

static inline void side_cycle(struct side *s)
{
    bool reset = s->l.cycle == 0, req, rsp, rsp_ready = side_chance(s, s->rsp_rate);

    side_phase(s);
    if (!s->now.busy && s->taken < s->wanted && !reset && s->flying < 300 &&
        (s->alone ? s->flying == 0 && dut_get(s->l.dut, s->idle) : side_chance(s, s->rate))) {
        side_draw(s);
        s->stayed.shown = s->l.cycle;
        s->bus_seen = s->bus_done = 0;
    }
    dut_put(s->l.dut, s->rst, reset);
    side_put(s);
    dut_put(s->l.dut, s->rsp_ready, rsp_ready);
    bus_drive(s);
    dut_eval(s->l.dut);
    req = !reset && s->now.busy && dut_get(s->l.dut, s->req_ready) != 0;
    rsp = !reset && dut_get(s->l.dut, s->rsp_valid) != 0;
    if (s->stays)
        side_need(s, "an answer stays until it is taken", rsp);
    if (!reset)
        bus_look(s);
    if (rsp) {
        uint64_t shown = s->stayed.shown;

        side_answer(s, rsp_ready);
        s->stayed.shown = shown;
        if (rsp_ready)
            side_measure(s, s->bus_done != 0);
    }
    if (req)
        side_take(s);
    dut_tick(s->l.dut);
    if ((s->flying != 0 || s->now.busy || s->taken == s->wanted) &&
        s->l.cycle - s->last_answer > SIDE_HANGS && s->l.cycle - s->stayed.shown > SIDE_HANGS)
        lock_fail(&s->l, "an answer in finite time", 1, 0);
}

static inline int side_main(int argc, char **argv)
{
    static struct side side;
    struct side *s = &side;
    uint64_t end = 0;
    uint32_t i, b;

    s->l = lock_start(argc, argv, 5000);
    s->wanted = s->l.cycles;
    s->alone = true;
    s->rate = s->rsp_rate = s->bus_rate = 100;
    side_find(s);
    side_addresses(s);
    dut_eval(s->l.dut);
    for (s->l.cycle = 0; s->taken < s->wanted || s->flying != 0 || end < 100; s->l.cycle++) {
        side_cycle(s);
        if (s->taken == s->wanted && s->flying == 0) /* write-backs have no answer */
            end = s->l.cycle != 0 && dut_get(s->l.dut, s->idle) != 0 ? end + 1 : 0;
    }
    bus_end(s);
    for (i = SIDE_BAD; i < SIDE_LINES; i++)
        for (b = 0; b < P_LINE_BYTES; b++)
            lock_same_at(&s->l, "byte of memory", i * P_LINE_BYTES + b, s->plain[i][b],
                         s->memory[i][b]);
    side_need(s, "the adapter adds at most one cycle", s->adds <= 1);
    s->l.cycles = s->l.cycle;
#ifndef SIDE_SERIAL /* the bus has one request at a time */
    lock_met(&s->l, "requests of one line in flight together", s->conflicts);
#endif
    lock_met(&s->l, "answers with an error", s->errors);
    return lock_pass(&s->l, ", %" PRIu64 " requests, %" PRIu64 " errors; adds %" PRIu64 " cycle",
                     s->taken, s->errors, s->adds);
}

#endif
