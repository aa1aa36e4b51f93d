/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_repl_srrip.c - SRRIP with hit priority, M = 2 (mechanisms/baselines.md 2.5): rank is the
 * re-reference prediction value (RRPV).  Victim: the lowest eligible way whose RRPV is 3.  If there
 * is none, all RRPVs of the set are incremented and the search repeats.  The total increment is 3
 * minus the largest eligible RRPV, so one addition per way is enough.  Pending lines are
 * incremented too, saturating at 3.
 */
#include "record/byw_repl.h"

enum { RRPV_MAX = 3, RRPV_INSERT = 2 };

static uint32_t srrip_victim(const struct byw_set *set, const struct byw_repl_at *at,
                             uint64_t eligible)
{
    uint32_t i, victim = 0;
    int largest = -1;

    for (i = 0; i < at->ways; i++) {
        if ((eligible >> i & 1) != 0 && (int)set->rank[i] > largest) {
            largest = set->rank[i];
            victim = i;
        }
    }
    return victim;
}

static void srrip_evicted(struct byw_set *set, const struct byw_repl_at *at, uint64_t eligible,
                          uint32_t way)
{
    uint32_t growth = RRPV_MAX - set->rank[srrip_victim(set, at, eligible)];
    uint32_t i;

    (void)way;
    for (i = 0; i < at->ways; i++) {
        uint32_t rank = set->rank[i] + growth;

        set->rank[i] = (uint8_t)(rank > RRPV_MAX ? RRPV_MAX : rank);
    }
}

static void srrip_inserted(struct byw_set *set, const struct byw_repl_at *at, uint32_t way,
                           bool last)
{
    (void)at;
    set->rank[way] = last ? RRPV_MAX : RRPV_INSERT;
}

static void srrip_touched(struct byw_set *set, const struct byw_repl_at *at, uint32_t way)
{
    (void)at;
    set->rank[way] = 0;
}

const struct byw_repl_ops byw_repl_srrip = {
    .victim = srrip_victim,
    .evicted = srrip_evicted,
    .inserted = srrip_inserted,
    .touched = srrip_touched,
};
