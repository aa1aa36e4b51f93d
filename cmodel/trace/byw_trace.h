/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_trace.h - reading and writing traces.
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
 *
 * Writer: _create, then for each launch _kernel followed by its CTAs in grid order (x fastest),
 * then _finish, which renames the temporary file.  _abandon removes it.
 */
#ifndef BYW_TRACE_H
#define BYW_TRACE_H

#include "common/byw_status.h"
#include "trace/byw_inst.h"

struct byw_trace;
struct byw_trace_writer;

enum byw_status byw_trace_open(const char *path, struct byw_trace **trace, struct byw_diag *diag);
void byw_trace_close(struct byw_trace *trace);

/* Short name of the format read: "bwt1", "accelsim". */
const char *byw_trace_format(const struct byw_trace *trace);

/* Facts about a trace that are not errors but that a user may want to know.  Counts cover
 * everything read so far. */
struct byw_trace_note {
    uint64_t unknown_opcodes; /* instructions with an unknown opcode; they count as int */
    char first_opcode[32]; /* the first of them */
    uint64_t file_bytes; /* bytes on disk of the files opened so far */
};
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

/* From now on a long CTA is delivered as windows (byw_trace_windows.h): bounded memory for users
 * that can process windows.  All windows must be freed before the trace is closed. */
void byw_trace_use_windows(struct byw_trace *trace);

/* Writes BWT1 to path. level: zstd level; 0: the default. */
enum byw_status byw_trace_create(const char *path, int level, struct byw_trace_writer **writer,
                                 struct byw_diag *diag);
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

/* How to end the file as it is now: cut it after `bytes` and append `end`; it is then a sound trace
 * of what has been written.  complete: its last launch has all its CTAs, according to _flush. */
enum { BYW_TRACE_END_BYTES = 68 };
struct byw_trace_seal {
    uint64_t bytes, launches, ctas, last_ctas; /* last_ctas: of the last launch */
    unsigned char end[BYW_TRACE_END_BYTES];
    bool complete;
};

/* From now on, `sealed` is called with how to end the file, each time that changes: after a block
 * of CTAs, by the thread that calls the writer, and by _flush. _flush writes everything passed to
 * the writer so far; call it at the end of a launch, complete or not. The bytes of the trace do not
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
