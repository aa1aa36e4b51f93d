/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_cl_slow.h - paths through the functions that slow divisions and roots call
 * (byw_slow_ways.def), and which executions take one.
 */
#ifndef BYW_CL_SLOW_H
#define BYW_CL_SLOW_H

#include "capture/path/byw_slow_ways.h"
#include "trace/byw_machine.h"

#include <stddef.h>

/* A thread's execution of a PTX instruction whose operands are unusual. */
struct byw_cl_slow {
    uint32_t number; /* of the PTX instruction */
    uint32_t turn; /* which execution of the instruction by the thread, from 0 */
    uint32_t way; /* enum byw_slow_way */
};

/* The list is sorted by number and turn. */
void byw_cl_slow_sort(struct byw_cl_slow *list, size_t count);
/* The slow path that an execution takes; BYW_SLOW_NONE: none. */
uint32_t byw_cl_slow_find(const struct byw_cl_slow *list, size_t count, uint32_t number,
                          uint32_t turn);

/* The conditional branches on a slow path through the function at `at` of the machine code;
 * taken[]: room for BYW_CL_SLOW_BRANCHES.  left: byw_machine_find_returns().  For BYW_SLOW_NONE,
 * and a path that does not fit the function: those of the shortest path.  Returns their number. */
#define BYW_CL_SLOW_BRANCHES 64u
uint32_t byw_cl_slow_walk(const struct byw_machine *machine, const uint32_t *left, uint32_t at,
                          uint32_t way, bool *taken, uint64_t *instructions);

#endif
