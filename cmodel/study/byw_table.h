/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_table.h - results as text for a terminal.
 */
#ifndef BYW_TABLE_H
#define BYW_TABLE_H

#include <stdio.h>

#include "study/byw_compare.h"

/* The comparison: relative IPC with classes and geometric means, hit rate, L2 reads; all: every
 * metric. */
void byw_table_compare(FILE *out, const struct byw_compare *compare, bool all);

/* One run in about twenty lines. */
void byw_table_run(FILE *out, const json_t *result);

#endif
