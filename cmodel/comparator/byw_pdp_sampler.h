/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_pdp_sampler.h - what dynamic PDP learns from (MECHANISMS 2.4): in some sets every 8th load's
 * line enters a FIFO of 32 partial tags, where its next use shows its reuse distance; a table
 * counts distances in ranges of 4, up to 256, and says for which distance d protecting lines would
 * have given the most hits per load and line.
 *
 * A reuse distance is the number of loads of the set from one of a line to the next one of it, that
 * one included.
 */
#ifndef BYW_PDP_SAMPLER_H
#define BYW_PDP_SAMPLER_H

#include <stdbool.h>
#include <stdint.h>

#include "common/byw_status.h"

enum {
    BYW_PDP_ENTRIES = 32, /* of a FIFO */
    BYW_PDP_INTERVAL = 8, /* one load in so many enters it */
    BYW_PDP_RANGE = 4,
    BYW_PDP_MOST = BYW_PDP_ENTRIES * BYW_PDP_INTERVAL, /* the longest distance it can tell */
    BYW_PDP_RANGES = BYW_PDP_MOST / BYW_PDP_RANGE,
};

struct byw_pdp_fifo {
    uint16_t tag[BYW_PDP_ENTRIES]; /* 0: newest */
    uint32_t valid; /* bit per entry */
    uint32_t since; /* loads since one entered */
};

struct byw_pdp_sampler {
    uint32_t set_bits, every, ways;
    struct byw_pdp_fifo *fifo; /* of sets 0, every, 2 * every ... */
    uint32_t fifos;
    uint16_t count[BYW_PDP_RANGES]; /* all stop when one is full */
    uint32_t entered; /* lines that entered a FIFO */
    bool full;
};

enum byw_status byw_pdp_sampler_init(struct byw_pdp_sampler *sampler, uint32_t sets, uint32_t every,
                                     uint32_t ways);
void byw_pdp_sampler_release(struct byw_pdp_sampler *sampler);
void byw_pdp_sampler_clear(struct byw_pdp_sampler *sampler); /* reset */
void byw_pdp_sampler_forget_lines(struct byw_pdp_sampler *sampler); /* the cache is empty */
void byw_pdp_sampler_restart(struct byw_pdp_sampler *sampler); /* the counts start anew */

/* A load is accepted. */
void byw_pdp_sampler_load(struct byw_pdp_sampler *sampler, uint32_t set, uint64_t line);

/* The distance with the largest E(d), 0 if no line was used again; the smallest of equals. */
uint32_t byw_pdp_sampler_best(const struct byw_pdp_sampler *sampler);

uint64_t byw_pdp_sampler_bits(uint32_t sets, uint32_t every);

#endif
