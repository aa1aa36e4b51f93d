/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_trace_bwt_unpack.h - private to the unpacker of CTA blocks: its state, shared by
 * byw_trace_bwt_unpack.c (columns and records) and byw_trace_bwt_unpack_list.c (lists of
 * addresses).
 */
#ifndef BYW_TRACE_BWT_UNPACK_H
#define BYW_TRACE_BWT_UNPACK_H

#include "trace/bwt/byw_trace_bwt.h"
#include "trace/bwt/byw_trace_bwt_predict.h"

struct byw_bwt_unpack_shape {
    struct byw_inst inst; /* all fields except mask, base and list */
    uint32_t site;
    uint8_t scale;
};

struct byw_bwt_unpack_site {
    uint32_t pc;
    uint32_t pattern; /* pattern of its last list access that has one */
    uint32_t lanes; /* number of its lane record, or 0 */
    uint32_t salt; /* its salt, which selects its entries in the chain table */
    uint64_t last, step, copy; /* copy: as in the packer */
};

struct byw_bwt_unpack_pattern {
    size_t first; /* index of its first offset in offset[] */
    uint32_t lanes;
};

struct byw_bwt_unpack_path {
    const uint8_t *bit;
    uint32_t bits;
    uint32_t number; /* number of the path in the CTA `cta` */
    uint64_t cta;
};

struct byw_bwt_unpack {
    unsigned columns; /* number of columns in this version */
    uint64_t known; /* first code of a pattern seen before */
    bool chains; /* the chain table may be used */
    uint32_t warp_size, code, grid[3];
    uint64_t grid_ctas;
    uint64_t next_cta;
    uint32_t ctas_left;
    bool second_order;
    uint32_t site_count, shape_count, pattern_count;
    uint32_t pattern_seen; /* patterns introduced by a record so far */
    struct byw_cursor column[BYW_BWT_COL_COUNT];
    /* decoded tables, reused from block to block */
    struct byw_bwt_unpack_site *site;
    struct byw_bwt_unpack_shape *shape;
    struct byw_bwt_unpack_pattern *pattern;
    uint64_t *offset; /* distance of each lane's address from the first lane's, in scale units */
    size_t site_room, shape_room, pattern_room, offset_room;
    struct byw_bwt_tracks tracks;
    struct byw_bwt_recent recent; /* last loads of the current warp */
    struct byw_bwt_chain chain;
    struct byw_bwt_unpack_path *path;
    uint32_t path_count;
    size_t path_room;
    uint64_t cta_number; /* number of the current CTA, counted over all blocks */
};

/* Reads the first address of an access, coded against `reference`; false at the end of the
 * column. */
bool byw_bwt_unpack_base(struct byw_bwt_unpack *u, const struct byw_bwt_unpack_shape *shape,
                         uint64_t reference, uint64_t *base);

/* Reads the addresses of a list access into the CTA's pool. inst->mask must be set.  BYW_EFORMAT,
 * BYW_ENOMEM. */
enum byw_status byw_bwt_unpack_list(struct byw_bwt_unpack *u,
                                    const struct byw_bwt_unpack_shape *shape, struct byw_inst *inst,
                                    struct byw_cta *cta);

#endif
