/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_cl_flow.h - the order in which diverged lanes' block parts are merged.
 *
 * Of the parts that a warp's lanes run next, the one lowest in a weak topological order
 * (Bourdoncle 1993) runs next.  Loops are contiguous in it, so lanes that left a loop wait for
 * those still inside, and lanes meet at the post-dominator of a branch.  A lane that takes a back
 * edge waits under the head's `latch` number, which is above the whole loop: without it a
 * `continue` would let lanes run an iteration ahead of the others.
 */
#ifndef BYW_CL_FLOW_H
#define BYW_CL_FLOW_H

#include <stdint.h>

#include "common/byw_status.h"

/* Graph in compressed rows: node n's successors are to[first[n]] .. to[first[n + 1] - 1]; node 0
 * is the entry.  Writes order[] (nodes that the entry does not reach come last) and latch[]
 * (equal to order[] for nodes that head no loop).  BYW_ENOMEM. */
enum byw_status byw_cl_flow_order(uint32_t nodes, const uint32_t *first, const uint32_t *to,
                                  uint32_t *order, uint32_t *latch);

#endif
