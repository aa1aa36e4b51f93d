/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_timeline.h - a run's counters over time, as the member `timeline` of its result.
 *
 *     interval     SM cycles of an interval; a power of two
 *     cycles       of the run: the last interval ends there, so it may be shorter
 *     counters     by path (byw_timeline.def): the increase in each interval; sums to the run's
 *     levels       ctas, warps, lines, mshrs, trackers: occupancy of the SMs at the end of
 *                  the interval, averaged over the intervals merged into it
 *     capacity     lines, mshrs, warps: the most that they can hold
 *
 * The length of an interval adapts to the run: it starts short, and whenever there would be too
 * many intervals, pairs are merged. Observing changes no result.
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

/* Hooks for byw_gpu_run(), valid for one run. */
const struct byw_gpu_watch *byw_timeline_watch(struct byw_timeline *timeline);

/* A new reference; NULL if out of memory, now or during the run. */
json_t *byw_timeline_json(const struct byw_timeline *timeline);

#endif
