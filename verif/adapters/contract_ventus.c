/* SPDX-License-Identifier: Apache-2.0
 *
 * contract_ventus - byw_ventus_l1d.v between an LSU and an L2 that behave as Ventus's. The LSU
 * sends loads, stores of bytes, halves and words (right-aligned), atomics, LR, SC, invalidate,
 * flush and wait; the L2 answers in any order and performs a request at any time before its answer.
 * Checked: exactly one answer for each load and store, its lanes' words against plain memory, valid
 * and payload stay, opcodes, sources in flight once, order within a line, that a fence finds
 * nothing in flight and stalls the LSU until the hint-ack, that a fence that stays offered sends
 * FLUSH once, and that after an invalidate loads see what others wrote. Usage: NAME [seed
 * [requests]].
 */
#include "adapters/client_side.h"

enum {
    WORDS = P_BLOCK_WORDS,
    LINE = WORDS * 4,
    LINES = 64,
    FLIGHT = CLIENT_FLIGHT,
    PUT_FULL = 0,
    PUT_PARTIAL = 1,
    ARITHMETIC = 2,
    GET = 4,
    FLUSH = 5,
};

enum { READ, WRITE, LR, SC, ADD, INVALIDATE, FLUSH_ALL, WAIT };

struct request {
    bool busy;
    uint32_t op, id, line, lanes, word[P_LANES], at[P_LANES], bytes[P_LANES], data[P_LANES];
    uint64_t shown, taken;
};

struct message {
    bool busy, performed;
    uint32_t opcode, param, source, line;
    uint8_t mask[LINE / 8 + 1], data[LINE];
};

static struct bench {
    struct client c;
    uint32_t rst, cv, cr, cid, cset, ctag, cact, coff, cone, cdata, cop, cpar;
    uint32_t pv, pr, pwrite, pid, pdata, pact, spc, shint, swarps, skernel;
    uint32_t mv, mr, mop, mpar, msrc, maddr, mdata, mmask, dv, dr, dop, dsrc, ddata;
    uint32_t block[LINES]; /* addresses of lines */
    uint8_t plain[LINES][LINE], memory[LINES][LINE];
    struct request now, flight[FLIGHT];
    uint32_t flying, messages;
    struct message list[FLIGHT];
    struct message *answer; /* shown at D */
    struct message m_was;
    bool m_stays, m_room, p_stays, alone, fence, hint, held;
    uint64_t p_was, wanted, taken, last, count[8], hit_cycles, miss_cycles, m_seen, d_done;
    uint32_t rate, p_rate, m_rate, fenced, flushes, hold;
} b;

static void need(const char *rule, bool kept)
{
    client_need(&b.c, rule, kept);
}

static bool chance(uint32_t percent)
{
    return lock_chance(&b.c.l, percent);
}

static void find(void)
{
    const struct client_port all[] = {
        {&b.rst, "rst_n"},
        {&b.cv, "core_req_valid_i"},
        {&b.cr, "core_req_ready_o"},
        {&b.cid, "core_req_instrid_i"},
        {&b.cset, "core_req_setidx_i"},
        {&b.ctag, "core_req_tag_i"},
        {&b.cact, "core_req_activemask_i"},
        {&b.coff, "core_req_blockoffset_i"},
        {&b.cone, "core_req_wordoffset1h_i"},
        {&b.cdata, "core_req_data_i"},
        {&b.cop, "core_req_opcode_i"},
        {&b.cpar, "core_req_param_i"},
        {&b.spc, "side_pc_i"},
        {&b.shint, "side_hint_i"},
        {&b.swarps, "side_warps_i"},
        {&b.skernel, "side_kernel_start_i"},
        {&b.pv, "core_rsp_valid_o"},
        {&b.pr, "core_rsp_ready_i"},
        {&b.pwrite, "core_rsp_is_write_o"},
        {&b.pid, "core_rsp_instrid_o"},
        {&b.pdata, "core_rsp_data_o"},
        {&b.pact, "core_rsp_activemask_o"},
        {&b.mv, "mem_req_valid_o"},
        {&b.mr, "mem_req_ready_i"},
        {&b.mop, "mem_req_a_opcode_o"},
        {&b.mpar, "mem_req_a_param_o"},
        {&b.msrc, "mem_req_a_source_o"},
        {&b.maddr, "mem_req_a_addr_o"},
        {&b.mdata, "mem_req_a_data_o"},
        {&b.mmask, "mem_req_a_mask_o"},
        {&b.dv, "mem_rsp_valid_i"},
        {&b.dr, "mem_rsp_ready_o"},
        {&b.dop, "mem_rsp_d_opcode_i"},
        {&b.dsrc, "mem_rsp_d_source_i"},
        {&b.ddata, "mem_rsp_d_data_i"},
    };

    client_find(&b.c, all, sizeof(all) / sizeof(all[0]));
}

static uint32_t word_of(uint8_t line[], uint32_t word)
{
    uint32_t value;

    memcpy(&value, line + word * 4, 4);
    return value;
}

/* ---- the LSU */

static void draw_lane(struct request *r, uint32_t i)
{
    static const uint8_t MASKS[] = {1, 2, 4, 8, 3, 12, 15, 15};

    r->at[i] = lock_below(&b.c.l, WORDS);
    r->bytes[i] = r->op == WRITE ? MASKS[lock_below(&b.c.l, 8)] : 15;
    r->data[i] = (uint32_t)byw_rng_next(&b.c.l.rng);
}

static void draw(void)
{
    static const uint8_t OPS[] = {READ, READ, READ, READ, READ, WRITE, WRITE, WRITE, ADD, LR, SC};
    struct request *r = &b.now;
    uint32_t i, j;

    *r = (struct request){.busy = true, .shown = b.c.l.cycle};
    r->op = OPS[lock_below(&b.c.l, 11)];
    if (!b.c.alone && lock_below(&b.c.l, 100) == 0)
        r->op = INVALIDATE + lock_below(&b.c.l, 3);
    r->id = lock_below(&b.c.l, 1 << P_INSTRID_W);
    r->line = lock_below(&b.c.l, chance(50) ? 8 : LINES);
    r->lanes = 1 + lock_below(&b.c.l, (1 << P_LANES) - 1);
    for (i = 0; i < P_LANES; i++) {
        draw_lane(r, i);
        for (j = 0; j < i && r->op == ADD; j++) /* lanes of one word are performed one by one */
            if (r->at[j] == r->at[i] && (r->lanes >> j & 1) != 0)
                r->lanes &= ~(UINT32_C(1) << i);
    }
}

static void put_core(void)
{
    static const uint8_t OPCODE[] = {0, 1, 0, 1, 2, 3, 3, 3}, PARAM[] = {0, 0, 1, 1, 4, 0, 1, 2};
    uint32_t off[8] = {0}, one[8] = {0}, i, set = (UINT32_C(1) << P_SETIDX_W) - 1;
    const uint32_t off_w = WORDS > 1 ? (uint32_t)__builtin_ctz(WORDS) : 1;
    struct dut *d = b.c.l.dut;

    for (i = 0; i < P_LANES; i++) {
        lock_set_field(off, i * off_w, off_w, b.now.at[i]);
        lock_set_field(one, i * 4, 4, b.now.bytes[i]);
    }
    dut_put(d, b.cv, b.now.busy);
    dut_put(d, b.spc, b.now.line % 5 * 4);
    dut_put(d, b.shint, b.c.alone ? 0 : b.now.id % 5);
    dut_put(d, b.swarps, b.c.l.cycle / 64 % 65);
    dut_put(d, b.skernel, !b.c.alone && lock_below(&b.c.l, 2000) == 0);
    dut_put(d, b.cid, b.now.id);
    dut_put(d, b.cset, b.block[b.now.line] & set);
    dut_put(d, b.ctag, b.block[b.now.line] >> P_SETIDX_W);
    dut_put(d, b.cact, b.now.lanes);
    dut_put_bytes(d, b.coff, off, sizeof(off));
    dut_put_bytes(d, b.cone, one, sizeof(one));
    dut_put_bytes(d, b.cdata, b.now.data, sizeof(b.now.data));
    dut_put(d, b.cop, OPCODE[b.now.op]);
    dut_put(d, b.cpar, PARAM[b.now.op]);
}

/* The effect on plain memory of a request accepted now, and the words of its answer. */
static void take_core(void)
{
    struct request *r = &b.now;
    uint8_t *line = b.plain[r->line];
    uint32_t i, j;

    r->taken = b.c.l.cycle;
    b.c.taken++;
    b.count[r->op]++;
    for (i = 0; i < P_LANES; i++)
        r->word[i] = r->op == SC ? 1 : word_of(line, r->at[i]);
    for (i = 0; i < P_LANES; i++) {
        uint32_t first = (uint32_t)__builtin_ctz(r->bytes[i]), sum = word_of(line, r->at[i]);

        if ((r->lanes >> i & 1) == 0)
            continue;
        sum += r->data[i];
        if (r->op == ADD)
            memcpy(line + r->at[i] * 4, &sum, 4);
        for (j = 0; j < 4 && r->op == WRITE; j++)
            if ((r->bytes[i] >> j & 1) != 0)
                line[r->at[i] * 4 + j] = (uint8_t)(r->data[i] >> 8 * (j - first));
    }
    if (r->op < INVALIDATE) {
        for (i = 0; b.flight[i].busy; i++)
            need("the bench remembers enough requests", i + 1 < FLIGHT);
        b.flight[i] = *r;
        b.c.flying++;
    } else {
        b.fence = true;
        b.fenced = r->op;
        b.hint = false;
        b.flushes = 0;
        b.hold = chance(50) ? lock_below(&b.c.l, 200) : 0;
    }
    b.held = r->op >= INVALIDATE;
    r->busy = b.held && b.hold != 0;
}

/* The next request. Two fences of one kind are separated by a cycle, or they are one fence that
 * stays offered. */
static void show(void)
{
    if (client_sends(&b.c, b.c.flying == 0 && b.messages == 0)) {
        draw();
        b.now.busy = !b.held || b.now.op != b.fenced;
        b.c.m_seen = b.c.d_done = 0;
    }
    b.held = false;
}

/* An answer belongs to the oldest request in flight with its id, kind and lanes. */
static bool fits(const struct request *r, uint32_t id, bool write, uint32_t lanes,
                 const uint32_t word[])
{
    uint32_t i;

    if (!r->busy || r->id != id || (r->op == WRITE) != write || r->lanes != lanes)
        return false;
    for (i = 0; i < P_LANES && !write; i++)
        if ((lanes >> i & 1) != 0 && word[i] != r->word[i])
            return false;
    return true;
}

static void look_answer(bool taken)
{
    struct dut *d = b.c.l.dut;
    bool valid = dut_get(d, b.pv) != 0, write = dut_get(d, b.pwrite) != 0;
    uint32_t id = (uint32_t)dut_get(d, b.pid), lanes = (uint32_t)dut_get(d, b.pact);
    uint32_t word[P_LANES], i;

    need("an answer stays until it is taken",
         !b.p_stays || (valid && b.p_was == ((uint64_t)lanes << 32 | id << 1 | write)));
    b.p_stays = valid && !taken;
    b.p_was = (uint64_t)lanes << 32 | id << 1 | write;
    if (!valid || !taken)
        return;
    dut_get_bytes(d, b.pdata, word, sizeof(word));
    for (i = 0; i < FLIGHT && !fits(&b.flight[i], id, write, lanes, word); i++)
        ;
    need("an answer is due, with this id, lanes and words", i < FLIGHT);
    b.flight[i].busy = false;
    b.c.flying--;
    b.c.last = b.c.l.cycle;
    if (b.c.alone && b.flight[i].op == READ)
        client_measure(&b.c, b.flight[i].taken);
}

/* ---- the L2 */

static struct message *pick(void)
{
    uint32_t from = lock_below(&b.c.l, FLIGHT), i;

    for (i = 0; i < FLIGHT && b.messages != 0; i++)
        if (b.list[(from + i) % FLIGHT].busy)
            return &b.list[(from + i) % FLIGHT];
    return NULL;
}

static void perform(struct message *m)
{
    uint8_t old[LINE];
    uint32_t i;

    if (m->performed || m->opcode == FLUSH)
        return;
    m->performed = true;
    memcpy(old, b.memory[m->line], LINE);
    for (i = 0; i < WORDS && m->opcode == ARITHMETIC; i++)
        if ((m->mask[i * 4 / 8] >> i * 4 % 8 & 15) == 15) {
            uint32_t sum = word_of(old, i) + word_of(m->data, i);

            memcpy(b.memory[m->line] + i * 4, &sum, 4);
        }
    for (i = 0; i < LINE && m->opcode <= PUT_PARTIAL; i++)
        if ((m->mask[i / 8] >> i % 8 & 1) != 0)
            b.memory[m->line][i] = m->data[i];
    memcpy(m->data, old, LINE);
}

/* Between an invalidate and its hint-ack others write. */
static void others_write(void)
{
    client_write(&b.c, b.plain[0], b.memory[0], sizeof(b.plain), 30);
}

static void drive_memory(void)
{
    struct dut *d = b.c.l.dut;
    struct message *m;

    b.m_room = chance(b.c.m_rate);
    dut_put(d, b.mr, b.m_room);
    if (chance(20) && (m = pick()) != NULL)
        perform(m);
    if (b.answer == NULL && chance(b.c.m_rate) && (m = pick()) != NULL) {
        perform(m);
        if (m->opcode == FLUSH && m->param == 1)
            others_write();
        b.answer = m;
        dut_put(d, b.dop, m->opcode == FLUSH ? 2 : m->opcode <= PUT_PARTIAL ? 0 : 1);
        dut_put(d, b.dsrc, m->source);
        dut_put_bytes(d, b.ddata, m->data, LINE);
    }
    dut_put(d, b.dv, b.answer != NULL);
}

static uint32_t line_of(uint64_t address)
{
    uint32_t i;

    for (i = 0; i < LINES; i++)
        if ((uint64_t)b.block[i] * LINE == address)
            return i;
    lock_fail(&b.c.l, "memory is asked for a line that nobody asked for", 0, address);
    return 0;
}

static void enter(struct message *m, uint64_t address)
{
    uint32_t i, at = FLIGHT;

    m->line = m->opcode == FLUSH ? LINES : line_of(address);
    if (m->opcode == FLUSH) {
        need("FLUSH finds nothing in flight and comes for a fence",
             b.fence && b.c.flying == 0 && b.messages == 0 && b.fenced != WAIT &&
                 m->param == (b.fenced == INVALIDATE));
        need("a fence that stays shown sends FLUSH once", b.flushes++ == 0);
    } else {
        need("the bits before a source's number",
             m->source >> (P_SOURCE_W - 3) == (m->opcode <= PUT_PARTIAL ? 0 : 1));
    }
    for (i = 0; i < FLIGHT; i++) {
        const struct message *o = &b.list[i];

        if (!o->busy) {
            at = i;
            continue;
        }
        need("a source is in flight once", o->source != m->source);
        need("no message passes one of the same line",
             P_ORDER == 0 || o->line != m->line ||
                 (P_ORDER == 1 && o->opcode == GET && m->opcode == GET));
    }
    need("the L2 has room", at < FLIGHT);
    b.list[at] = *m;
    b.messages++;
}

static void look_memory(void)
{
    struct dut *d = b.c.l.dut;
    bool valid = dut_get(d, b.mv) != 0;
    uint64_t address = dut_get(d, b.maddr);
    struct message m = {.busy = true,
                        .opcode = (uint32_t)dut_get(d, b.mop),
                        .param = (uint32_t)dut_get(d, b.mpar),
                        .source = (uint32_t)dut_get(d, b.msrc)};

    dut_get_bytes(d, b.mmask, m.mask, sizeof(m.mask));
    if (m.opcode != FLUSH) /* it has no data */
        dut_get_bytes(d, b.mdata, m.data, LINE);
    m.line = (uint32_t)address;
    if (b.m_stays)
        need("a message stays until it is taken", valid && memcmp(&m, &b.m_was, sizeof(m)) == 0);
    b.m_stays = valid && !b.m_room;
    b.m_was = m;
    if (b.answer != NULL && dut_get(d, b.dr) != 0) {
        b.hint = b.hint || b.answer->opcode == FLUSH;
        b.answer->busy = false;
        b.answer = NULL;
        b.messages--;
        b.c.d_done = b.c.l.cycle;
    }
    if (!valid)
        return;
    need("opcodes of the L2", m.opcode <= ARITHMETIC || m.opcode == GET || m.opcode == FLUSH);
    if (b.c.m_seen == 0)
        b.c.m_seen = b.c.l.cycle;
    if (b.m_room)
        enter(&m, address);
}

static void cycle(void)
{
    struct dut *d = b.c.l.dut;
    bool reset = b.c.l.cycle == 0, ready = chance(b.c.p_rate), take;

    client_pace(&b.c, b.c.flying == 0 && b.messages == 0);
    if (!b.now.busy && !reset)
        show();
    dut_put(d, b.rst, !reset);
    put_core();
    dut_put(d, b.pr, ready);
    drive_memory();
    dut_eval(d);
    take = !reset && b.now.busy && !b.held && dut_get(d, b.cr) != 0;
    if (!reset) {
        look_memory();
        look_answer(ready);
    }
    /* The client ignores ready when it offers its invalidate at the end of a work-group, and offers
     * it until a cycle after the hint-ack: it is still the fence that was accepted. */
    if (b.held)
        b.now.busy = --b.hold != 0;
    if (!reset && b.now.busy && b.now.op >= INVALIDATE && !b.fence)
        need("a fence is taken at once", take);
    if (take) {
        if (b.fence)
            need("a fence holds up the LSU until it is over",
                 b.c.flying == 0 && b.messages == 0 && (b.fenced == WAIT || b.hint));
        b.fence = false;
        take_core();
        b.c.last = b.c.l.cycle;
    }
    dut_tick(d);
    need("progress in finite time", b.c.l.cycle - b.c.last < CLIENT_HANGS ||
                                        (!b.now.busy && b.c.flying == 0 && b.c.taken < b.c.wanted));
}

int main(int argc, char **argv)
{
    uint32_t i, end = 0;

    client_start(&b.c, argc, argv);
    find();
    for (i = 0; i < LINES; i++) {
        /* Adjacent lines, which share a line of the cache, and lines of the same sets. */
        b.block[i] = i % 4 != 0 ? b.block[i - 1] + 1
                                : (uint32_t)(byw_rng_next(&b.c.l.rng) &
                                             byw_mask64(32 - (uint32_t)__builtin_ctz(LINE))) /
                                          1024 * 1024 +
                                      i;
    }
    client_write(&b.c, b.plain[0], b.memory[0], sizeof(b.plain), 100);
    dut_eval(b.c.l.dut);
    for (b.c.l.cycle = 0; end < 50; b.c.l.cycle++) {
        cycle();
        end = b.c.taken == b.c.wanted && b.c.flying == 0 && b.messages == 0 ? end + 1 : 0;
    }
    for (i = 0; i < LINES; i++)
        lock_same_bytes(&b.c.l, "byte of memory", b.plain[i], b.memory[i], LINE);
    b.c.l.cycles = b.c.l.cycle;
    for (i = READ; i <= WAIT; i++)
        lock_met(&b.c.l, "every operation", b.count[i]);
    need("a hit takes 3 cycles, one more at most", b.c.hit_cycles <= 4);
    need("a miss takes memory and 6 cycles at most", b.c.miss_cycles <= 6);
    return lock_pass(&b.c.l,
                     ", %" PRIu64 " requests, %" PRIu64 " invalidates; hit %" PRIu64
                     " cycles, miss memory + %" PRIu64,
                     b.c.taken, b.count[INVALIDATE], b.c.hit_cycles, b.c.miss_cycles);
}
