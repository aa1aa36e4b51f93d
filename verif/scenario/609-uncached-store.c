/* SPDX-License-Identifier: Apache-2.0
 *
 * UNCACHED. Stores update in this test, but an uncached store, local or not, drops the line that it
 * finds and is sent as a store: it is answered when memory has answered, and counts as a store that
 * hits. The next load fetches and sees its bytes. An uncached store of an absent line leaves no
 * tag.
 */
#include "scenario/rig.h"

static void drops_the_line(struct rig *r, enum byw_op op, uint64_t line)
{
    uint32_t store;

    rig_do(r, BYW_OP_LOCAL_LOAD, line);
    rig_served(r, rig_do(r, BYW_OP_LOCAL_LOAD, line), BYW_SERVED_HIT, 3);
    store = rig_send_hint(r, op, line, BYW_HINT_UNCACHED);
    rig_drain(r);
    rig_served(r, store, BYW_SERVED_STORE, r->latency + 4);
    rig_same(r, "kind", BYW_MEM_STORE, r->fetch[r->fetches - 1].kind);
    rig_served(r, rig_do(r, BYW_OP_LOCAL_LOAD, line), BYW_SERVED_FILL, r->latency + 4);
}

void scenario(struct rig *r)
{
    struct byw_config c = rig_config(r);
    uint64_t written;

    c.l1d_store_hit = BYW_STORE_UPDATE;
    rig_start(r, &c);
    drops_the_line(r, BYW_OP_STORE, 1);
    drops_the_line(r, BYW_OP_LOCAL_STORE, 2);
    rig_same(r, "lines evicted", 2, r->ev[BYW_EV_EVICT]);
    rig_same(r, "stores that hit", 2, r->ev[BYW_EV_STORE_HIT]);
    rig_same(r, "lines written by stores", r->ev[BYW_EV_FILL], r->ev[BYW_EV_DATA_WRITE]);
    written = r->ev[BYW_EV_TAG_WRITE];
    rig_send_hint(r, BYW_OP_STORE, 7, BYW_HINT_UNCACHED);
    rig_drain(r);
    rig_same(r, "records written", written, r->ev[BYW_EV_TAG_WRITE]);
}
