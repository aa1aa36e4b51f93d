/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_cl_run.h - runs one kernel launch on the CPU, and traces it when a writer is given.
 *
 * Work-groups run in grid order, x fastest, on the calling thread.  In kernels without barriers the
 * work-items of a group run one after another; otherwise each is a fiber that stops at barriers.
 * When tracing, the lanes' logs are merged after every segment and a CTA is written when its group
 * is done.
 */
#ifndef BYW_CL_RUN_H
#define BYW_CL_RUN_H

#include <stdint.h>

#include "common/byw_status.h"
#include "opencl/byw_cl_code.h"
#include "trace/byw_trace.h"

#define BYW_CL_GROUP_LIMIT 1024u /* work-items in a group */

struct byw_cl_launch {
    const struct byw_cl_export *program;
    const struct byw_cl_export_kernel *kernel;
    void *const *args; /* address of each argument's value */
    uint32_t work_dim;
    uint32_t grid[3], block[3]; /* groups; work-items per group */
    uint64_t offset[3];
    uint32_t shared_bytes; /* static and dynamic */
    uint32_t number; /* of the launch in the trace */
};

struct byw_cl_runner;

/* warp_size: 32 or 64. */
enum byw_status byw_cl_runner_create(uint32_t warp_size, struct byw_cl_runner **runner,
                                     struct byw_diag *diag);
void byw_cl_runner_free(struct byw_cl_runner *runner);

/* writer may be NULL.  A kernel that faults gives BYW_ECHECK and a sentence that names it. */
enum byw_status byw_cl_run(struct byw_cl_runner *runner, const struct byw_cl_launch *launch,
                           struct byw_trace_writer *writer, struct byw_diag *diag);

#endif
