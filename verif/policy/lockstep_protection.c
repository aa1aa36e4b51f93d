/* SPDX-License-Identifier: Apache-2.0
 *
 * lockstep_protection - byw_protection.v against byw_protection.c: which sets are full and which
 * ways may be evicted, in every cycle. Requests reach the decision point one after the other and
 * stay there for a while; loads use lines, allocate free ways and victims, or bypass; lines in
 * flight are filled. There are few sets, so that successive requests often share one.
 */
#include "comparator/byw_protection.h"
#include "cosim/lock.h"

enum { BLOCKS = P_SETS * P_WAYS };

struct ports {
    uint32_t clear, next, next_set, set, used, pending, full, spare, load, use, place, way;
};

struct bench {
    struct lock l;
    struct ports p;
    struct byw_protection c;
    uint32_t set; /* set of the request at the decision point */
    uint32_t bypass; /* percent of loads whose line is absent */
    uint64_t full, ties, chosen, same_set, clears;
};

static struct ports find_ports(const struct dut *d)
{
    return (struct ports){
        .clear = dut_port(d, "clear_i"),
        .next = dut_port(d, "next_i"),
        .next_set = dut_port(d, "next_set_i"),
        .set = dut_port(d, "set_i"),
        .used = dut_port(d, "used_i"),
        .pending = dut_port(d, "pending_i"),
        .full = dut_port(d, "full_o"),
        .spare = dut_port(d, "spare_o"),
        .load = dut_port(d, "load_i"),
        .use = dut_port(d, "use_i"),
        .place = dut_port(d, "place_i"),
        .way = dut_port(d, "way_i"),
    };
}

/* The ways of the set that are in a given state, or in one of several (one bit each). */
static uint64_t ways_in(const struct bench *b, uint32_t places)
{
    uint64_t ways = 0;

    for (uint32_t way = 0; way < P_WAYS; way++)
        ways |= (uint64_t)(places >> b->c.place[b->set * P_WAYS + way] & 1) << way;
    return ways;
}

static uint32_t one_of(struct bench *b, uint64_t ways)
{
    uint32_t way = lock_below(&b->l, P_WAYS);

    while ((ways >> way & 1) == 0)
        way = way == P_WAYS - 1 ? 0 : way + 1;
    return way;
}

/* Fills a random line in flight; each block has its own MSHR. */
static void fill(struct bench *b)
{
    const struct byw_mech_answer answer = {.ticket = lock_below(&b->l, BLOCKS)};

    byw_protection_answered(&b->c, &answer);
}

static void compare(struct bench *b, uint64_t eligible)
{
    uint64_t spare = byw_protection_spare(&b->c, b->set, eligible);
    bool full = byw_protection_is_full(&b->c, b->set, false);

    lock_same(&b->l, "full", full, dut_get(b->l.dut, b->p.full));
    lock_same(&b->l, "spare", spare, dut_get(b->l.dut, b->p.spare));
    b->full += full;
    b->ties += (spare & (spare - 1)) != 0 && spare != eligible;
    b->chosen += spare != eligible;
}

static void place(struct bench *b, uint32_t block)
{
    if (b->c.place[block] != BYW_BLOCK_FREE)
        byw_protection_left(&b->c, block);
    byw_protection_use(&b->c, block, P_STEPS);
    byw_protection_installed(&b->c, block, block);
}

static void one_cycle(struct bench *b)
{
    uint32_t free = 1U << BYW_BLOCK_FREE, coming = 1U << BYW_BLOCK_COMING;
    uint32_t filled = 1U << BYW_BLOCK_FILLED;
    struct lock *l = &b->l;
    struct dut *d = l->dut;
    bool clear = l->cycle == 0 || lock_below(l, 2000) == 0;
    bool load = !clear && lock_chance(l, 60), next = load || lock_chance(l, 20);
    uint64_t lines = ways_in(b, coming | filled), victims = ways_in(b, filled);
    uint64_t room = ways_in(b, free);
    bool use = load && lines != 0 && lock_chance(l, 30);
    bool places = load && !use && (room | victims) != 0 && !lock_chance(l, b->bypass);
    uint32_t way = use ? one_of(b, lines) : 0, next_set = lock_below(l, P_SETS);

    if (l->cycle % 500 == 0)
        b->bypass = lock_below(l, 101);
    if (places)
        way = one_of(b, room != 0 ? room : victims);
    dut_put(d, b->p.clear, clear);
    dut_put(d, b->p.next, next);
    dut_put(d, b->p.next_set, next_set);
    dut_put(d, b->p.set, b->set);
    dut_put(d, b->p.used, lines);
    dut_put(d, b->p.pending, ways_in(b, coming));
    dut_put(d, b->p.load, load);
    dut_put(d, b->p.use, use);
    dut_put(d, b->p.place, places);
    dut_put(d, b->p.way, way);
    dut_eval(d);
    if (l->cycle > 1)
        compare(b, victims);
    dut_tick(d);
    if (use)
        byw_protection_use(&b->c, b->set * P_WAYS + way, P_STEPS);
    if (load)
        byw_protection_age(&b->c, b->set);
    if (places)
        place(b, b->set * P_WAYS + way);
    if (clear)
        byw_protection_clear(&b->c);
    b->clears += clear;
    if (lock_chance(l, 50))
        fill(b);
    if (lock_chance(l, 2) && lines != 0) /* a store drops a line */
        byw_protection_left(&b->c, b->set * P_WAYS + one_of(b, ways_in(b, coming | filled | free)));
    b->same_set += load && next_set == b->set;
    b->set = next ? next_set : b->set;
}

int main(int argc, char **argv)
{
    struct bench b = {.l = lock_start(argc, argv, 300000)};
    const struct byw_config config = {.l1d_alloc = BYW_ALLOC_ON_MISS};
    const struct byw_mech_setup setup = {
        .config = &config, .sets = P_SETS, .ways = P_WAYS, .blocks = BLOCKS, .mshrs = BLOCKS};

    b.p = find_ports(b.l.dut);
    if (byw_protection_init(&b.c, &setup, P_STEP) != BYW_OK)
        return 2;
    for (b.l.cycle = 0; b.l.cycle < b.l.cycles; b.l.cycle++)
        one_cycle(&b);
    if (P_STEPS != 0)
        lock_met(&b.l, "a set all protected", b.full);
    if (P_STEPS != 0 && P_WAYS > 2)
        lock_met(&b.l, "several ways with the least distance, not all", b.ties);
    if (P_STEPS != 0 && P_WAYS > 1)
        lock_met(&b.l, "a way that must not go", b.chosen);
    lock_met(&b.l, "a request after another of its set", b.same_set);
    lock_met(&b.l, "a cleared cache", b.clears);
    byw_protection_release(&b.c);
    return lock_pass(&b.l, ", %" PRIu64 " full sets, %" PRIu64 " of one set in a row", b.full,
                     b.same_set);
}
