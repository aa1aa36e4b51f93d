/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_index.h - the hash table: finds the elements of an array by their key.
 *
 * The caller keeps keys and values in an array, usually in insertion order, which is also the order
 * to list them in: results must not depend on the order of a hash table.  The index maps the hash
 * of a key to the elements' numbers in that array and does not know the keys. To find or add an
 * element:
 *
 *     uint32_t hash = byw_hash(key), n;
 *
 *     for (uint32_t at = 0; (n = byw_index_next(&t->index, hash, &at)) != BYW_INDEX_END;)
 *         if (t->item[n].key == key)
 *             return &t->item[n];
 *     if (!BYW_ARRAY_ROOM(t->item, t->room, t->count + 1) ||
 *         !byw_index_add(&t->index, hash, (uint32_t)t->count))
 *         return NULL;
 *     t->item[t->count] = (struct item){.key = key};
 *     return &t->item[t->count++];
 *
 * Elements are never removed one at a time.  A zeroed struct is an empty index.
 */
#ifndef BYW_INDEX_H
#define BYW_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BYW_INDEX_END UINT32_MAX

/* Open addressing with linear probing; at most half of the slots are in use. */
struct byw_index {
    struct byw_index_slot {
        uint32_t hash;
        uint32_t number; /* plus one; 0: free */
    } * slot;
    uint32_t mask; /* slots - 1 */
    uint32_t count;
};

/* Hash of a number, and of a key of two numbers. */
static inline uint32_t byw_hash(uint64_t key)
{
    return (uint32_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 32);
}

static inline uint32_t byw_hash2(uint64_t a, uint64_t b)
{
    return byw_hash(a ^ (b + 1) * UINT64_C(0xd6e8feb86659fd93));
}

/* The number of the next element whose key may have this hash; BYW_INDEX_END: no further one.  *at
 * is the position of the search; it starts at 0. */
static inline uint32_t byw_index_next(const struct byw_index *index, uint32_t hash, uint32_t *at)
{
    if (index->count == 0)
        return BYW_INDEX_END;
    for (;;) {
        const struct byw_index_slot *slot = &index->slot[(hash + (*at)++) & index->mask];

        if (slot->number == 0)
            return BYW_INDEX_END;
        if (slot->hash == hash)
            return slot->number - 1;
    }
}

/* Adds an element (number < 2^31) whose key is not in the index.  False if out of memory; the index
 * is then unchanged. */
bool byw_index_add(struct byw_index *index, uint32_t hash, uint32_t number);

/* Removes all elements and keeps the memory. */
void byw_index_clear(struct byw_index *index);
void byw_index_release(struct byw_index *index);

#endif
