/* SPDX-License-Identifier: Apache-2.0 */
#include "l1d/byw_tag_store.h"

#include <stdlib.h>
#include <string.h>

enum byw_status byw_tag_store_init(struct byw_tag_store *store, const struct byw_geometry *geo)
{
    store->geo = *geo;
    store->stride = (byw_set_bytes(geo) + 63) / 64 * 64;
    store->records = aligned_alloc(64, store->stride * geo->sets);
    store->marked = malloc(geo->sets);
    if (store->records == NULL || store->marked == NULL)
        return BYW_ENOMEM;
    byw_tag_store_clear(store);
    return BYW_OK;
}

void byw_tag_store_release(struct byw_tag_store *store)
{
    free(store->records);
    free(store->marked);
    store->records = NULL;
    store->marked = NULL;
}

void byw_tag_store_clear(struct byw_tag_store *store)
{
    uint32_t i;

    for (i = 0; i < store->geo.sets; i++)
        byw_set_clear(&store->geo, byw_tag_store_set(store, i));
    memset(store->marked, 0, store->geo.sets);
}

void byw_tag_store_drop_candidates(struct byw_tag_store *store)
{
    uint32_t i;

    for (i = 0; i < store->geo.sets; i++)
        byw_set_drop_candidates(&store->geo, byw_tag_store_set(store, i));
    memset(store->marked, 1, store->geo.sets);
}
