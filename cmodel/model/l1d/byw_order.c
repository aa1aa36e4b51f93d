/* SPDX-License-Identifier: Apache-2.0 */
#include "l1d/byw_order.h"

#include <assert.h>
#include <stdlib.h>

enum byw_status byw_order_init(struct byw_order *guard, const struct byw_port *port)
{
    *guard = (struct byw_order){.order = port->order, .size = port->in_flight};
    guard->on = port->order != BYW_ORDER_OFF || port->store_ids != 0;
    if (!guard->on)
        return BYW_OK;
    guard->entry = calloc(guard->size, sizeof(guard->entry[0]));
    return guard->entry != NULL ? BYW_OK : BYW_ENOMEM;
}

void byw_order_release(struct byw_order *guard)
{
    free(guard->entry);
    guard->entry = NULL;
}

void byw_order_clear(struct byw_order *guard)
{
    for (uint32_t i = 0; guard->on && i < guard->size; i++)
        guard->entry[i].busy = false;
    guard->next = 0;
}

static bool writes(const struct byw_mem_req *req)
{
    return req->write || req->atomic;
}

bool byw_order_go(const struct byw_order *guard, const struct byw_mem_req *head)
{
    if (!byw_order_numbers(guard, head->kind))
        return true;
    if (guard->entry[guard->next].busy)
        return false;
    for (uint32_t i = 0; guard->order != BYW_ORDER_OFF && i < guard->size; i++) {
        const struct byw_order_entry *entry = &guard->entry[i];

        if (entry->busy && entry->line == head->line &&
            (guard->order == BYW_ORDER_ALL || writes(head) || entry->write))
            return false;
    }
    return true;
}

void byw_order_take(struct byw_order *guard, const struct byw_mem_req *head)
{
    if (!byw_order_numbers(guard, head->kind))
        return;
    guard->entry[guard->next] = (struct byw_order_entry){
        .line = head->line, .id = head->id, .busy = true, .write = writes(head)};
    guard->next = guard->next + 1 == guard->size ? 0 : guard->next + 1;
}

uint32_t byw_order_own(const struct byw_order *guard, const struct byw_mem_rsp *rsp)
{
    if (!byw_order_numbers(guard, rsp->kind))
        return rsp->id;
    assert(rsp->id < guard->size);
    return guard->entry[rsp->id].id;
}

void byw_order_give(struct byw_order *guard, const struct byw_mem_rsp *rsp)
{
    if (!byw_order_numbers(guard, rsp->kind))
        return;
    assert(rsp->id < guard->size && guard->entry[rsp->id].busy);
    guard->entry[rsp->id].busy = false;
}
