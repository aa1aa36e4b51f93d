/* SPDX-License-Identifier: Apache-2.0
 *
 * FLUSH writes every dirty line back, keeps all of them, and is answered when the last has left;
 * with mem_req stalled it waits. Afterwards the lines hit and are clean, and a second FLUSH takes 3
 * cycles.
 */
#include "scenario/rig.h"

void scenario(struct rig *r)
{
    struct byw_config c = rig_config(r);
    uint32_t i, id, n = r->size.sets, before;

    rig_start(r, &c);
    for (i = 0; i < n; i++) {
        rig_do(r, BYW_OP_LOCAL_LOAD, i);
        rig_do(r, BYW_OP_LOCAL_STORE, i);
    }
    before = r->fetches;
    r->mem_ready = false;
    id = rig_send(r, BYW_OP_FLUSH, 0);
    rig_run(r, 200);
    rig_same(r, "answers with mem_req stalled", 0, r->ask[id].answers);
    r->mem_ready = true;
    rig_drain(r);
    rig_served(r, id, BYW_SERVED_DONE, 0);
    rig_same(r, "write-backs", n, r->fetches - before);
    for (i = before; i < r->fetches; i++) {
        rig_same(r, "kind", BYW_MEM_WRITEBACK, r->fetch[i].kind);
        rig_true(r, "before the answer", r->fetch[i].taken < r->ask[id].answered);
    }
    for (i = 0; i < n; i++)
        rig_true(r, "memory has the bytes", memcmp(r->mem[i], r->flat[i], r->size.line) == 0);
    for (i = 0; i < n; i++)
        rig_served(r, rig_do(r, BYW_OP_LOCAL_LOAD, i), BYW_SERVED_HIT, 3);
    rig_served(r, rig_do(r, BYW_OP_FLUSH, 0), BYW_SERVED_DONE, 3);
    rig_same(r, "write-backs", n, r->fetches - before);
}
