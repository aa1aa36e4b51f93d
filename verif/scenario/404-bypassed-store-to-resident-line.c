/* SPDX-License-Identifier: Apache-2.0
 *
 * A store bypasses whatever its hint: it is written through and allocates nothing. A present line
 * must not keep old bytes: it is evicted or takes the bytes, as l1d.store_hit says; bypass_on_hit
 * does not apply.
 */
#include "scenario/rig.h"

static void past(struct rig *r, struct byw_config *c, uint32_t store_hit, uint32_t on_hit)
{
    uint32_t id;

    c->l1d_store_hit = store_hit;
    c->byp_on_hit = on_hit;
    rig_start(r, c);
    rig_do(r, BYW_OP_LOAD, 1);
    id = rig_send_hint(r, BYW_OP_STORE, 1, BYW_HINT_BYPASS);
    rig_drain(r);
    rig_served(r, id, BYW_SERVED_STORE, r->latency + 4);
    rig_same(r, "kind", BYW_MEM_STORE, r->fetch[1].kind);
    rig_same(r, "lines evicted", store_hit == BYW_STORE_EVICT, r->ev[BYW_EV_EVICT]);
    rig_served(r, rig_do(r, BYW_OP_LOAD, 1),
               store_hit == BYW_STORE_EVICT ? BYW_SERVED_FILL : BYW_SERVED_HIT, 0);
}

void scenario(struct rig *r)
{
    struct byw_config c = rig_config(r);
    uint32_t on_hit;

    for (on_hit = BYW_BYP_SERVE; on_hit <= BYW_BYP_EVICT; on_hit++) {
        past(r, &c, BYW_STORE_EVICT, on_hit);
        past(r, &c, BYW_STORE_UPDATE, on_hit);
    }
}
