/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_trace_ahead.h - decodes a trace in a separate thread, ahead of the reader.
 *
 * The output and its order are the same.  The thread runs ahead by at most BYW_AHEAD_CTAS CTAs and,
 * beyond one CTA, by BYW_AHEAD_BYTES of decoded instructions, so memory does not grow with the
 * trace.  When it reaches the limit, it rests until half of the CTAs have been taken.  It starts
 * decoding a launch's CTAs when the first of them is requested, so a damaged launch that is skipped
 * causes no error.
 */
#ifndef BYW_TRACE_AHEAD_H
#define BYW_TRACE_AHEAD_H

#include "trace/file/byw_trace.h"

#define BYW_AHEAD_CTAS 64
#define BYW_AHEAD_BYTES ((uint64_t)8 << 20)

/* Takes ownership of a trace of which nothing has been read yet and returns the trace to read
 * instead.  If no thread can be started, that is the trace itself. */
struct byw_trace *byw_trace_ahead(struct byw_trace *trace);

#endif
