/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_input.h - opens input files without ever blocking indefinitely: opening a pipe without a
 * writer or reading a device could block.
 */
#ifndef BYW_INPUT_H
#define BYW_INPUT_H

#include <stdbool.h>
#include <stdio.h>

#include "common/byw_status.h"

enum byw_input_kind {
    BYW_INPUT_FILE, /* regular files only, because the input is read more than once */
    BYW_INPUT_STREAM, /* regular files, and pipes that a program writes to within BYW_INPUT_WAIT
                         seconds */
};

enum { BYW_INPUT_WAIT = 2 };

/* expected: what the file should be, for messages ("a machine file"). BYW_ENOENT: no such file.
 * BYW_EIO: it is a folder, a device or an unexpected pipe, or cannot be opened. */
enum byw_status byw_input_open(const char *path, enum byw_input_kind kind, const char *expected,
                               FILE **stream, struct byw_diag *diag);

#endif
