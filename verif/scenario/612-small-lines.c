/* SPDX-License-Identifier: Apache-2.0
 *
 * Lines of 8 and 16 bytes. A fill requests exactly the bytes of its line. Lines 1, 1 + sets and so
 * on share set 1; one line more than it has ways evicts the oldest, and the others still hit in 3
 * cycles. A store of the line's last byte is sent for that byte only.
 */
#include "scenario/rig.h"

void scenario(struct rig *r)
{
    struct byw_config c = rig_config(r);
    uint32_t i, bytes = r->size.line, ways = r->size.ways;

    rig_true(r, "a small line", bytes == 8 || bytes == 16);
    rig_start(r, &c);
    for (i = 0; i <= ways; i++) {
        rig_same(r, "lines evicted", 0, r->ev[BYW_EV_EVICT]);
        rig_served(r, rig_do(r, BYW_OP_LOAD, rig_line(r, 1, i)), BYW_SERVED_FILL, r->latency + 4);
        rig_same(r, "line", rig_line(r, 1, i), r->fetch[i].line);
        rig_same(r, "bytes of the fill", (UINT64_C(1) << bytes) - 1, r->fetch[i].bytes.w[0]);
    }
    rig_same(r, "lines evicted", 1, r->ev[BYW_EV_EVICT]);
    for (i = 1; i <= ways; i++)
        rig_served(r, rig_do(r, BYW_OP_LOAD, rig_line(r, 1, i)), BYW_SERVED_HIT, 3);
    rig_served(r, rig_do(r, BYW_OP_LOAD, rig_line(r, 1, 0)), BYW_SERVED_FILL, r->latency + 4);
    rig_offer_bytes(r, BYW_OP_STORE, rig_line(r, 1, 0), bytes - 1, 1);
    rig_drain(r);
    rig_same(r, "bytes of the store", UINT64_C(1) << (bytes - 1),
             r->fetch[r->fetches - 1].bytes.w[0]);
    rig_served(r, rig_do(r, BYW_OP_LOAD, rig_line(r, 1, 0)), BYW_SERVED_FILL, r->latency + 4);
}
