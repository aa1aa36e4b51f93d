/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_miss_queue.h - the one ordered queue from the cache to the crossbar.
 *
 * Misses, stores, write-backs and bypasses leave in the order in which they were accepted.  So a
 * load never overtakes an older store to its line, on either path (mechanisms/cache.md 0.2).  Two
 * pools have separate credits: one for misses, stores and write-backs, one for bypasses.  A full
 * miss pool does not block bypasses, nor the reverse.  The storage is the sum of both pools.
 *
 * One push and one pop per cycle.  A slot freed by a pop can be taken from the next cycle on, and a
 * pushed request can be popped from the next cycle on.
 */
#ifndef BYW_MISS_QUEUE_H
#define BYW_MISS_QUEUE_H

#include <stddef.h>

#include "common/byw_status.h"
#include "l1d/byw_l1d_ports.h"

enum byw_pool { BYW_POOL_MISS, BYW_POOL_BYPASS, BYW_POOL_COUNT };

struct byw_miss_queue {
    uint32_t depth[BYW_POOL_COUNT];
    uint32_t level[BYW_POOL_COUNT];
    uint32_t size; /* entries: sum of the depths */
    uint32_t head; /* next to leave */
    uint32_t count; /* sum of the levels */
    uint32_t beat_bytes;
    struct byw_mem_req *entry;
    uint8_t *data; /* bytes, one beat per entry; NULL without data */
};

enum byw_status byw_miss_queue_init(struct byw_miss_queue *q, uint32_t miss_depth,
                                    uint32_t bypass_depth, uint32_t beat_bytes, bool with_data);
void byw_miss_queue_release(struct byw_miss_queue *q);
void byw_miss_queue_clear(struct byw_miss_queue *q);

static inline bool byw_miss_queue_room(const struct byw_miss_queue *q, enum byw_pool pool)
{
    return q->level[pool] < q->depth[pool];
}

/* The request at the head; NULL if empty. */
static inline const struct byw_mem_req *byw_miss_queue_head(const struct byw_miss_queue *q)
{
    return q->count == 0 ? NULL : &q->entry[q->head];
}

/* Needs room in the request's pool; copies the request's data. */
void byw_miss_queue_push(struct byw_miss_queue *q, const struct byw_mem_req *req);
void byw_miss_queue_pop(struct byw_miss_queue *q);

#endif
