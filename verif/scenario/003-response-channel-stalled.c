/* SPDX-License-Identifier: Apache-2.0
 *
 * Back-pressure on rsp alone. A hit waits in s3, the next ones in s2 and s1, and req_ready falls:
 * the pipeline holds exactly three loads. Nothing is decided twice. In the cycle in which rsp_ready
 * returns the fourth is accepted (rsp_ready reaches req_ready), and the answers leave one per
 * cycle.
 */
#include "scenario/rig.h"

void scenario(struct rig *r)
{
    struct byw_config c = rig_config(r);
    uint32_t i, id[4];
    uint64_t open;

    rig_start(r, &c);
    for (i = 0; i < 4; i++)
        rig_do(r, BYW_OP_LOAD, i);
    r->rsp_ready = false;
    for (i = 0; i < 3; i++)
        id[i] = rig_send(r, BYW_OP_LOAD, i);
    id[3] = rig_offer(r, BYW_OP_LOAD, 3, BYW_HINT_NONE);
    rig_run(r, 20);
    rig_true(r, "the fourth load stays outside", !r->ask[id[3]].taken);
    rig_true(r, "the first is shown all the time", r->out.rsp_valid && r->out.rsp.id == id[0]);
    rig_same(r, "hits decided", 1, r->ev[BYW_EV_HIT]);
    open = r->cycle;
    r->rsp_ready = true;
    rig_drain(r);
    rig_same(r, "acceptance of the fourth", open, r->ask[id[3]].accepted);
    for (i = 0; i < 4; i++)
        rig_same(r, "cycle of the answer", open + i, r->ask[id[i]].answered);
    rig_same(r, "hits", 4, r->ev[BYW_EV_HIT]);
}
