/* SPDX-License-Identifier: Apache-2.0
 *
 * A failed fill frees its line through the record's write port. An INVALIDATE, or any other
 * request, that is at the decision point in that cycle waits for the next one.
 */
#include "scenario/rig.h"

void scenario(struct rig *r)
{
    struct byw_config c = rig_config(r);
    uint32_t miss, done, store;

    rig_start(r, &c);
    r->hold = true;
    miss = rig_send(r, BYW_OP_LOAD, 1);
    rig_run(r, 5);
    done = rig_send(r, BYW_OP_INVALIDATE, 0); /* t; s2 at t + 2 */
    rig_run(r, 1);
    rig_show_answer(r, 1, true);
    rig_run(r, 1);
    rig_true(r, "accepted in the cycle of the decision", !r->in.mem_rsp_valid);
    rig_drain(r);
    rig_served(r, done, BYW_SERVED_DONE, 4); /* decided at t + 3 */
    rig_true(r, "error", r->ask[miss].error);

    miss = rig_send(r, BYW_OP_LOAD, 1);
    rig_run(r, 5);
    store = rig_send(r, BYW_OP_STORE, 2);
    rig_run(r, 1);
    rig_show_answer(r, 1, true);
    rig_run(r, 5);
    rig_same(r, "cycle at the memory", r->ask[store].accepted + 4, r->fetch[r->fetches - 1].taken);
}
