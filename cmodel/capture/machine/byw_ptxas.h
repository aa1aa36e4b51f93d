/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_ptxas.h - ptxas, NVIDIA's assembler: where it is, and what it makes of PTX.
 *
 * $BYWAY_PTXAS names the assembler; "off": none is used.  Unset: that of byw_toolkit.h, or of
 * the Python package nvidia-cuda-nvcc.
 */
#ifndef BYW_PTXAS_H
#define BYW_PTXAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "capture/machine/byw_cubin.h"
#include "capture/machine/byw_numbering.h"

/* Writes the assembler's path into path[room]; false if there is none. */
bool byw_ptxas(char *path, size_t room);

/* Whether traces get machine code: there is an assembler, and $BYWAY_MACHINE is not "off". */
bool byw_ptxas_wants_machine(void);

/* Writes the path of another of the toolkit's programs, which is looked for in the Python packages
 * only. */
bool byw_ptxas_wheel(const char *tool, char *path, size_t room);

/* Registers per thread of a kernel, from the assembler's report (byw_cl_workshop_assemble()), which
 * may be NULL; 0: unknown. */
uint32_t byw_ptxas_registers(const char *report, const char *kernel);

/* Assembles numbered PTX in an existing folder, with line information.  *file: the cubin, which the
 * caller frees. kernel: the only kernel to assemble; NULL: all.  BYW_ENOENT: there is no assembler;
 * BYW_EFORMAT: it refuses the text, with its first message. */
enum byw_status byw_ptxas_assemble(const struct byw_numbering *ptx, const char *kernel,
                                   const char *folder, void **file, size_t *size,
                                   struct byw_diag *diag);

/* From PTX to tables of machine code: numbers, assembles and reads it.  Sets inst[].source. */
enum byw_status byw_ptxas_machine(const struct byw_numbering *ptx, const char *kernel,
                                  const char *folder, struct byw_cubin *cubin,
                                  struct byw_diag *diag);

#endif
