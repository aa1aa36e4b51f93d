/* SPDX-License-Identifier: Apache-2.0 */
#include "l2/byw_dbi.h"

#include <stdlib.h>

#include "common/byw_bits.h"
#include "common/byw_mech.h"

enum byw_status byw_dbi_init(struct byw_dbi *dbi, uint32_t sets, uint32_t ways, uint32_t blocks)
{
    *dbi = (struct byw_dbi){.sets = sets, .ways = ways, .blocks = blocks};
    dbi->entry = calloc((size_t)sets * ways, sizeof(dbi->entry[0]));
    if (dbi->entry == NULL)
        return BYW_ENOMEM;
    byw_dbi_clear(dbi);
    return BYW_OK;
}

void byw_dbi_release(struct byw_dbi *dbi)
{
    free(dbi->entry);
    dbi->entry = NULL;
}

void byw_dbi_clear(struct byw_dbi *dbi)
{
    uint32_t i;

    for (i = 0; i < dbi->sets * dbi->ways; i++)
        dbi->entry[i] = (struct byw_dbi_entry){.rank = (uint8_t)(i % dbi->ways)};
    dbi->walk = (struct byw_dbi_walk){.dirty = 0};
    dbi->flush_set = 0;
}

/* The row's way; `ways` if it has no entry. */
static uint32_t find(const struct byw_dbi_entry *set, uint32_t ways, uint64_t row)
{
    uint32_t way;

    for (way = 0; way < ways; way++)
        if (set[way].dirty != 0 && set[way].row == row)
            break;
    return way;
}

/* The way for a new row: the first free one, else the least recently written one. */
static uint32_t place(const struct byw_dbi_entry *set, uint32_t ways)
{
    uint32_t way, oldest = 0;

    for (way = 0; way < ways; way++) {
        if (set[way].dirty == 0)
            return way;
        if (set[way].rank > set[oldest].rank)
            oldest = way;
    }
    return oldest;
}

/* Gives the entry's dirty blocks to the walker, so that the entry can be replaced.  False if the
 * walker is busy; an entry without dirty blocks does not need the walker. */
static bool give_up(const struct byw_dbi_entry *entry, bool busy, struct byw_dbi_outcome *o)
{
    if (entry->dirty == 0)
        return true;
    if (busy) {
        o->step = BYW_DBI_WAIT;
        return false;
    }
    o->walk_row = entry->row;
    o->walk = entry->dirty;
    return true;
}

static void decide_set(const struct byw_dbi_entry *set, uint32_t ways, bool busy,
                       const struct byw_dbi_req *req, struct byw_dbi_outcome *o)
{
    uint32_t way = find(set, ways, req->row);

    o->way = way < ways ? way : place(set, ways);
    if (way == ways && !give_up(&set[o->way], busy, o))
        return;
    o->write = o->touch = true;
    o->row = req->row;
    o->dirty = byw_bit64(req->block) | (way < ways ? set[way].dirty : 0);
}

/* EVICT and CLEAN: clear a block's bit. */
static void decide_clear(const struct byw_dbi_entry *set, uint32_t ways, uint64_t leaving,
                         const struct byw_dbi_walk *walk, const struct byw_dbi_req *req,
                         struct byw_dbi_outcome *o)
{
    uint32_t way = find(set, ways, req->row);
    uint64_t bit = byw_bit64(req->block), rest = way < ways ? set[way].dirty & ~bit : 0;
    bool busy = walk->dirty != 0 || walk->offers, here = busy && walk->row == req->row;

    if ((here && walk->offers && walk->block == req->block) ||
        (req->op == BYW_DBI_EVICT && rest != 0 && busy && !here)) {
        o->step = BYW_DBI_WAIT;
        return;
    }
    o->unwalk = leaving & bit;
    if (way == ways)
        return;
    o->write = true;
    o->way = way;
    o->row = req->row;
    o->dirty = req->op == BYW_DBI_CLEAN ? rest : 0;
    if (req->op == BYW_DBI_EVICT) {
        o->walk_row = req->row;
        o->walk = rest;
    }
}

static void decide_flush(const struct byw_dbi_entry *set, uint32_t ways, bool busy,
                         struct byw_dbi_outcome *o)
{
    for (o->way = 0; o->way < ways; o->way++)
        if (set[o->way].dirty != 0)
            break;
    if (o->way == ways || !give_up(&set[o->way], busy, o))
        return;
    o->step = BYW_DBI_MORE;
    o->write = true;
    o->row = set[o->way].row;
}

struct byw_dbi_outcome byw_dbi_decide(const struct byw_dbi_entry *set, uint32_t ways,
                                      const struct byw_dbi_walk *walk,
                                      const struct byw_dbi_req *req)
{
    struct byw_dbi_outcome o = {.step = BYW_DBI_DONE};
    bool busy = walk->dirty != 0 || walk->offers;
    uint32_t way = find(set, ways, req->row);
    uint64_t leaving = 0;

    if (busy && walk->row == req->row)
        leaving = walk->dirty | (walk->offers ? byw_bit64(walk->block) : 0);
    o.seen = leaving | (way < ways ? set[way].dirty : 0);
    switch (req->op) {
    case BYW_DBI_SET:
        if ((leaving >> req->block & 1) == 0)
            decide_set(set, ways, busy, req, &o);
        break;
    case BYW_DBI_EVICT:
    case BYW_DBI_CLEAN:
        if ((o.seen >> req->block & 1) != 0)
            decide_clear(set, ways, leaving, walk, req, &o);
        break;
    case BYW_DBI_LOOKUP:
        break;
    case BYW_DBI_FLUSH:
        decide_flush(set, ways, busy, &o);
        break;
    }
    return o;
}

static struct byw_dbi_entry *set_of(const struct byw_dbi *dbi, const struct byw_dbi_req *req)
{
    uint64_t set = req->op == BYW_DBI_FLUSH ? dbi->flush_set : req->row & (dbi->sets - 1);

    return &dbi->entry[set * dbi->ways];
}

static void touch(struct byw_dbi_entry *set, uint32_t ways, uint32_t way)
{
    uint8_t rank = set[way].rank;
    uint32_t i;

    for (i = 0; i < ways; i++)
        set[i].rank = (uint8_t)(set[i].rank + (set[i].rank < rank));
    set[way].rank = 0;
}

enum byw_dbi_step byw_dbi_tick(struct byw_dbi *dbi, const struct byw_dbi_req *req, bool taken)
{
    struct byw_dbi_outcome o = {.step = BYW_DBI_DONE};
    struct byw_dbi_walk *walk = &dbi->walk;
    uint64_t left;

    if (req != NULL) {
        struct byw_dbi_entry *set = set_of(dbi, req);

        o = byw_dbi_decide(set, dbi->ways, walk, req);
        if (o.write) {
            set[o.way].row = o.row;
            set[o.way].dirty = o.dirty;
        }
        if (o.touch)
            touch(set, dbi->ways, o.way);
        if (req->op == BYW_DBI_FLUSH && o.step == BYW_DBI_DONE) {
            dbi->flush_set = dbi->flush_set + 1 < dbi->sets ? dbi->flush_set + 1 : 0;
            o.step = dbi->flush_set != 0 ? BYW_DBI_MORE : BYW_DBI_DONE;
        }
    }
    left = walk->dirty & ~o.unwalk;
    if (!walk->offers || taken) {
        walk->offers = left != 0;
        walk->block = (uint8_t)(left != 0 ? byw_ctz64(left) : 0);
        left &= left - 1; /* 0 stays 0 */
    }
    walk->dirty = left | o.walk;
    if (o.walk != 0)
        walk->row = o.walk_row;
    return o.step;
}

bool byw_dbi_ready(const struct byw_dbi *dbi, const struct byw_dbi_req *req)
{
    return byw_dbi_decide(set_of(dbi, req), dbi->ways, &dbi->walk, req).step != BYW_DBI_WAIT;
}

uint64_t byw_dbi_dirty(const struct byw_dbi *dbi, uint64_t row)
{
    struct byw_dbi_req req = {.op = BYW_DBI_LOOKUP, .row = row};

    return byw_dbi_decide(set_of(dbi, &req), dbi->ways, &dbi->walk, &req).seen;
}

const struct byw_mech byw_mech_l2_rinse = {
    .name = "l2_rinse",
    .paper = "004",
    .sentence = "a dirty line evicted from the L2 is written back with the other dirty lines of "
                "its DRAM row",
    .enable = "l2_policy.rinse",
    .on = "on",
    .unit = "dbi",
};
