/* SPDX-License-Identifier: Apache-2.0
 *
 * A load that would be refused bypasses instead. `any`: on a full merge list and on a set without a
 * free line. `line`: only on the latter; with a full merge list it still waits. Stall bypass never
 * changes a line or tag.
 */
#include "scenario/rig.h"

static void merge_list(struct rig *r, struct byw_config *c, uint32_t stall)
{
    uint32_t i, late;

    c->stall_bypass = stall;
    rig_start(r, c);
    r->hold = true;
    for (i = 0; i < r->size.merges; i++)
        rig_send(r, BYW_OP_LOAD, 1);
    late = rig_send(r, BYW_OP_LOAD, 1);
    rig_run(r, 8);
    rig_same(r, "fetches", stall == BYW_STALL_ANY ? 2 : 1, r->fetches);
    rig_same(r, "pulses", stall == BYW_STALL_ANY, r->pev[BYW_PEV_STALL_BYPASS]);
    rig_true(r, "refusals", (r->ev[BYW_EV_FAIL_MERGE] == 0) == (stall == BYW_STALL_ANY));
    r->hold = false;
    rig_drain(r);
    rig_served(r, late, stall == BYW_STALL_ANY ? BYW_SERVED_BYPASS : BYW_SERVED_HIT, 0);
    rig_served(r, rig_do(r, BYW_OP_LOAD, 1), BYW_SERVED_HIT, 3);
}

static void no_line(struct rig *r, struct byw_config *c, uint32_t stall)
{
    uint32_t i, late, ways = r->size.ways;

    c->stall_bypass = stall;
    rig_start(r, c);
    r->hold = true;
    for (i = 0; i < ways; i++)
        rig_send(r, BYW_OP_LOAD, rig_line(r, 1, i));
    late = rig_send(r, BYW_OP_LOAD, rig_line(r, 1, ways));
    rig_run(r, 8);
    rig_same(r, "fetches", ways + 1, r->fetches);
    rig_same(r, "kind", BYW_MEM_BYPASS, r->fetch[ways].kind);
    rig_same(r, "its cycle", r->ask[late].accepted + 3, r->fetch[ways].taken);
    rig_same(r, "refusals", 0, r->ev[BYW_EV_FAIL_LINE]);
    r->hold = false;
    rig_drain(r);
    for (i = 0; i < ways; i++)
        rig_served(r, rig_do(r, BYW_OP_LOAD, rig_line(r, 1, i)), BYW_SERVED_HIT, 3);
}

void scenario(struct rig *r)
{
    struct byw_config c = rig_config(r);

    merge_list(r, &c, BYW_STALL_ANY);
    merge_list(r, &c, BYW_STALL_LINE);
    no_line(r, &c, BYW_STALL_ANY);
    no_line(r, &c, BYW_STALL_LINE);
}
