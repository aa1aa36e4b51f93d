/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_tune.h - the best values of a policy's keys for a set of workloads, within a storage budget.
 *
 * Candidates are the values of the policy file and random ones from the keys' ranges that the
 * machine accepts and the budget allows. Successive halving (byw_halving.h) selects among them by
 * the geometric mean of IPC relative to the policy file's values. The runs are those of a sweep:
 * they are stored, and the same search resumes from them. The same seed gives the same search.
 *
 * Success on the tuning workloads proves nothing, so the best values and the file's are also run on
 * workloads that the search has not used.
 */
#ifndef BYW_TUNE_H
#define BYW_TUNE_H

#include "study/store/byw_store.h"
#include "study/sweep/byw_plan.h"

struct byw_tune_options {
    const char *machine, *policy;
    const char *workloads; /* tuning workloads; NULL: only those of `traces` */
    const char *const *traces;
    size_t trace_count;
    const char *held; /* held-out workloads; NULL: a third of workloads and traces, by the seed */
    const char *keys; /* "a,b"; NULL: every number and choice of the active mechanisms */
    const char *const *settings; /* KEY=V1,V2: only these values; the key is searched, too */
    size_t setting_count;
    uint64_t bits; /* largest number of bits that mechanisms and replacement may add to an SM's L1;
                      0: unlimited */
    uint64_t candidates, eta, seed;
    /* Executes the runs of a plan that the store lacks. */
    enum byw_status (*run)(void *ctx, const struct byw_plan *plan, struct byw_diag *diag);
    void *ctx;
    /* NULL, or: called at the beginning of each round. */
    void (*say)(size_t round, size_t rounds, size_t candidates, size_t workloads);
};

struct byw_tune;

enum byw_status byw_tune_create(const struct byw_places *places,
                                const struct byw_tune_options *options, struct byw_tune **tune,
                                struct byw_diag *diag);
void byw_tune_free(struct byw_tune *tune);
enum byw_status byw_tune_run(struct byw_tune *tune, const struct byw_store *store,
                             struct byw_diag *diag);

/* Call after byw_tune_run(). */
json_t *byw_tune_json(const struct byw_tune *tune);
void byw_tune_table(FILE *out, const struct byw_tune *tune);

/* Writes the result as a page. */
void byw_tune_page(FILE *out, const struct byw_tune *tune);

#endif
