/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_cl_windows.h - the scratchpads of work-groups that form clusters.
 *
 * They lie in a file in memory, one behind the other.  A group that runs sees its own at
 * BYW_CL_SHARED_BASE, and that of each rank of its cluster, its own included, in a window
 * (byw_cl_scratchpad.h).
 */
#ifndef BYW_CL_WINDOWS_H
#define BYW_CL_WINDOWS_H

#include <stdbool.h>
#include <stdint.h>

struct byw_cl_windows;

/* groups: of a cluster.  NULL: no memory, or the addresses are taken. */
struct byw_cl_windows *byw_cl_windows_create(uint32_t groups);
/* The addresses show a scratchpad of zeros again; NULL is allowed. */
void byw_cl_windows_free(struct byw_cl_windows *w);
/* Shows scratchpad `number` as the group's own, and those of its cluster: number / groups * groups
 * and the following.  False: no memory. */
bool byw_cl_windows_show(struct byw_cl_windows *w, uint32_t number);

#endif
