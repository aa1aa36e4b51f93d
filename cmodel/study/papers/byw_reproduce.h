/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_reproduce.h - what the papers claim and draw (byw_papers.h), redone by runs of a sweep and
 * judged.
 *
 * A claim is reproduced when every number of it has the paper's sign, order or level, partly when
 * some have, not when none has or no run can judge it, incomplete while runs of it are missing.
 *
 * A number is a metric of what a source gives for a workload.  Its `run` is one of:
 *
 *   MACHINE/POLICY KEY=VALUE ...   a run of the sweep
 *   trace                          reuse in the workload's trace (trace/stats/byw_trace_info.h)
 *   stream MACHINE/POLICY ...      the same of the requests that a run's L1Ds did not bypass
 *   mpache                         Mpache's study of a kernel or a program (byw_mpache_kernels.def)
 *   costs                          constants: the kept synthesis, CACTI (byw_reproduce_costs.c)
 */
#ifndef BYW_REPRODUCE_H
#define BYW_REPRODUCE_H

#include "common/byw_file.h"
#include "study/papers/byw_papers.h"
#include "study/sweep/byw_sweep.h"

#define BYW_VERDICT_LIST(X)                                                                        \
    X(BYW_REPRODUCED, "reproduced")                                                                \
    X(BYW_PARTLY, "partly")                                                                        \
    X(BYW_NOT, "not")                                                                              \
    X(BYW_INCOMPLETE, "incomplete")

enum byw_verdict {
#define X(code, name) code,
    BYW_VERDICT_LIST(X)
#undef X
        BYW_VERDICTS
};

struct byw_reproduce; /* what is asked for, and its runs */

/* What is asked for. */
struct byw_reproduce_request {
    const struct byw_papers *papers; /* outlives what is created */
    const char *paper; /* numbers of papers with commas between, or "all" */
    const char *figure; /* NULL or the id of a figure, then that alone */
    const char *claim; /* NULL or the id of a claim, then that alone */
    const char *traces; /* NULL or a folder with other inputs; what it lacks is the shipped one */
    const char *size; /* name of the inputs, for reports; NULL: none */
    bool claims; /* without figures */
};

/* BYW_ENOENT for a paper, figure or claim that does not exist. */
enum byw_status byw_reproduce_create(const struct byw_places *places,
                                     const struct byw_reproduce_request *request,
                                     struct byw_reproduce **reproduce, struct byw_diag *diag);
void byw_reproduce_free(struct byw_reproduce *reproduce);
const struct byw_plan *byw_reproduce_plan(const struct byw_reproduce *reproduce);
/* Workloads of whose traces it makes runs or statistics, with warps of 32 or 64 lanes; release with
 * byw_names_free(). */
enum byw_status byw_reproduce_workloads(const struct byw_reproduce *reproduce, uint32_t lanes,
                                        struct byw_names *names, struct byw_diag *diag);
/* The order in which runs are to be made: claim by claim, then figure by figure, the one next whose
 * runs take least time.  seconds: of each point; point: their numbers. */
enum byw_status byw_reproduce_order(const struct byw_reproduce *reproduce, const double *seconds,
                                    size_t *point, struct byw_diag *diag);
/* Reads the results of its runs from the store; what that lacks is missing. */
enum byw_status byw_reproduce_load(struct byw_reproduce *reproduce, const struct byw_store *store,
                                   struct byw_diag *diag);

/* What it needs beside runs of the sweep; kept in the store's folder and taken from there. */
struct byw_reproduce_more {
    struct byw_store *store;
    unsigned workers;
    const struct byw_job_options *how;
    void (*say)(size_t done, size_t count, const char *what); /* before each step; NULL: nothing */
    bool soon; /* only what takes no run: reuse in traces, costs */
};
/* BYW_ESTUCK when the stop flag was set; then what is not made is missing. */
enum byw_status byw_reproduce_make(struct byw_reproduce *reproduce,
                                   const struct byw_reproduce_more *more, struct byw_diag *diag);

bool byw_reproduce_has_claim(const struct byw_reproduce *reproduce, const struct byw_claim *claim);
bool byw_reproduce_has_figure(const struct byw_reproduce *reproduce,
                              const struct byw_figure *figure);
/* Our value; NaN when no workload gave one. */
double byw_reproduce_value(const struct byw_reproduce *reproduce,
                           const struct byw_claim_number *number);
/* Whether a value has the sign, order or level that the paper's has. */
bool byw_claim_holds(const struct byw_claim_number *number, double value);
/* Our effect over the paper's: of a number with a reference what it is away from 1, in logarithms,
 * so 1: as strong; 0.5: half of it; below 0: the other way.  Of a level value / value.  NaN where
 * the paper has no effect (1). */
double byw_claim_strength(const struct byw_claim_number *number, double value);
/* How many of the runs of a number are missing, of all; missing: NULL, or gets a text for each. */
size_t byw_reproduce_gaps(const struct byw_reproduce *reproduce,
                          const struct byw_claim_number *number, size_t *all, json_t *missing);
/* Workloads of a claim that have the shipped trace although a folder of others was given. */
json_t *byw_reproduce_shipped(const struct byw_reproduce *reproduce, const struct byw_claim *claim);
enum byw_verdict byw_reproduce_verdict(const struct byw_reproduce *reproduce,
                                       const struct byw_claim *claim);
const char *byw_verdict_name(enum byw_verdict verdict);
/* What the paper's value must be matched in. */
const char *byw_sense_name(enum byw_sense sense);

/* A metric of a result: paths and numbers with + - * / between, taken from left to right. */
double byw_metric_of(const json_t *result, const char *metric);

/* The result: papers, claims with numbers and verdicts, figures. */
json_t *byw_reproduce_json(const struct byw_reproduce *reproduce);
void byw_reproduce_table(FILE *out, const struct byw_reproduce *reproduce);
/* README.md and an SVG per chart in a folder, which is made unless it is there; about: what was
 * run, on what, when; beside: a list of what byw_reproduce_json() gave for other inputs, whose
 * numbers and verdicts stand beside. */
enum byw_status byw_reproduce_markdown(const struct byw_reproduce *reproduce, const char *folder,
                                       const char *about, const json_t *beside,
                                       struct byw_diag *diag);

#endif
