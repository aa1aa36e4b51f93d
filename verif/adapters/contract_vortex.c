/* SPDX-License-Identifier: Apache-2.0
 *
 * contract_vortex - byw_vortex_l1d.v between a coalescer and a next level that behave as Vortex's:
 * loads with tags that may be equal, stores without answers, fences (FLUSH), IO; memory
 * performs requests on acceptance, answers reads in any order and never answers stores. Checked:
 * exactly one answer for each load and fence, its bytes against plain memory, valid and payload
 * stay, tags in flight once, a fence's answer comes after all others, IO reaches memory, and after
 * a fence loads see what others wrote. Usage: NAME [seed [requests]].
 */
#include "adapters/client_side.h"

enum {
    WORD = P_WORD_BYTES,
    LINE = P_LINE_BYTES,
    WORDS = LINE / WORD,
    LINES = 48,
    FLIGHT = CLIENT_FLIGHT,
    FLUSH = 1,
    IO = 2,
};

struct request {
    bool busy, rw;
    uint32_t flags, tag, line, at;
    uint8_t byteen[WORD / 8 + 1], data[WORD];
    uint64_t taken;
};

struct read {
    bool busy;
    uint32_t tag;
    uint8_t data[LINE];
};

static struct bench {
    struct client c;
    uint32_t rst, cv, cr, crw, cbe, caddr, cflags, cdata, ctag, pv, pr, pdata, ptag;
    uint32_t spc, shint, swarps, skernel, mv, mr, mrw, mbe, maddr, mdata, mtag;
    uint32_t dv, dr, ddata, dtag, idle;
    uint64_t line[LINES];
    uint8_t plain[LINES][LINE], memory[LINES][LINE];
    struct request now, flight[FLIGHT];
    struct read list[FLIGHT], *answer;
    uint32_t flying, reads, rate, p_rate, m_rate;
    bool alone, fence, m_stays, m_room, p_stays;
    uint64_t p_was, m_was, wanted, taken, last, fences, stores, sent, io, hit_cycles, miss_cycles;
    uint64_t m_seen, d_done;
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
        {&b.rst, "rst_i"},
        {&b.cv, "core_req_valid_i"},
        {&b.cr, "core_req_ready_o"},
        {&b.crw, "core_req_rw_i"},
        {&b.cbe, "core_req_byteen_i"},
        {&b.caddr, "core_req_addr_i"},
        {&b.cflags, "core_req_flags_i"},
        {&b.cdata, "core_req_data_i"},
        {&b.ctag, "core_req_tag_i"},
        {&b.pv, "core_rsp_valid_o"},
        {&b.pr, "core_rsp_ready_i"},
        {&b.pdata, "core_rsp_data_o"},
        {&b.ptag, "core_rsp_tag_o"},
        {&b.spc, "side_pc_i"},
        {&b.shint, "side_hint_i"},
        {&b.swarps, "side_warps_i"},
        {&b.skernel, "side_kernel_start_i"},
        {&b.mv, "mem_req_valid_o"},
        {&b.mr, "mem_req_ready_i"},
        {&b.mrw, "mem_req_rw_o"},
        {&b.mbe, "mem_req_byteen_o"},
        {&b.maddr, "mem_req_addr_o"},
        {&b.mdata, "mem_req_data_o"},
        {&b.mtag, "mem_req_tag_o"},
        {&b.dv, "mem_rsp_valid_i"},
        {&b.dr, "mem_rsp_ready_o"},
        {&b.ddata, "mem_rsp_data_i"},
        {&b.dtag, "mem_rsp_tag_i"},
        {&b.idle, "idle_o"},
    };

    client_find(&b.c, all, sizeof(all) / sizeof(all[0]));
}

/* ---- the coalescer */

static void draw(void)
{
    struct request *r = &b.now;
    uint32_t i;

    *r = (struct request){.busy = true};
    r->rw = chance(35);
    r->flags = chance(10) ? IO : 0;
    if (!b.c.alone && chance(1)) {
        r->rw = false;
        r->flags = FLUSH;
    }
    r->tag = lock_below(&b.c.l, 1 << 4);
    r->line = lock_below(&b.c.l, chance(50) ? 6 : LINES);
    r->at = lock_below(&b.c.l, WORDS) * WORD;
    for (i = 0; i < WORD; i++) {
        r->data[i] = (uint8_t)lock_below(&b.c.l, 256);
        if (!r->rw || chance(60))
            r->byteen[i / 8] |= (uint8_t)(1 << i % 8);
    }
}

/* Between a fence's request and its answer others write; loads after it must see that. */
static void others_write(void)
{
    client_write(&b.c, b.plain[0], b.memory[0], sizeof(b.plain), 30);
}

static void take_core(void)
{
    struct request *r = &b.now;
    uint32_t i;

    r->taken = b.c.l.cycle;
    b.c.taken++;
    b.stores += r->rw;
    b.io += r->flags == IO;
    b.fences += r->flags == FLUSH;
    b.fence = b.fence || r->flags == FLUSH;
    for (i = 0; i < WORD; i++)
        if (!r->rw)
            r->data[i] = b.plain[r->line][r->at + i];
        else if ((r->byteen[i / 8] >> i % 8 & 1) != 0)
            b.plain[r->line][r->at + i] = r->data[i];
    if (!r->rw) {
        for (i = 0; b.flight[i].busy; i++)
            need("the bench remembers enough requests", i + 1 < FLIGHT);
        b.flight[i] = *r;
        b.c.flying++;
    }
    r->busy = false;
}

static void look_answer(bool taken)
{
    struct dut *d = b.c.l.dut;
    bool valid = dut_get(d, b.pv) != 0;
    uint32_t tag = (uint32_t)dut_get(d, b.ptag), i;
    uint8_t got[WORD];

    need("an answer stays until it is taken", !b.p_stays || (valid && b.p_was == tag));
    b.p_stays = valid && !taken;
    b.p_was = tag;
    if (!valid || !taken)
        return;
    dut_get_bytes(d, b.pdata, got, WORD);
    for (i = 0; i < FLIGHT; i++)
        if (b.flight[i].busy && b.flight[i].tag == tag &&
            (b.flight[i].flags == FLUSH ? b.c.flying == 1
                                        : memcmp(b.flight[i].data, got, WORD) == 0))
            break;
    need("an answer is due, with this tag and these bytes; a fence's is the last", i < FLIGHT);
    if (b.flight[i].flags == FLUSH) {
        need("a fence waits for memory", b.reads == 0);
        others_write();
        b.fence = false;
    }
    b.flight[i].busy = false;
    b.c.flying--;
    b.c.last = b.c.l.cycle;
    if (b.c.alone && b.flight[i].flags == 0)
        client_measure(&b.c, b.flight[i].taken);
}

/* ---- the next level */

static struct read *pick(void)
{
    uint32_t from = lock_below(&b.c.l, FLIGHT), i;

    for (i = 0; i < FLIGHT && b.reads != 0; i++)
        if (b.list[(from + i) % FLIGHT].busy)
            return &b.list[(from + i) % FLIGHT];
    return NULL;
}

static void drive_memory(void)
{
    struct dut *d = b.c.l.dut;

    b.m_room = chance(b.c.m_rate);
    dut_put(d, b.mr, b.m_room);
    if (b.answer == NULL && chance(b.c.m_rate) && (b.answer = pick()) != NULL) {
        dut_put(d, b.dtag, b.answer->tag);
        dut_put_bytes(d, b.ddata, b.answer->data, LINE);
    }
    dut_put(d, b.dv, b.answer != NULL);
}

static uint32_t line_of(uint64_t address)
{
    uint32_t i;

    for (i = 0; i < LINES; i++)
        if (b.line[i] == address)
            return i;
    lock_fail(&b.c.l, "memory is asked for a line that nobody asked for", 0, address);
    return 0;
}

static void perform(bool rw, uint32_t line, uint32_t tag)
{
    struct dut *d = b.c.l.dut;
    uint8_t mask[LINE / 8 + 1] = {0}, data[LINE];
    uint32_t i, at = FLIGHT;

    dut_get_bytes(d, b.mbe, mask, sizeof(mask));
    dut_get_bytes(d, b.mdata, data, LINE);
    for (i = 0; i < LINE && rw; i++)
        if ((mask[i / 8] >> i % 8 & 1) != 0)
            b.memory[line][i] = data[i];
    b.sent += rw;
    if (rw)
        return;
    for (i = 0; i < FLIGHT; i++)
        if (!b.list[i].busy)
            at = i;
        else
            need("a tag is in flight once", b.list[i].tag != tag);
    need("the next level has room", at < FLIGHT);
    b.list[at].busy = true;
    b.list[at].tag = tag;
    memcpy(b.list[at].data, b.memory[line], LINE);
    b.reads++;
}

static void look_memory(void)
{
    struct dut *d = b.c.l.dut;
    bool valid = dut_get(d, b.mv) != 0, rw = dut_get(d, b.mrw) != 0;
    uint64_t address = dut_get(d, b.maddr), tag = dut_get(d, b.mtag);

    if (b.m_stays)
        need("a request stays until it is taken",
             valid && b.m_was == (address << 20 | tag << 1 | rw));
    b.m_stays = valid && !b.m_room;
    b.m_was = address << 20 | tag << 1 | rw;
    if (b.answer != NULL && dut_get(d, b.dr) != 0) {
        b.answer->busy = false;
        b.answer = NULL;
        b.reads--;
        b.c.d_done = b.c.l.cycle;
    }
    if (!valid)
        return;
    if (b.c.m_seen == 0)
        b.c.m_seen = b.c.l.cycle;
    if (b.m_room)
        perform(rw, line_of(address), (uint32_t)tag);
}

static void put_core(void)
{
    struct dut *d = b.c.l.dut;

    dut_put(d, b.cv, b.now.busy);
    dut_put(d, b.crw, b.now.rw);
    dut_put_bytes(d, b.cbe, b.now.byteen, sizeof(b.now.byteen));
    dut_put(d, b.caddr, (b.line[b.now.line] * LINE + b.now.at) / WORD);
    dut_put(d, b.cflags, b.now.flags);
    dut_put_bytes(d, b.cdata, b.now.data, WORD);
    dut_put(d, b.ctag, b.now.tag);
    dut_put(d, b.spc, b.now.line % 5 * 4);
    dut_put(d, b.shint, b.c.alone ? 0 : b.now.tag % 5);
    dut_put(d, b.swarps, b.c.l.cycle / 64 % 65);
    dut_put(d, b.skernel, !b.c.alone && lock_below(&b.c.l, 2000) == 0);
}

static void cycle(void)
{
    struct dut *d = b.c.l.dut;
    bool reset = b.c.l.cycle == 0, ready = chance(b.c.p_rate), quiet;

    quiet = b.c.flying == 0 && b.reads == 0 && (reset || dut_get(d, b.idle) != 0);
    client_pace(&b.c, quiet);
    /* Nothing is sent until a fence is answered, so that no load is in flight while others
     * write. */
    if (!b.now.busy && !reset && !b.fence && client_sends(&b.c, quiet)) {
        draw();
        b.c.m_seen = b.c.d_done = 0;
    }
    dut_put(d, b.rst, reset);
    put_core();
    dut_put(d, b.pr, ready);
    drive_memory();
    dut_eval(d);
    if (!reset) {
        look_memory();
        look_answer(ready);
        if (b.now.busy && dut_get(d, b.cr) != 0) {
            take_core();
            b.c.last = b.c.l.cycle;
        }
    }
    dut_tick(d);
    need("progress in finite time",
         b.c.l.cycle - b.c.last < CLIENT_HANGS ||
             (!b.now.busy && b.c.flying == 0 && b.c.taken < b.c.wanted && dut_get(d, b.idle) != 0));
}

int main(int argc, char **argv)
{
    uint64_t mask = byw_mask64(P_ADDR_W - (uint32_t)__builtin_ctz(LINE));
    uint32_t i, end = 0;

    client_start(&b.c, argc, argv);
    find();
    for (i = 0; i < LINES; i++) {
        b.line[i] = ((byw_rng_next(&b.c.l.rng) & mask) / LINES * LINES + i) & mask;
    }
    client_write(&b.c, b.plain[0], b.memory[0], sizeof(b.plain), 100);
    dut_eval(b.c.l.dut);
    for (b.c.l.cycle = 0; end < 50; b.c.l.cycle++) {
        cycle();
        end =
            b.c.taken == b.c.wanted && b.c.flying == 0 && dut_get(b.c.l.dut, b.idle) ? end + 1 : 0;
    }
    for (i = 0; i < LINES; i++)
        lock_same_bytes(&b.c.l, "byte of memory", b.plain[i], b.memory[i], LINE);
    b.c.l.cycles = b.c.l.cycle;
    lock_same(&b.c.l, "stores at memory, one for each", b.stores, b.sent);
    lock_met(&b.c.l, "fences", b.fences);
    lock_met(&b.c.l, "stores", b.stores);
    lock_met(&b.c.l, "IO", b.io);
    need("a hit takes 3 cycles, one more at most", b.c.hit_cycles <= 4);
    need("a miss takes memory and 5 cycles at most", b.c.miss_cycles <= 5);
    return lock_pass(&b.c.l,
                     ", %" PRIu64 " requests, %" PRIu64 " fences; hit %" PRIu64
                     " cycles, miss memory + %" PRIu64,
                     b.c.taken, b.fences, b.c.hit_cycles, b.c.miss_cycles);
}
