/* SPDX-License-Identifier: Apache-2.0
 *
 * contract_axi4 - byw_axi4_mem.v against an AXI4 slave that answers ids in any order, interleaves
 * the beats of reads, accepts addresses and data in any order, and stalls at random; and against a
 * checker of the protocol: valid stays, payload is stable, bursts are within their line and below 4
 * KB, WLAST, ids, strobes, and no request of a line is offered while one that it must follow is in
 * flight.
 */
#include "adapters/mem_side.h"

enum {
    BEAT = P_DATA_W / 8,
    BURSTS = 256,
    FILLS = SIDE_PARTS > 1 ? 1U << (32 - __builtin_clz((P_SLOTS - 1) | 1)) : 0 /* id of all fills */
};

struct address { /* payload of AR or AW */
    uint64_t addr;
    uint32_t id, len;
};

struct burst {
    bool busy, answered; /* answered: its answer has begun or is being offered */
    struct address a;
    uint32_t line, at, beats; /* the next beat; beats written so far */
    uint64_t turn; /* order of arrival; reads with one id are answered in it */
    bool performed;
    uint8_t data[P_LINE_BYTES];
    bool mask[P_LINE_BYTES];
};

struct channel {
    uint32_t valid, ready, id, addr, len, size, burst, lock;
    bool shown; /* `a` was offered and not taken */
    struct address a;
};

static struct axi {
    struct channel ar, aw;
    uint32_t wvalid, wready, wdata, wstrb, wlast, bvalid, bready, bid, bresp;
    uint32_t rvalid, rready, rid, rdata, rresp, rlast;
    struct burst rd[BURSTS], wr[BURSTS];
    struct burst early; /* data of a write whose address has not come yet */
    bool w_shown;
    uint8_t w_data[BEAT], w_strb[BEAT / 8 + 1];
    bool w_last;
    uint32_t w_order[BURSTS], w_count; /* writes that wait for data, in the order of AW */
    struct burst *r_now, *b_now; /* the bursts offered at R and at B */
    bool ar_room, aw_room, w_room;
    uint64_t mixed; /* number of beats that follow a beat of another, unfinished read */
    struct burst *r_last;
    uint64_t turns;
} axi;

static void find_channel(const struct dut *d, struct channel *c, const char *name)
{
    char text[40];
#define FIND(field, suffix)                                                                        \
    snprintf(text, sizeof(text), "axi_%s" suffix, name);                                           \
    c->field = dut_port(d, text)
    FIND(valid, "valid_o");
    FIND(ready, "ready_i");
    FIND(id, "id_o");
    FIND(addr, "addr_o");
    FIND(len, "len_o");
    FIND(size, "size_o");
    FIND(burst, "burst_o");
    FIND(lock, "lock_o");
#undef FIND
}

static void bus_find(struct side *s)
{
    const struct dut *d = s->l.dut;

    find_channel(d, &axi.ar, "ar");
    find_channel(d, &axi.aw, "aw");
    axi.wvalid = dut_port(d, "axi_wvalid_o");
    axi.wready = dut_port(d, "axi_wready_i");
    axi.wdata = dut_port(d, "axi_wdata_o");
    axi.wstrb = dut_port(d, "axi_wstrb_o");
    axi.wlast = dut_port(d, "axi_wlast_o");
    axi.bvalid = dut_port(d, "axi_bvalid_i");
    axi.bready = dut_port(d, "axi_bready_o");
    axi.bid = dut_port(d, "axi_bid_i");
    axi.bresp = dut_port(d, "axi_bresp_i");
    axi.rvalid = dut_port(d, "axi_rvalid_i");
    axi.rready = dut_port(d, "axi_rready_o");
    axi.rid = dut_port(d, "axi_rid_i");
    axi.rdata = dut_port(d, "axi_rdata_i");
    axi.rresp = dut_port(d, "axi_rresp_i");
    axi.rlast = dut_port(d, "axi_rlast_i");
}

/* Bursts of one id are answered in the order of their addresses. */
static bool oldest(const struct burst *list, const struct burst *b)
{
    uint32_t i;

    for (i = 0; i < BURSTS && SIDE_PARTS > 1; i++)
        if (list[i].busy && list[i].a.id == b->a.id && list[i].turn < b->turn)
            return false;
    return true;
}

/* A random busy burst of a list; for writes only those whose data has come. */
static struct burst *pick(struct side *s, struct burst *list, bool writes)
{
    uint32_t from = side_below(s, BURSTS), i;

    for (i = 0; i < BURSTS; i++) {
        struct burst *b = &list[(from + i) % BURSTS];

        if (b->busy && (!writes || b->beats == b->a.len + 1) && oldest(list, b))
            return b;
    }
    return NULL;
}

/* Memory performs a write some time after its data, at the latest with its answer. */
static void perform_write(struct side *s, struct burst *b)
{
    uint32_t i;

    if (b->performed)
        return;
    b->performed = true;
    for (i = 0; i < P_LINE_BYTES && !side_bad(b->line); i++)
        if (b->mask[i])
            s->memory[b->line][i] = b->data[i];
}

static void perform_read(struct side *s, struct burst *b)
{
    if (!b->performed)
        memcpy(b->data, s->memory[b->line], P_LINE_BYTES);
    b->performed = true;
}

static uint32_t response(struct side *s, const struct burst *b)
{
    /* A burst may fail in some of its beats only; the last beat then fails at the latest. */
    if (!side_bad(b->line) || (b->at != b->a.len && side_chance(s, 50)))
        return 0;
    return side_chance(s, 50) ? 2 : 3;
}

static void bus_drive(struct side *s)
{
    struct burst *b;

    axi.ar_room = side_chance(s, s->bus_rate);
    axi.aw_room = side_chance(s, s->bus_rate);
    axi.w_room = side_chance(s, s->bus_rate) && !(axi.early.busy && axi.early.performed);
    dut_put(s->l.dut, axi.ar.ready, axi.ar_room);
    dut_put(s->l.dut, axi.aw.ready, axi.aw_room);
    dut_put(s->l.dut, axi.wready, axi.w_room);
    if (side_chance(s, 20) && (b = pick(s, axi.rd, false)) != NULL)
        perform_read(s, b);
    if (side_chance(s, 20) && (b = pick(s, axi.wr, true)) != NULL)
        perform_write(s, b);
    if (axi.r_now == NULL && side_chance(s, s->bus_rate) && (b = pick(s, axi.rd, false)) != NULL) {
        perform_read(s, b);
        axi.mixed += axi.r_last != NULL && axi.r_last != b && axi.r_last->busy && axi.r_last->at;
        axi.r_now = axi.r_last = b;
        dut_put(s->l.dut, axi.rid, b->a.id);
        dut_put_bytes(s->l.dut, axi.rdata,
                      b->data + b->a.addr % P_LINE_BYTES / BEAT * BEAT + b->at * BEAT, BEAT);
        dut_put(s->l.dut, axi.rresp, response(s, b));
        dut_put(s->l.dut, axi.rlast, b->at == b->a.len);
    }
    if (axi.b_now == NULL && side_chance(s, s->bus_rate) && (b = pick(s, axi.wr, true)) != NULL) {
        perform_write(s, b);
        axi.b_now = b;
        dut_put(s->l.dut, axi.bid, b->a.id);
        dut_put(s->l.dut, axi.bresp, side_bad(b->line) ? 2 + side_below(s, 2) : 0);
    }
    dut_put(s->l.dut, axi.rvalid, axi.r_now != NULL);
    dut_put(s->l.dut, axi.bvalid, axi.b_now != NULL);
}

/* Rules of AR and AW; true if an address is accepted. */
static bool look_address(struct side *s, struct channel *c, bool room, const char *stays)
{
    struct dut *d = s->l.dut;
    bool valid = dut_get(d, c->valid) != 0;
    struct address a = {dut_get(d, c->addr), (uint32_t)dut_get(d, c->id),
                        (uint32_t)dut_get(d, c->len)};

    if (c->shown)
        side_need(s, stays, valid && a.addr == c->a.addr && a.id == c->a.id && a.len == c->a.len);
    c->shown = valid && !room;
    c->a = a;
    if (!valid)
        return false;
    side_seen(s);
    side_need(s, "bursts are INCR", dut_get(d, c->burst) == 1);
    side_need(s, "no locked access", dut_get(d, c->lock) == 0);
    side_need(s, "beats are as wide as the bus",
              dut_get(d, c->size) == (uint64_t)__builtin_ctz(BEAT));
    side_need(s, "addresses are those of beats", a.addr % BEAT == 0);
    side_need(s, "no burst crosses 4 KB", a.addr / 4096 == (a.addr + a.len * BEAT) / 4096);
    if (SIDE_PARTS > 1 && c == &axi.ar && a.id == FILLS)
        side_need(s, "a fill is a burst of its line",
                  a.addr % P_LINE_BYTES == 0 && (a.len + 1) * BEAT == P_LINE_BYTES);
    else
        side_need(s, "no burst leaves its line or beat",
                  a.addr % SIDE_PORT + (a.len + 1) * BEAT <= SIDE_PORT);
    return room;
}

/* Checks that no request in the list is in flight that this one must not overtake. With ORDER 1,
 * `may` allows overtaking (both are reads); with ORDER 2 no request overtakes one of its line. */
static void look_order(struct side *s, const struct burst *list, uint32_t line, bool may)
{
    uint32_t i;

    for (i = 0; i < BURSTS && P_ORDER != 0; i++)
        side_need(s, "no request passes one of the same line that it must follow",
                  !list[i].busy || list[i].line != line || (may && P_ORDER != 2));
}

static struct burst *enter(struct side *s, struct burst *list, const struct address *a)
{
    struct burst *b = NULL;
    uint32_t i;

    for (i = BURSTS; i-- > 0;) {
        if (!list[i].busy)
            b = &list[i];
        else
            side_need(s, "an id is in flight once",
                      list[i].a.id != a->id || (SIDE_PARTS > 1 && a->id == FILLS));
    }
    side_need(s, "the slave has room", b != NULL);
    *b = (struct burst){
        .busy = true, .turn = ++axi.turns, .a = *a, .line = side_line(s, a->addr / P_LINE_BYTES)};
    return b;
}

/* One beat of W belongs to the oldest write that waits for data, or to one whose address has not
 * come yet. */
static void enter_data(struct side *s, struct burst *b, uint32_t from)
{
    uint32_t i;

    for (i = 0; i < BEAT; i++) {
        bool on = (axi.w_strb[i / 8] >> i % 8 & 1) != 0;

        if (on && from + i < P_LINE_BYTES) {
            b->mask[from + i] = true;
            b->data[from + i] = axi.w_data[i];
        }
    }
    b->beats++;
    b->performed = false;
    (void)s;
}

static void look_data(struct side *s)
{
    struct dut *d = s->l.dut;
    bool valid = dut_get(d, axi.wvalid) != 0, last = dut_get(d, axi.wlast) != 0;
    uint8_t data[BEAT], strb[BEAT / 8 + 1] = {0};
    struct burst *b;

    dut_get_bytes(d, axi.wdata, data, sizeof(data));
    dut_get_bytes(d, axi.wstrb, strb, sizeof(strb));
    if (axi.w_shown)
        side_need(s, "W stays until it is taken",
                  valid && last == axi.w_last && memcmp(data, axi.w_data, BEAT) == 0 &&
                      memcmp(strb, axi.w_strb, sizeof(strb)) == 0);
    axi.w_shown = valid && !axi.w_room;
    axi.w_last = last;
    memcpy(axi.w_data, data, sizeof(data));
    memcpy(axi.w_strb, strb, sizeof(strb));
    if (!valid || !axi.w_room)
        return;
    if (axi.w_count != 0) {
        b = &axi.wr[axi.w_order[0]];
        enter_data(s, b, (uint32_t)(b->a.addr % P_LINE_BYTES) + b->beats * BEAT);
        side_need(s, "WLAST with the last beat and no other", last == (b->beats == b->a.len + 1));
        if (last)
            memmove(axi.w_order, axi.w_order + 1, --axi.w_count * sizeof(axi.w_order[0]));
        return;
    }
    b = &axi.early;
    enter_data(s, b, b->beats * BEAT);
    b->busy = true;
    b->performed = last; /* the last beat of the write has arrived */
}

/* The address of a write comes after all or some of its data. */
static void enter_write(struct side *s)
{
    struct burst *b = enter(s, axi.wr, &axi.aw.a);
    uint32_t from = (uint32_t)(b->a.addr % P_LINE_BYTES), i;

    if (axi.early.busy) {
        bool all = axi.early.performed;

        side_need(s, "WLAST with the last beat and no other",
                  axi.early.beats <= b->a.len + 1 && all == (axi.early.beats == b->a.len + 1));
        for (i = 0; i + from < P_LINE_BYTES; i++) {
            b->mask[from + i] = axi.early.mask[i];
            b->data[from + i] = axi.early.data[i];
        }
        b->beats = axi.early.beats;
        axi.early = (struct burst){0};
        if (all)
            return;
    }
    axi.w_order[axi.w_count++] = (uint32_t)(b - axi.wr);
}

static void bus_look(struct side *s)
{
    const uint32_t in[] = {axi.ar.ready, axi.aw.ready, axi.wready,
                           axi.rvalid,   axi.bvalid,   axi.rlast};
    const uint32_t out[] = {axi.ar.valid, axi.aw.valid, axi.wvalid, axi.rready,
                            axi.bready,   axi.ar.addr,  axi.aw.id,  axi.wlast};
    struct dut *d = s->l.dut;

    side_paths(s, in, sizeof(in) / sizeof(in[0]), out, sizeof(out) / sizeof(out[0]));
    if (look_address(s, &axi.ar, axi.ar_room, "AR stays until it is taken")) {
        uint32_t line = side_line(s, axi.ar.a.addr / P_LINE_BYTES);

        look_order(s, axi.wr, line, false);
        look_order(s, axi.rd, line, true);
        (void)enter(s, axi.rd, &axi.ar.a);
        side_need(s, "no read passes a write whose data come", axi.w_count == 0 && !axi.early.busy);
    }
    if (look_address(s, &axi.aw, axi.aw_room, "AW stays until it is taken")) {
        uint32_t line = side_line(s, axi.aw.a.addr / P_LINE_BYTES);

        look_order(s, axi.rd, line, false);
        look_order(s, axi.wr, line, false);
        enter_write(s);
    }
    look_data(s);
    if (axi.r_now != NULL && dut_get(d, axi.rready) != 0) {
        if (axi.r_now->at++ == axi.r_now->a.len) {
            axi.r_now->busy = false;
            side_done(s);
        }
        axi.r_now = NULL;
    }
    if (axi.b_now != NULL && dut_get(d, axi.bready) != 0) {
        axi.b_now->busy = false;
        axi.b_now = NULL;
        side_done(s);
    }
}

static void bus_end(struct side *s)
{
    side_need(s, "nothing is left on the bus",
              pick(s, axi.rd, false) == NULL && pick(s, axi.wr, false) == NULL);
    if (P_LINE_BYTES > BEAT && P_SLOTS > 1)
        lock_met(&s->l, "beats of reads come mixed", axi.mixed);
}

int main(int argc, char **argv)
{
    return side_main(argc, argv);
}
