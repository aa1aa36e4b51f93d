/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_figure.h - a figure of byw_papers.h as a table: rows (workloads, kernels or metrics),
 * columns, our value and the paper's, and the table as a chart.
 *
 * Relative: values are divided by the first column; the last row is the geometric mean of the
 * rows that every column has. Absolute: if rows are workloads, the last row is their arithmetic
 * mean.
 */
#ifndef BYW_FIGURE_H
#define BYW_FIGURE_H

#include "study/papers/byw_reproduce.h"

struct byw_figure_table {
    const struct byw_figure *figure;
    size_t rows, columns; /* `rows` includes the row of means */
    bool mean; /* the last row is the mean of the others */
    char **row, **column;
    double *value, *paper; /* [row * columns + column], NaN: none */
    double *sd; /* standard deviation over the seeds, indexed as value; NaN: one run */
    unsigned repeats; /* runs of each cell */
    const char **run; /* [(row * columns + column) * repeats + k]: run id, owned by the reproduce;
                       *NULL: none */
};

/* BYW_ENOENT for an unknown workload, BYW_ENOMEM. */
enum byw_status byw_figure_make(const struct byw_reproduce *reproduce,
                                const struct byw_figure *figure, struct byw_figure_table *table,
                                struct byw_diag *diag);
void byw_figure_release(struct byw_figure_table *table);

/* Whether it has a chart: all except those of scale TABLE. */
bool byw_figure_has_chart(const struct byw_figure_table *table);
/* Bars by row, with a line at the paper's value; a complete document, or a part of a page. */
void byw_figure_svg(FILE *out, const struct byw_figure_table *table);
/* A value as tables show it: four digits, "-" for NaN. */
void byw_figure_text(double value, char text[32]);
/* " ± .012", to be printed after a value; "" for NaN. */
void byw_figure_sd_text(double sd, char text[32]);

#endif
