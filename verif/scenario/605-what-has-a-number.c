/* SPDX-License-Identifier: Apache-2.0
 *
 * STORE_IDS, ORDER. A store of requester 0, a fill, a bypass and a store of requester 3, in this
 * order. With a guard all have numbers: 0, 1, 2, 3 (modulo the range). With STORE_IDS alone only
 * the stores have numbers, 0 and 1; the fill and the bypass keep the ids of their MSHR and tracker,
 * both 0. With neither, the stores have the ids of their requesters, 0 and 3.
 */
#include "scenario/rig.h"

void scenario(struct rig *r)
{
    static const uint8_t kind[] = {BYW_MEM_STORE, BYW_MEM_FILL, BYW_MEM_BYPASS, BYW_MEM_STORE};
    struct byw_config c = rig_config(r);
    const struct byw_port *port = &r->size.port;
    uint32_t i, want[4] = {0, 0, 0, 3};

    rig_start(r, &c);
    rig_send(r, BYW_OP_STORE, 1);
    rig_send(r, BYW_OP_LOAD, 2);
    rig_send_hint(r, BYW_OP_LOAD, 3, BYW_HINT_BYPASS);
    rig_send(r, BYW_OP_STORE, 4);
    rig_drain(r);
    if (port->order != BYW_ORDER_OFF)
        for (i = 0; i < 4; i++)
            want[i] = i % port->in_flight;
    else if (port->store_ids != 0)
        want[3] = 1;
    rig_same(r, "requests at the memory", 4, r->fetches);
    for (i = 0; i < 4; i++) {
        rig_same(r, "kind", kind[i], r->fetch[i].kind);
        rig_same(r, "id at memory", want[i], r->fetch[i].id);
    }
}
