/* SPDX-License-Identifier: Apache-2.0
 *
 * mem_rsp_ready depends on the kind of answer. While responses are stalled, two fills are accepted,
 * one per fill buffer, and a third waits. Of bypass answers and acknowledgements one is accepted
 * and the next waits, but a fill is still accepted in parallel. When rsp_ready returns all leave,
 * one per cycle.
 */
#include "scenario/rig.h"

static void three_fills(struct rig *r)
{
    uint32_t i, id[3];
    uint64_t open;

    r->hold = true;
    for (i = 0; i < 3; i++)
        id[i] = rig_send(r, BYW_OP_LOAD, i);
    rig_run(r, 5);
    r->rsp_ready = false;
    rig_answer(r, 0, false);
    rig_answer(r, 1, false);
    rig_show_answer(r, 2, false);
    rig_run(r, 10);
    rig_same(r, "fills written", 2, r->ev[BYW_EV_FILL]);
    rig_true(r, "the third fill waits", r->in.mem_rsp_valid);
    open = r->cycle;
    r->rsp_ready = true;
    rig_drain(r);
    for (i = 0; i < 3; i++)
        rig_same(r, "answers one per cycle", open + i, r->ask[id[i]].answered);
}

static void pass_and_fill(struct rig *r)
{
    uint32_t ack, load, fill;
    uint64_t open;

    r->hold = true;
    ack = rig_send(r, BYW_OP_STORE, 10);
    load = rig_send_hint(r, BYW_OP_LOAD, 11, BYW_HINT_BYPASS);
    fill = rig_send(r, BYW_OP_LOAD, 12);
    rig_run(r, 5);
    r->rsp_ready = false;
    rig_answer(r, 10, false);
    open = r->cycle;
    rig_same(r, "fill while path 2 is full", open, rig_answer(r, 12, false));
    rig_show_answer(r, 11, false);
    rig_run(r, 10);
    rig_true(r, "the second of path 2 waits", r->in.mem_rsp_valid);
    open = r->cycle;
    r->rsp_ready = true;
    rig_drain(r);
    rig_same(r, "what was shown comes first", open, r->ask[ack].answered);
    rig_same(r, "the hit stage being empty, path 1 is next", open + 1, r->ask[fill].answered);
    rig_same(r, "then path 2 again", open + 2, r->ask[load].answered);
}

void scenario(struct rig *r)
{
    struct byw_config c = rig_config(r);

    rig_start(r, &c);
    three_fills(r);
    rig_start(r, &c);
    pass_and_fill(r);
}
