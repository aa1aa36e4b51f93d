/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_req_queue.h - request queues that a mechanism may insert between the load/store unit and the
 * L1D to reorder requests.
 *
 * The L1 of an SM (top/byw_sm_l1.c) pushes every request of the load/store unit into the queue of
 * the mechanism in use, if there is room.  From the next cycle on it offers the L1D the request
 * that the queue chooses.  Requests of one warp must stay in order.  An offered request stays
 * offered until the L1D accepts it.
 *
 * A queue without create() is part of the state of the mechanism's hooks (byw_mech_ops.h) in the
 * same L1.  The hooks then provide release, reset and counters, which are NULL here.
 */
#ifndef BYW_REQ_QUEUE_H
#define BYW_REQ_QUEUE_H

#include "l1d/byw_l1d_ports.h"
#include "policy/byw_mech_ops.h"

struct byw_req_queue_ops {
    enum byw_status (*create)(const struct byw_mech_setup *setup, void **self);
    void (*release)(void *self);
    void (*reset)(void *self); /* only while the queue is empty */
    bool (*empty)(const void *self);
    bool (*room)(const void *self, const struct byw_req *req);
    void (*push)(void *self, const struct byw_req *req); /* only if _room is true */
    /* If the queue is empty, a request is offered to the L1D in the cycle in which it arrives. If
     * the L1D does not accept it, it may enter the queue. */
    bool through;
    const struct byw_req *(*choose)(void *self); /* needs a non-empty queue */
    void (*pop)(void *self); /* the chosen request was accepted */
    const uint64_t *(*counters)(const void *self); /* values, in struct byw_mech.counters order */
};

#endif
