/* SPDX-License-Identifier: Apache-2.0
 *
 * two_level_rig.h - drives one two-level bypass: cycles, kernel starts, CTAs, and whole windows
 * with given hits and misses. A start or a CTA takes its own cycle and the cycles until it takes
 * effect.
 */
#ifndef TWO_LEVEL_RIG_H
#define TWO_LEVEL_RIG_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/test.h"
#include "l1d/byw_l1d.h"
#include "policy/byw_policy_events.h"
#include "policy/byw_two_level.h"

#define EV(e) (UINT32_C(1) << (e))
#define LOAD_HIT (EV(BYW_EV_LOAD) | EV(BYW_EV_HIT))
#define LOAD_MISS (EV(BYW_EV_LOAD) | EV(BYW_EV_MISS))
#define LOAD_PENDING (EV(BYW_EV_LOAD) | EV(BYW_EV_HIT_PENDING))
#define LOAD_BYPASS (EV(BYW_EV_LOAD) | EV(BYW_EV_BYPASS))

static inline struct byw_config config(void)
{
    struct byw_config c;

    byw_config_defaults(&c);
    c.tl_on = 1;
    c.tl_sample = 100;
    c.tl_min = 10;
    c.sm_warps = 32;
    return c;
}

static inline struct byw_two_level make(const struct byw_config *c)
{
    struct byw_two_level tl;

    byw_two_level_init(&tl, c);
    return tl;
}

static inline uint32_t tick(struct byw_two_level *tl, uint32_t events, uint8_t warps)
{
    struct byw_l1d_ctrl ctrl = {.active_warps = warps};

    return byw_two_level_tick(tl, &ctrl, events);
}

/* Ticks until no kernel start or CTA is waiting to be counted; returns the cycles. */
static inline uint32_t settle(struct byw_two_level *tl)
{
    uint32_t pulses = 0;

    while (tl->bdu.start.on || tl->bdu.cta)
        pulses |= tick(tl, 0, 0);
    return pulses;
}

static inline uint32_t start(struct byw_two_level *tl, uint32_t pc, bool cta)
{
    struct byw_l1d_ctrl ctrl = {.kernel_start = true, .kernel_pc = pc, .cta_placed = cta};
    uint32_t pulses = byw_two_level_tick(tl, &ctrl, 0);

    return pulses | settle(tl);
}

static inline uint32_t place(struct byw_two_level *tl)
{
    struct byw_l1d_ctrl ctrl = {.cta_placed = true};
    uint32_t pulses = byw_two_level_tick(tl, &ctrl, 0);

    return pulses | settle(tl);
}

/* Runs the open window to its end with these loads; returns the pulses of its verdict. */
static inline uint32_t window(struct byw_two_level *tl, uint32_t hits, uint32_t misses,
                              uint8_t warps)
{
    uint32_t i;

    for (i = 0; i < tl->bdu.sample; i++) {
        uint32_t events = i < hits ? LOAD_HIT : i < hits + misses ? LOAD_MISS : 0;

        assert_int_equal(byw_two_level_state(tl), BYW_TL_SAMPLE);
        assert_false(byw_two_level_bypasses(tl));
        assert_int_equal(tick(tl, events, warps), 0);
    }
    assert_int_equal(byw_two_level_state(tl), BYW_TL_CACHE);
    return tick(tl, 0, 0);
}

/* A kernel start with a CTA, then a window; returns the resulting mode. */
static inline bool sample(struct byw_two_level *tl, uint32_t pc, uint32_t hits, uint32_t misses,
                          uint8_t warps)
{
    assert_int_equal(start(tl, pc, true), byw_pev(BYW_PEV_TL_WINDOW));
    window(tl, hits, misses, warps);
    return byw_two_level_bypasses(tl);
}

#endif
