/* SPDX-License-Identifier: Apache-2.0
 *
 * Hints of one load. .cg bypasses, .ca allocates a line at once under the locality filter, .cs
 * allocates a line that is the next victim, volatile drops a present copy and bypasses.
 */
#include "scenario/rig.h"

void scenario(struct rig *r)
{
    struct byw_config c = rig_config(r);
    uint32_t i, id, ways = r->size.ways;

    rig_start(r, &c);
    id = rig_send_hint(r, BYW_OP_LOAD, 1, BYW_HINT_BYPASS);
    rig_drain(r);
    rig_served(r, id, BYW_SERVED_BYPASS, r->latency + 4);
    rig_do(r, BYW_OP_LOAD, 1);
    id = rig_send_hint(r, BYW_OP_LOAD, 1, BYW_HINT_VOLATILE);
    rig_drain(r);
    rig_served(r, id, BYW_SERVED_BYPASS, r->latency + 4);
    rig_served(r, rig_do(r, BYW_OP_LOAD, 1), BYW_SERVED_FILL, r->latency + 4);

    for (i = 0; i + 1 < ways; i++)
        rig_do(r, BYW_OP_LOAD, rig_line(r, 2, i));
    rig_send_hint(r, BYW_OP_LOAD, rig_line(r, 2, 50), BYW_HINT_STREAM);
    rig_drain(r);
    rig_do(r, BYW_OP_LOAD, rig_line(r, 2, ways)); /* evicts the streamed line, not an older one */
    for (i = 0; i + 1 < ways; i++)
        rig_served(r, rig_do(r, BYW_OP_LOAD, rig_line(r, 2, i)), BYW_SERVED_HIT, 3);
    rig_served(r, rig_do(r, BYW_OP_LOAD, rig_line(r, 2, 50)), BYW_SERVED_FILL, r->latency + 4);

    c.policy_mode = BYW_MODE_DECOUPLED;
    c.dec_threshold = 2;
    rig_start(r, &c);
    id = rig_send_hint(r, BYW_OP_LOAD, 1, BYW_HINT_CACHE);
    rig_drain(r);
    rig_served(r, id, BYW_SERVED_FILL, r->latency + 4);
    rig_served(r, rig_do(r, BYW_OP_LOAD, 1), BYW_SERVED_HIT, 3);
}
