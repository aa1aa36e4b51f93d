/* SPDX-License-Identifier: Apache-2.0
 *
 * Mode bypass_all does not look up tags and keeps nothing: loads of one line do not merge, each is
 * a separate fetch, stores are sent on, and all pass at one per cycle.
 */
#include "scenario/rig.h"

void scenario(struct rig *r)
{
    struct byw_config c = rig_config(r);
    uint32_t i, n = r->size.trackers < 24 ? r->size.trackers : 24;

    c.policy_mode = BYW_MODE_BYPASS_ALL;
    rig_start(r, &c);
    for (i = 0; i < n; i++)
        rig_send_hint(r, i % 2 != 0 ? BYW_OP_LOCAL_LOAD : BYW_OP_LOAD, 1, BYW_HINT_CACHE);
    rig_drain(r);
    for (i = 0; i < n; i++) {
        rig_served(r, i, BYW_SERVED_BYPASS, r->latency + 4);
        rig_same(r, "one per cycle", i, r->ask[i].accepted);
    }
    for (i = 0; i < 24; i++)
        rig_send(r, BYW_OP_STORE, 1);
    rig_drain(r);
    for (i = n; i < n + 24; i++)
        rig_served(r, i, BYW_SERVED_STORE, r->latency + 4);
    rig_same(r, "fetches", n + 24, r->fetches);
    rig_same(r, "tags looked at or written", 0, r->ev[BYW_EV_TAG_READ] + r->ev[BYW_EV_TAG_WRITE]);
}
