/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_load_stats.h - what the L1Ds did with each static global load of a run, from their records
 * (top/byw_recorder.h).
 *
 * A list with an object for each load that made a request, by kernel (in the order of their first
 * launch) and PC:
 *
 *   kernel, pc
 *   transactions   requests that the L1Ds accepted, and of these:
 *   hits, hit_pending, misses, bypasses
 *   refused        cycles in which one of them was refused before, by reason: line, mshr, merge,
 *                  miss_queue, icnt
 *   reused         those whose line the same SM loads again in the same launch, by any load
 */
#ifndef BYW_LOAD_STATS_H
#define BYW_LOAD_STATS_H

#include <jansson.h>

#include "sim/byw_gpu.h"

/* *json: a new reference.  BYW_ENOMEM. */
enum byw_status byw_load_stats_json(const struct byw_gpu_result *result,
                                    const struct byw_recorder *recorders, json_t **json);

#endif
