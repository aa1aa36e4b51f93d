/* SPDX-License-Identifier: Apache-2.0
 *
 * A load that must bypass finds its line. bypass_on_hit = serve: it hits. ignore: it bypasses, and
 * the line stays and hits later. evict: it bypasses, and the line is evicted.
 */
#include "scenario/rig.h"

static uint32_t bypass(struct rig *r, const struct byw_config *c)
{
    uint32_t id;

    rig_start(r, c);
    rig_do(r, BYW_OP_LOAD, 1);
    id = rig_send_hint(r, BYW_OP_LOAD, 1, BYW_HINT_BYPASS);
    rig_drain(r);
    return id;
}

void scenario(struct rig *r)
{
    struct byw_config c = rig_config(r);

    c.byp_on_hit = BYW_BYP_SERVE;
    rig_served(r, bypass(r, &c), BYW_SERVED_HIT, 3);
    rig_same(r, "fetches", 1, r->fetches);

    c.byp_on_hit = BYW_BYP_IGNORE;
    rig_served(r, bypass(r, &c), BYW_SERVED_BYPASS, 24);
    rig_same(r, "kind", BYW_MEM_BYPASS, r->fetch[1].kind);
    rig_served(r, rig_do(r, BYW_OP_LOAD, 1), BYW_SERVED_HIT, 3);

    c.byp_on_hit = BYW_BYP_EVICT;
    rig_served(r, bypass(r, &c), BYW_SERVED_BYPASS, 24);
    rig_same(r, "lines evicted", 1, r->ev[BYW_EV_EVICT]);
    rig_served(r, rig_do(r, BYW_OP_LOAD, 1), BYW_SERVED_FILL, 24);
}
