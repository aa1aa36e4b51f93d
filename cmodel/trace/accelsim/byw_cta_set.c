/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/accelsim/byw_cta_set.h"

#include <stdlib.h>
#include <string.h>

#include "common/byw_array.h"

#define BLOCK_CTAS 512u
#define WORD_BITS 64u

struct byw_cta_block {
    uint64_t word[BLOCK_CTAS / WORD_BITS];
};

void byw_cta_set_start(struct byw_cta_set *set, const uint32_t grid[3])
{
    memcpy(set->grid, grid, sizeof(set->grid));
    set->before = 0;
    byw_intern_clear(&set->numbers);
}

void byw_cta_set_release(struct byw_cta_set *set)
{
    byw_intern_release(&set->numbers);
    free(set->block);
    *set = (struct byw_cta_set){.before = 0};
}

/* The block of a CTA, empty if it is new; NULL if out of memory. */
static struct byw_cta_block *block_of(struct byw_cta_set *set, uint64_t number)
{
    uint64_t key = number / BLOCK_CTAS;
    uint32_t index;
    bool is_new;

    if (!byw_intern_add(&set->numbers, &key, sizeof(key), &index, &is_new))
        return NULL;
    if (!BYW_ARRAY_ROOM(set->block, set->room, index + 1u))
        return NULL;
    if (is_new)
        set->block[index] = (struct byw_cta_block){.word = {0}};
    return &set->block[index];
}

static bool is_in(const struct byw_cta_set *set, uint64_t number)
{
    uint64_t key = number / BLOCK_CTAS;
    uint32_t bit = (uint32_t)(number % BLOCK_CTAS), index;

    if (number < set->before)
        return true;
    return byw_intern_find(&set->numbers, &key, sizeof(key), &index) &&
           (set->block[index].word[bit / WORD_BITS] >> bit % WORD_BITS & 1) != 0;
}

bool byw_cta_set_add(struct byw_cta_set *set, const uint32_t id[3], bool *again)
{
    uint64_t number = ((uint64_t)id[2] * set->grid[1] + id[1]) * set->grid[0] + id[0];
    uint32_t bit = (uint32_t)(number % BLOCK_CTAS);
    struct byw_cta_block *block;

    *again = is_in(set, number);
    if (*again)
        return true;
    if (number == set->before && set->numbers.count == 0) {
        set->before++;
        return true;
    }
    block = block_of(set, number);
    if (block == NULL)
        return false;
    block->word[bit / WORD_BITS] |= 1ull << bit % WORD_BITS;
    return true;
}

void byw_cta_set_missing(const struct byw_cta_set *set, uint32_t id[3])
{
    uint64_t number = set->before;

    while (is_in(set, number))
        number++;
    id[0] = (uint32_t)(number % set->grid[0]);
    id[1] = (uint32_t)(number / set->grid[0] % set->grid[1]);
    id[2] = (uint32_t)(number / set->grid[0] / set->grid[1]);
}
