/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_timeline.h - a run's counters over time, as the member `timeline` of its result.
 *
 *     interval     SM cycles of an interval; a power of two
 *     cycles       of the run: the last interval ends there, whatever its length
 *     counters     by path (byw_timeline.def): what each interval adds; it sums to the run's
 *     levels       ctas, warps, lines, mshrs, trackers: what the SMs hold at the end of the
 *                  interval, the mean of those that were put together in it
 *     capacity     lines, mshrs, warps: the most that they can hold
 *
 * The length of an interval follows from the run's: it begins short, and each time there would be
 * more intervals than wanted, two become one.  Watching changes no result.
 */
#ifndef BYW_TIMELINE_H
#define BYW_TIMELINE_H

#include <jansson.h>

#include "sim/gpu/byw_gpu.h"

enum { BYW_TIMELINE_LEAST = 8, BYW_TIMELINE_MOST = 4096 };

struct byw_timeline;

/* At most `intervals` of them, LEAST to MOST.  BYW_ENOMEM. */
enum byw_status byw_timeline_create(const struct byw_config *config, uint32_t intervals,
                                    struct byw_timeline **timeline);
void byw_timeline_free(struct byw_timeline *timeline); /* NULL is allowed */

/* What byw_gpu_run() takes; for one run. */
const struct byw_gpu_watch *byw_timeline_watch(struct byw_timeline *timeline);

/* A new reference; NULL when memory is or was short. */
json_t *byw_timeline_json(const struct byw_timeline *timeline);

#endif
