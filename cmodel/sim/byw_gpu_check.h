/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_gpu_check.h - laws of conservation between the SMs, their L1s and the memory side.
 */
#ifndef BYW_GPU_CHECK_H
#define BYW_GPU_CHECK_H

#include "sim/byw_gpu.h"

/* Checks a finished run's counters: each accepted access ended in exactly one way, every refused
 * cycle has its reason, every coalesced transaction reached its L1, every request of an L1 or an
 * instruction cache reached the crossbar, every scheduler cycle is accounted for.  BYW_ECHECK names
 * the law that does not hold, with both figures.  A partial run (requests under way) is held to the
 * laws that hold at any time. */
enum byw_status byw_gpu_check(const struct byw_config *config, const struct byw_gpu_result *result,
                              struct byw_diag *diag);

#endif
