/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_report_chart.h - grouped bars of a comparison as inline SVG, and HTML text escaping.
 *
 * One group per workload, in the comparison's order (classes side by side), then the means; a gap
 * has no bar.  Colours are the CSS variables --p0 to --p7 of the page.  Each group carries its name
 * and values in data attributes, which the page's tooltip shows.
 */
#ifndef BYW_REPORT_CHART_H
#define BYW_REPORT_CHART_H

#include <stdio.h>

#include "study/byw_compare.h"

enum { BYW_CHART_COLOURS = 8 };

/* Bars of one metric; of a relative one the first policy is the line at 1 and gets no bars.
 * values[rows * policies] is scratch space. */
void byw_chart_bars(FILE *out, const struct byw_compare *compare, enum byw_metric metric,
                    double *values);

/* Text with & < > " replaced. */
void byw_html_text(FILE *out, const char *text);

#endif
