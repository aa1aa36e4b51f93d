/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_stats.h - counts the event pulses of one L1 (record/byw_events.def,
 * policy/byw_policy_events.def) and the cycles of its modes; 64 bits, never wraps in practice.
 */
#ifndef BYW_STATS_H
#define BYW_STATS_H

#include <stdint.h>

#include "common/byw_mech.h"
#include "l1d/byw_l1d.h"
#include "policy/byw_policy_events.h"
#include "policy/byw_two_level.h"

enum { BYW_PC_VALUES = 16 };

/* Counters of one SM's L1, in byw_events.def order, plus cycle counters. */
struct byw_l1_stats {
    uint64_t ev[BYW_EV_COUNT];
    uint64_t stall_cycles; /* cycles in which the decision point held a refused request */
    uint64_t filter_on_cycles; /* cycles with the locality filter active */
    uint64_t policy[BYW_PEV_COUNT]; /* counters, in byw_policy_events.def order */
    uint64_t two_level_cycles[BYW_TL_STATES]; /* cycles in each state of a two-level unit in use */
    uint64_t two_level_warps; /* active warps, summed over the cycles of sampling windows */
    uint64_t pc_values[BYW_PC_VALUES]; /* loads that asked the PC predictor, by counter value; the
                                        * last entry counts all larger values */
    uint64_t parity_errors; /* failed requests, write-backs of wrong bytes, fills not installed */
    uint64_t pc_false_positives; /* counted with the shadow tags (l1d/byw_shadow.h); not on the
                                    register bus */
    uint64_t mech[BYW_MECH_COUNTERS]; /* counters of hooked mechanisms, in registry order; not on
                                       * the register bus */
};

/* Counter numbers on the register bus (rtl/doc/csr.md): the members above, in order. */
enum {
    BYW_COUNTER_STALL = BYW_EV_COUNT,
    BYW_COUNTER_FILTER_ON,
    BYW_COUNTER_POLICY,
    BYW_COUNTER_TWO_LEVEL = BYW_COUNTER_POLICY + BYW_PEV_COUNT,
    BYW_COUNTER_WARPS = BYW_COUNTER_TWO_LEVEL + BYW_TL_STATES,
    BYW_COUNTER_PC_VALUES,
    BYW_COUNTER_PARITY = BYW_COUNTER_PC_VALUES + BYW_PC_VALUES,
    BYW_COUNTERS
};

/* A read over the bus, in cycles from the request: the first cycle whose pulses are not in the
 * value, and the cycle of the answer. */
enum { BYW_STATS_SAMPLE = 2, BYW_STATS_ANSWER = 7 };

/* Counter `number`; 0 if it does not exist. */
uint64_t byw_stats_counter(const struct byw_l1_stats *stats, uint32_t number);

/* Counts the pulses of one cycle. */
void byw_stats_count(struct byw_l1_stats *stats, uint32_t events);
void byw_stats_count_policy(struct byw_l1_stats *stats, uint32_t policy_events, uint8_t pc_counter);

/* sum += sign * part, field by field; sign: 1 or -1 (as uint64_t). */
void byw_stats_add(struct byw_l1_stats *sum, const struct byw_l1_stats *part, uint64_t sign);

#endif
