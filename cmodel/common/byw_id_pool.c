/* SPDX-License-Identifier: Apache-2.0 */
#include "common/byw_id_pool.h"

#include <assert.h>
#include <stdlib.h>

enum byw_status byw_id_pool_init(struct byw_id_pool *pool, uint32_t size)
{
    pool->size = size;
    pool->free = calloc((size + 63) / 64, sizeof(pool->free[0]));
    if (pool->free == NULL)
        return BYW_ENOMEM;
    byw_id_pool_clear(pool);
    return BYW_OK;
}

void byw_id_pool_release(struct byw_id_pool *pool)
{
    free(pool->free);
    pool->free = NULL;
}

void byw_id_pool_clear(struct byw_id_pool *pool)
{
    uint32_t i;

    pool->used = 0;
    for (i = 0; i < pool->size; i += 64)
        pool->free[i / 64] = byw_mask64(pool->size - i < 64 ? pool->size - i : 64);
}

uint32_t byw_id_pool_take(struct byw_id_pool *pool)
{
    uint32_t word = 0, id;

    assert(byw_id_pool_any(pool));
    while (pool->free[word] == 0)
        word++;
    id = word * 64 + byw_ctz64(pool->free[word]);
    pool->free[word] &= pool->free[word] - 1;
    pool->used++;
    return id;
}

void byw_id_pool_give(struct byw_id_pool *pool, uint32_t id)
{
    assert(byw_id_pool_taken(pool, id));
    pool->free[id / 64] |= byw_bit64(id % 64);
    pool->used--;
}
