/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_sm_duel.h - SM dueling (paper 000, section 4.3; mechanisms/sm_duel.md 1.5).
 *
 * Time is divided into rounds: a sample of `interval` cycles, then a hold of `hold` cycles.  During
 * a sample the two leaders have fixed roles: SM 0 uses the locality filter, SM 1 does not.  All
 * other SMs always follow the decision; the leaders follow it during a hold if `all_follow`.  With
 * hold = 0 samples follow each other directly, and the leaders keep their roles throughout.
 *
 * At the end of a sample the leaders' loads vote for the filter, unless
 *
 *      miss rate of SM 0  -  miss rate of SM 1  >  margin
 *
 * which is computed without a division as 100 (m0 a1 - m1 a0) > margin_pct a0 a1.  With by_loads
 * they vote for it unless SM 0 completed fewer loads by more than the margin: 100 (a1 - a0) >
 * margin_pct a1.
 *
 * Accepted loads are counted.  A merged load is not a miss.  A bypassed load is a miss or, with
 * bypass_is_miss off, not counted in the miss rate at all.  A sample in which a leader has no loads
 * or fewer than min_accesses casts no vote.  The decision changes after `hysteresis` votes against
 * it with no vote for it in between.  It takes effect BYW_DUEL_LATE cycles after the sample, which
 * the hardware needs for its sums.  It is kept across kernels.
 */
#ifndef BYW_SM_DUEL_H
#define BYW_SM_DUEL_H

#include <stdbool.h>
#include <stdint.h>

#include "common/byw_config.h"

enum { BYW_DUEL_LEADERS = 2, BYW_DUEL_ROLES = 3 /* SM 0, SM 1, the rest */, BYW_DUEL_LATE = 4 };

struct byw_duel_verdict {
    bool on;
    uint8_t votes; /* votes against the decision since the last one for it */
};

struct byw_sm_duel {
    uint32_t interval; /* cycles, 1..1000000 */
    uint32_t hold; /* cycles, 0..1000000 */
    uint32_t margin_pct; /* 0..100 */
    uint32_t min_accesses; /* loads that each leader needs for a vote */
    uint32_t hysteresis; /* votes, 1..15 */
    bool all_follow;
    bool by_loads;
    bool bypass_is_miss;
    bool on; /* the decision in effect */
    bool holding; /* true during a hold, false during a sample */
    uint32_t votes; /* votes against the decision in effect */
    struct byw_duel_verdict newest; /* verdict of the last sample */
    struct byw_duel_verdict late[BYW_DUEL_LATE]; /* verdicts that take effect after 1, 2, ..
                                                  * edges */
    uint32_t coming; /* edges until `newest` takes effect */
    uint32_t cycle; /* cycle within the sample or hold */
    uint32_t accesses[BYW_DUEL_LEADERS]; /* loads of each leader in the current sample */
    uint32_t misses[BYW_DUEL_LEADERS];
};

void byw_sm_duel_init(struct byw_sm_duel *duel, const struct byw_config *config);

/* The role of an SM, below BYW_DUEL_ROLES.  _filter: whether SMs of a role filter in this cycle. */
uint32_t byw_sm_duel_role(uint32_t sm);
bool byw_sm_duel_filter(const struct byw_sm_duel *duel, uint32_t role);

/* Whether SMs of a role never switch between filter and plain cache. */
bool byw_sm_duel_fixed(const struct byw_sm_duel *duel, uint32_t role);

/* Counts a leader's event pulses of this cycle. */
void byw_sm_duel_count(struct byw_sm_duel *duel, uint32_t leader, uint32_t events);

/* Clock edges until the end of the sample or hold, including the last one; 1 while a verdict is
 * pending. */
uint32_t byw_sm_duel_left(const struct byw_sm_duel *duel);

/* Passes up to `cycles` clock edges; events counted so far belong to the first one.  Stops after
 * the end of a sample or hold, and after each edge while a verdict is pending, so that the caller
 * sees every change.  Returns the number of edges passed, at least 1. */
uint64_t byw_sm_duel_tick(struct byw_sm_duel *duel, uint64_t cycles);

#endif
