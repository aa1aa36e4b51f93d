/* SPDX-License-Identifier: Apache-2.0
 *
 * A load whose line is present and filled is answered 3 cycles after it was accepted. Such loads
 * are accepted one per cycle, back to back, and answered in order, one per cycle.
 */
#include "scenario/rig.h"

void scenario(struct rig *r)
{
    struct byw_config c = rig_config(r);
    uint32_t lines = r->size.sets, n = 3 * lines, first, i;

    rig_start(r, &c);
    for (i = 0; i < lines; i++)
        rig_do(r, BYW_OP_LOAD, i);
    first = r->asks;
    for (i = 0; i < n; i++)
        rig_send(r, BYW_OP_LOAD, i * 5 % lines);
    rig_drain(r);
    for (i = 0; i < n; i++) {
        rig_served(r, first + i, BYW_SERVED_HIT, 3);
        rig_same(r, "cycle of acceptance", r->ask[first].accepted + i, r->ask[first + i].accepted);
    }
    rig_same(r, "hits", n, r->ev[BYW_EV_HIT]);
    rig_same(r, "reads of the data store", n, r->ev[BYW_EV_DATA_READ]);
}
