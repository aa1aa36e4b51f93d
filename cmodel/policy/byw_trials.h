/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_trials.h - when an L1 tries ways of bypassing, and which it keeps (MECHANISMS 13.1).
 *
 * Windows of accepted loads.  While caching, windows with little reuse ask for a trial; a trial
 * measures protecting and then relieving, and the faster stays.  A side that is much slower than
 * caching was ends it.  What protecting and relieving are is the cache's business.
 *
 * Order in a cycle: byw_trials_enter() for a load that enters the L1D, byw_trials_load() for the
 * oldest of those when it is accepted, byw_trials_tick().
 */
#ifndef BYW_TRIALS_H
#define BYW_TRIALS_H

#include <stdbool.h>
#include <stdint.h>

/* The keys trial.* of these names. */
struct byw_trial_rules {
    uint32_t window, reuse_pct, confirm, windows, margin_pct, overtime_pct;
    uint32_t rest, doublings, line_window, line_reuse_pct, run_pct;
};

enum byw_trial_mode { BYW_TRIAL_CACHE, BYW_TRIAL_PROTECT, BYW_TRIAL_RELIEVE, BYW_TRIAL_MODES };

/* Pulses, as bits: a trial starts; protecting, relieving has won one.  In hardware two more: a load
 * waits by warp; one bypasses because its set is all protected. */
enum byw_trial_event {
    BYW_TRIAL_EV_START,
    BYW_TRIAL_EV_PROTECT,
    BYW_TRIAL_EV_RELIEVE,
    BYW_TRIAL_EV_WAITED,
    BYW_TRIAL_EV_BYPASS,
    BYW_TRIAL_EVENTS
};

enum {
    BYW_TRIAL_CYCLE_BITS = 24, /* cycles of a window are counted up to 2^24 - 1 */
    BYW_TRIAL_ENTERED = 4, /* loads that have entered and are not accepted yet, at most */
};

struct byw_trials {
    struct byw_trial_rules rules;
    uint32_t cycles_max;

    enum byw_trial_mode mode;
    bool trying;
    uint32_t loads, reused, followers; /* of the window */
    uint32_t cycles; /* of it, at most cycles_max */
    uint32_t windows; /* trying: of this side; caching: left of the rest */
    uint32_t failed; /* trials, at most trial.doublings */
    uint32_t confirmed; /* windows in a row that ask for a trial */
    uint32_t cached; /* cycles of the fastest of them */
    uint32_t sum; /* cycles of the measured windows of this side */
    uint32_t protecting; /* ... of protecting */
    bool runs; /* of the last cached window many loads followed one of their warp */

    bool line_bypass; /* caching: a load whose set is all pending bypasses */
    uint32_t line_loads, line_reused;

    uint8_t last_warp; /* of the last load that entered */
    uint32_t entered, follows; /* loads inside, and a bit for each, the oldest lowest */
};

/* cycle_bits: BYW_TRIAL_CYCLE_BITS but in tests. */
void byw_trials_init(struct byw_trials *t, const struct byw_trial_rules *rules,
                     uint32_t cycle_bits);
void byw_trials_reset(struct byw_trials *t);
/* The same, but what is inside the L1D stays. */
void byw_trials_restart(struct byw_trials *t);

void byw_trials_enter(struct byw_trials *t, uint8_t warp);
/* reused: it finds its line, filled or on its way.  Returns pulses. */
uint32_t byw_trials_load(struct byw_trials *t, bool reused);
void byw_trials_tick(struct byw_trials *t, uint64_t cycles);

/* BYW_STALL_*: which refused loads bypass instead. */
uint32_t byw_trials_stall(const struct byw_trials *t);
/* Requests wait in FIFOs by their warp. */
bool byw_trials_by_warp(const struct byw_trials *t);

/* The judgements, pure.  A window of caching asks for a trial; a tried one takes too long; of both
 * sides' measured cycles: protecting wins over relieving. */
bool byw_trial_asks(const struct byw_trial_rules *r, uint32_t reused);
bool byw_trial_late(const struct byw_trial_rules *r, uint32_t cycles, uint32_t cached);
bool byw_trial_protects(const struct byw_trial_rules *r, uint64_t protecting, uint64_t relieving);

uint64_t byw_trials_digest(const struct byw_trials *t);

/* MECHANISMS 14. */
uint64_t byw_trials_bits(const struct byw_trial_rules *r);

#endif
