/* SPDX-License-Identifier: Apache-2.0 */
#include "l1d/byw_mshr.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "common/byw_heap.h"

/* Enough buckets for the MSHRs in use at a time, even if there are thousands: a lookup that finds
 * nothing should read one chain head and no entry. */
enum { BUCKETS_MAX = 4096 };

static size_t target_bytes(uint32_t entries, uint32_t merges)
{
    return (size_t)(entries + 1) * merges * sizeof(uint64_t);
}

enum byw_status byw_mshr_init(struct byw_mshr *mshr, uint32_t entries, uint32_t merges)
{
    uint32_t buckets = UINT32_C(2) << byw_clog2(entries);

    if (buckets > BUCKETS_MAX)
        buckets = BUCKETS_MAX;
    *mshr =
        (struct byw_mshr){.pool = {.size = entries}, .merges = merges, .bucket_mask = buckets - 1};
    mshr->bucket = malloc(buckets * sizeof(mshr->bucket[0]));
    mshr->place = calloc(entries, sizeof(mshr->place[0]));
    mshr->spare = malloc(entries * sizeof(mshr->spare[0]));
    mshr->entry = aligned_alloc(sizeof(mshr->entry[0]), (entries + 1) * sizeof(mshr->entry[0]));
    mshr->target = byw_heap_sparse(target_bytes(entries, merges));
    if (mshr->bucket == NULL || mshr->place == NULL || mshr->spare == NULL || mshr->entry == NULL ||
        mshr->target == NULL || byw_id_pool_init(&mshr->pool, entries) != BYW_OK) {
        byw_mshr_release(mshr);
        return BYW_ENOMEM;
    }
    byw_mshr_clear(mshr);
    return BYW_OK;
}

void byw_mshr_release(struct byw_mshr *mshr)
{
    byw_id_pool_release(&mshr->pool);
    free(mshr->bucket);
    free(mshr->place);
    free(mshr->spare);
    free(mshr->entry);
    byw_heap_sparse_free(mshr->target, target_bytes(mshr->pool.size, mshr->merges));
    *mshr = (struct byw_mshr){0};
}

void byw_mshr_clear(struct byw_mshr *mshr)
{
    uint32_t i;

    for (i = 0; i < mshr->pool.fresh; i++) /* the others were never used */
        mshr->place[i] = 0;
    byw_id_pool_clear(&mshr->pool);
    mshr->entry[0] = (struct byw_mshr_entry){.next = 0};
    mshr->spares = 0;
    mshr->fresh_place = 1;
    memset(mshr->bucket, 0, (mshr->bucket_mask + 1) * sizeof(mshr->bucket[0]));
}

static uint16_t *bucket_of(const struct byw_mshr *mshr, uint64_t line)
{
    return &mshr->bucket[(line ^ line >> 12) & mshr->bucket_mask];
}

void byw_mshr_prefetch(const struct byw_mshr *mshr, uint64_t line)
{
    byw_prefetch(bucket_of(mshr, line));
}

uint32_t byw_mshr_lookup(const struct byw_mshr *mshr, uint64_t line)
{
    uint32_t place = *bucket_of(mshr, line);

    while (place != 0 && mshr->entry[place].line != line)
        place = mshr->entry[place].next;
    return place != 0 ? mshr->entry[place].number : BYW_MSHR_NONE;
}

static uint16_t take_place(struct byw_mshr *mshr)
{
    if (mshr->spares == 0)
        return mshr->fresh_place++;
    return mshr->spare[--mshr->spares];
}

uint32_t byw_mshr_alloc(struct byw_mshr *mshr, uint64_t line, uint32_t set, uint32_t tag,
                        uint32_t way, uint64_t target)
{
    uint32_t n = byw_id_pool_take(&mshr->pool);
    uint16_t *head = bucket_of(mshr, line);

    assert(byw_mshr_lookup(mshr, line) == BYW_MSHR_NONE);
    mshr->place[n] = take_place(mshr);
    mshr->entry[mshr->place[n]] = (struct byw_mshr_entry){
        .line = line,
        .near = {target},
        .set = set,
        .tag = (uint16_t)tag,
        .way = (uint16_t)way,
        .count = 1,
        .next = *head,
        .number = (uint16_t)n,
        .attached = true,
    };
    *head = mshr->place[n];
    return n;
}

void byw_mshr_merge(struct byw_mshr *mshr, uint32_t n, uint64_t target)
{
    struct byw_mshr_entry *entry = byw_mshr_at(mshr, n);

    assert(entry->attached && entry->count < mshr->merges);
    if (entry->count < BYW_MSHR_NEAR)
        entry->near[entry->count] = target;
    else
        mshr->target[mshr->place[n] * mshr->merges + entry->count] = target;
    entry->count++;
}

void byw_mshr_detach(struct byw_mshr *mshr, uint32_t n)
{
    struct byw_mshr_entry *entry = byw_mshr_at(mshr, n);
    uint16_t *link = bucket_of(mshr, entry->line);

    assert(entry->attached);
    while (&mshr->entry[*link] != entry)
        link = &mshr->entry[*link].next;
    *link = entry->next;
    entry->next = 0;
    entry->attached = false;
}

void byw_mshr_detach_all(struct byw_mshr *mshr)
{
    uint32_t n;

    for (n = 0; mshr->pool.used != 0 && n < mshr->pool.fresh; n++)
        if (byw_mshr_at(mshr, n)->attached)
            byw_mshr_detach(mshr, n);
}

bool byw_mshr_fill(struct byw_mshr *mshr, uint32_t n)
{
    bool keep = byw_mshr_at(mshr, n)->attached;

    assert(byw_id_pool_taken(&mshr->pool, n) && !byw_mshr_at(mshr, n)->draining);
    if (keep)
        byw_mshr_detach(mshr, n);
    byw_mshr_at(mshr, n)->draining = true;
    return keep;
}

void byw_mshr_free(struct byw_mshr *mshr, uint32_t n)
{
    assert(byw_mshr_at(mshr, n)->draining);
    mshr->spare[mshr->spares++] = mshr->place[n];
    mshr->place[n] = 0;
    byw_id_pool_give(&mshr->pool, n);
}
