/* SPDX-License-Identifier: Apache-2.0
 *
 * Under LRU the victim is the least recently used line: fills and hits count as uses, a bypass of
 * the line does not. Lines are evicted in the order of last use, and only in their own set.
 */
#include "scenario/rig.h"

void scenario(struct rig *r)
{
    struct byw_config c = rig_config(r);
    uint32_t i, ways = r->size.ways;

    c.byp_on_hit = BYW_BYP_IGNORE;
    rig_start(r, &c);
    rig_do(r, BYW_OP_LOAD, 2);
    for (i = 0; i < ways; i++)
        rig_do(r, BYW_OP_LOAD, rig_line(r, 1, i));
    rig_do(r, BYW_OP_LOAD, rig_line(r, 1, 0)); /* line 0 is now the youngest, line 1 the oldest */
    rig_send_hint(r, BYW_OP_LOAD, rig_line(r, 1, 1), BYW_HINT_BYPASS);
    rig_drain(r);
    rig_do(r, BYW_OP_LOAD, rig_line(r, 1, ways));
    rig_same(r, "lines evicted", 1, r->ev[BYW_EV_EVICT]);
    rig_same(r, "without reuse", 1, r->ev[BYW_EV_EVICT_ZERO]);
    rig_served(r, rig_do(r, BYW_OP_LOAD, rig_line(r, 1, 0)), BYW_SERVED_HIT, 3);
    for (i = 2; i <= ways; i++)
        rig_served(r, rig_do(r, BYW_OP_LOAD, rig_line(r, 1, i)), BYW_SERVED_HIT, 3);
    rig_served(r, rig_do(r, BYW_OP_LOAD, rig_line(r, 1, 1)), BYW_SERVED_FILL, r->latency + 4);
    rig_served(r, rig_do(r, BYW_OP_LOAD, rig_line(r, 1, 0)), BYW_SERVED_FILL, r->latency + 4);
    rig_served(r, rig_do(r, BYW_OP_LOAD, 2), BYW_SERVED_HIT, 3);
}
