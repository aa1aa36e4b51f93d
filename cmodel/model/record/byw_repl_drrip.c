/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_repl_drrip.c - DRRIP (mechanisms/baselines.md 2.5): follower sets use SRRIP or BRRIP,
 * whichever inserts fewer lines in its leader sets.  A placed line counts as a miss; a bypass does
 * not. The two policies differ only in the prediction for a new line, so a set may switch at any
 * time.
 */
#include "record/byw_repl.h"
#include "record/byw_set_duel.h"

/* Stored as the distance from START, so that reset (all zero) means START. */
struct drrip {
    uint8_t moved;
};

enum { START = BYW_PSEL_HALF - 1 }; /* followers use SRRIP until its leaders miss more */

static size_t drrip_bytes(const struct byw_geometry *geo)
{
    (void)geo;
    return sizeof(struct drrip);
}

static uint64_t drrip_bits(const struct byw_geometry *geo)
{
    (void)geo;
    return 8;
}

static struct byw_set_duel duel_of(const struct byw_repl_at *at)
{
    const struct drrip *d = at->side->state;

    return (struct byw_set_duel){.set_bits = at->side->set_bits,
                                 .psel = (uint8_t)(START + d->moved)};
}

static uint32_t drrip_victim(const struct byw_set *set, const struct byw_repl_at *at,
                             uint64_t eligible)
{
    return byw_repl_srrip.victim(set, at, eligible);
}

static void drrip_evicted(struct byw_set *set, const struct byw_repl_at *at, uint64_t eligible,
                          uint32_t way)
{
    byw_repl_srrip.evicted(set, at, eligible, way);
}

static void drrip_inserted(struct byw_set *set, const struct byw_repl_at *at, uint32_t way,
                           bool last)
{
    struct drrip *d = at->side->state;
    struct byw_set_duel duel = duel_of(at);
    const struct byw_repl_ops *side =
        byw_set_duel_second(&duel, at->set) ? &byw_repl_brrip : &byw_repl_srrip;

    side->inserted(set, at, way, last);
    byw_set_duel_miss(&duel, at->set);
    d->moved = (uint8_t)(duel.psel - START);
}

static void drrip_touched(struct byw_set *set, const struct byw_repl_at *at, uint32_t way)
{
    byw_repl_srrip.touched(set, at, way);
}

const struct byw_repl_ops byw_repl_drrip = {
    .state_bytes = drrip_bytes,
    .storage_bits = drrip_bits,
    .victim = drrip_victim,
    .evicted = drrip_evicted,
    .inserted = drrip_inserted,
    .touched = drrip_touched,
};
