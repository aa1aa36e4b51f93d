/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/byw_coalescer.h"

#include <string.h>

enum { SECTOR_BYTES = 32 };

struct piece {
    uint64_t segment; /* byte address of the segment */
    struct byw_byte_mask bytes;
};

static void set_bytes(struct byw_byte_mask *mask, uint32_t first, uint32_t count)
{
    while (count != 0) { /* twice at most: a piece lies in one line of two words */
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

/* Fermi's atomics, done in the L2, go there in its sectors (GPGPU-Sim's architectures 20 to 38). */
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

/* The pieces of one instruction so far. */
struct pieces {
    struct piece *piece;
    uint32_t n;
    uint32_t last; /* the one that took bytes last: lanes cluster */
    uint64_t last_segment; /* its segment; UINT64_MAX while there is none */
    uint64_t highest; /* segment address; above it there is no piece */
    uint32_t segment, line;
    bool alone; /* lanes that collide are kept apart (atomics) */
};

static bool takes(const struct pieces *p, uint32_t i, uint64_t at, uint32_t first, uint32_t count)
{
    return p->piece[i].segment == at && !(p->alone && overlaps(&p->piece[i].bytes, first, count));
}

static uint32_t find(const struct pieces *p, uint64_t at, uint32_t first, uint32_t count)
{
    if (p->n == 0 || at > p->highest)
        return p->n;
    if (takes(p, p->last, at, first, count))
        return p->last;
    for (uint32_t i = p->n; i-- > 0;) {
        if (takes(p, i, at, first, count))
            return i;
    }
    return p->n;
}

/* Adds `count` bytes at `addr`, all inside one segment. */
static void add(struct pieces *p, uint64_t addr, uint32_t count)
{
    uint64_t at = addr & ~(uint64_t)(p->segment - 1);
    uint32_t first = (uint32_t)(addr & (p->line - 1));
    uint32_t i = find(p, at, first, count);

    if (i == p->n) {
        if (p->n == BYW_COALESCED_MAX)
            return;
        if (p->n == 0 || at > p->highest)
            p->highest = at;
        p->n++;
        p->piece[i] = (struct piece){.segment = at};
    }
    p->last = i;
    p->last_segment = at;
    set_bytes(&p->piece[i].bytes, first, count);
}

/* Descending addresses; the order of equal ones (colliding atomics) does not matter.
 * Lanes mostly ascend, so that turning
 * the pieces round leaves little to sort. */
static void sort_descending(struct piece *piece, uint32_t n)
{
    if (n > 1 && piece[0].segment < piece[n - 1].segment) {
        for (uint32_t i = 0; i < n / 2; i++) {
            struct piece p = piece[i];

            piece[i] = piece[n - 1 - i];
            piece[n - 1 - i] = p;
        }
    }
    for (uint32_t i = 1; i < n; i++) {
        struct piece p = piece[i];
        uint32_t j = i;

        for (; j > 0 && piece[j - 1].segment < p.segment; j--)
            piece[j] = piece[j - 1];
        piece[j] = p;
    }
}

/* All lanes active, neighbours side by side: segments follow each other.  The last one is the
 * first to go out. */
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

/* One lane's bytes; they may cross into the next segment. */
static void add_lane(struct pieces *p, uint64_t addr, uint32_t width)
{
    uint32_t room = p->segment - (uint32_t)(addr & (p->segment - 1));
    uint32_t head = (width < room) ? width : room;

    add(p, addr, head);
    if (head < width)
        add(p, addr + head, width - head);
}

/* Whether the lane's bytes go to the piece that took bytes last, as most do.  Those of an aligned
 * access are in one segment and in one word of the mask. */
static bool joins(struct pieces *p, uint64_t addr, uint32_t width)
{
    uint32_t first = (uint32_t)(addr & (p->line - 1));

    if ((addr & ~(uint64_t)(p->segment - 1)) != p->last_segment || (addr & (width - 1)) != 0)
        return false;
    p->piece[p->last].bytes.w[first / 64] |= (((uint64_t)1 << width) - 1) << first % 64;
    return true;
}

static void per_lane(const struct byw_inst *inst, const struct byw_cta *cta, struct pieces *p)
{
    uint32_t rank = 0;

    for (uint64_t m = inst->mask; m != 0; m &= m - 1, rank++) {
        uint64_t addr = byw_inst_address(inst, cta, (uint32_t)__builtin_ctzll(m), rank);

        if (p->alone || !joins(p, addr, inst->width))
            add_lane(p, addr, inst->width);
    }
}

uint32_t byw_coalesce(const struct byw_config *config, const struct byw_inst *inst,
                      const struct byw_cta *cta, struct byw_coalesced *out)
{
    struct piece piece[BYW_COALESCED_MAX];
    struct pieces p = {.piece = piece,
                       .segment = segment_bytes(config, inst->width, inst->cls == BYW_CLASS_ATOMIC),
                       .line = config->l1d_line,
                       .last_segment = UINT64_MAX,
                       .alone = inst->cls == BYW_CLASS_ATOMIC};
    uint32_t shift = (uint32_t)__builtin_ctz(config->l1d_line);
    bool full = (inst->mask & (inst->mask + 1)) == 0; /* lanes 0 .. n - 1 */

    if (inst->mask == 0)
        return 0;
    if (full && inst->form == BYW_FORM_STRIDE && inst->stride == (int32_t)inst->width && !p.alone)
        return contiguous(inst, (uint32_t)__builtin_popcountll(inst->mask), p.segment, shift, out);
    if (inst->form == BYW_FORM_STRIDE && inst->stride == 0 && !p.alone)
        add_lane(&p, inst->base, inst->width);
    else
        per_lane(inst, cta, &p);
    sort_descending(piece, p.n);
    for (uint32_t i = 0; i < p.n; i++) {
        out[i].line = piece[i].segment >> shift;
        out[i].bytes = piece[i].bytes;
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
    while (first / size != last / size)
        size *= 2;
    *offset = first & ~(size - 1);
    return size;
}
