/* SPDX-License-Identifier: Apache-2.0
 *
 * Write-update and local stores and loads of one line in consecutive cycles: each load is a hit,
 * takes 3 cycles, and sees exactly the stores accepted before it.
 */
#include "scenario/rig.h"

void scenario(struct rig *r)
{
    struct byw_config c = rig_config(r);
    uint32_t i, id[12];

    c.l1d_store_hit = BYW_STORE_UPDATE;
    rig_start(r, &c);
    rig_do(r, BYW_OP_LOAD, 1);
    rig_do(r, BYW_OP_LOCAL_LOAD, 2);
    for (i = 0; i < 4; i++)
        id[i] = rig_send(r, i % 2 == 0 ? BYW_OP_STORE : BYW_OP_LOAD, 1);
    rig_same(r, "one per cycle", r->ask[id[0]].accepted + 3, r->ask[id[3]].accepted);
    rig_served(r, (rig_drain(r), id[1]), BYW_SERVED_HIT, 3);
    rig_served(r, id[3], BYW_SERVED_HIT, 3);
    for (i = 0; i < 12; i++)
        id[i] = rig_send(r, i % 3 == 2 ? BYW_OP_LOCAL_LOAD : BYW_OP_LOCAL_STORE, 2);
    rig_drain(r);
    for (i = 0; i < 12; i++) {
        rig_same(r, "one per cycle", r->ask[id[0]].accepted + i, r->ask[id[i]].accepted);
        rig_served(r, id[i], i % 3 == 2 ? BYW_SERVED_HIT : BYW_SERVED_STORE, 3);
    }
}
