/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_report.h - a comparison as one self-contained HTML page: interactive charts (byw_page.h),
 * every number in tables below them, light and dark themes, colours that colour-blind readers can
 * distinguish (Okabe and Ito). It loads nothing.
 */
#ifndef BYW_REPORT_H
#define BYW_REPORT_H

#include "study/compare/byw_compare.h"

/* Writes the page of comparisons that differ in the machine only, and commits the file (or discards
 * it on failure). */
enum byw_status byw_report_write(struct byw_compare *const *compare, size_t count,
                                 struct byw_file *file, struct byw_diag *diag);

#endif
