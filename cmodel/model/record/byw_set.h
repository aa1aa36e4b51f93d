/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_set.h - the record of one set of an L1 data cache, and the operations on it.
 *
 * A set record (struct byw_set) has tag ways and data ways.  A tag way has a tag, status, reference
 * counter RC, Position and tag LRU age; a data way has an owner, replacement state and two bits.
 * There are at least as many tag ways as data ways, so that the tags can track more lines than the
 * data store holds (paper 000, section 4.1).
 *
 *   candidate   tag valid, no data line
 *   committed   tag valid; Position names the data way that it owns, whose pending bit
 *               says whether the fill is in flight
 *
 * The pending bits are flags outside the record RAM: a fill clears one without writing the
 * record, so a fill and a decision may work on one set in the same cycle.  The paper's Free_Line is
 * the number of clear bits of `used`.
 *
 * Calls on a struct byw_set are pure functions of the record and their arguments.
 */
#ifndef BYW_SET_H
#define BYW_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/byw_bits.h"

struct byw_config;

enum {
    BYW_TAG_WAYS_MAX = 128,
    BYW_DATA_WAYS_MAX = 64,
    BYW_SECTORS_MAX = 8,
    BYW_SET_HINTS = 32,
    BYW_NONE = -1
};

/* The key of an invalid tag way; no line address is that large. */
#define BYW_NO_KEY UINT64_MAX

enum byw_tag_status { BYW_TAG_INVALID, BYW_TAG_CANDIDATE, BYW_TAG_COMMITTED };

struct byw_tag {
    uint64_t key; /* line address above the set index */
    uint8_t status; /* enum byw_tag_status */
    uint8_t rc; /* reference counter; valid tags only */
    uint8_t pos; /* Position: data way; committed tags only */
    uint8_t age; /* tag LRU: 0 = most recently touched; the ages of a set are a permutation */
    uint8_t sectors; /* sector valid bits of a committed tag; 1 if the line is not sectored */
};

struct byw_way {
    uint8_t owner; /* back pointer: the tag way whose Position is this way; valid if used */
    bool reused; /* hit since its fill */
};

struct byw_set {
    uint64_t used; /* bit per data way: owned by a tag */
    uint64_t pending; /* bit per data way: owned, fill outstanding */
    /* Accelerate byw_set_match() in a set of many ways: `hint` has the way where a key with these
     * low bits was last put, `print` has one byte of each tag way's key.  They are not state: the
     * result is the same without them. */
    uint8_t hint[BYW_SET_HINTS];
    uint8_t spare[16]; /* padding: the fields read first by an access fill one cache line, as do
                        * four tags */
    uint8_t rank[BYW_DATA_WAYS_MAX]; /* per data way: state of the replacement policy */
    struct byw_way way[BYW_DATA_WAYS_MAX];
    uint8_t print[BYW_TAG_WAYS_MAX];
    struct byw_tag tag[]; /* tag_ways of them */
};

struct byw_geometry {
    uint32_t sets; /* power of two */
    uint32_t set_bits;
    uint32_t tag_ways;
    uint32_t data_ways;
    uint32_t line_bits; /* log2 of the line size */
    uint32_t index; /* BYW_INDEX_LINEAR, BYW_INDEX_FERMI (32 or 64 sets), BYW_INDEX_FOLD */
};

/* The sets of this L1D with `tag_ways` tags each.  The hash of GPGPU-Sim's GTX 480 exists for 32
 * and 64 sets; with l1d.index = fermi an L1D with another number of sets folds all address bits. */
struct byw_geometry byw_geometry_of(const struct byw_config *config, uint32_t tag_ways);

/* Set index of a line (mechanisms/cache.md 0.4), its key, and the line from both. */
uint32_t byw_set_index(const struct byw_geometry *geo, uint64_t line);
static inline uint64_t byw_set_key(const struct byw_geometry *geo, uint64_t line)
{
    return line >> geo->set_bits;
}
uint64_t byw_set_line(const struct byw_geometry *geo, uint32_t index, uint64_t key);

size_t byw_set_bytes(const struct byw_geometry *geo); /* size of one record */

/* Empty record: every tag invalid, every data line free; replacement state as after reset. */
void byw_set_clear(const struct byw_geometry *geo, struct byw_set *set);

/* Prefetches into the host's cache the tag that byw_set_match() is likely to find in a set of many
 * ways. */
void byw_set_prefetch(const struct byw_geometry *geo, const struct byw_set *set, uint64_t key);

/* The tag way that holds key, or BYW_NONE. */
int byw_set_match(const struct byw_geometry *geo, const struct byw_set *set, uint64_t key);

/* Whether tag way `tag` is committed and its fill is outstanding. */
static inline bool byw_set_pending(const struct byw_set *set, int tag)
{
    return set->tag[tag].status == BYW_TAG_COMMITTED &&
           (set->pending & byw_bit64(set->tag[tag].pos)) != 0;
}

/* The paper's Free_Line. */
static inline uint32_t byw_set_free_lines(const struct byw_geometry *geo, const struct byw_set *set)
{
    return geo->data_ways - byw_popcount64(set->used);
}

/* Makes tag way `tag` the most recently used in the tag LRU. */
void byw_set_touch_tag(const struct byw_geometry *geo, struct byw_set *set, int tag);

/* Writes a candidate into tag way `tag`; the way must not own a line. */
void byw_set_install(struct byw_set *set, int tag, uint64_t key, uint8_t rc);

/* Gives data way `way` (free) to tag way `tag` (not committed); the line's fill is outstanding. */
void byw_set_commit(struct byw_set *set, int tag, uint32_t way);

/* Takes the data line from tag way `tag`. keep_tag: the tag stays as a candidate with RC 0. */
void byw_set_uncommit(struct byw_set *set, int tag, bool keep_tag);

/* The fill of the tag's line failed: as byw_set_uncommit(), but a kept tag keeps its RC. */
void byw_set_fail(struct byw_set *set, int tag, bool keep_tag);

/* Drops every candidate (the filter was switched off, mechanisms/sm_duel.md 1.5). */
void byw_set_drop_candidates(const struct byw_geometry *geo, struct byw_set *set);

/* Checks the invariants of a record (mechanisms/across.md 15.1, assertions 1 to 3 and the tag LRU).
 * Returns NULL, or a constant text that names the broken one. */
const char *byw_set_check(const struct byw_geometry *geo, const struct byw_set *set);

#endif
