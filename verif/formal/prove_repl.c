/* SPDX-License-Identifier: Apache-2.0
 *
 * prove_repl - byw_repl.v equals the C twin of policy REPL for every state of a set (LRU: every
 * permutation of ranks; otherwise every vector of numbers, or a random sample if there are too
 * many), every set of eligible ways and every touch, insertion and eviction with insertion. Set, PC
 * and random number are drawn at random.
 */
#include "common/byw_config.h"
#include "cosim/lock_repl.h"

enum { LRU = P_REPL == BYW_REPL_LRU, STATE_BITS = 20 };

struct bench {
    struct lock l;
    const struct byw_repl_ops *ops;
    struct lock_repl told;
    struct byw_repl_at at;
    uint32_t width; /* bits of a rank */
    uint32_t rank_in, rank_out, eligible, victim, touch, evict, insert, last, way;
};

static void put_ranks(struct bench *b, const struct byw_set *set)
{
    uint64_t word = 0;
    uint32_t i;

    for (i = 0; i < P_WAYS; i++)
        word |= (uint64_t)set->rank[i] << i * b->width;
    dut_put(b->l.dut, b->rank_in, word);
}

static void same_ranks(struct bench *b, const struct byw_set *set)
{
    uint64_t got = dut_get(b->l.dut, b->rank_out);
    uint32_t i;

    for (i = 0; i < P_WAYS; i++)
        lock_same_at(&b->l, "rank", i, set->rank[i], got >> i * b->width & byw_mask64(b->width));
    b->l.cycle++;
}

static void put_action(struct bench *b, bool touch, bool evict, bool insert, bool last,
                       uint32_t way)
{
    b->at = lock_repl_random(&b->l, P_WAYS, 32);
    lock_repl_put(b->l.dut, &b->told, &b->at);
    dut_put(b->l.dut, b->touch, touch);
    dut_put(b->l.dut, b->evict, evict);
    dut_put(b->l.dut, b->insert, insert);
    dut_put(b->l.dut, b->last, last);
    dut_put(b->l.dut, b->way, way);
    dut_eval(b->l.dut);
}

static void victims(struct bench *b, const struct byw_set *set)
{
    uint32_t eligible, last;

    put_action(b, false, false, false, false, 0);
    for (eligible = 1; eligible < 1U << P_WAYS; eligible++) {
        uint32_t way = b->ops->victim(set, &b->at, eligible);

        dut_put(b->l.dut, b->eligible, eligible);
        dut_eval(b->l.dut);
        lock_same(&b->l, "victim", way, dut_get(b->l.dut, b->victim));
        b->l.cycle++;
        for (last = 0; last < 2; last++) {
            struct byw_set after = *set;

            put_action(b, false, true, true, last != 0, way);
            b->ops->evicted(&after, &b->at, eligible, way);
            b->ops->inserted(&after, &b->at, way, last != 0);
            same_ranks(b, &after);
        }
        put_action(b, false, false, false, false, 0);
    }
}

static void state(struct bench *b, const struct byw_set *set)
{
    uint32_t way, last;

    put_ranks(b, set);
    victims(b, set);
    dut_put(b->l.dut, b->eligible, lock_below(&b->l, 1U << P_WAYS));
    same_ranks(b, set);
    for (way = 0; way < P_WAYS; way++) {
        struct byw_set after = *set;

        put_action(b, false, false, false, false, way);
        same_ranks(b, set);
        put_action(b, true, false, false, false, way);
        b->ops->touched(&after, &b->at, way);
        same_ranks(b, &after);
        for (last = 0; last < 2; last++) {
            after = *set;
            put_action(b, false, false, true, last != 0, way);
            b->ops->inserted(&after, &b->at, way, last != 0);
            same_ranks(b, &after);
        }
    }
}

/* The n-th state; false if it is invalid (LRU: not a permutation). */
static bool nth(uint64_t n, struct byw_set *set)
{
    uint32_t seen = 0, i;

    for (i = 0; i < P_WAYS; i++) {
        uint32_t base = LRU ? P_WAYS : 1U << byw_repl_rank_bits(P_REPL, P_WAYS);

        set->rank[i] = (uint8_t)(n % base);
        seen |= 1U << n % base;
        n /= base;
    }
    return !LRU || seen == (1U << P_WAYS) - 1;
}

int main(int argc, char **argv)
{
    struct bench b = {.l = lock_start(argc, argv, 0)};
    const struct dut *d = b.l.dut;
    struct byw_set *set = calloc(1, sizeof(*set));
    uint64_t states = 0, n, all = 1;
    bool sampled = false;
    uint32_t i;

    if (set == NULL)
        return 2;
    b.ops = byw_repl(P_REPL);
    b.told = lock_repl_ports(d);
    b.width = byw_repl_rank_bits(P_REPL, P_WAYS);
    b.rank_in = dut_port(d, "rank_i");
    b.rank_out = dut_port(d, "rank_o");
    b.eligible = dut_port(d, "eligible_i");
    b.victim = dut_port(d, "victim_o");
    b.touch = dut_port(d, "touch_i");
    b.evict = dut_port(d, "evict_i");
    b.insert = dut_port(d, "insert_i");
    b.last = dut_port(d, "last_i");
    b.way = dut_port(d, "way_i");
    for (i = 0; i < P_WAYS; i++)
        all *= LRU ? P_WAYS : 1U << b.width;
    if (!LRU && P_WAYS * b.width > STATE_BITS) {
        sampled = true;
        all = 4096;
    }
    for (n = 0; n < all; n++) {
        if (!nth(sampled ? byw_rng_next(&b.l.rng) : n, set))
            continue;
        state(&b, set);
        states++;
    }
    free(set);
    b.l.cycles = b.l.cycle;
    return lock_pass(&b.l, " in %" PRIu64 " states, %s", states,
                     sampled ? "by chance" : "all there are");
}
