/* SPDX-License-Identifier: Apache-2.0
 *
 * Traces of long work-groups are passed to the writer in parts, before the group ends.
 */
#include <stdlib.h>
#include <string.h>

#include "capture/run/byw_cl_runner.h"
#include "trace/bwt/byw_trace_windows.h"

/* Records kept per warp, because the first use of a load among them may still follow: for a group
 * that runs alone, and for one of several resident groups. */
#define KEPT_RECORDS 4096u
#define KEPT_RECORDS_MANY 512u

/* Moves a warp's stream into the CTA. */
enum byw_status byw_cl_parts_append(struct byw_cta *cta, const struct byw_cl_warp *warp)
{
    uint32_t base = cta->addr_count;
    struct byw_inst *inst;
    uint64_t *addr;

    if (byw_cta_add_warp(cta) == NULL)
        return BYW_ENOMEM;
    inst = byw_cta_add_insts(cta, warp->inst_count);
    if (inst == NULL)
        return BYW_ENOMEM;
    memcpy(inst, warp->inst, warp->inst_count * sizeof(*inst));
    for (uint32_t i = 0; i < warp->inst_count; i++)
        if (inst[i].form == BYW_FORM_LIST)
            inst[i].list += base;
    if (warp->addr_count == 0)
        return BYW_OK;
    addr = byw_cta_add_addr(cta, warp->addr_count);
    if (addr == NULL)
        return BYW_ENOMEM;
    memcpy(addr, warp->addr, warp->addr_count * sizeof(*addr));
    return BYW_OK;
}

uint64_t byw_cl_parts_held(const struct byw_cl_runner *r)
{
    uint64_t bytes = byw_cta_bytes(&r->cta);

    for (uint32_t w = 0; w * r->warp_size < r->items; w++)
        bytes += byw_cl_warp_bytes(&r->warp[w]);
    return bytes;
}

void byw_cl_parts_count(const struct byw_cl_runner *r, const struct byw_cta *cta)
{
    uint64_t instructions = 0;

    if (r->launch->bounds == NULL)
        return;
    for (uint32_t i = 0; i < cta->inst_count; i++)
        instructions += cta->inst[i].count;
    byw_bounds_add(r->launch->bounds, instructions);
}

static enum byw_status put(struct byw_cl_runner *r, struct byw_cta *cta, uint32_t first, bool last)
{
    const struct byw_cl_spool_part part = {
        .first_warp = first, .warps = (r->items + r->warp_size - 1) / r->warp_size, .last = last};

    for (unsigned d = 0; d < 3; d++)
        cta->id[d] = r->group[d];
    r->written += byw_cta_bytes(cta);
    if (!r->first)
        return byw_cl_park_put(r->park, &r->parked, cta, &part, r->diag);
    byw_cl_parts_count(r, cta);
    return byw_cl_spool_put(r->spool, cta, &part);
}

enum byw_status byw_cl_parts_unpark(struct byw_cl_runner *r, struct byw_cl_parked **list)
{
    enum byw_status status = BYW_OK;
    struct byw_cl_spool_part part;
    struct byw_cta cta;

    byw_cta_init(&cta);
    while (status == BYW_OK && *list != NULL) {
        status = byw_cl_park_take(r->park, list, &cta, &part, r->diag);
        if (status != BYW_OK)
            break;
        byw_cl_parts_count(r, &cta);
        status = byw_cl_spool_put(r->spool, &cta, &part);
    }
    byw_cta_release(&cta);
    return status;
}

static uint32_t kept(const struct byw_cl_runner *r)
{
    return r->park == NULL ? KEPT_RECORDS : KEPT_RECORDS_MANY;
}

/* Removes the first n records of a stream; later records can no longer wait for their loads. */
static void drop(const struct byw_cl_runner *r, struct byw_cl_warp *warp, uint32_t n,
                 uint32_t addrs)
{
    for (uint32_t i = 0; i < r->launch->kernel->code->loads; i++) {
        struct byw_cl_pending *pending = &warp->pending[i];

        pending->record = pending->record > n ? pending->record - n : 0;
    }
    warp->inst_count -= n;
    warp->addr_count -= addrs;
    memmove(warp->inst, warp->inst + n, warp->inst_count * sizeof(*warp->inst));
    if (addrs != 0)
        memmove(warp->addr, warp->addr + addrs, warp->addr_count * sizeof(*warp->addr));
    for (uint32_t i = 0; i < warp->inst_count; i++)
        if (warp->inst[i].form == BYW_FORM_LIST)
            warp->inst[i].list -= addrs;
}

/* Frees the unused memory of a stream, so that other warps' streams can grow. */
static void shrink(struct byw_cl_warp *warp)
{
    uint32_t insts = 2 * warp->inst_count, addrs = warp->addr_count + warp->inst_count;
    struct byw_inst *inst = realloc(warp->inst, insts * sizeof(*inst));
    uint64_t *addr = realloc(warp->addr, addrs * sizeof(*addr));

    if (inst != NULL) {
        warp->inst = inst;
        warp->inst_room = insts;
    }
    if (addr != NULL) {
        warp->addr = addr;
        warp->addr_room = addrs;
    }
}

/* Writes a warp's stream except its last records. */
static enum byw_status write_stream(struct byw_cl_runner *r, struct byw_cl_warp *warp,
                                    uint32_t number)
{
    struct byw_cl_warp head = *warp;
    uint32_t n = warp->inst_count - kept(r), i = n;
    struct byw_cta part;
    enum byw_status status;

    if (warp->inst_count <= kept(r))
        return BYW_OK;
    while (i < warp->inst_count && warp->inst[i].form != BYW_FORM_LIST)
        i++;
    head.inst_count = n;
    if (i < warp->inst_count)
        head.addr_count = warp->inst[i].list;
    byw_cta_init(&part);
    status = byw_cl_parts_append(&part, &head);
    if (status == BYW_OK)
        status = put(r, &part, number, false);
    byw_cta_release(&part);
    drop(r, warp, n, head.addr_count);
    shrink(warp); /* at least the kept records remain */
    return status;
}

enum byw_status byw_cl_parts_write(struct byw_cl_runner *r, uint32_t warp)
{
    bool all = r->whole; /* all warps have streams; otherwise only this one has */
    enum byw_status status = BYW_OK;

    if ((!r->first && r->park == NULL) || byw_cl_parts_held(r) <= r->part_bytes)
        return BYW_OK;
    if (r->cta.warp_count != 0) {
        uint32_t ended = r->cta.warp_count;

        status = put(r, &r->cta, r->first_warp, false);
        r->first_warp += ended;
    }
    for (uint32_t w = 0; all && w * r->warp_size < r->items && status == BYW_OK; w++)
        status = write_stream(r, &r->warp[w], w);
    return all || status != BYW_OK ? status : write_stream(r, &r->warp[0], warp);
}

enum byw_status byw_cl_parts_end(struct byw_cl_runner *r)
{
    if (r->written == 0) {
        byw_cl_parts_count(r, &r->cta);
        return byw_cl_spool_put(r->spool, &r->cta, NULL);
    }
    return put(r, &r->cta, r->first_warp, true);
}
