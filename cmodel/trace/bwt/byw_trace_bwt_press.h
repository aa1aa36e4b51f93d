/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_trace_bwt_press.h - compresses the blocks of a BWT file, with as much effort as pays off.
 *
 * A kernel's large blocks resemble each other, so the ratio of the last one decides.  If it hardly
 * shrank (lists of random addresses), effort does not help: the fastest level without a prefix is
 * used.  If it shrank to more than 1/16, a low level is used, because high ones would double the
 * time to gain a few percent. The decision depends only on the blocks, so a second capture produces
 * the same bytes.
 */
#ifndef BYW_TRACE_BWT_PRESS_H
#define BYW_TRACE_BWT_PRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/byw_bytes.h"

struct byw_bwt_press;

/* level: zstd level for blocks without history.  NULL: out of memory. */
struct byw_bwt_press *byw_bwt_press_create(int level);
void byw_bwt_press_free(struct byw_bwt_press *press); /* accepts NULL */

/* Compresses `raw` into *out, with *prefix unless that is NULL or does not help; *prefixed: it was
 * used. code: of the block's kernel.  Returns the size, or SIZE_MAX on failure. */
size_t byw_bwt_press(struct byw_bwt_press *press, uint32_t code, const struct byw_bytes *raw,
                     const struct byw_bytes *prefix, struct byw_bytes *out, bool *prefixed);

#endif
