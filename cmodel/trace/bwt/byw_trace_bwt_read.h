/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_trace_bwt_read.h - private to the reader of BWT files: its state, shared by byw_trace_bwt.c
 * (blocks and CTAs), byw_trace_bwt_kernel.c (launches) and byw_trace_bwt_part.c (CTAs in parts).
 */
#ifndef BYW_TRACE_BWT_READ_H
#define BYW_TRACE_BWT_READ_H

#include <zstd.h>

#include "trace/bwt/byw_trace_bwt.h"
#include "trace/bwt/byw_trace_format.h"
#include "trace/bwt/byw_trace_windows.h"

struct byw_bwt_prefix {
    uint32_t code, sequence;
    struct byw_bytes raw;
};

struct byw_bwt_site_table {
    struct byw_site *site;
    uint32_t count;
};

struct byw_bwt {
    struct byw_trace trace;
    struct byw_source *source;
    uint32_t version;
    uint64_t at; /* position of the current block in the decompressed file */
    uint64_t next_at;
    uint32_t sequence;
    bool in_kernel, first_block, ended, skipped;
    bool have_block; /* `block` has been read, its content has not */
    struct byw_bwt_block block;
    struct byw_kernel kernel;
    ZSTD_DCtx *zstd;
    struct byw_bytes stored, raw;
    struct byw_bwt_unpack *unpack;
    bool unpacking;
    struct byw_cta scratch; /* CTAs that are skipped, parts */
    bool in_part; /* the last part of a long CTA is missing so far */
    struct byw_bwt_site_table *table;
    uint32_t table_count, table_room, site_total;
    struct byw_bwt_prefix prefix[BYW_BWT_CODES_MAX];
    uint32_t prefix_count;
    uint64_t launches, ctas, records, instructions;
};

/* Sets the diag and returns BYW_EFORMAT. */
enum byw_status byw_bwt_malformed(const struct byw_bwt *t, const char *what, struct byw_diag *diag);

/* _next_block: reads the next block's header into t->block.  _load_block: loads the content of the
 * current block into t->raw. */
enum byw_status byw_bwt_next_block(struct byw_bwt *t, struct byw_diag *diag);
enum byw_status byw_bwt_load_block(struct byw_bwt *t, struct byw_diag *diag);

/* Reads the current K block. */
enum byw_status byw_bwt_read_kernel(struct byw_bwt *t, struct byw_diag *diag);

/* Starts on the current C or P block, of which only the header has been read.  For a P block *part
 * is filled in. */
struct byw_bwt_part {
    uint32_t first_warp, warps;
    bool last;
};
enum byw_status byw_bwt_start_records(struct byw_bwt *t, struct byw_bwt_part *part,
                                      struct byw_diag *diag);
/* The next CTA of the started block; BYW_END after the last one. */
enum byw_status byw_bwt_next_record(struct byw_bwt *t, struct byw_cta *cta, struct byw_diag *diag);

/* Reads the long CTA whose first P block is the current one: as windows if the trace delivers them,
 * else whole. */
enum byw_status byw_bwt_read_parts(struct byw_bwt *t, struct byw_cta *cta, struct byw_diag *diag);

#endif
