/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_cl_windows.h - the scratchpads of work-groups that form clusters.
 *
 * They are stored one after another in a file in memory. The running group sees its own at
 * BYW_CL_SHARED_BASE, and that of each rank of its cluster, its own included, in a window
 * (byw_cl_scratchpad.h).
 */
#ifndef BYW_CL_WINDOWS_H
#define BYW_CL_WINDOWS_H

#include <stdbool.h>
#include <stdint.h>

struct byw_cl_windows;

/* groups: number of groups in a cluster. NULL: out of memory, or the addresses are in use. */
struct byw_cl_windows *byw_cl_windows_create(uint32_t groups);
/* Afterwards the addresses show a scratchpad of zeros again; w may be NULL. */
void byw_cl_windows_free(struct byw_cl_windows *w);
/* Maps scratchpad `number` as the group's own, and those of its cluster, whose first is number /
 * groups * groups. False: out of memory. */
bool byw_cl_windows_show(struct byw_cl_windows *w, uint32_t number);

#endif
