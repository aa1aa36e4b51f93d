/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_request.h - a request to the cache, and its outcome at the decision point.
 */
#ifndef BYW_REQUEST_H
#define BYW_REQUEST_H

enum { BYW_LINE_MAX = 128 }; /* bytes of the widest line */

/* Operations of the req port.  Atomics are performed at L2; local = private memory (spills). */
enum byw_op {
    BYW_OP_LOAD,
    BYW_OP_STORE,
    BYW_OP_ATOMIC,
    BYW_OP_LOCAL_LOAD,
    BYW_OP_LOCAL_STORE,
    BYW_OP_INVALIDATE, /* drop all lines and their policy state; answered when done */
    BYW_OP_FLUSH, /* write dirty (local) lines back and keep them; answered when done */
    BYW_OP_FENCE, /* enum byw_fence; answered after all earlier requests; needs byw_port.fence */
};

/* What a fence does in addition to waiting for all earlier requests; carried in the request's
 * hint. */
enum byw_fence {
    BYW_FENCE_WAIT, /* nothing; dirty lines stay dirty */
    BYW_FENCE_FLUSH, /* write dirty lines back and wait until memory acknowledges them; lines
                      * stay */
    BYW_FENCE_INVALIDATE, /* the same, then drop all lines */
};

/* Software hints of a load (paper 003, PTX cache operators). */
enum byw_hint {
    BYW_HINT_NONE,
    BYW_HINT_BYPASS, /* .cg: use the bypass path */
    BYW_HINT_STREAM, /* .cs: evict first */
    BYW_HINT_CACHE, /* .ca: use the L1 path */
    BYW_HINT_VOLATILE, /* always fetch */
    BYW_HINT_UNCACHED, /* bypass the cache and drop its copy; stores, too; needs
                        * byw_port.uncached */
};

/* How a request ended at the decision point; exactly one per accepted request, or a refusal. */
enum byw_outcome { BYW_HIT, BYW_HIT_PENDING, BYW_MISS, BYW_BYPASS, BYW_RSFAIL };

/* Why a request was refused.  It stays at the decision point and retries in the next cycle. */
#define BYW_RSFAIL_LIST(X)                                                                         \
    X(BYW_RSFAIL_LINE, "line") /* every line of the set is pending */                              \
    X(BYW_RSFAIL_MSHR, "mshr") /* no free MSHR */                                                  \
    X(BYW_RSFAIL_MERGE, "merge") /* the MSHR's list is full */                                     \
    X(BYW_RSFAIL_MISS_QUEUE, "miss_queue") /* no slot for a miss or store */                       \
    X(BYW_RSFAIL_ICNT, "icnt") /* no bypass slot or tracker */

enum byw_rsfail {
#define X(code, name) code,
    BYW_RSFAIL_LIST(X)
#undef X
        BYW_RSFAIL_COUNT
};

#endif
