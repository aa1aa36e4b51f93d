/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_reproduce_state.h - private to byw_reproduce: the request and the results.
 */
#ifndef BYW_REPRODUCE_STATE_H
#define BYW_REPRODUCE_STATE_H

#include "study/papers/byw_reproduce.h"
#include "trace/file/byw_trace_sum.h"

enum { BYW_VARIANT_ROOM = 512 };

/* A configuration or another source, and the workloads that it is needed for. */
struct byw_variant {
    char *text; /* the source as text: "fermi/bl l1d.sets=64", "trace" */
    char *workloads;
};

struct byw_variants {
    struct byw_variant *item;
    size_t count, room;
};

struct byw_reproduce {
    const struct byw_places *places;
    const struct byw_papers *papers;
    const char *paper, *figure, *claim, *traces, *size;
    bool claims; /* claims only, without figures */
    unsigned repeat; /* at least 1 */
    char *settings; /* " KEY=VALUE ..." of every run */
    bool cut; /* byw_reproduce_make() was interrupted: some results other than runs are missing */
    struct byw_variants runs; /* grids of the plan, in its order */
    struct byw_variants others;
    struct byw_plan *plan; /* NULL: no runs */
    json_t *result; /* results of runs, by run id */
    json_t *made; /* results of the other sources: by variant, by workload */
};

/* Whether the source is a run of the plan: "MACHINE/POLICY ...". */
bool byw_source_is_run(const struct byw_source *source);
/* Reads the configuration of "MACHINE/POLICY KEY=VALUE ..."; modifies the text; the names of
 * machine and policy then point into it. */
enum byw_status byw_variant_read(const struct byw_reproduce *r, char *text, const char *name[2],
                                 struct byw_config *config, struct byw_diag *diag);
/* Whether the source is simulated, so that a seed affects its value. */
bool byw_source_has_noise(const struct byw_source *source);
/* How many times it is run: options->repeat, or once without noise. */
unsigned byw_source_repeats(const struct byw_reproduce *r, const struct byw_source *source);
/* The run of repetition k, from 0, with the settings of all runs and a seed. */
void byw_source_variant(const struct byw_reproduce *r, const struct byw_source *source, unsigned k,
                        char text[BYW_VARIANT_ROOM]);
/* A source as shown to readers, given its run or one of its variants: "gcn_apu/bl workload=nw". */
void byw_source_text(const struct byw_source *source, const char *variant,
                     char text[BYW_VARIANT_ROOM]);
/* The workload whose result a source gives for a row. */
const char *byw_source_workload(const struct byw_source *source, const char *row);

/* Whether the claim's reason is shown next to its verdict. */
bool byw_reproduce_explains(enum byw_verdict verdict, const struct byw_claim *claim);

/* A source's value for a row in repetition k: the row's metric, or its own; NaN if there is
 * none. */
double byw_reproduce_metric(const struct byw_reproduce *r, const struct byw_source *source,
                            const char *row, const char *metric, unsigned k);

/* The metric of a source for a row or number whose metric is `metric`. */
void byw_source_metric(const struct byw_source *source, const char *metric, char *text,
                       size_t room);
/* A source's result for a row in repetition k, borrowed; NULL: not made or refused. */
json_t *byw_reproduce_result(const struct byw_reproduce *r, const struct byw_source *source,
                             const char *row, unsigned k);

/* The id of the run that the value comes from; NULL if it is not from a run of the sweep. */
const char *byw_reproduce_run(const struct byw_reproduce *r, const struct byw_source *source,
                              const char *row, unsigned k);

/* The names of a selection; release with byw_names_free(). */
enum byw_status byw_reproduce_names(const struct byw_reproduce *r,
                                    const struct byw_selection *selection, struct byw_names *names,
                                    struct byw_diag *diag);

/* Sets the value of a source other than a run for a row; takes ownership of the value. */
void byw_reproduce_put(struct byw_reproduce *r, const char *variant, const char *row,
                       json_t *value);

/* The trace of a workload, and its checksum, which names the results computed from it. */
struct byw_reproduce_trace {
    char path[BYW_PATH_ROOM], sum[BYW_TRACE_SUM_ROOM];
};
enum byw_status byw_reproduce_trace(const struct byw_reproduce *r, const char *workload,
                                    uint32_t lanes, struct byw_reproduce_trace *trace,
                                    struct byw_diag *diag);

#endif
