/* SPDX-License-Identifier: Apache-2.0
 *
 * A local line that was stored to is dirty, and is written back when another line evicts it. The
 * write-back leaves at t + 4, the fetch that caused it at t + 5; meanwhile the decision was refused
 * twice, counted as a missing slot. The write-back is not answered, and memory later returns its
 * bytes.
 */
#include "scenario/rig.h"

void scenario(struct rig *r)
{
    struct byw_config c = rig_config(r);
    uint32_t i, id, n, ways = r->size.ways;

    rig_start(r, &c);
    rig_do(r, BYW_OP_LOCAL_LOAD, rig_line(r, 1, 0));
    rig_served(r, rig_do(r, BYW_OP_LOCAL_STORE, rig_line(r, 1, 0)), BYW_SERVED_STORE, 3);
    rig_same(r, "writes at the memory", 0, r->ev[BYW_EV_MEM_WRITE]);
    for (i = 1; i < ways; i++)
        rig_do(r, BYW_OP_LOCAL_LOAD, rig_line(r, 1, i));
    n = r->fetches;
    id = rig_do(r, BYW_OP_LOCAL_LOAD, rig_line(r, 1, ways));
    rig_served(r, id, BYW_SERVED_FILL, r->latency + 6);
    rig_same(r, "requests at the memory", n + 2, r->fetches);
    rig_same(r, "first", BYW_MEM_WRITEBACK, r->fetch[n].kind);
    rig_same(r, "its line", rig_line(r, 1, 0), r->fetch[n].line);
    rig_same(r, "its cycle", r->ask[id].accepted + 4, r->fetch[n].taken);
    rig_same(r, "second", BYW_MEM_FILL, r->fetch[n + 1].kind);
    rig_same(r, "its cycle", r->ask[id].accepted + 5, r->fetch[n + 1].taken);
    rig_same(r, "refusals", 2, r->ev[BYW_EV_FAIL_MISS_QUEUE]);
    rig_same(r, "lines evicted", 1, r->ev[BYW_EV_EVICT]);
    rig_served(r, rig_do(r, BYW_OP_LOCAL_LOAD, rig_line(r, 1, 0)), BYW_SERVED_FILL,
               r->latency + 4); /* the next victim is clean */
}
