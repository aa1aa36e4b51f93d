/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_report_page.h - shared by all pages: the style and the escaping of text.
 */
#ifndef BYW_REPORT_PAGE_H
#define BYW_REPORT_PAGE_H

#include <stdio.h>

/* Writes the palette and the common style. */
void byw_report_style(FILE *out);

/* Text with & < > " replaced. */
void byw_html_text(FILE *out, const char *text);

#endif
