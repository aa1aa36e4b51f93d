/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_kernel_pick.h - kernels chosen by a regular expression, the same in every command.
 */
#ifndef BYW_KERNEL_PICK_H
#define BYW_KERNEL_PICK_H

#include <stdbool.h>

#include "common/byw_status.h"

struct byw_kernel_pick;

/* Compiles a POSIX extended regular expression.  BYW_EINVAL with a sentence if it is malformed. */
enum byw_status byw_kernel_pick_create(const char *expression, struct byw_kernel_pick **pick,
                                       struct byw_diag *diag);
void byw_kernel_pick_free(struct byw_kernel_pick *pick); /* NULL is allowed */

/* Whether the expression matches a part of the kernel's symbol or of its name in C++
 * (byw_kernel_name.h).  A NULL pick matches every kernel. */
bool byw_kernel_pick_has(const struct byw_kernel_pick *pick, const char *symbol);

/* The expression; NULL for a NULL pick. */
const char *byw_kernel_pick_text(const struct byw_kernel_pick *pick);

#endif
