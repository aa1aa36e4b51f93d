/* SPDX-License-Identifier: Apache-2.0
 *
 * Allocate on fill: a store to a pending sector detaches only that sector's fetch. The load before
 * it gets old bytes from a fill that is not kept; the load behind it fetches after the store. The
 * fetch of another sector of the line continues and is kept.
 */
#include "scenario/rig.h"

void scenario(struct rig *r)
{
    struct byw_config c = rig_config(r);
    uint32_t other, before, after;

    rig_start(r, &c);
    r->hold = true;
    other = rig_send_sector(r, BYW_OP_LOAD, 1, 3);
    before = rig_send_sector(r, BYW_OP_LOAD, 1, 0);
    rig_send_sector(r, BYW_OP_STORE, 1, 0);
    after = rig_send_sector(r, BYW_OP_LOAD, 1, 0);
    rig_run(r, 8);
    rig_same(r, "requests at the memory", 4, r->fetches);
    rig_same(r, "third", BYW_MEM_STORE, r->fetch[2].kind);
    r->hold = false;
    rig_drain(r);
    rig_served(r, other, BYW_SERVED_FILL, 0);
    rig_served(r, before, BYW_SERVED_FILL, 0);
    rig_served(r, after, BYW_SERVED_FILL, 0);
    rig_same(r, "fills kept", 2, r->ev[BYW_EV_FILL]);
    rig_served(r, rig_do_sector(r, BYW_OP_LOAD, 1, 0), BYW_SERVED_HIT, 3);
    rig_served(r, rig_do_sector(r, BYW_OP_LOAD, 1, 3), BYW_SERVED_HIT, 3);
}
