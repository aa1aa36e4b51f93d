/* SPDX-License-Identifier: Apache-2.0
 *
 * Every reachable state of a small set record, and every step out of it: 3 tag ways, 2 data ways,
 * 2-bit RC, 4 lines; loads, stores, local stores, atomics and hints with the filter on and off,
 * with all resources and with none, and fills in any order. Assertions 1 to 7 of
 * mechanisms/across.md 15.1 hold in all of them.
 */
#include "common/byw_record_bench.h"

enum { KEYS = 4, TABLE_BITS = 22, TABLE = 1 << TABLE_BITS };

/* The set of visited states, open addressing; 0 is no state. */
struct reach {
    struct bench bench;
    uint64_t *seen;
    uint64_t *queue;
    uint32_t count;
    uint64_t steps;
};

static bool set_bit(uint64_t vector, uint32_t i)
{
    return (vector >> i & 1) != 0;
}

/* 11 bits per tag way, 6 per data way. State without influence on decisions is omitted: `reused`,
 * the owner of a free way, and its number under SRRIP (insertion writes it before anything reads
 * it). */
static uint64_t pack(const struct bench *b)
{
    const struct byw_geometry *geo = &b->policy.loc.geo;
    uint64_t code = 1;
    uint32_t i;

    for (i = 0; i < geo->tag_ways; i++) {
        const struct byw_tag *tag = &b->set->tag[i];
        uint64_t key = tag->key == BYW_NO_KEY ? KEYS : tag->key;

        code = code << 11 | key << 8 | (uint64_t)tag->status << 6 | (uint64_t)tag->rc << 4 |
               (uint64_t)tag->pos << 2 | tag->age;
    }
    for (i = 0; i < geo->data_ways; i++) {
        bool used = set_bit(b->set->used, i);
        bool ranked = used || b->policy.loc.repl == &byw_repl_lru;

        code = code << 6 | (uint64_t)used << 5 | (uint64_t)set_bit(b->set->pending, i) << 4 |
               (uint64_t)(used ? b->set->way[i].owner : 0) << 2 | (ranked ? b->set->rank[i] : 0);
    }
    return code;
}

static void unpack(struct bench *b, uint64_t code)
{
    const struct byw_geometry *geo = &b->policy.loc.geo;
    uint32_t i;

    byw_set_clear(geo, b->set);
    for (i = geo->data_ways; i-- > 0; code >>= 6) {
        b->set->used |= (code >> 5 & 1) << i;
        b->set->pending |= (code >> 4 & 1) << i;
        b->set->way[i].owner = code >> 2 & 3;
        b->set->rank[i] = code & 3;
    }
    for (i = geo->tag_ways; i-- > 0; code >>= 11) {
        struct byw_tag *tag = &b->set->tag[i];

        tag->key = (code >> 8 & 7) == KEYS ? BYW_NO_KEY : (code >> 8 & 7);
        tag->status = code >> 6 & 3;
        tag->rc = code >> 4 & 3;
        tag->pos = code >> 2 & 3;
        tag->age = code & 3;
    }
}

static void visit(struct reach *r)
{
    uint64_t code = pack(&r->bench);
    uint32_t at = (uint32_t)(code * UINT64_C(0x9E3779B97F4A7C15) >> (64 - TABLE_BITS));

    while (r->seen[at] != 0 && r->seen[at] != code)
        at = (at + 1) % TABLE;
    if (r->seen[at] == code)
        return;
    assert_true(r->count < TABLE / 4 * 3);
    r->seen[at] = code;
    r->queue[r->count] = code;
    r->count++;
}

/* Applies one access in state `code`. */
static void step(struct reach *r, uint64_t code, uint8_t op, uint64_t key, uint8_t hint)
{
    struct bench *b = &r->bench;
    const struct byw_decision *d = &b->d;
    uint64_t used, pending;

    unpack(b, code);
    used = b->set->used;
    pending = b->set->pending;
    bench_hint(b, op, key, hint);
    r->steps++;
    assert_null(byw_set_check(&b->policy.loc.geo, b->set)); /* 1, 2, 3 */
    if (d->outcome == BYW_RSFAIL)
        assert_true(pack(b) == code); /* 4 */
    if (b->res.mshr && pending == 0)
        assert_int_not_equal(d->outcome, BYW_RSFAIL); /* no refusal without a cause */
    if (d->outcome == BYW_BYPASS)
        assert_true((b->set->used & ~used) == 0); /* 5 */
    /* 7: no line in flight is a victim; only a store, atomic or evicting load detaches one. */
    if (d->action == BYW_SET_COMMIT)
        assert_false(set_bit(pending, (uint32_t)d->way));
    if ((pending & ~b->set->pending) != 0)
        assert_true(d->orphan && (op != BYW_OP_LOAD || hint == BYW_HINT_VOLATILE));
    if (d->outcome == BYW_MISS && op == BYW_OP_LOAD) {
        assert_int_equal(bench_tag(b, key)->status, BYW_TAG_COMMITTED);
        assert_true(byw_set_pending(b->set, bench_find(b, key)));
    }
    visit(r);
}

static void accesses(struct reach *r, uint64_t code)
{
    static const uint8_t op[] = {BYW_OP_LOAD,  BYW_OP_LOAD,        BYW_OP_LOAD,  BYW_OP_LOAD,
                                 BYW_OP_STORE, BYW_OP_LOCAL_STORE, BYW_OP_ATOMIC};
    static const uint8_t hint[] = {BYW_HINT_NONE,     BYW_HINT_CACHE, BYW_HINT_STREAM,
                                   BYW_HINT_VOLATILE, BYW_HINT_NONE,  BYW_HINT_NONE,
                                   BYW_HINT_NONE};
    uint64_t key;
    uint32_t i, mode;

    for (mode = 0; mode < 4; mode++) {
        bool have = (mode & 1) == 0;

        r->bench.filter_on = (mode & 2) == 0;
        r->bench.res = (struct byw_resources){have, have, have, have};
        for (key = 0; key < KEYS; key++)
            for (i = 0; i < sizeof(op); i++)
                step(r, code, op[i], key, hint[i]);
    }
}

static void explore(const struct byw_config *config, uint32_t least)
{
    struct reach r = {.bench = bench_new(config)};
    uint32_t next, way;

    r.bench.fill_late = true;
    r.seen = calloc(TABLE, sizeof(r.seen[0]));
    r.queue = calloc(TABLE, sizeof(r.queue[0]));
    assert_true(r.seen != NULL && r.queue != NULL);
    visit(&r);
    for (next = 0; next < r.count; next++) {
        uint64_t code = r.queue[next];

        accesses(&r, code);
        for (way = 0; way < config->l1d_ways; way++) {
            unpack(&r.bench, code);
            r.bench.set->pending &= ~byw_bit64(way);
            visit(&r);
        }
    }
    print_message("%u states, %llu accesses\n", r.count, (unsigned long long)r.steps);
    assert_true(r.count > least);
    free(r.seen);
    free(r.queue);
    bench_free(&r.bench);
}

static struct byw_config small(void)
{
    struct byw_config c = bench_config();

    c.l1d_ways = 2;
    c.dec_tag_ways = 3;
    c.dec_rc_bits = 2;
    return c;
}

static void every_reachable_state_keeps_the_invariants(void **state)
{
    struct byw_config c = small();

    (void)state;
    explore(&c, 10000);
}

static void invariants_hold_with_lfu_over_all_tags_and_srrip(void **state)
{
    struct byw_config c = small();

    (void)state;
    c.dec_lfu_all = 1;
    c.dec_rc_bits = 1;
    c.dec_threshold = 1;
    c.dec_age_merge = 0;
    c.l1d_repl = BYW_REPL_SRRIP;
    explore(&c, 10000);
}

static void invariants_hold_without_spare_tags(void **state)
{
    struct byw_config c = small();

    (void)state;
    c.dec_tag_ways = 2;
    c.dec_store_rc = 1;
    c.dec_rc_on_hit = 1;
    c.l1d_store_hit = BYW_STORE_UPDATE;
    explore(&c, 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_reachable_state_keeps_the_invariants),
        cmocka_unit_test(invariants_hold_with_lfu_over_all_tags_and_srrip),
        cmocka_unit_test(invariants_hold_without_spare_tags),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
