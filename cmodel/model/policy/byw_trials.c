/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/byw_trials.h"

#include <assert.h>

#include "common/byw_bits.h"
#include "common/byw_config.h"

/* --- judgements ------------------------------------------------------------------------------ */

bool byw_trial_asks(const struct byw_trial_rules *r, uint32_t reused)
{
    return 100 * reused < r->reuse_pct * r->window;
}

bool byw_trial_late(const struct byw_trial_rules *r, uint32_t cycles, uint32_t cached)
{
    return 100 * (uint64_t)cycles > (100 + r->overtime_pct) * (uint64_t)cached;
}

bool byw_trial_protects(const struct byw_trial_rules *r, uint64_t protecting, uint64_t relieving)
{
    return 100 * protecting <= (100 + r->margin_pct) * relieving;
}

/* --- windows and trials ---------------------------------------------------------------------- */

static void begin_window(struct byw_trials *t)
{
    t->loads = t->reused = t->cycles = t->followers = 0;
}

/* Caching was faster than what was tried: returns to caching and delays the next trial. */
static void fail(struct byw_trials *t)
{
    t->mode = BYW_TRIAL_CACHE;
    t->trying = false;
    t->windows = t->rules.rest << t->failed;
    t->failed += t->failed < t->rules.doublings;
}

static void try_side(struct byw_trials *t, enum byw_trial_mode mode)
{
    t->mode = mode;
    t->trying = true;
    t->windows = t->sum = 0;
}

/* Selects the faster of protecting and relieving, which have both been measured. */
static uint32_t decide(struct byw_trials *t)
{
    bool protects = byw_trial_protects(&t->rules, t->protecting, t->sum);

    t->trying = false;
    t->windows = 0;
    t->mode = protects ? BYW_TRIAL_PROTECT : BYW_TRIAL_RELIEVE;
    return UINT32_C(1) << (protects ? BYW_TRIAL_EV_PROTECT : BYW_TRIAL_EV_RELIEVE);
}

static uint32_t end_of_tried(struct byw_trials *t)
{
    t->windows++;
    if (t->windows > t->rules.windows / 2)
        t->sum += t->cycles;
    if (t->windows < t->rules.windows)
        return 0;
    if (t->mode != BYW_TRIAL_PROTECT)
        return decide(t);
    t->protecting = t->sum;
    try_side(t, BYW_TRIAL_RELIEVE);
    return 0;
}

static uint32_t end_of_cached(struct byw_trials *t)
{
    t->runs = 100 * t->followers >= t->rules.run_pct * t->rules.window;
    if (t->windows != 0) {
        t->windows--;
        return 0;
    }
    if (!byw_trial_asks(&t->rules, t->reused)) {
        t->confirmed = 0;
        return 0;
    }
    if (t->confirmed == 0 || t->cycles < t->cached)
        t->cached = t->cycles;
    if (++t->confirmed < t->rules.confirm)
        return 0;
    t->confirmed = 0;
    try_side(t, BYW_TRIAL_PROTECT);
    return UINT32_C(1) << BYW_TRIAL_EV_START;
}

static void judge_lines(struct byw_trials *t, bool reused)
{
    t->line_reused += reused;
    if (++t->line_loads < t->rules.line_window)
        return;
    t->line_bypass = 100 * t->line_reused < t->rules.line_reuse_pct * t->rules.line_window;
    t->line_loads = t->line_reused = 0;
}

void byw_trials_enter(struct byw_trials *t, uint8_t warp)
{
    assert(t->entered < BYW_TRIAL_ENTERED);
    t->follows |= (uint32_t)(warp == t->last_warp) << t->entered++;
    t->last_warp = warp;
}

uint32_t byw_trials_load(struct byw_trials *t, bool reused)
{
    uint32_t events = 0;

    assert(t->entered != 0);
    judge_lines(t, reused);
    if (t->trying && byw_trial_late(&t->rules, t->cycles, t->cached)) {
        fail(t);
        begin_window(t);
    }
    t->reused += reused;
    t->followers += t->follows & 1;
    t->follows >>= 1;
    t->entered--;
    if (++t->loads < t->rules.window)
        return 0;
    if (t->trying)
        events = end_of_tried(t);
    else if (t->mode == BYW_TRIAL_CACHE)
        events = end_of_cached(t);
    begin_window(t);
    return events;
}

void byw_trials_tick(struct byw_trials *t, uint64_t cycles)
{
    uint32_t left = t->cycles_max - t->cycles;

    t->cycles += cycles > left ? left : (uint32_t)cycles;
}

/* --- outputs that depend on the mode --------------------------------------------------------- */

uint32_t byw_trials_stall(const struct byw_trials *t)
{
    if (t->mode == BYW_TRIAL_CACHE)
        return t->line_bypass ? BYW_STALL_LINE : BYW_STALL_OFF;
    return t->mode == BYW_TRIAL_RELIEVE ? BYW_STALL_ANY : BYW_STALL_LINE;
}

bool byw_trials_by_warp(const struct byw_trials *t)
{
    return t->mode == BYW_TRIAL_PROTECT && t->runs;
}

/* --- initialization and reset ---------------------------------------------------------------- */

void byw_trials_reset(struct byw_trials *t)
{
    *t = (struct byw_trials){
        .rules = t->rules, .cycles_max = t->cycles_max, .mode = BYW_TRIAL_CACHE};
}

void byw_trials_restart(struct byw_trials *t)
{
    const struct byw_trials was = *t;

    byw_trials_reset(t);
    t->last_warp = was.last_warp;
    t->entered = was.entered;
    t->follows = was.follows;
}

void byw_trials_init(struct byw_trials *t, const struct byw_trial_rules *rules, uint32_t cycle_bits)
{
    *t = (struct byw_trials){.rules = *rules, .cycles_max = (UINT32_C(1) << cycle_bits) - 1};
    byw_trials_reset(t);
}

uint64_t byw_trials_digest(const struct byw_trials *t)
{
    uint64_t digest = (uint64_t)t->mode * 2 + t->trying;

    digest = digest * 31 + t->loads;
    digest = digest * 31 + t->cycles;
    digest = digest * 31 + t->windows;
    digest = digest * 31 + t->confirmed * UINT64_C(32) + t->failed;
    digest = digest * 31 + t->followers * UINT64_C(2) + t->runs;
    return digest * 31 + t->line_loads * UINT64_C(2) + t->line_bypass;
}

/* Bits for: loads, reuse, runs and cycles of the window; the cycles of the fastest cached window;
 * the sums of the trial; the mode; the last warp and the bits of loads that follow their warp. */
uint64_t byw_trials_bits(const struct byw_trial_rules *r)
{
    uint64_t rest = (uint64_t)r->rest << r->doublings;
    uint64_t windows = r->windows > rest ? r->windows : rest;

    return 3 * (uint64_t)byw_clog2(r->window) + 2 * (uint64_t)byw_clog2(r->line_window) +
           2 * (uint64_t)BYW_TRIAL_CYCLE_BITS +
           2 * (uint64_t)(BYW_TRIAL_CYCLE_BITS + byw_clog2(r->windows)) + byw_clog2(windows + 1) +
           byw_clog2(r->doublings + 1) + byw_clog2(r->confirm + 1) + 13;
}
