/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_trace_report.h - the parts of `byway trace info`, as text and as JSON.  Private to the files
 * of the report.
 */
#ifndef BYW_TRACE_REPORT_H
#define BYW_TRACE_REPORT_H

#include <jansson.h>

#include "common/byw_text.h"
#include "trace/byw_kernel_pick.h"
#include "trace/stats/byw_trace_info.h"

/* Bytes of a kernel's name as text. */
enum { BYW_TRACE_NAME_TEXT = BYW_TEXT_GROWTH * sizeof(((struct byw_kernel *)0)->name) };

static inline double byw_ratio(uint64_t part, uint64_t whole)
{
    return whole == 0 ? 0 : (double)part / (double)whole;
}

/* NULL if out of memory. */
json_t *byw_trace_report_reuse_json(const struct byw_trace_info *info);
json_t *byw_trace_report_sites_json(const struct byw_trace_info *info,
                                    const struct byw_trace_shown *shown);

void byw_trace_report_reuse(const struct byw_trace_info *info, FILE *out);

#endif
