/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_source_data.h - adds to the machine code of kernels (study/job/byw_stall_json.h) the PTX and
 * the source that it was made from, for the page of `byway source`.
 *
 * A kernel gets
 *
 *   texts   list of {file, first, lines}: the parts of source files that its instructions come from
 *   text_why, ptx_why   why there is no source or PTX
 *   ptx     list of {number, text, file (index in texts; -1: unknown), line}
 *
 * A trace contains neither source nor PTX. A PTX file is used only if it has the kernel with the
 * same lines as the trace.
 */
#ifndef BYW_SOURCE_DATA_H
#define BYW_SOURCE_DATA_H

#include <jansson.h>

#include "common/byw_status.h"

struct byw_source_texts;

/* ptx, source: paths; a PTX file that cannot be numbered is an error. */
enum byw_status byw_source_texts_read(const char *const *ptx, size_t ptx_count,
                                      const char *const *source, size_t source_count,
                                      struct byw_source_texts **texts, struct byw_diag *diag);
void byw_source_texts_free(struct byw_source_texts *texts); /* accepts NULL */

enum byw_status byw_source_texts_add(const struct byw_source_texts *texts, json_t *kernel,
                                     struct byw_diag *diag);

#endif
