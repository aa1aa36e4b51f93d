/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_advise_waits.h - which loads of a kernel its warps wait for, and where, by machine code: from
 * the member `stalls` of a run without advice (job/byw_stall_json.h).
 */
#ifndef BYW_ADVISE_WAITS_H
#define BYW_ADVISE_WAITS_H

#include <jansson.h>

/* A list, most cycles first, of {line, share (of the kernel's warp cycles), l1, l2, dram (shares of
 * these, by what answered), at: list of {line, share}}: the line of the load, and the lines of the
 * instructions that wait for it.  A line below 1 % is left out; line 0: unknown.  NULL: the kernel
 * has no machine code, or out of memory. */
json_t *byw_advise_waits(const json_t *result, const char *kernel);

#endif
