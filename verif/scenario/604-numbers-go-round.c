/* SPDX-License-Identifier: Apache-2.0
 *
 * STORE_IDS, IN_FLIGHT. Stores of n + 2 lines, n being IN_FLIGHT, are accepted in cycles 0 to
 * n + 1; memory answers none. Without numbers all leave, each with its requester's id. With
 * numbers, of a guard or of stores, they leave as numbers 0 to n - 1, and store n waits for number
 * 0. Numbers are used in turn, so an answer to number 1 does not release it. The answer to number
 * 0, accepted in cycle c, does: the store leaves in c + 1 as number 0, the next in c + 2 as number
 * 1. Requesters still get their own ids.
 */
#include "scenario/rig.h"

static void check_numbers(struct rig *r, uint32_t n)
{
    uint64_t answer;
    uint32_t i;

    rig_same(r, "stores in flight", n, r->fetches);
    for (i = 0; i < n; i++) {
        rig_same(r, "cycle in which it leaves", i + 3, r->fetch[i].taken);
        rig_same(r, "number at memory", i, r->fetch[i].id);
    }
    rig_answer_fetch(r, 1);
    rig_run(r, 5);
    rig_same(r, "stores sent, number 1 being answered", n, r->fetches);
    rig_same(r, "whose store is answered", 1, r->order[0]);
    answer = rig_answer_fetch(r, 0);
    rig_same(r, "stores sent, number 0 being answered", n, r->fetches);
    rig_run(r, 2);
    rig_same(r, "stores sent, two cycles later", n + 2, r->fetches);
    rig_same(r, "whose store is answered", 0, r->order[1]);
    rig_same(r, "cycle of store n", answer + 1, r->fetch[n].taken);
    rig_same(r, "its number", 0, r->fetch[n].id);
    rig_same(r, "cycle of store n + 1", answer + 2, r->fetch[n + 1].taken);
    rig_same(r, "its number", 1, r->fetch[n + 1].id);
}

void scenario(struct rig *r)
{
    struct byw_config c = rig_config(r);
    uint32_t i, n = r->size.port.in_flight;
    bool numbers = r->size.port.order != BYW_ORDER_OFF || r->size.port.store_ids != 0;

    rig_start(r, &c);
    r->hold = true;
    for (i = 0; i < n + 2; i++)
        rig_send(r, BYW_OP_STORE, 1 + i);
    rig_run(r, 10);
    if (numbers) {
        check_numbers(r, n);
    } else {
        rig_same(r, "stores in flight", n + 2, r->fetches);
        for (i = 0; i < n + 2; i++)
            rig_same(r, "id at memory", i, r->fetch[i].id);
    }
    r->hold = false;
    rig_drain(r);
}
