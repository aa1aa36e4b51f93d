/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_machine_list.h - prints the machine code of kernels: kind, schedule and PTX of each
 * instruction.
 */
#ifndef BYW_MACHINE_LIST_H
#define BYW_MACHINE_LIST_H

#include <stdint.h>

#include "common/byw_status.h"

/* Lists the machine code of a .cubin, or of a .ptx file assembled for a compute capability (90:
 * 9.0). kernels: only those whose name matches this extended regular expression; NULL: all. page:
 * an HTML file to write instead of the list; NULL: none. */
enum byw_status byw_machine_list(const char *path, uint32_t arch, const char *kernels,
                                 const char *page, struct byw_diag *diag);

/* Prints which machine instructions each PTX operation becomes, and their cycles, measured on small
 * kernels. */
enum byw_status byw_machine_operations(uint32_t arch, struct byw_diag *diag);

#endif
