/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_file.h - output files that appear complete or not at all.
 *
 * byw_file_create() opens an unnamed file in the target's folder.  The caller writes to
 * byw_file_stream() and then calls byw_file_commit() or byw_file_discard().  byw_file_commit()
 * checks that every byte reached the disk and names the file.  Until then an existing target keeps
 * its content.  If the program is killed, the kernel frees the unnamed file.  If the file system
 * has no unnamed files (O_TMPFILE), a temporary file next to the target is written and renamed.
 *
 * If the target is a symbolic link, the file that it points to is replaced.  A target that is not a
 * regular file (a pipe, /dev/null) cannot be replaced and is written directly.  So is standard
 * output, which is named "-".
 */
#ifndef BYW_FILE_H
#define BYW_FILE_H

#include <stdio.h>

#include "common/byw_status.h"

struct byw_file;

/* BYW_EIO: the folder is missing or not writable, or standard output is closed. BYW_ENOMEM: out of
 * memory. *file is set on success only. Call this before a long run, so that a bad path is reported
 * at once. */
enum byw_status byw_file_create(const char *path, struct byw_file **file, struct byw_diag *diag);

/* Adopts a file that another process created for this path; that process must write no more.  fd is
 * its descriptor, which _commit and _discard close. */
enum byw_status byw_file_adopt(const char *path, int fd, struct byw_file **file,
                               struct byw_diag *diag);

/* The stream to write to.  Its errors need no check; byw_file_commit() reports them. */
FILE *byw_file_stream(struct byw_file *file);

/* Flushes, syncs and names the file.  Always frees `file`; standard output stays open.  On BYW_EIO
 * (disk full, for example) the new file is removed and the target is unchanged. */
enum byw_status byw_file_commit(struct byw_file *file, struct byw_diag *diag);

/* Discards what was written and frees `file`, which may be NULL. */
void byw_file_discard(struct byw_file *file);

#endif
