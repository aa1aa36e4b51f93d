/* SPDX-License-Identifier: Apache-2.0
 *
 * Allocate on fill: a fill with an error answers its load and the merged loads with the error,
 * allocates no line and evicts none; the sector is fetched again afterwards. The lines are the same
 * as before.
 */
#include "scenario/rig.h"

void scenario(struct rig *r)
{
    struct byw_config c = rig_config(r);
    uint32_t i, ways = r->size.ways, id[2];

    rig_start(r, &c);
    for (i = 0; i < ways; i++)
        rig_do_sector(r, BYW_OP_LOAD, rig_line(r, 1, i), 1);
    r->error_line = rig_line(r, 1, ways);
    id[0] = rig_send_sector(r, BYW_OP_LOAD, r->error_line, 1);
    id[1] = rig_send_sector(r, BYW_OP_LOAD, r->error_line, 1);
    rig_drain(r);
    for (i = 0; i < 2; i++) {
        rig_served(r, id[i], BYW_SERVED_FILL, 0);
        rig_true(r, "error", r->ask[id[i]].error);
    }
    rig_same(r, "one behind the other", r->ask[id[0]].answered + 1, r->ask[id[1]].answered);
    rig_same(r, "lines evicted", 0, r->ev[BYW_EV_EVICT]);
    rig_same(r, "fills kept", ways, r->ev[BYW_EV_FILL]);
    r->error_line = UINT64_MAX;
    for (i = 0; i < ways; i++)
        rig_served(r, rig_do_sector(r, BYW_OP_LOAD, rig_line(r, 1, i), 1), BYW_SERVED_HIT, 3);
    id[0] = rig_do_sector(r, BYW_OP_LOAD, rig_line(r, 1, ways), 1);
    rig_served(r, id[0], BYW_SERVED_FILL, r->latency + 6);
    rig_true(r, "no error now", !r->ask[id[0]].error);
}
