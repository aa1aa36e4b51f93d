/* SPDX-License-Identifier: Apache-2.0
 *
 * mech_rig.h - a small cache around one mechanism, which gets the same hook calls as from the L1D
 * (policy/byw_mech_ops.h, allocate on miss): traces of single letters, each a line, worked out by
 * hand.
 *
 * Outcomes are letters: H hit, P line in flight, M line allocated, B bypass, R refused because no
 * line is free. Lines are filled at once unless `late` is set; then by rig_fill().
 */
#ifndef BYW_MECH_RIG_H
#define BYW_MECH_RIG_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/byw_config.h"
#include "common/test.h"
#include "policy/byw_mech_ops.h"
#include "record/byw_decision.h"
#include "record/byw_set.h"

enum { RIG_BLOCKS = 256, RIG_MSHRS = 64 };

struct rig {
    struct byw_config config;
    const struct byw_mech *mech;
    const struct byw_mech_ops *ops;
    void *self;
    uint32_t sets, ways;
    bool late;
    uint32_t warp, pc; /* warp and PC of the loads */
    uint64_t now;
    struct rig_block {
        bool used, pending;
        uint64_t line, touched;
        uint32_t mshr;
    } block[RIG_BLOCKS];
    bool busy[RIG_MSHRS];
};

/* settings: "key=value key=value" */
static inline void rig_open(struct rig *r, const char *name, uint32_t sets, uint32_t ways,
                            const char *settings)
{
    char text[256], *rest = text, *word;
    struct byw_mech_setup setup;

    memset(r, 0, sizeof(*r));
    byw_config_defaults(&r->config);
    r->config.l1d_sets = r->sets = sets;
    r->config.l1d_ways = r->ways = ways;
    r->config.l1d_mshrs = RIG_MSHRS;
    assert_true(sets * ways <= RIG_BLOCKS);
    snprintf(text, sizeof(text), "%s", settings);
    while ((word = strsep(&rest, " ")) != NULL) {
        struct byw_diag diag = {""};
        char *value = strchr(word, '=');

        if (value == NULL)
            continue;
        *value++ = '\0';
        if (byw_config_set(&r->config, word, value, "test", &diag) != BYW_OK)
            fail_msg("%s", diag.text);
    }
    r->mech = byw_mech_named(name);
    assert_non_null(r->mech);
    r->ops = r->mech->ops;
    setup = byw_mech_setup_of(&r->config, r->mech);
    assert_int_equal(r->ops->create(&setup, &r->self), BYW_OK);
}

static inline void rig_close(struct rig *r)
{
    r->ops->release(r->self);
}

static inline uint64_t rig_count(const struct rig *r, size_t counter)
{
    return r->ops->counters(r->self)[counter];
}

static inline void rig_kernel(struct rig *r, uint32_t pc)
{
    memset(r->block, 0, sizeof(r->block));
    if (r->ops->emptied != NULL)
        r->ops->emptied(r->self, true, pc);
}

static inline struct rig_block *rig_find(struct rig *r, uint64_t line)
{
    struct rig_block *b = &r->block[line % r->sets * r->ways];

    for (uint32_t way = 0; way < r->ways; way++)
        if (b[way].used && b[way].line == line)
            return &b[way];
    return NULL;
}

static inline bool rig_has(struct rig *r, uint64_t line)
{
    return rig_find(r, line) != NULL;
}

static inline void rig_answer(struct rig *r, bool bypass, uint32_t ticket)
{
    const struct byw_mech_answer answer = {.bypass = bypass, .ticket = ticket};

    if (r->ops->answered != NULL)
        r->ops->answered(r->self, &answer);
    if (!bypass)
        r->busy[ticket] = false;
}

static inline void rig_fill(struct rig *r, uint64_t line)
{
    struct rig_block *b = rig_find(r, line);

    assert_true(b != NULL && b->pending);
    b->pending = false;
    rig_answer(r, false, b->mshr);
}

static inline struct byw_mech_access rig_access(struct rig *r, uint64_t line, enum byw_op op)
{
    const struct rig_block *b = rig_find(r, line);

    return (struct byw_mech_access){.line = line,
                                    .set = (uint32_t)(line % r->sets),
                                    .block = b != NULL ? (uint32_t)(b - r->block) : 0,
                                    .pc = r->pc,
                                    .op = (uint8_t)op,
                                    .warp = (uint8_t)r->warp,
                                    .present = b != NULL,
                                    .asks = true};
}

static inline void rig_leave(struct rig *r, struct rig_block *b, enum byw_mech_leave why)
{
    b->used = false;
    if (r->ops->left != NULL)
        r->ops->left(r->self, (uint32_t)(b - r->block), why);
}

/* A store drops the line. */
static inline void rig_drop(struct rig *r, uint64_t line)
{
    const struct byw_mech_access access = rig_access(r, line, BYW_OP_STORE);
    const struct byw_mech_result result = {.outcome = BYW_HIT};

    if (r->ops->accepted != NULL)
        r->ops->accepted(r->self, &access, &result);
    rig_leave(r, rig_find(r, line), BYW_LEFT_DROPPED);
}

/* The way to allocate, as the set's first block + way; NULL: none. */
static inline struct rig_block *rig_place(struct rig *r, uint32_t set)
{
    struct rig_block *b = &r->block[set * r->ways], *oldest = NULL;
    uint64_t eligible = 0;
    int way;

    for (uint32_t i = 0; i < r->ways; i++) {
        if (!b[i].used)
            return &b[i];
        if (b[i].pending)
            continue;
        eligible |= UINT64_C(1) << i;
    }
    if (eligible != 0 && r->ops->spare != NULL)
        eligible = r->ops->spare(r->self, set, eligible);
    for (uint32_t i = 0; i < r->ways; i++) {
        if ((eligible >> i & 1) == 0)
            continue;
        if (oldest == NULL || b[i].touched < oldest->touched)
            oldest = &b[i];
    }
    way =
        eligible != 0 && r->ops->victim != NULL ? r->ops->victim(r->self, set, eligible) : BYW_NONE;
    assert_true(way == BYW_NONE || (eligible >> way & 1) != 0);
    return way == BYW_NONE ? oldest : &b[way];
}

static inline void rig_accept(struct rig *r, const struct byw_mech_access *access,
                              enum byw_outcome outcome, uint32_t block, uint32_t ticket)
{
    const struct byw_mech_result result = {
        .outcome = (uint8_t)outcome, .ticket = ticket, .block = block};

    if (r->ops->accepted != NULL)
        r->ops->accepted(r->self, access, &result);
}

static inline char rig_miss(struct rig *r, const struct byw_mech_access *access)
{
    struct rig_block *b = rig_place(r, access->set);
    struct byw_mech_install install = {.fresh = true};

    if (b == NULL) {
        if (r->ops->rescues == NULL || !r->ops->rescues(r->self, access, BYW_RSFAIL_LINE))
            return 'R';
        rig_accept(r, access, BYW_BYPASS, 0, 0);
        rig_answer(r, true, 0);
        return 'B';
    }
    while (r->busy[install.mshr])
        install.mshr++;
    r->busy[install.mshr] = true;
    install.block = (uint32_t)(b - r->block);
    rig_accept(r, access, BYW_MISS, install.block, install.mshr);
    if (b->used)
        rig_leave(r, b, BYW_LEFT_EVICTED);
    *b = (struct rig_block){.used = true,
                            .pending = true,
                            .line = access->line,
                            .touched = r->now,
                            .mshr = install.mshr};
    if (r->ops->installed != NULL)
        r->ops->installed(r->self, &install);
    if (!r->late)
        rig_fill(r, access->line);
    return 'M';
}

static inline char rig_load(struct rig *r, uint64_t line)
{
    const struct byw_mech_access access = rig_access(r, line, BYW_OP_LOAD);
    enum byw_opinion opinion =
        r->ops->ask != NULL ? r->ops->ask(r->self, &access) : BYW_OPINION_NONE;
    struct rig_block *b = rig_find(r, line);

    r->now++;
    if (b != NULL) {
        b->touched = r->now;
        rig_accept(r, &access, b->pending ? BYW_HIT_PENDING : BYW_HIT, access.block, 0);
        return b->pending ? 'P' : 'H';
    }
    if (opinion != BYW_OPINION_BYPASS)
        return rig_miss(r, &access);
    rig_accept(r, &access, BYW_BYPASS, 0, 0);
    rig_answer(r, true, 0);
    return 'B';
}

/* Letters are lines of set 0 (A: line 0, B: line `sets` ...); blanks are skipped. */
static inline uint64_t rig_line(const struct rig *r, char letter)
{
    return (uint64_t)(letter - 'A') * r->sets;
}

static inline void rig_loads(struct rig *r, const char *letters, const char *want)
{
    char got[128] = "";
    size_t n = 0;

    for (; *letters != '\0'; letters++)
        got[n++] = *letters == ' ' ? ' ' : rig_load(r, rig_line(r, *letters));
    assert_string_equal(got, want);
}

#endif
