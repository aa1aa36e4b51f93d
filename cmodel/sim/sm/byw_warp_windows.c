/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_warp_windows.c - Warps of long CTAs, whose records are available only in windows.
 */
#include <stdlib.h>

#include "sim/sm/byw_warps.h"
#include "trace/bwt/byw_trace_windows.h"

/* Loads the next window; its first `left` records are the last ones of the old window.  *more:
 * further windows exist. */
static void next(struct byw_warps *warps, struct byw_warp_window *window, uint32_t left, bool *more)
{
    struct byw_diag diag;
    enum byw_status st =
        byw_windows_next(window->from, window->number, left, &window->cta, more, &diag);

    if (st != BYW_OK && warps->status == BYW_OK) {
        warps->status = st;
        warps->diag = diag;
    }
}

void byw_warps_place_windowed(struct byw_warps *warps, uint32_t slot, struct byw_windows *windows,
                              uint32_t number, uint32_t cta_slot)
{
    static const struct byw_cta none = {.inst = NULL};
    struct byw_warp_trace trace = {.first = 0};
    const struct byw_cta *cta = &none;
    bool more = false;

    if (warps->window == NULL)
        warps->window = calloc(BYW_WARP_SLOTS, sizeof(*warps->window));
    if (warps->window == NULL) {
        warps->status =
            byw_diag_set(&warps->diag, BYW_ENOMEM, "out of memory while reading the trace");
    } else {
        struct byw_warp_window *window = &warps->window[slot];

        window->from = windows;
        window->number = number;
        next(warps, window, 0, &more);
        trace.count = window->cta.inst_count;
        cta = &window->cta;
    }
    byw_warps_place(warps, slot, cta, &trace, cta_slot);
    warps->warp[slot].windowed = true;
    warps->warp[slot].low = more && trace.count > BYW_WINDOW_REST ? BYW_WINDOW_REST : 0;
    if (more && trace.count <= BYW_WINDOW_REST)
        byw_warps_take_window(warps, slot);
}

void byw_warps_take_window(struct byw_warps *warps, uint32_t w)
{
    struct byw_warp_window *window = &warps->window[w];
    struct byw_warp *warp = &warps->warp[w];
    bool more = true;

    /* A window may be shorter than the required number of records. */
    while (more && warp->records <= BYW_WINDOW_REST) {
        next(warps, window, warp->records, &more);
        warp->records = window->cta.inst_count;
    }
    warp->inst = window->cta.inst;
    warp->low = more ? BYW_WINDOW_REST : 0;
}

void byw_warps_release_windows(struct byw_warps *warps)
{
    for (uint32_t w = 0; warps->window != NULL && w < BYW_WARP_SLOTS; w++)
        byw_cta_release(&warps->window[w].cta);
    free(warps->window);
    warps->window = NULL;
}
