/* SPDX-License-Identifier: Apache-2.0
 *
 * A reset while everything is occupied: a dirty line, a hit waiting in s3, requests in s2 and s1,
 * fills in their buffers, misses, bypasses and stores outstanding and in the queue. One cycle later
 * the cache is idle and its outputs are invalid; no line remains, all MSHRs, trackers and slots are
 * free, and no earlier request is ever answered.
 */
#include "scenario/rig.h"

static void occupy(struct rig *r)
{
    uint32_t i;

    rig_do(r, BYW_OP_LOCAL_LOAD, 0);
    rig_do(r, BYW_OP_LOCAL_STORE, 0);
    rig_do(r, BYW_OP_LOAD, 1);
    r->hold = true;
    rig_send(r, BYW_OP_LOAD, 2);
    rig_send(r, BYW_OP_LOAD, 2);
    rig_send_hint(r, BYW_OP_LOAD, 3, BYW_HINT_BYPASS);
    rig_send(r, BYW_OP_LOAD, 7);
    rig_run(r, 5);
    r->mem_ready = r->rsp_ready = false;
    rig_answer(r, 2, false);
    rig_send_hint(r, BYW_OP_LOAD, 9, BYW_HINT_BYPASS);
    for (i = 0; i < r->size.miss_depth; i++)
        rig_send(r, BYW_OP_STORE, 20 + i);
    for (i = 0; i < 3; i++)
        rig_send(r, BYW_OP_LOAD, 1);
    rig_run(r, 5);
    rig_true(r, "the cache is full", !r->out.req_ready && r->out.rsp_valid);
}

void scenario(struct rig *r)
{
    struct byw_config c = rig_config(r);
    uint32_t i, id, first;

    rig_start(r, &c);
    occupy(r);
    rig_reset(r);
    r->hold = false;
    r->rsp_ready = r->mem_ready = true;
    rig_cycle(r);
    rig_true(r, "idle", r->out.idle && r->out.req_ready && r->out.mem_rsp_ready);
    rig_true(r, "nothing shown", !r->out.rsp_valid && !r->out.mem_req_valid);
    for (i = 0; i < 8; i++) { /* lines that were present, dirty, pending and filled before */
        id = rig_do(r, BYW_OP_LOAD, i);
        rig_served(r, id, BYW_SERVED_FILL, r->latency + 4);
    }
    r->hold = true;
    first = r->fetches;
    for (i = 0; i < r->size.trackers; i++)
        rig_send_hint(r, BYW_OP_LOAD, 100 + i, BYW_HINT_BYPASS);
    for (i = 0; i < r->size.mshrs; i++)
        rig_send(r, BYW_OP_LOAD, 300 + i);
    rig_run(r, 10);
    rig_same(r, "trackers and MSHRs that can be had", r->size.trackers + r->size.mshrs,
             r->fetches - first);
    rig_same(r, "write-backs", 0, r->ev[BYW_EV_MEM_WRITE] - 0);
}
