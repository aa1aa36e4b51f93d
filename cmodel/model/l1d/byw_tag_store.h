/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_tag_store.h - the records (record/byw_set.h) of all sets of one L1 data cache.
 *
 * Parity: each tag way has a parity bit over its key, which is right after every write of the key;
 * only byw_tag_store_flip() makes it wrong.  With allocate on fill there are two copies of all
 * records: requests read one, fills the other, and every write of a record writes both.
 */
#ifndef BYW_TAG_STORE_H
#define BYW_TAG_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/byw_bits.h"
#include "common/byw_status.h"
#include "record/byw_set.h"

/* A bit per tag way. */
struct byw_tag_mask {
    uint64_t w[BYW_TAG_WAYS_MAX / 64];
};

struct byw_tag_store {
    struct byw_geometry geo;
    size_t stride; /* bytes from one record to the next */
    unsigned char *records;
    uint8_t *marked; /* per set: a fill failed or the filter was switched off since the record was
                      * written; the RTL has flags for this */
    struct byw_tag_mask *wrong; /* per set: tag ways whose key has wrong parity, in the copy that
                                 * requests read; NULL without parity */
    struct byw_tag_mask *wrong_fill; /* the same for the copy that fills read; NULL without it */
};

enum byw_status byw_tag_store_init(struct byw_tag_store *store, const struct byw_geometry *geo);
void byw_tag_store_release(struct byw_tag_store *store);
void byw_tag_store_clear(struct byw_tag_store *store);
void byw_tag_store_drop_candidates(struct byw_tag_store *store);

/* Adds a parity bit, initially correct, to every key of one or two copies of the records. */
enum byw_status byw_tag_store_add_parity(struct byw_tag_store *store, bool two_copies);

/* Inverts one fixed bit of the key of a tag way in one of the copies. The model's record keeps the
 * right key: a request or fill that reads a key with wrong parity ignores it. Needs parity.
 */
void byw_tag_store_flip(struct byw_tag_mask *wrong, uint32_t set, uint32_t tag);

/* Whether `wrong` contains a tag way of the set whose status is at least `least`. */
bool byw_tag_store_bad(const struct byw_tag_store *store, uint32_t set,
                       const struct byw_tag_mask *wrong, enum byw_tag_status least);

static inline struct byw_set *byw_tag_store_set(const struct byw_tag_store *store, uint32_t index)
{
    return (struct byw_set *)(void *)(store->records + (size_t)index * store->stride);
}

/* Whether the records are so large that byw_set_match() uses the fields `hint` and `print` of
 * byw_set.h, and that the host's cache may not hold them. */
static inline bool byw_tag_store_large(const struct byw_tag_store *store)
{
    return store->geo.tag_ways > 8;
}

/* Prefetches into the host's cache what a cycle soon reads of a record. */
static inline void byw_tag_store_prefetch(const struct byw_tag_store *store, uint32_t index)
{
    const struct byw_set *set = byw_tag_store_set(store, index);

    byw_prefetch(set);
    byw_prefetch(set->rank);
    byw_prefetch(byw_tag_store_large(store) ? (const void *)set->print : set->tag);
}

#endif
