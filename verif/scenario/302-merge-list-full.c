/* SPDX-License-Identifier: Apache-2.0
 *
 * An MSHR holds its first load and those merged into it, `merges` in all. Another load is refused
 * in every cycle, blocks those behind it, and hits one cycle after the fill. The merged loads are
 * answered in the order in which they merged, one per cycle, starting in the cycle after the fill.
 */
#include "scenario/rig.h"

void scenario(struct rig *r)
{
    struct byw_config c = rig_config(r);
    uint32_t i, n = r->size.merges, first, late, other;
    uint64_t at;

    rig_start(r, &c);
    r->hold = true;
    first = r->asks;
    for (i = 0; i < n; i++)
        rig_send(r, BYW_OP_LOAD, 1);
    late = rig_send(r, BYW_OP_LOAD, 1);
    other = rig_send(r, BYW_OP_LOAD, 2);
    rig_until(r, r->ask[late].accepted + 12);
    rig_same(r, "merged", n - 1, r->ev[BYW_EV_HIT_PENDING]);
    rig_same(r, "refusals", 10, r->ev[BYW_EV_FAIL_MERGE]);
    rig_same(r, "fetches", 1, r->fetches);
    r->rsp_ready = false; /* so that the hit cannot come in between */
    at = rig_answer(r, 1, false);
    rig_run(r, 1);
    rig_same(r, "refusals, that in the cycle of the fill included", 11, r->ev[BYW_EV_FAIL_MERGE]);
    rig_same(r, "hits", 1, r->ev[BYW_EV_HIT]);
    r->rsp_ready = true;
    r->hold = false;
    rig_drain(r);
    for (i = 0; i < n; i++)
        rig_served(r, first + i, BYW_SERVED_FILL, 0);
    rig_same(r, "first of the list", first, r->order[0]);
    rig_same(r, "its cycle", at + 2, r->ask[first].answered);
    rig_served(r, late, BYW_SERVED_HIT, 0);
    for (i = 1; i < n; i++)
        rig_true(r, "order of merging",
                 r->ask[first + i - 1].answered < r->ask[first + i].answered);
    rig_served(r, other, BYW_SERVED_FILL, 0);
}
