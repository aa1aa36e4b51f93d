/* SPDX-License-Identifier: Apache-2.0
 *
 * contract_tilelink - byw_tilelink_mem.v against a TileLink-UL manager that answers sources in any
 * order and stalls at random; and against a checker: valid stays, payload is stable, opcodes, size,
 * alignment, masks, a source is in flight once, no message of a line is offered while one that it
 * must follow is in flight.
 */
#include "adapters/mem_side.h"

enum { BEAT = P_DATA_W / 8, MESSAGES = 512, PUT_FULL = 0, PUT_PARTIAL = 1, GET = 4 };

struct message {
    bool busy, performed;
    uint32_t opcode, source, line, at, request; /* request: equal for all beats of one request */
    uint64_t address;
    uint8_t mask[BEAT / 8 + 1], data[BEAT];
};

static struct tilelink {
    uint32_t a_valid, a_ready, a_opcode, a_param, a_size, a_source, a_address, a_mask, a_data;
    uint32_t a_corrupt, d_valid, d_ready, d_opcode, d_source, d_denied, d_data, d_corrupt;
    struct message list[MESSAGES];
    struct message *now; /* shown at D */
    bool room, shown;
    struct message was;
    uint64_t reordered;
} tl;

static void bus_find(struct side *s)
{
    const struct dut *d = s->l.dut;

    tl.a_valid = dut_port(d, "tl_a_valid_o");
    tl.a_ready = dut_port(d, "tl_a_ready_i");
    tl.a_opcode = dut_port(d, "tl_a_opcode_o");
    tl.a_param = dut_port(d, "tl_a_param_o");
    tl.a_size = dut_port(d, "tl_a_size_o");
    tl.a_source = dut_port(d, "tl_a_source_o");
    tl.a_address = dut_port(d, "tl_a_address_o");
    tl.a_mask = dut_port(d, "tl_a_mask_o");
    tl.a_data = dut_port(d, "tl_a_data_o");
    tl.a_corrupt = dut_port(d, "tl_a_corrupt_o");
    tl.d_valid = dut_port(d, "tl_d_valid_i");
    tl.d_ready = dut_port(d, "tl_d_ready_o");
    tl.d_opcode = dut_port(d, "tl_d_opcode_i");
    tl.d_source = dut_port(d, "tl_d_source_i");
    tl.d_denied = dut_port(d, "tl_d_denied_i");
    tl.d_data = dut_port(d, "tl_d_data_i");
    tl.d_corrupt = dut_port(d, "tl_d_corrupt_i");
}

static struct message *pick(struct side *s)
{
    uint32_t from = side_below(s, MESSAGES), i;

    for (i = 0; i < MESSAGES; i++)
        if (tl.list[(from + i) % MESSAGES].busy)
            return &tl.list[(from + i) % MESSAGES];
    return NULL;
}

static void perform(struct side *s, struct message *m)
{
    uint32_t i;

    if (m->performed)
        return;
    m->performed = true;
    for (i = 0; i < BEAT; i++)
        if (m->opcode == GET)
            m->data[i] = s->memory[m->line][m->at + i];
        else if (!side_bad(m->line) && (m->mask[i / 8] >> i % 8 & 1) != 0)
            s->memory[m->line][m->at + i] = m->data[i];
}

static void bus_drive(struct side *s)
{
    struct dut *d = s->l.dut;
    struct message *m;
    uint32_t bad;

    tl.room = side_chance(s, s->bus_rate);
    dut_put(d, tl.a_ready, tl.room);
    if (side_chance(s, 20) && (m = pick(s)) != NULL)
        perform(s, m);
    if (tl.now == NULL && side_chance(s, s->bus_rate) && (m = pick(s)) != NULL) {
        perform(s, m);
        tl.reordered += m != &tl.list[0] && tl.list[0].busy;
        tl.now = m;
        bad = side_bad(m->line) ? 1 + side_below(s, 3) : 0;
        if (m->opcode != GET)
            bad = bad != 0; /* an acknowledgement has no data that could be corrupt */
        dut_put(d, tl.d_opcode, m->opcode == GET);
        dut_put(d, tl.d_source, m->source);
        dut_put(d, tl.d_denied, bad & 1);
        dut_put(d, tl.d_corrupt, bad == 2 || (bad != 0 && m->opcode == GET));
        dut_put_bytes(d, tl.d_data, m->data, BEAT);
    }
    dut_put(d, tl.d_valid, tl.now != NULL);
}

static void look_order(struct side *s, const struct message *m)
{
    uint32_t i;

    for (i = 0; i < MESSAGES; i++) {
        const struct message *o = &tl.list[i];

        if (!o->busy)
            continue;
        side_need(s, "a source is in flight once", o->source != m->source);
        if (o->line == m->line && o->request != m->request && P_ORDER != 0)
            side_need(s, "no message passes one of the same line that it must follow",
                      P_ORDER == 1 && o->opcode == GET && m->opcode == GET);
    }
}

static void look_message(struct side *s, struct message *m)
{
    struct dut *d = s->l.dut;
    uint32_t i, all = 0;

    for (i = 0; i < BEAT; i++)
        all += m->mask[i / 8] >> i % 8 & 1;
    side_need(s, "a message is as wide as the bus",
              dut_get(d, tl.a_size) == (uint64_t)__builtin_ctz(BEAT));
    side_need(s, "an address is aligned to its size", m->address % BEAT == 0);
    side_need(s, "param is 0 and nothing is corrupt",
              dut_get(d, tl.a_param) == 0 && dut_get(d, tl.a_corrupt) == 0);
    side_need(s, "Get and PutFullData have whole masks",
              m->opcode == PUT_PARTIAL ||
                  ((m->opcode == GET || m->opcode == PUT_FULL) && all == BEAT));
}

static void bus_look(struct side *s)
{
    const uint32_t in[] = {tl.a_ready, tl.d_valid};
    const uint32_t out[] = {tl.a_valid, tl.a_source, tl.a_address, tl.d_ready};
    struct dut *d = s->l.dut;
    bool valid = dut_get(d, tl.a_valid) != 0;
    struct message m = {.busy = true,
                        .opcode = (uint32_t)dut_get(d, tl.a_opcode),
                        .source = (uint32_t)dut_get(d, tl.a_source),
                        .address = dut_get(d, tl.a_address)};
    uint32_t i;

    side_paths(s, in, sizeof(in) / sizeof(in[0]), out, sizeof(out) / sizeof(out[0]));
    dut_get_bytes(d, tl.a_mask, m.mask, sizeof(m.mask));
    dut_get_bytes(d, tl.a_data, m.data, BEAT);
    if (tl.shown)
        side_need(s, "A stays until it is taken",
                  valid && m.opcode == tl.was.opcode && m.source == tl.was.source &&
                      m.address == tl.was.address &&
                      memcmp(m.mask, tl.was.mask, sizeof(m.mask)) == 0 &&
                      memcmp(m.data, tl.was.data, BEAT) == 0);
    tl.shown = valid && !tl.room;
    tl.was = m;
    if (tl.now != NULL && dut_get(d, tl.d_ready) != 0) {
        tl.now->busy = false;
        tl.now = NULL;
        side_done(s);
    }
    if (!valid)
        return;
    side_seen(s);
    m.line = side_line(s, m.address / P_LINE_BYTES);
    m.at = (uint32_t)(m.address % P_LINE_BYTES);
    m.request = (uint32_t)s->taken; /* of the offered request */
    look_message(s, &m);
    if (!tl.room)
        return;
    look_order(s, &m);
    for (i = 0; i < MESSAGES && tl.list[i].busy; i++)
        ;
    side_need(s, "the manager has room", i < MESSAGES);
    tl.list[i] = m;
}

static void bus_end(struct side *s)
{
    side_need(s, "nothing is left on the bus", pick(s) == NULL);
    if (P_SLOTS > 1)
        lock_met(&s->l, "answers out of order", tl.reordered);
}

int main(int argc, char **argv)
{
    return side_main(argc, argv);
}
