/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_report_page.h - the fixed parts of the report page: style and tooltip script, as lists of
 * strings that end with NULL.
 */
#ifndef BYW_REPORT_PAGE_H
#define BYW_REPORT_PAGE_H

extern const char *const byw_report_style[];
extern const char *const byw_report_script[];

#endif
