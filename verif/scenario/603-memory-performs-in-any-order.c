/* SPDX-License-Identifier: Apache-2.0
 *
 * ORDER 1 and 2. The memory performs a request only when it answers it, and answers the youngest
 * first. The requests: a store, a load, a store and an atomic of one line, interleaved with the
 * same of a second line. Every load returns what was stored before it, and the final memory agrees
 * with the order of acceptance. (The rig compares both.)
 */
#include "scenario/rig.h"

static bool answer_youngest(struct rig *r)
{
    uint32_t i;

    for (i = r->fetches; i-- > 0;)
        if (r->fetch[i].waits) {
            rig_answer_fetch(r, i);
            return true;
        }
    return false;
}

void scenario(struct rig *r)
{
    static const uint8_t op[] = {BYW_OP_STORE, BYW_OP_LOAD, BYW_OP_STORE, BYW_OP_ATOMIC};
    struct byw_config c = rig_config(r);
    uint32_t i, round;

    rig_start(r, &c);
    if (r->size.port.order == BYW_ORDER_OFF)
        return; /* this memory would return wrong bytes: verif/l1d/t_l1d_order.c */
    r->hold = r->late = true;
    for (round = 0; round < 10; round++)
        for (i = 0; i < 8; i++) {
            uint32_t id = rig_offer(r, (enum byw_op)op[i / 2], 1 + i % 2,
                                    round % 2 != 0 ? BYW_HINT_BYPASS : BYW_HINT_NONE);

            while (!r->ask[id].taken) {
                rig_run(r, 10);
                if (!r->ask[id].taken)
                    answer_youngest(r);
            }
        }
    for (rig_run(r, 10); answer_youngest(r);)
        rig_run(r, 10);
    rig_same(r, "requests answered", 80, r->answers);
}
