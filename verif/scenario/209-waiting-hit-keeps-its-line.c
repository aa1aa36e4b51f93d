/* SPDX-License-Identifier: Apache-2.0
 *
 * A hit waits in s3 for the response channel, with its bytes at the data store's output. A
 * write-back of another line, which needs that output, waits for it, and so does a store to the
 * hit's own line behind it. The hit still returns the bytes that it read.
 */
#include "scenario/rig.h"

void scenario(struct rig *r)
{
    struct byw_config c = rig_config(r);
    uint32_t i, hit, ways = r->size.ways;

    c.l1d_store_hit = BYW_STORE_UPDATE;
    rig_start(r, &c);
    rig_do(r, BYW_OP_LOAD, 2);
    for (i = 0; i < ways; i++)
        rig_do(r, BYW_OP_LOCAL_LOAD, rig_line(r, 1, i));
    rig_do(r, BYW_OP_LOCAL_STORE, rig_line(r, 1, 0));
    for (i = 1; i < ways; i++) /* the dirty line is least recently used again */
        rig_do(r, BYW_OP_LOCAL_LOAD, rig_line(r, 1, i));
    r->rsp_ready = false;
    hit = rig_send(r, BYW_OP_LOAD, 2);
    rig_send(r, BYW_OP_LOAD, rig_line(r, 1, ways)); /* evicts the dirty line */
    rig_send(r, BYW_OP_STORE, 2);
    rig_run(r, 12);
    rig_same(r, "writes at the memory while the hit waits", 0, r->ev[BYW_EV_MEM_WRITE]);
    rig_true(r, "the hit is shown", r->out.rsp_valid && r->out.rsp.id == hit);
    r->rsp_ready = true;
    rig_drain(r);
    rig_same(r, "writes at the memory: write-back and store", 2, r->ev[BYW_EV_MEM_WRITE]);
    rig_served(r, hit, BYW_SERVED_HIT, 0);
    rig_served(r, rig_do(r, BYW_OP_LOAD, 2), BYW_SERVED_HIT, 3);
}
