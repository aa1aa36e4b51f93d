/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_trace.h - reading traces. Writing them: trace/bwt/byw_trace_writer.h.
 *
 * Reader: byw_trace_open() accepts a .bwt file, an Accel-Sim kernelslist.g, its folder, or one
 * .traceg file, each plain, .xz or .zst.  The format is detected from the content.  Then:
 *
 *     while (byw_trace_next_kernel(t, &kernel, diag) == BYW_OK)
 *         while (byw_trace_next_cta(t, &cta, diag) == BYW_OK)
 *             use(kernel, &cta);
 *
 * Both return BYW_END when there is no more, and another status on an error (diag says which file,
 * where in it, and what was expected).  Reading streams: memory does not grow with the length of
 * the trace.
 */
#ifndef BYW_TRACE_H
#define BYW_TRACE_H

#include "common/byw_status.h"
#include "trace/byw_inst.h"

struct byw_trace;

enum byw_status byw_trace_open(const char *path, struct byw_trace **trace, struct byw_diag *diag);
void byw_trace_close(struct byw_trace *trace);

/* Short name of the format read: "bwt1", "accelsim". */
const char *byw_trace_format(const struct byw_trace *trace);

void byw_trace_get_note(const struct byw_trace *trace, struct byw_trace_note *note);

/* The next launch; skips the rest of the current one.  The record is valid until the next call of
 * this function. */
enum byw_status byw_trace_next_kernel(struct byw_trace *trace, const struct byw_kernel **kernel,
                                      struct byw_diag *diag);

/* Reads the next CTA of the current launch into an initialized `cta`, whose old content is
 * discarded. */
enum byw_status byw_trace_next_cta(struct byw_trace *trace, struct byw_cta *cta,
                                   struct byw_diag *diag);

/* Skips the next `count` CTAs of the current launch.  This is cheaper than reading them if whole
 * blocks of the file need no decoding (such blocks are not checked either).  BYW_END: the launch
 * has fewer CTAs. */
enum byw_status byw_trace_pass_ctas(struct byw_trace *trace, uint64_t count, struct byw_diag *diag);

/* Whether the file's format can hold machine code; the file may contain none. */
bool byw_trace_keeps_machine(const struct byw_trace *trace);

/* From now on, CTAs of launches with machine code whose warps' walks are known are delivered as
 * machine instructions (byw_cta.machine), others as before.  Call it before byw_trace_ahead() and
 * byw_trace_kept(): a CTA that is already split into windows stays PTX. */
void byw_trace_use_machine(struct byw_trace *trace);

/* From now on a long CTA is delivered as windows (byw_trace_windows.h): bounded memory for users
 * that can process windows.  All windows must be freed before the trace is closed. */
void byw_trace_use_windows(struct byw_trace *trace);

#endif
