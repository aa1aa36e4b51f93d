/* SPDX-License-Identifier: Apache-2.0
 *
 * FUNC_W. The seven function bits of a request leave with it unchanged: with a store, a fill, a
 * bypass and an atomic. A merged load does not change those of the fill, which has the bits of the
 * load that missed. A write-back has 0.
 */
#include "scenario/rig.h"

static uint32_t with(struct rig *r, uint32_t func, enum byw_op op, uint64_t line,
                     enum byw_hint hint)
{
    r->func = func;
    return rig_send_hint(r, op, line, hint);
}

void scenario(struct rig *r)
{
    static const uint32_t want[] = {0x7f, 0x15, 0x2a, 0x40};
    struct byw_config c = rig_config(r);
    uint32_t i;

    rig_start(r, &c);
    with(r, want[0], BYW_OP_STORE, 4, BYW_HINT_NONE);
    with(r, want[1], BYW_OP_LOAD, 5, BYW_HINT_NONE);
    with(r, 0x33, BYW_OP_LOAD, 5, BYW_HINT_NONE); /* merges */
    with(r, want[2], BYW_OP_LOAD, 6, BYW_HINT_BYPASS);
    with(r, want[3], BYW_OP_ATOMIC, 7, BYW_HINT_NONE);
    rig_drain(r);
    rig_same(r, "requests at the memory", 4, r->fetches);
    for (i = 0; i < 4; i++)
        rig_same(r, "function at memory", want[i], r->fetch[i].func);
    with(r, 0x11, BYW_OP_LOCAL_STORE, 5, BYW_HINT_NONE);
    rig_send_fence(r, BYW_FENCE_FLUSH);
    rig_drain(r);
    rig_same(r, "kind", BYW_MEM_WRITEBACK, r->fetch[4].kind);
    rig_same(r, "function at memory", 0, r->fetch[4].func);
}
