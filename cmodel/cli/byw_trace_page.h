/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_trace_page.h - `byway trace info` as a page.
 */
#ifndef BYW_TRACE_PAGE_H
#define BYW_TRACE_PAGE_H

#include "trace/stats/byw_trace_info.h"

/* `rows` of shown is ignored: the page has all launches. */
void byw_trace_page(FILE *out, const struct byw_trace_info *info,
                    const struct byw_trace_shown *shown);

#endif
