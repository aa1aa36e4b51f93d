/* SPDX-License-Identifier: Apache-2.0
 *
 * A bypassed store finds its line dirty. Write-evict: the dirty bytes leave first (t + 4), then the
 * store (t + 5), so the store's bytes win where both wrote. Write-update: the line takes the bytes
 * and stays dirty, the store leaves at t + 3, and a later write-back cannot carry old bytes.
 */
#include "scenario/rig.h"

static void past(struct rig *r, struct byw_config *c, uint32_t store_hit)
{
    uint32_t id, n, i;

    c->l1d_store_hit = store_hit;
    rig_start(r, c);
    rig_do(r, BYW_OP_LOCAL_LOAD, 1);
    rig_offer_bytes(r, BYW_OP_LOCAL_STORE, 1, 0, 16);
    rig_drain(r);
    n = r->fetches;
    id = rig_offer_bytes(r, BYW_OP_STORE, 1, 8, 16);
    r->in.req.hint = BYW_HINT_BYPASS;
    rig_drain(r);
    if (store_hit == BYW_STORE_EVICT) {
        rig_served(r, id, BYW_SERVED_STORE, r->latency + 6);
        rig_same(r, "first", BYW_MEM_WRITEBACK, r->fetch[n].kind);
        rig_same(r, "its cycle", r->ask[id].accepted + 4, r->fetch[n].taken);
        rig_same(r, "second", BYW_MEM_STORE, r->fetch[n + 1].kind);
        rig_same(r, "its cycle", r->ask[id].accepted + 5, r->fetch[n + 1].taken);
        for (i = 0; i < r->size.line; i++)
            rig_same(r, "byte in memory", r->flat[1][i], r->mem[1][i]);
        return;
    }
    rig_served(r, id, BYW_SERVED_STORE, r->latency + 4);
    rig_same(r, "first", BYW_MEM_STORE, r->fetch[n].kind);
    rig_served(r, rig_do(r, BYW_OP_LOAD, 1), BYW_SERVED_HIT, 3);
    rig_do(r, BYW_OP_FLUSH, 0);
    rig_same(r, "then", BYW_MEM_WRITEBACK, r->fetch[n + 1].kind);
    for (i = 0; i < r->size.line; i++)
        rig_same(r, "byte in memory", r->flat[1][i], r->mem[1][i]);
}

void scenario(struct rig *r)
{
    struct byw_config c = rig_config(r);

    past(r, &c, BYW_STORE_EVICT);
    past(r, &c, BYW_STORE_UPDATE);
}
