/* SPDX-License-Identifier: Apache-2.0
 *
 * CTAs in parts: P blocks.
 */
#include <stdlib.h>
#include <string.h>

#include "trace/bwt/byw_trace_bwt_write.h"
#include "trace/bwt/byw_trace_windows.h"

/* Number of records from `first` on, up to `count`, that take at most `room` bytes; at least one.
 * *bytes: their size. */
static uint32_t fitting(const struct byw_inst *first, uint32_t count, uint64_t room,
                        uint64_t *bytes)
{
    uint32_t n = 0;

    *bytes = 0;
    while (n < count) {
        uint64_t more = byw_inst_bytes(&first[n]);

        if (n != 0 && *bytes + more > room)
            break;
        *bytes += more;
        n++;
    }
    return n;
}

/* Writes a part that is not too large. */
static enum byw_status put(struct byw_trace_writer *w, const struct byw_cta *part,
                           uint32_t first_warp, bool last, struct byw_diag *diag)
{
    struct byw_bytes content = {.data = NULL};
    struct byw_diag why = {.text = ""};
    enum byw_status st = byw_bwt_pack_add(w->pack, part, &why);

    if (st != BYW_OK)
        return byw_bwt_write_fail(w, st, why.text, diag);
    st = byw_bwt_pack_finish(w->pack, &content);
    w->raw.size = 0;
    byw_bytes_put_number(&w->raw, first_warp);
    byw_bytes_put_number(&w->raw, w->part.warps);
    byw_bytes_put(&w->raw, content.data, content.size);
    byw_bytes_release(&content);
    if (st != BYW_OK)
        return byw_bwt_write_no_memory(w, diag);
    st = byw_bwt_write_records(w, BYW_BWT_PART, last, diag);
    byw_bwt_pack_clear(w->pack, &w->kernel);
    return st;
}

enum byw_status byw_bwt_write_close_part(struct byw_trace_writer *w, struct byw_diag *diag)
{
    struct byw_cta none = {.inst = NULL};

    if (!w->part.open)
        return BYW_OK;
    w->part.open = false;
    memcpy(none.id, w->part.id, sizeof(none.id));
    return put(w, &none, 0, true, diag);
}

/* Splits a part into parts of at most BYW_PART_BYTES. */
static enum byw_status cut(struct byw_trace_writer *w, const struct byw_cta *part,
                           uint32_t first_warp, bool last, struct byw_diag *diag)
{
    struct byw_warp_trace *warp = calloc((size_t)part->warp_count + 1, sizeof(*warp));
    struct byw_cta view = *part;
    uint64_t sum = 0, bytes;
    uint32_t from = 0, done = 0; /* first warp of the view; records before it */
    enum byw_status st = BYW_OK;

    if (warp == NULL)
        return byw_bwt_write_no_memory(w, diag);
    view.warp = warp;
    view.warp_count = view.inst_count = 0;
    for (uint32_t i = 0; i < part->warp_count && st == BYW_OK; i++) {
        uint32_t left = part->warp[i].count;

        do {
            uint32_t n = fitting(part->inst + done + view.inst_count, left,
                                 sum < BYW_PART_BYTES ? BYW_PART_BYTES - sum : 0, &bytes);

            warp[view.warp_count++] = (struct byw_warp_trace){.first = view.inst_count, .count = n};
            view.inst_count += n;
            sum += bytes;
            left -= n;
            if (left == 0)
                break;
            st = put(w, &view, first_warp + from, false, diag);
            done += view.inst_count;
            view.inst = part->inst + done;
            view.warp_count = view.inst_count = 0;
            sum = 0;
            from = i;
        } while (st == BYW_OK);
    }
    if (st == BYW_OK)
        st = put(w, &view, first_warp + from, last, diag);
    free(warp);
    return st;
}

/* The fault in a part; NULL if there is none. */
static const char *part_fault(const struct byw_trace_writer *w, const struct byw_cta *part,
                              uint32_t first_warp, uint32_t warps)
{
    uint32_t expected = 0;

    if (w->part.open && w->part.warps != warps)
        return "a part whose CTA has a different number of warps";
    if (warps == 0 || warps > BYW_BWT_CTA_WARP_MAX || part->warp_count > warps ||
        first_warp > warps - part->warp_count)
        return "a part has more warps than its CTA";
    for (uint32_t i = 0; i < part->warp_count; i++) {
        if (part->warp[i].first != expected || part->warp[i].count > part->inst_count - expected)
            return "its warps' records are not consecutive";
        expected += part->warp[i].count;
    }
    return expected == part->inst_count ? NULL : "it has records that belong to no warp";
}

enum byw_status byw_trace_cta_part(struct byw_trace_writer *writer, const struct byw_cta *part,
                                   uint32_t first_warp, uint32_t warps, bool last,
                                   struct byw_diag *diag)
{
    struct byw_trace_writer *w = writer;
    const char *fault = part_fault(w, part, first_warp, warps);
    enum byw_status st = BYW_OK;

    if (w->failed)
        return byw_bwt_write_fail(w, BYW_EIO, "an earlier write failed", diag);
    if (!w->in_kernel)
        return byw_bwt_write_fail(w, BYW_EINVAL, "a CTA before the first launch", diag);
    if (fault != NULL)
        return byw_bwt_write_fail(w, BYW_EINVAL, fault, diag);
    if (!w->part.open || memcmp(w->part.id, part->id, sizeof(part->id)) != 0) {
        st = byw_bwt_write_flush(w, diag);
        w->part = (struct byw_bwt_write_long){.open = true, .warps = warps};
        memcpy(w->part.id, part->id, sizeof(part->id));
        w->ctas++;
    }
    w->records += part->inst_count;
    for (uint32_t i = 0; i < part->inst_count; i++)
        w->instructions += part->inst[i].count;
    if (st == BYW_OK)
        st = cut(w, part, first_warp, last, diag);
    w->part.open = !last;
    if (st == BYW_OK && last)
        byw_bwt_write_seal(w, false);
    return st;
}
