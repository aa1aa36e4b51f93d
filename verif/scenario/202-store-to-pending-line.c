/* SPDX-License-Identifier: Apache-2.0
 *
 * A store to a line in flight. The load before it gets the old bytes from that fill, which is not
 * kept. A load behind it does not merge: it fetches again, leaves after the store, and sees the
 * new bytes; that fill is kept. Write-update changes nothing here.
 */
#include "scenario/rig.h"

static void one(struct rig *r)
{
    uint32_t before, store, after;

    r->hold = true;
    before = rig_send(r, BYW_OP_LOAD, 1);
    store = rig_send(r, BYW_OP_STORE, 1);
    after = rig_send(r, BYW_OP_LOAD, 1);
    rig_run(r, 8);
    rig_same(r, "requests at the memory", 3, r->fetches);
    rig_same(r, "first", BYW_MEM_FILL, r->fetch[0].kind);
    rig_same(r, "second", BYW_MEM_STORE, r->fetch[1].kind);
    rig_same(r, "third", BYW_MEM_FILL, r->fetch[2].kind);
    rig_same(r, "cycle of the store at the memory", r->ask[store].accepted + 3, r->fetch[1].taken);
    rig_same(r, "accesses that found the line pending: the store", 1, r->ev[BYW_EV_HIT_PENDING]);
    rig_true(r, "two MSHRs", r->fetch[0].id != r->fetch[2].id);
    r->hold = false;
    rig_drain(r);
    rig_served(r, before, BYW_SERVED_FILL, 0);
    rig_served(r, after, BYW_SERVED_FILL, 0);
    rig_true(r, "the bytes changed",
             memcmp(r->ask[before].got, r->ask[after].got, r->size.line) != 0);
    rig_same(r, "fills kept", 1, r->ev[BYW_EV_FILL]);
    rig_same(r, "lines evicted", 0, r->ev[BYW_EV_EVICT]);
    rig_served(r, rig_do(r, BYW_OP_LOAD, 1), BYW_SERVED_HIT, 3);
}

void scenario(struct rig *r)
{
    struct byw_config c = rig_config(r);

    c.l1d_store_hit = BYW_STORE_EVICT;
    rig_start(r, &c);
    one(r);
    c.l1d_store_hit = BYW_STORE_UPDATE;
    rig_start(r, &c);
    one(r);
}
