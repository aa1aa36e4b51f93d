/* SPDX-License-Identifier: Apache-2.0
 *
 * With a memory that answers L cycles after it accepts a request, a miss, a bypassed load, a store
 * and an atomic take L + 4 cycles from request to response; the request leaves at t + 3. L = 1
 * included.
 */
#include "scenario/rig.h"

static void path(struct rig *r, enum byw_op op, uint64_t line, enum byw_hint hint,
                 enum byw_served served)
{
    uint32_t id = rig_send_hint(r, op, line, hint);

    rig_drain(r);
    rig_served(r, id, served, r->latency + 4);
    rig_same(r, "cycle at the memory", r->ask[id].accepted + 3, r->fetch[r->fetches - 1].taken);
}

void scenario(struct rig *r)
{
    static const uint32_t latency[] = {1, 2, 3, 10, 57, 100, 300};
    struct byw_config c = rig_config(r);
    uint32_t i;

    rig_start(r, &c);
    for (i = 0; i < sizeof(latency) / sizeof(latency[0]); i++) {
        r->latency = latency[i];
        path(r, BYW_OP_LOAD, 8 * i, BYW_HINT_NONE, BYW_SERVED_FILL);
        path(r, BYW_OP_LOAD, 8 * i + 1, BYW_HINT_BYPASS, BYW_SERVED_BYPASS);
        path(r, BYW_OP_STORE, 8 * i + 2, BYW_HINT_NONE, BYW_SERVED_STORE);
        path(r, BYW_OP_ATOMIC, 8 * i + 3, BYW_HINT_NONE, BYW_SERVED_BYPASS);
    }
}
