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
    uint64_t pc; /* host address of the instruction; 0: unknown */
    uint64_t sp; /* the stack pointer; 0: unknown */
};

/* Reads outside all memory that returned zeros. */
struct byw_cl_reads {
    uint64_t count; /* instructions that read there */
    uint64_t pc; /* host address of the first such instruction */
};

/* Runs body(argument). A memory or arithmetic fault that this thread causes in it ends it and is
 * described in *fault. The program's signal handlers are restored on return. reads: if not NULL,
 * reads outside all memory are counted there and return zeros (x86-64; elsewhere they are
 * faults). */
void byw_cl_guarded(void (*body)(void *), void *argument, struct byw_cl_fault *fault,
                    struct byw_cl_reads *reads);

/* Ends the body from within; *fault then has no signal. */
_Noreturn void byw_cl_guard_leave(void);

#endif
