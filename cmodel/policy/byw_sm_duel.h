/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_sm_duel.h - SM dueling (paper 000, section 4.3; MECHANISMS 1.5).
 *
 * SM 0 always runs the locality filter, SM 1 never; every `interval` cycles the two miss rates of
 * that window are compared, and all other SMs follow: filter on, unless
 *
 *      miss rate of SM 0  -  miss rate of SM 1  >  margin
 *
 * computed without a division as 100 (m0 a1 - m1 a0) > margin_pct a0 a1.  Accesses are accepted
 * loads; a merged load is no miss; a bypassed one is a miss, or (bypass_is_miss off) is not counted
 * at all.  A window in which a leader has fewer than min_accesses loads, or none, votes for
 * nothing.  The decision changes after `hysteresis` votes against it without one for it between
 * them.  It is kept across kernels.
 */
#ifndef BYW_SM_DUEL_H
#define BYW_SM_DUEL_H

#include <stdbool.h>
#include <stdint.h>

#include "common/byw_config.h"

enum { BYW_DUEL_LEADERS = 2 };

struct byw_sm_duel {
    uint32_t interval; /* cycles, 1..1000000 */
    uint32_t margin_pct; /* 0..100 points */
    uint32_t min_accesses; /* loads */
    uint32_t hysteresis; /* votes, 1..15 */
    bool bypass_is_miss;
    bool on; /* the decision */
    uint32_t votes; /* against it, since the last one for it */
    uint32_t cycle; /* of the window */
    uint32_t accesses[BYW_DUEL_LEADERS]; /* in the window */
    uint32_t misses[BYW_DUEL_LEADERS];
};

void byw_sm_duel_init(struct byw_sm_duel *duel, const struct byw_config *config);

/* A leader's event pulses of this cycle. */
void byw_sm_duel_count(struct byw_sm_duel *duel, uint32_t leader, uint32_t events);

/* `cycles` clock edges, the events counted so far in the first one.  Stops behind a window's end:
 * returns the number of edges taken, at least 1, so that the caller sees every decision. */
uint64_t byw_sm_duel_tick(struct byw_sm_duel *duel, uint64_t cycles);

#endif
