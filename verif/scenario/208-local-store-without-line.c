/* SPDX-License-Identifier: Apache-2.0
 *
 * A local store whose line is absent or in flight allocates nothing: it is sent to memory like any
 * store and takes memory latency + 4; the line stays clean.
 */
#include "scenario/rig.h"

void scenario(struct rig *r)
{
    struct byw_config c = rig_config(r);
    uint32_t n;

    rig_start(r, &c);
    rig_served(r, rig_do(r, BYW_OP_LOCAL_STORE, 1), BYW_SERVED_STORE, r->latency + 4);
    rig_same(r, "writes at the memory", 1, r->ev[BYW_EV_MEM_WRITE]);
    rig_send(r, BYW_OP_LOCAL_LOAD, 1);
    rig_send(r, BYW_OP_LOCAL_STORE, 1);
    rig_drain(r);
    rig_same(r, "writes at the memory", 2, r->ev[BYW_EV_MEM_WRITE]);
    rig_same(r, "fills kept", 0, r->ev[BYW_EV_FILL]);
    n = r->fetches;
    rig_served(r, rig_do(r, BYW_OP_FLUSH, 0), BYW_SERVED_DONE, 3);
    rig_same(r, "write-backs", 0, r->fetches - n);
}
