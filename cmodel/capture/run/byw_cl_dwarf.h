/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_cl_dwarf.h - source line of an instruction of a loaded kernel, from its DWARF line table
 * (versions 2 to 5).
 */
#ifndef BYW_CL_DWARF_H
#define BYW_CL_DWARF_H

#include <stdint.h>

/* pc: address in a loaded shared object.  0: unknown. */
uint32_t byw_cl_dwarf_line(uint64_t pc);

#endif
