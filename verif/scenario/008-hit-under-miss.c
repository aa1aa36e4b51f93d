/* SPDX-License-Identifier: Apache-2.0
 *
 * While a miss is outstanding, hits on other lines take their 3 cycles, one per cycle, a second
 * miss leaves at t + 3, and a load of the missing line merges without a separate fetch.
 */
#include "scenario/rig.h"

void scenario(struct rig *r)
{
    struct byw_config c = rig_config(r);
    uint32_t miss, other, merged, hit[8], i;
    uint64_t at;

    rig_start(r, &c);
    rig_do(r, BYW_OP_LOAD, 0);
    r->hold = true;
    miss = rig_send(r, BYW_OP_LOAD, 1);
    for (i = 0; i < 4; i++)
        hit[i] = rig_send(r, BYW_OP_LOAD, 0);
    other = rig_send(r, BYW_OP_LOAD, 2);
    merged = rig_send(r, BYW_OP_LOAD, 1);
    for (; i < 8; i++)
        hit[i] = rig_send(r, BYW_OP_LOAD, 0);
    rig_run(r, 6);
    for (i = 0; i < 8; i++)
        rig_served(r, hit[i], BYW_SERVED_HIT, 3);
    rig_same(r, "cycle of the second miss at the memory", r->ask[other].accepted + 3,
             r->fetch[2].taken);
    rig_same(r, "requests at the memory", 3, r->fetches);
    rig_same(r, "merged", 1, r->ev[BYW_EV_HIT_PENDING]);
    at = rig_answer(r, 1, false);
    rig_run(r, 4);
    rig_same(r, "miss", at + 1, r->ask[miss].answered);
    rig_same(r, "merged load", at + 2, r->ask[merged].answered);
    rig_answer(r, 2, false);
    rig_drain(r);
    rig_served(r, other, BYW_SERVED_FILL, 0);
}
