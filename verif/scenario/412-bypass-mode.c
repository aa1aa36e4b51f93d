/* SPDX-License-Identifier: Apache-2.0
 *
 * Two-level's bypass mode. A load accepted while it is on bypasses whatever its hint and without a
 * tag lookup; a present line stays and hits when the mode is off. The mode of the cycle of
 * acceptance applies: a change does not affect loads that were accepted before. A dirty line is
 * written back first, so the load sees its bytes. Stores and atomics are not affected.
 */
#include "scenario/rig.h"

static void dirty(struct rig *r)
{
    uint32_t id, n, gap;

    r->in.ctrl.bypass = false;
    rig_do(r, BYW_OP_LOCAL_LOAD, 2);
    rig_do(r, BYW_OP_LOCAL_STORE, 2);
    n = r->fetches;
    r->in.ctrl.bypass = true;
    id = rig_do(r, BYW_OP_LOCAL_LOAD, 2);
    rig_served(r, id, BYW_SERVED_BYPASS, r->latency + 6);
    rig_same(r, "first", BYW_MEM_WRITEBACK, r->fetch[n].kind);
    rig_same(r, "second", BYW_MEM_BYPASS, r->fetch[n + 1].kind);
    for (gap = 0; gap < 4; gap++) { /* the store is in s1, in s2, just decided, completed */
        rig_send(r, BYW_OP_LOCAL_STORE, 2);
        rig_run(r, gap);
        n = r->fetches;
        id = rig_do(r, BYW_OP_LOCAL_LOAD, 2);
        rig_served(r, id, BYW_SERVED_BYPASS, 0);
        rig_same(r, "written back first", BYW_MEM_WRITEBACK, r->fetch[n].kind);
    }
    r->in.ctrl.bypass = false;
    rig_served(r, rig_do(r, BYW_OP_LOCAL_LOAD, 2), BYW_SERVED_HIT, 3);
}

void scenario(struct rig *r)
{
    struct byw_config c = rig_config(r);
    uint32_t id;

    c.l1d_store_hit = BYW_STORE_UPDATE;
    rig_start(r, &c);
    rig_do(r, BYW_OP_LOAD, 1);
    rig_same(r, "tags looked at", 1, r->ev[BYW_EV_TAG_READ]);
    r->in.ctrl.bypass = true;
    id = rig_send_hint(r, BYW_OP_LOAD, 1, BYW_HINT_CACHE);
    rig_drain(r);
    rig_served(r, id, BYW_SERVED_BYPASS, r->latency + 4);
    rig_same(r, "tags looked at", 1, r->ev[BYW_EV_TAG_READ]);
    rig_same(r, "pulses", 1, r->pev[BYW_PEV_TL_BYPASS]);
    rig_do(r, BYW_OP_STORE, 1);
    rig_same(r, "store hits", 1, r->ev[BYW_EV_STORE_HIT]);
    r->in.ctrl.bypass = false;
    id = rig_send(r, BYW_OP_LOAD, 1);
    r->in.ctrl.bypass = true; /* the mode is on from the next cycle on */
    rig_drain(r);
    rig_served(r, id, BYW_SERVED_HIT, 3);
    id = rig_send(r, BYW_OP_LOAD, 1);
    r->in.ctrl.bypass = false;
    rig_drain(r);
    rig_served(r, id, BYW_SERVED_BYPASS, r->latency + 4);
    rig_served(r, rig_do(r, BYW_OP_LOAD, 1), BYW_SERVED_HIT, 3);
    dirty(r);
}
