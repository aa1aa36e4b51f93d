/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_private.h - whether a folder or file is this user's alone.  What is loaded from the cache
 * runs as code, so nobody else may have been able to change it.
 *
 * A folder is private if its owner is this user, neither its group nor others can write it, it is
 * no symbolic link, and nobody else can put another one in its place: each folder above it belongs
 * to this user or to root and can be written by nobody else, or has the sticky bit. Links above it
 * are followed if they belong to this user or to root.
 */
#ifndef BYW_PRIVATE_H
#define BYW_PRIVATE_H

#include <stdbool.h>

#include "common/byw_status.h"

/* Creates the folder and those above it as needed, readable by this user only whatever the umask.
 * BYW_ECHECK: not private; the message says why and what to do. BYW_EIO: it cannot be created or
 * written. */
enum byw_status byw_private_folder(const char *path, struct byw_diag *diag);

/* The same without creating anything: BYW_OK for a folder that does not exist yet, too. */
enum byw_status byw_private_look(const char *path, struct byw_diag *diag);

/* Opens a file of a folder for reading; -1: there is none, or none that can be trusted. Such a file
 * (owned by another user, writable by others, a symbolic link) is removed, and *foreign set. */
int byw_private_open(const char *folder, const char *name, bool *foreign);

/* A new private folder below $TMPDIR or /tmp. */
enum byw_status byw_private_temporary(char *path, unsigned room, struct byw_diag *diag);

#endif
