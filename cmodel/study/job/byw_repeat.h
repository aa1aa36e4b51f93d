/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_repeat.h - the same runs several times, each with its own noise (sim/gpu/byw_noise.h).
 *
 * Run k of a job, from 0, has the noise.seed of the job plus k + 1.  The job without noise is not
 * among them: without noise all SMs start in one cycle, so it is not a draw of the same kind
 * (gemm's baseline is 1.5 times faster then, doc/noise.md).  The result is that of run 0 with the
 * member `repeat`:
 *
 *   runs      number of runs
 *   seeds     noise.seed of each
 *   cycles    of all runs: mean; sd, the standard deviation of one run; low and high, the 95 %
 *             interval of the mean (Student's t)
 *   ipc       the same
 *   others    counters of the runs after run 0, in the order of the seeds
 *
 * Seeds are shared by all jobs, so that ratios of two policies are formed within a seed.
 */
#ifndef BYW_REPEAT_H
#define BYW_REPEAT_H

#include "study/job/byw_job.h"

enum { BYW_REPEAT_MOST = 100 };

/* As byw_jobs_run(), but runs each job options->repeat times (0 and 1: once, and without the member
 * `repeat`). If any run of a job is refused or fails, so is the job. */
enum byw_status byw_jobs_repeat(const struct byw_job *jobs, size_t count, unsigned workers,
                                const struct byw_job_options *options, json_t **results,
                                struct byw_diag *diag);

/* The number of runs of a result, at least 1; the counters of one of them, which the result
 * owns. */
size_t byw_repeat_count(const json_t *result);
const json_t *byw_repeat_run(const json_t *result, size_t k);

/* Mean of `count` values, standard deviation of one (0 for a single value), and half the width of
 * the 95 % interval of the mean. */
struct byw_spread {
    size_t count;
    double mean, sd, half;
};
struct byw_spread byw_spread_of(const double *value, size_t count);
struct byw_spread byw_spread_given(double mean, double sd, size_t count);

/* Whether the mean is within twice the deviation of one run from `reference`, so that it may differ
 * by chance. False for a single run, whose deviation is unknown, and if nothing differs. */
bool byw_spread_undecided(struct byw_spread spread, double reference);

/* The spread of the number at a dotted path over the runs of a result. */
struct byw_spread byw_repeat_spread(const json_t *result, const char *path);

#endif
