/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_trace_bwt_write.h - private to the writer of BWT files: its state, shared by
 * byw_trace_bwt_write.c (launches and CTAs), byw_trace_bwt_block.c (blocks) and
 * byw_trace_bwt_seal.c (how an unfinished file can be ended).
 */
#ifndef BYW_TRACE_BWT_WRITE_H
#define BYW_TRACE_BWT_WRITE_H

#include "common/byw_file.h"
#include "trace/bwt/byw_trace_bwt.h"
#include "trace/bwt/byw_trace_bwt_press.h"
#include "trace/bwt/byw_trace_writer.h"
#include "trace/byw_trace_format.h"

struct byw_bwt_write_prefix {
    uint32_t code, sequence;
    struct byw_bytes raw;
};

/* A CTA whose last part has not arrived yet. */
struct byw_bwt_write_long {
    bool open;
    uint32_t id[3], warps;
};

struct byw_trace_writer {
    char *path;
    struct byw_file *file;
    struct byw_bwt_press *press;
    uint32_t sequence;
    bool in_kernel, first_block; /* first_block: no CTA block of this launch has been written yet */
    bool failed;
    struct byw_kernel kernel;
    struct byw_bwt_pack *pack;
    struct byw_bytes raw, stored, site_text;
    struct byw_intern sites; /* the distinct site tables, as bytes */
    uint64_t site_total;
    bool machine; /* the trace keeps machine code (version 3) */
    struct byw_intern machines; /* the distinct tables of machine code, as bytes */
    uint64_t machine_total;
    struct byw_bwt_write_prefix prefix[BYW_BWT_CODES_MAX];
    uint32_t prefix_count;
    uint64_t launches, ctas, records, instructions;
    uint64_t bytes; /* bytes written so far */
    uint64_t earlier_ctas; /* CTAs of the preceding launches */
    void (*sealed)(void *context, const struct byw_trace_seal *seal); /* may be NULL */
    void *seal_context;
    struct byw_bwt_write_long part; /* the current long CTA */
};

/* _fail and _no_memory set the diag and mark the writer as failed. */
enum byw_status byw_bwt_write_fail(struct byw_trace_writer *w, enum byw_status st, const char *what,
                                   struct byw_diag *diag);
enum byw_status byw_bwt_write_no_memory(struct byw_trace_writer *w, struct byw_diag *diag);

/* Writes w->raw as a block.  _records: uses the first block of the launch's code as the prefix, or
 * becomes that prefix.  So a kernel launched many times is described once. */
enum byw_status byw_bwt_write_block(struct byw_trace_writer *w, enum byw_bwt_block_type type,
                                    uint32_t items, const struct byw_bwt_write_prefix *prefix,
                                    struct byw_diag *diag);
enum byw_status byw_bwt_write_records(struct byw_trace_writer *w, enum byw_bwt_block_type type,
                                      uint32_t items, struct byw_diag *diag);

/* Reports through `sealed` how the file could be ended here. */
void byw_bwt_write_seal(const struct byw_trace_writer *w, bool complete);

#endif
