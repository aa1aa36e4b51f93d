/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_cl_settings.h - settings of the runtime from the environment (CAPTURE.md lists the
 * variables). The command reads them before it starts a program, the runtime when it is loaded.
 */
#ifndef BYW_CL_SETTINGS_H
#define BYW_CL_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/byw_status.h"

/* Loop iterations that a work-item may run (default 2^30; traced: 2^26), and megabytes of memory
 * for the trace of one work-group (default 1024). */
#define BYW_CL_ENV_STEPS "BYWAY_STEPS"
#define BYW_CL_ENV_MEMORY "BYWAY_MEMORY"

/* Largest number of work-groups that are resident together when work-groups wait for each other.
 * Unset: as many as the device holds. The OpenCL device has 15 SMs, each with 8 work-groups, 1536
 * work-items and 48 KiB of scratchpad. */
#define BYW_CL_ENV_RESIDENT "BYWAY_RESIDENT"

/* "warn": reads outside all buffers give zeros and are counted; writes remain errors. */
#define BYW_CL_ENV_BOUNDS "BYWAY_BOUNDS"

struct byw_cl_settings {
    uint64_t steps; /* 0: the default */
    uint64_t megabytes;
    uint64_t resident; /* 0: the default */
    uint64_t level; /* of zstd; 0: the default */
    uint32_t warp_size; /* lanes */
    bool warns; /* reads out of bounds are warnings */
};

/* BYW_EINVAL with a sentence that names the variable with the invalid value. */
enum byw_status byw_cl_settings_read(struct byw_cl_settings *settings, struct byw_diag *diag);

#endif
