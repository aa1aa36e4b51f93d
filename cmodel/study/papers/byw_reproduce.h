/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_reproduce.h - reproduces the papers' claims and figures (byw_papers.h) with runs of a
 * sweep, and judges them.
 *
 * byw_verdict.h has the rules.  With `repeat` above 1 every run is made with noise.seed 1 ...
 * repeat (study/job/byw_repeat.h), a number is computed for each seed, and the interval of their
 * mean is its uncertainty; the run without noise is not used.
 *
 * A number is a metric of a source's result for a workload.  Its `run` is one of:
 *
 *   MACHINE/POLICY KEY=VALUE ...   a run of the sweep
 *   trace                          reuse in the workload's trace (trace/stats/byw_trace_info.h)
 *   stream MACHINE/POLICY ...      the same for the requests that a run's L1Ds did not bypass
 *   mpache                         Mpache's study of a kernel or a program (byw_mpache_kernels.def)
 *   costs                          constants: the kept synthesis, CACTI (byw_reproduce_costs.c)
 */
#ifndef BYW_REPRODUCE_H
#define BYW_REPRODUCE_H

#include "common/byw_file.h"
#include "study/papers/byw_papers.h"
#include "study/papers/byw_verdict.h"
#include "study/sweep/byw_sweep.h"

struct byw_reproduce; /* the request and its runs */

/* Names of input sizes in reports: traces of the papers' own programs (byw_originals.h), others. */
#define BYW_REPRODUCE_OWN "own"
#define BYW_REPRODUCE_TRACES "traces"

/* What to reproduce, and with which inputs and settings. */
struct byw_reproduce_request {
    const struct byw_papers *papers; /* must outlive the objects created from it */
    const char *paper; /* numbers of papers, separated by commas, or "all" */
    const char *figure; /* NULL, or the id of the only figure */
    const char *claim; /* NULL, or the id of the only claim */
    const char *traces; /* NULL, or a folder of other inputs; shipped traces replace missing ones */
    const char *size; /* name of the inputs, for reports; NULL: none */
    bool claims; /* only claims, without figures */
    unsigned repeat; /* runs of each kind, 1 to BYW_REPEAT_MOST; 0: 1 */
    const char *const *setting; /* KEY=VALUE for every run, applied after those of its record */
    size_t settings;
};

/* BYW_ENOENT for a paper, figure or claim that does not exist. */
enum byw_status byw_reproduce_create(const struct byw_places *places,
                                     const struct byw_reproduce_request *request,
                                     struct byw_reproduce **reproduce, struct byw_diag *diag);
void byw_reproduce_free(struct byw_reproduce *reproduce);
const struct byw_plan *byw_reproduce_plan(const struct byw_reproduce *reproduce);
/* Workloads whose traces are needed, with warps of 32 or 64 lanes; release with
 * byw_names_free(). */
enum byw_status byw_reproduce_workloads(const struct byw_reproduce *reproduce, uint32_t lanes,
                                        struct byw_names *names, struct byw_diag *diag);
/* The order in which to make the runs: claim by claim, then figure by figure, the cheapest next.
 * seconds: estimated time of each point; point: receives the numbers of the points. */
enum byw_status byw_reproduce_order(const struct byw_reproduce *reproduce, const double *seconds,
                                    size_t *point, struct byw_diag *diag);
/* Reads the results of its runs from the store; results that the store lacks are missing. */
enum byw_status byw_reproduce_load(struct byw_reproduce *reproduce, const struct byw_store *store,
                                   struct byw_diag *diag);

/* Makes the results needed in addition to runs of the sweep; they are kept in the store's folder
 * and reused. */
struct byw_reproduce_more {
    struct byw_store *store;
    unsigned workers;
    const struct byw_job_options *how;
    void (*say)(size_t done, size_t count, const char *what); /* called before each step; NULL:
                                                                 never */
    bool soon; /* only results that need no run: reuse in traces, costs */
};
/* BYW_ESTUCK if the stop flag was set; then unfinished results are missing. */
enum byw_status byw_reproduce_make(struct byw_reproduce *reproduce,
                                   const struct byw_reproduce_more *more, struct byw_diag *diag);

bool byw_reproduce_has_claim(const struct byw_reproduce *reproduce, const struct byw_claim *claim);
bool byw_reproduce_has_figure(const struct byw_reproduce *reproduce,
                              const struct byw_figure *figure);
/* Byway's value over the seeds; the mean is NaN if no workload has one. */
struct byw_spread byw_reproduce_spread(const struct byw_reproduce *reproduce,
                                       const struct byw_claim_number *number);
/* A number, its uncertainty, and the verdict.  acting: if the reference must act for the number to
 * mean anything (byw_claim_number.acts), the share that it acts on; otherwise NaN. */
struct byw_judged {
    struct byw_spread value;
    struct byw_uncertainty uncertainty;
    double acting;
    enum byw_verdict verdict;
};
#define BYW_ACTING_LEAST 0.01
struct byw_judged byw_reproduce_judge(const struct byw_reproduce *reproduce,
                                      const struct byw_claim_number *number);
/* The same as byw_reproduce_judge() for a given value, for example that of other inputs. */
struct byw_judged byw_reproduce_judge_value(const struct byw_reproduce *reproduce,
                                            const struct byw_claim_number *number,
                                            struct byw_spread value, double acting);
/* `used`: how many of the `asked` workloads have a value. `workload`: the one without which a mean
 * loses more than half of its effect; `without`: the mean without it (NaN: there is no such
 * workload). */
struct byw_makeup {
    size_t used, asked;
    double without;
    char workload[64];
};
struct byw_makeup byw_reproduce_makeup(const struct byw_reproduce *reproduce,
                                       const struct byw_claim_number *number);
/* A note that belongs to the value: how much the reference acts, workloads without a value, a mean
 * that depends on one workload; "" if there is nothing to say. */
enum { BYW_NOTE_ROOM = 256 };
void byw_reproduce_note(const struct byw_reproduce *reproduce,
                        const struct byw_claim_number *number, char text[BYW_NOTE_ROOM]);
/* How many of a number's runs are missing, and their total; missing: NULL, or receives a text for
 * each. */
size_t byw_reproduce_gaps(const struct byw_reproduce *reproduce,
                          const struct byw_claim_number *number, size_t *all, json_t *missing);
/* Workloads of a claim that use the shipped trace although another folder was given. */
json_t *byw_reproduce_shipped(const struct byw_reproduce *reproduce, const struct byw_claim *claim);
enum byw_verdict byw_reproduce_verdict(const struct byw_reproduce *reproduce,
                                       const struct byw_claim *claim);
/* A metric of a result: paths and numbers joined by + - * /, evaluated from left to right. */
double byw_metric_of(const json_t *result, const char *metric);

/* Checks the metrics of all records: _runs against the counters of a run, before any is made;
 * _check against the other results, once they are made.  BYW_EFORMAT with file and line. */
enum byw_status byw_reproduce_check_runs(const struct byw_papers *papers, struct byw_diag *diag);
enum byw_status byw_reproduce_check(const struct byw_reproduce *reproduce, struct byw_diag *diag);
/* The result: papers, claims with numbers and verdicts, figures. */
json_t *byw_reproduce_json(const struct byw_reproduce *reproduce);
void byw_reproduce_table(FILE *out, const struct byw_reproduce *reproduce);
/* Writes README.md and an SVG per chart to a folder, which is created if needed. about: what was
 * run, where and when. beside: results of byw_reproduce_json() for other inputs, whose numbers
 * and verdicts are shown in further columns. */
enum byw_status byw_reproduce_markdown(const struct byw_reproduce *reproduce, const char *folder,
                                       const char *about, const json_t *beside,
                                       struct byw_diag *diag);

#endif
