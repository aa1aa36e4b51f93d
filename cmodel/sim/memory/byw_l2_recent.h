/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_l2_recent.h - the reads of an L2 slice that a coalescer in front of it would have saved
 * (l2.coalesce_cycles).
 *
 * NVIDIA's L2s coalesce the reads of different SMs: a read of a 32-byte sector that is being read
 * gets the same answer, and the slice does not see it.  Here such reads are only counted: they
 * take part in everything and take no less time.
 */
#ifndef BYW_L2_RECENT_H
#define BYW_L2_RECENT_H

#include <stdint.h>

#include "common/byw_status.h"

enum { BYW_RECENT_LINES = 256, BYW_RECENT_SECTORS = 4 };

/* The last read of each sector of a 128-byte line. */
struct byw_recent_line {
    uint64_t line; /* plus one; 0: none */
    uint64_t since[BYW_RECENT_SECTORS]; /* core cycle plus one; 0: none */
    uint8_t merged[BYW_RECENT_SECTORS]; /* reads coalesced with it */
};

struct byw_l2_recent {
    uint32_t cycles, merges; /* l2.coalesce_cycles, l2.coalesce_merges */
    struct byw_recent_line *line; /* BYW_RECENT_LINES, by line number; NULL: cycles is 0 */
};

/* BYW_ENOMEM */
enum byw_status byw_l2_recent_init(struct byw_l2_recent *recent, uint32_t cycles, uint32_t merges);
void byw_l2_recent_free(struct byw_l2_recent *recent);

/* A read of `bytes` bytes reaches the slice.  Returns the number of its sectors that are
 * coalesced. */
uint32_t byw_l2_recent_read(struct byw_l2_recent *recent, uint64_t addr, uint32_t bytes,
                            uint64_t now);

#endif
