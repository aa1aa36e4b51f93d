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

#include <stdint.h>

#include "capture/compile/byw_cl_workshop.h"

/* Writes the assembler's path into path[BYW_CL_PATH]; false: there is none. */
bool byw_cl_ptxas(char *path);

/* Assembles w->ptx.  Returns the report (malloced), or NULL if registers stay unknown. */
char *byw_cl_ptxas_report(const struct byw_cl_workshop *w);

/* Registers per thread of a kernel; 0: unknown.  report may be NULL. */
uint32_t byw_cl_ptxas_registers(const char *report, const char *kernel);

#endif
