/* SPDX-License-Identifier: Apache-2.0
 *
 * Hits, merged loads of a fill and bypass answers compete for the response port. It serves them in
 * turn (hit, fill, bypass), nine answers in nine consecutive cycles; while rsp_ready is low the
 * offered answer does not change.
 */
#include "scenario/rig.h"

void scenario(struct rig *r)
{
    struct byw_config c = rig_config(r);
    uint32_t i, want[9];
    uint64_t open;

    rig_start(r, &c);
    rig_do(r, BYW_OP_LOAD, 0);
    r->hold = true;
    for (i = 0; i < 3; i++)
        want[3 * i + 1] = rig_send(r, BYW_OP_LOAD, 1);
    for (i = 0; i < 3; i++)
        want[3 * i + 2] = rig_send_hint(r, BYW_OP_LOAD, 2 + i, BYW_HINT_BYPASS);
    rig_run(r, 30);
    r->rsp_ready = false;
    for (i = 0; i < 3; i++)
        want[3 * i] = rig_send(r, BYW_OP_LOAD, 0);
    rig_run(r, 3);
    r->hold = false;
    rig_run(r, 10);
    rig_same(r, "answers during the stall", 1, r->answers);
    open = r->cycle;
    r->rsp_ready = true;
    rig_run(r, 9);
    for (i = 0; i < 9; i++) {
        rig_same(r, "who is served", want[i], r->order[1 + i]);
        rig_same(r, "when", open + i, r->ask[want[i]].answered);
    }
}
