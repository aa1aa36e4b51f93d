/* SPDX-License-Identifier: Apache-2.0
 *
 * lockstep_tag_store - byw_tag_store.v against byw_tag_store.c: in every cycle the record that s2
 * sees, and its match, equal the C records at the start of the cycle, whatever was written, filled,
 * failed, dropped or cleared one or more cycles before. Few sets and few keys, so that s2 often
 * writes what s1 and s0 need. The policy's decisions write the records; the counter of a tag takes
 * all possible values.
 */
#include <assert.h>

#include "cosim/lock_record.h"
#include "l1d/byw_tag_store.h"
#include "policy/byw_policy.h"

struct stage {
    bool valid;
    bool read; /* otherwise its record is meaningless */
    uint32_t set;
    uint64_t key;
};

struct ports {
    uint32_t rst, leaves, s0_sure, s0_ready, s0_read, s0_set, s0_key, s1_set, s1_move, s2_set,
        s2_key, s2_hit;
    uint32_t wr_en, wr_new_key, wr_tag, fill_en, fill_set, fill_way, fill_error, fill_keep;
    uint32_t clear, drop;
    struct lock_record seen, written;
};

struct bench {
    struct lock l;
    struct ports p;
    struct byw_policy policy;
    struct byw_tag_store tags;
    struct byw_set *copy;
    struct stage s1, s2;
    uint64_t writes, forwards, fails, hits;
};

static struct ports find_ports(const struct dut *d)
{
    return (struct ports){
        .rst = dut_port(d, "rst_i"),
        .leaves = dut_port(d, "s2_leaves_i"),
        .s0_sure = dut_port(d, "s0_unblocked_i"),
        .s0_ready = dut_port(d, "s0_ready_i"),
        .s0_read = dut_port(d, "s0_read_i"),
        .s0_set = dut_port(d, "s0_set_i"),
        .s0_key = dut_port(d, "s0_key_i"),
        .s1_set = dut_port(d, "s1_set_o"),
        .s1_move = dut_port(d, "s1_move_i"),
        .s2_set = dut_port(d, "s2_set_o"),
        .s2_key = dut_port(d, "s2_key_o"),
        .s2_hit = dut_port(d, "s2_hit_o"),
        .wr_en = dut_port(d, "wr_en_i"),
        .wr_new_key = dut_port(d, "wr_new_key_i"),
        .wr_tag = dut_port(d, "wr_tag_i"),
        .fill_en = dut_port(d, "fill_en_i"),
        .fill_set = dut_port(d, "fill_set_i"),
        .fill_way = dut_port(d, "fill_way_i"),
        .fill_error = dut_port(d, "fill_error_i"),
        .fill_keep = dut_port(d, "fill_keep_i"),
        .clear = dut_port(d, "clear_i"),
        .drop = dut_port(d, "drop_i"),
        .seen = lock_record_ports(d, "rec", "o"),
        .written = lock_record_ports(d, "rec", "i"),
    };
}

static void start(struct bench *b)
{
    struct byw_config c;
    struct byw_diag diag;

    byw_config_defaults(&c);
    c.policy_mode = BYW_MODE_DECOUPLED;
    c.l1d_sets = P_SETS;
    c.l1d_ways = P_DATA_WAYS;
    c.l1d_repl = P_REPL;
    c.l1d_index = BYW_INDEX_LINEAR;
    c.dec_tag_ways = P_TAG_WAYS;
    c.dec_rc_bits = P_RC_W;
    c.dec_threshold = 1;
    c.dec_rc_on_hit = 1;
    if (byw_policy_init(&b->policy, &c, &diag) != BYW_OK ||
        byw_tag_store_init(&b->tags, &b->policy.loc.geo) != BYW_OK)
        exit(2);
    b->copy = malloc(byw_set_bytes(&b->policy.loc.geo));
    dut_put(b->l.dut, b->p.rst, 1);
    dut_eval(b->l.dut);
    dut_tick(b->l.dut);
    dut_put(b->l.dut, b->p.rst, 0);
}

static void compare_s2(struct bench *b)
{
    const struct lock *l = &b->l;
    const struct byw_set *set = byw_tag_store_set(&b->tags, b->s2.set);
    int tag = byw_set_match(&b->tags.geo, set, b->s2.key);

    lock_same(l, "s2_set", b->s2.set, dut_get(l->dut, b->p.s2_set));
    lock_same(l, "s2_key", b->s2.key, dut_get(l->dut, b->p.s2_key));
    if (!b->s2.read)
        return;
    lock_record_same(l, &b->p.seen, set);
    lock_same(l, "s2_hit", tag == BYW_NONE ? 0 : UINT64_C(1) << tag, dut_get(l->dut, b->p.s2_hit));
    b->hits += tag != BYW_NONE;
}

/* Key number i of a set; keys differ in one or two bits, so that every part of the comparator
 * matters. */
static uint64_t key_of(uint32_t i)
{
    uint64_t n, bit;

    assert(i <= 2 * P_KEY_W);
    if (i == 0)
        return 0;
    n = (i - 1) % P_KEY_W; /* alternately the low and the high bits */
    bit = byw_bit64(n % 2 == 0 ? n / 2 : P_KEY_W - 1 - n / 2);
    return i <= P_KEY_W ? bit : byw_mask64(P_KEY_W) ^ bit;
}

/* Decides on s2's record; the result is at the write port and in b->copy. */
static bool decide(struct bench *b)
{
    const struct byw_set *set = byw_tag_store_set(&b->tags, b->s2.set);
    struct byw_resources res = {true, true, true, true};
    uint8_t op = (uint8_t)(lock_chance(&b->l, 75) ? BYW_OP_LOAD : BYW_OP_STORE);
    struct byw_repl_at at = lock_repl_random(&b->l, P_DATA_WAYS, P_SETS);
    struct byw_decision d;

    byw_policy_decide(&b->policy, set, &at, byw_set_match(&b->tags.geo, set, b->s2.key), op,
                      (uint8_t)lock_below(&b->l, 5), lock_chance(&b->l, 80), &res, &d);
    if (d.outcome == BYW_RSFAIL || d.action == BYW_SET_KEEP)
        return false;
    memcpy(b->copy, set, byw_set_bytes(&b->tags.geo));
    byw_policy_apply(&b->policy, b->copy, &at, b->s2.key, &d);
    if (b->copy->tag[d.tag].status != BYW_TAG_INVALID && lock_chance(&b->l, 50))
        b->copy->tag[d.tag].rc = (uint8_t)lock_below(&b->l, 1U << P_RC_W);
    lock_record_put(b->l.dut, &b->p.written, b->copy);
    dut_put(b->l.dut, b->p.wr_new_key,
            d.writes_key && (d.action == BYW_SET_INSTALL || d.action == BYW_SET_COMMIT));
    dut_put(b->l.dut, b->p.wr_tag, (uint64_t)d.tag);
    return true;
}

/* A way of a random set that is in flight, if there is one. */
static bool find_pending(struct bench *b, uint32_t *index, uint32_t *way)
{
    const struct byw_set *set;
    uint32_t i;

    *index = lock_below(&b->l, P_SETS);
    set = byw_tag_store_set(&b->tags, *index);
    for (i = 0; i < P_DATA_WAYS; i++) {
        *way = (*way + 1) % P_DATA_WAYS;
        if ((set->pending >> *way & 1) != 0)
            return true;
    }
    return false;
}

static void fill(struct bench *b, uint32_t index, uint32_t way, bool error, bool keep)
{
    struct byw_set *set = byw_tag_store_set(&b->tags, index);

    if ((set->pending >> way & 1) == 0)
        return; /* dropped in this cycle */
    set->pending &= ~byw_bit64(way);
    if (error)
        byw_set_fail(set, set->way[way].owner, keep);
    b->fails += error;
}

static void cycle(struct bench *b, uint32_t rate)
{
    struct lock *l = &b->l;
    bool drop = lock_below(l, 60) == 0, clear = lock_below(l, 300) == 0;
    bool moves = !b->s2.valid || lock_chance(l, rate), writes = false, fills, error, keep, takes;
    uint32_t index, way = lock_below(l, P_DATA_WAYS);
    struct stage s0 = {true, lock_chance(l, 90), lock_below(l, P_SETS),
                       key_of(lock_below(l, 3 * P_TAG_WAYS / 2 + 1))};

    if (drop)
        byw_tag_store_drop_candidates(&b->tags); /* takes effect in this cycle */
    fills = find_pending(b, &index, &way) && lock_chance(l, 40);
    error = fills && lock_chance(l, 40);
    keep = !drop && lock_chance(l, 60);
    if (b->s2.valid && b->s2.read && moves && !error && !clear && lock_chance(l, 80))
        writes = decide(b);
    takes = (!b->s1.valid || moves) && lock_chance(l, rate);
    dut_put(l->dut, b->p.drop, drop);
    dut_put(l->dut, b->p.clear, clear);
    dut_put(l->dut, b->p.s1_move, moves);
    dut_put(l->dut, b->p.wr_en, writes);
    dut_put(l->dut, b->p.leaves, b->s2.valid && moves);
    dut_put(l->dut, b->p.s0_sure, !b->s1.valid || !b->s2.valid);
    dut_put(l->dut, b->p.s0_ready, !b->s1.valid || moves);
    dut_put(l->dut, b->p.s0_read, takes && s0.read);
    dut_put(l->dut, b->p.s0_set, s0.set);
    dut_put(l->dut, b->p.s0_key, s0.key);
    dut_put(l->dut, b->p.fill_en, fills);
    dut_put(l->dut, b->p.fill_set, index);
    dut_put(l->dut, b->p.fill_way, way);
    dut_put(l->dut, b->p.fill_error, error);
    dut_put(l->dut, b->p.fill_keep, keep);
    dut_eval(l->dut);
    if (b->s1.valid)
        lock_same(l, "s1_set", b->s1.set, dut_get(l->dut, b->p.s1_set));
    if (b->s2.valid)
        compare_s2(b);
    if (writes)
        memcpy(byw_tag_store_set(&b->tags, b->s2.set), b->copy, byw_set_bytes(&b->tags.geo));
    b->writes += writes;
    b->forwards +=
        writes && ((b->s1.valid && b->s1.set == b->s2.set) || (takes && s0.set == b->s2.set));
    if (clear)
        byw_tag_store_clear(&b->tags);
    if (fills)
        fill(b, index, way, error, keep);
    if (moves) {
        b->s2 = b->s1;
        b->s1.valid = false;
    }
    if (takes)
        b->s1 = s0;
    dut_tick(l->dut);
}

int main(int argc, char **argv)
{
    struct bench b = {.l = lock_start(argc, argv, 60000)};
    uint32_t rate = 50;

    b.p = find_ports(b.l.dut);
    start(&b);
    for (b.l.cycle = 0; b.l.cycle < b.l.cycles; b.l.cycle++) {
        if (b.l.cycle % 200 == 0)
            rate = 30 + lock_below(&b.l, 71);
        cycle(&b, rate);
    }
    lock_met(&b.l, "forwarded records", b.forwards);
    lock_met(&b.l, "failed fills", b.fails);
    byw_tag_store_release(&b.tags);
    free(b.copy);
    return lock_pass(&b.l, ", %" PRIu64 " writes, %" PRIu64 " forwarded, %" PRIu64 " failed fills",
                     b.writes, b.forwards, b.fails);
}
