/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_trace_convert.h - converts any readable trace to another format.
 *
 *   bwt       a BWT1 file
 *   accelsim  a folder with kernelslist.g and kernel-N.traceg, tracer version 3, 4 or 5 (version 3
 *             has no immediates).  Register names are chosen so that each result is needed exactly
 *             where `use` says.  Runs are expanded.  Scratchpad accesses without addresses get
 *             addresses of the same conflict degree.  Only warps of 32.
 *   csv       one line per warp access
 *   oracle    libCacheSim's oracleGeneral: the requests of one SM's L1, in the order of
 *             byw_sm_stream.h, with the next request to the same line.  FORMAT.md has the layout.
 *             Needs 24 bytes of temporary disk space (tmpfile) per request, and memory for the
 *             distinct lines only.
 *
 * The output appears complete or not at all: after an error nothing is left behind, and an existing
 * output file keeps its content.  A folder that already contains a kernelslist.g is rejected.
 */
#ifndef BYW_TRACE_CONVERT_H
#define BYW_TRACE_CONVERT_H

#include "common/byw_status.h"
#include "trace/stats/byw_sm_stream.h"

/* Accel-Sim tracer versions that can be written; older ones can only be read. */
#define BYW_TRACEG_OLDEST 3u
#define BYW_TRACEG_NEWEST 5u
#define BYW_TRACEG_IMMEDIATE 4u /* the first version whose lines end in an immediate */

struct byw_trace;

struct byw_trace_convert_options {
    struct byw_sm_stream_options streams; /* oracle: how CTAs are assigned to SMs */
    uint32_t sm; /* oracle: the SM, from 0; below streams.sms */
    uint32_t tracer; /* accelsim: tracer version; 0: BYW_TRACEG_NEWEST */
};

/* Format names, NULL-terminated; for help texts and "did you mean". */
const char *const *byw_trace_convert_formats(void);

/* Options may be NULL: SM 0 with the defaults of byw_sm_stream.h.  BYW_ENOENT: unknown format.
 * BYW_EINVAL: an option is out of range.  Other errors are those of the reader and the writer. */
enum byw_status byw_trace_convert(const char *from, const char *to, const char *format,
                                  const struct byw_trace_convert_options *options,
                                  struct byw_diag *diag);

/* The individual converters.  They read `trace` from its current position. */
enum byw_status byw_trace_to_bwt(struct byw_trace *trace, const char *path, struct byw_diag *diag);
enum byw_status byw_trace_to_csv(struct byw_trace *trace, const char *path, struct byw_diag *diag);
enum byw_status byw_trace_to_accelsim(struct byw_trace *trace, const char *folder, uint32_t tracer,
                                      struct byw_diag *diag);
enum byw_status byw_trace_to_oracle(struct byw_trace *trace, const char *path,
                                    const struct byw_trace_convert_options *options,
                                    struct byw_diag *diag);

#endif
