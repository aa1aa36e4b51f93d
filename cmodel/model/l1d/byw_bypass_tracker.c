/* SPDX-License-Identifier: Apache-2.0 */
#include "l1d/byw_bypass_tracker.h"

#include <stdlib.h>

enum byw_status byw_bypass_tracker_init(struct byw_bypass_tracker *bt, uint32_t entries)
{
    *bt = (struct byw_bypass_tracker){0};
    bt->id = calloc(entries, sizeof(bt->id[0]));
    if (bt->id != NULL && byw_id_pool_init(&bt->pool, entries) == BYW_OK)
        return BYW_OK;
    byw_bypass_tracker_release(bt);
    return BYW_ENOMEM;
}

void byw_bypass_tracker_release(struct byw_bypass_tracker *bt)
{
    byw_id_pool_release(&bt->pool);
    free(bt->id);
    bt->id = NULL;
}

void byw_bypass_tracker_clear(struct byw_bypass_tracker *bt)
{
    byw_id_pool_clear(&bt->pool);
}

uint32_t byw_bypass_tracker_take(struct byw_bypass_tracker *bt, uint32_t id)
{
    uint32_t n = byw_id_pool_take(&bt->pool);

    bt->id[n] = id;
    return n;
}

uint32_t byw_bypass_tracker_give(struct byw_bypass_tracker *bt, uint32_t n)
{
    byw_id_pool_give(&bt->pool, n);
    return bt->id[n];
}
