/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_gpu_check.h - laws of conservation between the SMs, their L1s and the memory side.
 */
#ifndef BYW_GPU_CHECK_H
#define BYW_GPU_CHECK_H

#include "sim/gpu/byw_gpu.h"

/* Checks a finished run's counters.  Each accepted access has exactly one outcome, every refused
 * cycle has a reason, every coalesced transaction reached its L1, every request of an L1 or an
 * instruction cache reached the crossbar, and every scheduler cycle is accounted for.  BYW_ECHECK
 * names the broken law with both figures.  For a partial run (requests in flight), only the laws
 * that hold at any time are checked. */
enum byw_status byw_gpu_check(const struct byw_config *config, const struct byw_gpu_result *result,
                              struct byw_diag *diag);

#endif
