/* SPDX-License-Identifier: Apache-2.0
 *
 * eq_repl - byw_repl.v equals the C twin of policy REPL for every state of a set (LRU: every
 * permutation of ranks), every set of eligible ways, set, PC and random number, and every touch,
 * insertion, and eviction with insertion.
 */
#include "common/byw_config.h"
#include "cosim/lock_repl.h"

static const struct byw_repl_ops *ops;

/* Any state; the ranks of LRU are a permutation. */
static struct byw_set any_state(struct lock *l, uint32_t width)
{
    struct byw_set set = {0};
    uint32_t seen = 0;

    for (uint32_t i = 0; i < P_WAYS; i++) {
        set.rank[i] = (uint8_t)lock_below(l, lock_ranks_order() ? P_WAYS : 1U << width);
        seen |= 1U << set.rank[i];
    }
    __CPROVER_assume(!lock_ranks_order() || seen == (1U << P_WAYS) - 1);
    return set;
}

static void put(struct lock *l, const char *port, uint64_t value)
{
    dut_put(l->dut, dut_port(l->dut, port), value);
}

/* At most one of the events occurs; an insertion also has a position in the order. */
static void act(struct lock *l, const struct byw_repl_at *at, uint32_t eligible,
                struct byw_set *set)
{
    bool touch = nondet_bool(), insert = nondet_bool(), evict = nondet_bool();
    bool last = nondet_bool();
    uint32_t way = lock_below(l, P_WAYS);

    __CPROVER_assume(!(touch && insert) && (!evict || insert));
    if (evict)
        way = ops->victim(set, at, eligible);
    put(l, "touch_i", touch);
    put(l, "insert_i", insert);
    put(l, "evict_i", evict);
    put(l, "last_i", last);
    put(l, "way_i", way);
    if (touch)
        ops->touched(set, at, way);
    if (evict)
        ops->evicted(set, at, eligible, way);
    if (insert)
        ops->inserted(set, at, way, last);
}

int main(void)
{
    struct lock l = lock_start(0, NULL, 0);
    const uint32_t width = byw_repl_rank_bits(P_REPL, P_WAYS);
    struct byw_set set = any_state(&l, width);
    struct lock_repl ports = lock_repl_ports(l.dut);
    struct byw_repl_at at = lock_repl_random(&l, P_WAYS, 32);
    uint32_t eligible = 1 + lock_below(&l, (1U << P_WAYS) - 1);
    uint64_t ranks = 0, after;

    ops = byw_repl(P_REPL);
    for (uint32_t i = 0; i < P_WAYS; i++)
        ranks |= (uint64_t)set.rank[i] << i * width;
    put(&l, "rank_i", ranks);
    put(&l, "eligible_i", eligible);
    lock_repl_put(l.dut, &ports, &at);
    ranks = ops->victim(&set, &at, eligible);
    act(&l, &at, eligible, &set);
    dut_eval(l.dut);
    lock_same(&l, "victim", ranks, dut_get(l.dut, dut_port(l.dut, "victim_o")));
    after = dut_get(l.dut, dut_port(l.dut, "rank_o"));
    for (uint32_t i = 0; i < P_WAYS; i++)
        lock_same_at(&l, "rank", i, set.rank[i], after >> i * width & byw_mask64(width));
    return 0;
}
