/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_order.h - the order guard between the miss queue and memory.  It numbers requests in flight
 * and holds back the head of the queue while an older request to the same line is unanswered.
 *
 * A request takes a number when it leaves, and its response returns the number.  Numbers are used
 * in rotation.  Memory sees the number as the request's id.  With BYW_ORDER_OFF only stores take
 * numbers, and none do if port.store_ids is 0.  Page: rtl/doc/order.md.
 */
#ifndef BYW_ORDER_H
#define BYW_ORDER_H

#include "common/byw_config.h"
#include "l1d/byw_l1d_ports.h"

struct byw_order_entry {
    uint64_t line;
    uint32_t id; /* the id used inside the cache */
    bool busy;
    bool write; /* the request is a write or an atomic */
};

struct byw_order {
    uint32_t order; /* enum byw_order_mode */
    bool on; /* some requests have numbers */
    uint32_t size; /* how many numbers there are */
    uint32_t next;
    struct byw_order_entry *entry; /* NULL if off */
};

enum byw_status byw_order_init(struct byw_order *guard, const struct byw_port *port);
void byw_order_release(struct byw_order *guard);
void byw_order_clear(struct byw_order *guard);

/* Whether requests and responses of this kind carry a number of the guard. */
static inline bool byw_order_numbers(const struct byw_order *guard, uint8_t kind)
{
    return guard->on && (guard->order != BYW_ORDER_OFF || kind == BYW_MEM_STORE);
}

/* Whether the head of the queue may leave.  _take: it leaves and takes a number if its kind has
 * one. */
bool byw_order_go(const struct byw_order *guard, const struct byw_mem_req *head);
void byw_order_take(struct byw_order *guard, const struct byw_mem_req *head);

/* The cache's id of the answered request.  _give: frees its number from the next cycle on. */
uint32_t byw_order_own(const struct byw_order *guard, const struct byw_mem_rsp *rsp);
void byw_order_give(struct byw_order *guard, const struct byw_mem_rsp *rsp);

#endif
