/* SPDX-License-Identifier: Apache-2.0
 *
 * FENCE, flush and invalidate. The only dirty line is the first of the cache. A fence accepted in
 * cycle t sends it in t + 4 and waits for memory's acknowledgement: accepted in c, the fence is
 * answered in c + 2, not before. Memory then has the bytes. After a flush the line is present and
 * clean: a load hits in 3 cycles and a second flush takes 3. After an invalidate it is gone: the
 * load fetches.
 */
#include "scenario/rig.h"

static void fence_with(struct rig *r, const struct byw_config *c, uint32_t what)
{
    uint32_t fence, sent;
    uint64_t t, answer;

    rig_start(r, c);
    rig_do(r, BYW_OP_LOCAL_LOAD, 0);
    rig_do(r, BYW_OP_LOCAL_STORE, 0);
    sent = r->fetches;
    r->hold = true;
    fence = rig_send_fence(r, what);
    t = r->ask[fence].accepted;
    rig_run(r, 20);
    rig_same(r, "write-backs", 1, r->fetches - sent);
    rig_same(r, "kind", BYW_MEM_WRITEBACK, r->fetch[sent].kind);
    rig_same(r, "cycle of the write-back", t + 4, r->fetch[sent].taken);
    rig_same(r, "answers before the acknowledgement", 0, r->ask[fence].answers);
    rig_true(r, "not idle", !r->out.idle);
    answer = rig_answer_fetch(r, sent);
    rig_until(r, answer + 2);
    rig_same(r, "answers before c + 2", 0, r->ask[fence].answers);
    rig_cycle(r);
    rig_served(r, fence, BYW_SERVED_DONE, answer + 2 - t);
    rig_true(r, "memory has the bytes", memcmp(r->mem[0], r->flat[0], r->size.line) == 0);
    r->hold = false;
    if (what == BYW_FENCE_FLUSH) {
        rig_served(r, rig_do(r, BYW_OP_LOCAL_LOAD, 0), BYW_SERVED_HIT, 3);
        fence = rig_send_fence(r, what);
        rig_drain(r);
        rig_served(r, fence, BYW_SERVED_DONE, 3);
        rig_same(r, "write-backs", 1, r->fetches - sent);
    } else {
        rig_served(r, rig_do(r, BYW_OP_LOCAL_LOAD, 0), BYW_SERVED_FILL, r->latency + 4);
    }
}

void scenario(struct rig *r)
{
    struct byw_config c = rig_config(r);

    fence_with(r, &c, BYW_FENCE_FLUSH);
    fence_with(r, &c, BYW_FENCE_INVALIDATE);
}
