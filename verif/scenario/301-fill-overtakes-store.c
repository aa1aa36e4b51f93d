/* SPDX-License-Identifier: Apache-2.0
 *
 * A load of a line is outstanding and a store to the line is still in the queue when the fill, read
 * before the store, arrives. The load gets the old bytes. The fill must not be kept, or a load
 * behind the store would hit old bytes; that load leaves after the store and sees the new ones.
 * The same applies if the fill is accepted in the very cycle in which the store is decided: it is
 * written, and the line is evicted nevertheless. One cycle earlier the line is filled and the store
 * evicts it.
 */
#include "scenario/rig.h"

static void overtake(struct rig *r)
{
    uint32_t before, after;

    r->hold = true;
    before = rig_send(r, BYW_OP_LOAD, 1);
    rig_run(r, 5);
    r->mem_ready = false;
    rig_send(r, BYW_OP_STORE, 1);
    rig_run(r, 5);
    rig_answer(r, 1, false);
    rig_run(r, 3);
    rig_served(r, before, BYW_SERVED_FILL, 0);
    rig_same(r, "fills kept", 0, r->ev[BYW_EV_FILL]);
    after = rig_send(r, BYW_OP_LOAD, 1);
    rig_run(r, 5);
    rig_same(r, "requests at the memory", 1, r->fetches);
    r->mem_ready = true;
    r->hold = false;
    rig_drain(r);
    rig_same(r, "store first", BYW_MEM_STORE, r->fetch[1].kind);
    rig_same(r, "then the fetch", BYW_MEM_FILL, r->fetch[2].kind);
    rig_served(r, after, BYW_SERVED_FILL, 0);
    rig_true(r, "the bytes changed",
             memcmp(r->ask[before].got, r->ask[after].got, r->size.line) != 0);
}

/* Accepts the fill `early` cycles before the store's decision. */
static void tie(struct rig *r, uint32_t early)
{
    uint32_t store, after;
    uint64_t fill;

    r->hold = true;
    rig_send(r, BYW_OP_LOAD, 1);
    rig_run(r, 5);
    store = rig_send(r, BYW_OP_STORE, 1);
    rig_until(r, r->ask[store].accepted + 2 - early);
    fill = rig_answer(r, 1, false);
    rig_same(r, "cycle of the fill", r->ask[store].accepted + 2 - early, fill);
    r->hold = false;
    rig_run(r, 3);
    rig_same(r, "fills written", 1, r->ev[BYW_EV_FILL]);
    rig_same(r, "lines evicted", early, r->ev[BYW_EV_EVICT]);
    after = rig_do(r, BYW_OP_LOAD, 1);
    rig_served(r, after, BYW_SERVED_FILL, 0);
}

void scenario(struct rig *r)
{
    struct byw_config c = rig_config(r);

    rig_start(r, &c);
    overtake(r);
    rig_start(r, &c);
    tie(r, 0);
    rig_start(r, &c);
    tie(r, 1);
}
