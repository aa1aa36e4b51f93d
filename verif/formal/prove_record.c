/* SPDX-License-Identifier: Apache-2.0
 *
 * prove_record - byw_policy.v equals byw_policy_decide() and byw_policy_apply() in every state that
 * a small set record can reach and for every request there: a joint search, breadth first.
 * Starting with the empty record, both get each state with each request, hint, filter setting and
 * combination of missing resources; both must give the same outputs and the same next record, which
 * is visited next. Fills come in any order, and the filter may be switched off (candidates are
 * dropped).  Don't-care fields of a record (a free way's owner, an invalid tag's key) are driven
 * with random values.
 *
 * The seed chooses the settings: seed modulo the table below.
 */
#include "cosim/lock_cfg.h"
#include "policy/byw_policy.h"

enum {
    KEY_W = 2,
    LINES = 1 << KEY_W,
    TAG_IW = P_TAG_WAYS > 2 ? 2 : 1,
    WAY_IW = 1,
    RC_MAX = (1 << P_RC_W) - 1,
    TABLE_BITS = 21,
    TABLE = 1 << TABLE_BITS,
};

/* Ports of one record, in the order of the packed state, and the bits of one entry. */
static const char *const port_name[] = {"key",   "status", "rc",     "pos",  "age",
                                        "owner", "rank",   "reused", "used", "pending"};
enum field { KEY, STATUS, RC, POS, AGE, OWNER, RANK, REUSED, USED, PENDING, FIELDS };
static uint8_t width[FIELDS] = {KEY_W,  2, P_RC_W, WAY_IW, TAG_IW,
                                TAG_IW, 0, 1,      1,      1}; /* ranks: see main() */

struct record {
    uint32_t vector[FIELDS]; /* packed as at the ports */
};

struct request {
    uint8_t op, hint, key;
    bool filter_on;
    struct byw_resources res;
};

struct search {
    struct lock l;
    struct byw_policy policy;
    struct byw_geometry geo;
    struct byw_set *set;
    uint32_t in[FIELDS], out[FIELDS];
    uint32_t cfg, filter_on, op, hint, hit, hit_tags, miss_slot, bypass_slot, mshr, merge;
    uint32_t outcome, reason, action, note, tag, way, leaves, orphan, writes_key, writes_record;
    uint64_t *seen, *queue;
    uint32_t count;
    uint64_t steps, refused, outcomes[5];
};

static uint32_t entries(int field)
{
    return field < OWNER ? P_TAG_WAYS : P_DATA_WAYS;
}

static uint32_t get(const struct record *r, int field, uint32_t i)
{
    return r->vector[field] >> i * width[field] & ((1U << width[field]) - 1);
}

static void put(struct record *r, int field, uint32_t i, uint32_t value)
{
    r->vector[field] |= (value & ((1U << width[field]) - 1)) << i * width[field];
}

/* Whether entry i of a field has a meaning in this state. */
static bool matters(const struct record *r, int field, uint32_t i)
{
    switch (field) {
    case KEY:
    case RC:
        return get(r, STATUS, i) != BYW_TAG_INVALID;
    case POS:
        return get(r, STATUS, i) == BYW_TAG_COMMITTED;
    case OWNER:
    case REUSED:
        return get(r, USED, i) != 0;
    case RANK:
        return P_REPL == BYW_REPL_LRU || get(r, USED, i) != 0;
    default:
        return true;
    }
}

static struct record of_set(const struct byw_set *set)
{
    struct record r = {{0}};
    uint32_t i;

    for (i = 0; i < P_TAG_WAYS; i++) {
        const struct byw_tag *t = &set->tag[i];

        put(&r, KEY, i, (uint32_t)t->key);
        put(&r, STATUS, i, t->status);
        put(&r, RC, i, t->rc);
        put(&r, POS, i, t->pos);
        put(&r, AGE, i, t->age);
    }
    for (i = 0; i < P_DATA_WAYS; i++) {
        put(&r, OWNER, i, set->way[i].owner);
        put(&r, RANK, i, set->rank[i]);
        put(&r, REUSED, i, set->way[i].reused);
    }
    r.vector[USED] = (uint32_t)set->used;
    r.vector[PENDING] = (uint32_t)set->pending;
    return r;
}

static void to_set(const struct record *r, struct byw_set *set)
{
    uint32_t i;

    for (i = 0; i < P_TAG_WAYS; i++) {
        bool valid = get(r, STATUS, i) != BYW_TAG_INVALID;

        set->tag[i] = (struct byw_tag){.key = valid ? get(r, KEY, i) : BYW_NO_KEY,
                                       .status = (uint8_t)get(r, STATUS, i),
                                       .rc = (uint8_t)get(r, RC, i),
                                       .pos = (uint8_t)get(r, POS, i),
                                       .age = (uint8_t)get(r, AGE, i),
                                       .sectors = 1};
    }
    for (i = 0; i < P_DATA_WAYS; i++) {
        set->way[i] =
            (struct byw_way){.owner = (uint8_t)get(r, OWNER, i), .reused = get(r, REUSED, i) != 0};
        set->rank[i] = (uint8_t)get(r, RANK, i);
    }
    set->used = r->vector[USED];
    set->pending = r->vector[PENDING];
}

/* The record as one number, without don't-care fields; never 0. */
static uint64_t pack(const struct record *r)
{
    uint64_t code = 1;
    uint32_t i;
    int f;

    for (f = 0; f < FIELDS; f++)
        for (i = 0; i < entries(f); i++)
            code = code << width[f] | (matters(r, f, i) ? get(r, f, i) : 0);
    return code;
}

static struct record unpack(uint64_t code)
{
    struct record r = {{0}};
    uint32_t i;
    int f;

    for (f = FIELDS - 1; f >= 0; f--)
        for (i = entries(f); i-- > 0; code >>= width[f])
            put(&r, f, i, (uint32_t)code);
    return r;
}

static void visit(struct search *s, uint64_t code)
{
    uint32_t at = (uint32_t)(code * UINT64_C(0x9E3779B97F4A7C15) >> (64 - TABLE_BITS));

    while (s->seen[at] != 0 && s->seen[at] != code)
        at = (at + 1) % TABLE;
    if (s->seen[at] == code)
        return;
    if (s->count == TABLE / 4 * 3) {
        fprintf(stderr, "more states than the table holds\n");
        exit(2);
    }
    s->seen[at] = code;
    s->queue[s->count++] = code;
}

/* Drives the record into the module, with random values in don't-care bits. */
static void show(struct search *s, const struct record *r)
{
    uint64_t noise = byw_rng_next(&s->l.rng);
    uint32_t i;
    int f;

    for (f = STATUS; f < FIELDS; f++) {
        struct record shown = {{0}};

        for (i = 0; i < entries(f); i++, noise = noise >> 3 | noise << 61)
            put(&shown, f, i, matters(r, f, i) ? get(r, f, i) : (uint32_t)noise);
        dut_put(s->l.dut, s->in[f], shown.vector[f]);
    }
}

static void compare(struct search *s, const struct byw_decision *d)
{
    struct dut *dut = s->l.dut;
    struct lock *l = &s->l;

    lock_same(l, "outcome", d->outcome, dut_get(dut, s->outcome));
    if (d->outcome == BYW_RSFAIL)
        lock_same(l, "reason", d->reason, dut_get(dut, s->reason));
    if (d->outcome != BYW_RSFAIL) {
        lock_same(l, "action", d->action, dut_get(dut, s->action));
        lock_same(l, "note", d->note, dut_get(dut, s->note));
        lock_same(l, "leaves", d->leaves != BYW_NONE, dut_get(dut, s->leaves));
        lock_same(l, "orphan", d->orphan, dut_get(dut, s->orphan));
    }
    if (d->action != BYW_SET_KEEP)
        lock_same(l, "tag", (uint64_t)d->tag, dut_get(dut, s->tag));
    if (d->action == BYW_SET_TOUCH || d->action == BYW_SET_COMMIT || d->action == BYW_SET_RELEASE)
        lock_same(l, "way", (uint64_t)d->way, dut_get(dut, s->way));
    if (d->leaves != BYW_NONE)
        lock_same(l, "leaving way", (uint64_t)d->leaves, dut_get(dut, s->way));
}

static void set_key(struct record *r, uint32_t tag, uint32_t key)
{
    r->vector[KEY] &= ~((uint32_t)(LINES - 1) << tag * KEY_W);
    put(r, KEY, tag, key);
}

/* The hardware's early outputs of a refused request: what it would do with a free slot of the kind
 * that it needs, or nothing if that slot would not help. None of it is written. The case with the
 * slot is checked as well. */
static void with_slot(struct search *s, const struct byw_repl_at *at, int tag,
                      const struct request *r, struct byw_decision *d)
{
    bool store = r->op == BYW_OP_STORE || r->op == BYW_OP_LOCAL_STORE;
    struct byw_resources res = r->res;

    *(store ? &res.miss_slot : &res.bypass_slot) = true;
    byw_policy_decide(&s->policy, s->set, at, tag, r->op, r->hint, r->filter_on, &res, d);
}

/* The next record; keys are written separately (byw_tag_store). */
static struct record written(const struct search *s, const struct record *before,
                             const struct request *r)
{
    struct record after = {.vector[KEY] = before->vector[KEY]};
    int f;

    if (dut_get(s->l.dut, s->writes_key) != 0)
        set_key(&after, (uint32_t)dut_get(s->l.dut, s->tag), r->key);
    for (f = STATUS; f < FIELDS; f++)
        after.vector[f] = (uint32_t)dut_get(s->l.dut, s->out[f]);
    return after;
}

static void step(struct search *s, uint64_t code, const struct request *r)
{
    struct record before = unpack(code), after;
    struct byw_repl_at at = {.ways = P_DATA_WAYS}; /* other inputs are 0 */
    struct dut *dut = s->l.dut;
    struct byw_decision d;
    int tag;

    to_set(&before, s->set);
    tag = byw_set_match(&s->geo, s->set, r->key);
    dut_put(dut, s->filter_on, r->filter_on);
    dut_put(dut, s->op, r->op);
    dut_put(dut, s->hint, r->hint);
    dut_put(dut, s->hit, tag != BYW_NONE);
    dut_put(dut, s->hit_tags, tag != BYW_NONE ? 1U << tag : 0);
    dut_put(dut, s->miss_slot, r->res.miss_slot);
    dut_put(dut, s->bypass_slot, r->res.bypass_slot);
    dut_put(dut, s->mshr, r->res.mshr);
    dut_put(dut, s->merge, r->res.merge);
    show(s, &before);
    dut_eval(dut);
    byw_policy_decide(&s->policy, s->set, &at, tag, r->op, r->hint, r->filter_on, &r->res, &d);
    compare(s, &d);
    s->outcomes[d.outcome]++;
    if (d.outcome == BYW_RSFAIL)
        with_slot(s, &at, tag, r, &d);
    byw_policy_apply(&s->policy, s->set, &at, r->key, &d);
    if (d.outcome != BYW_RSFAIL)
        lock_same(&s->l, "writes record", d.action != BYW_SET_KEEP, dut_get(dut, s->writes_record));
    after = d.action != BYW_SET_KEEP ? written(s, &before, r) : before;
    before = of_set(s->set);
    lock_same(&s->l, "record", pack(&before), pack(&after));
    visit(s, pack(&before));
    s->steps++;
    s->l.cycle++;
}

static void accesses(struct search *s, uint64_t code)
{
    static const uint8_t kinds[][2] = {
        {BYW_OP_LOAD, BYW_HINT_CACHE},      {BYW_OP_LOAD, BYW_HINT_STREAM},
        {BYW_OP_LOAD, BYW_HINT_BYPASS},     {BYW_OP_LOAD, BYW_HINT_VOLATILE},
        {BYW_OP_ATOMIC, BYW_HINT_NONE},     {BYW_OP_LOCAL_LOAD, BYW_HINT_NONE},
        {BYW_OP_LOCAL_STORE, BYW_HINT_NONE}};
    uint32_t i, filter;

    for (filter = 0; filter < 2; filter++) {
        struct request r = {.filter_on = filter != 0};

        for (r.key = 0; r.key < LINES; r.key++) {
            for (i = 0; i < 16; i++) {
                r.op = BYW_OP_LOAD;
                r.hint = BYW_HINT_NONE;
                r.res = (struct byw_resources){i & 1, i >> 1 & 1, i >> 2 & 1, i >> 3 & 1};
                step(s, code, &r);
            }
            for (i = 0; i < 2; i++) {
                r.op = BYW_OP_STORE;
                r.res = (struct byw_resources){i, true, true, true};
                step(s, code, &r);
            }
            for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
                r.op = kinds[i][0];
                r.hint = kinds[i][1];
                r.res = (struct byw_resources){true, true, true, true};
                step(s, code, &r);
            }
        }
    }
}

static void surroundings(struct search *s, uint64_t code)
{
    struct record r;
    uint32_t way;

    for (way = 0; way < P_DATA_WAYS; way++) {
        r = unpack(code);
        r.vector[PENDING] &= ~(1U << way);
        visit(s, pack(&r));
    }
    r = unpack(code);
    to_set(&r, s->set);
    byw_set_drop_candidates(&s->geo, s->set);
    r = of_set(s->set);
    visit(s, pack(&r));
}

static struct byw_config settings(uint64_t seed)
{
    struct byw_config c;

    byw_config_defaults(&c);
    c.policy_mode = BYW_MODE_DECOUPLED;
    c.l1d_sets = 1;
    c.l1d_index = BYW_INDEX_LINEAR;
    c.l1d_ways = P_DATA_WAYS;
    c.dec_tag_ways = P_TAG_WAYS;
    c.dec_rc_bits = P_RC_W;
    c.l1d_repl = P_REPL;
    switch (seed % 4) {
    case 0:
        c.dec_lfu_all = 1;
        c.dec_threshold = 1;
        c.dec_age_merge = 0;
        break;
    case 2:
        c.dec_store_rc = 1;
        c.dec_rc_on_hit = 1;
        c.l1d_store_hit = BYW_STORE_UPDATE;
        c.byp_on_hit = BYW_BYP_EVICT;
        break;
    case 3:
        c.dec_cmp = 1;
        c.dec_threshold = 1;
        c.dec_byp_rsfail = 1;
        c.dec_rc_init = 0;
        c.dec_age_alloc = 0; /* only the eviction ages, merged or not */
        c.byp_on_hit = BYW_BYP_IGNORE;
        break;
    default: /* the paper's */
        break;
    }
    return c;
}

static void find_ports(struct search *s)
{
    struct dut *d = s->l.dut;
    char text[32];
    int f;

    for (f = STATUS; f < FIELDS; f++) {
        snprintf(text, sizeof(text), "rec_%s_i", port_name[f]);
        s->in[f] = dut_port(d, text);
        snprintf(text, sizeof(text), "rec_%s_o", port_name[f]);
        s->out[f] = dut_port(d, text);
    }
    s->cfg = dut_port(d, "cfg_i");
    dut_put(d, dut_port(d, "unprotected_i"), byw_mask64(P_DATA_WAYS));
    s->filter_on = dut_port(d, "filter_on_i");
    s->op = dut_port(d, "op_i");
    s->hint = dut_port(d, "hint_i");
    s->writes_key = dut_port(d, "key_write_o");
    s->writes_record = dut_port(d, "rec_write_o");
    s->hit = dut_port(d, "hit_i");
    s->hit_tags = dut_port(d, "hit_tags_i");
    s->miss_slot = dut_port(d, "res_miss_slot_i");
    s->bypass_slot = dut_port(d, "res_bypass_slot_i");
    s->mshr = dut_port(d, "res_mshr_i");
    s->merge = dut_port(d, "res_merge_i");
    s->outcome = dut_port(d, "outcome_o");
    s->reason = dut_port(d, "reason_o");
    s->action = dut_port(d, "action_o");
    s->note = dut_port(d, "note_o");
    s->tag = dut_port(d, "tag_o");
    s->way = dut_port(d, "way_o");
    s->leaves = dut_port(d, "line_evict_o");
    s->orphan = dut_port(d, "mshr_detach_o");
}

/* The search covers only the locality filter: no advice from the two-level switch or the predictor.
 */
static void give_no_advice(struct dut *dut)
{
    static const char *const port[] = {"adv_bypass_i", "adv_hot_i", "adv_dead_i", "more_i"};

    for (size_t i = 0; i < sizeof(port) / sizeof(port[0]); i++)
        dut_put(dut, dut_port(dut, port[i]), 0);
}

int main(int argc, char **argv)
{
    struct search s = {.l = lock_start(argc, argv, 0)};
    struct byw_config config = settings(s.l.seed);
    struct byw_diag diag;
    struct record empty;
    uint32_t next, i;

    width[RANK] = (uint8_t)byw_repl_rank_bits(P_REPL, P_DATA_WAYS);
    find_ports(&s);
    if (byw_policy_init(&s.policy, &config, &diag) != BYW_OK) {
        fprintf(stderr, "%s\n", diag.text);
        return 2;
    }
    s.geo = s.policy.loc.geo;
    s.set = malloc(byw_set_bytes(&s.geo));
    s.seen = calloc(TABLE, sizeof(s.seen[0]));
    s.queue = calloc(TABLE, sizeof(s.queue[0]));
    if (s.set == NULL || s.seen == NULL || s.queue == NULL)
        return 2;
    dut_put(s.l.dut, s.cfg, lock_cfg(&config));
    give_no_advice(s.l.dut);
    byw_set_clear(&s.geo, s.set);
    empty = of_set(s.set);
    visit(&s, pack(&empty));
    for (next = 0; next < s.count; next++) {
        surroundings(&s, s.queue[next]);
        accesses(&s, s.queue[next]);
    }
    for (i = 0; i < 5; i++)
        if (s.outcomes[i] == 0)
            lock_fail(&s.l, "an outcome was never met", 1, 0);
    s.l.cycles = s.steps;
    free(s.queue);
    free(s.seen);
    free(s.set);
    return lock_pass(&s.l, " out of %" PRIu32 " states, all that can be reached", s.count);
}
