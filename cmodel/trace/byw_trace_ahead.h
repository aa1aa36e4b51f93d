/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_trace_ahead.h - decodes a trace in its own thread, ahead of the reader.
 *
 * What comes out is the same, in the same order.  The thread runs ahead by at most BYW_AHEAD_CTAS
 * CTAs and, beyond one CTA, BYW_AHEAD_BYTES of decoded instructions, so memory does not grow with
 * the trace; from there it rests until half of the CTAs are taken.  It begins with a launch's CTAs
 * when the first of them is asked for: a damaged launch that is passed over does no harm.
 */
#ifndef BYW_TRACE_AHEAD_H
#define BYW_TRACE_AHEAD_H

#include "trace/byw_trace.h"

#define BYW_AHEAD_CTAS 64
#define BYW_AHEAD_BYTES ((uint64_t)8 << 20)

/* Takes over a trace of which nothing was read yet and returns what is to be read in its place;
 * where no thread can be had, that is the trace itself. */
struct byw_trace *byw_trace_ahead(struct byw_trace *trace);

#endif
