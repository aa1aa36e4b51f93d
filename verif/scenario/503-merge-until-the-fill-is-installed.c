/* SPDX-License-Identifier: Apache-2.0
 *
 * Allocate on fill: a fill accepted at f is in the record from f + 3 on. A load of its sector
 * decided at f or f + 1 merges. At f + 2 the fill uses the record, so the load is decided at f + 3
 * and hits. Loads of other sectors never merge.
 */
#include "scenario/rig.h"

static void meet(struct rig *r, uint32_t late)
{
    uint32_t first, second;
    uint64_t fill;

    r->hold = true;
    first = rig_send_sector(r, BYW_OP_LOAD, 1, 2);
    rig_run(r, 6);
    if (late == 2) /* the fill arrives in the cycle in which the load is accepted */
        rig_show_answer(r, 1, false);
    second = rig_send_sector(r, BYW_OP_LOAD, 1, 2); /* t; s2 at t + 2 */
    rig_until(r, r->ask[second].accepted + 2 - late);
    fill = late == 2 ? r->ask[second].accepted : rig_answer(r, 1, false);
    rig_same(r, "cycle of the fill", r->ask[second].accepted + 2 - late, fill);
    rig_drain(r);
    rig_same(r, "first load", fill + 3, r->ask[first].answered);
    if (late < 2) {
        rig_served(r, second, BYW_SERVED_FILL, 0);
        rig_same(r, "second load", fill + 4, r->ask[second].answered);
        rig_same(r, "merged", 1, r->ev[BYW_EV_HIT_PENDING]);
    } else {
        rig_served(r, second, BYW_SERVED_HIT, 4);
    }
    rig_same(r, "fetches", 1, r->fetches);
}

static void sent(struct rig *r)
{
    uint32_t s;

    r->hold = true;
    for (s = 0; s < r->size.sectors; s++)
        rig_send_sector(r, BYW_OP_LOAD, 1, s);
    rig_run(r, 8);
    rig_same(r, "fetches of four sectors", r->size.sectors, r->fetches);
    rig_same(r, "merged", 0, r->ev[BYW_EV_HIT_PENDING]);
    rig_same(r, "sector misses, as there is no line", 0, r->ev[BYW_EV_SECTOR_MISS]);
    for (s = r->size.sectors; s-- > 0;) /* the last one first: the others find its tag */
        rig_answer(r, 1, false);
    rig_run(r, 8);
    for (s = 0; s < r->size.sectors; s++)
        rig_served(r, (rig_send_sector(r, BYW_OP_LOAD, 1, s), rig_run(r, 4), r->asks - 1),
                   BYW_SERVED_HIT, 3);
    rig_same(r, "lines evicted", 0, r->ev[BYW_EV_EVICT]);
}

void scenario(struct rig *r)
{
    struct byw_config c = rig_config(r);
    uint32_t late;

    for (late = 0; late < 3; late++) {
        rig_start(r, &c);
        meet(r, late);
    }
    rig_start(r, &c);
    sent(r);
}
