/* SPDX-License-Identifier: Apache-2.0
 *
 * Decoupled tags, threshold 2: the first load of a line allocates a tag and bypasses, the second is
 * counted and bypasses, the third commits and allocates a line, the fourth hits. There are more
 * tags than lines: candidates do not evict lines.
 */
#include "scenario/rig.h"

void scenario(struct rig *r)
{
    struct byw_config c = rig_config(r);
    uint32_t i;

    c.policy_mode = BYW_MODE_DECOUPLED;
    c.dec_threshold = 2;
    c.dec_age_alloc = c.dec_age_evict = 0;
    rig_start(r, &c);
    rig_served(r, rig_do(r, BYW_OP_LOAD, 1), BYW_SERVED_BYPASS, r->latency + 4);
    rig_same(r, "new tags", 1, r->ev[BYW_EV_NEW_TAG]);
    rig_served(r, rig_do(r, BYW_OP_LOAD, 1), BYW_SERVED_BYPASS, r->latency + 4);
    rig_same(r, "candidates met", 1, r->ev[BYW_EV_CANDIDATE]);
    rig_served(r, rig_do(r, BYW_OP_LOAD, 1), BYW_SERVED_FILL, r->latency + 4);
    rig_same(r, "commits", 1, r->ev[BYW_EV_COMMIT]);
    rig_served(r, rig_do(r, BYW_OP_LOAD, 1), BYW_SERVED_HIT, 3);
    for (i = 1; i < 3 * r->size.tag_ways; i++) /* once each: none of them is kept */
        rig_do(r, BYW_OP_LOAD, rig_line(r, 1, i));
    rig_same(r, "lines evicted", 0, r->ev[BYW_EV_EVICT]);
    rig_served(r, rig_do(r, BYW_OP_LOAD, 1), BYW_SERVED_HIT, 3);
}
