/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_report_page.h - what all pages have: the style, as a list of strings that ends with NULL, and
 * the escaping of text.
 */
#ifndef BYW_REPORT_PAGE_H
#define BYW_REPORT_PAGE_H

#include <stdio.h>

extern const char *const byw_report_style[];

/* Text with & < > " replaced. */
void byw_html_text(FILE *out, const char *text);

#endif
