/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_trials.h - when an L1 tries different ways of bypassing, and which one it keeps (
 * mechanisms/across.md 13.1).
 *
 * Time is divided into windows of accepted loads.  While the L1 caches, windows with little reuse
 * request a trial.  A trial measures protecting, then relieving, and the faster one stays.  If one
 * is much slower than caching was, the trial ends.  The cache defines what protecting and relieving
 * do.
 *
 * Order in a cycle: byw_trials_enter() for a load that enters the L1D, byw_trials_load() for the
 * oldest entered load when it is accepted, byw_trials_tick().
 */
#ifndef BYW_TRIALS_H
#define BYW_TRIALS_H

#include <stdbool.h>
#include <stdint.h>

/* The keys trial.* of the same names. */
struct byw_trial_rules {
    uint32_t window, reuse_pct, confirm, windows, margin_pct, overtime_pct;
    uint32_t rest, doublings, line_window, line_reuse_pct, run_pct;
};

enum byw_trial_mode { BYW_TRIAL_CACHE, BYW_TRIAL_PROTECT, BYW_TRIAL_RELIEVE, BYW_TRIAL_MODES };

/* Pulses, as bits: a trial starts; protecting or relieving wins it.  Hardware has two more: a load
 * waits in its warp's FIFO; a load bypasses because its whole set is protected. */
enum byw_trial_event {
    BYW_TRIAL_EV_START,
    BYW_TRIAL_EV_PROTECT,
    BYW_TRIAL_EV_RELIEVE,
    BYW_TRIAL_EV_WAITED,
    BYW_TRIAL_EV_BYPASS,
    BYW_TRIAL_EVENTS
};

enum {
    BYW_TRIAL_CYCLE_BITS = 24, /* cycles of a window saturate at 2^24 - 1 */
    BYW_TRIAL_ENTERED = 4, /* most loads that have entered and are not yet accepted */
};

struct byw_trials {
    struct byw_trial_rules rules;
    uint32_t cycles_max;

    enum byw_trial_mode mode;
    bool trying;
    uint32_t loads, reused, followers; /* counts in the current window */
    uint32_t cycles; /* cycles of the current window, at most cycles_max */
    uint32_t windows; /* trying: measured in this mode; caching: left until a trial is allowed */
    uint32_t failed; /* failed trials, at most trial.doublings */
    uint32_t confirmed; /* consecutive windows that requested a trial */
    uint32_t cached; /* cycles of the fastest of these windows */
    uint32_t sum; /* cycles of the windows measured in this mode */
    uint32_t protecting; /* cycles of the windows measured while protecting */
    bool runs; /* in the last cached window many loads followed a load of their own warp */

    bool line_bypass; /* caching: a load bypasses if all lines of its set are pending */
    uint32_t line_loads, line_reused;

    uint8_t last_warp; /* warp of the last load that entered */
    uint32_t entered, follows; /* loads entered and not accepted; one bit each, oldest in bit 0: it
                                * followed a load of its warp */
};

/* cycle_bits: BYW_TRIAL_CYCLE_BITS except in tests. */
void byw_trials_init(struct byw_trials *t, const struct byw_trial_rules *rules,
                     uint32_t cycle_bits);
void byw_trials_reset(struct byw_trials *t);
/* As reset, but keeps the loads inside the L1D. */
void byw_trials_restart(struct byw_trials *t);

void byw_trials_enter(struct byw_trials *t, uint8_t warp);
/* reused: the load finds its line, filled or in flight.  Returns pulses. */
uint32_t byw_trials_load(struct byw_trials *t, bool reused);
void byw_trials_tick(struct byw_trials *t, uint64_t cycles);

/* BYW_STALL_*: which refused loads bypass instead. */
uint32_t byw_trials_stall(const struct byw_trials *t);
/* Whether requests wait in FIFOs by warp. */
bool byw_trials_by_warp(const struct byw_trials *t);

/* The judgments, pure.  _asks: a window of caching requests a trial.  _late: a window of a trial
 * takes too long.  _protects: by the measured cycles of both, protecting wins over relieving. */
bool byw_trial_asks(const struct byw_trial_rules *r, uint32_t reused);
bool byw_trial_late(const struct byw_trial_rules *r, uint32_t cycles, uint32_t cached);
bool byw_trial_protects(const struct byw_trial_rules *r, uint64_t protecting, uint64_t relieving);

uint64_t byw_trials_digest(const struct byw_trials *t);

/* Storage bits (mechanisms/across.md 14). */
uint64_t byw_trials_bits(const struct byw_trial_rules *r);

#endif
