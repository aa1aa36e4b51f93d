/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_protection.h - lines that are protected for a distance in loads of their set, as in PDP
 * (mechanisms/comparators.md 2.4).
 *
 * Each block has a remaining distance in steps.  It is set when its line is filled or used and
 * decremented with every step of its set; a step is `step` loads.  A line with distance 0 may be
 * evicted.  If several may be, the one with the smallest distance is evicted first, then the least
 * recently used one.
 *
 * With allocate-on-miss a block is taken before its line arrives: the line is in flight until the
 * MSHR is answered.
 */
#ifndef BYW_PROTECTION_H
#define BYW_PROTECTION_H

#include "policy/byw_mech_ops.h"

enum byw_protection_place { BYW_BLOCK_FREE, BYW_BLOCK_COMING, BYW_BLOCK_FILLED };

struct byw_protection {
    uint32_t sets, ways, mshrs, step;
    bool on_miss; /* lines are allocated on miss */
    uint8_t *distance; /* by block: remaining distance in steps */
    uint8_t *place; /* by block: enum byw_protection_place */
    uint64_t *used_at; /* by block: value of `uses` at its last use */
    uint64_t uses;
    uint32_t *since; /* by set: loads since the last step */
    uint32_t *block_of; /* by MSHR: block that its fill goes to */
};

/* step: 1..256 loads.  BYW_ENOMEM; release() is allowed after it. */
enum byw_status byw_protection_init(struct byw_protection *p, const struct byw_mech_setup *setup,
                                    uint32_t step);
void byw_protection_release(struct byw_protection *p);

/* Call when the L1 is emptied. */
void byw_protection_clear(struct byw_protection *p);

/* The line of a block is used: protects it for `steps` steps. */
void byw_protection_use(struct byw_protection *p, uint32_t block, uint32_t steps);

/* A load of a set: every step-th one decrements the distances of the set's lines. */
void byw_protection_age(struct byw_protection *p, uint32_t set);

/* Whether the set has neither a free block nor a line that may be evicted. waits: an unprotected
 * line that is still in flight counts as one that may be evicted. */
bool byw_protection_is_full(const struct byw_protection *p, uint32_t set, bool waits);

/* The way of `eligible` to evict first; BYW_NONE if there is none. */
int byw_protection_victim(const struct byw_protection *p, uint32_t set, uint64_t eligible);

/* The ways of `eligible` with the smallest distance. */
uint64_t byw_protection_spare(const struct byw_protection *p, uint32_t set, uint64_t eligible);

/* _installed: a block was given to a line; with allocate on miss, the line arrives with the fill of
 * this MSHR.  _answered: that fill has arrived.  _left: the block is empty now. */
void byw_protection_installed(struct byw_protection *p, uint32_t block, uint32_t mshr);
void byw_protection_answered(struct byw_protection *p, const struct byw_mech_answer *answer);
void byw_protection_left(struct byw_protection *p, uint32_t block);

#endif
