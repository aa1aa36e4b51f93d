/* SPDX-License-Identifier: Apache-2.0
 *
 * Allocate on fill: more misses of one set can be outstanding than it has lines, none is refused
 * for a line, and lines stay until the fills arrive; each fill then evicts the least recently used
 * line.
 */
#include "scenario/rig.h"

void scenario(struct rig *r)
{
    struct byw_config c = rig_config(r);
    uint32_t i, ways = r->size.ways, n = 2 * ways;

    rig_start(r, &c);
    for (i = 0; i < ways; i++)
        rig_do_sector(r, BYW_OP_LOAD, rig_line(r, 1, i), 0);
    r->hold = true;
    for (i = ways; i < n; i++)
        rig_send_sector(r, BYW_OP_LOAD, rig_line(r, 1, i), 0);
    for (i = 0; i < ways; i++) /* hits under the misses; line 0 is now least recently used */
        rig_send_sector(r, BYW_OP_LOAD, rig_line(r, 1, i), 0);
    rig_run(r, 8);
    rig_same(r, "hits under them", ways, r->ev[BYW_EV_HIT]);
    rig_same(r, "refusals", 0, r->ev[BYW_EV_FAIL_LINE]);
    rig_same(r, "lines evicted so far", 0, r->ev[BYW_EV_EVICT]);
    rig_answer(r, rig_line(r, 1, ways), false);
    rig_run(r, 6);
    rig_same(r, "lines evicted by the first fill", 1, r->ev[BYW_EV_EVICT]);
    r->hold = false;
    rig_drain(r);
    rig_same(r, "lines evicted", ways, r->ev[BYW_EV_EVICT]);
    for (i = ways; i < n; i++)
        rig_served(r, rig_do_sector(r, BYW_OP_LOAD, rig_line(r, 1, i), 0), BYW_SERVED_HIT, 3);
}
