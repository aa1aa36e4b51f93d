/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/gpu/byw_noise.h"

#include <stddef.h>

#include "common/byw_rng.h"

/* The latencies that are known only approximately: measured by pointer chases, or fitted to them.
 * Timings of DRAM commands are from data sheets and are not changed. */
static const size_t latencies[] = {
    offsetof(struct byw_config, load_extra),   offsetof(struct byw_config, icnt_eject),
    offsetof(struct byw_config, gl1_tags),     offsetof(struct byw_config, gl1_data),
    offsetof(struct byw_config, l2_rop),       offsetof(struct byw_config, l2_data),
    offsetof(struct byw_config, l3_tags),      offsetof(struct byw_config, l3_data),
    offsetof(struct byw_config, dram_latency),
};

static uint32_t moved(struct byw_rng *rng, uint32_t cycles)
{
    uint32_t most = cycles / BYW_NOISE_PART > 0 ? cycles / BYW_NOISE_PART : 1;
    uint32_t by = byw_rng_below(
        rng,
        2 * most +
            1); /* drawn for short latencies, too, so that all machines use the same sequence */

    return cycles < BYW_NOISE_LEAST ? cycles : cycles - most + by;
}

struct byw_config byw_noise_machine(const struct byw_config *config)
{
    struct byw_config machine = *config;
    struct byw_rng rng;

    if (config->noise_seed == 0)
        return machine;
    byw_rng_init(&rng, config->noise_seed);
    for (size_t i = 0; i < sizeof(latencies) / sizeof(latencies[0]); i++) {
        uint32_t *cycles = (uint32_t *)((char *)&machine + latencies[i]);

        *cycles = moved(&rng, *cycles);
    }
    return machine;
}

uint64_t byw_noise_starts(const struct byw_config *config, uint32_t launch, uint64_t now,
                          uint64_t *start)
{
    uint64_t last = now;
    struct byw_rng rng;

    byw_rng_init(&rng, ((uint64_t)launch << 32) + config->noise_seed);
    for (uint32_t s = 0; s < config->sm_count; s++) {
        start[s] = now + (config->noise_seed != 0 ? byw_rng_below(&rng, BYW_NOISE_SKEW) : 0);
        last = start[s] > last ? start[s] : last;
    }
    return last;
}
