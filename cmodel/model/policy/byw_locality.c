/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/byw_locality.h"

#include "common/byw_mech.h"

int byw_locality_line(const struct byw_locality *loc, const struct byw_set *set,
                      const struct byw_repl_at *at, bool *victim)
{
    uint64_t all = byw_mask64(loc->geo.data_ways);
    uint64_t filled = set->used & ~set->pending;

    *victim = set->used == all;
    if (set->used != all)
        return (int)byw_ctz64(~set->used);
    if (filled == 0)
        return BYW_NONE;
    return (int)byw_repl_victim(loc->repl, set, at, filled);
}

/* The least frequently used of the tags that may be replaced; ties: the least recently touched one
 * (mechanisms/locality.md 1.6, C2). */
static int lfu_among(const struct byw_locality *loc, const struct byw_set *set, bool committed_too)
{
    uint32_t best = UINT32_MAX;
    int victim = BYW_NONE;
    uint32_t i;

    for (i = 0; i < loc->geo.tag_ways; i++) {
        const struct byw_tag *tag = &set->tag[i];
        uint32_t rank = (uint32_t)tag->rc << 8 | (uint32_t)(UINT8_MAX - tag->age);

        if (tag->status == BYW_TAG_COMMITTED && (!committed_too || byw_set_pending(set, (int)i)))
            continue;
        if (rank < best) {
            best = rank;
            victim = (int)i;
        }
    }
    return victim;
}

int byw_locality_lfu(const struct byw_locality *loc, const struct byw_set *set)
{
    int victim;
    uint32_t i;

    for (i = 0; i < loc->geo.tag_ways; i++)
        if (set->tag[i].status == BYW_TAG_INVALID)
            return (int)i;
    victim = lfu_among(loc, set, loc->lfu_all);
    return victim == BYW_NONE ? lfu_among(loc, set, true) : victim;
}

/* Checks the resources of a miss, in the order in which a lack is reported. */
static bool miss_refused(const struct byw_resources *res, int way, struct byw_decision *d)
{
    if (way == BYW_NONE)
        byw_decision_refuse(d, BYW_RSFAIL_LINE);
    else if (!res->miss_slot)
        byw_decision_refuse(d, BYW_RSFAIL_MISS_QUEUE);
    else if (!res->mshr)
        byw_decision_refuse(d, BYW_RSFAIL_MSHR);
    else
        return false;
    return true;
}

/* How often an allocation ages its set: once for itself and once for the line it evicts; with
 * age_merge, once for both. */
static uint8_t commit_ages(const struct byw_locality *loc, bool evicts)
{
    bool for_line = evicts && loc->age_on_evict;

    if (loc->age_merge)
        return loc->age_on_alloc || for_line;
    return (uint8_t)(loc->age_on_alloc + for_line);
}

/* Gives tag way `tag` a data line; d->rc and d->writes_key are set. */
static void decide_commit(const struct byw_locality *loc, const struct byw_set *set,
                          const struct byw_repl_at *at, int tag, const struct byw_resources *res,
                          struct byw_decision *d)
{
    bool victim = false;
    int way = BYW_NONE;

    if (tag != BYW_NONE && set->tag[tag].status == BYW_TAG_COMMITTED) {
        way = set->tag[tag].pos; /* LFU chose a committed tag: its line is evicted with it */
        victim = true;
    } else if (tag != BYW_NONE) {
        way = byw_locality_line(loc, set, at, &victim);
    }
    if (miss_refused(res, way, d))
        return;
    d->outcome = BYW_MISS;
    d->action = BYW_SET_COMMIT;
    d->note = BYW_NOTE_COMMIT;
    d->tag = (int16_t)tag;
    d->way = (int16_t)way;
    d->old_tag = (int16_t)(victim ? set->way[way].owner : BYW_NONE);
    d->leaves = (int16_t)(victim ? way : BYW_NONE);
    d->keep_tag = true;
    d->ages = commit_ages(loc, victim);
}

static void decide_candidate(const struct byw_locality *loc, const struct byw_set *set, int tag,
                             const struct byw_resources *res, struct byw_decision *d)
{
    if (!res->bypass_slot) {
        byw_decision_refuse(d, BYW_RSFAIL_ICNT);
        return;
    }
    d->outcome = BYW_BYPASS;
    d->note = BYW_NOTE_CANDIDATE;
    d->tag = (int16_t)tag;
    d->action = BYW_SET_COUNT;
    if (!d->writes_key)
        return;
    d->note = tag == BYW_NONE ? BYW_NOTE_NONE : BYW_NOTE_NEW_TAG;
    d->action = tag == BYW_NONE ? BYW_SET_KEEP : BYW_SET_INSTALL;
    if (tag != BYW_NONE && set->tag[tag].status == BYW_TAG_COMMITTED) {
        d->leaves = (int16_t)set->tag[tag].pos;
        d->ages = loc->age_on_evict;
    }
}

void byw_locality_decide(const struct byw_locality *loc, const struct byw_set *set,
                         const struct byw_repl_at *at, int tag, bool at_once,
                         const struct byw_resources *res, struct byw_decision *d)
{
    bool commit = at_once;

    d->writes_key = tag == BYW_NONE;
    d->rc = loc->rc_init;
    if (tag == BYW_NONE) {
        tag = byw_locality_lfu(loc, set);
    } else {
        uint8_t rc = set->tag[tag].rc;

        d->rc = (uint8_t)(rc < loc->rc_max ? rc + 1 : rc);
        commit = commit || d->rc > loc->threshold || (d->rc == loc->threshold && !loc->compare_gt);
    }
    if (!commit) {
        decide_candidate(loc, set, tag, res, d);
        return;
    }
    decide_commit(loc, set, at, tag, res, d);
    if (d->outcome == BYW_RSFAIL && loc->bypass_on_rsfail)
        decide_candidate(loc, set, tag, res, d);
}

void byw_locality_decide_off(const struct byw_locality *loc, const struct byw_set *set,
                             const struct byw_repl_at *at, const struct byw_resources *res,
                             struct byw_decision *d)
{
    bool victim;
    int way = byw_locality_line(loc, set, at, &victim);
    int tag = 0;

    if (miss_refused(res, way, d))
        return;
    if (victim)
        tag = set->way[way].owner;
    else
        while (set->tag[tag].status == BYW_TAG_COMMITTED)
            tag++;
    d->outcome = BYW_MISS;
    d->action = BYW_SET_COMMIT;
    d->writes_key = true;
    d->rc = loc->rc_init;
    d->tag = (int16_t)tag;
    d->way = (int16_t)way;
    d->old_tag = (int16_t)(victim ? tag : BYW_NONE);
    d->leaves = (int16_t)(victim ? way : BYW_NONE);
}

void byw_locality_age(const struct byw_locality *loc, struct byw_set *set, int excl0, int excl1)
{
    uint32_t i;

    for (i = 0; i < loc->geo.tag_ways; i++) {
        struct byw_tag *tag = &set->tag[i];

        if ((int)i != excl0 && (int)i != excl1 && tag->status != BYW_TAG_INVALID && tag->rc > 0)
            tag->rc--;
    }
}

/* mechanisms/across.md 14: bits of the tags, their back pointers and Free_Line, beyond those of a
 * plain cache. */
static uint64_t storage_bits(const struct byw_config *c, const uint32_t *values)
{
    uint32_t tag_bits = c->pa_bits - byw_clog2(c->l1d_line) - byw_clog2(c->l1d_sets);
    uint32_t age_bits = byw_clog2(c->dec_tag_ways), way_bits = byw_clog2(c->l1d_ways);
    uint64_t plain = tag_bits + 2 + way_bits; /* tag, status, rank */
    uint64_t tag = tag_bits + 2 + age_bits + c->dec_rc_bits + way_bits + 1;
    uint64_t set = c->dec_tag_ways * tag + byw_clog2(c->l1d_ways + 1);

    (void)values;
    return c->l1d_sets * (set + c->l1d_ways * (way_bits + age_bits) - c->l1d_ways * plain);
}

const struct byw_mech byw_mech_decoupled = {
    .name = "decoupled",
    .paper = "000",
    .sentence =
        "a load gets a line once its tag has been referenced often enough; until then it bypasses",
    .enable = "policy.mode",
    .on = "decoupled",
    .unit = "locality",
    .storage_bits = storage_bits,
};
