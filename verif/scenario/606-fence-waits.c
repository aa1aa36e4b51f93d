/* SPDX-License-Identifier: Apache-2.0
 *
 * FENCE, wait. With nothing before it a fence is answered in 3 cycles. Behind a store and a load
 * that misses, it waits for the answers to both. Memory acknowledges the store: the fence is not
 * answered. Memory answers the fill in cycle c: the load is answered in c + 1 and the fence in c +
 * 3. A load of a present line behind the fence is answered after it, in c + 4. A dirty line stays
 * dirty: nothing is written back.
 */
#include "scenario/rig.h"

void scenario(struct rig *r)
{
    struct byw_config c = rig_config(r);
    uint32_t store, load, fence, behind, sent;
    uint64_t answer;

    rig_start(r, &c);
    fence = rig_send_fence(r, BYW_FENCE_WAIT);
    rig_drain(r);
    rig_served(r, fence, BYW_SERVED_DONE, 3);

    rig_do(r, BYW_OP_LOCAL_LOAD, 8);
    rig_do(r, BYW_OP_LOCAL_STORE, 8);
    sent = r->fetches;
    r->hold = true;
    store = rig_send(r, BYW_OP_STORE, 1);
    load = rig_send(r, BYW_OP_LOAD, 2);
    fence = rig_send_fence(r, BYW_FENCE_WAIT);
    behind = rig_send(r, BYW_OP_LOCAL_LOAD, 8);
    rig_run(r, 20);
    rig_answer(r, 1, false);
    rig_run(r, 10);
    rig_same(r, "answers to the store", 1, r->ask[store].answers);
    rig_same(r, "answers to the fence", 0, r->ask[fence].answers);
    answer = rig_answer(r, 2, false);
    rig_until(r, answer + 3);
    rig_same(r, "the load's answer", answer + 1, r->ask[load].answered);
    rig_same(r, "answers to the fence before c + 3", 0, r->ask[fence].answers);
    rig_cycle(r);
    rig_same(r, "the fence's answer", answer + 3, r->ask[fence].answered);
    rig_same(r, "answers behind it", 0, r->ask[behind].answers);
    rig_cycle(r);
    rig_served(r, behind, BYW_SERVED_HIT, 0);
    rig_same(r, "the load behind it", answer + 4, r->ask[behind].answered);
    rig_same(r, "requests at the memory", sent + 2, r->fetches);
}
