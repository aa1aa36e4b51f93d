/* SPDX-License-Identifier: Apache-2.0
 *
 * lock_flip.h - flips bits of the data and tag stores on both sides of a lock step.
 */
#ifndef BYW_LOCK_FLIP_H
#define BYW_LOCK_FLIP_H

#include "common/byw_bits.h"
#include "cosim/lock.h"
#include "cosim/lock_port.h"
#include "l1d/byw_l1d_state.h"

/* In the RTL a line number is {set, way}, and a byte has 9 bits. */
static inline void lock_flip_byte(struct lock *l, struct byw_l1d *l1d)
{
    enum { LANE_W = 9 };
    uint32_t line = lock_below(l, P_SETS * P_DATA_WAYS);
    uint32_t byte = lock_below(l, P_LINE_BYTES);
    uint32_t bit = lock_below(l, LANE_W);
    uint32_t place = line / P_DATA_WAYS << byw_clog2(P_DATA_WAYS) | line % P_DATA_WAYS;

    byw_data_store_flip(&l1d->lines, line, byte, bit);
    dut_flip(l->dut, place * LOCK_BEATS + byte / LOCK_BEAT_BYTES,
             byte % LOCK_BEAT_BYTES * LANE_W + bit);
}

/* Flipping two different bits of a key would give another key with right parity, so only one bit of
 * each tag way is flipped. A wrong key is flipped back with a higher probability than a right one
 * is flipped, so that the lines of its set can be used again. */
static inline void lock_flip_tag(struct lock *l, struct byw_l1d *l1d, uint32_t written)
{
    const uint32_t bits = (uint32_t)(P_LINE_W - byw_clog2(P_SETS) + 1);
    uint32_t set = lock_below(l, P_SETS);
    uint32_t tag = lock_below(l, P_TAG_WAYS);
    bool wrong = (l1d->tags.wrong[set].w[tag / 64] & byw_bit64(tag % 64)) != 0;

    if (set == written || (!wrong && lock_below(l, 16) != 0))
        return;
    byw_tag_store_flip(l1d->tags.wrong, set, tag);
    dut_flip_key(l->dut, tag, set, (set * 5 + tag * 3) % bits);
}

/* Allocate on fill: the same in one of the two copies of the records, in which the keys come last
 * and the parity bit of a key is its highest. */
static inline void lock_flip_record(struct lock *l, struct byw_l1d *l1d)
{
    const uint32_t bits = (uint32_t)(P_LINE_W - byw_clog2(P_SETS) + 1);
    const uint32_t rest = P_DATA_WAYS * (P_SECTORS + byw_repl_rank_bits(P_REPL, P_DATA_WAYS) + 1);
    uint32_t set = lock_below(l, P_SETS), way = lock_below(l, P_DATA_WAYS), copy = lock_below(l, 2);
    struct byw_tag_mask *wrong = copy != 0 ? l1d->tags.wrong : l1d->tags.wrong_fill;

    if ((wrong[set].w[way / 64] & byw_bit64(way % 64)) == 0 && lock_below(l, 16) != 0)
        return;
    byw_tag_store_flip(wrong, set, way);
    dut_flip_record(l->dut, copy, set, rest + way * bits + (set * 5 + way * 3) % bits);
}

/* The set that s2 may write at the end of this cycle, or BYW_NONE.  The RTL writes its key one
 * cycle later, over a bit flipped in between. */
static inline uint32_t lock_set_of_s2(const struct byw_l1d *l1d)
{
    return l1d->pipe.s2_valid ? l1d->pipe.slot[l1d->pipe.s2_slot].set : (uint32_t)BYW_NONE;
}

/* With PARITY: in one of 50 calls, flips a random bit of a byte or its parity, and in one of about
 * 200 a bit of a key or its parity.  Call between two cycles; written: lock_set_of_s2() of the
 * first. */
static inline void lock_flip(struct lock *l, struct byw_l1d *l1d, uint32_t written)
{
    if (!P_PARITY)
        return;
    if (lock_chance(l, 2))
        lock_flip_byte(l, l1d);
    if (!lock_chance(l, 5))
        return;
    if (P_ALLOC == BYW_ALLOC_ON_MISS)
        lock_flip_tag(l, l1d, written);
    else
        lock_flip_record(l, l1d);
}

#endif
