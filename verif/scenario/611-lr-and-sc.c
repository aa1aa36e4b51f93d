/* SPDX-License-Identifier: Apache-2.0
 *
 * FUNC_W, LR and SC: two atomic functions of this memory, which keeps one reservation. A failed SC
 * writes nothing and returns ones. An SC after its LR succeeds; a second one fails; one with a
 * store of the line in between fails. The result reaches the requester unchanged, and error_o stays
 * 0. LR and SC both drop the cache's copy, so that a load after them fetches, and sees whether the
 * SC wrote.
 */
#include "scenario/rig.h"

static uint32_t atomic(struct rig *r, uint32_t func, uint64_t line)
{
    uint32_t id;

    r->func = func;
    id = rig_do(r, BYW_OP_ATOMIC, line);
    r->func = 0;
    rig_served(r, id, BYW_SERVED_BYPASS, r->latency + 4);
    rig_true(r, "no error", !r->ask[id].error);
    rig_true(r, "an atomic at memory", r->fetch[r->fetches - 1].atomic);
    rig_same(r, "function at memory", func, r->fetch[r->fetches - 1].func);
    return id;
}

static void store_conditional(struct rig *r, uint64_t line, bool fails)
{
    uint32_t id = atomic(r, RIG_SC, line), i;

    for (i = 0; i < r->size.line; i++)
        rig_same(r, "result of the SC", fails, r->ask[id].got[i]);
    rig_served(r, rig_do(r, BYW_OP_LOAD, line), BYW_SERVED_FILL, r->latency + 4);
}

void scenario(struct rig *r)
{
    struct byw_config c = rig_config(r);
    uint64_t line = 1;

    rig_start(r, &c);
    rig_do(r, BYW_OP_LOAD, line);
    atomic(r, RIG_LR, line);
    rig_same(r, "lines evicted", 1, r->ev[BYW_EV_EVICT]);
    store_conditional(r, line, false);
    store_conditional(r, line, true);
    atomic(r, RIG_LR, line);
    rig_do(r, BYW_OP_STORE, line);
    store_conditional(r, line, true);
    rig_same(r, "atomics", 5, r->ev[BYW_EV_ATOMIC]);
}
