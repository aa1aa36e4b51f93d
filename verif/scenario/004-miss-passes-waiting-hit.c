/* SPDX-License-Identifier: Apache-2.0
 *
 * Responses are not ordered: while a hit waits for rsp_ready in s3, a miss, a store and a bypassed
 * load behind it are decided and leave at t + 3, because they do not need s3.
 */
#include "scenario/rig.h"

void scenario(struct rig *r)
{
    struct byw_config c = rig_config(r);
    uint32_t hit, id[3], i;

    rig_start(r, &c);
    rig_do(r, BYW_OP_LOAD, 0);
    r->rsp_ready = false;
    hit = rig_send(r, BYW_OP_LOAD, 0);
    id[0] = rig_send(r, BYW_OP_LOAD, 1);
    id[1] = rig_send(r, BYW_OP_STORE, 2);
    id[2] = rig_send_hint(r, BYW_OP_LOAD, 3, BYW_HINT_BYPASS);
    rig_run(r, 10);
    rig_same(r, "answers to the hit", 0, r->ask[hit].answers);
    rig_same(r, "requests at the memory", 4, r->fetches);
    for (i = 0; i < 3; i++)
        rig_same(r, "cycle at the memory", r->ask[id[i]].accepted + 3, r->fetch[1 + i].taken);
    r->rsp_ready = true;
    rig_drain(r);
    rig_served(r, hit, BYW_SERVED_HIT, 0);
    rig_same(r, "first answer after the stall", hit, r->order[1]);
}
