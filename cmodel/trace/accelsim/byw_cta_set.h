/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_cta_set.h - the set of CTAs of a launch that a reader has seen.
 *
 * CTAs nearly always arrive in ascending order, which needs no memory.  For CTAs out of order, a
 * block of 512 neighbors takes about a hundred bytes.
 */
#ifndef BYW_CTA_SET_H
#define BYW_CTA_SET_H

#include "trace/byw_bytes.h"

struct byw_cta_block;

/* A zeroed struct may be passed to _start and _release. */
struct byw_cta_set {
    uint32_t grid[3];
    uint64_t before; /* all CTAs below it are in the set; x counts first */
    struct byw_intern numbers; /* numbers of blocks with other members */
    struct byw_cta_block *block;
    size_t room;
};

/* Starts an empty set for a grid of at most 2^48 CTAs; reuses its memory. */
void byw_cta_set_start(struct byw_cta_set *set, const uint32_t grid[3]);
void byw_cta_set_release(struct byw_cta_set *set);

/* Adds a CTA of the grid; *again: it was already in the set.  False if out of memory. */
bool byw_cta_set_add(struct byw_cta_set *set, const uint32_t id[3], bool *again);

/* The first CTA that is not in the set; at least one must be missing. */
void byw_cta_set_missing(const struct byw_cta_set *set, uint32_t id[3]);

#endif
