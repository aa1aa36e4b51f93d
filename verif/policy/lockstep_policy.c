/* SPDX-License-Identifier: Apache-2.0
 *
 * lockstep_policy - byw_policy.v (with byw_locality, byw_write_decide, byw_set_apply and the
 * replacement policies inside) against byw_policy_choose() and byw_policy_apply(): random records
 * that obey the invariants, random requests, options and resources. One "cycle" is one decision.
 */
#include "cosim/lock_record.h"
#include "policy/byw_policy.h"

enum { RC_MAX = (1 << P_RC_W) - 1, KEY_W = 28 };

struct met {
    uint64_t outcome[5];
    uint64_t reason[BYW_RSFAIL_COUNT];
    uint64_t action[6];
    uint64_t cause[4];
    uint64_t orphans;
};

static void shuffle(struct lock *l, uint8_t *v, uint32_t n)
{
    uint32_t i;

    for (i = 0; i < n; i++)
        v[i] = (uint8_t)i;
    for (i = n; i > 1; i--) {
        uint32_t j = lock_below(l, i);
        uint8_t t = v[i - 1];

        v[i - 1] = v[j];
        v[j] = t;
    }
}

/* high: values at and just below saturation. */
static uint8_t random_rc(struct lock *l, bool high)
{
    uint32_t kind = lock_below(l, 8);

    if (high)
        return (uint8_t)(RC_MAX - lock_below(l, RC_MAX < 4 ? RC_MAX + 1 : 2));
    if (kind == 0)
        return RC_MAX;
    return (uint8_t)(kind < 5 ? lock_below(l, RC_MAX < 4 ? RC_MAX + 1 : 4)
                              : lock_below(l, RC_MAX + 1));
}

/* Hardware keeps all bits of a key; no two tags of a set have the same key. */
static uint64_t random_key(struct lock *l, uint32_t tag)
{
    uint64_t most = byw_mask64(KEY_W) / P_TAG_WAYS;

    return tag + byw_rng_next(&l->rng) % most * P_TAG_WAYS;
}

/* A reachable record: the invariants of byw_set_check() hold. */
static void random_record(struct lock *l, const struct byw_geometry *geo, struct byw_set *set)
{
    uint8_t age[BYW_TAG_WAYS_MAX], rank[BYW_DATA_WAYS_MAX], tag[BYW_TAG_WAYS_MAX];
    uint8_t way[BYW_DATA_WAYS_MAX];
    uint32_t committed = lock_chance(l, 50) ? P_DATA_WAYS : lock_below(l, P_DATA_WAYS + 1);
    uint32_t candidates = lock_below(l, 101);
    uint32_t pending = lock_chance(l, 20) ? 100 : lock_below(l, 101);
    bool high = lock_chance(l, 20);
    uint32_t i;

    byw_set_clear(geo, set);
    shuffle(l, age, P_TAG_WAYS);
    shuffle(l, rank, P_DATA_WAYS);
    shuffle(l, tag, P_TAG_WAYS);
    shuffle(l, way, P_DATA_WAYS);
    for (i = 0; i < P_DATA_WAYS; i++)
        set->rank[i] = lock_ranks_order() ? rank[i] : (uint8_t)lock_below(l, 1U << LOCK_RANK_W);
    for (i = 0; i < P_TAG_WAYS; i++) {
        struct byw_tag *t = &set->tag[tag[i]];

        t->age = age[tag[i]];
        if (i >= committed && !lock_chance(l, candidates))
            continue;
        byw_set_install(set, tag[i], random_key(l, tag[i]), random_rc(l, high));
        if (i >= committed)
            continue;
        byw_set_commit(set, tag[i], way[i]);
        if (!lock_chance(l, pending))
            set->pending &= ~byw_bit64(way[i]);
        set->way[way[i]].reused = lock_chance(l, 50);
    }
}

static void random_config(struct lock *l, struct byw_config *c)
{
    byw_config_defaults(c);
    c->policy_mode = lock_chance(l, 70) ? BYW_MODE_DECOUPLED : lock_below(l, 2);
    c->byp_on_hit = lock_below(l, 3);
    c->l1d_store_hit = lock_below(l, 2);
    c->l1d_ways = P_DATA_WAYS;
    c->dec_tag_ways = P_TAG_WAYS;
    c->l1d_repl = P_REPL;
    c->dec_rc_bits = P_RC_W;
    c->dec_threshold = lock_chance(l, 20) ? lock_below(l, 64) : lock_below(l, 4);
    c->dec_cmp = lock_below(l, 2);
    c->dec_lfu_all = lock_below(l, 2);
    c->dec_rc_on_hit = lock_below(l, 2);
    c->dec_age_alloc = lock_below(l, 2);
    c->dec_age_evict = lock_below(l, 2);
    c->dec_age_merge = lock_below(l, 2);
    c->dec_store_rc = lock_below(l, 2);
    c->dec_byp_rsfail = lock_below(l, 2);
    c->dec_rc_init = lock_below(l, 2);
    lock_rescues(l, 30, c);
}

struct request {
    uint8_t op, hint;
    bool filter_on;
    bool more; /* continues an access: without its line it bypasses as if hinted */
    uint64_t key;
    int tag;
    struct byw_resources res;
    struct byw_advice advice;
};

static struct request random_request(struct lock *l, const struct byw_geometry *geo,
                                     const struct byw_set *set)
{
    struct request r = {
        .op = (uint8_t)(lock_chance(l, 60) ? BYW_OP_LOAD : lock_below(l, BYW_OP_INVALIDATE)),
        .hint = (uint8_t)(lock_chance(l, 60) ? BYW_HINT_NONE : lock_below(l, 5)),
        .filter_on = lock_chance(l, 75),
        .more = lock_chance(l, 15),
        .key = byw_rng_next(&l->rng) & byw_mask64(KEY_W),
        .res = {.miss_slot = lock_chance(l, 85),
                .bypass_slot = lock_chance(l, 85),
                .mshr = lock_chance(l, 85),
                .merge = lock_chance(l, 70)},
        .advice = {.bypass = lock_chance(l, 10),
                   .hot = lock_chance(l, 20),
                   .dead = lock_chance(l, 20)},
    };
    uint32_t i = lock_below(l, P_TAG_WAYS);

    if (lock_chance(l, 70) && set->tag[i].status != BYW_TAG_INVALID)
        r.key = set->tag[i].key;
    r.tag = byw_set_match(geo, set, r.key);
    return r;
}

struct ports {
    uint32_t cfg, filter_on, op, hint, more, writes_key, hit, hit_tags, miss_slot, bypass_slot,
        mshr, merge;
    uint32_t bypass, on, hot, dead, asks, cause;
    uint32_t outcome, store_refused, refused, goes, dirty, served, answers, misses, merges,
        bypasses, writes, cleans, writes_record, ranks, reason, action, note, tag, way, leaves,
        orphan, off, spare;
    struct lock_repl repl;
    struct lock_record before, after;
};

static struct ports find_ports(const struct dut *d)
{
    return (struct ports){
        .cfg = dut_port(d, "cfg_i"),
        .filter_on = dut_port(d, "filter_on_i"),
        .op = dut_port(d, "op_i"),
        .hint = dut_port(d, "hint_i"),
        .more = dut_port(d, "req_more_i"),
        .writes_key = dut_port(d, "key_write_o"),
        .hit = dut_port(d, "hit_i"),
        .hit_tags = dut_port(d, "hit_tags_i"),
        .miss_slot = dut_port(d, "res_miss_slot_i"),
        .bypass_slot = dut_port(d, "res_bypass_slot_i"),
        .mshr = dut_port(d, "res_mshr_i"),
        .merge = dut_port(d, "res_merge_i"),
        .bypass = dut_port(d, "adv_bypass_i"),
        .on = dut_port(d, "adv_on_i"),
        .hot = dut_port(d, "adv_hot_i"),
        .dead = dut_port(d, "adv_dead_i"),
        .asks = dut_port(d, "pc_query_o"),
        .cause = dut_port(d, "cause_o"),
        .outcome = dut_port(d, "outcome_o"),
        .store_refused = dut_port(d, "store_refused_o"),
        .refused = dut_port(d, "refused_o"),
        .goes = dut_port(d, "req_can_leave_o"),
        .dirty = dut_port(d, "line_dirty_i"),
        .served = dut_port(d, "hit_o"),
        .answers = dut_port(d, "hit_answered_o"),
        .misses = dut_port(d, "load_miss_o"),
        .merges = dut_port(d, "load_merge_o"),
        .bypasses = dut_port(d, "req_bypass_o"),
        .writes = dut_port(d, "line_store_o"),
        .cleans = dut_port(d, "line_given_up_o"),
        .writes_record = dut_port(d, "rec_write_o"),
        .ranks = dut_port(d, "rec_rank_only_o"),
        .reason = dut_port(d, "reason_o"),
        .action = dut_port(d, "action_o"),
        .note = dut_port(d, "note_o"),
        .tag = dut_port(d, "tag_o"),
        .way = dut_port(d, "way_o"),
        .leaves = dut_port(d, "line_evict_o"),
        .orphan = dut_port(d, "mshr_detach_o"),
        .off = dut_port(d, "filter_off_o"),
        .spare = dut_port(d, "unprotected_i"),
        .repl = lock_repl_ports(d),
        .before = lock_record_ports(d, "rec", "i"),
        .after = lock_record_ports(d, "rec", "o"),
    };
}

static void put_request(struct lock *l, const struct ports *p, const struct request *r)
{
    bool on = r->advice.hot || r->advice.dead || lock_chance(l, 50);

    dut_put(l->dut, p->filter_on, r->filter_on);
    dut_put(l->dut, p->op, r->op);
    dut_put(l->dut, p->hint, r->hint);
    dut_put(l->dut, p->more, r->more);
    dut_put(l->dut, p->hit, r->tag != BYW_NONE);
    dut_put(l->dut, p->hit_tags,
            1U << (r->tag != BYW_NONE ? (uint32_t)r->tag : lock_below(l, P_TAG_WAYS)));
    dut_put(l->dut, p->miss_slot, r->res.miss_slot);
    dut_put(l->dut, p->bypass_slot, r->res.bypass_slot);
    dut_put(l->dut, p->mshr, r->res.mshr);
    dut_put(l->dut, p->merge, r->res.merge);
    dut_put(l->dut, p->bypass, r->advice.bypass);
    dut_put(l->dut, p->on, on);
    dut_put(l->dut, p->hot, on ? r->advice.hot : lock_chance(l, 50));
    dut_put(l->dut, p->dead, on ? r->advice.dead : lock_chance(l, 50));
}

/* Restricts the victim to the ways in *chooser. */
static int narrow(const void *chooser, uint32_t set, uint64_t *eligible)
{
    (void)set;
    *eligible &= *(const uint64_t *)chooser;
    return BYW_NONE;
}

/* Draws the ways that may be evicted: all, or some that include a filled one. */
static uint64_t random_spare(struct lock *l, const struct byw_set *set)
{
    uint64_t all = byw_mask64(P_DATA_WAYS), filled = set->used & ~set->pending;
    uint64_t spare = lock_chance(l, 50) ? all : byw_rng_next(&l->rng) & all;

    return (spare & filled) == 0 ? spare | filled : spare;
}

/* A refusal writes nothing; the cache enforces that (accept_i of byw_l1d_decide). For a refused
 * request the hardware outputs the decision that it would make with a free slot of its kind. */
static void grant(struct request *r)
{
    if (r->op == BYW_OP_STORE || r->op == BYW_OP_LOCAL_STORE)
        r->res.miss_slot = true;
    else
        r->res.bypass_slot = true;
}

static bool ranks(const struct byw_decision *d)
{
    return d->action == BYW_SET_TOUCH || d->action == BYW_SET_COUNT;
}

/* A request that continues an access neither touches nor counts. */
static bool writes_record(const struct request *r, const struct byw_decision *d)
{
    return d->action != BYW_SET_KEEP && !(r->more && ranks(d));
}

/* Whether the decision evicts its line, or bypasses it. */
static bool cleans(const struct byw_decision *d, bool committed)
{
    return d->leaves != BYW_NONE || (d->outcome == BYW_BYPASS && committed);
}

/* Compares the outputs that are available early. */
static void compare_early(struct lock *l, const struct ports *p, const struct request *r,
                          const struct byw_decision *d, bool committed)
{
    bool load = r->op == BYW_OP_LOAD || r->op == BYW_OP_LOCAL_LOAD;
    bool store = r->op == BYW_OP_STORE || r->op == BYW_OP_LOCAL_STORE;

    lock_same(l, "hit", d->outcome == BYW_HIT, dut_get(l->dut, p->served));
    lock_same(l, "answers", d->outcome == BYW_HIT && r->op != BYW_OP_STORE,
              dut_get(l->dut, p->answers));
    lock_same(l, "misses", load && d->outcome == BYW_MISS, dut_get(l->dut, p->misses));
    lock_same(l, "merges", d->outcome == BYW_HIT_PENDING, dut_get(l->dut, p->merges));
    lock_same(l, "bypasses", d->outcome == BYW_BYPASS, dut_get(l->dut, p->bypasses));
    lock_same(l, "writes", store && d->action == BYW_SET_TOUCH, dut_get(l->dut, p->writes));
    lock_same(l, "cleans", cleans(d, committed), dut_get(l->dut, p->cleans));
    lock_same(l, "writes record", writes_record(r, d), dut_get(l->dut, p->writes_record));
    if (!writes_record(r, d))
        return;
    lock_same(l, "writes key", d->action == BYW_SET_INSTALL || d->action == BYW_SET_COMMIT,
              dut_get(l->dut, p->writes_key));
    lock_same(l, "ranks", ranks(d), dut_get(l->dut, p->ranks));
}

static void compare(struct lock *l, const struct ports *p, const struct byw_decision *d, uint8_t op,
                    bool blind)
{
    bool store = op == BYW_OP_STORE || op == BYW_OP_LOCAL_STORE;

    lock_same(l, "outcome", d->outcome, dut_get(l->dut, p->outcome));
    lock_same(l, "refused", d->outcome == BYW_RSFAIL, dut_get(l->dut, p->refused));
    lock_same(l, "store refused", store && d->outcome == BYW_RSFAIL,
              dut_get(l->dut, p->store_refused));
    if (d->outcome == BYW_RSFAIL)
        lock_same(l, "reason", d->reason, dut_get(l->dut, p->reason));
    if (d->outcome != BYW_RSFAIL) {
        lock_same(l, "action", d->action, dut_get(l->dut, p->action));
        lock_same(l, "cause", d->cause, dut_get(l->dut, p->cause));
        lock_same(l, "note", d->note, dut_get(l->dut, p->note));
        lock_same(l, "leaves", d->leaves != BYW_NONE, dut_get(l->dut, p->leaves));
        lock_same(l, "orphan", d->orphan, dut_get(l->dut, p->orphan));
    }
    if (!blind && d->cause == BYW_CAUSE_NONE && d->outcome != BYW_RSFAIL)
        lock_same(l, "off", d->off, dut_get(l->dut, p->off));
    if (d->action != BYW_SET_KEEP)
        lock_same(l, "tag", (uint64_t)d->tag, dut_get(l->dut, p->tag));
    if (d->action == BYW_SET_TOUCH || d->action == BYW_SET_COMMIT || d->action == BYW_SET_RELEASE)
        lock_same(l, "way", (uint64_t)d->way, dut_get(l->dut, p->way));
    if (d->leaves != BYW_NONE)
        lock_same(l, "leaving way", (uint64_t)d->leaves, dut_get(l->dut, p->way));
}

static void note_met(struct met *m, const struct byw_decision *d)
{
    m->outcome[d->outcome]++;
    if (d->outcome == BYW_RSFAIL)
        m->reason[d->reason]++;
    m->action[d->action]++;
    m->cause[d->cause]++;
    m->orphans += d->orphan;
}

static void check_met(const struct lock *l, const struct met *m)
{
    int i;

    for (i = 0; i < 5; i++)
        lock_met(l, "an outcome was never met", m->outcome[i]);
    for (i = 0; i < BYW_RSFAIL_COUNT; i++)
        lock_met(l, "a refusal was never met", m->reason[i]);
    for (i = 0; i < 6; i++)
        lock_met(l, "an action was never met", m->action[i]);
    for (i = 0; i < 4; i++)
        lock_met(l, "a cause was never met", m->cause[i]);
    lock_met(l, "no MSHR was detached", m->orphans);
}

/* A proof replaces this by a function that gives any record (verif/formal/cbmc/eq_policy.c). */
#ifndef MAKE_RECORD
#define MAKE_RECORD random_record
#endif

/* One decision, in a new record. */
static void decide(struct lock *l, const struct ports *p, const struct byw_geometry *geo,
                   struct byw_set *set, struct met *met)
{
    bool asks, committed, dirty = lock_chance(l, 50);
    struct byw_policy policy;
    struct byw_config config;
    struct byw_decision d;
    struct byw_repl_at at;
    struct byw_diag diag;
    struct request r;
    uint64_t spare;
    const struct byw_repl_side side = {.choose = narrow, .chooser = &spare};

    random_config(l, &config);
    if (byw_policy_init(&policy, &config, &diag) != BYW_OK) {
        fprintf(stderr, "%s\n", diag.text);
        exit(2);
    }
    policy.loc.geo.tag_ways = P_TAG_WAYS; /* the hardware has them in every mode */
    MAKE_RECORD(l, geo, set);
    r = random_request(l, geo, set);
    dut_put(l->dut, p->cfg, lock_cfg(&config));
    at = lock_repl_random(l, P_DATA_WAYS, 32);
    spare = random_spare(l, set);
    at.side = &side;
    dut_put(l->dut, p->spare, spare);
    put_request(l, p, &r);
    dut_put(l->dut, p->dirty, dirty);
    lock_repl_put(l->dut, &p->repl, &at);
    lock_record_put(l->dut, &p->before, set);
    dut_eval(l->dut);
    if (byw_policy_blind(&policy))
        r.tag = BYW_NONE;
    committed = r.tag != BYW_NONE && set->tag[r.tag].status == BYW_TAG_COMMITTED;
    if (r.more && !committed)
        r.hint = BYW_HINT_BYPASS;
    asks = (r.op == BYW_OP_LOAD || r.op == BYW_OP_LOCAL_LOAD) &&
           byw_policy_asks(&policy, set, r.tag, r.hint);
    lock_same(l, "asks", asks, dut_get(l->dut, p->asks));
    byw_policy_choose(&policy, set, &at, r.tag, r.op, r.hint, r.filter_on, &r.advice, &r.res, &d);
    compare(l, p, &d, r.op, byw_policy_blind(&policy));
    lock_same(l, "goes", d.outcome != BYW_RSFAIL && !(dirty && cleans(&d, committed)),
              dut_get(l->dut, p->goes));
    note_met(met, &d);
    if (d.outcome == BYW_RSFAIL) {
        grant(&r);
        byw_policy_choose(&policy, set, &at, r.tag, r.op, r.hint, r.filter_on, &r.advice, &r.res,
                          &d);
    }
    if (d.outcome != BYW_RSFAIL)
        compare_early(l, p, &r, &d, committed);
    byw_policy_apply(&policy, set, &at, r.key, &d);
    if (d.outcome != BYW_RSFAIL && writes_record(&r, &d))
        lock_record_same(l, &p->after, set);
}

int main(int argc, char **argv)
{
    struct lock l = lock_start(argc, argv, 60000);
    struct ports p = find_ports(l.dut);
    struct byw_geometry geo = {.sets = 1, .tag_ways = P_TAG_WAYS, .data_ways = P_DATA_WAYS};
    struct byw_set *set = malloc(byw_set_bytes(&geo));
    struct met met = {.orphans = 0};

    for (l.cycle = 0; l.cycle < l.cycles; l.cycle++)
        decide(&l, &p, &geo, set, &met);
    check_met(&l, &met);
    free(set);
    return lock_pass(&l, ", %" PRIu64 " misses, %" PRIu64 " bypasses, %" PRIu64 " refusals",
                     met.outcome[BYW_MISS], met.outcome[BYW_BYPASS], met.outcome[BYW_RSFAIL]);
}
