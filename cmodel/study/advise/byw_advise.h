/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_advise.h - which loads of a program should carry which cache hint, and the gain.
 *
 * A place gets one hint. It is all static global loads of a kernel on one source line with the same
 * base argument (one expression, however often it was unrolled), or, with by_load, a single load.
 * Every place is tried with every hint alone. Then assignments are searched by hill climbing,
 * starting from no advice and from each hint everywhere: each step tries every single change, the
 * changes that save cycles together, and the best half of them, until no single change helps. The
 * result is the shortest prefix of the best assignment, most valuable places first, whose cycles
 * are within `least` of the best ones found.
 *
 * Cycles are those of a kernel's launches, simulated whole. The kernels of a program are searched
 * in parallel: one run tries a change in each of them, since an L1 starts empty at each launch. The
 * sum of all advice is then simulated as well, and dropped where it saves nothing. The result
 * depends neither on the number of processes, nor on time, nor on runs already stored in a folder.
 *
 * With `repeat` N above 1 every assignment runs N times, with noise.seed 1 to N above the job's
 * (study/job/byw_repeat.h). Cycles are then means, and gains are formed within a seed. The
 * advice of a kernel ends where further places add no more than the noise: at most twice the
 * standard deviation of one run.
 */
#ifndef BYW_ADVISE_H
#define BYW_ADVISE_H

#include "study/advise/byw_mpache.h"
#include "study/job/byw_job.h"
#include "study/store/byw_store.h"

#define BYW_ADVISE_SCHEMA "byway.advise/1"

enum { BYW_ADVISE_HINTS = 4, BYW_ADVISE_EVERY = 4096 /* limit on the assignments of a kernel */ };

struct byw_advise_options {
    uint8_t hint[BYW_ADVISE_HINTS]; /* the hints to try, enum byw_hint */
    size_t hints;
    bool by_load;
    bool every; /* try every assignment instead of climbing */
    /* not NULL: choose per load by Mpache's algorithm; `hint` has its modes */
    const struct byw_mpache_params *mpache;
    bool sweep; /* also vary Mpache's thresholds and weight, and count events of the program by
                   scheme */
    double least; /* smallest gain that is worth a hint, percent of a kernel's cycles */
    uint64_t most_runs; /* limit on the assignments tried; each runs `repeat` times */
    uint32_t repeat; /* runs of each assignment, with different seeds of noise; 0 or 1: one run,
                        without added noise */
    unsigned workers;
    const char *const *source; /* paths of the kernels' sources */
    size_t sources;
    const char *const *also; /* other traces of the program, on which the advice is tried */
    size_t also_count;
    struct byw_store *store; /* NULL, or: where runs are stored and reused */
    const struct byw_job_options *how; /* progress, stop, launches; the command is for provenance */
};

/* *report: a new reference (schema above; cmodel/doc/advise.md has its members). BYW_EUNSUPPORTED:
 * no global load, or a kernel's name cannot be written in an advice file; BYW_EINVAL: too many
 * assignments for `every`; BYW_ESTUCK: interrupted, with a report whose member `stopped` says how
 * far the search was, or without one before the first assignment. */
enum byw_status byw_advise(const struct byw_job *job, const struct byw_advise_options *options,
                           json_t **report, struct byw_diag *diag);

#endif
