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
    store->wrong = store->wrong_fill = NULL;
    if (store->records == NULL || store->marked == NULL)
        return BYW_ENOMEM;
    byw_tag_store_clear(store);
    return BYW_OK;
}

void byw_tag_store_release(struct byw_tag_store *store)
{
    free(store->records);
    free(store->marked);
    free(store->wrong);
    free(store->wrong_fill);
    store->records = NULL;
    store->marked = NULL;
    store->wrong = store->wrong_fill = NULL;
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

enum byw_status byw_tag_store_add_parity(struct byw_tag_store *store, bool two_copies)
{
    store->wrong = calloc(store->geo.sets, sizeof(*store->wrong));
    if (two_copies)
        store->wrong_fill = calloc(store->geo.sets, sizeof(*store->wrong_fill));
    return store->wrong != NULL && (!two_copies || store->wrong_fill != NULL) ? BYW_OK : BYW_ENOMEM;
}

void byw_tag_store_flip(struct byw_tag_mask *wrong, uint32_t set, uint32_t tag)
{
    wrong[set].w[tag / 64] ^= byw_bit64(tag % 64);
}

bool byw_tag_store_bad(const struct byw_tag_store *store, uint32_t set,
                       const struct byw_tag_mask *wrong, enum byw_tag_status least)
{
    const struct byw_set *record = byw_tag_store_set(store, set);
    uint32_t i;

    for (i = 0; i < store->geo.tag_ways; i++)
        if ((wrong->w[i / 64] & byw_bit64(i % 64)) != 0 && record->tag[i].status >= least)
            return true;
    return false;
}
