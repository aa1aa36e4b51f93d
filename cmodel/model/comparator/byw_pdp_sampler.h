/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_pdp_sampler.h - samples reuse distances for dynamic PDP (mechanisms/comparators.md 2.4).  In
 * some sets, the line of every 8th load enters a FIFO of 32 partial tags, where its next use gives
 * its reuse distance. A table counts distances in ranges of 4, up to 256. These counts determine
 * the protecting distance that would have given the most hits per load and line.
 *
 * A reuse distance is the number of loads of the set from one load of a line to the next load of
 * that line, including the latter.
 */
#ifndef BYW_PDP_SAMPLER_H
#define BYW_PDP_SAMPLER_H

#include <stdbool.h>
#include <stdint.h>

#include "common/byw_status.h"

enum {
    BYW_PDP_ENTRIES = 32, /* entries per FIFO */
    BYW_PDP_INTERVAL = 8, /* every 8th load of a sampled set enters the FIFO */
    BYW_PDP_RANGE = 4,
    BYW_PDP_MOST = BYW_PDP_ENTRIES * BYW_PDP_INTERVAL, /* the longest measurable distance */
    BYW_PDP_RANGES = BYW_PDP_MOST / BYW_PDP_RANGE,
};

struct byw_pdp_fifo {
    uint16_t tag[BYW_PDP_ENTRIES]; /* 0: newest */
    uint32_t valid; /* bit per entry */
    uint32_t since; /* loads since the last one that entered */
};

struct byw_pdp_sampler {
    uint32_t set_bits, every, ways;
    struct byw_pdp_fifo *fifo; /* FIFOs of the sampled sets 0, every, 2 * every ... */
    uint32_t fifos;
    uint16_t count[BYW_PDP_RANGES]; /* all counters stop when one saturates */
    uint32_t entered; /* lines that entered a FIFO */
    bool full;
};

enum byw_status byw_pdp_sampler_init(struct byw_pdp_sampler *sampler, uint32_t sets, uint32_t every,
                                     uint32_t ways);
void byw_pdp_sampler_release(struct byw_pdp_sampler *sampler);
void byw_pdp_sampler_clear(struct byw_pdp_sampler *sampler); /* reset */
void byw_pdp_sampler_forget_lines(struct byw_pdp_sampler *sampler); /* the cache is empty */
void byw_pdp_sampler_restart(struct byw_pdp_sampler *sampler); /* resets the counts */

/* A load is accepted. */
void byw_pdp_sampler_load(struct byw_pdp_sampler *sampler, uint32_t set, uint64_t line);

/* The distance with the largest E(d), the smallest of equals; 0 if no line was reused. */
uint32_t byw_pdp_sampler_best(const struct byw_pdp_sampler *sampler);

uint64_t byw_pdp_sampler_bits(uint32_t sets, uint32_t every);

#endif
