/* SPDX-License-Identifier: Apache-2.0
 *
 * A kernel start drops every line in one cycle. Loads merged into a fill in flight get its bytes,
 * but the fill is not kept, even if it is accepted in that very cycle. A request at the decision
 * point in that cycle finds the cache empty.
 */
#include "scenario/rig.h"

void scenario(struct rig *r)
{
    struct byw_config c = rig_config(r);
    uint32_t id[3], i;

    rig_start(r, &c);
    rig_do(r, BYW_OP_LOAD, 0);
    r->hold = true;
    for (i = 0; i < 3; i++)
        id[i] = rig_send(r, BYW_OP_LOAD, 1);
    rig_run(r, 6);
    r->in.ctrl.kernel_start = true;
    rig_cycle(r);
    rig_answer(r, 1, false);
    rig_drain(r);
    for (i = 0; i < 3; i++)
        rig_served(r, id[i], BYW_SERVED_FILL, 0);
    rig_same(r, "fills kept", 1, r->ev[BYW_EV_FILL]);

    id[0] = rig_send(r, BYW_OP_LOAD, 2);
    rig_run(r, 6);
    rig_show_answer(r, 2, false);
    r->in.ctrl.kernel_start = true; /* in the cycle in which the fill is accepted */
    rig_cycle(r);
    rig_true(r, "the fill was accepted", !r->in.mem_rsp_valid);
    rig_drain(r);
    rig_served(r, id[0], BYW_SERVED_FILL, 0);
    r->hold = false;
    for (i = 0; i < 3; i++)
        rig_served(r, rig_do(r, BYW_OP_LOAD, i), BYW_SERVED_FILL, r->latency + 4);

    id[0] = rig_send(r, BYW_OP_LOAD, 0); /* t; s2 at t + 2 */
    rig_run(r, 1);
    r->in.ctrl.kernel_start = true;
    rig_cycle(r);
    rig_drain(r);
    rig_served(r, id[0], BYW_SERVED_FILL, r->latency + 5);
}
