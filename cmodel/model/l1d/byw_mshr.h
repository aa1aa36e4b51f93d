/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_mshr.h - miss status holding registers of one L1 data cache.
 *
 * One MSHR per outstanding fill.  Each has a list of the requests that wait for it; the first is
 * the miss itself.  States of an MSHR:
 *
 *   free -> attached    a load misses (byw_mshr_alloc); later loads of the line merge
 *        -> detached    invalidate-on-fill: its line was given up; lookups no longer match it,
 *                       so a later load of the line starts a new fetch
 *        -> draining    the fill arrived (byw_mshr_fill); matches no lookup; the list is answered
 *        -> free        the last request was answered (byw_mshr_free)
 *
 * There is at most one attached MSHR per line.  With allocate-on-fill it is one per sector: `line`
 * is the line address followed by the sector number, and set, tag and way are undefined before the
 * fill.  MSHRs are taken in the order in which they were freed.  In hardware, a lookup compares all
 * MSHRs at once.  Here a chained table gives the same result, and the entries in use are packed so
 * that they stay in the host's caches.
 */
#ifndef BYW_MSHR_H
#define BYW_MSHR_H

#include "common/byw_id_pool.h"

enum { BYW_MSHR_NONE = 0xffff, BYW_MSHR_NEAR = 4 };

struct byw_mshr_entry {
    uint64_t line; /* line address or, with allocate-on-fill, line and sector number */
    uint64_t near[BYW_MSHR_NEAR]; /* the first targets of the list; most lists have no more */
    uint32_t set; /* set that the fill goes to */
    uint32_t pc; /* PC of the miss */
    uint16_t tag;
    uint16_t way;
    uint16_t count; /* requests in the list, including the miss */
    uint16_t next; /* index in `entry` of the next MSHR in the same bucket; 0: none */
    uint16_t number; /* MSHR number */
    bool attached;
    bool draining;
    bool last; /* allocate-on-fill: insert the line as the next victim */
};

_Static_assert(sizeof(struct byw_mshr_entry) == 64, "an entry is one cache line");

struct byw_mshr {
    struct byw_id_pool pool;
    uint32_t merges; /* most requests per list */
    uint32_t bucket_mask;
    uint16_t *bucket; /* heads of the lookup chains, as indices in `entry` */
    uint16_t *place; /* by MSHR number: index of its entry; 0 if free */
    uint16_t *spare; /* stack of free indices in `entry` */
    uint16_t spares;
    uint16_t fresh_place; /* lowest index in `entry` never used */
    struct byw_mshr_entry *entry; /* entries, by index */
    uint64_t *target; /* the lists, `merges` per index of `entry`: requester id in bits 31:0, beat
                         above */
};

/* entries 1..4096, merges 1..64 */
enum byw_status byw_mshr_init(struct byw_mshr *mshr, uint32_t entries, uint32_t merges);
void byw_mshr_release(struct byw_mshr *mshr);
void byw_mshr_clear(struct byw_mshr *mshr);

static inline bool byw_mshr_any_free(const struct byw_mshr *mshr)
{
    return byw_id_pool_any(&mshr->pool);
}

/* The entry of MSHR n; a free MSHR has an empty one. */
static inline struct byw_mshr_entry *byw_mshr_at(const struct byw_mshr *mshr, uint32_t n)
{
    return &mshr->entry[mshr->place[n]];
}

static inline bool byw_mshr_has_room(const struct byw_mshr *mshr, uint32_t n)
{
    return byw_mshr_at(mshr, n)->count < mshr->merges;
}

/* Prefetches into the host's cache what byw_mshr_lookup() reads first. */
void byw_mshr_prefetch(const struct byw_mshr *mshr, uint64_t line);

/* MSHR n will get its fill soon: prefetches its entry. */
static inline void byw_mshr_prefetch_entry(const struct byw_mshr *mshr, uint32_t n)
{
    byw_prefetch(byw_mshr_at(mshr, n));
}

/* The attached MSHR of the line, or BYW_MSHR_NONE. */
uint32_t byw_mshr_lookup(const struct byw_mshr *mshr, uint64_t line);

/* Needs byw_mshr_any_free() and no attached MSHR for the line. */
uint32_t byw_mshr_alloc(struct byw_mshr *mshr, uint64_t line, uint32_t set, uint32_t tag,
                        uint32_t way, uint64_t target);
void byw_mshr_merge(struct byw_mshr *mshr, uint32_t n, uint64_t target);
void byw_mshr_detach(struct byw_mshr *mshr, uint32_t n);
void byw_mshr_detach_all(struct byw_mshr *mshr);

/* The fill of MSHR n arrived.  Returns true if it was attached (the line is kept). */
bool byw_mshr_fill(struct byw_mshr *mshr, uint32_t n);
void byw_mshr_free(struct byw_mshr *mshr, uint32_t n);

static inline uint64_t byw_mshr_target(const struct byw_mshr *mshr, uint32_t n, uint32_t i)
{
    if (i < BYW_MSHR_NEAR)
        return byw_mshr_at(mshr, n)->near[i];
    return mshr->target[mshr->place[n] * mshr->merges + i];
}

#endif
