/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_cl_print.h - printf of OpenCL C, vectors included.
 *
 * A kernel's call passes its arguments as 64-bit words: integers and addresses extended, floating
 * numbers as doubles, one word per element of a vector.
 */
#ifndef BYW_CL_PRINT_H
#define BYW_CL_PRINT_H

#include <stdint.h>

/* Writes to file descriptor 1, after flushing the host's stdio like PoCL, so that the two outputs
 * are in order. Returns what printf returns in OpenCL C: 0, or -1 on an error. */
int byw_cl_print(const char *format, const uint64_t *words);

#endif
