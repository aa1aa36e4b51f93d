/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_trace_convert.h - any readable trace to another format.
 *
 *   bwt       a BWT1 file
 *   accelsim  a folder with kernelslist.g and kernel-N.traceg, tracer version 3, 4 or 5: 3 has no
 *             immediates.  Register names are made up such that each result is needed exactly where
 *             `use` says; runs are written out; scratchpad accesses without addresses get addresses
 *             of the same conflict degree.  Warps of 32 only.
 *   csv       one line per warp access
 *   oracle    libCacheSim's oracleGeneral: the requests of one SM's L1, in the order of
 *             byw_sm_stream.h, with the next request to the same line.  FORMAT.md has the layout.
 *             Needs 24 bytes of temporary disk space (tmpfile) per request, and memory for the
 *             distinct lines only.
 *
 * The output appears whole or not at all: on an error nothing is left behind, and an earlier
 * output file of the same name keeps its content.  A folder that already holds a kernelslist.g is
 * refused.
 */
#ifndef BYW_TRACE_CONVERT_H
#define BYW_TRACE_CONVERT_H

#include "common/byw_status.h"
#include "trace/byw_sm_stream.h"

/* Tracer versions of Accel-Sim's that can be written; older ones can only be read. */
#define BYW_TRACEG_OLDEST 3u
#define BYW_TRACEG_NEWEST 5u
#define BYW_TRACEG_IMMEDIATE 4u /* the first whose lines end in an immediate */

struct byw_trace;

struct byw_trace_convert_options {
    struct byw_sm_stream_options streams; /* oracle */
    uint32_t sm; /* oracle: which SM, from 0; below streams.sms */
    uint32_t tracer; /* accelsim: tracer version; 0: BYW_TRACEG_NEWEST */
};

/* Format names, NULL at the end; for help texts and "did you mean". */
const char *const *byw_trace_convert_formats(void);

/* Options may be NULL: SM 0 of the defaults of byw_sm_stream.h.  BYW_ENOENT: no such format.
 * BYW_EINVAL: an option is out of range.  The others are the reader's and the writer's. */
enum byw_status byw_trace_convert(const char *from, const char *to, const char *format,
                                  const struct byw_trace_convert_options *options,
                                  struct byw_diag *diag);

/* The single converters; they read `trace` from its current position. */
enum byw_status byw_trace_to_bwt(struct byw_trace *trace, const char *path, struct byw_diag *diag);
enum byw_status byw_trace_to_csv(struct byw_trace *trace, const char *path, struct byw_diag *diag);
enum byw_status byw_trace_to_accelsim(struct byw_trace *trace, const char *folder, uint32_t tracer,
                                      struct byw_diag *diag);
enum byw_status byw_trace_to_oracle(struct byw_trace *trace, const char *path,
                                    const struct byw_trace_convert_options *options,
                                    struct byw_diag *diag);

#endif
