/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_trace_windows.h - a CTA too long to be kept in memory: its warps' records, some at a time.
 *
 * A long CTA's records are cut into windows of one warp each, which are packed into an unnamed
 * temporary file ($TMPDIR, else /tmp).  Who walks through the warps at different speeds, as the
 * simulator does, keeps one window of each and asks for the next one when it comes to its end.  So
 * memory is bounded by the number of warps, whatever their length; a window besides those costs 16
 * bytes.
 */
#ifndef BYW_TRACE_WINDOWS_H
#define BYW_TRACE_WINDOWS_H

#include "common/byw_status.h"
#include "trace/byw_inst.h"

#define BYW_WINDOW_RECORDS 256u /* in a window at most ... */
#define BYW_WINDOW_BYTES (40u * 1024) /* ... and the memory they and their addresses take */
#define BYW_WINDOW_REST 16u /* records that may be left when the next window is asked for */
#define BYW_WINDOW_LONG (96u * 1024) /* a CTA with more for each of its warps is long */
#define BYW_PART_BYTES (24u << 20) /* of a CTA in parts, what a part takes at most */

static inline bool byw_cta_is_long(const struct byw_cta *cta)
{
    return byw_cta_bytes(cta) > (uint64_t)cta->warp_count * BYW_WINDOW_LONG;
}

/* The temporary file of a trace, which all its long CTAs share.  Of the functions below, _next may
 * be called by several threads, for different warps, and _free by one of them, while the others
 * run. */
struct byw_window_file;

enum byw_status byw_window_file_open(struct byw_window_file **file, struct byw_diag *diag);
void byw_window_file_close(struct byw_window_file *file); /* NULL is allowed */

struct byw_windows;

/* Of a CTA of so many warps; NULL: memory is short.  The file must outlive it. */
struct byw_windows *byw_windows_create(struct byw_window_file *file,
                                       const struct byw_kernel *kernel, uint32_t warps);
void byw_windows_free(struct byw_windows *windows); /* NULL is allowed */

/* Appends to the warps from first_warp on what the part holds of them. */
enum byw_status byw_windows_add(struct byw_windows *windows, const struct byw_cta *part,
                                uint32_t first_warp, struct byw_diag *diag);

/* Record number `record` of a warp, added before, is needed `use` instructions later, unless it was
 * earlier already. */
enum byw_status byw_windows_use(struct byw_windows *windows, uint32_t warp, uint32_t record,
                                uint32_t use, struct byw_diag *diag);

/* Brings the next window of a warp into `window` (one warp), after the last `left` (up to
 * BYW_WINDOW_REST) records that it holds.  *more: there is another one.  After the last one, and
 * on an error, window is left with these records. */
enum byw_status byw_windows_next(struct byw_windows *windows, uint32_t warp, uint32_t left,
                                 struct byw_cta *window, bool *more, struct byw_diag *diag);

#endif
