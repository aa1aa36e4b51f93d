/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_trace_bwt_part.c - CTAs in parts: joined again, or delivered as windows.
 */
#include <stdlib.h>
#include <string.h>

#include "trace/bwt/byw_trace_bwt_read.h"
#include "trace/bwt/byw_trace_windows.h"

/* The parts of a CTA so far, as windows or as one stream per warp. */
struct whole {
    struct byw_windows *windows; /* NULL: a whole CTA is built */
    struct byw_cta *warp;
    uint32_t warps;
    uint64_t records, addresses;
};

/* Appends warp w of a part to a CTA of one warp. */
static bool append(struct byw_cta *warp, const struct byw_cta *part, uint32_t w)
{
    if (warp->warp_count == 0 && byw_cta_add_warp(warp) == NULL)
        return false;
    return byw_cta_append(warp, part->inst + part->warp[w].first, part->warp[w].count, part->addr);
}

static enum byw_status add_part(struct byw_bwt *t, struct whole *whole, uint32_t first_warp,
                                struct byw_diag *diag)
{
    const struct byw_cta *part = &t->scratch;

    if (whole->windows != NULL)
        return byw_windows_add(whole->windows, part, first_warp, diag);
    whole->records += part->inst_count;
    whole->addresses += part->addr_count;
    if (whole->records > BYW_BWT_CTA_INST_MAX || whole->addresses > BYW_BWT_CTA_ADDR_MAX)
        return byw_diag_set(diag, BYW_EUNSUPPORTED,
                            "%s: launch %u: a CTA has more than 2^24 records or 2^25 addresses; "
                            "only byway run accepts such CTAs",
                            byw_source_path(t->source), t->kernel.launch);
    for (uint32_t w = 0; w < part->warp_count; w++) {
        if (!append(&whole->warp[first_warp + w], part, w))
            return BYW_ENOMEM;
    }
    return BYW_OK;
}

/* Concatenates the warps' streams; each is freed as soon as it is copied. */
static enum byw_status join(struct whole *whole, struct byw_cta *cta)
{
    for (uint32_t w = 0; w < whole->warps; w++) {
        struct byw_cta *warp = &whole->warp[w];
        uint32_t base = cta->addr_count;
        struct byw_inst *inst;

        if (byw_cta_add_warp(cta) == NULL)
            return BYW_ENOMEM;
        inst = byw_cta_add_insts(cta, warp->inst_count);
        if (inst == NULL ||
            (warp->addr_count != 0 && byw_cta_add_addr(cta, warp->addr_count) == NULL))
            return BYW_ENOMEM;
        if (warp->inst_count != 0)
            memcpy(inst, warp->inst, warp->inst_count * sizeof(*inst));
        for (uint32_t i = 0; i < warp->inst_count; i++)
            inst[i].list += inst[i].form == BYW_FORM_LIST ? base : 0;
        if (warp->addr_count != 0)
            memcpy(cta->addr + base, warp->addr, warp->addr_count * sizeof(*warp->addr));
        byw_cta_release(warp);
    }
    return BYW_OK;
}

/* Reads the current P block into t->scratch. */
static enum byw_status read_part(struct byw_bwt *t, struct byw_bwt_part *part,
                                 struct byw_diag *diag)
{
    uint64_t at = t->at;
    enum byw_status st = byw_bwt_start_records(t, part, diag);

    if (st == BYW_OK)
        st = byw_bwt_next_record(t, &t->scratch, diag);
    if (st != BYW_OK)
        return st;
    if (part->warps == 0 || t->scratch.warp_count > part->warps ||
        part->first_warp > part->warps - t->scratch.warp_count) {
        t->at = at;
        return byw_bwt_malformed(t, "a part has more warps than its CTA", diag);
    }
    return BYW_OK;
}

static enum byw_status begin(struct byw_bwt *t, const struct byw_bwt_part *part,
                             struct whole *whole, struct byw_cta *cta, struct byw_diag *diag)
{
    enum byw_status st = BYW_OK;

    memcpy(cta->id, t->scratch.id, sizeof(cta->id));
    whole->warps = part->warps;
    if (t->trace.windows) {
        st = byw_trace_begin_windows(&t->trace, &t->kernel, part->warps, cta, diag);
        whole->windows = cta->windows;
        return st;
    }
    whole->warp = calloc(part->warps, sizeof(*whole->warp));
    return whole->warp == NULL ? BYW_ENOMEM : BYW_OK;
}

static enum byw_status read_all(struct byw_bwt *t, struct whole *whole, struct byw_cta *cta,
                                struct byw_diag *diag)
{
    struct byw_bwt_part part;
    enum byw_status st = read_part(t, &part, diag);

    if (st == BYW_OK)
        st = begin(t, &part, whole, cta, diag);
    while (st == BYW_OK) {
        if (part.warps != whole->warps || memcmp(t->scratch.id, cta->id, sizeof(cta->id)) != 0)
            return byw_bwt_malformed(t, "a part of another CTA", diag);
        st = add_part(t, whole, part.first_warp, diag);
        if (st != BYW_OK || part.last)
            break;
        /* The end of the block is checked before the next one. */
        st = byw_bwt_next_record(t, &t->scratch, diag);
        st = st == BYW_END ? byw_bwt_next_block(t, diag) : st;
        if (st == BYW_OK)
            st = read_part(t, &part, diag);
    }
    return st;
}

enum byw_status byw_bwt_read_parts(struct byw_bwt *t, struct byw_cta *cta, struct byw_diag *diag)
{
    struct whole whole = {.warps = 0};
    enum byw_status st = read_all(t, &whole, cta, diag);

    if (st == BYW_OK && whole.windows == NULL)
        st = join(&whole, cta);
    for (uint32_t w = 0; whole.warp != NULL && w < whole.warps; w++)
        byw_cta_release(&whole.warp[w]);
    free(whole.warp);
    return st;
}
