/* SPDX-License-Identifier: Apache-2.0
 *
 * lockstep_mshr - byw_mshr.v (with byw_id_pool) against byw_mshr.c. Only a few lines occur, so that
 * merge lists fill up, detached registers coexist with attached ones of the same line, and all
 * registers are in use. Each line differs from the first in another bit; the lines change from time
 * to time.
 */
#include "cosim/lock.h"
#include "l1d/byw_mshr.h"

enum { LINES = P_MSHRS + 3, DRAINING = 2 };

struct ports {
    uint32_t rst, line, set, way, id, free, match, room, fills, alloc, alloc_mshr, joins, merge,
        detach, mshr, given, last_in, last;
    uint32_t detach_all, fill, fill_mshr, fill_attached, fill_set, fill_way, count_mshr, count,
        list_mshr, list_index;
    uint32_t drain_mshr, drain_index, drain_id, free_in, free_mshr, idle;
    uint32_t fill_count, query_mshr, query_line, query_set, query_way;
};

struct bench {
    struct lock l;
    struct ports p;
    struct byw_mshr mshr;
    uint32_t fetching[P_MSHRS]; /* taken, no fill yet */
    uint32_t fetches;
    uint32_t draining[DRAINING];
    uint32_t drains;
    bool reads; /* a target is read in this cycle */
    uint32_t read_mshr, read_index;
    uint64_t allocs, merges, detaches, fulls, rooms;
    uint64_t line[LINES]; /* lines of the current phase */
};

static struct ports find_ports(const struct dut *d)
{
    return (struct ports){
        .rst = dut_port(d, "rst_i"),
        .line = dut_port(d, "line_i"),
        .set = dut_port(d, "set_i"),
        .way = dut_port(d, "way_i"),
        .id = dut_port(d, "id_i"),
        .free = dut_port(d, "mshr_free_o"),
        .match = dut_port(d, "mshr_match_o"),
        .room = dut_port(d, "list_room_o"),
        .fills = dut_port(d, "list_full_o"),
        .mshr = dut_port(d, "given_mshr_i"),
        .given = dut_port(d, "given_count_i"),
        .last_in = dut_port(d, "given_one_left_i"),
        .last = dut_port(d, "list_one_left_o"),
        .alloc = dut_port(d, "alloc_i"),
        .alloc_mshr = dut_port(d, "alloc_mshr_o"),
        .joins = dut_port(d, "merge_select_i"),
        .merge = dut_port(d, "merge_i"),
        .detach = dut_port(d, "detach_i"),
        .detach_all = dut_port(d, "detach_all_i"),
        .fill = dut_port(d, "fill_i"),
        .fill_mshr = dut_port(d, "fill_mshr_i"),
        .fill_attached = dut_port(d, "fill_attached_o"),
        .fill_set = dut_port(d, "fill_set_o"),
        .fill_way = dut_port(d, "fill_way_o"),
        .count_mshr = dut_port(d, "count_mshr_i"),
        .count = dut_port(d, "count_o"),
        .list_mshr = dut_port(d, "list_mshr_o"),
        .list_index = dut_port(d, "list_index_o"),
        .drain_mshr = dut_port(d, "drain_mshr_i"),
        .drain_index = dut_port(d, "drain_index_i"),
        .drain_id = dut_port(d, "drain_id_o"),
        .free_in = dut_port(d, "free_i"),
        .free_mshr = dut_port(d, "free_mshr_i"),
        .idle = dut_port(d, "all_free_o"),
        .fill_count = dut_port(d, "fill_count_o"),
        .query_mshr = dut_port(d, "query_mshr_i"),
        .query_line = dut_port(d, "query_line_o"),
        .query_set = dut_port(d, "query_set_o"),
        .query_way = dut_port(d, "query_way_o"),
    };
}

/* The inputs of one cycle; a number is valid only if its flag is set. */
struct step {
    uint64_t line;
    uint32_t set, way, id, fill_mshr, free_mshr, fetch, drain, query_mshr;
    bool alloc, merge, detach, detach_all, fill, frees;
};

static void new_lines(struct bench *b)
{
    uint32_t bit = lock_below(&b->l, P_LINE_W), i;

    b->line[0] = byw_rng_next(&b->l.rng) & byw_mask64(P_LINE_W);
    for (i = 1; i < LINES; i++)
        b->line[i] = b->line[0] ^ UINT64_C(1) << (bit + i) % P_LINE_W;
}

static struct step random_step(struct bench *b, uint32_t busy)
{
    struct lock *l = &b->l;
    struct step s = {.line = b->line[lock_below(l, LINES)],
                     .set = lock_below(l, 1 << P_SET_IW),
                     .way = lock_below(l, 1 << P_WAY_IW),
                     .id = lock_below(l, 1 << P_ID_W)};
    uint32_t match = byw_mshr_lookup(&b->mshr, s.line);

    if (match == BYW_MSHR_NONE)
        s.alloc = byw_mshr_any_free(&b->mshr) && lock_chance(l, busy);
    else if (lock_chance(l, 10))
        s.detach = true;
    else
        s.merge = byw_mshr_has_room(&b->mshr, match) && lock_chance(l, busy);
    s.detach_all = lock_below(l, 500) == 0;
    s.fetch = lock_below(l, P_MSHRS);
    s.fill = s.fetch < b->fetches && b->drains < DRAINING && lock_chance(l, 110 - busy);
    s.fill_mshr = s.fill ? b->fetching[s.fetch] : lock_below(l, P_MSHRS);
    s.query_mshr = lock_below(l, P_MSHRS);
    s.drain = lock_below(l, DRAINING);
    s.frees = s.drain < b->drains && lock_chance(l, 110 - busy);
    s.free_mshr = s.frees ? b->draining[s.drain] : lock_below(l, P_MSHRS);
    return s;
}

static void put(struct bench *b, const struct step *s)
{
    struct dut *d = b->l.dut;

    dut_put(d, b->p.line, s->line);
    dut_put(d, b->p.set, s->set);
    dut_put(d, b->p.way, s->way);
    dut_put(d, b->p.id, s->id);
    if (!P_SEARCH) {
        uint32_t match = byw_mshr_lookup(&b->mshr, s->line);
        bool any = match != BYW_MSHR_NONE;
        uint32_t count =
            any ? byw_mshr_at(&b->mshr, match)->count : lock_below(&b->l, P_MERGES + 1);

        dut_put(d, b->p.mshr, any ? match : lock_below(&b->l, P_MSHRS));
        dut_put(d, b->p.given, count);
        dut_put(d, b->p.last_in, count + 1 == P_MERGES);
    }
    dut_put(d, b->p.alloc, s->alloc);
    dut_put(d, b->p.joins, s->merge);
    dut_put(d, b->p.merge, s->merge);
    dut_put(d, b->p.detach, s->detach);
    dut_put(d, b->p.detach_all, s->detach_all);
    dut_put(d, b->p.fill, s->fill);
    dut_put(d, b->p.fill_mshr, s->fill_mshr);
    dut_put(d, b->p.query_mshr, s->query_mshr);
    dut_put(d, b->p.free_in, s->frees);
    dut_put(d, b->p.free_mshr, s->free_mshr);
    b->reads = b->drains != 0;
    b->read_mshr = b->reads ? b->draining[lock_below(&b->l, b->drains)] : 0;
    b->read_index = b->reads ? lock_below(&b->l, byw_mshr_at(&b->mshr, b->read_mshr)->count) : 0;
    dut_put(d, b->p.count_mshr, b->read_mshr);
    dut_put(d, b->p.drain_mshr, b->read_mshr);
    dut_put(d, b->p.drain_index, b->read_index);
}

static void compare(struct bench *b, const struct step *s)
{
    const struct lock *l = &b->l;
    uint32_t match = byw_mshr_lookup(&b->mshr, s->line);

    lock_same(l, "free", byw_mshr_any_free(&b->mshr), dut_get(l->dut, b->p.free));
    if (P_SEARCH)
        lock_same(l, "match", match != BYW_MSHR_NONE, dut_get(l->dut, b->p.match));
    if (match != BYW_MSHR_NONE) {
        bool room = byw_mshr_has_room(&b->mshr, match);

        lock_same(l, "room", room, dut_get(l->dut, b->p.room));
        b->fulls += !room;
    }
    if (s->alloc || s->merge) {
        uint32_t count = s->alloc ? 1 : byw_mshr_at(&b->mshr, match)->count + 1;

        lock_same(l, "fills", count == P_MERGES, dut_get(l->dut, b->p.fills));
        lock_same(l, "last", count + 1 == P_MERGES, dut_get(l->dut, b->p.last));
        lock_same(l, "list_index", count - 1, dut_get(l->dut, b->p.list_index));
        if (s->merge)
            lock_same(l, "list_mshr", match, dut_get(l->dut, b->p.list_mshr));
    }
    lock_same(l, "idle", b->mshr.pool.used == 0, dut_get(l->dut, b->p.idle));
    if (s->fill) {
        const struct byw_mshr_entry *e = byw_mshr_at(&b->mshr, s->fill_mshr);

        lock_same(l, "fill_attached", e->attached, dut_get(l->dut, b->p.fill_attached));
        lock_same(l, "fill_set", e->set, dut_get(l->dut, b->p.fill_set));
        lock_same(l, "fill_way", e->way, dut_get(l->dut, b->p.fill_way));
        lock_same(l, "fill_count", e->count, dut_get(l->dut, b->p.fill_count));
    }
    if (byw_id_pool_taken(&b->mshr.pool, s->query_mshr)) {
        const struct byw_mshr_entry *e = byw_mshr_at(&b->mshr, s->query_mshr);

        lock_same(l, "query_line", e->line, dut_get(l->dut, b->p.query_line));
        lock_same(l, "query_set", e->set, dut_get(l->dut, b->p.query_set));
        lock_same(l, "query_way", e->way, dut_get(l->dut, b->p.query_way));
    }
    if (b->reads)
        lock_same(l, "count", byw_mshr_at(&b->mshr, b->read_mshr)->count,
                  dut_get(l->dut, b->p.count));
}

static void take_out(uint32_t *list, uint32_t *n, uint32_t i)
{
    list[i] = list[--*n];
}

static void apply(struct bench *b, const struct step *s)
{
    uint32_t match = byw_mshr_lookup(&b->mshr, s->line), n;

    if (s->detach)
        byw_mshr_detach(&b->mshr, match);
    if (s->merge)
        byw_mshr_merge(&b->mshr, match, s->id);
    if (s->alloc) {
        n = byw_mshr_alloc(&b->mshr, s->line, s->set, 0, s->way, s->id);
        lock_same(&b->l, "alloc_mshr", n, dut_get(b->l.dut, b->p.alloc_mshr));
        lock_same(&b->l, "list_mshr", n, dut_get(b->l.dut, b->p.list_mshr));
        b->fetching[b->fetches++] = n;
    }
    if (s->frees) {
        byw_mshr_free(&b->mshr, s->free_mshr);
        take_out(b->draining, &b->drains, s->drain);
    }
    if (s->detach_all)
        byw_mshr_detach_all(&b->mshr);
    if (s->fill) {
        byw_mshr_fill(&b->mshr, s->fill_mshr);
        take_out(b->fetching, &b->fetches, s->fetch);
        b->draining[b->drains++] = s->fill_mshr;
    }
    b->allocs += s->alloc;
    b->merges += s->merge;
    b->detaches += s->detach;
}

int main(int argc, char **argv)
{
    struct bench b = {.l = lock_start(argc, argv, 100000)};
    uint32_t busy = 50;

    b.p = find_ports(b.l.dut);
    if (byw_mshr_init(&b.mshr, P_MSHRS, P_MERGES) != BYW_OK)
        return 2;
    dut_put(b.l.dut, b.p.rst, 1);
    dut_eval(b.l.dut);
    dut_tick(b.l.dut);
    dut_put(b.l.dut, b.p.rst, 0);
    for (b.l.cycle = 0; b.l.cycle < b.l.cycles; b.l.cycle++) {
        struct step s;
        uint32_t want = 0;

        if (b.l.cycle % 256 == 0) {
            busy = 10 + lock_below(&b.l, 91);
            new_lines(&b);
        }
        s = random_step(&b, busy);
        put(&b, &s);
        if (b.reads)
            want = byw_mshr_target(&b.mshr, b.read_mshr, b.read_index);
        dut_eval(b.l.dut);
        compare(&b, &s);
        apply(&b, &s);
        dut_tick(b.l.dut);
        if (b.reads)
            lock_same(&b.l, "drain_id", want, dut_get(b.l.dut, b.p.drain_id));
    }
    lock_met(&b.l, "no full list", b.fulls);
    lock_met(&b.l, "no detach", b.detaches);
    byw_mshr_release(&b.mshr);
    return lock_pass(&b.l, ", %" PRIu64 " allocations, %" PRIu64 " merges", b.allocs, b.merges);
}
