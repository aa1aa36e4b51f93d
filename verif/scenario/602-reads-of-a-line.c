/* SPDX-License-Identifier: Apache-2.0
 *
 * ORDER. Two bypassed loads of a line may be in flight together unless the guard covers all
 * requests: accepted in cycles 0 and 1, they leave in 3 and 4; with ORDER 2 the second leaves in
 * the cycle after the answer to the first is accepted. A store behind a read of its line waits with
 * either guard.
 */
#include "scenario/rig.h"

static void two_reads(struct rig *r, const struct byw_config *c)
{
    bool all = r->size.port.order == BYW_ORDER_ALL;
    uint64_t answer;

    rig_start(r, c);
    r->hold = true;
    rig_send_hint(r, BYW_OP_LOAD, 1, BYW_HINT_BYPASS);
    rig_send_hint(r, BYW_OP_LOAD, 1, BYW_HINT_BYPASS);
    rig_run(r, 10);
    rig_same(r, "reads in flight", all ? 1 : 2, r->fetches);
    answer = rig_answer_fetch(r, 0);
    rig_same(r, "reads sent, the answer taken", all ? 1 : 2, r->fetches);
    rig_cycle(r);
    rig_same(r, "reads sent, one cycle later", 2, r->fetches);
    rig_same(r, "the first leaves", 3, r->fetch[0].taken);
    rig_same(r, "the second leaves", all ? answer + 1 : 4, r->fetch[1].taken);
    r->hold = false;
    rig_drain(r);
}

static void write_behind_a_read(struct rig *r, const struct byw_config *c)
{
    bool guard = r->size.port.order != BYW_ORDER_OFF;
    uint64_t answer;

    rig_start(r, c);
    r->hold = true;
    rig_send_hint(r, BYW_OP_LOAD, 1, BYW_HINT_BYPASS);
    rig_send(r, BYW_OP_STORE, 1);
    rig_run(r, 10);
    rig_same(r, "in flight", guard ? 1 : 2, r->fetches);
    answer = rig_answer_fetch(r, 0);
    rig_cycle(r);
    rig_same(r, "the store leaves", guard ? answer + 1 : 4, r->fetch[1].taken);
    r->hold = false;
    rig_drain(r);
}

void scenario(struct rig *r)
{
    struct byw_config c = rig_config(r);

    two_reads(r, &c);
    write_behind_a_read(r, &c);
}
