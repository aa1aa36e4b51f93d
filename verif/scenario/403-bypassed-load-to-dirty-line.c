/* SPDX-License-Identifier: Apache-2.0
 *
 * A load that must bypass finds its line dirty: memory has old bytes. serve: it hits, and nothing
 * is sent. ignore and evict: the line is written back first (at t + 4), then the bypass leaves (t +
 * 5) and returns the written bytes; with ignore the line stays, clean.
 */
#include "scenario/rig.h"

static void bypass(struct rig *r, struct byw_config *c, uint32_t on_hit)
{
    uint32_t past, n;

    c->byp_on_hit = on_hit;
    rig_start(r, c);
    rig_do(r, BYW_OP_LOCAL_LOAD, 1);
    rig_do(r, BYW_OP_LOCAL_STORE, 1);
    n = r->fetches;
    past = rig_send_hint(r, BYW_OP_LOAD, 1, BYW_HINT_BYPASS);
    rig_drain(r);
    if (on_hit == BYW_BYP_SERVE) {
        rig_served(r, past, BYW_SERVED_HIT, 3);
        rig_same(r, "requests at the memory", 0, r->fetches - n);
        return;
    }
    rig_served(r, past, BYW_SERVED_BYPASS, r->latency + 6);
    rig_same(r, "requests at the memory", 2, r->fetches - n);
    rig_same(r, "first", BYW_MEM_WRITEBACK, r->fetch[n].kind);
    rig_same(r, "its cycle", r->ask[past].accepted + 4, r->fetch[n].taken);
    rig_same(r, "second", BYW_MEM_BYPASS, r->fetch[n + 1].kind);
    rig_same(r, "its cycle", r->ask[past].accepted + 5, r->fetch[n + 1].taken);
    n = r->fetches;
    if (on_hit == BYW_BYP_IGNORE)
        rig_served(r, rig_do(r, BYW_OP_LOCAL_LOAD, 1), BYW_SERVED_HIT, 3);
    rig_served(r, rig_do(r, BYW_OP_FLUSH, 0), BYW_SERVED_DONE, 3);
    rig_same(r, "write-backs of the clean line", 0, r->fetches - n);
    if (on_hit == BYW_BYP_EVICT)
        rig_served(r, rig_do(r, BYW_OP_LOCAL_LOAD, 1), BYW_SERVED_FILL, r->latency + 4);
}

void scenario(struct rig *r)
{
    struct byw_config c = rig_config(r);

    bypass(r, &c, BYW_BYP_SERVE);
    bypass(r, &c, BYW_BYP_IGNORE);
    bypass(r, &c, BYW_BYP_EVICT);
}
