/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_cta_set.h - which CTAs of a launch a reader has seen.
 *
 * CTAs nearly always come in rising order, which needs no memory; of those that come out of order a
 * block of 512 neighbours costs about a hundred bytes.
 */
#ifndef BYW_CTA_SET_H
#define BYW_CTA_SET_H

#include "trace/byw_bytes.h"

struct byw_cta_block;

/* Zeroed memory is a set that can be started and released. */
struct byw_cta_set {
    uint32_t grid[3];
    uint64_t before; /* all below it are in the set; x counts first */
    struct byw_intern numbers; /* of blocks with other members */
    struct byw_cta_block *block;
    uint32_t room;
};

/* An empty set for a grid of at most 2^48 CTAs; keeps its memory. */
void byw_cta_set_start(struct byw_cta_set *set, const uint32_t grid[3]);
void byw_cta_set_release(struct byw_cta_set *set);

/* Adds a CTA of the grid; *again: it was there.  false: memory is short. */
bool byw_cta_set_add(struct byw_cta_set *set, const uint32_t id[3], bool *again);

/* The first CTA that is not in the set; some must be missing. */
void byw_cta_set_missing(const struct byw_cta_set *set, uint32_t id[3]);

#endif
