/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_mshr.h - miss status holding registers of one L1 data cache.
 *
 * One register per outstanding fill, each with a list of the requests that wait for it; the first
 * is the miss itself.  Life of a register:
 *
 *   free -> attached    a load misses (byw_mshr_alloc); later loads of the line merge
 *        -> detached    invalidate-on-fill: its line was given up; it matches no lookup any more,
 * so that a later load of the line starts a new fetch
 *        -> draining    the fill came (byw_mshr_fill); matches no lookup; the list is answered
 *        -> free        the last one was answered (byw_mshr_free)
 *
 * At most one attached register per line; of an allocate-on-fill cache, per sector: its `line` is
 * the line address followed by the sector's number, and set, tag and way mean nothing before
 * the fill.  Registers are taken in the order in which they were freed.  In hardware the lookup
 * compares all registers at once; here a chained table gives the same answer, and what registers in
 * use hold is packed, however many there are: it stays in the host's caches.
 */
#ifndef BYW_MSHR_H
#define BYW_MSHR_H

#include "common/byw_id_pool.h"

enum { BYW_MSHR_NONE = 0xffff, BYW_MSHR_NEAR = 4 };

struct byw_mshr_entry {
    uint64_t line; /* or sector, see above */
    uint64_t near[BYW_MSHR_NEAR]; /* the list's first, here because most have no others */
    uint32_t set; /* where the fill goes */
    uint32_t pc; /* of the miss */
    uint16_t tag;
    uint16_t way;
    uint16_t count; /* requests in the list, the first included */
    uint16_t next; /* register of the same bucket */
    bool attached;
    bool draining;
    bool last; /* allocate on fill: the line is inserted as the next to go */
};

_Static_assert(sizeof(struct byw_mshr_entry) == 64, "what a register holds is a cache line");

struct byw_mshr {
    struct byw_id_pool pool;
    uint32_t merges; /* room of a list */
    uint32_t bucket_mask;
    uint16_t *bucket; /* heads of the lookup chains */
    uint16_t *place; /* by register: of its entry; that of free ones is 0 */
    uint16_t *spare; /* places given back, the last one at the end */
    uint16_t spares;
    uint16_t fresh_place; /* from here on none has ever been used */
    struct byw_mshr_entry *entry; /* by place */
    uint64_t
        *target; /* the lists, `merges` per place: requester id, above it (bit 32 on) the beat */
};

/* entries 1..4096, merges 1..64 */
enum byw_status byw_mshr_init(struct byw_mshr *mshr, uint32_t entries, uint32_t merges);
void byw_mshr_release(struct byw_mshr *mshr);
void byw_mshr_clear(struct byw_mshr *mshr);

static inline bool byw_mshr_any_free(const struct byw_mshr *mshr)
{
    return byw_id_pool_any(&mshr->pool);
}

/* What register n holds; a free one nothing. */
static inline struct byw_mshr_entry *byw_mshr_at(const struct byw_mshr *mshr, uint32_t n)
{
    return &mshr->entry[mshr->place[n]];
}

static inline bool byw_mshr_has_room(const struct byw_mshr *mshr, uint32_t n)
{
    return byw_mshr_at(mshr, n)->count < mshr->merges;
}

/* Brings into the host's cache what byw_mshr_lookup() will look at first. */
void byw_mshr_prefetch(const struct byw_mshr *mshr, uint64_t line);

/* The attached register of the line, or BYW_MSHR_NONE. */
uint32_t byw_mshr_lookup(const struct byw_mshr *mshr, uint64_t line);

/* Needs byw_mshr_any_free() and no attached register for the line. */
uint32_t byw_mshr_alloc(struct byw_mshr *mshr, uint64_t line, uint32_t set, uint32_t tag,
                        uint32_t way, uint64_t target);
void byw_mshr_merge(struct byw_mshr *mshr, uint32_t n, uint64_t target);
void byw_mshr_detach(struct byw_mshr *mshr, uint32_t n);
void byw_mshr_detach_all(struct byw_mshr *mshr);

/* The fill of register n came; true if it was attached (the line is to be kept). */
bool byw_mshr_fill(struct byw_mshr *mshr, uint32_t n);
void byw_mshr_free(struct byw_mshr *mshr, uint32_t n);

static inline uint64_t byw_mshr_target(const struct byw_mshr *mshr, uint32_t n, uint32_t i)
{
    if (i < BYW_MSHR_NEAR)
        return byw_mshr_at(mshr, n)->near[i];
    return mshr->target[mshr->place[n] * mshr->merges + i];
}

#endif
