/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_path.h - questions about paths.
 */
#ifndef BYW_PATH_H
#define BYW_PATH_H

#include <stdbool.h>
#include <stddef.h>

bool byw_path_is_folder(const char *path);

/* Folder of the running program; false if the system cannot tell or it does not fit. */
bool byw_path_own_folder(char *folder, size_t room);

#endif
