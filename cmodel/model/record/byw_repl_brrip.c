/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_repl_brrip.c - BRRIP with hit priority, M = 2 (mechanisms/baselines.md 2.5): as SRRIP, but a
 * new line is predicted to be re-referenced in the distant future.  One line in 32 is inserted as
 * in SRRIP. That choice is random, so no counter is needed.
 */
#include "record/byw_repl.h"

enum { ONE_IN = 32 };

static uint32_t brrip_victim(const struct byw_set *set, const struct byw_repl_at *at,
                             uint64_t eligible)
{
    return byw_repl_srrip.victim(set, at, eligible);
}

static void brrip_evicted(struct byw_set *set, const struct byw_repl_at *at, uint64_t eligible,
                          uint32_t way)
{
    byw_repl_srrip.evicted(set, at, eligible, way);
}

static void brrip_inserted(struct byw_set *set, const struct byw_repl_at *at, uint32_t way,
                           bool last)
{
    byw_repl_srrip.inserted(set, at, way, last || at->random % ONE_IN != 0);
}

static void brrip_touched(struct byw_set *set, const struct byw_repl_at *at, uint32_t way)
{
    byw_repl_srrip.touched(set, at, way);
}

const struct byw_repl_ops byw_repl_brrip = {
    .victim = brrip_victim,
    .evicted = brrip_evicted,
    .inserted = brrip_inserted,
    .touched = brrip_touched,
};
