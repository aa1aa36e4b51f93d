/* SPDX-License-Identifier: Apache-2.0
 *
 * A store with a bypass hint to a line in flight detaches the fill at once, like any store: the
 * fill answers the loads before the store with old bytes and is dropped; a bypassed load behind the
 * store leaves after it and sees the new bytes.
 */
#include "scenario/rig.h"

void scenario(struct rig *r)
{
    struct byw_config c = rig_config(r);
    uint32_t on_hit, before, after;

    for (on_hit = BYW_BYP_SERVE; on_hit <= BYW_BYP_EVICT; on_hit++) {
        c.byp_on_hit = on_hit;
        rig_start(r, &c);
        r->hold = true;
        before = rig_send(r, BYW_OP_LOAD, 1);
        rig_send_hint(r, BYW_OP_STORE, 1, BYW_HINT_BYPASS);
        after = rig_send_hint(r, BYW_OP_LOAD, 1, BYW_HINT_BYPASS);
        rig_run(r, 8);
        rig_same(r, "requests at the memory", 3, r->fetches);
        rig_same(r, "second", BYW_MEM_STORE, r->fetch[1].kind);
        rig_same(r, "third", BYW_MEM_BYPASS, r->fetch[2].kind);
        r->fetch[0].waits = r->fetch[1].waits = false; /* the youngest is answered first */
        rig_answer(r, 1, false);
        r->fetch[0].waits = r->fetch[1].waits = true;
        rig_run(r, 2);
        rig_served(r, after, BYW_SERVED_BYPASS, 0);
        r->hold = false;
        rig_drain(r);
        rig_served(r, before, BYW_SERVED_FILL, 0);
        rig_true(r, "the bytes changed",
                 memcmp(r->ask[before].got, r->ask[after].got, r->size.line) != 0);
        rig_same(r, "fills kept", 0, r->ev[BYW_EV_FILL]);
    }
}
