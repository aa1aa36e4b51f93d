/* SPDX-License-Identifier: Apache-2.0
 *
 * A load decided in the cycle in which its line's fill is accepted sees the line in flight: it
 * merges and is answered after the first load, at f + 2. Decided one cycle later it hits.
 */
#include "scenario/rig.h"

static void meet(struct rig *r, uint32_t late)
{
    uint32_t first, second;
    uint64_t fill;

    r->hold = true;
    first = rig_send(r, BYW_OP_LOAD, 1);
    rig_run(r, 6);
    second = rig_send(r, BYW_OP_LOAD, 1); /* t; s2 at t + 2 */
    rig_until(r, r->ask[second].accepted + 2 - late);
    fill = rig_answer(r, 1, false);
    rig_same(r, "cycle of the fill", r->ask[second].accepted + 2 - late, fill);
    rig_drain(r);
    rig_same(r, "first load", fill + 1, r->ask[first].answered);
    if (late == 0) {
        rig_served(r, second, BYW_SERVED_FILL, 0);
        rig_same(r, "second load", fill + 2, r->ask[second].answered);
    } else {
        rig_served(r, second, BYW_SERVED_HIT, 3);
    }
    r->hold = false;
}

void scenario(struct rig *r)
{
    struct byw_config c = rig_config(r);

    rig_start(r, &c);
    meet(r, 0);
    rig_start(r, &c);
    meet(r, 1);
}
