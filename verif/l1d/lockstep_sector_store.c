/* SPDX-License-Identifier: Apache-2.0
 *
 * lockstep_sector_store - byw_sector_store.v against byw_tag_store.c: in every cycle the records in
 * s2 and f2, and their matches, equal the C records at the start of the cycle, whatever was written
 * or cleared one or more cycles before, also while s1 and s2 wait. Few sets and few keys, so that
 * stages often hold a set that another stage writes.
 */
#include "cosim/lock_sectors.h"
#include "l1d/byw_install.h"
#include "l1d/byw_tag_store.h"

struct stage {
    bool valid;
    bool read; /* otherwise its record is meaningless */
    uint32_t set;
    uint64_t key;
};

struct ports {
    uint32_t rst, s0_take, s0_read, s0_set, s0_key, s1_move, s1_set, s2_set, s2_hit, s2_hit_way;
    uint32_t f0_take, f0_set, f0_key, f1_set, f2_set, f2_fill_key, f2_hit, f2_hit_way;
    uint32_t wr_en, wr_set, wr_new_key, wr_way, wr_key, clear;
    struct lock_sectors s2, f2, written;
};

struct bench {
    struct lock l;
    struct ports p;
    const struct byw_repl_ops *repl;
    struct byw_tag_store tags;
    struct byw_set *copy; /* the value written */
    struct stage s1, s2, f1, f2;
    uint64_t s_writes, f_writes, waits, meets;
};

static struct ports find_ports(const struct dut *d)
{
    return (struct ports){
        .rst = dut_port(d, "rst_i"),
        .s0_take = dut_port(d, "s0_take_i"),
        .s0_read = dut_port(d, "s0_read_i"),
        .s0_set = dut_port(d, "s0_set_i"),
        .s0_key = dut_port(d, "s0_key_i"),
        .s1_move = dut_port(d, "s1_move_i"),
        .s1_set = dut_port(d, "s1_set_o"),
        .s2_set = dut_port(d, "s2_set_o"),
        .s2_hit = dut_port(d, "s2_hit_o"),
        .s2_hit_way = dut_port(d, "s2_hit_way_o"),
        .f0_take = dut_port(d, "f0_take_i"),
        .f0_set = dut_port(d, "f0_set_i"),
        .f0_key = dut_port(d, "f0_key_i"),
        .f1_set = dut_port(d, "f1_set_o"),
        .f2_set = dut_port(d, "f2_set_o"),
        .f2_fill_key = dut_port(d, "f2_fill_key_o"),
        .f2_hit = dut_port(d, "f2_hit_o"),
        .f2_hit_way = dut_port(d, "f2_hit_way_o"),
        .wr_en = dut_port(d, "wr_en_i"),
        .wr_set = dut_port(d, "wr_set_i"),
        .wr_new_key = dut_port(d, "wr_new_key_i"),
        .wr_way = dut_port(d, "wr_way_i"),
        .wr_key = dut_port(d, "wr_key_i"),
        .clear = dut_port(d, "clear_i"),
        .s2 = lock_sectors_ports(d, "s2", "o", true),
        .f2 = lock_sectors_ports(d, "f2", "o", true),
        .written = lock_sectors_ports(d, "wr_rec", "i", true),
    };
}

static struct byw_set *set_of(const struct bench *b, const struct stage *s)
{
    return byw_tag_store_set(&b->tags, s->set);
}

static void compare_match(const struct bench *b, const struct stage *s, const char *what,
                          uint32_t hit, uint32_t hit_way)
{
    const struct lock *l = &b->l;
    int tag = byw_set_match(&b->tags.geo, set_of(b, s), s->key);

    lock_same(l, what, tag != BYW_NONE, dut_get(l->dut, hit));
    if (tag != BYW_NONE)
        lock_same(l, what, (uint64_t)tag, dut_get(l->dut, hit_way));
}

static void compare(const struct bench *b)
{
    const struct lock *l = &b->l;

    if (b->s1.valid)
        lock_same(l, "s1_set", b->s1.set, dut_get(l->dut, b->p.s1_set));
    if (b->s2.valid)
        lock_same(l, "s2_set", b->s2.set, dut_get(l->dut, b->p.s2_set));
    if (b->s2.valid && b->s2.read) {
        lock_sectors_same(l, &b->p.s2, set_of(b, &b->s2));
        compare_match(b, &b->s2, "match in s2", b->p.s2_hit, b->p.s2_hit_way);
    }
    if (b->f1.valid)
        lock_same(l, "f1_set", b->f1.set, dut_get(l->dut, b->p.f1_set));
    if (b->f2.valid) {
        lock_same(l, "f2_set", b->f2.set, dut_get(l->dut, b->p.f2_set));
        lock_same(l, "f2_fill_key", b->f2.key, dut_get(l->dut, b->p.f2_fill_key));
        lock_sectors_same(l, &b->p.f2, set_of(b, &b->f2));
        compare_match(b, &b->f2, "match in f2", b->p.f2_hit, b->p.f2_hit_way);
    }
}

static void put_write(struct bench *b, const struct stage *s, bool new_key, uint32_t way)
{
    struct dut *d = b->l.dut;

    dut_put(d, b->p.wr_set, s->set);
    dut_put(d, b->p.wr_new_key, new_key);
    dut_put(d, b->p.wr_way, way);
    dut_put(d, b->p.wr_key, s->key);
    lock_sectors_put(d, &b->p.written, b->copy);
}

/* The fill in f2 installs its line. */
static void install(struct bench *b)
{
    const struct byw_geometry *geo = &b->tags.geo;
    const struct byw_set *set = set_of(b, &b->f2);
    struct byw_repl_at at = lock_repl_random(&b->l, P_WAYS, P_SETS);
    struct byw_install i =
        byw_install_decide(b->repl, set, &at, byw_set_match(geo, set, b->f2.key));

    memcpy(b->copy, set, byw_set_bytes(geo));
    byw_install_apply(b->repl, b->copy, &at, b->f2.key,
                      (uint8_t)(1U << lock_below(&b->l, P_SECTORS)), lock_chance(&b->l, 20), &i);
    put_write(b, &b->f2, !i.present, i.way);
    b->f_writes++;
}

/* The request in s2 touches or drops its line; false if it has none. */
static bool request(struct bench *b)
{
    const struct byw_geometry *geo = &b->tags.geo;
    struct byw_repl_at at = lock_repl_random(&b->l, P_WAYS, P_SETS);
    int tag = byw_set_match(geo, set_of(b, &b->s2), b->s2.key);

    if (tag == BYW_NONE)
        return false;
    memcpy(b->copy, set_of(b, &b->s2), byw_set_bytes(geo));
    if (lock_chance(&b->l, 30)) {
        byw_set_uncommit(b->copy, tag, false);
    } else {
        b->repl->touched(b->copy, &at, (uint32_t)tag);
        b->copy->way[tag].reused = true;
    }
    put_write(b, &b->s2, false, (uint32_t)tag);
    b->s_writes++;
    return true;
}

static struct stage random_stage(struct bench *b, uint32_t percent, bool takes)
{
    uint64_t key =
        lock_below(&b->l, 3 * P_WAYS / 2 + 1) * UINT64_C(0x2265B1F5); /* few keys, in which every
                                                                         bit changes */

    return (struct stage){takes, lock_chance(&b->l, percent), lock_below(&b->l, P_SETS),
                          key & byw_mask64(P_KEY_W)};
}

static void put_stages(struct bench *b, const struct stage *s0, const struct stage *f0, bool moves)
{
    struct dut *d = b->l.dut;

    dut_put(d, b->p.s0_take, s0->valid);
    dut_put(d, b->p.s0_read, s0->read);
    dut_put(d, b->p.s0_set, s0->set);
    dut_put(d, b->p.s0_key, s0->key);
    dut_put(d, b->p.s1_move, moves);
    dut_put(d, b->p.f0_take, f0->valid);
    dut_put(d, b->p.f0_set, f0->set);
    dut_put(d, b->p.f0_key, f0->key);
}

static void cycle(struct bench *b, uint32_t rate)
{
    struct lock *l = &b->l;
    bool clear = lock_below(l, 200) == 0, moves = !b->s2.valid || lock_chance(l, rate);
    bool installs = b->f2.valid && lock_chance(l, 80), writes = installs;
    struct stage s0 = random_stage(b, 90, (!b->s1.valid || moves) && lock_chance(l, rate));
    struct stage f0 = random_stage(b, 100, lock_chance(l, 110 - rate));
    const struct stage *writer = installs ? &b->f2 : &b->s2;

    if (installs)
        install(b);
    else if (b->s2.valid && b->s2.read && moves && lock_chance(l, 80))
        writes = request(b);
    put_stages(b, &s0, &f0, moves);
    dut_put(l->dut, b->p.wr_en, writes);
    dut_put(l->dut, b->p.clear, clear);
    dut_eval(l->dut);
    compare(b);
    b->waits += installs && b->s2.valid && !moves && b->s2.set == b->f2.set;
    b->meets += installs && b->f1.valid && b->f1.set == b->f2.set && b->f1.key == b->f2.key;
    if (writes)
        memcpy(set_of(b, writer), b->copy, byw_set_bytes(&b->tags.geo));
    if (clear)
        byw_tag_store_clear(&b->tags);
    if (moves) {
        b->s2 = b->s1;
        b->s1.valid = false;
    }
    if (s0.valid)
        b->s1 = s0;
    b->f2 = b->f1;
    b->f1 = f0;
    dut_tick(l->dut);
}

int main(int argc, char **argv)
{
    struct bench b = {.l = lock_start(argc, argv, 120000), .repl = byw_repl(P_REPL)};
    struct byw_geometry geo = sectors_geometry(P_SETS);
    uint32_t rate = 50;

    b.p = find_ports(b.l.dut);
    b.copy = calloc(1, byw_set_bytes(&geo));
    if (b.copy == NULL || byw_tag_store_init(&b.tags, &geo) != BYW_OK)
        return 2;
    dut_put(b.l.dut, b.p.rst, 1);
    dut_eval(b.l.dut);
    dut_tick(b.l.dut);
    dut_put(b.l.dut, b.p.rst, 0);
    for (b.l.cycle = 0; b.l.cycle < b.l.cycles; b.l.cycle++) {
        if (b.l.cycle % 256 == 0)
            rate = 20 + lock_below(&b.l, 81);
        cycle(&b, rate);
    }
    lock_met(&b.l, "writes of s2's set while it waits", b.waits);
    lock_met(&b.l, "fills of one line behind each other", b.meets);
    lock_met(&b.l, "writes from s2", b.s_writes);
    byw_tag_store_release(&b.tags);
    free(b.copy);
    return lock_pass(&b.l, ", %" PRIu64 " writes from s2, %" PRIu64 " from f2", b.s_writes,
                     b.f_writes);
}
