/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_repl.h - replacement of data lines inside a set: a table of functions per policy.
 *
 * A policy keeps one small number per data way (struct byw_set, `rank`).  victim() only looks;
 * the state changes when the decision is accepted (a refused request changes nothing): evicted(),
 * if a victim gives way, then inserted() for the new line.  A free way is always taken before a
 * victim is asked for, so `eligible` (used, not pending) is never empty.  inserted() writes the
 * number of a way before anything reads it; only LRU cares what an empty set starts with (0, 1, 2
 * ...).
 *
 * Beside the record a policy is told the set, the PC and a random number (struct byw_repl_at).  The
 * number is an input like the others: the L1 owns its source and moves it on when a line is placed,
 * never else, so that a question put again in the next cycle has the same answer.
 *
 * A policy that learns (a PSEL, a table by PC, something per line, which set, ways and way name)
 * says with state_bytes() how much it keeps per L1.  The L1 owns it, all zero after reset; an
 * invalidate and a kernel start leave it alone.  evicted(), inserted() and touched() may write it.
 *
 * Policies stand in configs/byw_replacements.def; how to add one: doc/add_a_replacement.md.
 */
#ifndef BYW_REPL_H
#define BYW_REPL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/byw_status.h"
#include "record/byw_set.h"

/* What a policy is told beside the set record. */
struct byw_repl_at {
    uint32_t ways;
    uint32_t set; /* its number */
    uint32_t pc; /* of the request; of a fill, of the load that fetched it */
    uint16_t random; /* the same until the L1 places its next line */
    const struct byw_repl_side *side; /* of the L1: the policy's state; NULL: it has none */
};

struct byw_repl_ops {
    /* Bytes of state of an L1; NULL: none. */
    size_t (*state_bytes)(const struct byw_geometry *geo);
    /* Bits that the same takes in hardware; NULL: none. */
    uint64_t (*storage_bits)(const struct byw_geometry *geo);
    uint32_t (*victim)(const struct byw_set *set, const struct byw_repl_at *at, uint64_t eligible);
    /* The line in `way` gives way; not always victim()'s, the locality filter may choose. */
    void (*evicted)(struct byw_set *set, const struct byw_repl_at *at, uint64_t eligible,
                    uint32_t way);
    /* last: place the line so that it is the first to go (streaming hint). */
    void (*inserted)(struct byw_set *set, const struct byw_repl_at *at, uint32_t way, bool last);
    void (*touched)(struct byw_set *set, const struct byw_repl_at *at, uint32_t way);
};

struct byw_repl_row {
    const char *name; /* value of l1d.replacement */
    const char *paper; /* where the rule comes from */
    uint8_t rank_bits; /* 0: as a way's number */
    bool c_only; /* the cache has no hardware for it: `--l1d rtl` refuses it by name */
    const struct byw_repl_ops *ops;
};

#define REPL(code, name, rank_bits, paper) extern const struct byw_repl_ops byw_repl_##name;
#include "configs/byw_replacements.def"
#undef REPL

/* The table, in the order of BYW_REPL_*; NULL past its end. */
const struct byw_repl_row *byw_repl_row(uint32_t kind);
const struct byw_repl_ops *byw_repl(uint32_t kind);

/* What an L1 keeps for its policy beside the records. */
struct byw_repl_side {
    const struct byw_repl_ops *ops;
    void *state;
    size_t bytes; /* of it */
    uint32_t set_bits; /* log2 of the sets */
    uint16_t random;
    /* Somebody who chooses before the policy: an eligible way, or BYW_NONE to leave it to the
     * policy, among those that are still eligible then.  NULL: nobody does. */
    int (*choose)(const void *chooser, uint32_t set, uint64_t *eligible);
    const void *chooser;
};

/* The way whose line gives way. */
static inline uint32_t byw_repl_victim(const struct byw_repl_ops *ops, const struct byw_set *set,
                                       const struct byw_repl_at *at, uint64_t eligible)
{
    const struct byw_repl_side *side = at->side;
    int way = BYW_NONE;

    if (side != NULL && side->choose != NULL)
        way = side->choose(side->chooser, at->set, &eligible);
    return way != BYW_NONE ? (uint32_t)way : ops->victim(set, at, eligible);
}

/* Width of a rank in a record of so many data ways. */
uint32_t byw_repl_rank_bits(uint32_t kind, uint32_t ways);

/* Bits per L1 that a policy adds to LRU: its ranks and its own state. */
uint64_t byw_repl_storage(uint32_t kind, const struct byw_geometry *geo);

enum { BYW_REPL_SEED = 0xACE1 }; /* `random` after reset */

enum byw_status byw_repl_init(struct byw_repl_side *side, const struct byw_repl_ops *ops,
                              const struct byw_geometry *geo);
void byw_repl_release(struct byw_repl_side *side);
void byw_repl_reset(struct byw_repl_side *side);
uint64_t byw_repl_digest(const struct byw_repl_side *side);

static inline struct byw_repl_at byw_repl_at(const struct byw_repl_side *side, uint32_t ways,
                                             uint32_t set, uint32_t pc)
{
    return (struct byw_repl_at){
        .ways = ways, .set = set, .pc = pc, .random = side->random, .side = side};
}

/* The number after n: eight steps of the shift register x^16 + x^14 + x^13 + x^11 + 1, so that the
 * upper byte is new.  Every number but 0 comes once in 65,535. */
static inline uint16_t byw_repl_next_random(uint16_t n)
{
    return (uint16_t)(n >> 8 | ((n ^ n >> 2 ^ n >> 3 ^ n >> 5) & 0xff) << 8);
}

/* A line was placed. */
static inline void byw_repl_placed(struct byw_repl_side *side)
{
    side->random = byw_repl_next_random(side->random);
}

#endif
