/* SPDX-License-Identifier: Apache-2.0
 *
 * gpu_jobs.h - the kernels of fpga/softgpu/kernels with their data: the content of memory before,
 * and every byte that it must hold after.
 */
#ifndef GPU_JOBS_H
#define GPU_JOBS_H

#include <stdint.h>

#include "common/byw_rng.h"

enum { GPU_JOB_PARAMS = 16 };

struct gpu_task {
    uint32_t size; /* requested size of the input */
    uint32_t memory_bytes;
    uint8_t *memory; /* content before the kernel */
    uint8_t *want; /* content that the kernel must leave */
    uint32_t param[GPU_JOB_PARAMS];
    uint32_t ctas;
    struct byw_rng *rng;
    uint32_t at; /* the next free byte */
};

struct gpu_job {
    const char *name; /* name of the kernel, whose file is NAME.s */
    uint32_t quick, usual; /* sizes */
    void (*prepare)(struct gpu_task *task);
};

extern const struct gpu_job gpu_jobs[]; /* ends with a NULL name */

/* Draws the data of a job and computes the result. want has the size of memory; both are zero
 * before. */
void gpu_task_prepare(struct gpu_task *task, const struct gpu_job *job);

#endif
