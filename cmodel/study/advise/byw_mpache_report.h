/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_mpache_report.h - Mpache's result for a program (the members `mpache` and `sweep` of a report
 * of byw_advise.h) as text, and its interaction graphs in Graphviz' language.
 */
#ifndef BYW_MPACHE_REPORT_H
#define BYW_MPACHE_REPORT_H

#include <jansson.h>
#include <stdio.h>

void byw_mpache_table(FILE *out, const json_t *report);

/* One cluster per kernel; loads with their affinities, edges within groups, one colour per mode. */
void byw_mpache_dot(FILE *out, const json_t *report);

#endif
