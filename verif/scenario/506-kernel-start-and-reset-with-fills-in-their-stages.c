/* SPDX-License-Identifier: Apache-2.0
 *
 * Allocate on fill: a kernel start while a fill is accepted (f), looked up (f + 1) or about to be
 * installed (f + 2) prevents its installation; its load is answered. A reset in the same stages
 * leaves nothing behind.
 */
#include "scenario/rig.h"

static void start_at(struct rig *r, uint32_t stage)
{
    uint32_t id = rig_send_sector(r, BYW_OP_LOAD, 1, 1);
    uint64_t fill = r->ask[id].accepted + 3 + r->latency;

    rig_until(r, fill + stage);
    r->in.ctrl.kernel_start = true;
    rig_drain(r);
    rig_served(r, id, BYW_SERVED_FILL, r->latency + 6);
    rig_same(r, "fills kept", 0, r->ev[BYW_EV_FILL]);
    rig_served(r, rig_do_sector(r, BYW_OP_LOAD, 1, 1), BYW_SERVED_FILL, r->latency + 6);
    rig_served(r, rig_do_sector(r, BYW_OP_LOAD, 1, 1), BYW_SERVED_HIT, 3);
}

static void reset_at(struct rig *r, uint32_t stage)
{
    uint32_t id = rig_send_sector(r, BYW_OP_LOAD, 1, 1), i;
    uint64_t fill = r->ask[id].accepted + 3 + r->latency;

    rig_until(r, fill + stage);
    rig_reset(r);
    rig_cycle(r);
    rig_true(r, "idle", r->out.idle && !r->out.rsp_valid);
    rig_run(r, 5);
    rig_same(r, "answers", 0, r->answers);
    rig_served(r, rig_do_sector(r, BYW_OP_LOAD, 1, 1), BYW_SERVED_FILL, r->latency + 6);
    r->hold = true;
    for (i = 0; i < r->size.mshrs; i++)
        rig_send_sector(r, BYW_OP_LOAD, 20 + i, 0);
    rig_run(r, 8);
    rig_same(r, "MSHRs that can be had", r->size.mshrs + 2, r->fetches);
}

void scenario(struct rig *r)
{
    struct byw_config c = rig_config(r);
    uint32_t stage;

    for (stage = 0; stage < 3; stage++) {
        rig_start(r, &c);
        start_at(r, stage);
    }
    for (stage = 1; stage < 4; stage++) {
        rig_start(r, &c);
        reset_at(r, stage);
    }
}
