/* SPDX-License-Identifier: Apache-2.0 */
#include "common/byw_index.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_SLOTS 64u
#define SLOTS_MAX (UINT32_C(1) << 31)

static void put(struct byw_index *index, struct byw_index_slot entry)
{
    uint32_t i = entry.hash & index->mask;

    while (index->slot[i].number != 0)
        i = (i + 1) & index->mask;
    index->slot[i] = entry;
}

static bool grow(struct byw_index *index)
{
    uint32_t slots = index->slot == NULL ? 0 : index->mask + 1;
    uint32_t next = slots == 0 ? FIRST_SLOTS : 2 * slots;
    struct byw_index larger = {.mask = next - 1, .count = index->count};

    if (slots >= SLOTS_MAX)
        return false;
    larger.slot = calloc(next, sizeof(*larger.slot));
    if (larger.slot == NULL)
        return false;
    for (uint32_t i = 0; i < slots; i++)
        if (index->slot[i].number != 0)
            put(&larger, index->slot[i]);
    free(index->slot);
    *index = larger;
    return true;
}

bool byw_index_add(struct byw_index *index, uint32_t hash, uint32_t number)
{
    if ((index->slot == NULL || index->count > index->mask / 2) && !grow(index))
        return false;
    put(index, (struct byw_index_slot){hash, number + 1});
    index->count++;
    return true;
}

void byw_index_clear(struct byw_index *index)
{
    if (index->count != 0)
        memset(index->slot, 0, ((size_t)index->mask) * sizeof(*index->slot));
    index->count = 0;
}

void byw_index_release(struct byw_index *index)
{
    free(index->slot);
    *index = (struct byw_index){.slot = NULL};
}
