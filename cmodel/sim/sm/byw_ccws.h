/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_ccws.h - cache-conscious wavefront scheduling (Rogers, O'Connor, Aamodt, MICRO 2012;
 * mechanisms/baselines.md 2.6): warps that lose locality to others get the cache to themselves for
 * a while.
 *
 * Each warp has a victim tag array of lines that it fetched and that were evicted.  A load that
 * misses and finds its line there has lost locality.  The warp's score is then set to hits /
 * instructions * k * cutoff, where the cutoff is the base score times the number of active warps.
 * It falls by one per cycle down to the base score.  Warps are ranked by score.  Warps beyond the
 * point at which the scores sum to the cutoff may not issue loads.
 *
 * The content of the cache is modeled here by tags with the L1D's geometry and LRU, updated by the
 * loads that the L1D accepts.  So the scheduler sees the locality that a plain cache would have,
 * whatever the bypass policy does.
 */
#ifndef BYW_CCWS_H
#define BYW_CCWS_H

#include "common/byw_config.h"
#include "sim/sm/byw_throttle.h"

struct byw_ccws_line {
    uint64_t tag; /* line + 1; 0: invalid */
    uint64_t used; /* access number of the last use */
    uint8_t owner; /* warp that fetched the line */
};

struct byw_ccws {
    uint32_t sets, ways, victims; /* victims: entries of a warp's victim tag array */
    uint32_t base, k;
    uint64_t accesses;
    uint64_t hits; /* hits in victim tag arrays */
    uint64_t quiet; /* cycle from which on every score is the base score */
    uint64_t until[BYW_WARP_SLOTS]; /* cycle in which the warp's score reaches the base score */
    struct byw_ccws_line *line; /* sets x ways */
    struct byw_ccws_line *victim; /* BYW_WARP_SLOTS x victims */
};

extern const struct byw_throttle_ops byw_throttle_ccws;

enum byw_status byw_ccws_init(struct byw_ccws *ccws, const struct byw_config *config);
void byw_ccws_release(struct byw_ccws *ccws);

/* _clear: a launch begins and the L1D is empty.  _place: a new warp takes slot w and has lost
 * nothing yet. */
void byw_ccws_clear(struct byw_ccws *ccws);
void byw_ccws_place(struct byw_ccws *ccws, uint32_t w);

/* The L1D accepted a load of warp w in cycle `now`.  `instructions`: issued by this SM so far;
 * `active`: running warps. */
void byw_ccws_load(struct byw_ccws *ccws, uint32_t w, uint64_t line, uint64_t now,
                   uint64_t instructions, uint32_t active);

/* Score of warp w in cycle `now`. */
uint64_t byw_ccws_score(const struct byw_ccws *ccws, uint32_t w, uint64_t now);

/* The warps of `active` that may issue loads in cycle `now`.  The highest-ranked warp always
 * may. */
uint64_t byw_ccws_permitted(const struct byw_ccws *ccws, uint64_t active, uint64_t now);

#endif
