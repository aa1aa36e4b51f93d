/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_trace_sum.h - the checksum of a trace, by which a result identifies its input.
 *
 * For a file it is what `xxhsum -H2 FILE` prints (128 bits of XXH3, as 32 hex digits).  For a
 * folder it covers the names and contents of its files, in the order of their names, without
 * decoded copies (byw_trace_kept.h).
 */
#ifndef BYW_TRACE_SUM_H
#define BYW_TRACE_SUM_H

#include <stddef.h>

#include "common/byw_status.h"

enum { BYW_TRACE_SUM_ROOM = 33 };

/* BYW_EUNSUPPORTED: input that can be read only once (a pipe); BYW_EIO; BYW_ENOMEM. */
enum byw_status byw_trace_sum(const char *path, char sum[BYW_TRACE_SUM_ROOM],
                              struct byw_diag *diag);

/* Computes byw_trace_sum()'s checksum for a text. */
void byw_text_sum(const char *text, size_t length, char sum[BYW_TRACE_SUM_ROOM]);

#endif
