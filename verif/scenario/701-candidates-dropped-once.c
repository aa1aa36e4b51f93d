/* SPDX-License-Identifier: Apache-2.0
 *
 * With the look stage, a switch of the filter drops the candidates of that cycle only. A refused
 * request waits at the decision point while two fills of its set fail after the switch, each of
 * which changes its record; the tags of both lines stay.
 */
#include "scenario/rig.h"

void scenario(struct rig *r)
{
    const uint64_t first = rig_line(r, 1, 0), second = rig_line(r, 1, 1);
    struct byw_config c = rig_config(r);
    uint64_t before;

    c.policy_mode = BYW_MODE_DECOUPLED;
    rig_start(r, &c);
    r->hold = true;
    rig_send_hint(r, BYW_OP_LOAD, first, BYW_HINT_CACHE);
    rig_send_hint(r, BYW_OP_LOAD, second, BYW_HINT_CACHE);
    rig_run(r, 10);
    r->in.ctrl.filter_on = false;
    rig_cycle(r);
    r->in.ctrl.filter_on = true;

    r->mem_ready = false; /* the next request gets the queue's slot, the one behind it waits */
    rig_send_hint(r, BYW_OP_LOAD, 2, BYW_HINT_BYPASS);
    rig_send(r, BYW_OP_LOAD, rig_line(r, 1, 2));
    rig_run(r, 10);
    rig_true(r, "refused", r->ev[BYW_EV_FAIL_ICNT] > 0);
    rig_answer(r, first, true);
    rig_run(r, 10);
    rig_answer(r, second, true);
    rig_run(r, 10);
    rig_same(r, "bypassed until then", 1, r->ev[BYW_EV_BYPASS]);
    r->hold = false;
    r->mem_ready = true;
    rig_drain(r);

    before = r->ev[BYW_EV_CANDIDATE];
    rig_served(r, rig_do(r, BYW_OP_LOAD, first), BYW_SERVED_BYPASS, r->latency + 5);
    rig_served(r, rig_do(r, BYW_OP_LOAD, second), BYW_SERVED_BYPASS, r->latency + 5);
    rig_same(r, "tags that stayed", before + 2, r->ev[BYW_EV_CANDIDATE]);
}
