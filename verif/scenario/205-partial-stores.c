/* SPDX-License-Identifier: Apache-2.0
 *
 * Stores of some bytes only. A line that is updated, and a local line that becomes dirty, mix old
 * and new bytes. The write-back carries only the stored bytes, so bytes that another writer has put
 * into memory meanwhile survive.
 */
#include "scenario/rig.h"

void scenario(struct rig *r)
{
    struct byw_config c = rig_config(r);
    uint32_t line = r->size.line, i, id;

    c.l1d_store_hit = BYW_STORE_UPDATE;
    rig_start(r, &c);
    rig_do(r, BYW_OP_LOAD, 1);
    rig_offer_bytes(r, BYW_OP_STORE, 1, 3, 5);
    rig_drain(r);
    rig_offer_bytes(r, BYW_OP_STORE, 1, line - 1, 1);
    rig_drain(r);
    rig_served(r, rig_do(r, BYW_OP_LOAD, 1), BYW_SERVED_HIT, 3);

    rig_do(r, BYW_OP_LOCAL_LOAD, 2);
    rig_offer_bytes(r, BYW_OP_LOCAL_STORE, 2, 8, 4);
    rig_drain(r);
    rig_offer_bytes(r, BYW_OP_LOCAL_STORE, 2, 10, 9);
    rig_drain(r);
    rig_served(r, rig_do(r, BYW_OP_LOCAL_LOAD, 2), BYW_SERVED_HIT, 3);
    for (i = 0; i < line; i++) /* another SM writes the rest of the line */
        if (i < 8 || i >= 19)
            r->mem[2][i] = r->flat[2][i] = (uint8_t)(0xA0 + i);
    rig_do(r, BYW_OP_FLUSH, 0);
    rig_do(r, BYW_OP_INVALIDATE, 0);
    id = rig_do(r, BYW_OP_LOCAL_LOAD, 2);
    rig_served(r, id, BYW_SERVED_FILL, r->latency + 4);
    rig_same(r, "a byte of the other SM", 0xA7, r->ask[id].got[7]);
    rig_same(r, "and behind the written ones", 0xA0 + 19, r->ask[id].got[19]);
}
