/* SPDX-License-Identifier: Apache-2.0
 *
 * The memory may answer in any order and after any time. Misses, bypasses and stores are answered
 * from the last to the first, with long gaps; each answer, with its own bytes, reaches its
 * requester one cycle after it was accepted.
 */
#include "scenario/rig.h"

void scenario(struct rig *r)
{
    struct byw_config c = rig_config(r);
    uint32_t i, id[5];

    rig_start(r, &c);
    r->hold = true;
    id[0] = rig_send(r, BYW_OP_LOAD, 0);
    id[1] = rig_send_hint(r, BYW_OP_LOAD, 1, BYW_HINT_BYPASS);
    id[2] = rig_send(r, BYW_OP_STORE, 2);
    id[3] = rig_send(r, BYW_OP_LOAD, 3);
    id[4] = rig_send(r, BYW_OP_ATOMIC, 4);
    rig_run(r, 700);
    rig_same(r, "requests at the memory", 5, r->fetches);
    rig_same(r, "answers out of nowhere", 0, r->answers);
    for (i = 5; i-- > 0;) {
        uint64_t at = rig_answer(r, i, false);

        rig_run(r, 1 + 37 * i);
        rig_same(r, "cycle of the answer", at + 1, r->ask[id[i]].answered);
        rig_same(r, "answers so far", 5 - i, r->answers);
    }
    rig_served(r, id[0], BYW_SERVED_FILL, 0);
    rig_served(r, id[1], BYW_SERVED_BYPASS, 0);
    rig_served(r, id[2], BYW_SERVED_STORE, 0);
    rig_served(r, id[3], BYW_SERVED_FILL, 0);
    rig_served(r, id[4], BYW_SERVED_BYPASS, 0);
}
