/* SPDX-License-Identifier: Apache-2.0
 *
 * lock_record.h - set records at the ports of a module: one port per field; P_TAG_WAYS and so on
 * are the module's parameters.
 */
#ifndef BYW_LOCK_RECORD_H
#define BYW_LOCK_RECORD_H

#include "cosim/lock_cfg.h"
#include "cosim/lock_repl.h"
#include "record/byw_set.h"

#define LOCK_TAG_IW (byw_clog2(P_TAG_WAYS) != 0 ? byw_clog2(P_TAG_WAYS) : 1)
#define LOCK_WAY_IW (byw_clog2(P_DATA_WAYS) != 0 ? byw_clog2(P_DATA_WAYS) : 1)
#define LOCK_RANK_W byw_repl_rank_bits(P_REPL, P_DATA_WAYS)

enum {
    REC_STATUS,
    REC_RC,
    REC_POS,
    REC_AGE,
    REC_OWNER,
    REC_RANK,
    REC_REUSED,
    REC_USED,
    REC_PENDING,
    REC_FIELDS,
    REC_WORDS = 128 * 64 / 32
};

struct lock_record {
    uint32_t port[REC_FIELDS];
};

/* Finds the ports prefix_status_suffix and so on; suffix: "i" or "o". */
static inline struct lock_record lock_record_ports(const struct dut *dut, const char *prefix,
                                                   const char *suffix)
{
    static const char *const name[REC_FIELDS] = {"status", "rc",     "pos",  "age",    "owner",
                                                 "rank",   "reused", "used", "pending"};
    struct lock_record r;
    char text[64];
    int i;

    for (i = 0; i < REC_FIELDS; i++) {
        snprintf(text, sizeof(text), "%s_%s_%s", prefix, name[i], suffix);
        r.port[i] = dut_port(dut, text);
    }
    return r;
}

static inline uint64_t record_tag_value(const struct byw_tag *tag, int field)
{
    switch (field) {
    case REC_STATUS:
        return tag->status;
    case REC_RC:
        return tag->rc;
    case REC_POS:
        return tag->pos;
    default:
        return tag->age;
    }
}

static inline uint64_t record_way_value(const struct byw_set *set, uint32_t way, int field)
{
    switch (field) {
    case REC_OWNER:
        return set->way[way].owner;
    case REC_RANK:
        return set->rank[way];
    case REC_REUSED:
        return set->way[way].reused;
    case REC_USED:
        return set->used >> way & 1;
    default:
        return set->pending >> way & 1;
    }
}

static inline uint32_t record_width(int field)
{
    const uint32_t width[REC_FIELDS] = {
        2, P_RC_W, LOCK_WAY_IW, LOCK_TAG_IW, LOCK_TAG_IW, LOCK_RANK_W, 1, 1, 1};

    return width[field];
}

static inline void lock_record_put(struct dut *dut, const struct lock_record *r,
                                   const struct byw_set *set)
{
    uint32_t words[REC_WORDS];
    uint32_t i;
    int f;

    for (f = 0; f < REC_FIELDS; f++) {
        uint32_t width = record_width(f);

        memset(words, 0, sizeof(words));
        for (i = 0; i < (f <= REC_AGE ? P_TAG_WAYS : P_DATA_WAYS); i++)
            lock_set_field(words, i * width, width,
                           f <= REC_AGE ? record_tag_value(&set->tag[i], f)
                                        : record_way_value(set, i, f));
        dut_put_bytes(dut, r->port[f], words, sizeof(words));
    }
}

/* Whether field f of tag or way i is compared, not a don't-care: the counter of a valid tag, the
 * position of a committed one, owner and reused of used ways, ranks of used ways (of all ways if
 * they form an order). */
static inline bool record_matters(const struct byw_set *set, int f, uint32_t i)
{
    bool used = f > REC_AGE && (set->used >> i & 1) != 0;

    switch (f) {
    case REC_RC:
        return set->tag[i].status != BYW_TAG_INVALID;
    case REC_POS:
        return set->tag[i].status == BYW_TAG_COMMITTED;
    case REC_OWNER:
    case REC_REUSED:
        return used;
    case REC_RANK:
        return used || lock_ranks_order();
    default:
        return true;
    }
}

/* Compares the fields that are not don't-cares (record_matters()). */
static inline void lock_record_same(const struct lock *l, const struct lock_record *r,
                                    const struct byw_set *set)
{
    static const char *const name[REC_FIELDS] = {"status", "rc",     "pos",  "age",    "owner",
                                                 "rank",   "reused", "used", "pending"};
    uint32_t words[REC_WORDS];
    uint32_t i;
    int f;

    for (f = 0; f < REC_FIELDS; f++) {
        uint32_t width = record_width(f);

        dut_get_bytes(l->dut, r->port[f], words, sizeof(words));
        for (i = 0; i < (f <= REC_AGE ? P_TAG_WAYS : P_DATA_WAYS); i++) {
            if (!record_matters(set, f, i))
                continue;
            lock_same_at(l, name[f], i,
                         f <= REC_AGE ? record_tag_value(&set->tag[i], f)
                                      : record_way_value(set, i, f),
                         lock_field(words, i * width, width));
        }
    }
}

#endif
