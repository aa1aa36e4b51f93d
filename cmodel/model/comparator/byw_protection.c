/* SPDX-License-Identifier: Apache-2.0 */
#include "comparator/byw_protection.h"

#include <stdlib.h>
#include <string.h>

#include "common/byw_bits.h"
#include "record/byw_set.h"

enum { NO_BLOCK = UINT32_MAX };

enum byw_status byw_protection_init(struct byw_protection *p, const struct byw_mech_setup *setup,
                                    uint32_t step)
{
    *p = (struct byw_protection){
        .sets = setup->sets,
        .ways = setup->ways,
        .mshrs = setup->mshrs,
        .step = step,
        .on_miss = setup->config->l1d_alloc == BYW_ALLOC_ON_MISS,
        .distance = calloc(setup->blocks, 1),
        .place = calloc(setup->blocks, 1),
        .used_at = calloc(setup->blocks, sizeof(*p->used_at)),
        .since = calloc(setup->sets, sizeof(*p->since)),
        .block_of = calloc(setup->mshrs, sizeof(*p->block_of)),
    };
    if (p->distance == NULL || p->place == NULL || p->used_at == NULL || p->since == NULL ||
        p->block_of == NULL)
        return BYW_ENOMEM;
    byw_protection_clear(p);
    return BYW_OK;
}

void byw_protection_release(struct byw_protection *p)
{
    free(p->distance);
    free(p->place);
    free(p->used_at);
    free(p->since);
    free(p->block_of);
}

void byw_protection_clear(struct byw_protection *p)
{
    memset(p->distance, 0, (size_t)p->sets * p->ways);
    memset(p->place, BYW_BLOCK_FREE, (size_t)p->sets * p->ways);
    memset(p->since, 0, p->sets * sizeof(*p->since));
    for (uint32_t i = 0; i < p->mshrs; i++)
        p->block_of[i] = NO_BLOCK;
}

void byw_protection_use(struct byw_protection *p, uint32_t block, uint32_t steps)
{
    p->distance[block] = (uint8_t)steps;
    p->used_at[block] = ++p->uses;
}

void byw_protection_age(struct byw_protection *p, uint32_t set)
{
    uint8_t *distance = &p->distance[set * p->ways];

    if (++p->since[set] < p->step)
        return;
    p->since[set] = 0;
    for (uint32_t way = 0; way < p->ways; way++)
        distance[way] = (uint8_t)(distance[way] - (distance[way] != 0));
}

bool byw_protection_is_full(const struct byw_protection *p, uint32_t set, bool waits)
{
    uint32_t first = set * p->ways;

    for (uint32_t b = first; b < first + p->ways; b++)
        if (p->place[b] == BYW_BLOCK_FREE ||
            (p->distance[b] == 0 && (p->place[b] == BYW_BLOCK_FILLED || waits)))
            return false;
    return true;
}

static bool before(const struct byw_protection *p, uint32_t a, uint32_t b)
{
    if (p->distance[a] != p->distance[b])
        return p->distance[a] < p->distance[b];
    return p->used_at[a] < p->used_at[b];
}

int byw_protection_victim(const struct byw_protection *p, uint32_t set, uint64_t eligible)
{
    uint32_t first = set * p->ways;
    int chosen = BYW_NONE;

    for (uint32_t way = 0; way < p->ways; way++)
        if ((eligible >> way & 1) != 0 &&
            (chosen == BYW_NONE || before(p, first + way, first + (uint32_t)chosen)))
            chosen = (int)way;
    return chosen;
}

uint64_t byw_protection_spare(const struct byw_protection *p, uint32_t set, uint64_t eligible)
{
    const uint8_t *distance = &p->distance[set * p->ways];
    uint64_t spare = 0;
    uint32_t least = UINT8_MAX + 1U;

    for (uint32_t way = 0; way < p->ways; way++) {
        if ((eligible >> way & 1) == 0 || distance[way] > least)
            continue;
        spare = distance[way] == least ? spare | byw_bit64(way) : byw_bit64(way);
        least = distance[way];
    }
    return spare;
}

void byw_protection_installed(struct byw_protection *p, uint32_t block, uint32_t mshr)
{
    p->place[block] = p->on_miss ? BYW_BLOCK_COMING : BYW_BLOCK_FILLED;
    if (p->on_miss)
        p->block_of[mshr] = block;
}

void byw_protection_answered(struct byw_protection *p, const struct byw_mech_answer *answer)
{
    if (answer->bypass || p->block_of[answer->ticket] == NO_BLOCK)
        return;
    p->place[p->block_of[answer->ticket]] = BYW_BLOCK_FILLED;
    p->block_of[answer->ticket] = NO_BLOCK;
}

void byw_protection_left(struct byw_protection *p, uint32_t block)
{
    for (uint32_t i = 0; p->place[block] == BYW_BLOCK_COMING && i < p->mshrs; i++)
        if (p->block_of[i] == block)
            p->block_of[i] = NO_BLOCK;
    p->place[block] = BYW_BLOCK_FREE;
    p->distance[block] = 0;
}
