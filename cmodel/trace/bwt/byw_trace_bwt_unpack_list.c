/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_trace_bwt_unpack_list.c - Decodes lists of addresses.
 */
#include "trace/bwt/byw_trace_bwt_unpack.h"

/* The current access. */
struct list {
    struct byw_bwt_unpack_site *site;
    struct byw_bwt_lanes *record; /* NULL: the site is not tracked */
    uint64_t mask;
    uint32_t lanes;
    uint8_t scale;
    uint64_t *addr; /* addresses to be filled in */
    uint64_t index[BYW_BWT_LANES_MAX]; /* index of each lane's previous load */
};

bool byw_bwt_unpack_base(struct byw_bwt_unpack *u, const struct byw_bwt_unpack_shape *shape,
                         uint64_t reference, uint64_t *base)
{
    struct byw_bwt_unpack_site *site = &u->site[shape->site];
    uint64_t guess = reference + (u->second_order ? site->step : 0), code;

    if (!byw_cursor_number(&u->column[BYW_BWT_COL_BASE], &code))
        return false;
    *base = ((guess >> shape->scale) + byw_unzigzag(code)) << shape->scale;
    site->step = *base - reference;
    site->last = *base;
    return true;
}

/* The lane pattern of a code; NULL if there is none. */
static const struct byw_bwt_unpack_pattern *
find_pattern(struct byw_bwt_unpack *u, struct byw_bwt_unpack_site *site, uint64_t code)
{
    uint64_t number;

    if (code == BYW_BWT_PATTERN_NEW)
        number = u->pattern_seen++;
    else
        number = site->pattern + byw_unzigzag(code - u->known);
    if (number >= u->pattern_seen || number >= u->pattern_count)
        return NULL;
    site->pattern = (uint32_t)number;
    return &u->pattern[number];
}

/* The misses of a chain that have not been read yet. A miss is the difference between an address
 * and its prediction. */
struct misses {
    struct byw_cursor *plane;
    unsigned bytes;
};

static bool next_miss(const struct misses *misses, uint64_t *step)
{
    uint64_t code = 0;

    for (unsigned p = 0; p < misses->bytes; p++) {
        struct byw_cursor *c = &misses->plane[p];

        if (c->at == c->end)
            return false;
        code |= (uint64_t)*c->at++ << (8 * p);
    }
    *step = byw_unzigzag(code);
    return true;
}

static bool read_chained(struct byw_bwt_unpack *u, const struct list *list, uint64_t near)
{
    uint64_t miss, second, unit = near, step;
    struct misses misses = {.plane = &u->column[BYW_BWT_COL_CHAIN]};
    uint8_t bytes = 0;

    if (!byw_cursor_number(&u->column[BYW_BWT_COL_MISS], &miss) ||
        !byw_cursor_number(&u->column[BYW_BWT_COL_SECOND], &second) || (miss & second) != 0 ||
        (list->lanes < 64 && (miss | second) >> list->lanes != 0) ||
        (miss != 0 && (!byw_cursor_u8(&u->column[BYW_BWT_COL_BYTES], &bytes) || bytes > 8)))
        return false;
    misses.bytes = bytes;
    for (uint32_t i = 0; i < list->lanes; i++) {
        uint32_t *entry = byw_bwt_chain_at(&u->chain, list->site->salt, list->index[i]);

        if (((miss >> i) & 1) != 0) {
            if (!next_miss(&misses, &step))
                return false;
            unit += step;
        } else {
            unit = byw_bwt_chain_unit(entry[(second >> i) & 1], near);
        }
        byw_bwt_chain_learn(entry, unit);
        list->addr[i] = unit << list->scale;
    }
    byw_bwt_chain_count(&u->chain, list->site->salt, true);
    return true;
}

/* Code `moved`: each lane moved by the same distance as the first one. */
static bool read_moved(struct byw_bwt_unpack *u, const struct byw_bwt_unpack_shape *shape,
                       const struct list *list, uint64_t reference)
{
    uint64_t base, *addr = list->addr;

    if (list->record == NULL || (list->mask & ~list->record->seen) != 0 ||
        !byw_bwt_unpack_base(u, shape, reference, &base))
        return false;
    for (uint64_t rest = list->mask; rest != 0; rest &= rest - 1)
        *addr++ = list->record->last[__builtin_ctzll(rest)] + (base - reference);
    return true;
}

static bool learns(const struct byw_bwt_unpack *u, const struct byw_bwt_unpack_site *site)
{
    return u->chains && byw_bwt_chain_pays(&u->chain, site->salt);
}

/* A pattern, new or known; the chain table learns new ones. */
static bool read_pattern(struct byw_bwt_unpack *u, const struct byw_bwt_unpack_shape *shape,
                         const struct list *list, uint64_t reference, uint64_t code)
{
    const struct byw_bwt_unpack_pattern *pattern = find_pattern(u, list->site, code);
    uint64_t base;

    if (pattern == NULL || pattern->lanes != list->lanes ||
        !byw_bwt_unpack_base(u, shape, reference, &base))
        return false;
    for (uint32_t i = 0; i < list->lanes; i++)
        list->addr[i] = base + (u->offset[pattern->first + i] << list->scale);
    if (code != BYW_BWT_PATTERN_NEW || !learns(u, list->site))
        return true;
    for (uint32_t i = 0; i < list->lanes; i++)
        byw_bwt_chain_learn(byw_bwt_chain_at(&u->chain, list->site->salt, list->index[i]),
                            list->addr[i] >> list->scale);
    byw_bwt_chain_count(&u->chain, list->site->salt, false);
    return true;
}

/* The codes that depend on earlier loads. */
static bool read_indexed(struct byw_bwt_unpack *u, const struct byw_bwt_unpack_shape *shape,
                         struct list *list, const struct byw_cta *cta, uint64_t reference,
                         uint64_t code)
{
    bool all = byw_bwt_recent_index(&u->recent, cta->addr, list->mask, list->index);
    uint64_t near = list->site->last >> list->scale;
    bool ok;

    if (u->known == BYW_BWT_PATTERN_KNOWN && code == BYW_BWT_PATTERN_COPY) {
        for (uint32_t i = 0; i < list->lanes; i++)
            list->addr[i] = (list->index[i] + list->site->copy) << list->scale;
        ok = all;
    } else if (u->known == BYW_BWT_PATTERN_KNOWN && code == BYW_BWT_PATTERN_CHAINED) {
        ok = u->chains && read_chained(u, list, near);
    } else {
        ok = read_pattern(u, shape, list, reference, code);
    }
    list->site->last = list->addr[0];
    list->site->copy = (list->addr[0] >> list->scale) - list->index[0];
    return ok;
}

enum byw_status byw_bwt_unpack_list(struct byw_bwt_unpack *u,
                                    const struct byw_bwt_unpack_shape *shape, struct byw_inst *inst,
                                    struct byw_cta *cta)
{
    struct list list = {.site = &u->site[shape->site],
                        .mask = inst->mask,
                        .lanes = (uint32_t)__builtin_popcountll(inst->mask),
                        .scale = shape->scale};
    uint64_t reference = list.site->last, code;
    unsigned first;
    bool ok;

    if (list.lanes == 0 || !byw_cursor_number(&u->column[BYW_BWT_COL_PATTERN], &code) ||
        cta->addr_count > BYW_BWT_CTA_ADDR_MAX - list.lanes)
        return BYW_EFORMAT;
    first = (unsigned)__builtin_ctzll(list.mask);
    inst->list = cta->addr_count;
    list.addr = byw_cta_add_addr(cta, list.lanes);
    if (list.addr == NULL || !byw_bwt_track(&u->tracks, &list.site->lanes, &list.record) ||
        (((code == BYW_BWT_PATTERN_NEW && learns(u, list.site)) ||
          (code == BYW_BWT_PATTERN_CHAINED && u->chains)) &&
         !byw_bwt_chain_begin(&u->chain)))
        return BYW_ENOMEM;
    if (list.record != NULL && ((list.record->seen >> first) & 1) != 0)
        reference = list.record->last[first];
    if (code == BYW_BWT_PATTERN_MOVED)
        ok = read_moved(u, shape, &list, reference);
    else
        ok = read_indexed(u, shape, &list, cta, reference, code);
    if (!ok)
        return BYW_EFORMAT;
    if (list.record != NULL) {
        uint64_t *addr = list.addr;

        list.record->seen |= list.mask;
        for (uint64_t rest = list.mask; rest != 0; rest &= rest - 1)
            list.record->last[__builtin_ctzll(rest)] = *addr++;
    }
    return BYW_OK;
}
