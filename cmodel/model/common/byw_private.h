/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_private.h - checks that only this user can change a folder or a file. Code from the cache is
 * executed, so nobody else may have been able to change it.
 *
 * A folder is private if it is no symbolic link, belongs to this user, and neither its group nor
 * others can write it. Nobody else may be able to replace it either: each folder above it must
 * belong to this user or to root, and must have the sticky bit or be writable by nobody else. Links
 * above it are followed if they belong to this user or to root.
 */
#ifndef BYW_PRIVATE_H
#define BYW_PRIVATE_H

#include <stdbool.h>

#include "common/byw_status.h"

/* Creates the folder and those above it as needed, readable by this user only whatever the umask.
 * BYW_ECHECK: not private; the message says why and what to do. BYW_EIO: it cannot be created or
 * written. */
enum byw_status byw_private_folder(const char *path, struct byw_diag *diag);

/* The same check without creating anything. Also BYW_OK if the folder does not exist yet. */
enum byw_status byw_private_look(const char *path, struct byw_diag *diag);

/* Opens a file of a folder for reading; -1: the file does not exist or cannot be trusted. A file
 * that belongs to another user, is writable by others or is a symbolic link is removed, and
 * *foreign is set. */
int byw_private_open(const char *folder, const char *name, bool *foreign);

/* A new private folder below $TMPDIR or /tmp. */
enum byw_status byw_private_temporary(char *path, unsigned room, struct byw_diag *diag);

#endif
