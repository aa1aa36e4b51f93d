/* SPDX-License-Identifier: Apache-2.0
 *
 * With every MSHR in use a miss is refused in each cycle.  The MSHR of a fill accepted at f is
 * freed when its last requester is answered, at f + 1, and is free for the decision of f + 2: the
 * refused miss leaves at f + 3 with that MSHR's number.
 */
#include "scenario/rig.h"

void scenario(struct rig *r)
{
    struct byw_config c = rig_config(r);
    uint32_t i, n = r->size.mshrs, late, victim = n / 2;
    uint64_t at;

    rig_start(r, &c);
    r->hold = true;
    for (i = 0; i < n; i++)
        rig_send(r, BYW_OP_LOAD, i);
    late = rig_send(r, BYW_OP_LOAD, n);
    rig_until(r, r->ask[late].accepted + 12);
    rig_same(r, "fetches", n, r->fetches);
    rig_same(r, "refusals", 10, r->ev[BYW_EV_FAIL_MSHR]);
    at = rig_answer(r, victim, false);
    rig_run(r, 6);
    rig_same(r, "refusals, two more", 12, r->ev[BYW_EV_FAIL_MSHR]);
    rig_same(r, "fetches", n + 1, r->fetches);
    rig_same(r, "cycle of the fetch", at + 3, r->fetch[n].taken);
    rig_same(r, "its MSHR", r->fetch[victim].id, r->fetch[n].id);
}
