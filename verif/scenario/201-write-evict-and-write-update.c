/* SPDX-License-Identifier: Apache-2.0
 *
 * A store to a filled line. Write-evict: the line is evicted, the store is sent on, the next load
 * fetches. Write-update: the line takes the bytes, the store is sent on as well, the next load hits
 * and sees them. Both stores take memory latency + 4.
 */
#include "scenario/rig.h"

void scenario(struct rig *r)
{
    struct byw_config c = rig_config(r);

    c.l1d_store_hit = BYW_STORE_EVICT;
    rig_start(r, &c);
    rig_do(r, BYW_OP_LOAD, 1);
    rig_served(r, rig_do(r, BYW_OP_STORE, 1), BYW_SERVED_STORE, r->latency + 4);
    rig_same(r, "lines evicted", 1, r->ev[BYW_EV_EVICT]);
    rig_same(r, "store hits", 1, r->ev[BYW_EV_STORE_HIT]);
    rig_same(r, "writes of the data store, the fill's", 1, r->ev[BYW_EV_DATA_WRITE]);
    rig_served(r, rig_do(r, BYW_OP_LOAD, 1), BYW_SERVED_FILL, r->latency + 4);

    c.l1d_store_hit = BYW_STORE_UPDATE;
    rig_start(r, &c);
    rig_do(r, BYW_OP_LOAD, 1);
    rig_served(r, rig_do(r, BYW_OP_STORE, 1), BYW_SERVED_STORE, r->latency + 4);
    rig_same(r, "lines evicted", 0, r->ev[BYW_EV_EVICT]);
    rig_same(r, "writes at the memory", 1, r->ev[BYW_EV_MEM_WRITE]);
    rig_same(r, "writes of the data store", 2, r->ev[BYW_EV_DATA_WRITE]);
    rig_served(r, rig_do(r, BYW_OP_LOAD, 1), BYW_SERVED_HIT, 3);
    rig_do(r, BYW_OP_STORE, 2); /* absent: no line is reserved */
    rig_served(r, rig_do(r, BYW_OP_LOAD, 2), BYW_SERVED_FILL, r->latency + 4);
}
