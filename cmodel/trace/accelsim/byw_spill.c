/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/accelsim/byw_spill.h"

#include <string.h>

static enum byw_status begin(struct byw_spill *spill, struct byw_trace *trace,
                             const struct byw_kernel *kernel, struct byw_diag *diag)
{
    uint64_t threads = (uint64_t)kernel->block[0] * kernel->block[1] * kernel->block[2];
    uint32_t warps = (uint32_t)((threads + BYW_TRACEG_LANES - 1) / BYW_TRACEG_LANES);
    struct byw_cta whole;
    enum byw_status st;

    byw_cta_init(&whole);
    st = byw_windows_begin(&trace->window_file, kernel, warps, &whole, diag);
    spill->windows = whole.windows;
    spill->first_warp = 0;
    whole.windows = NULL;
    byw_cta_release(&whole);
    return st;
}

/* Moves the records in memory to the windows, together with later uses of records moved before. */
static enum byw_status add(struct byw_spill *spill, struct byw_traceg *parser,
                           const struct byw_cta *cta, struct byw_diag *diag)
{
    enum byw_status st = byw_windows_add(spill->windows, cta, spill->first_warp, diag);

    for (uint32_t i = 0; st == BYW_OK && i < parser->late_count; i++)
        st = byw_windows_use(spill->windows, parser->late[i].warp, parser->late[i].record,
                             parser->late[i].use, diag);
    parser->late_count = 0;
    return st;
}

enum byw_status byw_spill_part(struct byw_spill *spill, struct byw_trace *trace,
                               const struct byw_kernel *kernel, struct byw_traceg *parser,
                               struct byw_cta *cta, struct byw_diag *diag)
{
    enum byw_status st = BYW_OK;
    uint32_t id[3];

    if (spill->windows == NULL)
        st = begin(spill, trace, kernel, diag);
    if (st == BYW_OK)
        st = add(spill, parser, cta, diag);
    if (st != BYW_OK)
        return st;
    spill->first_warp += cta->warp_count - 1;
    memcpy(id, cta->id, sizeof(id));
    byw_cta_clear(cta);
    memcpy(cta->id, id, sizeof(id));
    byw_traceg_cut(parser, spill->first_warp);
    return byw_cta_add_warp(cta) != NULL ? BYW_OK : BYW_ENOMEM;
}

enum byw_status byw_spill_end(struct byw_spill *spill, struct byw_traceg *parser,
                              struct byw_cta *cta, struct byw_diag *diag)
{
    uint32_t warps = spill->first_warp + cta->warp_count, id[3];
    enum byw_status st;

    if (spill->windows == NULL)
        return BYW_OK;
    st = add(spill, parser, cta, diag);
    if (st != BYW_OK)
        return st;
    memcpy(id, cta->id, sizeof(id));
    byw_cta_clear(cta);
    memcpy(cta->id, id, sizeof(id));
    while (cta->warp_count < warps) {
        if (byw_cta_add_warp(cta) == NULL)
            return BYW_ENOMEM;
    }
    cta->windows = spill->windows;
    *spill = (struct byw_spill){.windows = NULL};
    return BYW_OK;
}

void byw_spill_drop(struct byw_spill *spill)
{
    byw_windows_free(spill->windows);
    *spill = (struct byw_spill){.windows = NULL};
}
