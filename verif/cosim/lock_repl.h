/* SPDX-License-Identifier: Apache-2.0
 *
 * lock_repl.h - inputs of replacement policy P_REPL other than the set record: set, PC and random
 * number at the ports of a module, and the same for the C side.
 */
#ifndef BYW_LOCK_REPL_H
#define BYW_LOCK_REPL_H

#include "cosim/lock.h"
#include "record/byw_repl.h"

struct lock_repl {
    uint32_t set, pc, random; /* ports */
};

/* The ranks of a set form a permutation that includes free ways; otherwise ranks of free ways have
 * no meaning. */
static inline bool lock_ranks_order(void)
{
    return P_REPL == BYW_REPL_LRU;
}

static inline struct lock_repl lock_repl_ports(const struct dut *dut)
{
    return (struct lock_repl){.set = dut_port(dut, "set_i"),
                              .pc = dut_port(dut, "pc_i"),
                              .random = dut_port(dut, "random_i")};
}

/* A random number; often a small one, since a policy may look for a few zero bits. */
static inline struct byw_repl_at lock_repl_random(struct lock *l, uint32_t ways, uint32_t sets)
{
    uint16_t random = (uint16_t)byw_rng_next(&l->rng);

    return (struct byw_repl_at){.ways = ways,
                                .set = lock_below(l, sets),
                                .pc = (uint32_t)byw_rng_next(&l->rng),
                                .random =
                                    lock_chance(l, 30) ? (uint16_t)(random & 0xff00) : random};
}

static inline void lock_repl_put(struct dut *dut, const struct lock_repl *p,
                                 const struct byw_repl_at *at)
{
    dut_put(dut, p->set, at->set);
    dut_put(dut, p->pc, at->pc);
    dut_put(dut, p->random, at->random);
}

#endif
