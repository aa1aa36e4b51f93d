/* SPDX-License-Identifier: Apache-2.0
 *
 * The data store has one write port, and fills have priority: a store that would update its line,
 * and a local store, wait one cycle when they meet an accepted fill; a write-evict store does not.
 */
#include "scenario/rig.h"

static void meet(struct rig *r, enum byw_op op, bool waits)
{
    uint32_t store;
    uint64_t want;

    rig_do(r, BYW_OP_LOAD, 0);
    r->hold = true;
    rig_send(r, BYW_OP_LOAD, 1);
    rig_run(r, 5);
    store = rig_send(r, op, 0); /* t; s2 at t + 2 */
    rig_run(r, 1);
    rig_show_answer(r, 1, false);
    rig_run(r, 1);
    rig_true(r, "the fill was accepted", !r->in.mem_rsp_valid);
    rig_run(r, 5);
    want = r->ask[store].accepted + (waits ? 4 : 3);
    if (op == BYW_OP_STORE)
        rig_same(r, "cycle at the memory", want, r->fetch[r->fetches - 1].taken);
    else /* the fill's load is answered at t + 3 and uses the port; the hit follows at t + 4 */
        rig_served(r, store, BYW_SERVED_STORE, 4);
    r->hold = false;
    rig_drain(r);
}

void scenario(struct rig *r)
{
    struct byw_config c = rig_config(r);

    c.l1d_store_hit = BYW_STORE_UPDATE;
    rig_start(r, &c);
    meet(r, BYW_OP_STORE, true);
    rig_served(r, rig_do(r, BYW_OP_LOAD, 0), BYW_SERVED_HIT, 3);
    rig_start(r, &c);
    meet(r, BYW_OP_LOCAL_STORE, true);
    rig_served(r, rig_do(r, BYW_OP_LOCAL_LOAD, 0), BYW_SERVED_HIT, 3);
    c.l1d_store_hit = BYW_STORE_EVICT;
    rig_start(r, &c);
    meet(r, BYW_OP_STORE, false);
}
