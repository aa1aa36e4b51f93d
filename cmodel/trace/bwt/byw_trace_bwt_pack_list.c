/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_trace_bwt_pack_list.c - Lists of addresses: chooses the cheapest of the codes in FORMAT.md.
 */
#include <string.h>

#include "trace/bwt/byw_trace_bwt_pack.h"

/* The current access. */
struct list {
    struct byw_bwt_pack_site *site;
    uint64_t mask;
    uint32_t lanes;
    uint8_t scale;
    const uint64_t *addr;
    uint64_t unit[BYW_BWT_LANES_MAX]; /* addr >> scale */
    uint64_t index[BYW_BWT_LANES_MAX]; /* index of each lane's previous load */
};

/* Bytes needed for the largest of the steps. */
static unsigned bytes_of(const uint64_t *step, uint32_t count)
{
    uint64_t all = 0;
    unsigned bytes = 0;

    for (uint32_t i = 0; i < count; i++)
        all |= step[i];
    while (bytes < 8 && all >> (8 * bytes) != 0)
        bytes++;
    return bytes;
}

/* Writes steps as byte planes: bytes of the same significance are stored together, so that the
 * entropy coder can code the high ones in nearly no space.  Returns the bytes per step. */
static uint8_t put_planes(struct byw_bytes *plane, const uint64_t *step, uint32_t count)
{
    unsigned bytes = bytes_of(step, count);

    for (unsigned p = 0; p < bytes; p++, plane++) {
        if (!byw_bytes_reserve(plane, plane->size + count))
            break; /* the column records the failure */
        for (uint32_t i = 0; i < count; i++)
            plane->data[plane->size++] = (uint8_t)(step[i] >> (8 * p));
    }
    return (uint8_t)bytes;
}

static void put_pattern(struct byw_bwt_pack *pack, const uint64_t *step, uint32_t lanes)
{
    uint8_t bytes = put_planes(&pack->column[BYW_BWT_COL_PLANE], step + 1, lanes - 1);

    byw_bytes_put_u8(&pack->column[BYW_BWT_COL_LANES], (uint8_t)lanes);
    byw_bytes_put_u8(&pack->column[BYW_BWT_COL_LANES], bytes);
}

/* move_lanes() for lanes 0 to n - 1, all of them seen before: needs no loop over the bits of a
 * mask. */
static bool move_first_lanes(struct byw_bwt_lanes *lanes, uint32_t n, const uint64_t *addr)
{
    uint64_t distance = addr[0] - lanes->last[0], apart = 0;

    for (uint32_t i = 0; i < n; i++) {
        apart |= (addr[i] - lanes->last[i]) ^ distance;
        lanes->last[i] = addr[i];
    }
    return apart == 0;
}

/* Updates the lane record; true if all lanes were seen before and moved by the same distance. */
static bool move_lanes(struct byw_bwt_lanes *lanes, uint64_t mask, const uint64_t *addr)
{
    bool alike = (mask & ~lanes->seen) == 0;
    uint64_t distance = addr[0] - lanes->last[__builtin_ctzll(mask)];

    if (alike && (mask & (mask + 1)) == 0)
        return move_first_lanes(lanes, (uint32_t)__builtin_popcountll(mask), addr);
    lanes->seen |= mask;
    for (uint32_t i = 0; mask != 0; i++, mask &= mask - 1) {
        uint64_t *last = &lanes->last[__builtin_ctzll(mask)];

        alike = alike && addr[i] - *last == distance;
        *last = addr[i];
    }
    return alike;
}

static bool is_copy(const struct list *list)
{
    uint64_t apart = 0;

    for (uint32_t i = 0; i < list->lanes; i++)
        apart |= list->unit[i] - list->index[i] - list->site->copy;
    return apart == 0;
}

static bool is_pattern(const struct byw_bwt_pack *pack, uint32_t number, const uint64_t *step,
                       uint32_t lanes)
{
    return byw_intern_is(&pack->pattern, number, step, lanes * sizeof(step[0]));
}

/* Predictions of the chain table for each lane, by its rank among the active ones. */
struct chained {
    uint64_t miss, second;
    uint64_t step[BYW_BWT_LANES_MAX]; /* differences of the misses, each from the previous lane's */
    uint32_t misses;
};

/* Looks up the prediction for every lane, and stores the address that it actually accessed. */
static void follow(struct byw_bwt_pack *pack, const struct list *list, uint64_t near,
                   struct chained *out)
{
    uint64_t before = near;

    out->miss = out->second = 0;
    out->misses = 0;
    for (uint32_t i = 0; i < list->lanes; i++) {
        uint32_t *entry = byw_bwt_chain_at(&pack->chain, list->site->salt, list->index[i]);
        uint64_t unit = list->unit[i];

        if (byw_bwt_chain_unit(entry[0], near) == unit) {
            before = unit;
            continue;
        }
        if (byw_bwt_chain_unit(entry[1], near) == unit) {
            out->second |= 1ull << i;
        } else {
            out->miss |= 1ull << i;
            out->step[out->misses++] = byw_zigzag(unit - before);
        }
        byw_bwt_chain_learn(entry, unit);
        before = unit;
    }
}

/* Whether the chain takes less space than a new pattern.  The estimates are in bits after entropy
 * coding: the top bytes of wide steps, and small steps, hardly vary. */
static bool is_shorter(const struct chained *chained, const uint64_t *step, uint32_t lanes)
{
    uint32_t mask = (lanes + 7) / 8 * 8;
    uint32_t bytes = bytes_of(step + 1, lanes - 1);
    uint32_t pattern = 16 + (lanes - 1) * (bytes > 1 ? 8 * bytes - 4 : 2);
    uint32_t chain = 8 + (chained->miss != 0 ? mask : 0) + (chained->second != 0 ? mask : 0) +
                     chained->misses * 8 * bytes_of(chained->step, chained->misses);

    return chain < pattern;
}

static void put_chained(struct byw_bwt_pack *pack, const struct chained *chained)
{
    byw_bytes_put_number(&pack->column[BYW_BWT_COL_MISS], chained->miss);
    byw_bytes_put_number(&pack->column[BYW_BWT_COL_SECOND], chained->second);
    if (chained->misses != 0)
        byw_bytes_put_u8(
            &pack->column[BYW_BWT_COL_BYTES],
            put_planes(&pack->column[BYW_BWT_COL_CHAIN], chained->step, chained->misses));
}

/* Chooses the code of an access that neither moved nor copies; *based: its base is coded, too. */
static bool choose(struct byw_bwt_pack *pack, struct list *list, uint64_t near, uint64_t *code,
                   bool *based)
{
    struct byw_bwt_pack_site *site = list->site;
    uint64_t step[BYW_BWT_LANES_MAX]; /* [0]: the number of lanes, which is part of the identity */
    struct chained chained;
    uint32_t number;
    bool is_new;

    *based = true;
    step[0] = list->lanes;
    for (uint32_t i = 1; i < list->lanes; i++)
        step[i] = byw_zigzag(list->unit[i] - list->unit[i - 1]);
    if (is_pattern(pack, site->pattern, step, list->lanes)) {
        *code = BYW_BWT_PATTERN_KNOWN;
        return true;
    }
    if (byw_intern_find(&pack->pattern, step, list->lanes * sizeof(step[0]), &number)) {
        *code = BYW_BWT_PATTERN_KNOWN + byw_zigzag((uint64_t)number - site->pattern);
        site->pattern = number;
        return true;
    }
    if (pack->chains && byw_bwt_chain_pays(&pack->chain, site->salt)) {
        bool shorter;

        if (!byw_bwt_chain_begin(&pack->chain))
            return false;
        follow(pack, list, near, &chained);
        shorter = is_shorter(&chained, step, list->lanes);
        byw_bwt_chain_count(&pack->chain, site->salt, shorter);
        if (shorter) {
            put_chained(pack, &chained);
            *code = BYW_BWT_PATTERN_CHAINED;
            *based = false;
            return true;
        }
    }
    if (!byw_intern_add(&pack->pattern, step, list->lanes * sizeof(step[0]), &number, &is_new))
        return false;
    put_pattern(pack, step, list->lanes);
    *code = BYW_BWT_PATTERN_NEW;
    site->pattern = number;
    return true;
}

bool byw_bwt_pack_list(struct byw_bwt_pack *pack, const struct byw_cta *cta,
                       const struct byw_inst *inst, struct byw_bwt_access *access, bool *based)
{
    struct list list = {.site = &pack->state[access->site],
                        .mask = inst->mask,
                        .lanes = (uint32_t)__builtin_popcountll(inst->mask),
                        .scale = access->scale,
                        .addr = cta->addr + inst->list};
    uint64_t code = BYW_BWT_PATTERN_MOVED, near = access->reference >> list.scale;
    unsigned first = (unsigned)__builtin_ctzll(list.mask);
    struct byw_bwt_lanes *record;
    bool all;

    *based = true;
    access->base = list.addr[0];
    if (!byw_bwt_track(&pack->tracks, &list.site->lanes, &record))
        return false;
    if (record != NULL && ((record->seen >> first) & 1) != 0)
        access->reference = record->last[first];
    if (record == NULL || !move_lanes(record, list.mask, list.addr)) {
        for (uint32_t i = 0; i < list.lanes; i++)
            list.unit[i] = list.addr[i] >> list.scale;
        all = byw_bwt_recent_index(&pack->recent, cta->addr, list.mask, list.index);
        if (all && is_copy(&list)) {
            code = BYW_BWT_PATTERN_COPY;
            *based = false;
        } else if (!choose(pack, &list, near, &code, based))
            return false;
        list.site->copy = list.unit[0] - list.index[0];
    }
    byw_bytes_put_number(&pack->column[BYW_BWT_COL_PATTERN], code);
    return true;
}
