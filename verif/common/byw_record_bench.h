/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_record_bench.h - test bench around one set record: decides and applies accesses, fills at
 * once or later.
 */
#ifndef BYW_RECORD_BENCH_H
#define BYW_RECORD_BENCH_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/byw_rng.h"
#include "common/test.h"
#include "policy/byw_policy.h"

struct bench {
    struct byw_policy policy;
    struct byw_set *set;
    struct byw_decision d; /* decision on the last access */
    bool filter_on;
    bool fill_late; /* lines stay pending until bench_fill() */
    struct byw_resources res;
};

static inline struct byw_config bench_config(void)
{
    struct byw_config c;

    byw_config_defaults(&c);
    c.policy_mode = BYW_MODE_DECOUPLED;
    c.dec_rc_init = 0; /* as in the worked traces: the third touch allocates a line */
    c.l1d_sets = 1;
    return c;
}

static inline struct bench bench_new(const struct byw_config *config)
{
    struct bench b = {.filter_on = true,
                      .res = {.miss_slot = true, .bypass_slot = true, .mshr = true, .merge = true}};
    struct byw_diag diag;

    if (byw_policy_init(&b.policy, config, &diag) != BYW_OK)
        fail_msg("%s", diag.text);
    b.set = malloc(byw_set_bytes(&b.policy.loc.geo));
    assert_non_null(b.set);
    byw_set_clear(&b.policy.loc.geo, b.set);
    return b;
}

static inline void bench_free(struct bench *b)
{
    free(b->set);
}

static inline int bench_find(const struct bench *b, uint64_t key)
{
    return byw_set_match(&b->policy.loc.geo, b->set, key);
}

static inline const struct byw_tag *bench_tag(const struct bench *b, uint64_t key)
{
    int way = bench_find(b, key);

    return way == BYW_NONE ? NULL : &b->set->tag[way];
}

/* Inputs of the replacement policy: a single set, no random choice. */
static inline struct byw_repl_at bench_at(const struct bench *b)
{
    return (struct byw_repl_at){.ways = b->policy.loc.geo.data_ways};
}

/* One access; a refusal is not applied. */
static inline enum byw_outcome bench_hint(struct bench *b, uint8_t op, uint64_t key, uint8_t hint)
{
    struct byw_repl_at at = bench_at(b);

    byw_policy_decide(&b->policy, b->set, &at, bench_find(b, key), op, hint, b->filter_on, &b->res,
                      &b->d);
    if (b->d.outcome != BYW_RSFAIL)
        byw_policy_apply(&b->policy, b->set, &at, key, &b->d);
    if (!b->fill_late)
        b->set->pending = 0;
    return (enum byw_outcome)b->d.outcome;
}

static inline enum byw_outcome bench_do(struct bench *b, uint8_t op, uint64_t key)
{
    return bench_hint(b, op, key, BYW_HINT_NONE);
}

static inline enum byw_outcome bench_load(struct bench *b, uint64_t key)
{
    return bench_do(b, BYW_OP_LOAD, key);
}

static inline void bench_fill(struct bench *b)
{
    b->set->pending = 0;
}

/* The record as "X:r@p ...", where the letter is 'A' + key. */
static inline void bench_print(const struct bench *b, char *text, size_t room)
{
    size_t at = 0;
    uint32_t i;

    text[0] = '\0';
    for (i = 0; i < b->policy.loc.geo.tag_ways && at < room; i++) {
        const struct byw_tag *tag = &b->set->tag[i];

        if (tag->status == BYW_TAG_INVALID)
            continue;
        at += (size_t)snprintf(text + at, room - at, "%s%c:%u", at == 0 ? "" : " ",
                               (char)('A' + (char)tag->key), tag->rc);
        if (tag->status == BYW_TAG_COMMITTED && at < room)
            at += (size_t)snprintf(text + at, room - at, "@%u", tag->pos);
    }
}

static inline void bench_expect(const struct bench *b, const char *want)
{
    char got[512];

    bench_print(b, got, sizeof(got));
    assert_string_equal(got, want);
}

/* Loads each letter of the text in turn. */
static inline void bench_loads(struct bench *b, const char *letters)
{
    for (; *letters != '\0'; letters++)
        bench_load(b, (uint64_t)(*letters - 'A'));
}

#endif
