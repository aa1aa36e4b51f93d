/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_trace_kept.h - keeps a decoded text trace in the cache (common/byw_cache.h), so that it is
 * decoded once.
 *
 * When an Accel-Sim trace is first read to its end, it is also written as BWT1 to SUM.kept.bwt,
 * with a line of checksums to SUM.kept; later ones read these: an eighth of the decoder's work.
 * Launches, notes and the format's name equal those of the text.
 *
 * What is kept counts only if its line names this build of byway, the names and contents of all
 * files of the text trace, and the contents of the BWT1 file: the checksums of all of them are
 * taken at each opening (128 bits of XXH3).  Else the text is read, and kept anew.  Where nothing
 * can be written (a full disk, a folder of another) nothing is said and nothing is kept; nor of a
 * trace that is not read to its end, of parts of it that are passed over, or of a CTA that comes as
 * windows.
 *
 * BYWAY_KEPT in the environment: `off` neither reads nor writes; a folder: there, without a
 * limit.
 */
#ifndef BYW_TRACE_KEPT_H
#define BYW_TRACE_KEPT_H

#include "trace/byw_trace.h"

/* The endings of the two files.  Versions up to 0.1 wrote LIST.kept next to the text: a
 * folder's checksum (byw_trace_sum.h) leaves them out. */
#define BYW_KEPT_LINE ".kept"
#define BYW_KEPT_DATA ".kept.bwt"

/* Takes ownership of a trace that has not been read from, and returns the trace to read
 * instead. build: names the code that decodes. */
struct byw_trace *byw_trace_kept(struct byw_trace *trace, const char *build);

#endif
