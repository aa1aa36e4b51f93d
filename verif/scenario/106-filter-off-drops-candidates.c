/* SPDX-License-Identifier: Apache-2.0
 *
 * One cycle with the locality filter off drops the candidates of all sets, accessed or not; lines
 * stay. With the filter off a first use allocates a line.
 */
#include "scenario/rig.h"

void scenario(struct rig *r)
{
    struct byw_config c = rig_config(r);

    c.policy_mode = BYW_MODE_DECOUPLED;
    c.dec_threshold = 2;
    rig_start(r, &c);
    rig_send_hint(r, BYW_OP_LOAD, 2, BYW_HINT_CACHE);
    rig_drain(r);
    rig_served(r, rig_do(r, BYW_OP_LOAD, 1), BYW_SERVED_BYPASS, r->latency + 4);
    rig_served(r, rig_do(r, BYW_OP_LOAD, 1), BYW_SERVED_BYPASS, r->latency + 4);
    rig_same(r, "candidates met", 1, r->ev[BYW_EV_CANDIDATE]);
    r->in.ctrl.filter_on = false;
    rig_cycle(r);
    r->in.ctrl.filter_on = true;
    rig_served(r, rig_do(r, BYW_OP_LOAD, 1), BYW_SERVED_BYPASS, r->latency + 4);
    rig_same(r, "new tags", 2, r->ev[BYW_EV_NEW_TAG]);
    rig_served(r, rig_do(r, BYW_OP_LOAD, 2), BYW_SERVED_HIT, 3);
    r->in.ctrl.filter_on = false;
    rig_served(r, rig_do(r, BYW_OP_LOAD, 3), BYW_SERVED_FILL, r->latency + 4);
    rig_served(r, rig_do(r, BYW_OP_LOAD, 3), BYW_SERVED_HIT, 3);
}
