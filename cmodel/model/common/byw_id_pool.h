/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_id_pool.h - numbers 0 .. size-1, handed out first in ascending order, then in the order in
 * which they were given back.
 *
 * In hardware: a ring of numbers in a RAM, and counters.  The MSHRs and the bypass trackers use it.
 * A number given back in a cycle can be taken from the next cycle on, so a unit takes before it
 * gives.
 */
#ifndef BYW_ID_POOL_H
#define BYW_ID_POOL_H

#include <stdbool.h>
#include <stdint.h>

#include "common/byw_bits.h"
#include "common/byw_status.h"

struct byw_id_pool {
    uint32_t size;
    uint32_t used;
    uint32_t fresh; /* lowest number never taken; `size` if all have been taken */
    uint32_t head, tail; /* indices in `ring`: next number to take, next slot to fill */
    uint32_t *ring;
    uint64_t *free; /* bit set = free */
};

enum byw_status byw_id_pool_init(struct byw_id_pool *pool, uint32_t size);
void byw_id_pool_release(struct byw_id_pool *pool);
void byw_id_pool_clear(struct byw_id_pool *pool); /* all free */

static inline bool byw_id_pool_any(const struct byw_id_pool *pool)
{
    return pool->used != pool->size;
}

static inline bool byw_id_pool_taken(const struct byw_id_pool *pool, uint32_t id)
{
    return id < pool->size && (pool->free[id / 64] & byw_bit64(id % 64)) == 0;
}

uint32_t byw_id_pool_take(struct byw_id_pool *pool); /* needs byw_id_pool_any() */
void byw_id_pool_give(struct byw_id_pool *pool, uint32_t id);

#endif
