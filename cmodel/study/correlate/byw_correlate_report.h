/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_correlate_report.h - the comparison of the simulator with a GPU, as text, JSON and a page.
 */
#ifndef BYW_CORRELATE_REPORT_H
#define BYW_CORRELATE_REPORT_H

#include <jansson.h>

#include "common/byw_file.h"
#include "study/correlate/byw_correlate_score.h"

#define BYW_CORRELATE_SCHEMA "byway.correlate/1"

/* A table of the launches, the ratios of variants, the worst launches with the reason, the figures.
 */
void byw_correlate_print(FILE *out, struct byw_correlate *c);

/* All results; a new reference, NULL if out of memory.  Members: schema, machine, config, figures,
 * halves, launches. */
json_t *byw_correlate_json(struct byw_correlate *c);

/* The page with scatter plots, from the result of _json, which gets the member `verdict`; commits
 * the file, or discards it on failure. */
enum byw_status byw_correlate_page(const struct byw_correlate *c, json_t *json,
                                   struct byw_file *file, struct byw_diag *diag);

/* The figures as a table in Markdown. */
void byw_correlate_markdown(FILE *out, struct byw_correlate *c);

#endif
