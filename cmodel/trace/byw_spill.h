/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_spill.h - a CTA of a text trace, which may turn out too long for memory while it is read:
 * what has been read of it then goes to windows (byw_trace_windows.h), part by part.
 *
 * The reader goes on in the same struct byw_cta, which after each part has the warp in hand only,
 * without records.
 */
#ifndef BYW_SPILL_H
#define BYW_SPILL_H

#include "trace/byw_trace_format.h"
#include "trace/byw_trace_windows.h"
#include "trace/byw_traceg.h"

#define BYW_SPILL_BYTES (4u << 20) /* what a part takes, about */

struct byw_spill {
    struct byw_windows *windows; /* NULL: nothing has gone yet */
    uint32_t first_warp; /* of the CTA: the first one of what is in memory */
};

/* Moves what has been read to the windows, by the warps of which `parser` reads the last. */
enum byw_status byw_spill_part(struct byw_spill *spill, struct byw_trace *trace,
                               const struct byw_kernel *kernel, struct byw_traceg *parser,
                               struct byw_cta *cta, struct byw_diag *diag);

/* The same if it has become too much and the trace's user takes windows. */
static inline enum byw_status byw_spill(struct byw_spill *spill, struct byw_trace *trace,
                                        const struct byw_kernel *kernel, struct byw_traceg *parser,
                                        struct byw_cta *cta, struct byw_diag *diag)
{
    if (!trace->windows || byw_cta_bytes(cta) <= BYW_SPILL_BYTES)
        return BYW_OK;
    return byw_spill_part(spill, trace, kernel, parser, cta, diag);
}

/* The CTA is read: it becomes one of windows if parts of it have gone. */
enum byw_status byw_spill_end(struct byw_spill *spill, struct byw_traceg *parser,
                              struct byw_cta *cta, struct byw_diag *diag);

/* Forgets a CTA that could not be read to its end. */
void byw_spill_drop(struct byw_spill *spill);

#endif
