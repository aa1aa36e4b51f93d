/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_stats.h - counts the event pulses of one L1 (l1d/byw_events.def); 64 bits, never wraps in
 * practice.
 */
#ifndef BYW_STATS_H
#define BYW_STATS_H

#include <stdint.h>

#include "l1d/byw_l1d.h"

/* Counters of one SM's L1, in byw_events.def order, plus cycle counters. */
struct byw_l1_stats {
    uint64_t ev[BYW_EV_COUNT];
    uint64_t stall_cycles; /* cycles in which the decision point held a refused request */
    uint64_t filter_on_cycles; /* cycles with the locality filter working */
};

/* One cycle's pulses. */
void byw_stats_count(struct byw_l1_stats *stats, uint32_t events);

#endif
