/* SPDX-License-Identifier: Apache-2.0
 *
 * repl_rig.h - a cache whose lines are named by a letter and whose replacement is the policy under
 * test: the content of a set is written "A2 B0 - C3": for each way, its line and the line's number.
 */
#ifndef BYW_REPL_RIG_H
#define BYW_REPL_RIG_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/byw_bits.h"
#include "common/byw_config.h"
#include "common/test.h"
#include "record/byw_repl.h"

enum { RIG_SETS = 32, RIG_WAYS = 8 };

struct rig {
    const struct byw_repl_ops *ops;
    struct byw_geometry geo;
    /* random number, which a test may write; accesses do not change it */
    struct byw_repl_side side;
    struct byw_set *set[RIG_SETS];
    char line[RIG_SETS][RIG_WAYS]; /* '-': none */
};

static inline struct rig rig_new(const struct byw_repl_ops *ops, uint32_t ways)
{
    struct rig r = {.ops = ops, .geo = {.sets = RIG_SETS, .tag_ways = ways, .data_ways = ways}};

    assert_int_equal(byw_repl_init(&r.side, ops, &r.geo), BYW_OK);
    r.side.random = 1; /* not a multiple of 32 */
    memset(r.line, '-', sizeof(r.line));
    for (uint32_t s = 0; s < RIG_SETS; s++) {
        r.set[s] = malloc(byw_set_bytes(&r.geo));
        assert_non_null(r.set[s]);
        byw_set_clear(&r.geo, r.set[s]);
    }
    return r;
}

static inline void rig_free(struct rig *r)
{
    for (uint32_t s = 0; s < RIG_SETS; s++)
        free(r->set[s]);
    byw_repl_release(&r->side);
}

/* One load; `pending`: ways whose line is in flight.  True: a hit. */
static inline bool rig_load(struct rig *r, uint32_t set, uint32_t pc, char name, bool last,
                            uint64_t pending)
{
    const uint32_t ways = r->geo.data_ways;
    const struct byw_repl_at at = byw_repl_at(&r->side, ways, set, pc);
    uint64_t eligible = byw_mask64(ways) & ~pending;
    char *line = r->line[set];
    uint32_t way = 0;

    while (way < ways && line[way] != name)
        way++;
    if (way < ways) {
        r->ops->touched(r->set[set], &at, way);
        return true;
    }
    for (way = 0; way < ways && line[way] != '-'; way++)
        ;
    if (way == ways) {
        way = r->ops->victim(r->set[set], &at, eligible);
        r->ops->evicted(r->set[set], &at, eligible, way);
    }
    line[way] = name;
    r->ops->inserted(r->set[set], &at, way, last);
    return false;
}

/* Loads of one PC, one per letter; their outcomes must be `want`, of H and M. */
static inline void rig_loads(struct rig *r, uint32_t set, uint32_t pc, const char *names,
                             const char *want)
{
    char got[64] = "";

    for (size_t i = 0; names[i] != '\0'; i++)
        got[i] = rig_load(r, set, pc, names[i], false, 0) ? 'H' : 'M';
    assert_string_equal(got, want);
}

/* A store drops a line, and no other line replaces it. */
static inline void rig_drop(struct rig *r, uint32_t set, char name)
{
    *strchr(r->line[set], name) = '-';
}

static inline void rig_expect(const struct rig *r, uint32_t set, const char *want)
{
    char got[64] = "";
    size_t n = 0;

    for (uint32_t way = 0; way < r->geo.data_ways; way++) {
        n += (size_t)snprintf(got + n, sizeof(got) - n, "%s%c", way == 0 ? "" : " ",
                              r->line[set][way]);
        if (r->line[set][way] != '-')
            n += (size_t)snprintf(got + n, sizeof(got) - n, "%u", r->set[set]->rank[way]);
    }
    assert_string_equal(got, want);
}

#endif
