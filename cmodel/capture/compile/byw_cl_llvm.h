/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_cl_llvm.h - loads libLLVM at the first call of one of its functions, without exposing its
 * symbols to other libraries (llvm_stubs.sh).
 */
#ifndef BYW_CL_LLVM_H
#define BYW_CL_LLVM_H

#include <stdint.h>

/* Written by llvm_stubs.sh: the library, and the functions that are called. */
extern const char byw_cl_llvm_library[];
extern const char *const byw_cl_llvm_names[];

/* Finds function `number`, stores its address in its slot, and returns it. Ends the process with a
 * message if there is no such library or function. Called by the stubs, from any thread. */
void *byw_cl_llvm_find(uint32_t number, void **slots);

#endif
