/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_trace_kept.h - keeps a decoded text trace in the cache (common/byw_cache.h), so that the text
 * is decoded only once.
 *
 * While an Accel-Sim trace is read for the first time, it is also written as BWT1 to SUM.kept.bwt,
 * and a line of checksums to SUM.kept. Later runs read these files instead, which takes an eighth
 * of the decoder's work. Launches, notes and the format's name are those of the text.
 *
 * The copy is used only if its line identifies this build of byway, the names and contents of all
 * files of the text trace, and the contents of the BWT1 file; the checksums (128 bits of XXH3) are
 * computed whenever the trace is opened. Otherwise the text is read and a new copy is written. If
 * no file can be written (a full disk, or somebody else's folder), there is no copy and no message.
 * There is no copy either if the trace is not read to its end, if parts of it are skipped, or if a
 * CTA comes as windows.
 *
 * BYWAY_KEPT in the environment: `off` disables reading and writing; a folder: used instead of the
 * cache, without a size limit.
 */
#ifndef BYW_TRACE_KEPT_H
#define BYW_TRACE_KEPT_H

#include "trace/file/byw_trace.h"

/* The endings of the two files.  Versions up to 0.1 wrote LIST.kept next to the text, so a
 * folder's checksum (byw_trace_sum.h) leaves these files out. */
#define BYW_KEPT_LINE ".kept"
#define BYW_KEPT_DATA ".kept.bwt"

/* Takes ownership of a trace that has not been read from, and returns the trace to read instead.
 * build: identifies the decoding code. */
struct byw_trace *byw_trace_kept(struct byw_trace *trace, const char *build);

#endif
