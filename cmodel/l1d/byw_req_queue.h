/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_req_queue.h - what a mechanism may put between the load/store unit and the L1D: queues that
 * let requests pass each other.
 *
 * The L1 of an SM (top/byw_sm_l1.c) gives every request of the load/store unit to the queue of the
 * mechanism in use, if there is room, and offers the L1D what the queue has chosen, from the cycle
 * after on.  Requests of one warp must keep their order.  A request that was offered stays offered
 * until the L1D takes it.
 *
 * A queue without create() is part of the state that the mechanism's hooks (byw_mech_ops.h) have in
 * the same L1; release, reset and counters are theirs, and NULL here.
 */
#ifndef BYW_REQ_QUEUE_H
#define BYW_REQ_QUEUE_H

#include "l1d/byw_l1d_ports.h"
#include "policy/byw_mech_ops.h"

struct byw_req_queue_ops {
    enum byw_status (*create)(const struct byw_mech_setup *setup, void **self);
    void (*release)(void *self);
    void (*reset)(void *self); /* no request is inside */
    bool (*empty)(const void *self);
    bool (*room)(const void *self, const struct byw_req *req);
    void (*push)(void *self, const struct byw_req *req); /* with room */
    /* An empty queue lets a request through to the L1D in its own cycle; not taken, it may enter.
     */
    bool through;
    const struct byw_req *(*choose)(void *self); /* not empty */
    void (*pop)(void *self); /* the one chosen is taken */
    const uint64_t *(*counters)(const void *self); /* in the order of struct byw_mech's */
};

#endif
