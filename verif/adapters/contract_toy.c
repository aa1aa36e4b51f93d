/* SPDX-License-Identifier: Apache-2.0
 *
 * contract_toy - the worked example of rtl/doc/integrate.md on a toy memory: the code that a
 * bench for a user's own bus needs in addition to mem_side.h.
 */
#define SIDE_SERIAL
#include "adapters/mem_side.h"

static struct toy {
    uint32_t go, write, line, bytes, data_o, done, fail, data_i;
    bool shown, done_now;
    uint64_t was;
} toy;

static void bus_find(struct side *s)
{
    const struct dut *d = s->l.dut;

    toy.go = dut_port(d, "toy_go_o");
    toy.write = dut_port(d, "toy_write_o");
    toy.line = dut_port(d, "toy_line_o");
    toy.bytes = dut_port(d, "toy_bytes_o");
    toy.data_o = dut_port(d, "toy_data_o");
    toy.done = dut_port(d, "toy_done_i");
    toy.fail = dut_port(d, "toy_fail_i");
    toy.data_i = dut_port(d, "toy_data_i");
}

/* Done comes a cycle after go at the earliest, for the request that was offered then. */
static void bus_drive(struct side *s)
{
    struct dut *d = s->l.dut;
    uint32_t line;

    toy.done_now = toy.shown && side_chance(s, s->bus_rate);
    dut_put(d, toy.done, toy.done_now);
    if (!toy.done_now)
        return;
    line = side_line(s, toy.was >> 1);
    dut_put(d, toy.fail, side_bad(line));
    dut_put_bytes(d, toy.data_i, s->memory[line], P_LINE_BYTES);
}

static void bus_look(struct side *s)
{
    struct dut *d = s->l.dut;
    bool go = dut_get(d, toy.go) != 0;
    uint64_t what = dut_get(d, toy.line) << 1 | dut_get(d, toy.write);
    uint32_t mask[P_LINE_BYTES / 32 + 1] = {0}, line, i;
    uint8_t data[P_LINE_BYTES];

    side_need(s, "go stays until done", !toy.shown || (go && what == toy.was));
    toy.shown = go && !toy.done_now;
    toy.was = what;
    if (go)
        side_seen(s);
    if (!toy.done_now)
        return;
    side_done(s);
    line = side_line(s, what >> 1);
    dut_get_bytes(d, toy.bytes, mask, sizeof(mask));
    dut_get_bytes(d, toy.data_o, data, sizeof(data));
    for (i = 0; i < P_LINE_BYTES && (what & 1) != 0 && !side_bad(line); i++)
        if (lock_field(mask, i, 1) != 0)
            s->memory[line][i] = data[i];
}

static void bus_end(struct side *s)
{
    side_need(s, "nothing is left on the bus", !toy.shown);
}

int main(int argc, char **argv)
{
    return side_main(argc, argv);
}
