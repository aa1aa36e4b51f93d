/* SPDX-License-Identifier: Apache-2.0
 *
 * Merged loads are answered from the fill buffer. While they wait for the response channel, a store
 * may evict the line and it may be fetched again with other bytes; they still get the bytes of
 * their fill.
 */
#include "scenario/rig.h"

void scenario(struct rig *r)
{
    struct byw_config c = rig_config(r);
    uint32_t i, id[3], store, after;

    rig_start(r, &c);
    r->hold = true;
    for (i = 0; i < 3; i++)
        id[i] = rig_send(r, BYW_OP_LOAD, 1);
    rig_run(r, 6);
    r->rsp_ready = false;
    rig_answer(r, 1, false);
    store = rig_send(r, BYW_OP_STORE, 1);
    after = rig_send(r, BYW_OP_LOAD, 1);
    rig_run(r, 6);
    rig_same(r, "lines evicted", 1, r->ev[BYW_EV_EVICT]);
    r->fetch[1].waits = false; /* the acknowledgement comes later */
    rig_answer(r, 1, false); /* second fill buffer */
    r->fetch[1].waits = true;
    rig_same(r, "fills kept", 2, r->ev[BYW_EV_FILL]);
    r->rsp_ready = true;
    r->hold = false;
    rig_drain(r);
    for (i = 0; i < 3; i++) {
        rig_served(r, id[i], BYW_SERVED_FILL, 0);
        rig_true(r, "old bytes", memcmp(r->ask[id[i]].got, r->ask[id[0]].want, r->size.line) == 0);
    }
    rig_served(r, store, BYW_SERVED_STORE, 0);
    rig_served(r, after, BYW_SERVED_FILL, 0);
    rig_true(r, "new bytes", memcmp(r->ask[after].got, r->ask[id[0]].got, r->size.line) != 0);
}
