/* SPDX-License-Identifier: Apache-2.0
 *
 * gpu_replay.h - replays a recorded stream on the C model of the cache, cycle by cycle, and
 * compares everything with the RTL: every output, every event, every counter that was read.
 */
#ifndef GPU_REPLAY_H
#define GPU_REPLAY_H

#include "softgpu/gpu_stream.h"
#include "top/byw_stats.h"

struct gpu_replayed {
    uint64_t cycles, requests, answers, counters; /* number of cycles, requests and so on that were
                                                     compared */
    struct byw_l1_stats stats; /* counters of the C model */
};

/* True if nothing differs; else the first difference is printed to stdout. */
bool gpu_replay(struct gpu_stream *stream, struct gpu_replayed *replayed);

#endif
