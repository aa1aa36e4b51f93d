/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_trace_bwt_press.h - compresses the blocks of a BWT file, with as much effort as pays.
 *
 * Of a kernel's large blocks the later ones are much like the one before.  Where that hardly
 * shrank, as lists of random addresses do, no effort helps and the fastest level without a prefix
 * does; where it shrank less than a regular one, levels above 6 cost twice the time for a few per
 * cent.  What is decided depends on the blocks alone, so a second capture has the same bytes.
 */
#ifndef BYW_TRACE_BWT_PRESS_H
#define BYW_TRACE_BWT_PRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/byw_bytes.h"

struct byw_bwt_press;

/* level: of zstd, for blocks of which nothing is known yet.  NULL: no memory. */
struct byw_bwt_press *byw_bwt_press_create(int level);
void byw_bwt_press_free(struct byw_bwt_press *press); /* NULL is allowed */

/* Compresses `raw` into *out, with *prefix unless that is NULL or does not help; *prefixed says so.
 * code: of the kernel whose block it is.  Returns the size, SIZE_MAX on failure. */
size_t byw_bwt_press(struct byw_bwt_press *press, uint32_t code, const struct byw_bytes *raw,
                     const struct byw_bytes *prefix, struct byw_bytes *out, bool *prefixed);

#endif
