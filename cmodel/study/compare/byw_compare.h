/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_compare.h - several policies on several workloads: relative IPC, classes, geometric means.
 *
 * One comparison is for one machine. Everything is derived from result records (byw_result_json.h),
 * so results from files compare like new ones. The record of a refused run is a gap: it has no
 * values, and a footnote gives the reason. Means are taken over the workloads that every policy
 * ran, ignoring policies that ran none. IPC is relative to the first policy. With repeated runs
 * (byw_repeat.h) every value is their mean; ratios and class means are formed per seed, so that
 * common effects of a seed cancel. A workload's class is measured by IPC(BALL) / IPC(BL), where BL
 * is the first policy with policy.mode = base and BALL the first with bypass_all (Decoupled L1D
 * paper, table 1): above 1.02 the cache hurts (CNF, cache-unfriendly), below 0.98 it helps (CF,
 * cache-friendly), otherwise it does not matter (CI, cache-insensitive).
 */
#ifndef BYW_COMPARE_H
#define BYW_COMPARE_H

#include "study/job/byw_repeat.h"
#include "study/job/byw_workload.h"

#define BYW_CNF_ABOVE 1.02
#define BYW_CF_BELOW 0.98

/* Quantities a table or chart shows: X(code, name in JSON, heading). */
#define BYW_METRIC_LIST(X)                                                                         \
    X(BYW_METRIC_IPC, "relative_ipc", "IPC relative to %s")                                        \
    X(BYW_METRIC_HIT_ALL, "hit_rate_all", "L1 hit rate, all accesses")                             \
    X(BYW_METRIC_HIT_CACHED, "hit_rate_cached", "L1 hit rate, accesses that were not bypassed")    \
    X(BYW_METRIC_L2, "l2_reads_per_kilo_instruction", "L2 reads per 1000 thread instructions")     \
    X(BYW_METRIC_ENERGY, "relative_energy", "Energy of the memory system relative to %s")

enum byw_metric {
#define X(code, name, heading) code,
    BYW_METRIC_LIST(X)
#undef X
        BYW_METRIC_COUNT
};

struct byw_compare_row {
    const char *workload;
    enum byw_wclass paper, here; /* BYW_WCLASS_NONE when unknown */
    double paper_n_ipc; /* IPC(BALL) / IPC(BL) in the paper; 0: unknown */
    json_t **result; /* [policy_count], borrowed */
    json_t *oracle; /* oracle of this workload (byw_compare_oracle.h), owned; NULL: none */
    bool complete; /* every policy that ran any workload ran this one */
};

struct byw_compare {
    const char *machine, *machine_name; /* title; name of its file */
    size_t row_count, policy_count;
    /* repeated runs of each policy on each workload; 1: a single run without noise */
    size_t repeats;
    bool measured; /* classes are measured, since BL and BALL ran a workload; otherwise they are the
                      paper's */
    struct byw_compare_row *row; /* sorted by class, then by name */
    const char **policy; /* titles, or names where two titles are equal */
    size_t note_count;
    const char **note; /* why runs were refused, each sentence once */
};

/* results[workload * policies + policy] stay the caller's and must outlive the comparison. */
enum byw_status byw_compare_create(json_t *const *results, size_t workloads, size_t policies,
                                   struct byw_compare **compare, struct byw_diag *diag);
void byw_compare_free(struct byw_compare *compare);

/* NaN at a gap; a relative value is also a gap if the first policy was refused. */
double byw_compare_value(const struct byw_compare *compare, size_t row, size_t policy,
                         enum byw_metric metric);
/* Mean and deviation of the value over repeated runs. */
struct byw_spread byw_compare_spread(const struct byw_compare *compare, size_t row, size_t policy,
                                     enum byw_metric metric);
/* Number of the footnote (from 1) for a value that is a gap; 0: the value is not a gap. */
size_t byw_compare_note(const struct byw_compare *compare, size_t row, size_t policy,
                        enum byw_metric metric);
/* Whether the policy ran any workload. */
bool byw_compare_ran(const struct byw_compare *compare, size_t policy);
/* Whether the metric is relative to the first policy. */
bool byw_metric_is_relative(enum byw_metric metric);

/* The class by IPC(BALL) / IPC(BL); BYW_WCLASS_NONE: the ratio is NaN or infinite. */
enum byw_wclass byw_class_of(double ratio);
/* "measured here" or "in the paper". */
const char *byw_class_basis(bool measured);
/* The class of a row in tables, charts and means, which all use the same basis. */
enum byw_wclass byw_compare_class(const struct byw_compare *compare, size_t row);

/* Geometric mean of relative IPC or energy, arithmetic mean of other metrics, over the complete
 * rows of a class (BYW_WCLASS_NONE: all) as in the paper or as measured; *members: number of rows.
 * NaN if there is none, or the policy ran nothing. */
double byw_compare_mean(const struct byw_compare *compare, size_t policy, enum byw_metric metric,
                        enum byw_wclass cls, bool measured, size_t *members);

/* Mean and deviation of that mean over repeated runs. */
struct byw_spread byw_compare_mean_spread(const struct byw_compare *compare, size_t policy,
                                          enum byw_metric metric, enum byw_wclass cls,
                                          bool measured, size_t *members);

/* Heading of a metric, including the first policy's name. */
void byw_compare_heading(const struct byw_compare *compare, enum byw_metric metric, char *text,
                         size_t room);

/* New reference: every run and every derived figure; gaps are null. A comparison on one machine is
 * one object; on several, the list `machines` of such objects. */
json_t *byw_compare_json(struct byw_compare *const *compare, size_t count);

#endif
