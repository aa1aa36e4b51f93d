/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_advise_waits.h - which loads of a kernel its warps wait for, and where, by machine code: from
 * the member `stalls` of a run without advice (job/byw_stall_json.h).
 */
#ifndef BYW_ADVISE_WAITS_H
#define BYW_ADVISE_WAITS_H

#include <jansson.h>

/* The source lines with loads, most cycles first: a list of {line, share, l1, l2, dram, at}.
 *
 *   line           0: unknown; lines with a share below 1 % are omitted
 *   share          warp cycles spent waiting for the line's loads, of all those of the kernel
 *   l1, l2, dram   the same, only for loads answered by this level
 *   at             list of {line, share}: the lines of the instructions that waited
 *
 * NULL: the kernel has no machine code, or out of memory. */
json_t *byw_advise_waits(const json_t *result, const char *kernel);

#endif
