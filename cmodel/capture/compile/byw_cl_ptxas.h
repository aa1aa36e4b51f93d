/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_cl_ptxas.h - registers per thread as ptxas, NVIDIA's assembler, assigns them for compute
 * capability 9.0.
 *
 * $BYWAY_PTXAS names the assembler; "off": none is used.  Unset: the first ptxas in $PATH or
 * /usr/local/cuda/bin.  Without one, or for code that it refuses, registers are unknown.
 */
#ifndef BYW_CL_PTXAS_H
#define BYW_CL_PTXAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Writes the assembler's path into path[room]; false if there is none. */
bool byw_cl_ptxas(char *path, size_t room);

/* Registers per thread of a kernel, from the assembler's report (byw_cl_workshop_assemble()), which
 * may be NULL; 0: unknown. */
uint32_t byw_cl_ptxas_registers(const char *report, const char *kernel);

#endif
