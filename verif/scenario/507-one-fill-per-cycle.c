/* SPDX-License-Identifier: Apache-2.0
 *
 * Allocate on fill: fills accepted in consecutive cycles are installed and answered in consecutive
 * cycles, sectors of one line among them.  With the response channel stalled four fills are
 * accepted, one per buffer, and a fifth waits.
 */
#include "scenario/rig.h"

void scenario(struct rig *r)
{
    struct byw_config c = rig_config(r);
    uint32_t i, id[5];
    uint64_t open;

    rig_start(r, &c);
    for (i = 0; i < 5; i++)
        id[i] = rig_send_sector(r, BYW_OP_LOAD, i / 4, i % 4);
    rig_drain(r);
    for (i = 0; i < 5; i++)
        rig_served(r, id[i], BYW_SERVED_FILL, r->latency + 6);
    rig_same(r, "one per cycle", r->ask[id[0]].answered + 4, r->ask[id[4]].answered);

    r->hold = true;
    for (i = 0; i < 5; i++)
        id[i] = rig_send_sector(r, BYW_OP_LOAD, 4 + i, 0);
    rig_run(r, 8);
    r->rsp_ready = false;
    for (i = 0; i < 4; i++)
        rig_answer(r, 4 + i, false);
    rig_show_answer(r, 8, false);
    rig_run(r, 12);
    rig_true(r, "the fifth waits", r->in.mem_rsp_valid);
    rig_same(r, "fills installed", 9, r->ev[BYW_EV_FILL]);
    open = r->cycle;
    r->rsp_ready = true;
    rig_run(r, 10);
    for (i = 0; i < 4; i++)
        rig_same(r, "answers one per cycle", open + i, r->ask[id[i]].answered);
    rig_served(r, id[4], BYW_SERVED_FILL, 0);
}
