/* SPDX-License-Identifier: Apache-2.0 */
#include "study/job/byw_oracle.h"

#include <stdlib.h>
#include <string.h>

#include "common/byw_bits.h"
#include "record/byw_set.h"

enum { SECTOR_BITS = 3 }; /* a block's name is its line and, in these low bits, its sector */

static const uint64_t nowhere = UINT64_MAX; /* no record */
static const uint64_t no_block = UINT64_MAX;

/* --- a map from blocks to records ----------------------------------------------------------- */

struct map {
    struct slot {
        uint64_t block, at;
    } * slot;
    uint64_t size, used; /* size: a power of two */
};

static bool map_init(struct map *map, uint64_t size)
{
    *map = (struct map){.slot = malloc(size * sizeof(*map->slot)), .size = size};
    if (map->slot == NULL)
        return false;
    memset(map->slot, 0xff, size * sizeof(*map->slot));
    return true;
}

static void map_clear(struct map *map)
{
    if (map->used != 0)
        memset(map->slot, 0xff, map->size * sizeof(*map->slot));
    map->used = 0;
}

static struct slot *map_slot(const struct map *map, uint64_t block)
{
    uint64_t i = (block * UINT64_C(0x9e3779b97f4a7c15)) >> 20;

    for (i &= map->size - 1; map->slot[i].block != block && map->slot[i].block != no_block;)
        i = (i + 1) & (map->size - 1);
    return &map->slot[i];
}

static uint64_t map_get(const struct map *map, uint64_t block)
{
    return map_slot(map, block)->at;
}

static bool map_put(struct map *map, uint64_t block, uint64_t at)
{
    struct slot *slot = map_slot(map, block);

    if (slot->block == no_block && 2 * ++map->used > map->size) {
        struct map grown;

        if (!map_init(&grown, 2 * map->size))
            return false;
        for (uint64_t i = 0; i < map->size; i++)
            if (map->slot[i].block != no_block) {
                *map_slot(&grown, map->slot[i].block) = map->slot[i];
                grown.used++;
            }
        free(map->slot);
        grown.used++;
        *map = grown;
        slot = map_slot(map, block);
    }
    *slot = (struct slot){block, at};
    return true;
}

/* --- evaluating the records ----------------------------------------------------------------- */

struct rules {
    struct byw_geometry geo;
    uint32_t sectors;
    bool on_fill;
    bool evicts; /* a store drops its line */
    bool keeps; /* an atomic neither drops nor uses its line */
    bool stale; /* a store ignores a line in flight */
};

static struct rules rules_of(const struct byw_config *c)
{
    return (struct rules){
        .geo = byw_geometry_of(c, c->l1d_ways),
        .sectors = c->l1d_sectors,
        .on_fill = c->l1d_alloc == BYW_ALLOC_ON_FILL,
        .evicts = c->l1d_store_hit == BYW_STORE_EVICT,
        .keeps = c->l1d_atomic_keeps,
        .stale = c->l1d_stale_fills != 0 && c->l1d_alloc == BYW_ALLOC_ON_MISS,
    };
}

static bool is_load(const struct byw_record *r)
{
    return r->op == BYW_OP_LOAD || r->op == BYW_OP_LOCAL_LOAD;
}

/* Whether the access is a load that may hit. */
static bool looks(const struct byw_record *r)
{
    return is_load(r) && r->hint != BYW_HINT_VOLATILE;
}

static uint64_t block_of(const struct rules *rules, const struct byw_record *r)
{
    return r->line << SECTOR_BITS | (rules->sectors > 1 ? r->sector : 0);
}

/* Whether the access is an atomic that neither drops its line nor counts as a use of it. */
static bool ignores(const struct rules *rules, const struct byw_record *r)
{
    return r->op == BYW_OP_ATOMIC && rules->keeps;
}

/* Whether the access drops a filled line. */
static bool drops(const struct rules *rules, const struct byw_record *r)
{
    return (r->op == BYW_OP_ATOMIC && !rules->keeps) || (r->op == BYW_OP_STORE && rules->evicts) ||
           (is_load(r) && !looks(r));
}

/* Whether the access leaves a line in flight as it is. */
static bool stale_store(const struct rules *rules, const struct byw_record *r)
{
    return rules->stale && (r->op == BYW_OP_STORE || r->op == BYW_OP_LOCAL_STORE);
}

/* --- LRU ------------------------------------------------------------------------------------ */

struct way {
    uint64_t line; /* no_block: none */
    uint64_t miss; /* allocate on miss: the record whose fill the line waits for; nowhere: the line
                      is filled */
    uint64_t touched;
    uint8_t there; /* sectors present, one bit each */
};

struct lru {
    const struct rules *rules;
    const struct byw_record *record;
    struct way *way; /* sets x ways */
    struct map pending; /* allocate on fill: maps a block to the miss that requested it */
    struct byw_oracle *oracle;
};

static struct way *set_of(const struct lru *lru, uint64_t line)
{
    return lru->way + (size_t)byw_set_index(&lru->rules->geo, line) * lru->rules->geo.data_ways;
}

static struct way *find(const struct lru *lru, uint64_t line)
{
    struct way *set = set_of(lru, line);

    for (uint32_t w = 0; w < lru->rules->geo.data_ways; w++)
        if (set[w].line == line)
            return &set[w];
    return NULL;
}

static void drop(struct way *way)
{
    *way = (struct way){.line = no_block, .miss = nowhere};
}

/* A free way, or the least recently used filled line; NULL: all are in flight. */
static struct way *victim(const struct lru *lru, uint64_t line)
{
    struct way *set = set_of(lru, line), *best = NULL;

    for (uint32_t w = 0; w < lru->rules->geo.data_ways; w++) {
        if (set[w].line == no_block)
            return &set[w];
        if (set[w].miss == nowhere && (best == NULL || set[w].touched < best->touched))
            best = &set[w];
    }
    return best;
}

static bool lru_load(struct lru *lru, uint64_t n, struct way *way)
{
    const struct byw_record *r = &lru->record[n];
    uint8_t bit = (uint8_t)(1U << (lru->rules->sectors > 1 ? r->sector : 0));
    uint64_t block = block_of(lru->rules, r);

    if (way != NULL && (way->miss != nowhere || (way->there & bit) != 0)) {
        lru->oracle->lru_hits += way->miss == nowhere;
        lru->oracle->lru_pending += way->miss != nowhere;
        way->touched = n;
        return true;
    }
    if (lru->rules->on_fill) {
        bool waits = map_get(&lru->pending, block) != nowhere;

        lru->oracle->lru_pending += waits;
        return waits || map_put(&lru->pending, block, n);
    }
    way = victim(lru, r->line);
    if (way != NULL)
        *way = (struct way){.line = r->line, .miss = n, .touched = n, .there = 1};
    return true;
}

/* Handles any access except a load that looks up its line. */
static bool lru_other(struct lru *lru, uint64_t n, struct way *way)
{
    const struct byw_record *r = &lru->record[n];
    uint8_t bit = (uint8_t)(1U << (lru->rules->sectors > 1 ? r->sector : 0));
    uint64_t block = block_of(lru->rules, r);
    bool waits = way != NULL && way->miss != nowhere;

    if (ignores(lru->rules, r))
        return true;
    if (waits && stale_store(lru->rules, r))
        return true;
    if (way != NULL && (waits || (way->there & bit) != 0)) {
        if (waits || drops(lru->rules, r))
            drop(way);
        else
            way->touched = n;
    }
    if (lru->rules->on_fill && map_get(&lru->pending, block) != nowhere)
        return map_put(&lru->pending, block, nowhere);
    return true;
}

/* Record n: fills the line that a miss requested, unless the line was dropped meanwhile. */
static bool lru_fill(struct lru *lru, uint64_t n)
{
    uint64_t miss = lru->record[n].line;
    const struct byw_record *r = &lru->record[miss];
    struct way *way = find(lru, r->line);
    uint8_t bit = (uint8_t)(1U << (lru->rules->sectors > 1 ? r->sector : 0));

    if (!lru->rules->on_fill) {
        if (way != NULL && way->miss == miss)
            way->miss = nowhere;
        return true;
    }
    if (map_get(&lru->pending, block_of(lru->rules, r)) != miss)
        return true;
    if (way == NULL) {
        way = victim(lru, r->line);
        *way = (struct way){.line = r->line, .miss = nowhere};
    }
    way->there |= bit;
    way->touched = n;
    return map_put(&lru->pending, block_of(lru->rules, r), nowhere);
}

static void lru_start(struct lru *lru)
{
    for (size_t i = 0; i < (size_t)lru->rules->geo.sets * lru->rules->geo.data_ways; i++)
        drop(&lru->way[i]);
    map_clear(&lru->pending);
}

static enum byw_status count_lru(const struct rules *rules, const struct byw_record *record,
                                 uint64_t count, struct byw_oracle *oracle)
{
    struct lru lru = {.rules = rules, .record = record, .oracle = oracle};
    bool good;

    lru.way = calloc((size_t)rules->geo.sets * rules->geo.data_ways, sizeof(*lru.way));
    good = map_init(&lru.pending, 1024) && lru.way != NULL;
    if (good)
        lru_start(&lru);
    for (uint64_t n = 0; good && n < count; n++) {
        const struct byw_record *r = &record[n];

        if (r->op == BYW_RECORD_START)
            lru_start(&lru);
        else if (r->op == BYW_RECORD_FILL)
            good = lru_fill(&lru, n);
        else if (looks(r))
            good = lru_load(&lru, n, find(&lru, r->line));
        else
            good = lru_other(&lru, n, find(&lru, r->line));
    }
    free(lru.way);
    free(lru.pending.slot);
    return good ? BYW_OK : BYW_ENOMEM;
}

/* --- the best ------------------------------------------------------------------------------- */

/* next[n]: the record of the next load that would hit the line if it were kept from load n on. */
static bool find_next(const struct rules *rules, const struct byw_record *record, uint64_t count,
                      uint64_t *next)
{
    struct map later;
    bool good = map_init(&later, 1024);

    for (uint64_t n = count; good && n-- > 0;) {
        const struct byw_record *r = &record[n];

        next[n] = nowhere;
        if (r->op == BYW_RECORD_START) {
            map_clear(&later);
        } else if (looks(r)) {
            next[n] = map_get(&later, block_of(rules, r));
            good = map_put(&later, block_of(rules, r), n);
        } else if (r->op != BYW_RECORD_FILL && drops(rules, r) && !stale_store(rules, r)) {
            good = map_put(&later, block_of(rules, r), nowhere);
        }
    }
    free(later.slot);
    return good;
}

/* A set of the best cache: for each line its next use; used[0 .. count - 1]. */
struct best_set {
    uint32_t count;
    uint64_t used[];
};

/* Handles the load at n; next: the next use of its line. */
static void best_load(struct best_set *set, uint32_t room, uint64_t n, uint64_t next,
                      struct byw_oracle *oracle)
{
    uint32_t at = 0, last = 0;

    while (at < set->count && set->used[at] != n)
        at++;
    if (at < set->count) {
        oracle->best++;
        set->used[at] = next;
        if (next == nowhere)
            set->used[at] = set->used[--set->count];
        return;
    }
    if (next == nowhere)
        return;
    if (set->count == room) {
        for (uint32_t i = 1; i < room; i++)
            if (set->used[i] > set->used[last])
                last = i;
        if (set->used[last] < next)
            return; /* this load's line would be evicted first */
    } else {
        last = set->count++;
    }
    set->used[last] = next;
    oracle->best_lines++;
}

static enum byw_status count_best(const struct rules *rules, const struct byw_record *record,
                                  uint64_t count, struct byw_oracle *oracle)
{
    uint32_t room = rules->geo.data_ways * rules->sectors;
    size_t bytes = sizeof(struct best_set) + room * sizeof(uint64_t);
    char *sets = calloc(rules->geo.sets, bytes);
    uint64_t *next = malloc((count + 1) * sizeof(*next));
    bool good = sets != NULL && next != NULL && find_next(rules, record, count, next);

    for (uint64_t n = 0; good && n < count; n++) {
        if (!looks(&record[n]))
            continue;
        oracle->infinite += next[n] != nowhere; /* the later load of the line hits */
        best_load((void *)(sets + bytes * byw_set_index(&rules->geo, record[n].line)), room, n,
                  next[n], oracle);
    }
    free(sets);
    free(next);
    return good ? BYW_OK : BYW_ENOMEM;
}

/* --- all of it ------------------------------------------------------------------------------ */

enum byw_status byw_oracle_count(const struct byw_config *config, const struct byw_record *record,
                                 uint64_t count, struct byw_oracle *oracle)
{
    const struct rules rules = rules_of(config);
    enum byw_status status;

    *oracle = (struct byw_oracle){0};
    for (uint64_t n = 0; n < count; n++) {
        oracle->loads += is_load(&record[n]);
        oracle->hits += is_load(&record[n]) && record[n].outcome == BYW_HIT;
        oracle->pending += is_load(&record[n]) && record[n].outcome == BYW_HIT_PENDING;
    }
    status = count_lru(&rules, record, count, oracle);
    return status == BYW_OK ? count_best(&rules, record, count, oracle) : status;
}

void byw_oracle_add(struct byw_oracle *sum, const struct byw_oracle *part)
{
    sum->loads += part->loads;
    sum->hits += part->hits;
    sum->pending += part->pending;
    sum->lru_hits += part->lru_hits;
    sum->lru_pending += part->lru_pending;
    sum->best += part->best;
    sum->best_lines += part->best_lines;
    sum->infinite += part->infinite;
}
