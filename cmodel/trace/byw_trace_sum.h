/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_trace_sum.h - the checksum of a trace: by it a result says what it was made from.
 *
 * Of a file it is what `xxhsum -H2 FILE` prints (128 bits of XXH3, as 32 hex digits).  Of a folder
 * it is that of the names and contents of the files in it, in the order of their
 * names, without what is kept of them (byw_trace_kept.h).
 */
#ifndef BYW_TRACE_SUM_H
#define BYW_TRACE_SUM_H

#include <stddef.h>

#include "common/byw_status.h"

enum { BYW_TRACE_SUM_ROOM = 33 };

/* BYW_EUNSUPPORTED for what can be read only once (a pipe); BYW_EIO; BYW_ENOMEM. */
enum byw_status byw_trace_sum(const char *path, char sum[BYW_TRACE_SUM_ROOM],
                              struct byw_diag *diag);

/* The same sum of a text. */
void byw_text_sum(const char *text, size_t length, char sum[BYW_TRACE_SUM_ROOM]);

#endif
