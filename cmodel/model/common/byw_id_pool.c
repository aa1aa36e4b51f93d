/* SPDX-License-Identifier: Apache-2.0 */
#include "common/byw_id_pool.h"

#include <assert.h>
#include <stdlib.h>

enum byw_status byw_id_pool_init(struct byw_id_pool *pool, uint32_t size)
{
    pool->size = size;
    pool->free = calloc((size + 63) / 64, sizeof(pool->free[0]));
    pool->ring = malloc(size * sizeof(pool->ring[0])); /* each entry is written before it is read */
    if (pool->free == NULL || pool->ring == NULL) {
        byw_id_pool_release(pool);
        return BYW_ENOMEM;
    }
    byw_id_pool_clear(pool);
    return BYW_OK;
}

void byw_id_pool_release(struct byw_id_pool *pool)
{
    free(pool->free);
    free(pool->ring);
    pool->free = NULL;
    pool->ring = NULL;
}

void byw_id_pool_clear(struct byw_id_pool *pool)
{
    uint32_t i;

    pool->used = pool->fresh = pool->head = pool->tail = 0;
    for (i = 0; i < pool->size; i += 64)
        pool->free[i / 64] = byw_mask64(pool->size - i < 64 ? pool->size - i : 64);
}

static uint32_t after(const struct byw_id_pool *pool, uint32_t place)
{
    return place + 1 == pool->size ? 0 : place + 1;
}

uint32_t byw_id_pool_take(struct byw_id_pool *pool)
{
    uint32_t id = pool->fresh;

    assert(byw_id_pool_any(pool));
    if (pool->fresh < pool->size) {
        pool->fresh++;
    } else {
        id = pool->ring[pool->head];
        pool->head = after(pool, pool->head);
    }
    pool->free[id / 64] &= ~byw_bit64(id % 64);
    pool->used++;
    return id;
}

void byw_id_pool_give(struct byw_id_pool *pool, uint32_t id)
{
    assert(byw_id_pool_taken(pool, id));
    pool->free[id / 64] |= byw_bit64(id % 64);
    pool->ring[pool->tail] = id;
    pool->tail = after(pool, pool->tail);
    pool->used--;
}
