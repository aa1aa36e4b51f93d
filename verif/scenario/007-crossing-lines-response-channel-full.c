/* SPDX-License-Identifier: Apache-2.0
 *
 * An access that crosses a line boundary is two requests in consecutive cycles: the last bytes of
 * one line, the first of the next.  With the response channel full (a hit waits in s3) the first
 * piece waits in s2, the second in s1.  After the stall both are answered in consecutive cycles
 * with their line's bytes; if the second line is absent, its fetch leaves after the first piece,
 * not before.
 */
#include "scenario/rig.h"

void scenario(struct rig *r)
{
    struct byw_config c = rig_config(r);
    uint32_t line = r->size.line, full, low, high;
    uint64_t open;

    rig_start(r, &c);
    rig_do(r, BYW_OP_LOAD, 0);
    rig_do(r, BYW_OP_LOAD, 1);
    rig_do(r, BYW_OP_LOAD, 2);
    r->rsp_ready = false;
    full = rig_send(r, BYW_OP_LOAD, 0);
    rig_offer_bytes(r, BYW_OP_LOAD, 1, line - 8, 8);
    rig_run(r, 1);
    low = r->asks - 1;
    high = rig_offer_bytes(r, BYW_OP_LOAD, 2, 0, 8);
    rig_run(r, 10);
    rig_true(r, "both pieces are inside", r->ask[low].taken && r->ask[high].taken);
    rig_same(r, "consecutive", r->ask[low].accepted + 1, r->ask[high].accepted);
    rig_same(r, "hits decided", 1, r->ev[BYW_EV_HIT]);
    open = r->cycle;
    r->rsp_ready = true;
    rig_drain(r);
    rig_same(r, "answer that filled the channel", open, r->ask[full].answered);
    rig_same(r, "first piece", open + 1, r->ask[low].answered);
    rig_same(r, "second piece", open + 2, r->ask[high].answered);

    r->rsp_ready = false;
    rig_send(r, BYW_OP_LOAD, 0);
    rig_offer_bytes(r, BYW_OP_LOAD, 2, line - 4, 4);
    rig_run(r, 1);
    low = r->asks - 1;
    high = rig_offer_bytes(r, BYW_OP_LOAD, 3, 0, 12);
    rig_run(r, 10);
    rig_same(r, "fetches during the stall", 3, r->fetches);
    open = r->cycle;
    r->rsp_ready = true;
    rig_drain(r);
    rig_same(r, "first piece", open + 1, r->ask[low].answered);
    rig_same(r, "fetch of the second piece", open + 2, r->fetch[3].taken);
    rig_same(r, "second piece", open + 2 + r->latency + 1, r->ask[high].answered);
}
