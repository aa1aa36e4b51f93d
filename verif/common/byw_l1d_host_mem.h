/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_l1d_host_mem.h - the memory of the test bench of byw_l1d_host.h: how it accepts, performs and
 * answers requests, and which flags and masks of a request it rejects.
 */
#ifndef BYW_L1D_HOST_MEM_H
#define BYW_L1D_HOST_MEM_H

#include "common/byw_l1d_host_state.h"

/* Whether the mask is a whole sector or beat (without sectors: the line). */
static inline bool host_is_sector(const struct host *h, const struct byw_byte_mask *bytes)
{
    uint32_t i;

    if (host_beats(h) > 1) {
        struct byw_byte_mask beat = host_mask(0, host_beat_bytes(h));

        return memcmp(bytes, &beat, sizeof(beat)) == 0;
    }
    for (i = 0; i < h->config.l1d_sectors; i++) {
        struct byw_byte_mask sector = host_mask(i * host_sector_bytes(h), host_sector_bytes(h));

        if (memcmp(bytes, &sector, sizeof(sector)) == 0)
            return true;
    }
    return false;
}

/* Checks that a request's flags and mask fit its kind. */
static inline void host_check_mem_req(const struct host *h, const struct byw_mem_req *req)
{
    bool write = req->kind == BYW_MEM_STORE || req->kind == BYW_MEM_WRITEBACK;

    if (req->write != write || req->bypass != (req->kind == BYW_MEM_BYPASS) ||
        (req->atomic && !req->bypass))
        host_fail(h, "memory request with flags that do not fit its kind");
    if (req->kind == BYW_MEM_FILL && !host_is_sector(h, &req->bytes))
        host_fail(h, "fill of anything but a sector or line");
    if (req->kind == BYW_MEM_WRITEBACK && (req->bytes.w[0] | req->bytes.w[1]) == 0)
        host_fail(h, "write-back of no byte");
}

static inline void host_mem_accept(struct host *h, const struct byw_mem_req *req)
{
    struct host_mem *slot = h->queue;
    uint64_t line = req->line % HOST_LINES;
    uint32_t i, first = req->beat * host_beat_bytes(h);

    host_check_mem_req(h, req);
    if (req->write) {
        host_perform(h->mem[line] + first, &req->bytes, req->data, false);
        if (req->kind == BYW_MEM_WRITEBACK && !h->l1d->wb_acks)
            return;
    }
    while (slot->valid)
        slot++;
    *slot = (struct host_mem){
        .valid = true, .line = line, .due = h->cycle + h->latency, .rsp = {.id = req->id}};
    slot->rsp.kind = req->kind;
    if (h->jitter != 0)
        slot->due += byw_rng_below(&h->rng, h->jitter + 1);
    if (slot->due <= h->last_due[line])
        slot->due = h->last_due[line] + 1;
    h->last_due[line] = slot->due;
    slot->beats = req->kind == BYW_MEM_FILL ? host_beats(h) : 1;
    first = req->kind == BYW_MEM_FILL ? 0 : first;
    memcpy(slot->data, h->mem[line] + first, HOST_WHOLE - first);
    for (i = 0; h->config.l1d_sectors > 1 && i < HOST_WHOLE; i++)
        if ((req->bytes.w[i / 64] >> (i % 64) & 1) == 0)
            slot->data[i] ^= 0xa5; /* spoils bytes that were not requested */
    if (slot->beats > 1)
        slot->fails = byw_rng_below(&h->rng, slot->beats);
    if (req->atomic)
        host_perform(h->mem[line] + first, &req->bytes, req->data, true);
    else if (!req->write)
        slot->rsp.error = req->line == h->error_line ||
                          (h->error_percent != 0 && host_chance(h, h->error_percent));
    h->in_flight++;
}

/* The answer that has been due longest; a fill finishes before the next one starts. */
static inline struct host_mem *host_mem_due(struct host *h)
{
    struct host_mem *best = NULL;
    uint32_t i, seen = 0;

    for (i = 0; i < HOST_MEM && seen < h->in_flight; i++) {
        if (!h->queue[i].valid)
            continue;
        seen++;
        if (h->filling != NULL && h->queue[i].beats > 1 && h->filling != &h->queue[i])
            continue;
        if (h->queue[i].due <= h->cycle && (best == NULL || h->queue[i].due < best->due))
            best = &h->queue[i];
    }
    return best;
}

#endif
