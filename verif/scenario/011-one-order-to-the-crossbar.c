/* SPDX-License-Identifier: Apache-2.0
 *
 * Requests leave in the order of acceptance on every path: misses, bypassed loads, stores and
 * atomics mixed, with a channel that is ready in one cycle of three.
 */
#include "scenario/rig.h"

void scenario(struct rig *r)
{
    static const uint8_t op[] = {BYW_OP_LOAD, BYW_OP_STORE, BYW_OP_LOAD, BYW_OP_ATOMIC};
    static const uint8_t kind[] = {BYW_MEM_FILL, BYW_MEM_STORE, BYW_MEM_BYPASS, BYW_MEM_BYPASS};
    struct byw_config c = rig_config(r);
    uint32_t i, n = 40;

    rig_start(r, &c);
    for (i = 0; i < n; i++) {
        uint32_t id = rig_offer(r, (enum byw_op)op[i % 4], 3 * i,
                                i % 4 == 2 ? BYW_HINT_BYPASS : BYW_HINT_NONE);

        while (!r->ask[id].taken) {
            r->mem_ready = r->cycle % 3 == 0;
            rig_cycle(r);
        }
    }
    r->mem_ready = true;
    rig_drain(r);
    rig_same(r, "requests at the memory", n, r->fetches);
    for (i = 0; i < n; i++) {
        rig_same(r, "line", 3 * i, r->fetch[i].line);
        rig_same(r, "kind", kind[i % 4], r->fetch[i].kind);
        rig_same(r, "atomic", i % 4 == 3, r->fetch[i].atomic);
    }
}
