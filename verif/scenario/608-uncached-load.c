/* SPDX-License-Identifier: Apache-2.0
 *
 * UNCACHED. An uncached load of a dirty line, accepted in cycle t: the dirty bytes leave in t + 4,
 * then the load, for its own bytes only, in t + 5; with an order guard it leaves in the cycle after
 * memory's answer to the write-back is accepted. It is answered as a bypass. The line is dropped:
 * the next load fetches. Uncached loads train no tag, however often they occur: with the locality
 * filter, three of them are three bypasses and no new tag, where a third plain load would allocate
 * a line.
 */
#include "scenario/rig.h"

static void of_a_dirty_line(struct rig *r)
{
    struct byw_config c = rig_config(r);
    bool guard = r->size.port.order != BYW_ORDER_OFF;
    uint64_t t, answer;
    uint32_t load, sent;

    rig_start(r, &c);
    rig_do(r, BYW_OP_LOCAL_LOAD, 0);
    rig_do(r, BYW_OP_LOCAL_STORE, 0);
    sent = r->fetches;
    r->hold = true;
    load = rig_offer_bytes(r, BYW_OP_LOAD, 0, 4, 4);
    r->in.req.hint = BYW_HINT_UNCACHED;
    rig_run(r, 20);
    t = r->ask[load].accepted;
    rig_same(r, "requests at the memory", guard ? 1 : 2, r->fetches - sent);
    rig_same(r, "kind", BYW_MEM_WRITEBACK, r->fetch[sent].kind);
    rig_same(r, "cycle of the write-back", t + 4, r->fetch[sent].taken);
    answer = rig_answer_fetch(r, sent);
    rig_cycle(r);
    rig_same(r, "requests at the memory", 2, r->fetches - sent);
    rig_same(r, "kind", BYW_MEM_BYPASS, r->fetch[sent + 1].kind);
    rig_same(r, "cycle of the load", guard ? answer + 1 : t + 5, r->fetch[sent + 1].taken);
    rig_same(r, "bytes", 0xf0, r->fetch[sent + 1].bytes.w[0]);
    rig_true(r, "no atomic", !r->fetch[sent + 1].atomic);
    r->hold = false;
    rig_drain(r);
    rig_served(r, load, BYW_SERVED_BYPASS, 0);
    rig_served(r, rig_do(r, BYW_OP_LOAD, 0), BYW_SERVED_FILL, r->latency + 4);
}

static void trains_nothing(struct rig *r)
{
    struct byw_config c = rig_config(r);
    uint32_t i, id;

    c.policy_mode = BYW_MODE_DECOUPLED;
    rig_start(r, &c);
    for (i = 0; i < 3; i++) {
        id = rig_send_hint(r, BYW_OP_LOAD, 1, BYW_HINT_UNCACHED);
        rig_drain(r);
        rig_served(r, id, BYW_SERVED_BYPASS, r->latency + 4);
    }
    rig_same(r, "loads", 3, r->ev[BYW_EV_LOAD]);
    rig_same(r, "bypasses", 3, r->ev[BYW_EV_BYPASS]);
    rig_same(r, "new tags", 0, r->ev[BYW_EV_NEW_TAG]);
    rig_same(r, "records written", 0, r->ev[BYW_EV_TAG_WRITE]);
    for (i = 0; i < 3; i++)
        id = rig_do(r, BYW_OP_LOAD, 1);
    rig_served(r, id, BYW_SERVED_FILL, r->latency + 4);
    rig_same(r, "new tags", 1, r->ev[BYW_EV_NEW_TAG]);
}

void scenario(struct rig *r)
{
    of_a_dirty_line(r);
    trains_nothing(r);
}
