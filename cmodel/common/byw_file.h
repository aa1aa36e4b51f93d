/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_file.h - output files that appear whole or not at all.
 *
 * byw_file_create() opens a new temporary file beside the target; the caller writes to
 * byw_file_stream() and then calls either byw_file_commit(), which checks that every byte reached
 * the disk and renames the file into place, or byw_file_discard(), which removes it.  An existing
 * target keeps its content until the commit.  Through a symbolic link the file that it points to is
 * replaced, not the link.  A target that exists and is no regular file (a pipe, /dev/null) cannot
 * be replaced: it is written directly.
 */
#ifndef BYW_FILE_H
#define BYW_FILE_H

#include <stdio.h>

#include "common/byw_status.h"

struct byw_file;

/* BYW_EIO when the folder is missing or not writable, BYW_ENOMEM.  *file is set on success only. */
enum byw_status byw_file_create(const char *path, struct byw_file **file, struct byw_diag *diag);

/* The stream to write to; its errors need not be checked, _commit reports them. */
FILE *byw_file_stream(struct byw_file *file);

/* Flushes, syncs and renames; frees `file` in every case.  On BYW_EIO (full disk, for one) the
 * temporary is gone and the target is as it was. */
enum byw_status byw_file_commit(struct byw_file *file, struct byw_diag *diag);

/* Removes the temporary and frees `file` (NULL is allowed). */
void byw_file_discard(struct byw_file *file);

#endif
