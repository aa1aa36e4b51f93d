/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_load_stats.h - the activity of each static global load of a run in the L1Ds, from their
 * records (top/byw_recorder.h), and its cost below them (sim/memory/byw_mem_ledger.h).
 *
 * Member `loads`: a list with an object for each load that made a request, by kernel (in the order
 * of their first launch) and PC:
 *
 *   kernel, pc
 *   transactions   requests that the L1Ds accepted, and of these:
 *   hits, hit_pending, misses, bypasses
 *   refused        cycles in which one of them was refused before acceptance, by reason: line,
 *                  mshr, merge, miss_queue, icnt
 *   reused         those whose sector (line, if lines have no sectors) the same SM loads again in
 *                  the same launch, by any load
 *   l2, dram, energy   the rows `loads[]` of byw_counters.def
 *
 * `other_accesses`: l2, dram and energy of stores, atomics and local loads, with `op`, in the order
 * of their first requests. `rest_accesses`: the same for traffic that no instruction requested
 * (instruction fetches, L1 lines and flushes), and the L1 energy that belongs to no load: leakage,
 * the predictor, stores. Together they add up to the run's.
 */
#ifndef BYW_LOAD_STATS_H
#define BYW_LOAD_STATS_H

#include <jansson.h>

#include "sim/gpu/byw_gpu.h"
#include "sim/memory/byw_mem_ledger.h"

/* Adds the members loads, other_accesses and rest_accesses.  BYW_ENOMEM. */
enum byw_status byw_load_stats_add(json_t *json, const struct byw_config *config,
                                   const struct byw_gpu_result *result,
                                   const struct byw_recorder *recorders,
                                   const struct byw_mem_ledger *ledger);

#endif
