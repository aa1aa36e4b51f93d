/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_spill.h - a CTA of a text trace that may turn out too long for memory while it is read.  The
 * records read so far then move to windows (byw_trace_windows.h), part by part.
 *
 * The reader continues in the same struct byw_cta.  After each part it contains only the current
 * warp, without records.
 */
#ifndef BYW_SPILL_H
#define BYW_SPILL_H

#include "trace/accelsim/byw_traceg.h"
#include "trace/bwt/byw_trace_windows.h"
#include "trace/byw_trace_format.h"

#define BYW_SPILL_BYTES (4u << 20) /* approximate bytes of a part */

struct byw_spill {
    struct byw_windows *windows; /* NULL: nothing has been moved yet */
    uint32_t first_warp; /* number, within the CTA, of the first warp in memory */
};

/* Moves the records read so far to the windows; `parser` is reading the last of their warps. */
enum byw_status byw_spill_part(struct byw_spill *spill, struct byw_trace *trace,
                               const struct byw_kernel *kernel, struct byw_traceg *parser,
                               struct byw_cta *cta, struct byw_diag *diag);

/* byw_spill_part() if the records take more than BYW_SPILL_BYTES and the trace's user accepts
 * windows. */
static inline enum byw_status byw_spill(struct byw_spill *spill, struct byw_trace *trace,
                                        const struct byw_kernel *kernel, struct byw_traceg *parser,
                                        struct byw_cta *cta, struct byw_diag *diag)
{
    if (!trace->windows || byw_cta_bytes(cta) <= BYW_SPILL_BYTES)
        return BYW_OK;
    return byw_spill_part(spill, trace, kernel, parser, cta, diag);
}

/* The CTA has been read: if parts of it were moved, it becomes a CTA of windows. */
enum byw_status byw_spill_end(struct byw_spill *spill, struct byw_traceg *parser,
                              struct byw_cta *cta, struct byw_diag *diag);

/* Discards a CTA that could not be read completely. */
void byw_spill_drop(struct byw_spill *spill);

#endif
