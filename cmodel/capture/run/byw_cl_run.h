/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_cl_run.h - runs one kernel launch on the CPU, and traces it if a writer is given.
 *
 * Work-groups run in grid order, x fastest, on the calling thread. A group whose work-items wait
 * for other groups, in a loop that only reads memory, stays resident with as many groups as a
 * device holds, and they take turns. The groups of a cluster are resident together from the start,
 * and clusters run one after another. Work-items are fibers, which stop at barriers, at meeting
 * points (byw_cl_meets.c) and, when traced, at the heads of loops once their log may be full;
 * without any of these they run one after another. When tracing, the logs of a warp's lanes are
 * merged as they come, and a CTA is written when its group ends.
 */
#ifndef BYW_CL_RUN_H
#define BYW_CL_RUN_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "capture/byw_bounds.h"
#include "capture/byw_cl_settings.h"
#include "capture/run/byw_cl_code.h"
#include "common/byw_status.h"
#include "trace/bwt/byw_trace_writer.h"

#define BYW_CL_GROUP_LIMIT 1024u /* work-items in a group */

struct byw_cl_launch {
    const struct byw_cl_export *program;
    const struct byw_cl_export_kernel *kernel;
    void *const *args; /* address of each argument's value */
    uint32_t work_dim;
    uint32_t grid[3], block[3]; /* groups; work-items per group */
    uint32_t last[3]; /* work-items of the last group in each dimension, at most block */
    uint64_t offset[3];
    uint32_t shared_bytes; /* static and dynamic */
    uint64_t resident; /* groups that the device holds at a time; 0: byw_cl_resident.c's default */
    uint32_t cluster[3]; /* groups that form a cluster, dividing the grid's; 0: none */
    uint64_t first_group; /* first group to run, in grid order; earlier groups have run */
    /* counts traced instructions; the launch stops when it is full; NULL: no bound */
    struct byw_bounds *bounds;
    const volatile sig_atomic_t *stop; /* a traced launch stops once this is not 0; NULL: never */
    /* Finds the buffer nearest to an address, for messages; false: there are no buffers. */
    bool (*nearest)(uint64_t address, uint64_t *base, uint64_t *size);
};

/* Groups per cluster; 1 if the launch has no clusters. */
static inline uint32_t byw_cl_launch_cluster(const struct byw_cl_launch *launch)
{
    uint32_t groups = launch->cluster[0] * launch->cluster[1] * launch->cluster[2];

    return groups == 0 ? 1 : groups;
}

static inline uint64_t byw_cl_launch_groups(const struct byw_cl_launch *launch)
{
    return (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2];
}

struct byw_cl_runner;

/* warp_size: 32 or 64. */
enum byw_status byw_cl_runner_create(const struct byw_cl_settings *settings,
                                     struct byw_cl_runner **runner, struct byw_diag *diag);

/* Out-of-bounds reads so far that returned zeros, and the location of the first. */
struct byw_cl_bad_reads {
    uint64_t count;
    uint32_t line; /* 0 unknown */
    char kernel[128];
};
const struct byw_cl_bad_reads *byw_cl_runner_reads(const struct byw_cl_runner *runner);

/* Whether no group that is running has written a part of its trace. */
bool byw_cl_runner_is_between_parts(const struct byw_cl_runner *runner);

/* writer may be NULL.  *next: the first group that has not run; below the grid's size if the launch
 * has stopped.  A kernel that faults gives BYW_ECHECK and a sentence that names it. */
enum byw_status byw_cl_run(struct byw_cl_runner *runner, const struct byw_cl_launch *launch,
                           struct byw_trace_writer *writer, uint64_t *next, struct byw_diag *diag);

#endif
