/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_clock.h - the clock domains below the SMs, in exact integer arithmetic.
 *
 * Frequencies are whole MHz.  Edge j of a clock of f MHz is at j/f microseconds, so all clocks have
 * an edge at time 0 and the pattern repeats.  Core cycle n is the time from core edge n up to, but
 * not including, core edge n+1.  byw_clock_steps() lists the times in that interval at which clocks
 * have edges, each as a set of domains, in ascending order.  The first step always contains the
 * core clock.  Only ratios matter: doubling all frequencies gives the same pattern.
 */
#ifndef BYW_CLOCK_H
#define BYW_CLOCK_H

#include <stdint.h>

#include "common/byw_status.h"

enum byw_domain { BYW_CLOCK_CORE, BYW_CLOCK_ICNT, BYW_CLOCK_L2, BYW_CLOCK_DRAM, BYW_CLOCKS };

struct byw_clock {
    uint32_t f[BYW_CLOCKS]; /* frequencies divided by their greatest common divisor */
    uint32_t period; /* core cycles after which the pattern repeats */
    uint8_t *step; /* sets of domains, bit = enum byw_domain */
    uint32_t *start; /* period + 1 entries: first step of each core cycle */
};

enum byw_status byw_clock_init(struct byw_clock *clock, const uint32_t mhz[BYW_CLOCKS]);
void byw_clock_free(struct byw_clock *clock);

/* Number of edges of a domain before core cycle `cycle`; cycle < 2^46. */
uint64_t byw_clock_edges(const struct byw_clock *clock, enum byw_domain domain, uint64_t cycle);

/* The core cycle that contains edge `edge` of a domain. */
uint64_t byw_clock_cycle(const struct byw_clock *clock, enum byw_domain domain, uint64_t edge);

/* Steps of a core cycle, given cycle % clock->period. */
static inline const uint8_t *byw_clock_steps(const struct byw_clock *clock, uint32_t phase,
                                             uint32_t *count)
{
    *count = clock->start[phase + 1] - clock->start[phase];
    return clock->step + clock->start[phase];
}

#endif
