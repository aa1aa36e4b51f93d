/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_trace_windows.h - a CTA that is too long for memory: its warps' records are available in
 * windows.
 *
 * A long CTA's records are split into windows of one warp each, which are packed into an unnamed
 * temporary file ($TMPDIR, else /tmp).  A user that walks through the warps at different speeds,
 * like the simulator, keeps one window of each warp and requests the next one when it reaches the
 * end.  So memory is bounded by the number of warps, not by their length.  Each further window
 * costs 16 bytes.
 */
#ifndef BYW_TRACE_WINDOWS_H
#define BYW_TRACE_WINDOWS_H

#include "common/byw_status.h"
#include "trace/byw_inst.h"

#define BYW_WINDOW_RECORDS 256u /* most records in a window */
#define BYW_WINDOW_BYTES (40u * 1024) /* most bytes of a window's records and their addresses */
#define BYW_WINDOW_REST 16u /* most records that may be left when the next window is requested */
#define BYW_WINDOW_LONG (96u * 1024) /* a CTA with more bytes per warp is long */
#define BYW_PART_BYTES (24u << 20) /* most bytes of a part of a CTA in parts */

static inline bool byw_cta_is_long(const struct byw_cta *cta)
{
    return byw_cta_bytes(cta) > (uint64_t)cta->warp_count * BYW_WINDOW_LONG;
}

/* The temporary file of a trace, shared by all its long CTAs. Several threads may call _next below
 * at the same time for different warps, and one of them may call _free meanwhile. */
struct byw_window_file;

void byw_window_file_close(struct byw_window_file *file); /* accepts NULL */

struct byw_windows;

/* Turns an empty CTA of `warps` warps, whose id is set, into a CTA of windows.  *file: opened if it
 * is NULL; it must outlive the CTA. */
enum byw_status byw_windows_begin(struct byw_window_file **file, const struct byw_kernel *kernel,
                                  uint32_t warps, struct byw_cta *cta, struct byw_diag *diag);
void byw_windows_free(struct byw_windows *windows); /* accepts NULL */

/* Appends the part's records to the warps from first_warp on. */
enum byw_status byw_windows_add(struct byw_windows *windows, const struct byw_cta *part,
                                uint32_t first_warp, struct byw_diag *diag);

/* Record number `record` of a warp, which has been added, is first needed `use` instructions later;
 * ignored if an earlier use is known. */
enum byw_status byw_windows_use(struct byw_windows *windows, uint32_t warp, uint32_t record,
                                uint32_t use, struct byw_diag *diag);

/* Loads the next window of a warp into `window` (one warp), after the last `left` (up to
 * BYW_WINDOW_REST) records that it contains.  *more: there is another one.  After the last window,
 * and on an error, `window` keeps these records. */
enum byw_status byw_windows_next(struct byw_windows *windows, uint32_t warp, uint32_t left,
                                 struct byw_cta *window, bool *more, struct byw_diag *diag);

#endif
