/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_launch_range.h - lists of launches, as users write them: `--launches 3,7-9,20-`.
 *
 * Users count launches from 1, in every option, table, result and message. The code counts from 0.
 */
#ifndef BYW_LAUNCH_RANGE_H
#define BYW_LAUNCH_RANGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/byw_status.h"

enum { BYW_LAUNCH_RANGES_MAX = 64 };

/* Launches first to last, inclusive, counted from 0. */
struct byw_launch_range {
    uint32_t first, last;
};

struct byw_launch_ranges {
    struct byw_launch_range range[BYW_LAUNCH_RANGES_MAX];
    size_t count; /* 0: all launches */
};

/* Reads numbers from 1 (A), ranges (A-B) and open ranges (A-) separated by commas.  BYW_EINVAL with
 * a sentence that names the option `what`. */
enum byw_status byw_launch_ranges_read(const char *what, const char *text,
                                       struct byw_launch_ranges *ranges, struct byw_diag *diag);

/* Whether launch number `launch`, counted from 0, is in the list. */
bool byw_launch_ranges_have(const struct byw_launch_range *range, size_t count, uint64_t launch);

#endif
