/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_lanes.h - the lanes of one warp's request to one line: scatter into the line, slots, gather.
 *
 * A client whose lanes each name a word of the line puts them into one request of the cache by
 * byw_lanes_scatter(); byw_lanes_take() keeps what the answer needs in a slot, whose number is the
 * request's id; byw_lanes_give() frees the slot, and byw_lanes_gather() finds the lanes' words.
 * A byte that several lanes write is that of the highest of them.
 */
#ifndef BYW_LANES_H
#define BYW_LANES_H

#include <stdbool.h>
#include <stdint.h>

#include "common/byw_status.h"
#include "record/byw_request.h"

enum { BYW_LANES_MAX = 64, BYW_LANES_SLOTS_MAX = 1024 };

struct byw_lanes_config {
    uint32_t lanes; /* 1 .. BYW_LANES_MAX */
    uint32_t line_bytes; /* a power of two of 4 .. BYW_LINE_MAX */
    uint32_t slots; /* 1 .. BYW_LANES_SLOTS_MAX */
    bool right; /* a lane's data begin at bit 0, whatever bytes it writes */
};

/* What the lanes ask: of a lane without its bit in `active` nothing is looked at. */
struct byw_lanes_request {
    uint64_t active;
    uint64_t tag;
    uint8_t word[BYW_LANES_MAX]; /* of the line */
    uint8_t bytes[BYW_LANES_MAX]; /* four bits: of the word */
    uint32_t data[BYW_LANES_MAX];
};

struct byw_lanes_slot {
    uint64_t active;
    uint64_t tag;
    uint8_t word[BYW_LANES_MAX];
};

struct byw_lanes {
    struct byw_lanes_config cfg;
    struct byw_lanes_slot *slot;
    bool *busy;
    uint32_t used;
    bool held; /* a slot was shown and not taken: held_slot */
    uint32_t held_slot;
};

/* Room for cfg.slots requests; BYW_EINVAL for numbers out of their ranges. */
enum byw_status byw_lanes_init(struct byw_lanes *ln, const struct byw_lanes_config *cfg);
void byw_lanes_release(struct byw_lanes *ln);
void byw_lanes_clear(struct byw_lanes *ln); /* reset: all slots free */

/* The request's bytes in the line: mask and data, all others 0. */
void byw_lanes_scatter(const struct byw_lanes_config *cfg, const struct byw_lanes_request *req,
                       bool mask[], uint8_t data[]);
/* The word of every lane, active or not; a slot's word lies in its line. */
void byw_lanes_gather(const struct byw_lanes_config *cfg, const struct byw_lanes_slot *slot,
                      const uint8_t line[], uint32_t word[]);

static inline bool byw_lanes_any(const struct byw_lanes *ln)
{
    return ln->used != ln->cfg.slots;
}

/* The slot that the next request gets; needs byw_lanes_any().  It is the same in every cycle until
 * it is taken: a caller that shows it and does not take it says so by byw_lanes_hold(). */
uint32_t byw_lanes_next(const struct byw_lanes *ln);
void byw_lanes_hold(struct byw_lanes *ln);
void byw_lanes_take(struct byw_lanes *ln, const struct byw_lanes_request *req);

/* The answer for a slot came: frees it.  What it holds stays until it is taken again. */
const struct byw_lanes_slot *byw_lanes_give(struct byw_lanes *ln, uint32_t slot);

#endif
