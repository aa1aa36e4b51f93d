/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_cl_guard.h - turns a fault inside a kernel into an error.
 */
#ifndef BYW_CL_GUARD_H
#define BYW_CL_GUARD_H

#include <stdint.h>

struct byw_cl_fault {
    int signal; /* 0: none */
    uint64_t address;
    uint64_t pc; /* host address of the instruction, 0 unknown */
};

/* Runs body(argument).  A memory or arithmetic fault of this thread inside it ends it and is
 * described in *fault; the program's own handlers are back in place on return. */
void byw_cl_guarded(void (*body)(void *), void *argument, struct byw_cl_fault *fault);

/* Ends the body from inside; the fault then has no signal. */
_Noreturn void byw_cl_guard_leave(void);

#endif
