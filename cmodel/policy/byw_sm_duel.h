/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_sm_duel.h - SM dueling (paper 000, section 4.3; MECHANISMS 1.5).
 *
 * Time goes in rounds: a sample of `interval` cycles, then a hold of `hold` cycles.  During a
 * sample two leaders play their roles: SM 0 runs the locality filter, SM 1 does not.  All other SMs
 * follow the decision all the time, the leaders during a hold if `all_follow`.  With hold = 0 one
 * sample follows another and the leaders keep their roles throughout.
 *
 * At the end of a sample the leaders' loads vote for the filter, unless
 *
 *      miss rate of SM 0  -  miss rate of SM 1  >  margin
 *
 * computed without a division as 100 (m0 a1 - m1 a0) > margin_pct a0 a1; or, with by_loads, unless
 * SM 0 got through fewer loads by more than the margin: 100 (a1 - a0) > margin_pct a1.
 *
 * Counted are accepted loads: a merged one is no miss; a bypassed one is a miss, or (bypass_is_miss
 * off) not counted at all by the miss rate.  A sample in which a leader has fewer than min_accesses
 * loads, or none, votes for nothing.  The decision changes after `hysteresis` votes against it
 * without one for it between them.  It comes into force BYW_DUEL_LATE cycles after the sample,
 * which the hardware needs for its sums, and is kept across kernels.
 */
#ifndef BYW_SM_DUEL_H
#define BYW_SM_DUEL_H

#include <stdbool.h>
#include <stdint.h>

#include "common/byw_config.h"

enum { BYW_DUEL_LEADERS = 2, BYW_DUEL_ROLES = 3 /* SM 0, SM 1, the rest */, BYW_DUEL_LATE = 4 };

struct byw_duel_verdict {
    bool on;
    uint8_t votes; /* against it, since the last one for it */
};

struct byw_sm_duel {
    uint32_t interval; /* cycles, 1..1000000 */
    uint32_t hold; /* cycles, 0..1000000 */
    uint32_t margin_pct; /* 0..100 */
    uint32_t min_accesses; /* loads */
    uint32_t hysteresis; /* votes, 1..15 */
    bool all_follow;
    bool by_loads;
    bool bypass_is_miss;
    bool on; /* the decision in force */
    bool holding; /* else sampling */
    uint32_t votes; /* against it, likewise */
    struct byw_duel_verdict newest; /* of the last sample */
    struct byw_duel_verdict late[BYW_DUEL_LATE]; /* what is in force after 1, 2, .. edges */
    uint32_t coming; /* edges until the newest is in force */
    uint32_t cycle; /* of the sample or hold */
    uint32_t accesses[BYW_DUEL_LEADERS]; /* in the sample */
    uint32_t misses[BYW_DUEL_LEADERS];
};

void byw_sm_duel_init(struct byw_sm_duel *duel, const struct byw_config *config);

/* The role of an SM, below BYW_DUEL_ROLES, and whether SMs of a role filter in this cycle. */
uint32_t byw_sm_duel_role(uint32_t sm);
bool byw_sm_duel_filter(const struct byw_sm_duel *duel, uint32_t role);

/* Whether SMs of a role never change between filter and plain cache. */
bool byw_sm_duel_fixed(const struct byw_sm_duel *duel, uint32_t role);

/* A leader's event pulses of this cycle. */
void byw_sm_duel_count(struct byw_sm_duel *duel, uint32_t leader, uint32_t events);

/* Clock edges until the end of the sample or hold, the last one included; 1 while a verdict is on
 * its way. */
uint32_t byw_sm_duel_left(const struct byw_sm_duel *duel);

/* `cycles` clock edges, the events counted so far in the first one.  Stops behind the end of a
 * sample or hold, and behind each edge while a decision is to come into force: returns the number
 * of edges taken, at least 1, so that the caller sees every change. */
uint64_t byw_sm_duel_tick(struct byw_sm_duel *duel, uint64_t cycles);

#endif
