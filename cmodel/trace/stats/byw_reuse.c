/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/stats/byw_reuse.h"

#include <stdlib.h>

#include "common/byw_array.h"
#include "common/byw_index.h"

#define SLOTS_MAX ((uint32_t)1 << 31)
#define NO_SLOT UINT32_MAX

struct seen {
    uint64_t line;
    uint64_t last; /* index of its last reference in the stream */
    uint32_t slot; /* slot of that reference */
    uint32_t count; /* references, up to BYW_REUSE_COUNTS */
};

/* Each reference gets a new slot.  Only the slot of a line's last reference is marked, so the marks
 * above a slot count the distinct lines since then.  When the slots run out, the marked ones are
 * compacted. */
struct byw_reuse {
    struct seen *seen;
    uint32_t lines;
    size_t line_room;
    struct byw_index index; /* index of `seen`, by line */
    uint32_t *owner; /* by slot: index into `seen` */
    uint32_t *tree; /* Fenwick tree over the marks, from 1 */
    uint32_t slots, slot_room;
    size_t owner_room, tree_room;
    struct byw_reuse_counts counts;
};

static bool grow_slots(struct byw_reuse *r, uint32_t room)
{
    if (!BYW_ARRAY_ROOM(r->owner, r->owner_room, room) ||
        !BYW_ARRAY_ROOM(r->tree, r->tree_room, room + 1u))
        return false;
    r->slot_room = room;
    return true;
}

/* Moves the marks to the lowest slots and makes room for as many again after them.  The one line
 * that has no mark at this moment is not counted. */
static bool compact(struct byw_reuse *r)
{
    uint32_t marks = 0, room = r->slot_room;

    for (uint32_t s = 0; s < r->slots; s++) {
        uint32_t i = r->owner[s];

        if (r->seen[i].slot != s)
            continue;
        r->seen[i].slot = marks;
        r->owner[marks++] = i;
    }
    if (room == 0)
        room = 1024;
    while (room / 2 < marks && room < SLOTS_MAX)
        room *= 2;
    if (room != r->slot_room && !grow_slots(r, room))
        return false;
    r->slots = marks;
    for (uint32_t i = 1; i <= r->slot_room; i++) {
        uint32_t below = i - (i & (0 - i)); /* tree[i] sums slots below .. i - 1 */

        r->tree[i] = marks <= below ? 0 : (marks < i ? marks : i) - below;
    }
    return marks < r->slot_room;
}

static void mark(struct byw_reuse *r, uint32_t slot, uint32_t change)
{
    for (uint32_t i = slot + 1; i <= r->slot_room; i += i & (0 - i))
        r->tree[i] += change;
}

/* Number of marks in slots up to `slot`. */
static uint32_t marks_up_to(const struct byw_reuse *r, uint32_t slot)
{
    uint32_t sum = 0;

    for (uint32_t i = slot + 1; i != 0; i &= i - 1)
        sum += r->tree[i];
    return sum;
}

static uint32_t bin_of(uint64_t distance, uint32_t bins)
{
    uint32_t bin = distance == 0 ? 0 : 64 - (uint32_t)__builtin_clzll(distance);

    return bin < bins ? bin : bins - 1;
}

struct byw_reuse *byw_reuse_create(void)
{
    struct byw_reuse *r = calloc(1, sizeof(*r));

    if (r == NULL || !compact(r)) {
        byw_reuse_free(r);
        return NULL;
    }
    return r;
}

void byw_reuse_free(struct byw_reuse *reuse)
{
    if (reuse == NULL)
        return;
    free(reuse->seen);
    byw_index_release(&reuse->index);
    free(reuse->owner);
    free(reuse->tree);
    free(reuse);
}

/* Index of the line in `seen`; UINT32_MAX if it cannot be added. */
static uint32_t find_line(struct byw_reuse *r, uint64_t line)
{
    uint32_t hash = byw_hash(line), n;

    for (uint32_t at = 0; (n = byw_index_next(&r->index, hash, &at)) != BYW_INDEX_END;)
        if (r->seen[n].line == line)
            return n;
    if (!BYW_ARRAY_ROOM(r->seen, r->line_room, r->lines + 1u) ||
        !byw_index_add(&r->index, hash, r->lines))
        return UINT32_MAX;
    r->seen[r->lines] = (struct seen){.line = line, .slot = NO_SLOT};
    return r->lines++;
}

bool byw_reuse_reference(struct byw_reuse *reuse, uint64_t line)
{
    struct byw_reuse_counts *counts = &reuse->counts;
    uint32_t i = find_line(reuse, line);
    struct seen *seen;

    if (i == UINT32_MAX)
        return false;
    seen = &reuse->seen[i];
    if (seen->slot != NO_SLOT) {
        uint64_t between = counts->requests - seen->last - 1;
        uint32_t above = reuse->lines - marks_up_to(reuse, seen->slot);

        counts->distance[bin_of(between, BYW_DISTANCE_BINS)]++;
        counts->stack[bin_of(above, BYW_STACK_BINS)]++;
        mark(reuse, seen->slot, UINT32_MAX);
        seen->slot = NO_SLOT;
        counts->by_count[seen->count - 1]--;
    } else {
        counts->lines++;
    }
    if (reuse->slots == reuse->slot_room && !compact(reuse))
        return false;
    seen->slot = reuse->slots++;
    reuse->owner[seen->slot] = i;
    mark(reuse, seen->slot, 1);
    seen->count += seen->count < BYW_REUSE_COUNTS;
    counts->by_count[seen->count - 1]++;
    seen->last = counts->requests++;
    return true;
}

void byw_reuse_add(const struct byw_reuse *reuse, struct byw_reuse_counts *sum)
{
    const struct byw_reuse_counts *c = &reuse->counts;

    sum->requests += c->requests;
    sum->lines += c->lines;
    for (uint32_t i = 0; i < BYW_REUSE_COUNTS; i++)
        sum->by_count[i] += c->by_count[i];
    for (uint32_t i = 0; i < BYW_DISTANCE_BINS; i++)
        sum->distance[i] += c->distance[i];
    for (uint32_t i = 0; i < BYW_STACK_BINS; i++)
        sum->stack[i] += c->stack[i];
}
