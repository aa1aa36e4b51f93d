/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_lanes.h - the lanes of one warp's request to one line: scatter into the line, slots, gather.
 *
 * Each lane of a client names a word of the line.  byw_lanes_scatter() combines the lanes into one
 * cache request.  byw_lanes_take() keeps in a slot what the response needs; the slot number is the
 * request's id.  byw_lanes_give() frees the slot, and byw_lanes_gather() extracts the lanes' words.
 * If several lanes write a byte, the highest lane wins.
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
    uint32_t line_bytes; /* a power of two from 4 to BYW_LINE_MAX */
    uint32_t slots; /* 1 .. BYW_LANES_SLOTS_MAX */
    bool right; /* a lane's data start at bit 0, whichever bytes it writes */
};

/* The request of the lanes.  Lanes without a bit in `active` are ignored. */
struct byw_lanes_request {
    uint64_t active;
    uint64_t tag;
    uint8_t word[BYW_LANES_MAX]; /* index in the line */
    uint8_t bytes[BYW_LANES_MAX]; /* four bits: bytes of the word */
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
    bool held; /* slot `held_slot` was offered but not taken */
    uint32_t held_slot;
};

/* Room for cfg.slots requests.  BYW_EINVAL: a number is out of range. */
enum byw_status byw_lanes_init(struct byw_lanes *ln, const struct byw_lanes_config *cfg);
void byw_lanes_release(struct byw_lanes *ln);
void byw_lanes_clear(struct byw_lanes *ln); /* reset: all slots free */

/* The request's bytes in the line: mask and data; all others are 0. */
void byw_lanes_scatter(const struct byw_lanes_config *cfg, const struct byw_lanes_request *req,
                       bool mask[], uint8_t data[]);
/* The words of all lanes, active or not. */
void byw_lanes_gather(const struct byw_lanes_config *cfg, const struct byw_lanes_slot *slot,
                      const uint8_t line[], uint32_t word[]);

static inline bool byw_lanes_any(const struct byw_lanes *ln)
{
    return ln->used != ln->cfg.slots;
}

/* The slot for the next request; needs byw_lanes_any().  It must stay the same until it is taken,
 * so a caller that offers a slot but does not take it calls byw_lanes_hold(). */
uint32_t byw_lanes_next(const struct byw_lanes *ln);
void byw_lanes_hold(struct byw_lanes *ln);
void byw_lanes_take(struct byw_lanes *ln, const struct byw_lanes_request *req);

/* The response for a slot arrived: frees it.  Its content is valid until the slot is taken
 * again. */
const struct byw_lanes_slot *byw_lanes_give(struct byw_lanes *ln, uint32_t slot);

#endif
