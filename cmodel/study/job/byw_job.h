/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_job.h - single runs and many runs at once.
 *
 * A job is one trace on one configuration. byw_jobs_run() works through a list with several
 * processes, one job each: a run that crashes affects no other, and memory is released after each.
 * Results come back in the list's order and are the same for any number of processes (except the
 * member `sim`).
 */
#ifndef BYW_JOB_H
#define BYW_JOB_H

#include "study/job/byw_result_json.h"

struct byw_job {
    const char *workload; /* name in the result */
    const char *trace; /* path */
    const char *machine, *policy;
    const struct byw_config *config;
    struct byw_load_advice *advice; /* advice of this job alone; NULL: that of the options */
    const char *trace_sum; /* byw_trace_sum(), for `provenance`; NULL: the run computes it */
    const struct byw_launch_range *only; /* the launch to simulate; NULL: as in the options */
    bool counts; /* the result has a member `counts` of that launch (byw_launch_counts.h) */
};

/* Progress of the jobs, for a display. */
struct byw_job_progress {
    size_t done, count;
    uint64_t cycles, warp_instructions; /* sums over all jobs, finished and running */
    double expected; /* warp instructions of all jobs; 0: unknown */
};

/* Receives the results of byw_jobs_run() as they arrive, in the calling process. */
struct byw_job_sink {
    void *ctx;
    /* called just before its start; false: the job is skipped */
    bool (*wants)(void *ctx, size_t job);
    /* how: the run's status; a failed one has a message instead of a result. The result stays owned
     * by the pool. Any return value except BYW_OK ends the other runs. */
    enum byw_status (*take)(void *ctx, size_t job, enum byw_status how, json_t *result,
                            const struct byw_diag *why, struct byw_diag *diag);
};

struct byw_job_options {
    void (*progress)(void *ctx, const struct byw_job_progress *progress); /* or NULL */
    void *progress_ctx;
    uint64_t max_cycles, max_instructions; /* limits of each run, as in byw_gpu_options; 0: none */
    uint32_t threads; /* threads of each run, as in byw_gpu_options */
    const struct byw_launch_range *launches; /* launches to simulate in each run; NULL: all */
    size_t launch_ranges;
    const struct byw_kernel_pick *kernels; /* kernels to simulate in each run; NULL: all */
    bool keeps_stopped; /* after a stop (BYW_ESTUCK), completed runs keep their results */
    struct byw_load_advice *advice; /* advice of each run, as in byw_gpu_options */
    const char *advice_name; /* name of the advice file, for the result */
    const char *command, *commit; /* for `provenance` in results; NULL: results have no such
                                     member */
    const struct byw_l1d_ops *l1d; /* L1D implementation of each run, as in byw_gpu_options */
    const struct byw_waves_window *waves; /* waveforms to record in each run; NULL: none */
    double expected; /* warp instructions of all jobs, for the progress */
    struct byw_job_sink *sink; /* NULL: byw_jobs_run() returns the results */
    bool gaps; /* a failed run stops no other: like a refused run, its record has the reason */
    uint32_t repeat; /* byw_jobs_repeat(): runs of each job; 0 and 1: one */
    enum byw_result_lists lists; /* of the result */
    bool oracle; /* the result has a member `oracle` (byw_oracle.h) */
    bool loads; /* the result has a member `loads` (byw_load_stats.h) */
    bool stalls; /* the result has a member `stalls` (byw_stall_json.h) */
    bool stall_sums; /* the result has a member `stall_sums`: the sums of `stalls` */
    uint32_t timeline; /* the result has a member `timeline` (byw_timeline.h) of at most this many
                          intervals; 0: none */
    bool reuse; /* the result has a member `reuse` (byw_reuse_stats.h) */
    const volatile sig_atomic_t *stop; /* NULL, or: a non-zero value ends everything early */
};

/* Runs one job in this process; *result is a new reference. If the stop flag is set meanwhile, the
 * result is partial and says so. */
enum byw_status byw_job_run(const struct byw_job *job, const struct byw_job_options *options,
                            json_t **result, struct byw_diag *diag);

/* Runs all jobs, at most `workers` at a time. results[count] gets new references; on failure they
 * are all NULL and diag describes the first job that failed. A job that the machine cannot run (a
 * CTA that does not fit an SM: BYW_EINVAL, BYW_EUNSUPPORTED) is no failure: its result is a
 * byw_result_refusal(), as is that of a failed run if options->gaps is set. With a sink, results
 * may be NULL, and a failed run stops no other. */
enum byw_status byw_jobs_run(const struct byw_job *jobs, size_t count, unsigned workers,
                             const struct byw_job_options *options, json_t **results,
                             struct byw_diag *diag);

#endif
