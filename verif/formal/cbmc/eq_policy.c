/* SPDX-License-Identifier: Apache-2.0
 *
 * eq_policy - byw_policy.v equals byw_policy_choose() and byw_policy_apply() for every record that
 * obeys the invariants, every request, setting, advice and combination of resources: one decision
 * of the lock-step test, with any record.
 */
#include "cosim/lock.h"

static void any_record(struct lock *l, const struct byw_geometry *geo, struct byw_set *set);

#define MAKE_RECORD any_record
#define main lockstep_main
#include "policy/lockstep_policy.c"
#undef main

/* Ages and LRU ranks are permutations, keys differ, a way has one owner. */
static void any_record(struct lock *l, const struct byw_geometry *geo, struct byw_set *set)
{
    uint32_t ages = 0, ranks = 0, i;

    byw_set_clear(geo, set);
    for (i = 0; i < P_TAG_WAYS; i++) {
        uint32_t way = lock_below(l, P_DATA_WAYS);

        set->tag[i].age = (uint8_t)lock_below(l, P_TAG_WAYS);
        ages |= 1U << set->tag[i].age;
        if (nondet_bool())
            continue;
        byw_set_install(set, (int)i, random_key(l, i), (uint8_t)lock_below(l, RC_MAX + 1));
        if ((set->used >> way & 1) != 0 || nondet_bool())
            continue;
        byw_set_commit(set, (int)i, way);
    }
    for (i = 0; i < P_DATA_WAYS; i++) {
        set->way[i].reused = nondet_bool();
        set->rank[i] = (uint8_t)lock_below(l, 1U << LOCK_RANK_W);
        ranks |= 1U << set->rank[i];
    }
    set->pending &= nondet_uint64();
    __CPROVER_assume(ages == (1U << P_TAG_WAYS) - 1);
    __CPROVER_assume(!lock_ranks_order() || ranks == (1U << P_DATA_WAYS) - 1);
}

int main(void)
{
    struct lock l = lock_start(0, NULL, 0);
    struct ports p = find_ports(l.dut);
    struct byw_geometry geo = {.sets = 1, .tag_ways = P_TAG_WAYS, .data_ways = P_DATA_WAYS};
    struct met met = {.orphans = 0};

    decide(&l, &p, &geo, &lock_room, &met);
    return 0;
}
