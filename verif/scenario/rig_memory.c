/* SPDX-License-Identifier: Apache-2.0 */
#include "scenario/rig_memory.h"

void rig_memory_random(struct rig *r, uint8_t *line)
{
    uint32_t i;

    for (i = 0; i < RIG_LINE; i += 8) {
        uint64_t word = byw_rng_next(&r->l.rng);

        memcpy(line + i, &word, 8);
    }
}

/* An atomic adds 1 to every byte of its mask and returns the old line. */
void rig_memory_write(uint8_t *line, const struct byw_byte_mask *bytes, const uint8_t *data,
                      bool atomic)
{
    uint32_t i;

    for (i = 0; i < RIG_LINE; i++)
        if ((bytes->w[i / 64] >> i % 64 & 1) != 0)
            line[i] = (uint8_t)(atomic ? line[i] + 1 : data[i]);
}

/* A failed SC writes nothing and returns ones; a successful one writes and returns zeros. */
static void store_conditional(struct rig *r, struct rig_fetch *fetch)
{
    bool fails = !r->reserved || r->reserved_line != fetch->line;

    r->reserved = false;
    memset(fetch->data, fails ? 1 : 0, RIG_LINE);
    if (fails)
        return;
    rig_memory_write(r->mem[fetch->line % RIG_LINES], &fetch->bytes, fetch->sent, false);
    rig_memory_write(r->flat[fetch->line % RIG_LINES], &fetch->bytes, fetch->sent, false);
}

static void perform_fetch(struct rig *r, struct rig_fetch *fetch)
{
    uint8_t *line = r->mem[fetch->line % RIG_LINES];
    uint32_t i;

    fetch->performed = true;
    if (fetch->atomic && fetch->func == RIG_SC) {
        store_conditional(r, fetch);
        return;
    }
    rig_memory_random(r, fetch->data); /* in a sectored line only the requested bytes are sent */
    for (i = 0; i < RIG_LINE; i++)
        if (r->size.sectors == 1 || (fetch->bytes.w[i / 64] >> i % 64 & 1) != 0)
            fetch->data[i] = line[i];
    if (fetch->atomic && fetch->func == RIG_LR) {
        r->reserved = true;
        r->reserved_line = fetch->line;
        return;
    }
    if (!fetch->write && !fetch->atomic)
        return;
    rig_memory_write(line, &fetch->bytes, fetch->sent, fetch->atomic);
    r->reserved = r->reserved && r->reserved_line != fetch->line;
}

void rig_memory_take(struct rig *r)
{
    const struct byw_mem_req *req = &r->out.mem_req;
    struct rig_fetch *fetch = &r->fetch[r->fetches++];

    *fetch = (struct rig_fetch){.line = req->line,
                                .taken = r->cycle,
                                .id = req->id,
                                .pc = req->pc,
                                .func = req->func,
                                .kind = req->kind,
                                .write = req->write,
                                .atomic = req->atomic,
                                .predicted = req->predicted,
                                .bytes = req->bytes,
                                .waits = req->kind != BYW_MEM_WRITEBACK || rig_wb_acks(r)};
    if (req->write || req->atomic)
        memcpy(fetch->sent, req->data, rig_port_bytes(r));
    if (!r->late)
        perform_fetch(r, fetch);
}

void rig_memory_show(struct rig *r, uint32_t i, bool error)
{
    struct rig_fetch *fetch = &r->fetch[i];

    if (!fetch->performed)
        perform_fetch(r, fetch);
    memcpy(r->rsp_data, fetch->data + fetch->come * rig_port_bytes(r), rig_port_bytes(r));
    r->in.mem_rsp = (struct byw_mem_rsp){.data = r->rsp_data,
                                         .id = fetch->id,
                                         .kind = fetch->kind,
                                         .error = error,
                                         .mispredict = r->mispredict && fetch->predicted};
    r->in.mem_rsp_valid = true;
    r->open_fetch = i;
}

/* Shows the oldest due answer, fills beat by beat, one answer per cycle. */
void rig_memory_show_due(struct rig *r)
{
    uint32_t i;

    for (i = 0; i < r->fetches; i++) {
        const struct rig_fetch *fetch = &r->fetch[i];

        if (!fetch->waits || fetch->taken + r->latency > r->cycle)
            continue;
        rig_memory_show(r, i, fetch->line == r->error_line && !fetch->write);
        return;
    }
}

void rig_memory_taken(struct rig *r)
{
    struct rig_fetch *fetch = &r->fetch[r->open_fetch];

    fetch->come++;
    fetch->waits = fetch->kind == BYW_MEM_FILL && fetch->come * rig_port_bytes(r) < r->size.line;
    r->in.mem_rsp_valid = false;
}
