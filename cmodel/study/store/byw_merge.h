/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_merge.h - the results of a store as one table: CSV, and an SQLite database.
 *
 * One line per run, sorted by workload, machine, policy and id: run_id, workload, machine, policy,
 * the keys that the sweep varied (those that differ among runs of one machine and policy), status
 * ("ok", "refused"), and every number of the result by its path ("l1d.hits").  Lists, `sim` and
 * `provenance` are omitted, so that the table does not depend on the number of processes or
 * interruptions.
 *
 * The database has
 *
 *     run(run_id, workload, machine, policy, status, doc)      doc: without `sim`, `provenance`
 *     setting(run_id, key, value)                              of the varied keys
 *     metric(run_id, name, value)                              the numbers
 *     provenance(run_id, doc)                                  `sim` and `provenance`, as JSON
 *
 * It is rebuilt in memory from the results each time, and replaces the whole file.
 */
#ifndef BYW_MERGE_H
#define BYW_MERGE_H

#include "common/byw_file.h"
#include "study/store/byw_store.h"

struct byw_merge; /* all results of a store */

enum byw_status byw_merge_create(const struct byw_store *store, struct byw_merge **merge,
                                 struct byw_diag *diag);
void byw_merge_free(struct byw_merge *merge);

size_t byw_merge_count(const struct byw_merge *merge);
json_t *byw_merge_result(const struct byw_merge *merge, size_t i); /* borrowed; in table order */
/* Keys that the sweep varied. */
size_t byw_merge_keys(const struct byw_merge *merge);
const char *byw_merge_key(const struct byw_merge *merge, size_t k);

/* Calls `use` for each number of a result, in the result's order. */
void byw_result_numbers(const json_t *result,
                        void (*use)(void *ctx, const char *path, double value), void *ctx);

/* Writes the table and commits the file (or discards it on failure). */
enum byw_status byw_merge_csv(const struct byw_merge *merge, struct byw_file *file,
                              struct byw_diag *diag);
/* Writes the same table as a database; BYW_EUNSUPPORTED if byway was built without libsqlite3. */
enum byw_status byw_merge_sqlite(const struct byw_merge *merge, struct byw_file *file,
                                 struct byw_diag *diag);
bool byw_merge_has_sqlite(void);

#endif
