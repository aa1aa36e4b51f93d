/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_oracle_report.h - the result of `byway oracle`: counts of byw_oracle.h by workload, and, if
 * it was searched for, the bound in cycles (byw_bound.h).
 */
#ifndef BYW_ORACLE_REPORT_H
#define BYW_ORACLE_REPORT_H

#include <stdio.h>

#include "study/job/byw_result_json.h"

#define BYW_ORACLE_SCHEMA "byway.oracle/1"

/* One object from the results of runs with the member `oracle`, on one machine with one policy;
 * refused runs are left out. A new reference, NULL if memory runs out. */
json_t *byw_oracle_report(json_t *const *results, size_t count);

/* Prints the report for a terminal; a single workload is shown with every SM. */
void byw_oracle_table(FILE *out, const json_t *report);

#endif
