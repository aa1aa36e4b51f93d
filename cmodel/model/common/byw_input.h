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
    BYW_INPUT_FILE, /* regular files only: it is read more than once */
    BYW_INPUT_STREAM, /* or a pipe that a program writes to within BYW_INPUT_WAIT seconds */
};

enum { BYW_INPUT_WAIT = 2 };

/* expected: its name in messages, "a machine file".  BYW_ENOENT, or BYW_EIO when it is a
 * folder or a device, a pipe where none is expected, or cannot be opened. */
enum byw_status byw_input_open(const char *path, enum byw_input_kind kind, const char *expected,
                               FILE **stream, struct byw_diag *diag);

#endif
