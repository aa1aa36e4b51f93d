/* SPDX-License-Identifier: Apache-2.0
 *
 * A load that must bypass finds its line in flight. serve: it merges. ignore: it fetches
 * separately, is not merged, and may be answered before the fill, which is kept. evict: as ignore,
 * but the fill answers its load and is not kept.
 */
#include "scenario/rig.h"

static void bypass(struct rig *r, struct byw_config *c, uint32_t on_hit)
{
    uint32_t load, past;

    c->byp_on_hit = on_hit;
    rig_start(r, c);
    r->hold = true;
    load = rig_send(r, BYW_OP_LOAD, 1);
    past = rig_send_hint(r, BYW_OP_LOAD, 1, BYW_HINT_BYPASS);
    rig_run(r, 6);
    rig_same(r, "merged", on_hit == BYW_BYP_SERVE, r->ev[BYW_EV_HIT_PENDING]);
    rig_same(r, "fetches", on_hit == BYW_BYP_SERVE ? 1 : 2, r->fetches);
    if (on_hit != BYW_BYP_SERVE) {
        r->fetch[0].waits = false;
        rig_answer(r, 1, false);
        r->fetch[0].waits = true;
        rig_run(r, 2);
        rig_served(r, past, BYW_SERVED_BYPASS, 0);
        rig_same(r, "answers to the load before it", 0, r->ask[load].answers);
    }
    rig_answer(r, 1, false);
    r->hold = false;
    rig_drain(r);
    rig_served(r, load, BYW_SERVED_FILL, 0);
    if (on_hit == BYW_BYP_SERVE)
        rig_served(r, past, BYW_SERVED_FILL, 0);
    rig_same(r, "fills kept", on_hit != BYW_BYP_EVICT, r->ev[BYW_EV_FILL]);
    rig_served(r, rig_do(r, BYW_OP_LOAD, 1),
               on_hit == BYW_BYP_EVICT ? BYW_SERVED_FILL : BYW_SERVED_HIT, 0);
}

void scenario(struct rig *r)
{
    struct byw_config c = rig_config(r);

    bypass(r, &c, BYW_BYP_SERVE);
    bypass(r, &c, BYW_BYP_IGNORE);
    bypass(r, &c, BYW_BYP_EVICT);
}
