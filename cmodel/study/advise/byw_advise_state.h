/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_advise_state.h - private to byw_advise: a program's kernels, places and loads, and the
 * assignments tried.
 */
#ifndef BYW_ADVISE_STATE_H
#define BYW_ADVISE_STATE_H

#include "study/advise/byw_advise.h"
#include "study/advise/byw_advise_source.h"
#include "study/job/byw_repeat.h"
#include "trace/stats/byw_trace_info.h"

struct byw_advise_load {
    uint32_t kernel, place; /* indexes */
    uint32_t pc, line, block;
    int32_t argument;
    uint8_t width;
    bool built_in; /* an image read or similar: a hint cannot be written */
    uint64_t accesses, lanes, lines; /* as in byw_sites.h */
    uint64_t transactions, found, reused; /* as in byw_load_stats.h; found: hits of both kinds */
};

struct byw_advise_place {
    uint32_t kernel;
    uint32_t first, count; /* range of the place's loads in byw_advise.load */
    uint32_t rank; /* 1: the most valuable place; 0: not taken */
    char noise; /* the hint's digit in the best assignment if the hint is not taken because its gain
                   is within the noise; otherwise 0 */
    /* Percent of the kernel's cycles saved with this place and all places of lower rank number; if
     * `noise`, what this place saves in addition to them. Count 0: not run. */
    struct byw_spread gain;
};

/* Cycles of `runs` runs, and their mean to the nearest cycle. */
struct byw_advise_cycles {
    uint64_t mean, of_run[BYW_REPEAT_MOST];
    uint32_t runs;
};

/* An assignment of a kernel: a character for each of its places, '0' for no hint, '1' for the first
 * hint and so on. */
struct byw_advise_try {
    char *key;
    uint64_t cycles; /* mean cycles of the runs */
    uint64_t *of_run; /* cycles of each run */
};

struct byw_advise_kernel {
    char name[128];
    uint32_t stamp; /* byw_load_stamp */
    uint32_t launches;
    uint32_t first, places;
    struct byw_advise_try *tried; /* the first one: no advice */
    size_t count, room;
    char **proposed; /* assignments to try next */
    size_t proposals, proposal_room;
    char *chosen;
    bool complete;
};

struct byw_advise {
    const struct byw_job *job;
    const struct byw_advise_options *options;
    struct byw_trace_info info;
    uint32_t *launch, launches; /* launches that are run, as indexes in info */
    struct byw_advise_kernel *kernel;
    uint32_t kernels;
    size_t kernel_room;
    struct byw_advise_place *place; /* sorted by kernel, line, argument, PC */
    uint32_t places;
    struct byw_advise_load *load; /* grouped by place */
    uint32_t loads;
    json_t *base[BYW_REPEAT_MOST], *advised[BYW_REPEAT_MOST]; /* results of each run, without
                                                                 and with all advice */
    uint32_t repeat; /* number of runs of each assignment, at least 1 */
    json_t *mpache, *sweep; /* Mpache's result by kernel; NULL without it */
    json_t *schemes; /* with sweep: counters of the whole program, by scheme */
    uint64_t runs; /* assignments run */
    struct byw_job_options how; /* the options, with the progress of the whole search */
    uint64_t planned; /* assignments that the search is expected to run; 0: unknown */
    uint64_t before; /* assignments completed before the current runs */
    uint64_t spent, latest; /* warp instructions of completed runs, and of current ones */
    char *sum; /* checksum of the trace, for the ids of stored runs */
    struct byw_advise_source source;
    bool stopped; /* the search was stopped before it was complete */
};

/* Whether a launch of the trace is run. */
static inline bool byw_advise_wants(const struct byw_advise *a, const struct byw_kernel *kernel)
{
    const struct byw_job_options *how = a->options->how;

    return (how->launch_ranges == 0 ||
            byw_launch_ranges_have(how->launches, how->launch_ranges, kernel->launch)) &&
           byw_kernel_pick_has(how->kernels, kernel->name);
}

/* Collects kernels, places and loads of the job's trace. */
enum byw_status byw_advise_loads(struct byw_advise *a, struct byw_diag *diag);

/* Converts the progress of the current runs (byw_job_options) to that of the whole search; ctx: the
 * struct byw_advise. */
void byw_advise_show(void *ctx, const struct byw_job_progress *progress);

/* Runs without advice, searches, chooses, then runs with all chosen advice. */
enum byw_status byw_advise_search(struct byw_advise *a, struct byw_diag *diag);

/* The same as byw_advise_search(), by Mpache's algorithm (byw_mpache.h), with the schemes of its
 * paper. */
enum byw_status byw_advise_mpache(struct byw_advise *a, struct byw_diag *diag);

/* After a stop in the search: the best assignments so far become the advice, without a run that
 * combines them. False: out of memory. */
bool byw_advise_stop_here(struct byw_advise *a);

/* The first run, without advice, and the last one, with the chosen advice. */
enum byw_status byw_advise_run_base(struct byw_advise *a, struct byw_diag *diag);
enum byw_status byw_advise_run_chosen(struct byw_advise *a, struct byw_diag *diag);

/* _propose: queues an assignment to be run, unless it was run or is queued. _add: records an
 * assignment that was run, with its cycles. False: out of memory. */
bool byw_advise_propose(struct byw_advise_kernel *k, const char *key);
bool byw_advise_add(struct byw_advise_kernel *k, const char *key,
                    const struct byw_advise_cycles *cycles);

/* Runs the proposals: the first ones of all kernels together, then the second ones, and so on; a
 * kernel without a proposal has no advice. Stops when the allowed runs are used up. */
enum byw_status byw_advise_run_proposed(struct byw_advise *a, struct byw_diag *diag);

/* Runs `count` assignments of all kernels: key[i * kernels + kernel]; `loads`: as in
 * byw_job_options. Run r of assignment i is result[i * repeat + r]. */
enum byw_status byw_advise_run(struct byw_advise *a, const char *const *key, size_t count,
                               bool loads, json_t **result, struct byw_diag *diag);
/* The same as byw_advise_run(), on the trace of another input with checksum `sum`; NULL: the result
 * is not stored. */
enum byw_status byw_advise_run_on(const struct byw_advise *a, const char *trace, const char *sum,
                                  const char *const *key, size_t count, bool loads, json_t **result,
                                  struct byw_diag *diag);

/* The trial of an assignment of a kernel; NULL: not tried. */
const struct byw_advise_try *byw_advise_find(const struct byw_advise_kernel *k, const char *key);

/* The kernels' assignments as advice; NULL: out of memory. */
struct byw_load_advice *byw_advise_of(const struct byw_advise *a, const char *const *key);

/* The cycles of a kernel's launches in `runs` results; kernel NULL: those of the whole program. */
struct byw_advise_cycles byw_advise_cycles(json_t *const *result, uint32_t runs,
                                           const char *kernel);

/* Percent of the cycles `whole` that `after` saves compared with `before`, run by run. */
struct byw_spread byw_advise_saved(const uint64_t *whole, const uint64_t *before,
                                   const uint64_t *after, uint32_t runs);

/* Sets the members cycles, advised_cycles and gain of a kernel (NULL: the program) from `runs`
 * results each; with several runs also gain_sd and within_noise. */
void byw_advise_put_cycles(json_t *object, json_t *const *before, json_t *const *after,
                           uint32_t runs, const char *kernel);

/* NULL: no memory. */
json_t *byw_advise_json(const struct byw_advise *a);

#endif
