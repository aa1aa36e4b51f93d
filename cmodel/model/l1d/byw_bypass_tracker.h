/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_bypass_tracker.h - keeps the requester's id of a bypassed load or atomic until its response
 * arrives.
 *
 * The tracker number is the id of the memory request; the requester's id stays here.  This is the
 * hidden cost of the bypass path (mechanisms/cache.md 0.2).  Responses may arrive in any order.
 * Trackers are taken in the order in which they were freed.  A tracker freed in a cycle can be
 * taken from the next cycle on.
 */
#ifndef BYW_BYPASS_TRACKER_H
#define BYW_BYPASS_TRACKER_H

#include "common/byw_id_pool.h"

struct byw_bypass_tracker {
    struct byw_id_pool pool;
    uint32_t *id;
};

enum byw_status byw_bypass_tracker_init(struct byw_bypass_tracker *bt, uint32_t entries);
void byw_bypass_tracker_release(struct byw_bypass_tracker *bt);
void byw_bypass_tracker_clear(struct byw_bypass_tracker *bt);

/* Needs a free tracker (byw_id_pool_any); returns its number. */
uint32_t byw_bypass_tracker_take(struct byw_bypass_tracker *bt, uint32_t id);

/* The response for tracker n arrived: frees the tracker and returns the requester's id. */
uint32_t byw_bypass_tracker_give(struct byw_bypass_tracker *bt, uint32_t n);

#endif
