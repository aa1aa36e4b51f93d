/* SPDX-License-Identifier: Apache-2.0 */
#include "scenario/rig.h"

#include "cosim/lock_cfg.h"
#include "l1d/byw_l1d_state.h"
#include "scenario/rig_memory.h"

enum { PATIENCE = 20000 }; /* timeout, in cycles, for an event that must happen */

static void give_up(struct rig *r, int line, const char *what, uint64_t want, uint64_t got)
{
    printf("FAIL %s seed %" PRIu64 " (%s) cycle %" PRIu64 "%s", r->name, r->l.seed, r->size.name,
           r->cycle, line != 0 ? " line " : "");
    if (line != 0)
        printf("%d", line);
    printf(": %s, want %" PRIu64 " got %" PRIu64, what, want, got);
    printf(want > 9 || got > 9 ? " (0x%" PRIx64 " 0x%" PRIx64 ")\n" : "\n", want, got);
    longjmp(r->out_of_here, 1);
}

void rig_same_at(struct rig *r, int line, const char *what, uint64_t want, uint64_t got)
{
    if (want != got)
        give_up(r, line, what, want, got);
}

void rig_served_at(struct rig *r, int line, uint32_t id, enum byw_served how, uint64_t cycles)
{
    char what[64];

    snprintf(what, sizeof(what), "answers to request %" PRIu32, id);
    rig_same_at(r, line, what, 1, r->ask[id].answers);
    snprintf(what, sizeof(what), "how request %" PRIu32 " was served", id);
    rig_same_at(r, line, what, how, r->ask[id].served);
    snprintf(what, sizeof(what), "cycles to the answer of request %" PRIu32, id);
    if (cycles != 0)
        rig_same_at(r, line, what, cycles, rig_took(r, id));
}

struct byw_config rig_config(const struct rig *r)
{
    const struct rig_size *s = &r->size;
    struct byw_config c;

    byw_config_defaults(&c);
    c.dec_rc_init = 0; /* the third touch allocates a line */
    c.policy_mode = BYW_MODE_BASE;
    c.l1d_alloc = s->alloc;
    c.l1d_sectors = s->sectors;
    c.l1d_sets = s->sets;
    c.l1d_ways = s->ways;
    c.l1d_line = s->line;
    c.l1d_index = BYW_INDEX_LINEAR;
    c.l1d_repl = s->repl;
    c.l1d_look = s->look;
    c.l1d_mshrs = s->mshrs;
    c.l1d_merges = s->merges;
    c.l1d_miss_queue = s->miss_depth;
    c.l1d_bypass_queue = s->bypass_depth;
    c.l1d_trackers = s->trackers;
    c.dec_tag_ways = s->tag_ways;
    c.dec_rc_bits = s->rc_bits;
    c.port = s->port;
    return c;
}

/* The cycle of reset, in which outputs are undefined. */
static void reset_cycle(struct rig *r)
{
    r->in.rst = true;
    rig_ports_put(&r->ports, r->l.dut, &r->in, rig_port_bytes(r));
    dut_put(r->l.dut, r->ports.cfg_i, r->cfg);
    dut_put(r->l.dut, r->ports.pc_cfg_i, r->pc_cfg);
    dut_eval(r->l.dut);
    byw_l1d_tick(r->l1d, &r->in);
    dut_tick(r->l.dut);
    r->in.rst = false;
}

void rig_start(struct rig *r, const struct byw_config *config)
{
    struct byw_diag diag;
    uint32_t i;

    r->config = *config;
    r->cfg = lock_cfg(config);
    r->pc_cfg = lock_pc_cfg(config);
    byw_l1d_free(r->l1d);
    r->l1d = NULL;
    if (byw_l1d_create(config, true, &r->l1d, &diag) != BYW_OK) {
        fprintf(stderr, "%s: %s\n", r->name, diag.text);
        exit(2);
    }
    r->in = (struct byw_l1d_in){.ctrl.filter_on = true};
    r->rsp_ready = r->mem_ready = true;
    r->hold = r->late = r->mispredict = r->reserved = false;
    r->latency = 20;
    r->error_line = UINT64_MAX;
    r->asks = r->answers = r->fetches = r->pc = r->func = 0;
    memset(r->ev, 0, sizeof(r->ev));
    memset(r->pev, 0, sizeof(r->pev));
    memset(&r->held, 0, sizeof(r->held));
    for (i = 0; i < RIG_LINES; i++)
        rig_memory_random(r, r->mem[i]);
    memcpy(r->flat, r->mem, sizeof(r->flat));
    reset_cycle(r);
    r->cycle = 0;
}

void rig_reset(struct rig *r)
{
    uint32_t i;

    reset_cycle(r);
    r->in.req_valid = r->in.mem_rsp_valid = false;
    memset(&r->held, 0, sizeof(r->held));
    for (i = 0; i < r->asks; i++)
        r->ask[i].lost = r->ask[i].answers == 0;
    for (i = 0; i < r->fetches; i++)
        r->fetch[i].waits = false;
    memcpy(r->flat, r->mem, sizeof(r->flat)); /* stores and dirty bytes inside are lost */
    r->cycle++;
}

uint32_t rig_offer_bytes(struct rig *r, enum byw_op op, uint64_t line, uint32_t first,
                         uint32_t count)
{
    uint32_t i, id = r->asks++;

    if (id == RIG_IDS || r->in.req_valid)
        give_up(r, 0, "a scenario that offers too much", RIG_IDS, id);
    r->ask[id] = (struct rig_ask){.line = line, .op = (uint8_t)op};
    rig_memory_random(r, r->req_data);
    r->in.req = (struct byw_req){.line = line,
                                 .op = (uint8_t)op,
                                 .id = id,
                                 .pc = r->pc,
                                 .func = r->func,
                                 .data = r->req_data};
    for (i = first; i < first + count; i++)
        r->in.req.bytes.w[i / 64] |= byw_bit64(i % 64);
    r->ask[id].bytes = r->in.req.bytes;
    r->in.req_valid = true;
    return id;
}

uint32_t rig_offer_sector(struct rig *r, enum byw_op op, uint64_t line, uint32_t sector)
{
    uint32_t bytes = rig_port_bytes(r) / r->size.sectors;

    return rig_offer_bytes(r, op, line, sector * bytes, bytes);
}

uint32_t rig_offer(struct rig *r, enum byw_op op, uint64_t line, enum byw_hint hint)
{
    /* in a sectored line the first sector: a request accesses only one */
    uint32_t id = rig_offer_bytes(r, op, line, 0, rig_port_bytes(r) / r->size.sectors);

    r->in.req.hint = (uint8_t)hint;
    return id;
}

/* The memory decides whether an SC succeeds; the flat memory copies its verdict. */
static bool is_lr_sc(const struct rig *r, uint32_t func)
{
    return r->size.port.func_w != 0 && (func == RIG_LR || func == RIG_SC);
}

static void accept_request(struct rig *r)
{
    const struct byw_req *req = &r->in.req;
    struct rig_ask *ask = &r->ask[req->id];
    uint8_t *line = r->flat[req->line % RIG_LINES];

    ask->taken = true;
    ask->result = req->op == BYW_OP_ATOMIC && r->size.port.func_w != 0 && req->func == RIG_SC;
    ask->accepted = r->cycle;
    memcpy(ask->want, line, RIG_LINE);
    if (byw_op_is_store(req->op) || (req->op == BYW_OP_ATOMIC && !is_lr_sc(r, req->func)))
        rig_memory_write(line, &req->bytes, req->data, req->op == BYW_OP_ATOMIC);
    r->in.req_valid = false;
    r->requests++;
}

/* The requested bytes; without sectors, the whole line. */
static bool bytes_as_wanted(const struct rig *r, const struct rig_ask *ask)
{
    uint32_t i;

    for (i = 0; i < rig_port_bytes(r); i++)
        if ((r->size.sectors == 1 || (ask->bytes.w[i / 64] >> i % 64 & 1) != 0) &&
            ask->want[i] != ask->got[i])
            return false;
    return true;
}

static void accept_answer(struct rig *r)
{
    const struct byw_rsp *rsp = &r->out.rsp;
    struct rig_ask *ask;
    bool data;

    rig_same_at(r, 0, "an answer for a request that was made", 1, rsp->id < r->asks);
    ask = &r->ask[rsp->id];
    rig_same_at(r, 0, "answers before this one to the same request", 0, ask->answers);
    rig_same_at(r, 0, "an answer for a request inside", 1, ask->taken && !ask->lost);
    rig_same_at(r, 0, "a store answered as a store", byw_op_is_store(ask->op),
                rsp->served == BYW_SERVED_STORE);
    rig_same_at(r, 0, "an invalidate or flush answered as such", ask->op >= BYW_OP_INVALIDATE,
                rsp->served == BYW_SERVED_DONE);
    ask->answers++;
    ask->answered = r->cycle;
    ask->served = rsp->served;
    ask->error = rsp->error;
    dut_get_bytes(r->l.dut, r->ports.rsp_data_o, ask->got, rig_port_bytes(r));
    r->order[r->answers++] = rsp->id;
    data = (byw_op_is_load(ask->op) || ask->op == BYW_OP_ATOMIC) && !ask->result;
    if (data && !rsp->error && !bytes_as_wanted(r, ask))
        give_up(r, 0, "the bytes of a load (its id shown)", rsp->id, rsp->id);
}

static void check_held(struct rig *r)
{
    const struct byw_l1d_out *out = &r->out;
    struct rig_held now = {.rsp = out->rsp_valid && !r->in.rsp_ready,
                           .mem = out->mem_req_valid && !r->in.mem_req_ready,
                           .rsp_id = out->rsp.id,
                           .rsp_served = out->rsp.served,
                           .mem_id = out->mem_req.id,
                           .mem_kind = out->mem_req.kind,
                           .mem_line = out->mem_req.line};

    if (r->held.rsp &&
        (!out->rsp_valid || r->held.rsp_id != now.rsp_id || r->held.rsp_served != now.rsp_served))
        give_up(r, 0, "a response that waits stays as it is", r->held.rsp_id, now.rsp_id);
    if (r->held.mem && (!out->mem_req_valid || r->held.mem_id != now.mem_id ||
                        r->held.mem_kind != now.mem_kind || r->held.mem_line != now.mem_line))
        give_up(r, 0, "a memory request that waits stays as it is", r->held.mem_id, now.mem_id);
    r->held = now;
}

/* Compares the outputs of both sides; in a sectored line only the requested bytes are valid. */
static void compare(struct rig *r)
{
    struct byw_byte_mask bytes = {{UINT64_MAX, UINT64_MAX}};
    uint64_t want = 0, got = 0;
    const char *what;

    if (r->size.sectors > 1 && r->out.rsp_valid && r->out.rsp.id < r->asks)
        bytes = r->ask[r->out.rsp.id].bytes;
    what = rig_ports_differ(&r->ports, r->l.dut, &r->out, &bytes, rig_port_bytes(r), &want, &got);
    if (what != NULL)
        give_up(r, 0, what, want, got);
}

static void count_events(struct rig *r)
{
    uint32_t i;

    for (i = 0; i < BYW_EV_COUNT; i++)
        r->ev[i] += r->out.events >> i & 1;
    for (i = 0; i < BYW_PEV_COUNT; i++)
        r->pev[i] += r->out.policy_events >> i & 1;
}

void rig_cycle(struct rig *r)
{
    struct byw_l1d_in in;
    const char *broken;

    if (!r->in.mem_rsp_valid && !r->hold)
        rig_memory_show_due(r);
    r->in.rsp_ready = r->rsp_ready;
    r->in.mem_req_ready = r->mem_ready;
    rig_ports_put(&r->ports, r->l.dut, &r->in, rig_port_bytes(r));
    dut_eval(r->l.dut);
    memset(&r->out, 0, sizeof(r->out));
    byw_l1d_eval(r->l1d, &r->in, &r->out);
    compare(r);
    check_held(r);
    count_events(r);
    in = r->in;
    if (r->out.rsp_valid && in.rsp_ready)
        accept_answer(r);
    if (r->out.mem_req_valid && in.mem_req_ready)
        rig_memory_take(r);
    byw_l1d_tick(r->l1d, &in);
    dut_tick(r->l.dut);
    if (in.req_valid && r->out.req_ready)
        accept_request(r);
    if (in.mem_rsp_valid && r->out.mem_rsp_ready)
        rig_memory_taken(r);
    r->in.ctrl.kernel_start = r->in.ctrl.cta_placed = false;
    r->cycle++;
    broken = byw_l1d_check(r->l1d);
    if (broken != NULL)
        give_up(r, 0, broken, 0, 1);
}

void rig_run(struct rig *r, uint32_t n)
{
    while (n-- != 0)
        rig_cycle(r);
}

void rig_until(struct rig *r, uint64_t cycle)
{
    while (r->cycle < cycle)
        rig_cycle(r);
}

static uint32_t send_offered(struct rig *r, uint32_t id)
{
    uint32_t i;

    for (i = 0; !r->ask[id].taken; i++) {
        if (i == PATIENCE)
            give_up(r, 0, "a request is accepted", 1, 0);
        rig_cycle(r);
    }
    return id;
}

uint32_t rig_send_hint(struct rig *r, enum byw_op op, uint64_t line, enum byw_hint hint)
{
    return send_offered(r, rig_offer(r, op, line, hint));
}

uint32_t rig_send_sector(struct rig *r, enum byw_op op, uint64_t line, uint32_t sector)
{
    return send_offered(r, rig_offer_sector(r, op, line, sector));
}

uint32_t rig_send_fence(struct rig *r, uint32_t what)
{
    uint32_t id = rig_offer(r, BYW_OP_FENCE, 0, BYW_HINT_NONE);

    r->in.req.hint = (uint8_t)what;
    return send_offered(r, id);
}

uint32_t rig_send(struct rig *r, enum byw_op op, uint64_t line)
{
    return rig_send_hint(r, op, line, BYW_HINT_NONE);
}

static bool all_answered(const struct rig *r)
{
    uint32_t i;

    for (i = 0; i < r->fetches; i++)
        if (r->fetch[i].waits)
            return false;
    for (i = r->asks; i-- > 0;)
        if (r->ask[i].answers == 0 && !r->ask[i].lost)
            return false;
    return true;
}

void rig_drain(struct rig *r)
{
    uint32_t i;

    for (i = 0; i == 0 || !r->out.idle || !all_answered(r); i++) {
        if (i == PATIENCE)
            give_up(r, 0, "all requests are answered and the cache is idle", 1, r->out.idle);
        rig_cycle(r);
    }
}

uint32_t rig_do(struct rig *r, enum byw_op op, uint64_t line)
{
    uint32_t id = rig_send(r, op, line);

    rig_drain(r);
    return id;
}

uint32_t rig_do_sector(struct rig *r, enum byw_op op, uint64_t line, uint32_t sector)
{
    uint32_t id = rig_send_sector(r, op, line, sector);

    rig_drain(r);
    return id;
}

void rig_show_answer(struct rig *r, uint64_t line, bool error)
{
    uint32_t i;

    for (i = 0; i < r->fetches; i++) {
        if (!r->fetch[i].waits || r->fetch[i].line != line)
            continue;
        rig_memory_show(r, i, error);
        return;
    }
    give_up(r, 0, "a fetch of this line waits at the memory", line, 0);
}

static uint64_t until_taken(struct rig *r)
{
    uint32_t i;

    for (i = 0; r->in.mem_rsp_valid; i++) {
        if (i == PATIENCE)
            give_up(r, 0, "an answer of the memory is accepted", 1, 0);
        rig_cycle(r);
    }
    return r->cycle - 1;
}

uint64_t rig_answer(struct rig *r, uint64_t line, bool error)
{
    rig_show_answer(r, line, error);
    return until_taken(r);
}

uint64_t rig_answer_fetch(struct rig *r, uint32_t i)
{
    rig_true(r, "the fetch waits for its answer", i < r->fetches && r->fetch[i].waits);
    rig_memory_show(r, i, false);
    return until_taken(r);
}
