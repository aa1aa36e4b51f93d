/* SPDX-License-Identifier: Apache-2.0
 *
 * lock_flip.h - flips bits of the data store on both sides of a lock step.
 */
#ifndef BYW_LOCK_FLIP_H
#define BYW_LOCK_FLIP_H

#include "common/byw_bits.h"
#include "cosim/lock.h"
#include "cosim/lock_port.h"
#include "l1d/byw_l1d_state.h"

/* With PARITY: in one of 50 calls, flips a random bit of a byte or its parity.  Call between two
 * cycles.  In the RTL a line number is {set, way}, and a byte has 9 bits. */
static inline void lock_flip(struct lock *l, struct byw_l1d *l1d)
{
    enum { LANE_W = 9 };
    uint32_t line, byte, bit, place;

    if (!P_PARITY || !lock_chance(l, 2))
        return;
    line = lock_below(l, P_SETS * P_DATA_WAYS);
    byte = lock_below(l, P_LINE_BYTES);
    bit = lock_below(l, LANE_W);
    place = line / P_DATA_WAYS << byw_clog2(P_DATA_WAYS) | line % P_DATA_WAYS;
    byw_data_store_flip(&l1d->lines, line, byte, bit);
    dut_flip(l->dut, place * LOCK_BEATS + byte / LOCK_BEAT_BYTES,
             byte % LOCK_BEAT_BYTES * LANE_W + bit);
}

#endif
