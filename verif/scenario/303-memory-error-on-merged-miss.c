/* SPDX-License-Identifier: Apache-2.0
 *
 * A fill with an error answers the load and all merged loads with the error, in order, one per
 * cycle. The line is freed in that cycle and nothing of it is kept; a load behind it fetches again
 * and is answered without error. The error of a bypassed load or an atomic reaches its own
 * requester only.
 */
#include "scenario/rig.h"

void scenario(struct rig *r)
{
    struct byw_config c = rig_config(r);
    uint32_t i, n = r->size.merges, first, again, other;
    uint64_t at;

    rig_start(r, &c);
    r->hold = true;
    first = r->asks;
    for (i = 0; i < n; i++)
        rig_send(r, BYW_OP_LOAD, 1);
    other = rig_send(r, BYW_OP_LOAD, 2);
    rig_run(r, 5);
    at = rig_answer(r, 1, true);
    rig_run(r, n + 2);
    for (i = 0; i < n; i++) {
        rig_served(r, first + i, BYW_SERVED_FILL, 0);
        rig_true(r, "error", r->ask[first + i].error);
        rig_same(r, "cycle of the answer", at + 1 + i, r->ask[first + i].answered);
    }
    rig_same(r, "fills kept", 0, r->ev[BYW_EV_FILL]);
    rig_same(r, "writes of the data store", 0, r->ev[BYW_EV_DATA_WRITE]);
    rig_same(r, "lines evicted", 0, r->ev[BYW_EV_EVICT]);
    r->hold = false;
    again = rig_do(r, BYW_OP_LOAD, 1);
    rig_served(r, again, BYW_SERVED_FILL, r->latency + 4);
    rig_true(r, "no error now", !r->ask[again].error && !r->ask[other].error);
    rig_served(r, rig_do(r, BYW_OP_LOAD, 1), BYW_SERVED_HIT, 3);
    r->error_line = 3;
    again = rig_send_hint(r, BYW_OP_LOAD, 3, BYW_HINT_BYPASS);
    other = rig_send_hint(r, BYW_OP_LOAD, 4, BYW_HINT_BYPASS);
    i = rig_send(r, BYW_OP_STORE, 3);
    rig_drain(r);
    rig_true(r, "error of the bypassed load", r->ask[again].error);
    rig_true(r, "not of others", !r->ask[other].error && !r->ask[i].error);
}
