/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/memory/byw_clock.h"

#include <stdbool.h>
#include <stdlib.h>

static uint32_t gcd(uint32_t a, uint32_t b)
{
    while (b != 0) {
        uint32_t rest = a % b;

        a = b;
        b = rest;
    }
    return a;
}

/* Returns the domains with the earliest next edge (next[d] / f[d]) and advances them past it. */
static uint8_t first_edges(const uint32_t f[BYW_CLOCKS], uint32_t next[BYW_CLOCKS])
{
    uint32_t first = 0;
    uint8_t set = 0;
    uint64_t at, per;

    for (uint32_t d = 1; d < BYW_CLOCKS; d++)
        if ((uint64_t)next[d] * f[first] < (uint64_t)next[first] * f[d])
            first = d;
    at = next[first];
    per = f[first];
    for (uint32_t d = 0; d < BYW_CLOCKS; d++) {
        if (next[d] * per == at * f[d]) {
            set |= (uint8_t)(1U << d);
            next[d]++;
        }
    }
    return set;
}

enum byw_status byw_clock_init(struct byw_clock *clock, const uint32_t mhz[BYW_CLOCKS])
{
    uint32_t common = mhz[0];
    uint32_t next[BYW_CLOCKS] = {0};
    uint64_t most = 0;
    uint32_t steps = 0, cycle = 0;

    for (uint32_t d = 0; d < BYW_CLOCKS; d++) {
        if (mhz[d] == 0)
            return BYW_EINVAL;
        common = gcd(common, mhz[d]);
    }
    for (uint32_t d = 0; d < BYW_CLOCKS; d++) {
        clock->f[d] = mhz[d] / common;
        most += clock->f[d];
    }
    clock->period = clock->f[BYW_CLOCK_CORE];
    clock->step = malloc(most);
    clock->start = malloc(((size_t)clock->period + 1) * sizeof(*clock->start));
    if (clock->step == NULL || clock->start == NULL) {
        byw_clock_free(clock);
        return BYW_ENOMEM;
    }
    /* One period has f[d] edges of every domain d; it ends where all edges coincide again. */
    while (next[BYW_CLOCK_CORE] < clock->period ||
           next[BYW_CLOCK_ICNT] < clock->f[BYW_CLOCK_ICNT] ||
           next[BYW_CLOCK_L2] < clock->f[BYW_CLOCK_L2] ||
           next[BYW_CLOCK_DRAM] < clock->f[BYW_CLOCK_DRAM]) {
        clock->step[steps] = first_edges(clock->f, next);
        if (clock->step[steps] & (1U << BYW_CLOCK_CORE))
            clock->start[cycle++] = steps;
        steps++;
    }
    clock->start[clock->period] = steps;
    return BYW_OK;
}

void byw_clock_free(struct byw_clock *clock)
{
    free(clock->step);
    free(clock->start);
    clock->step = NULL;
    clock->start = NULL;
}

uint64_t byw_clock_edges(const struct byw_clock *clock, enum byw_domain domain, uint64_t cycle)
{
    uint64_t f = clock->f[domain];

    return (cycle * f + clock->period - 1) / clock->period;
}

uint64_t byw_clock_cycle(const struct byw_clock *clock, enum byw_domain domain, uint64_t edge)
{
    return edge * clock->period / clock->f[domain];
}
