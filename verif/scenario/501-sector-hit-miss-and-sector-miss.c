/* SPDX-License-Identifier: Apache-2.0
 *
 * Allocate on fill, four sectors. A miss takes memory latency + 6 (its line is allocated two
 * cycles after the fill), a hit 3, a bypass, store or atomic latency + 4. A load of an absent
 * sector of a present line is a sector miss, counted as a miss, too; the sector joins the line,
 * nothing is evicted, and then both sectors hit.
 */
#include "scenario/rig.h"

void scenario(struct rig *r)
{
    struct byw_config c = rig_config(r);
    uint32_t s, id;

    rig_start(r, &c);
    for (s = 0; s < r->size.sectors; s++)
        rig_served(r, rig_do_sector(r, BYW_OP_LOAD, 1, s), BYW_SERVED_FILL, r->latency + 6);
    rig_same(r, "misses", r->size.sectors, r->ev[BYW_EV_MISS]);
    rig_same(r, "sector misses", r->size.sectors - 1, r->ev[BYW_EV_SECTOR_MISS]);
    rig_same(r, "lines evicted", 0, r->ev[BYW_EV_EVICT]);
    for (s = 0; s < r->size.sectors; s++)
        rig_served(r, rig_do_sector(r, BYW_OP_LOAD, 1, s), BYW_SERVED_HIT, 3);
    id = rig_offer_sector(r, BYW_OP_LOAD, 2, 1);
    r->in.req.hint = BYW_HINT_BYPASS;
    rig_drain(r);
    rig_served(r, id, BYW_SERVED_BYPASS, r->latency + 4);
    rig_served(r, rig_do_sector(r, BYW_OP_STORE, 3, 1), BYW_SERVED_STORE, r->latency + 4);
    rig_served(r, rig_do_sector(r, BYW_OP_ATOMIC, 3, 1), BYW_SERVED_BYPASS, r->latency + 4);
}
