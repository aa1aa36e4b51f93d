/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_named_files.h - checks the files on a command line: no output may replace an input.
 *
 * Two paths name the same file if they lead to one inode, through symbolic and hard links, or, for
 * a file that does not exist yet, to one place. Standard output ("-"), pipes and devices are never
 * replaced.
 */
#ifndef BYW_NAMED_FILES_H
#define BYW_NAMED_FILES_H

#include <stddef.h>

#include "common/byw_status.h"

enum byw_file_use {
    BYW_FILE_NONE, /* names no file */
    BYW_FILE_READ, /* a file, a folder, a shipped configuration, or several, separated by commas */
    BYW_FILE_WRITTEN, /* a result */
    BYW_FILE_TRACE, /* a trace, as a file or a folder, is written */
    BYW_FILE_PAGES, /* a folder in which index.html is written */
};

struct byw_named_file {
    const char *what; /* its name in messages: "--json" */
    const char *path;
    enum byw_file_use use;
};

/* Returns BYW_EINVAL, with a sentence that names both files, when an output is also an input, when
 * two outputs are the same file, or when a result would replace a trace or a run of a sweep. */
enum byw_status byw_named_files_check(const struct byw_named_file *file, size_t count,
                                      struct byw_diag *diag);

#endif
