/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_correlate.h - compares the simulator with counters of a real GPU, launch by launch.
 *
 *     byw_correlate_create(&options, &table, &c, &diag);
 *     byw_correlate_wants(c, i, &want)         for each trace that is to be captured
 *     byw_correlate_prepare(c, &diag);         finds the traces, matches rows and launches
 *     byw_correlate_run(c, store, workers, &how, &diag);
 *     byw_correlate_json(c) ...                results
 *
 * A row of the table belongs to the launch of its program's trace that has its number, or, in an
 * export of a profiler, its place among the launches of its kernel; kernel, grid and block must
 * agree.  Each launch is simulated alone, with empty caches, as `ncu --cache-control all` measures.
 * Variants (cg, na) are the same trace with a hint at every global load.  Results do not depend on
 * the number of workers.
 *
 * With options.both, each launch is simulated twice: timed by its machine code and by its PTX
 * (sm.machine_code).  byw_correlate_use() chooses whose values the launches show.
 */
#ifndef BYW_CORRELATE_H
#define BYW_CORRELATE_H

#include "study/correlate/byw_gpu_table.h"
#include "study/job/byw_job.h"
#include "study/store/byw_store.h"

struct byw_correlate;

struct byw_correlate_options {
    const struct byw_places *places;
    const char *machine, *policy;
    const char *const *settings; /* "key=value" */
    size_t setting_count;
    const char *size; /* input size of all rows; NULL: from the table or its file name, otherwise
                         small */
    const char *programs; /* only these programs: "a,b"; NULL: all */
    const char *trace; /* the trace of all rows; NULL: searched for in the folder */
    const char *folder; /* folder of the traces SIZE/NAME.bwt or NAME.bwt */
    bool variant[BYW_GPU_VARIANTS]; /* the variants to simulate */
    bool both; /* simulate by machine code and by PTX */
};

enum byw_correlate_mode { BYW_CORRELATE_OWN, BYW_CORRELATE_PTX, BYW_CORRELATE_MODES };

/* A trace of a workload of the registry that must be captured. */
struct byw_correlate_want {
    const char *workload, *size;
    uint32_t launches; /* number of launches to capture, from the first; 0: all */
    char path[BYW_PATH_ROOM]; /* where to write the trace: folder/SIZE/WORKLOAD.bwt */
};

/* One row, with the simulator's values. */
struct byw_correlate_launch {
    const struct byw_gpu_row *row;
    const char *size;
    const char *trace; /* path of the row's trace; NULL: none */
    const char *workload; /* name of the trace */
    uint32_t launch; /* number of the launch in the trace, from 0 */
    size_t base; /* index of the same launch as compiled (ca); SIZE_MAX: none */
    size_t job; /* index of the run; SIZE_MAX: not simulated */
    char why[256]; /* reason why it is not simulated; empty: it is */
    const double *value; /* simulated values of the chosen mode, BYW_GPU_METRICS; NAN: unknown */
    double mode[BYW_CORRELATE_MODES][BYW_GPU_METRICS];
    const json_t *result; /* result of the run in the machine's own mode; NULL: none */
    bool machine; /* `result` was timed by machine code */
};

/* The table must outlive it.  BYW_EINVAL: machine, policy or settings are wrong, or no row
 * remains. */
enum byw_status byw_correlate_create(const struct byw_correlate_options *options,
                                     const struct byw_gpu_table *table, struct byw_correlate **made,
                                     struct byw_diag *diag);
void byw_correlate_free(struct byw_correlate *c); /* accepts NULL */

/* The i-th trace that the table needs and the registry knows; false: there are no more. */
bool byw_correlate_wants(const struct byw_correlate *c, size_t i, struct byw_correlate_want *want);

enum byw_status byw_correlate_prepare(struct byw_correlate *c, struct byw_diag *diag);
/* Simulates the launches that the store does not have; how->expected is set here. */
enum byw_status byw_correlate_run(struct byw_correlate *c, struct byw_store *store,
                                  unsigned workers, const struct byw_job_options *how,
                                  struct byw_diag *diag);

/* Whether values of both modes exist.  _use: chooses the mode whose values the launches return. */
bool byw_correlate_both(const struct byw_correlate *c);
void byw_correlate_use(struct byw_correlate *c, enum byw_correlate_mode mode);

size_t byw_correlate_count(const struct byw_correlate *c); /* rows, in the table's order */
const struct byw_correlate_launch *byw_correlate_launch(const struct byw_correlate *c, size_t i);
const struct byw_config *byw_correlate_config(const struct byw_correlate *c);
const char *byw_correlate_machine(const struct byw_correlate *c);

#endif
