/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_trace_bwt_pack.h - private to the packer of CTA blocks: its state, shared by
 * byw_trace_bwt_pack.c (records and columns) and byw_trace_bwt_pack_list.c (lists of addresses).
 */
#ifndef BYW_TRACE_BWT_PACK_H
#define BYW_TRACE_BWT_PACK_H

#include "trace/bwt/byw_trace_bwt.h"
#include "trace/bwt/byw_trace_bwt_predict.h"

/* One access, kept until the block is closed.  Only then is it known which of two predictors codes
 * the addresses in fewer bytes. */
struct byw_bwt_access {
    uint64_t base;
    uint64_t reference; /* the address on which the prediction is based */
    uint32_t site;
    uint8_t scale;
};

/* The fields that, with its site, determine a record's shape. */
struct byw_bwt_shape_key {
    uint32_t count, use;
    int32_t stride; /* 0 if the form has no stride */
    uint8_t cls, form, width, degree, scale;
};

struct byw_bwt_pack_site {
    uint64_t last; /* base of its last access */
    uint64_t copy; /* first unit of its last list access minus its lane's load index */
    uint32_t pattern; /* pattern of its last list access that has one */
    uint32_t lanes; /* number of its lane record, or 0 */
    uint32_t shape; /* number of its last record + 1, or 0 */
    uint32_t salt; /* its salt, which selects its entries in the chain table */
    struct byw_bwt_shape_key key; /* the key of that shape */
};

/* Sites by pc, so that most records find theirs without hashing bytes. */
#define BYW_BWT_SITE_SLOTS 1024u
struct byw_bwt_site_slot {
    uint32_t pc, site; /* site: number + 1, or 0 */
};

struct byw_bwt_pack {
    uint32_t warp_size, code, grid[3];
    uint64_t next_cta; /* expected linear index of the next CTA */
    uint32_t ctas;
    struct byw_intern site, shape, pattern;
    struct byw_bwt_pack_site *state; /* state of each site */
    size_t state_room;
    struct byw_bwt_site_slot slot[BYW_BWT_SITE_SLOTS];
    struct byw_bwt_tracks tracks;
    struct byw_bwt_recent recent; /* last loads of the current warp */
    bool chains; /* the chain table may be used */
    struct byw_bwt_chain chain;
    struct byw_bytes access; /* array of struct byw_bwt_access */
    struct byw_bytes column[BYW_BWT_COL_COUNT];
    struct byw_bytes shape_text;
    unsigned columns; /* number of columns in this version */
    struct byw_intern path;
    struct byw_bytes path_text;
};

/* Codes the lanes' addresses of a list access.  On entry `access` has its site and scale; base and
 * reference are filled in.  *based: its base must be coded, too.  False if out of memory. */
bool byw_bwt_pack_list(struct byw_bwt_pack *pack, const struct byw_cta *cta,
                       const struct byw_inst *inst, struct byw_bwt_access *access, bool *based);

#endif
