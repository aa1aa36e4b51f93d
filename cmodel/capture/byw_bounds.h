/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_bounds.h - which launches of a program a capture keeps.
 *
 * The command checks the user's options and passes them on in environment variables; the runtime
 * inside the program reads them. Nothing here depends on OpenCL or CUDA.
 *
 *   BYWAY_LAUNCHES      A, A-B or A-, separated by commas: launches that are kept, counted from 1
 *                       over all launches of the process in the order in which they run; unset: all
 *   BYWAY_KERNELS       extended regular expression (trace/byw_kernel_pick.h); unset: all
 *   BYWAY_INSTRUCTIONS  warp instructions after which nothing more is kept; the work-group that
 *                       reaches the number is kept whole
 */
#ifndef BYW_BOUNDS_H
#define BYW_BOUNDS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/byw_status.h"

#define BYW_BOUNDS_ENV_LAUNCHES "BYWAY_LAUNCHES"
#define BYW_BOUNDS_ENV_KERNELS "BYWAY_KERNELS"
#define BYW_BOUNDS_ENV_INSTRUCTIONS "BYWAY_INSTRUCTIONS"

/* The user's bounds; NULL and 0: no such bound. */
struct byw_bounds_request {
    const char *launches, *kernels;
    uint64_t instructions;
};

struct byw_bounds;

/* BYW_EINVAL with a sentence when a range or an expression is malformed. */
enum byw_status byw_bounds_create(const struct byw_bounds_request *request,
                                  struct byw_bounds **bounds, struct byw_diag *diag);
void byw_bounds_free(struct byw_bounds *bounds); /* NULL is allowed */

/* _export writes the bounds to the environment; _import reads them from it. */
void byw_bounds_export(const struct byw_bounds_request *request);
struct byw_bounds_request byw_bounds_import(void);

/* Whether any bound is set, so that some launches may not be kept. */
bool byw_bounds_any(const struct byw_bounds *bounds);

/* Whether to keep launch `number` of the process, counted from 1. */
bool byw_bounds_keep(const struct byw_bounds *bounds, uint64_t number, const char *kernel);

/* _add counts warp instructions that are kept; _full: whether their limit is reached. */
void byw_bounds_add(struct byw_bounds *bounds, uint64_t instructions);
bool byw_bounds_full(const struct byw_bounds *bounds);

#endif
