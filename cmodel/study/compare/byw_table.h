/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_table.h - results as text for a terminal.
 */
#ifndef BYW_TABLE_H
#define BYW_TABLE_H

#include <stdio.h>

#include "study/compare/byw_compare.h"

/* The comparison: relative IPC with classes and geometric means, hit rate, L2 reads; all: every
 * metric. A gap is shown as "-" with the number of its footnote. */
void byw_table_compare(FILE *out, const struct byw_compare *compare, bool all);
/* The means of comparisons on several machines, one table below the other. */
void byw_table_machines(FILE *out, struct byw_compare *const *compare, size_t count);
/* Explains the classes, once below all tables. */
void byw_table_legend(FILE *out);

/* Whether a run's policy bypasses every load. */
bool byw_table_bypasses_all(const json_t *result);

/* Prints one run in about twenty lines. */
void byw_table_run(FILE *out, const json_t *result);

#endif
