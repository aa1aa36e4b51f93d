/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_repl.h - replacement of data lines in a set: a table of functions per policy.
 *
 * A policy keeps one small number per data way (struct byw_set, `rank`). victim() only reads.
 * State changes only when the decision is accepted (a refused request changes nothing): evicted()
 * if a line is replaced, then inserted() for the new line.  A free way is always used before
 * victim() is called, so `eligible` (used, not pending) is never empty. inserted() writes the rank
 * of a way before anything reads it.  Only LRU depends on the initial ranks of an empty set (0, 1,
 * 2 ...).
 *
 * Policy inputs other than the set record are the set number, the PC and a random number (struct
 * byw_repl_at).  The L1 owns the random source and advances it only when it places a line.  A
 * request that retries in the next cycle therefore gets the same answer.
 *
 * A policy that learns (a PSEL, a table indexed by PC, data per line indexed by set, ways and way)
 * returns its state per L1 in bytes from state_bytes().  The L1 owns this state.  Reset zeroes it;
 * an invalidate or a kernel start does not change it. evicted(), inserted() and touched() may write
 * it.
 *
 * configs/byw_replacements.def lists the policies. doc/add_a_replacement.md says how to add one.
 */
#ifndef BYW_REPL_H
#define BYW_REPL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/byw_status.h"
#include "record/byw_set.h"

/* Policy inputs other than the set record. */
struct byw_repl_at {
    uint32_t ways;
    uint32_t set; /* set number */
    uint32_t pc; /* PC of the request; for a fill, of the load that fetched the line */
    uint16_t random; /* constant until the L1 places its next line */
    const struct byw_repl_side *side; /* the policy's state in the L1; NULL: none */
};

struct byw_repl_ops {
    /* Bytes of state per L1; NULL: none. */
    size_t (*state_bytes)(const struct byw_geometry *geo);
    /* Bits of the same state in hardware; NULL: none. */
    uint64_t (*storage_bits)(const struct byw_geometry *geo);
    uint32_t (*victim)(const struct byw_set *set, const struct byw_repl_at *at, uint64_t eligible);
    /* The line in `way` is evicted. This is not always victim()'s choice: the locality filter can
     * choose instead. */
    void (*evicted)(struct byw_set *set, const struct byw_repl_at *at, uint64_t eligible,
                    uint32_t way);
    /* last: insert the line as the next victim (streaming hint). */
    void (*inserted)(struct byw_set *set, const struct byw_repl_at *at, uint32_t way, bool last);
    void (*touched)(struct byw_set *set, const struct byw_repl_at *at, uint32_t way);
};

struct byw_repl_row {
    const char *name; /* value of l1d.replacement */
    const char *paper; /* source of the rule */
    uint8_t rank_bits; /* 0: the width of a way number */
    bool c_only; /* no hardware; `--l1d rtl` rejects it by name */
    const struct byw_repl_ops *ops;
};

#define REPL(code, name, rank_bits, paper) extern const struct byw_repl_ops byw_repl_##name;
#include "configs/byw_replacements.def"
#undef REPL

/* The table, in the order of BYW_REPL_*; NULL past its end. */
const struct byw_repl_row *byw_repl_row(uint32_t kind);
const struct byw_repl_ops *byw_repl(uint32_t kind);

/* Replacement state of an L1 outside the set records. */
struct byw_repl_side {
    const struct byw_repl_ops *ops;
    void *state;
    size_t bytes; /* size of `state` */
    uint32_t set_bits; /* log2 of the sets */
    uint16_t random;
    /* Chooses before the policy does: returns an eligible way, or BYW_NONE to let the policy choose
     * among the ways that *eligible still holds.  NULL: the policy always chooses. */
    int (*choose)(const void *chooser, uint32_t set, uint64_t *eligible);
    const void *chooser;
};

/* The way whose line is evicted. */
static inline uint32_t byw_repl_victim(const struct byw_repl_ops *ops, const struct byw_set *set,
                                       const struct byw_repl_at *at, uint64_t eligible)
{
    const struct byw_repl_side *side = at->side;
    int way = BYW_NONE;

    if (side != NULL && side->choose != NULL)
        way = side->choose(side->chooser, at->set, &eligible);
    return way != BYW_NONE ? (uint32_t)way : ops->victim(set, at, eligible);
}

/* Bits of a rank in a record with `ways` data ways. */
uint32_t byw_repl_rank_bits(uint32_t kind, uint32_t ways);

/* Bits per L1 for the ranks and the state of a policy, minus those of LRU. */
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

/* The random number after n: eight steps of the shift register x^16 + x^14 + x^13 + x^11 + 1, so
 * that the upper byte is new.  The period is 65,535; 0 never occurs. */
static inline uint16_t byw_repl_next_random(uint16_t n)
{
    return (uint16_t)(n >> 8 | ((n ^ n >> 2 ^ n >> 3 ^ n >> 5) & 0xff) << 8);
}

/* Call when a line is placed. */
static inline void byw_repl_placed(struct byw_repl_side *side)
{
    side->random = byw_repl_next_random(side->random);
}

#endif
