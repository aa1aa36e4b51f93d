/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_noise.h - small changes of a run that no result should depend on (key noise.seed).
 *
 * A simulated GPU repeats itself to the cycle, a real one does not.  Runs of different seeds show
 * how much of a difference is chance: latencies change by at most 2 %, about the precision of their
 * sources; an SM takes its first CTA up to 15 cycles later; DRAM refresh has another phase
 * (memory/byw_dram.c).  The same seed gives the same run; seed 0 changes nothing.  The changes and
 * their reasons: doc/noise.md.
 */
#ifndef BYW_NOISE_H
#define BYW_NOISE_H

#include "common/byw_config.h"

/* Each latency moves by at most a fiftieth of itself, at least one cycle; those below
 * BYW_NOISE_LEAST cycles are unchanged, because one cycle is a large part of them. */
enum { BYW_NOISE_LEAST = 10, BYW_NOISE_PART = 50, BYW_NOISE_SKEW = 16 };

/* The machine with the latencies of its noise.seed. */
struct byw_config byw_noise_machine(const struct byw_config *config);

/* start[sm.count]: the cycle from which on each SM takes CTAs of a launch that begins at `now`;
 * launch: its number in the run.  Returns the last of these cycles. */
uint64_t byw_noise_starts(const struct byw_config *config, uint32_t launch, uint64_t now,
                          uint64_t *start);

#endif
