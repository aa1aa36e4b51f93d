/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_oracle_page.h - the result of `byway oracle` as a page.
 */
#ifndef BYW_ORACLE_PAGE_H
#define BYW_ORACLE_PAGE_H

#include <stdio.h>

#include "study/compare/byw_oracle_report.h"

/* report: the result of byw_oracle_report(). */
void byw_oracle_page(FILE *out, const json_t *report);

#endif
