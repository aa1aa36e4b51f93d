/* SPDX-License-Identifier: Apache-2.0
 *
 * softgpu_replay FILE... - replays streams written by softgpu_run on the C model of the cache,
 * which must behave as the RTL did; prints the model's counters. This program contains no RTL.
 */
#include <inttypes.h>
#include <stdio.h>

#include "softgpu/gpu_replay.h"

static struct byw_config geometry(void)
{
    struct byw_config c;

    byw_config_defaults(&c);
#define RTL(parameter, when, field, key) c.field = P_##parameter;
#include "configs/byw_rtl_params.def"
#undef RTL
    c.port = (struct byw_port){.order = P_ORDER, .in_flight = P_IN_FLIGHT, .func_w = 2};
    c.sm_count = 1;
    c.sm_warps = P_WARPS;
    return c;
}

int main(int argc, char **argv)
{
    struct byw_config config = geometry();
    struct gpu_replayed r;
    struct gpu_stream s;
    int i, failed = 0;

    if (argc < 2) {
        fprintf(stderr, "usage: softgpu_replay FILE...\n");
        return 2;
    }
    for (i = 1; i < argc; i++) {
        if (!gpu_stream_read(&s, &config, argv[i]))
            return 2;
        if (!gpu_replay(&s, &r))
            failed = 1;
        printf("%s: %" PRIu64 " cycles, %" PRIu64 " requests, %" PRIu64 " answers, %" PRIu64
               " counters compared; hits %" PRIu64 ", pending %" PRIu64 ", misses %" PRIu64
               ", bypasses %" PRIu64 "\n",
               argv[i], r.cycles, r.requests, r.answers, r.counters, r.stats.ev[BYW_EV_HIT],
               r.stats.ev[BYW_EV_HIT_PENDING], r.stats.ev[BYW_EV_MISS], r.stats.ev[BYW_EV_BYPASS]);
        gpu_stream_release(&s);
    }
    return failed;
}
