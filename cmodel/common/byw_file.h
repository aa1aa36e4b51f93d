/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_file.h - output files that appear whole or not at all.
 *
 * byw_file_create() opens a file without a name in the target's folder; the caller writes to
 * byw_file_stream() and then calls either byw_file_commit(), which checks that every byte reached
 * the disk and gives the file its name, or byw_file_discard().  An existing target keeps its
 * content until the commit.  A program that is killed in between leaves nothing, for the kernel
 * frees what has no name; only where the file system has no such files (O_TMPFILE) it is a
 * temporary file next to the target that is renamed.
 *
 * Through a symbolic link the file that it points to is replaced, not the link.  A target that
 * exists and is not a regular file (a pipe, /dev/null) cannot be replaced: it is written directly,
 * as is standard output, which "-" stands for.
 */
#ifndef BYW_FILE_H
#define BYW_FILE_H

#include <stdio.h>

#include "common/byw_status.h"

struct byw_file;

/* BYW_EIO when the folder is missing or not writable, or standard output is closed; BYW_ENOMEM.
 * *file is set on success only.  Before a long run, so that it does not run for nothing. */
enum byw_status byw_file_create(const char *path, struct byw_file **file, struct byw_diag *diag);

/* The same for a file that another process has created for this path and written, which has ended
 * or left it alone: descriptor fd, closed by _commit and _discard, is of that file. */
enum byw_status byw_file_adopt(const char *path, int fd, struct byw_file **file,
                               struct byw_diag *diag);

/* The stream to write to; its errors need not be checked, _commit reports them. */
FILE *byw_file_stream(struct byw_file *file);

/* Flushes, syncs and names it; frees `file` in every case (standard output stays open).  On BYW_EIO
 * (full disk, for one) the new file is gone and the target is as it was. */
enum byw_status byw_file_commit(struct byw_file *file, struct byw_diag *diag);

/* Drops what was written and frees `file` (NULL is allowed). */
void byw_file_discard(struct byw_file *file);

#endif
