/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/byw_coalescer.h"

#include <string.h>

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

static uint32_t segment_bytes(const struct byw_config *config, uint32_t width)
{
    uint32_t natural = (width == 1) ? 32 : (width == 2) ? 64 : config->coalesce_bytes;

    return (natural < config->coalesce_bytes) ? natural : config->coalesce_bytes;
}

/* Adds `count` bytes at `addr`, all inside one segment; `alone` keeps colliding atomics apart. */
static uint32_t add(struct piece *piece, uint32_t n, uint64_t *highest, uint64_t addr,
                    uint32_t count, uint32_t segment, uint32_t line, bool alone)
{
    uint64_t at = addr & ~(uint64_t)(segment - 1);
    uint32_t first = (uint32_t)(addr & (line - 1));
    uint32_t i = (n != 0 && at > *highest) ? 0 : n; /* above all others: surely a new one */

    while (i-- > 0) {
        if (piece[i].segment == at && !(alone && overlaps(&piece[i].bytes, first, count)))
            break;
    }
    if (i == UINT32_MAX) {
        if (n == BYW_COALESCED_MAX)
            return n;
        i = n++;
        if (i == 0 || at > *highest)
            *highest = at;
        piece[i].segment = at;
        memset(&piece[i].bytes, 0, sizeof(piece[i].bytes));
    }
    set_bytes(&piece[i].bytes, first, count);
    return n;
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

/* All lanes active, neighbours side by side: segments follow each other. */
static uint32_t contiguous(const struct byw_inst *inst, uint32_t lanes, uint32_t segment,
                           uint32_t line, struct piece *piece)
{
    uint64_t at = inst->base, end = inst->base + (uint64_t)lanes * inst->width;
    uint64_t highest = 0;
    uint32_t n = 0;

    while (at < end) {
        uint64_t stop = (at & ~(uint64_t)(segment - 1)) + segment;
        if (stop > end)
            stop = end;
        n = add(piece, n, &highest, at, (uint32_t)(stop - at), segment, line, false);
        at = stop;
    }
    return n;
}

static uint32_t per_lane(const struct byw_inst *inst, const struct byw_cta *cta, uint32_t segment,
                         uint32_t line, struct piece *piece)
{
    bool alone = inst->cls == BYW_CLASS_ATOMIC;
    uint64_t highest = 0;
    uint32_t n = 0, rank = 0;

    for (uint64_t m = inst->mask; m != 0; m &= m - 1, rank++) {
        uint64_t addr = byw_inst_address(inst, cta, (uint32_t)__builtin_ctzll(m), rank);
        uint32_t room = segment - (uint32_t)(addr & (segment - 1));
        uint32_t head = (inst->width < room) ? inst->width : room;

        n = add(piece, n, &highest, addr, head, segment, line, alone);
        if (head < inst->width)
            n = add(piece, n, &highest, addr + head, inst->width - head, segment, line, alone);
    }
    return n;
}

uint32_t byw_coalesce(const struct byw_config *config, const struct byw_inst *inst,
                      const struct byw_cta *cta, struct byw_coalesced *out)
{
    struct piece piece[BYW_COALESCED_MAX];
    uint32_t segment = segment_bytes(config, inst->width);
    uint32_t shift = (uint32_t)__builtin_ctz(config->l1d_line);
    uint64_t full = inst->mask & (inst->mask + 1);
    uint32_t n;

    if (inst->mask == 0)
        return 0;
    if (full == 0 && inst->form == BYW_FORM_STRIDE && inst->stride == (int32_t)inst->width &&
        inst->cls != BYW_CLASS_ATOMIC)
        n = contiguous(inst, (uint32_t)__builtin_popcountll(inst->mask), segment, config->l1d_line,
                       piece);
    else
        n = per_lane(inst, cta, segment, config->l1d_line, piece);
    sort_descending(piece, n);
    for (uint32_t i = 0; i < n; i++) {
        out[i].line = piece[i].segment >> shift;
        out[i].bytes = piece[i].bytes;
    }
    return n;
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
