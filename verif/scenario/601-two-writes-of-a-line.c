/* SPDX-License-Identifier: Apache-2.0
 *
 * ORDER. Two stores of a line and a load of another line are accepted in cycles 0, 1 and 2. Without
 * a guard they leave in 3, 4 and 5. With a guard (of writes or of all requests) the second store
 * waits for the answer to the first: it leaves in c + 1 if the answer is accepted in c, and the
 * load behind it in c + 2. order_waits counts cycles 4 to c. A load that hits sends nothing to
 * memory and does not wait: 3 cycles.
 */
#include "scenario/rig.h"

static void unguarded(struct rig *r)
{
    uint32_t i;

    rig_run(r, 10);
    rig_same(r, "requests at the memory", 3, r->fetches);
    for (i = 0; i < 3; i++)
        rig_same(r, "cycle in which it leaves", i + 3, r->fetch[i].taken);
    rig_same(r, "cycles of waiting", 0, r->ev[BYW_EV_ORDER_WAIT]);
    r->hold = false;
    rig_drain(r);
}

static void guarded(struct rig *r, uint64_t line)
{
    uint64_t answer;

    rig_run(r, 20);
    rig_same(r, "requests at the memory", 1, r->fetches);
    answer = rig_answer(r, line, false);
    rig_same(r, "requests at the memory, the answer taken", 1, r->fetches);
    rig_run(r, 2);
    rig_same(r, "requests at the memory, two cycles later", 3, r->fetches);
    rig_same(r, "the first leaves", 3, r->fetch[0].taken);
    rig_same(r, "the second leaves", answer + 1, r->fetch[1].taken);
    rig_same(r, "the other line's leaves", answer + 2, r->fetch[2].taken);
    rig_same(r, "cycles of waiting", answer - 3, r->ev[BYW_EV_ORDER_WAIT]);
    r->hold = false;
    rig_drain(r);
}

static void hit_goes_by(struct rig *r, const struct byw_config *c)
{
    uint32_t hit;

    rig_start(r, c);
    rig_do(r, BYW_OP_LOAD, 2);
    r->hold = true;
    rig_send(r, BYW_OP_STORE, 1);
    rig_send(r, BYW_OP_STORE, 1);
    rig_run(r, 5);
    hit = rig_send(r, BYW_OP_LOAD, 2);
    rig_run(r, 5);
    rig_served(r, hit, BYW_SERVED_HIT, 3);
}

void scenario(struct rig *r)
{
    struct byw_config c = rig_config(r);

    rig_start(r, &c);
    r->hold = true;
    rig_send(r, BYW_OP_STORE, 1);
    rig_send(r, BYW_OP_STORE, 1);
    rig_send(r, BYW_OP_LOAD, 2);
    if (r->size.port.order == BYW_ORDER_OFF)
        unguarded(r);
    else
        guarded(r, 1);
    hit_goes_by(r, &c);
}
