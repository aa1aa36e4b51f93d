/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_cl_leash.h - ends a process when the command that captures it ends, even if another process
 * started it.
 */
#ifndef BYW_CL_LEASH_H
#define BYW_CL_LEASH_H

/* The kernel kills this process when the last writer of the pipe `fd` closes it, or at once if
 * there is none. Each process must call this itself. */
void byw_cl_leash(int fd);

#endif
