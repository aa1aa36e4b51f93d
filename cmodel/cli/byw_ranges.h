/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_ranges.h - lists of numbers on the command line, as in `--kernels 3,7-9`.
 */
#ifndef BYW_RANGES_H
#define BYW_RANGES_H

#include "sim/gpu/byw_gpu.h"

enum { BYW_RANGES_MAX = 64 };

/* Numbers and ranges (first-last, not descending) separated by commas, up to BYW_RANGES_MAX of
 * them, each number up to 2^32 - 1.  BYW_EINVAL with a sentence that names `what`. */
enum byw_status byw_cli_ranges(const char *what, const char *text, struct byw_launch_range *range,
                               size_t *count, struct byw_diag *diag);

#endif
