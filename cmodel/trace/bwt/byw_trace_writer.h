/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_trace_writer.h - writing traces, as BWT1.
 *
 * _create, then for each launch _kernel followed by its CTAs in grid order (x fastest),
 * then _finish, which renames the temporary file.  _abandon removes it.
 */
#ifndef BYW_TRACE_WRITER_H
#define BYW_TRACE_WRITER_H

#include "common/byw_status.h"
#include "trace/byw_inst.h"

struct byw_trace_writer;

/* Writes BWT1 to path. level: zstd level; 0: the default. */
enum byw_status byw_trace_create(const char *path, int level, struct byw_trace_writer **writer,
                                 struct byw_diag *diag);
/* byw_trace_create() for a trace that keeps machine code: a launch's table and its warps' walks. */
enum byw_status byw_trace_create_machine(const char *path, int level,
                                         struct byw_trace_writer **writer, struct byw_diag *diag);
enum byw_status byw_trace_kernel(struct byw_trace_writer *writer, const struct byw_kernel *kernel,
                                 struct byw_diag *diag);
enum byw_status byw_trace_cta(struct byw_trace_writer *writer, const struct byw_cta *cta,
                              struct byw_diag *diag);
/* Writes a part of a CTA that is too long for memory: records of the warps from first_warp on, in
 * the order of a CTA, out of `warps` in total; the parts of a warp come in order.  `last`: the CTA
 * ends with this part; a CTA without a last part ends where it is.  All parts of a CTA are
 * consecutive and have its id. */
enum byw_status byw_trace_cta_part(struct byw_trace_writer *writer, const struct byw_cta *part,
                                   uint32_t first_warp, uint32_t warps, bool last,
                                   struct byw_diag *diag);

/* How another process can end an unfinished file: truncate it to `bytes` and append `end`.  The
 * file is then a valid trace of what has been written.  complete: _flush said that the last launch
 * has all its CTAs. */
enum { BYW_TRACE_END_BYTES = 68 };
struct byw_trace_seal {
    uint64_t bytes, launches, ctas, last_ctas; /* last_ctas: of the last launch */
    unsigned char end[BYW_TRACE_END_BYTES];
    bool complete;
};

/* From now on `sealed` is called each time the way to end the file changes: after each block of
 * CTAs, in the thread that calls the writer, and by _flush. _flush writes everything passed to the
 * writer so far; call it at the end of a launch, complete or not. The bytes of the trace do not
 * depend on these calls. */
void byw_trace_on_seal(struct byw_trace_writer *writer,
                       void (*sealed)(void *context, const struct byw_trace_seal *seal),
                       void *context);
enum byw_status byw_trace_flush(struct byw_trace_writer *writer, bool complete,
                                struct byw_diag *diag);

/* Descriptor of the file, for the process that will end it; -1 if it is not a regular file. */
int byw_trace_descriptor(const struct byw_trace_writer *writer);

/* Ends a trace that another process has written into descriptor fd and puts it at path. */
enum byw_status byw_trace_end_at(int fd, const struct byw_trace_seal *seal, const char *path,
                                 struct byw_diag *diag);

enum byw_status byw_trace_finish(struct byw_trace_writer *writer, struct byw_diag *diag);
void byw_trace_abandon(struct byw_trace_writer *writer);

#endif
