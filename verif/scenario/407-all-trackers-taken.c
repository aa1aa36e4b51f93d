/* SPDX-License-Identifier: Apache-2.0
 *
 * A bypass holds a tracker until its answer is accepted. With all trackers in use the next bypass
 * is refused, counted as icnt, and blocks those behind it. A tracker freed at f is available to the
 * decision of f + 1, so the refused bypass leaves at f + 2 with that tracker's number.
 */
#include "scenario/rig.h"

void scenario(struct rig *r)
{
    struct byw_config c = rig_config(r);
    uint32_t i, n = r->size.trackers, late, behind;
    uint64_t at;

    rig_start(r, &c);
    rig_do(r, BYW_OP_LOAD, 500);
    r->hold = true;
    for (i = 0; i < n; i++)
        rig_send_hint(r, BYW_OP_LOAD, i, BYW_HINT_BYPASS);
    late = rig_send_hint(r, BYW_OP_LOAD, n, BYW_HINT_BYPASS);
    behind = rig_send(r, BYW_OP_LOAD, 500);
    rig_until(r, r->ask[late].accepted + 12);
    rig_same(r, "bypasses", n, r->ev[BYW_EV_BYPASS]);
    rig_same(r, "refusals", 10, r->ev[BYW_EV_FAIL_ICNT]);
    rig_same(r, "answers behind it", 0, r->ask[behind].answers);
    at = rig_answer(r, n - 1, false);
    rig_run(r, 5);
    rig_same(r, "refusals", 11, r->ev[BYW_EV_FAIL_ICNT]);
    rig_same(r, "cycle of the fetch", at + 2, r->fetch[n + 1].taken);
    rig_same(r, "its tracker", r->fetch[n].id, r->fetch[n + 1].id);
    rig_served(r, behind, BYW_SERVED_HIT, 0);
}
