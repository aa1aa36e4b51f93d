/* SPDX-License-Identifier: Apache-2.0
 *
 * lockstep_hint - byw_hint.v equals byw_hint_rules() and byw_hint_rdna2() for every input,
 * including codes without a meaning.
 */
#include "cosim/lock.h"
#include "policy/byw_hint.h"

enum { HINT_BITS = 3, ON_HIT_BITS = 2, LEVEL_BITS = 2, FLAG_BITS = 2 };

static void check_rules(struct lock *l, uint32_t hint, uint32_t on_hit)
{
    struct byw_hint_rules rules = byw_hint_rules((uint8_t)hint, on_hit);

    dut_put(l->dut, dut_port(l->dut, "hint_i"), hint);
    dut_put(l->dut, dut_port(l->dut, "on_hit_i"), on_hit);
    dut_eval(l->dut);
    lock_same(l, "bypass", rules.bypass, dut_get(l->dut, dut_port(l->dut, "bypass_o")));
    lock_same(l, "at_once", rules.at_once, dut_get(l->dut, dut_port(l->dut, "at_once_o")));
    lock_same(l, "last", rules.last, dut_get(l->dut, dut_port(l->dut, "last_o")));
    lock_same(l, "on_hit", rules.on_hit, dut_get(l->dut, dut_port(l->dut, "on_hit_o")));
}

static void check_rdna2(struct lock *l, uint32_t flags, uint32_t level)
{
    dut_put(l->dut, dut_port(l->dut, "volatile_i"), flags & 1);
    dut_put(l->dut, dut_port(l->dut, "nontemporal_i"), flags >> 1);
    dut_put(l->dut, dut_port(l->dut, "level_i"), level);
    dut_eval(l->dut);
    lock_same(l, "rdna2_hint",
              byw_hint_rdna2((flags & 1) != 0, flags >> 1 != 0, (enum byw_hint_level)level),
              dut_get(l->dut, dut_port(l->dut, "rdna2_hint_o")));
}

int main(int argc, char **argv)
{
    struct lock l = lock_start(argc, argv, 0);
    uint32_t all = UINT32_C(1) << (HINT_BITS + ON_HIT_BITS + LEVEL_BITS + FLAG_BITS);

    for (l.cycle = 0; l.cycle < all; l.cycle++) {
        uint32_t n = (uint32_t)l.cycle;

        check_rules(&l, n & 7, n >> HINT_BITS & 3);
        check_rdna2(&l, n >> (HINT_BITS + ON_HIT_BITS) & 3,
                    n >> (HINT_BITS + ON_HIT_BITS + FLAG_BITS) & 3);
    }
    l.cycles = l.cycle;
    return lock_pass(&l, ", all there are");
}
