/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_report.h - a comparison as one HTML page that needs nothing else: charts to work with
 * (byw_page.h), every number in tables below them, light and dark, colours that colour-blind
 * readers can tell apart (Okabe and Ito).  No network, no other file.
 */
#ifndef BYW_REPORT_H
#define BYW_REPORT_H

#include "study/compare/byw_compare.h"

/* Writes the page of comparisons that differ in the machine only, and commits the file (or discards
 * it on failure). */
enum byw_status byw_report_write(struct byw_compare *const *compare, size_t count,
                                 struct byw_file *file, struct byw_diag *diag);

#endif
