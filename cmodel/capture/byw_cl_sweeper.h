/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_cl_sweeper.h - removes a folder when the process that created it ends, however it ends.
 *
 * Compilers need files with names. A second process waits until the first one ends the guard or
 * dies, kill -9 included, and removes the folder if it still exists. It holds no other file of the
 * program open, blocks all signals, and is not a child that the program's own wait() would see.
 */
#ifndef BYW_CL_SWEEPER_H
#define BYW_CL_SWEEPER_H

#include <sys/types.h>

struct byw_cl_sweeper {
    int leash; /* -1: none; the folder is not guarded */
    pid_t process;
};

/* Guards an existing folder of files. */
struct byw_cl_sweeper byw_cl_sweeper_start(const char *folder);
void byw_cl_sweeper_end(struct byw_cl_sweeper sweeper);

#endif
