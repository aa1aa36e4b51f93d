/* SPDX-License-Identifier: Apache-2.0
 *
 * While every line of a set is in flight, another load of the set is refused in each cycle, with
 * the reason line. It proceeds one cycle after the first fill was accepted: its fetch leaves two
 * cycles after that fill, and the filled line is evicted.
 */
#include "scenario/rig.h"

void scenario(struct rig *r)
{
    struct byw_config c = rig_config(r);
    uint32_t i, ways = r->size.ways, late;
    uint64_t at;

    rig_start(r, &c);
    r->hold = true;
    for (i = 0; i < ways; i++)
        rig_send(r, BYW_OP_LOAD, rig_line(r, 1, i));
    late = rig_send(r, BYW_OP_LOAD, rig_line(r, 1, ways));
    rig_until(r, r->ask[late].accepted + 12);
    rig_same(r, "refusals", 10, r->ev[BYW_EV_FAIL_LINE]);
    rig_same(r, "misses", ways, r->ev[BYW_EV_MISS]);
    at = rig_answer(r, rig_line(r, 1, ways - 1), false);
    rig_run(r, 5);
    rig_same(r, "refusals, that in the cycle of the fill included", 11, r->ev[BYW_EV_FAIL_LINE]);
    rig_same(r, "cycle of the fetch", at + 2, r->fetch[ways].taken);
    rig_same(r, "its line", rig_line(r, 1, ways), r->fetch[ways].line);
    rig_same(r, "lines evicted", 1, r->ev[BYW_EV_EVICT]);
    rig_same(r, "without reuse", 1, r->ev[BYW_EV_EVICT_ZERO]);
    r->hold = false;
    rig_drain(r);
    rig_served(r, late, BYW_SERVED_FILL, 0);
    for (i = 0; i + 1 < ways; i++)
        rig_served(r, rig_do(r, BYW_OP_LOAD, rig_line(r, 1, i)), BYW_SERVED_HIT, 3);
    rig_served(r, rig_do(r, BYW_OP_LOAD, rig_line(r, 1, ways)), BYW_SERVED_HIT, 3);
}
