/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_request.h - what a request asks of the cache, and how it ends at the decision point.
 */
#ifndef BYW_REQUEST_H
#define BYW_REQUEST_H

enum { BYW_LINE_MAX = 128 }; /* bytes; the widest line */

/* Operations of the req port.  Atomics are performed at L2; local = private memory (spills). */
enum byw_op {
    BYW_OP_LOAD,
    BYW_OP_STORE,
    BYW_OP_ATOMIC,
    BYW_OP_LOCAL_LOAD,
    BYW_OP_LOCAL_STORE,
    BYW_OP_INVALIDATE, /* drop every line and all policy state of lines; answered when done */
    BYW_OP_FLUSH, /* write dirty (local) lines back and keep them; answered when done */
    BYW_OP_FENCE, /* enum byw_fence; answered last of all before it; byw_port.fence */
};

/* What a fence does besides waiting for all that came before it; the request's hint. */
enum byw_fence {
    BYW_FENCE_WAIT, /* nothing: dirty lines stay */
    BYW_FENCE_FLUSH, /* dirty lines are written back, memory has acknowledged that; lines stay */
    BYW_FENCE_INVALIDATE, /* the same, then all lines are dropped */
};

/* Software hints of a load (paper 003, PTX cache operators). */
enum byw_hint {
    BYW_HINT_NONE,
    BYW_HINT_BYPASS, /* .cg: use the bypass path */
    BYW_HINT_STREAM, /* .cs: lowest retention */
    BYW_HINT_CACHE, /* .ca: use the L1 path */
    BYW_HINT_VOLATILE, /* always fetch */
    BYW_HINT_UNCACHED, /* of a store, too: past the cache, whose copy goes; byw_port.uncached */
};

/* How a request ended at the decision point; exactly one per accepted request, or a refusal. */
enum byw_outcome { BYW_HIT, BYW_HIT_PENDING, BYW_MISS, BYW_BYPASS, BYW_RSFAIL };

/* Why a request was refused (it stays at the decision point and tries again next cycle). */
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
