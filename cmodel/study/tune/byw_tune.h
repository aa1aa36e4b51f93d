/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_tune.h - the best values of a policy's keys for a set of workloads, within a storage budget.
 *
 * Candidates are the values of the policy file and random ones from the keys' ranges, each of which
 * the machine accepts and the budget allows; successive halving (byw_halving.h) chooses among them
 * by the geometric mean of IPC relative to the policy file's values.  The runs are a sweep's: they
 * are kept, and the same search goes on from them.  The same seed gives the same search.
 *
 * What was tuned to is no proof: the best values and the file's are also run on workloads that the
 * search has not seen.
 */
#ifndef BYW_TUNE_H
#define BYW_TUNE_H

#include "study/job/byw_store.h"
#include "study/sweep/byw_plan.h"

struct byw_tune_options {
    const char *machine, *policy;
    const char *workloads; /* to tune to; NULL: those of `traces` alone */
    const char *const *traces;
    size_t trace_count;
    const char *held; /* workloads to hold out; NULL: a third of the others, taken by the seed */
    const char *keys; /* "a,b"; NULL: every number and choice of the mechanisms in use */
    const char *const *settings; /* KEY=V1,V2: only these values, and that key is searched, too */
    size_t setting_count;
    uint64_t bits; /* most that mechanisms and replacement may add to an SM's L1; 0: any */
    uint64_t candidates, eta, seed;
    /* Makes the runs of a plan that the store lacks. */
    enum byw_status (*run)(void *ctx, const struct byw_plan *plan, struct byw_diag *diag);
    void *ctx;
    /* NULL, or: told at the beginning of each round. */
    void (*say)(size_t round, size_t rounds, size_t candidates, size_t workloads);
};

struct byw_tune;

enum byw_status byw_tune_create(const struct byw_places *places,
                                const struct byw_tune_options *options, struct byw_tune **tune,
                                struct byw_diag *diag);
void byw_tune_free(struct byw_tune *tune);
enum byw_status byw_tune_run(struct byw_tune *tune, const struct byw_store *store,
                             struct byw_diag *diag);

/* After byw_tune_run(). */
json_t *byw_tune_json(const struct byw_tune *tune);
void byw_tune_table(FILE *out, const struct byw_tune *tune);

#endif
