/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_repl_lru.c - Exact LRU (mechanisms/baselines.md 2.5): rank 0 = most recently used.  The ranks
 * of a set are a permutation, so there are no ties.
 */
#include <string.h>

#include "record/byw_repl.h"

static uint32_t lru_victim(const struct byw_set *set, const struct byw_repl_at *at,
                           uint64_t eligible)
{
    uint32_t i, victim = 0, oldest = 0;

    for (i = 0; i < at->ways; i++) {
        uint32_t rank = (set->rank[i] + 1U) & -(uint32_t)(eligible >> i & 1);
        bool older = rank > oldest;

        oldest = older ? rank : oldest;
        victim = older ? i : victim;
    }
    return victim;
}

static void lru_evicted(struct byw_set *set, const struct byw_repl_at *at, uint64_t eligible,
                        uint32_t way)
{
    (void)set;
    (void)at;
    (void)eligible;
    (void)way;
}

/* Adds 1 to each of four ranks below `rank`, which is below 128, in one word. */
static void pass_four(uint8_t *ranks, uint8_t rank)
{
    const uint32_t ones = UINT32_C(0x01010101), tops = ones << 7;
    uint32_t all;

    memcpy(&all, ranks, sizeof(all));
    all += (~((all | tops) - rank * ones) & tops) >> 7;
    memcpy(ranks, &all, sizeof(all));
}

static void lru_touched(struct byw_set *set, const struct byw_repl_at *at, uint32_t way)
{
    uint8_t rank = set->rank[way];
    uint32_t i;

    if (at->ways == 4) {
        pass_four(set->rank, rank);
    } else if (rank != 0) {
        for (i = 0; i < at->ways; i++)
            set->rank[i] = (uint8_t)(set->rank[i] + (set->rank[i] < rank));
    }
    set->rank[way] = 0;
}

static void lru_inserted(struct byw_set *set, const struct byw_repl_at *at, uint32_t way, bool last)
{
    uint8_t rank = set->rank[way];
    uint32_t i;

    if (!last) {
        lru_touched(set, at, way);
        return;
    }
    for (i = 0; i < at->ways; i++)
        set->rank[i] = (uint8_t)(set->rank[i] - (set->rank[i] > rank));
    set->rank[way] = (uint8_t)(at->ways - 1);
}

const struct byw_repl_ops byw_repl_lru = {
    .victim = lru_victim,
    .evicted = lru_evicted,
    .inserted = lru_inserted,
    .touched = lru_touched,
};
