/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/sm/byw_coalescer.h"

#include <string.h>

enum { SECTOR_BYTES = 32, PLACES = 256 };

static void set_bytes(struct byw_byte_mask *mask, uint32_t first, uint32_t count)
{
    while (count != 0) { /* at most twice: a piece is in one line of two words */
        uint32_t word = first / 64, at = first % 64;
        uint32_t n = (64 - at < count) ? 64 - at : count;
        uint64_t ones = (n == 64) ? ~(uint64_t)0 : (((uint64_t)1 << n) - 1);

        mask->w[word] |= ones << at;
        first += n;
        count -= n;
    }
}

static bool overlaps(const struct byw_byte_mask *mask, uint32_t first, uint32_t count)
{
    struct byw_byte_mask probe = {{0}};

    set_bytes(&probe, first, count);
    return (probe.w[0] & mask->w[0]) != 0 || (probe.w[1] & mask->w[1]) != 0;
}

/* Atomics on Fermi are performed in the L2 and use the L2's sector size (GPGPU-Sim architectures 20
 * to 38). */
static uint32_t segment_bytes(const struct byw_config *config, uint32_t width, bool atomic)
{
    uint32_t natural = (width == 1) ? 32 : (width == 2) ? 64 : config->coalesce_bytes;

    if (config->coalesce_rule == BYW_COALESCE_SECTOR ||
        (config->coalesce_rule == BYW_COALESCE_FERMI && atomic))
        return SECTOR_BYTES;
    if (config->coalesce_rule == BYW_COALESCE_LINE)
        return config->l1d_line;
    return (natural < config->coalesce_bytes) ? natural : config->coalesce_bytes;
}

/* The pieces of one instruction so far: the bytes it accesses in each segment. */
struct pieces {
    uint64_t segment[BYW_COALESCED_MAX]; /* byte address */
    struct byw_byte_mask bytes[BYW_COALESCED_MAX];
    uint32_t n;
    uint32_t last; /* piece that got bytes last, because neighboring lanes tend to hit the same
                    * piece */
    uint64_t highest; /* highest segment address of any piece */
    uint32_t size, line; /* bytes of a segment, of a line */
    bool alone; /* colliding lanes go to separate pieces (atomics) */
    bool placed; /* `place` is valid: hash table by segment of piece number plus one */
    uint8_t place[PLACES];
};

/* The place of a segment's piece, or the free place where it belongs. */
static uint8_t *place_of(struct pieces *p, uint64_t at)
{
    uint32_t i = (uint32_t)(at * UINT64_C(0x9e3779b97f4a7c15) >> 56);

    while (p->place[i] != 0 && p->segment[p->place[i] - 1] != at)
        i = (i + 1) % PLACES;
    return &p->place[i];
}

/* Called when lanes first go back to lower addresses; until then no lookup is needed. */
static void place_all(struct pieces *p)
{
    memset(p->place, 0, sizeof(p->place));
    for (uint32_t i = 0; i < p->n; i++)
        *place_of(p, p->segment[i]) = (uint8_t)(i + 1);
    p->placed = true;
}

/* Creates a piece and makes it the last one.  Returns BYW_COALESCED_MAX if there are already that
 * many. */
static uint32_t make(struct pieces *p, uint64_t at)
{
    if (p->n == BYW_COALESCED_MAX)
        return p->n;
    if (p->n == 0 || at > p->highest)
        p->highest = at;
    p->segment[p->n] = at;
    p->bytes[p->n] = (struct byw_byte_mask){{0, 0}};
    p->last = p->n++;
    return p->last;
}

/* The piece for bytes of a segment. */
static uint32_t find(struct pieces *p, uint64_t at)
{
    uint8_t *place;

    if (p->n != 0 && p->segment[p->last] == at)
        return p->last;
    if (!p->placed && (p->n == 0 || at > p->highest))
        return make(p, at);
    if (!p->placed)
        place_all(p);
    place = place_of(p, at);
    if (*place != 0)
        p->last = *place - 1U;
    else if (p->n == BYW_COALESCED_MAX)
        return p->n;
    else
        *place = (uint8_t)(make(p, at) + 1);
    return p->last;
}

/* find() for atomics, whose colliding lanes need separate pieces: a piece that has none of these
 * bytes yet. */
static uint32_t find_apart(struct pieces *p, uint64_t at, uint32_t first, uint32_t count)
{
    uint32_t i = p->last;

    if (p->n != 0 && p->segment[i] == at && !overlaps(&p->bytes[i], first, count))
        return i;
    for (i = p->n; i-- > 0;) {
        if (p->segment[i] == at && !overlaps(&p->bytes[i], first, count))
            return p->last = i;
    }
    return make(p, at);
}

/* Adds `count` bytes at `addr`, all inside one segment. */
static void add(struct pieces *p, uint64_t addr, uint32_t count)
{
    uint64_t at = addr & ~(uint64_t)(p->size - 1);
    uint32_t first = (uint32_t)(addr & (p->line - 1));
    uint32_t i = p->alone ? find_apart(p, at, first, count) : find(p, at);

    if (i != BYW_COALESCED_MAX)
        set_bytes(&p->bytes[i], first, count);
}

/* Sorts the piece numbers by descending address; the order of equal addresses (colliding atomics)
 * does not matter.  Lanes mostly ascend or descend.  Otherwise (a gather), each piece's rank is
 * counted without branches, because the host could not predict the comparisons. */
static void sort_descending(const struct pieces *p, uint8_t *order)
{
    uint64_t segment[BYW_COALESCED_MAX];
    uint32_t above[BYW_COALESCED_MAX]; /* for each piece: number of pieces with a higher address */
    uint32_t last = p->n - 1, ascends = p->segment[0] < p->segment[last], unsorted = 0;

    for (uint32_t i = 0; i < p->n; i++) {
        order[i] = (uint8_t)(ascends ? last - i : i);
        segment[i] = p->segment[order[i]];
        unsorted |= i > 0 && segment[i - 1] < segment[i];
    }
    if (!unsorted)
        return;
    for (uint32_t i = 0; i < p->n; i++) {
        above[i] = i;
        for (uint32_t j = 0; j < i; j++) {
            uint32_t lower = segment[j] < segment[i];

            above[j] += lower;
            above[i] -= lower;
        }
    }
    for (uint32_t i = 0; i < p->n; i++)
        order[above[i]] = (uint8_t)(ascends ? last - i : i);
}

/* The transactions if all lanes are active and their addresses adjacent: contiguous segments, the
 * last one first. */
static uint32_t contiguous(const struct byw_inst *inst, uint32_t lanes, uint32_t segment,
                           uint32_t line_log2, struct byw_coalesced *out)
{
    uint64_t begin = inst->base, end = begin + (uint64_t)lanes * inst->width;
    uint32_t n = 0;

    for (; begin < end; n++) {
        uint64_t at = (end - 1) & ~(uint64_t)(segment - 1);

        if (at < begin)
            at = begin;
        out[n] = (struct byw_coalesced){.line = at >> line_log2};
        set_bytes(&out[n].bytes, (uint32_t)(at & ((1U << line_log2) - 1)), (uint32_t)(end - at));
        end = at;
    }
    return n;
}

/* Adds one lane's bytes, which may cross into the next segment. */
static void add_lane(struct pieces *p, uint64_t addr, uint32_t width)
{
    uint32_t room = p->size - (uint32_t)(addr & (p->size - 1));
    uint32_t head = (width < room) ? width : room;

    add(p, addr, head);
    if (head < width)
        add(p, addr + head, width - head);
}

/* The bytes of an aligned lane are in one segment and in one word of the mask. */
static void add_aligned(struct pieces *p, uint64_t addr, uint32_t width)
{
    uint32_t first = (uint32_t)(addr & (p->line - 1));
    uint32_t i = find(p, addr & ~(uint64_t)(p->size - 1));

    if (i != BYW_COALESCED_MAX)
        p->bytes[i].w[first / 64] |= (((uint64_t)1 << width) - 1) << first % 64;
}

static void per_lane(const struct byw_inst *inst, const struct byw_cta *cta, struct pieces *p)
{
    uint32_t rank = 0;

    for (uint64_t m = inst->mask; m != 0; m &= m - 1, rank++) {
        uint64_t addr = byw_inst_address(inst, cta, (uint32_t)__builtin_ctzll(m), rank);

        if (p->alone || (addr & (inst->width - 1U)) != 0)
            add_lane(p, addr, inst->width);
        else
            add_aligned(p, addr, inst->width);
    }
}

uint32_t byw_coalesce(const struct byw_config *config, const struct byw_inst *inst,
                      const struct byw_cta *cta, struct byw_coalesced *out)
{
    struct pieces p; /* the fields in use are set below */
    uint8_t order[BYW_COALESCED_MAX];
    uint32_t shift = (uint32_t)__builtin_ctz(config->l1d_line);
    bool full = (inst->mask & (inst->mask + 1)) == 0; /* lanes 0 .. n - 1 */

    if (inst->mask == 0)
        return 0;
    p.size = segment_bytes(config, inst->width, inst->cls == BYW_CLASS_ATOMIC);
    p.line = config->l1d_line;
    p.alone = inst->cls == BYW_CLASS_ATOMIC;
    p.n = p.last = 0;
    p.placed = false;
    if (full && inst->form == BYW_FORM_STRIDE && inst->stride == (int32_t)inst->width && !p.alone)
        return contiguous(inst, (uint32_t)__builtin_popcountll(inst->mask), p.size, shift, out);
    if (inst->form == BYW_FORM_STRIDE && inst->stride == 0 && !p.alone)
        add_lane(&p, inst->base, inst->width);
    else
        per_lane(inst, cta, &p);
    sort_descending(&p, order);
    for (uint32_t i = 0; i < p.n; i++) {
        out[i].line = p.segment[order[i]] >> shift;
        out[i].bytes = p.bytes[order[i]];
    }
    return p.n;
}

uint32_t byw_mask_extent(const struct byw_byte_mask *bytes, uint32_t lowest, uint32_t *offset)
{
    uint32_t first, last, size = lowest;

    if (bytes->w[0] != 0)
        first = (uint32_t)__builtin_ctzll(bytes->w[0]);
    else if (bytes->w[1] != 0)
        first = 64 + (uint32_t)__builtin_ctzll(bytes->w[1]);
    else
        first = 0;
    if (bytes->w[1] != 0)
        last = 127 - (uint32_t)__builtin_clzll(bytes->w[1]);
    else
        last = (bytes->w[0] != 0) ? 63 - (uint32_t)__builtin_clzll(bytes->w[0]) : 0;
    if ((first ^ last) >= size)
        size = 1U << (32 - __builtin_clz(first ^ last));
    *offset = first & ~(size - 1);
    return size;
}
