/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_cl_fiber.h - work-items that can stop at a barrier.
 *
 * A set of fibers, each with its own stack, resumed one at a time by the thread that owns the set.
 * On x86-64 a switch is a dozen instructions of assembly; elsewhere ucontext does it.
 */
#ifndef BYW_CL_FIBER_H
#define BYW_CL_FIBER_H

#include <stdbool.h>
#include <stdint.h>

#include "common/byw_status.h"

struct byw_cl_fibers;

/* Room for `count` fibers, whose functions need `frame` bytes of stack in addition to what the C
 * library needs. Stacks are reserved address space, not yet memory; if guarded, a page that cannot
 * be accessed is below each. A process has at most 65530 ranges of memory, and a guard is one. */
enum byw_status byw_cl_fibers_create(uint32_t count, uint64_t frame, bool guarded,
                                     struct byw_cl_fibers **fibers);
/* Whether the stacks are large enough for functions that need this many bytes. */
bool byw_cl_fibers_fit(const struct byw_cl_fibers *fibers, uint64_t frame);
void byw_cl_fibers_free(struct byw_cl_fibers *fibers);

/* Makes fiber `index` ready to call body(argument) when first resumed. */
void byw_cl_fiber_start(struct byw_cl_fibers *fibers, uint32_t index, void (*body)(void *),
                        void *argument);

/* Runs the fiber until it stops or ends; true if it ended. */
bool byw_cl_fiber_resume(struct byw_cl_fibers *fibers, uint32_t index);

/* Called by a fiber: returns to the caller of its resume. */
void byw_cl_fiber_stop(struct byw_cl_fibers *fibers);

#endif
