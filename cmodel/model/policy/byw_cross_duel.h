/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_cross_duel.h - crossover dueling: byway's own comparison of the filter with the plain cache
 * (duel.rule = crossover; mechanisms/sm_duel.md 1.5.1).  C twin of rtl/policy/byw_cross_duel.v.
 *
 * A sample consists of two halves of `settle` + `interval` cycles; the first `settle` cycles of a
 * half do not count.  The two leaders are the two lowest-numbered SMs that accepted a load since
 * the previous sample began; if no SM did, they stay.  In the first half leader 0 filters and
 * leader 1 does not, in the second half they swap roles.  All other SMs follow the decision.  Loads
 * and hits are added up by side (filter or cache), not by SM. So a leader that is idle, or that
 * runs other work than its rival, affects both sides alike, and a single busy SM is compared with
 * itself. A hit is an accepted load that neither misses nor bypasses.
 *
 * The vote at the end of a sample, by the first rule that applies:
 *   none     both sides together accepted fewer than `min_loads` loads
 *   against  100 (hits_cache - hits_filter - noise) > margin_pct loads_cache
 *   for      100 (loads_filter - loads_cache - 2 noise) > speedup_pct loads_cache
 *   against  otherwise: a tie restores the cache
 * A vote against the decision increments a count, a vote that confirms it decrements the count down
 * to 0.  When the count reaches 2 `hysteresis`, the decision turns and the count is 0.  The count
 * starts at `hysteresis`, so the first decision requires half as many votes.
 *
 * The vote takes effect BYW_CROSS_LATE cycles after the sample.  A hold of `hold` cycles follows
 * the sample, in which all SMs follow the decision.  A sample without a vote ends its hold at once.
 * Everything is kept across kernels.
 */
#ifndef BYW_CROSS_DUEL_H
#define BYW_CROSS_DUEL_H

#include <stdbool.h>
#include <stdint.h>

#include "common/byw_config.h"

enum { BYW_CROSS_LATE = 3, BYW_CROSS_SMS = 512, BYW_CROSS_NOBODY = BYW_CROSS_SMS };
enum byw_cross_side { BYW_CROSS_FILTER, BYW_CROSS_CACHE, BYW_CROSS_SIDES };
enum byw_cross_vote { BYW_CROSS_NONE, BYW_CROSS_FOR, BYW_CROSS_AGAINST };

struct byw_cross_duel {
    uint32_t interval; /* counted cycles of half a sample, 4..1000000 */
    uint32_t settle; /* uncounted cycles before them, 0..1000000 */
    uint32_t hold; /* cycles, 0..1000000 */
    uint32_t min_loads; /* loads that both sides together must accept in a sample for a vote */
    uint32_t margin_pct; /* hits, percent of the cache's loads; 0..100 */
    uint32_t speedup_pct; /* loads, percent of the cache's loads; 0..255 */
    uint32_t noise; /* hits, and pairs of loads; 0..127 */
    uint32_t hysteresis; /* votes, 1..7 */
    bool on; /* the decision in effect */
    uint32_t votes; /* votes so far, below 2 * hysteresis */
    bool holding; /* true during a hold, false during a sample */
    bool second; /* true in the second half of a sample */
    uint32_t cycle; /* cycle within the half or hold */
    uint32_t loads[BYW_CROSS_SIDES], hits[BYW_CROSS_SIDES]; /* counts in the current sample */
    enum byw_cross_vote pending; /* takes effect after `coming` edges */
    uint32_t coming;
    uint32_t leader[2]; /* BYW_CROSS_NOBODY: there is no second leader */
    bool worked[BYW_CROSS_SMS]; /* accepted a load since the sample began */
};

void byw_cross_duel_init(struct byw_cross_duel *duel, const struct byw_config *config);

/* Whether SM sm filters in this cycle. */
bool byw_cross_duel_filter(const struct byw_cross_duel *duel, uint32_t sm);

/* Counts the event pulses of SM sm in this cycle.  Threads may count different SMs at the same
 * time: no two SMs share a counter until the next edge. */
void byw_cross_duel_count(struct byw_cross_duel *duel, uint32_t sm, uint32_t events);

/* The vote of a sample with these counts; pure. */
enum byw_cross_vote byw_cross_duel_vote(const struct byw_cross_duel *duel);

/* Clock edges until a role or the counting changes, including the last one; 1 while a vote is
 * pending. */
uint32_t byw_cross_duel_left(const struct byw_cross_duel *duel);

/* Passes `cycles` clock edges, 1..byw_cross_duel_left(); events counted so far belong to the first
 * one. */
void byw_cross_duel_tick(struct byw_cross_duel *duel, uint32_t cycles);

#endif
