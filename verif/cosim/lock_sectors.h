/* SPDX-License-Identifier: Apache-2.0
 *
 * lock_sectors.h - records of sectored sets at the ports of a module: one port per field; P_WAYS,
 * P_SECTORS, P_KEY_W and P_REPL are the module's parameters; and random records.
 */
#ifndef BYW_LOCK_SECTORS_H
#define BYW_LOCK_SECTORS_H

#include "common/byw_config.h"
#include "cosim/lock_repl.h"
#include "record/byw_repl.h"

#define SECTORS_WAY_IW (byw_clog2(P_WAYS) != 0 ? byw_clog2(P_WAYS) : 1)
#define SECTORS_RANK_W byw_repl_rank_bits(P_REPL, P_WAYS)

enum { SEC_KEY, SEC_SECTORS, SEC_RANK, SEC_REUSED, SEC_FIELDS, SEC_WORDS = 64 * 64 / 32 };

/* Ports that a module lacks are -1. */
struct lock_sectors {
    int64_t port[SEC_FIELDS];
};

static inline struct byw_geometry sectors_geometry(uint32_t sets)
{
    return (struct byw_geometry){.sets = sets,
                                 .set_bits = byw_clog2(sets),
                                 .tag_ways = P_WAYS,
                                 .data_ways = P_WAYS,
                                 .line_bits = 7,
                                 .index = BYW_INDEX_LINEAR};
}

static inline struct lock_sectors lock_sectors_ports(const struct dut *dut, const char *prefix,
                                                     const char *suffix, bool keys)
{
    static const char *const name[SEC_FIELDS] = {"key", "sectors", "rank", "reused"};
    struct lock_sectors r;
    char text[64];
    int f;

    for (f = 0; f < SEC_FIELDS; f++) {
        snprintf(text, sizeof(text), "%s_%s_%s", prefix, name[f], suffix);
        r.port[f] = f == SEC_KEY && !keys ? -1 : (int64_t)dut_port(dut, text);
    }
    return r;
}

static inline uint64_t sectors_value(const struct byw_set *set, uint32_t way, int field)
{
    switch (field) {
    case SEC_KEY:
        return set->tag[way].key;
    case SEC_SECTORS:
        return set->tag[way].sectors;
    case SEC_RANK:
        return set->rank[way];
    default:
        return set->way[way].reused;
    }
}

static inline uint32_t sectors_width(int field)
{
    const uint32_t width[SEC_FIELDS] = {P_KEY_W, P_SECTORS, SECTORS_RANK_W, 1};

    return width[field];
}

static inline void lock_sectors_put(struct dut *dut, const struct lock_sectors *r,
                                    const struct byw_set *set)
{
    uint32_t words[SEC_WORDS];
    uint32_t i;
    int f;

    for (f = 0; f < SEC_FIELDS; f++) {
        memset(words, 0, sizeof(words));
        for (i = 0; i < P_WAYS; i++)
            lock_set_field(words, i * sectors_width(f), sectors_width(f), sectors_value(set, i, f));
        if (r->port[f] >= 0)
            dut_put_bytes(dut, (uint32_t)r->port[f], words, sizeof(words));
    }
}

/* Compares the fields that are not don't-cares: keys, reused bits and SRRIP ranks of ways that hold
 * a line. */
static inline void lock_sectors_same(const struct lock *l, const struct lock_sectors *r,
                                     const struct byw_set *set)
{
    static const char *const name[SEC_FIELDS] = {"key", "sectors", "rank", "reused"};
    uint32_t words[SEC_WORDS];
    uint32_t i;
    int f;

    for (f = 0; f < SEC_FIELDS; f++) {
        if (r->port[f] < 0)
            continue;
        dut_get_bytes(l->dut, (uint32_t)r->port[f], words, sizeof(words));
        for (i = 0; i < P_WAYS; i++) {
            bool line = (set->used >> i & 1) != 0;
            bool always = f == SEC_SECTORS || (f == SEC_RANK && lock_ranks_order());

            if (line || always)
                lock_same_at(l, name[f], i, sectors_value(set, i, f),
                             lock_field(words, i * sectors_width(f), sectors_width(f)));
        }
    }
}

static inline uint8_t sectors_random_bits(struct lock *l)
{
    return (uint8_t)(1 + lock_below(l, (1U << P_SECTORS) - 1));
}

/* A record in which `percent` of the ways hold lines with distinct keys. */
static inline void sectors_random(struct lock *l, const struct byw_geometry *geo,
                                  struct byw_set *set, uint32_t percent)
{
    uint64_t turn = byw_rng_next(&l->rng) & byw_mask64(P_KEY_W);
    uint32_t i;

    byw_set_clear(geo, set);
    for (i = 0; i < P_WAYS; i++) {
        uint32_t other = lock_below(l, i + 1);
        uint8_t rank = set->rank[i];

        if (!lock_ranks_order()) {
            set->rank[i] = (uint8_t)lock_below(l, 1U << SECTORS_RANK_W);
        } else {
            set->rank[i] = set->rank[other];
            set->rank[other] = rank;
        }
        if (!lock_chance(l, percent))
            continue;
        byw_set_install(set, (int)i, (2 * i + lock_below(l, 2)) ^ turn, 0);
        byw_set_commit(set, (int)i, i);
        set->pending = 0;
        set->tag[i].sectors = sectors_random_bits(l);
        set->way[i].reused = lock_chance(l, 50);
    }
}

/* The key of a way; occasionally of no way. */
static inline uint64_t sectors_random_key(struct lock *l, const struct byw_set *set)
{
    uint64_t key = set->tag[lock_below(l, P_WAYS)].key;

    return key != BYW_NO_KEY && lock_chance(l, 60) ? key
                                                   : byw_rng_next(&l->rng) & byw_mask64(P_KEY_W);
}

#endif
