/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_cl_leash.h - ends a process together with the command that captures it, whoever started it.
 */
#ifndef BYW_CL_LEASH_H
#define BYW_CL_LEASH_H

/* The kernel kills this process when the last writer of the pipe `fd` is gone, at once if it is
 * gone already.  Each process asks for itself. */
void byw_cl_leash(int fd);

#endif
