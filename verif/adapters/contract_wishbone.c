/* SPDX-License-Identifier: Apache-2.0
 *
 * contract_wishbone - byw_wishbone_mem.v against a Wishbone B4 pipelined slave that stalls and
 * acknowledges at random, at the earliest in the cycle after the strobe; and against a checker: a
 * stalled strobe stays, CYC spans from the first strobe to the last acknowledgement, no more
 * strobes than the adapter has room for, SEL of reads, only beats of requested lines.
 */
#include "adapters/mem_side.h"

enum { BEAT = P_DATA_W / 8, STROBES = 512 };

struct strobe {
    uint32_t line, at;
    bool write;
    uint8_t sel[BEAT / 8 + 1], data[BEAT];
};

static struct wishbone {
    uint32_t cyc, stb, stall, we, adr, sel, dat_o, ack, err, dat_i;
    struct strobe queue[STROBES];
    uint32_t head, count;
    bool stalls, acks, shown;
    uint64_t adr_was;
    bool we_was;
    uint8_t sel_was[BEAT / 8 + 1], data_was[BEAT];
    uint64_t errs, deepest;
} wb;

static void bus_find(struct side *s)
{
    const struct dut *d = s->l.dut;

    wb.cyc = dut_port(d, "wb_cyc_o");
    wb.stb = dut_port(d, "wb_stb_o");
    wb.stall = dut_port(d, "wb_stall_i");
    wb.we = dut_port(d, "wb_we_o");
    wb.adr = dut_port(d, "wb_adr_o");
    wb.sel = dut_port(d, "wb_sel_o");
    wb.dat_o = dut_port(d, "wb_dat_o");
    wb.ack = dut_port(d, "wb_ack_i");
    wb.err = dut_port(d, "wb_err_i");
    wb.dat_i = dut_port(d, "wb_dat_i");
}

static void bus_drive(struct side *s)
{
    const struct strobe *t = &wb.queue[wb.head];
    uint8_t data[BEAT];
    bool bad = false;
    uint32_t i;

    wb.stalls = !side_chance(s, s->bus_rate);
    wb.acks = wb.count != 0 && side_chance(s, s->bus_rate);
    for (i = 0; i < BEAT; i++)
        data[i] = (uint8_t)side_below(s, 256); /* data returned with a write's acknowledgement */
    if (wb.acks) {
        bad = side_bad(t->line);
        for (i = 0; i < BEAT; i++)
            if (!t->write)
                data[i] = s->memory[t->line][t->at + i];
            else if (!bad && (t->sel[i / 8] >> i % 8 & 1) != 0)
                s->memory[t->line][t->at + i] = t->data[i];
    }
    dut_put(s->l.dut, wb.stall, wb.stalls);
    dut_put(s->l.dut, wb.ack, wb.acks && !bad);
    dut_put(s->l.dut, wb.err, wb.acks && bad);
    dut_put_bytes(s->l.dut, wb.dat_i, data, BEAT);
    wb.errs += bad;
}

static void enter(struct side *s)
{
    struct strobe *t = &wb.queue[(wb.head + wb.count) % STROBES];
    uint64_t byte = wb.adr_was * BEAT;

    t->line = side_line(s, byte / P_LINE_BYTES);
    t->at = (uint32_t)(byte % P_LINE_BYTES);
    t->write = wb.we_was;
    memcpy(t->sel, wb.sel_was, sizeof(t->sel));
    memcpy(t->data, wb.data_was, BEAT);
    wb.count++;
    wb.deepest = wb.count > wb.deepest ? wb.count : wb.deepest;
    side_need(s, "no more strobes in flight than BEATS_OUT", wb.count <= P_BEATS_OUT);
}

static void bus_look(struct side *s)
{
    const uint32_t in[] = {wb.stall, wb.ack, wb.err};
    const uint32_t out[] = {wb.stb, wb.cyc, wb.adr, wb.we};
    struct dut *d = s->l.dut;
    bool stb = dut_get(d, wb.stb) != 0, cyc = dut_get(d, wb.cyc) != 0, we = dut_get(d, wb.we) != 0;
    uint64_t adr = dut_get(d, wb.adr);
    uint8_t sel[BEAT / 8 + 1] = {0}, data[BEAT];
    uint32_t i;

    side_paths(s, in, sizeof(in) / sizeof(in[0]), out, sizeof(out) / sizeof(out[0]));
    dut_get_bytes(d, wb.sel, sel, sizeof(sel));
    dut_get_bytes(d, wb.dat_o, data, BEAT);
    if (wb.shown)
        side_need(s, "a strobe that is stalled stays",
                  stb && adr == wb.adr_was && we == wb.we_was &&
                      memcmp(sel, wb.sel_was, sizeof(sel)) == 0 &&
                      (!we || memcmp(data, wb.data_was, BEAT) == 0));
    side_need(s, "CYC with every strobe", cyc || !stb);
    side_need(s, "CYC until the last acknowledgement", cyc || wb.count == 0);
    wb.shown = stb && wb.stalls;
    wb.adr_was = adr;
    wb.we_was = we;
    memcpy(wb.sel_was, sel, sizeof(sel));
    memcpy(wb.data_was, data, BEAT);
    for (i = 0; i < BEAT && stb && !we; i++)
        side_need(s, "a read selects the whole beat", (sel[i / 8] >> i % 8 & 1) != 0);
    if (wb.acks) {
        wb.head = (wb.head + 1) % STROBES;
        wb.count--;
        side_done(s);
    }
    if (stb) {
        side_seen(s);
        if (!wb.stalls)
            enter(s);
    }
}

static void bus_end(struct side *s)
{
    side_need(s, "nothing is left on the bus", wb.count == 0);
    lock_met(&s->l, "ERR", wb.errs);
    lock_met(&s->l, "strobes in flight together", wb.deepest > 1 || P_BEATS_OUT == 1);
}

int main(int argc, char **argv)
{
    return side_main(argc, argv);
}
