/* SPDX-License-Identifier: Apache-2.0
 *
 * Back-pressure on mem_req alone. The queue accepts a full pool of stores and a full pool of
 * bypassed loads, mixed. Another store is refused in s2 in every cycle, because no slot is free,
 * and each refusal is counted. When mem_req_ready returns, requests leave in the order of
 * acceptance, one per cycle; a slot that is freed in a cycle is available to the decision of the
 * next.
 */
#include "scenario/rig.h"

void scenario(struct rig *r)
{
    struct byw_config c = rig_config(r);
    uint32_t stores = r->size.miss_depth, loads = r->size.bypass_depth, i, last;
    uint64_t open;

    rig_start(r, &c);
    r->mem_ready = false;
    for (i = 0; i < stores || i < loads; i++) {
        if (i < stores)
            rig_send(r, BYW_OP_STORE, 2 * i);
        if (i < loads)
            rig_send_hint(r, BYW_OP_LOAD, 2 * i + 1, BYW_HINT_BYPASS);
    }
    rig_run(r, 5);
    rig_same(r, "refusals while there are slots", 0,
             r->ev[BYW_EV_FAIL_MISS_QUEUE] + r->ev[BYW_EV_FAIL_ICNT]);
    rig_same(r, "stores decided", stores, r->ev[BYW_EV_STORE]);
    rig_same(r, "bypasses decided", loads, r->ev[BYW_EV_BYPASS]);
    last = rig_send(r, BYW_OP_STORE, 500);
    open = r->ask[last].accepted + 12;
    rig_until(r, open);
    rig_same(r, "refusals", 10, r->ev[BYW_EV_FAIL_MISS_QUEUE]);
    r->mem_ready = true;
    rig_drain(r);
    rig_same(r, "requests at the memory", stores + loads + 1, r->fetches);
    for (i = 0; i < r->fetches; i++) {
        rig_same(r, "order of acceptance", r->ask[i].line, r->fetch[i].line);
        rig_same(r, "one per cycle", open + i, r->fetch[i].taken);
    }
    rig_same(r, "refusals at the end", 11, r->ev[BYW_EV_FAIL_MISS_QUEUE]);
}
