/* SPDX-License-Identifier: Apache-2.0
 *
 * INVALIDATE is answered at t + 3 and does not wait for misses. Loads before it get the bytes of
 * their fill, which is not kept; a load of the same line behind it starts a separate fetch,
 * whichever fill arrives first. Lines that were present are dropped.
 */
#include "scenario/rig.h"

static void in_order(struct rig *r, bool old_first)
{
    uint32_t old, merged, done, late;

    rig_do(r, BYW_OP_LOAD, 0);
    r->hold = true;
    old = rig_send(r, BYW_OP_LOAD, 1);
    merged = rig_send(r, BYW_OP_LOAD, 1);
    done = rig_send(r, BYW_OP_INVALIDATE, 0);
    late = rig_send(r, BYW_OP_LOAD, 1);
    rig_run(r, 8);
    rig_served(r, done, BYW_SERVED_DONE, 3);
    rig_same(r, "fetches of the line", 3, r->fetches);
    if (!old_first) { /* the younger fill overtakes the older one */
        rig_same(r, "MSHRs are two", 1, r->fetch[1].id != r->fetch[2].id);
        r->fetch[1].waits = false;
        rig_answer(r, 1, false);
        r->fetch[1].waits = true;
        rig_run(r, 3);
        rig_served(r, late, BYW_SERVED_FILL, 0);
        rig_same(r, "answers to the older load", 0, r->ask[old].answers);
    }
    rig_answer(r, 1, false);
    if (old_first) {
        rig_run(r, 3);
        rig_same(r, "answers to the younger load", 0, r->ask[late].answers);
        rig_same(r, "fills kept", 1, r->ev[BYW_EV_FILL]);
        rig_answer(r, 1, false);
    }
    rig_drain(r);
    rig_served(r, old, BYW_SERVED_FILL, 0);
    rig_served(r, merged, BYW_SERVED_FILL, 0);
    rig_same(r, "fills kept", 2, r->ev[BYW_EV_FILL]);
    r->hold = false;
    rig_served(r, rig_do(r, BYW_OP_LOAD, 1), BYW_SERVED_HIT, 3);
    rig_served(r, rig_do(r, BYW_OP_LOAD, 0), BYW_SERVED_FILL, r->latency + 4);
}

void scenario(struct rig *r)
{
    struct byw_config c = rig_config(r);

    rig_start(r, &c);
    in_order(r, true);
    rig_start(r, &c);
    in_order(r, false);
}
