/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/byw_two_level.h"

#include <string.h>

#include "common/byw_bits.h"
#include "common/byw_mech.h"
#include "policy/byw_policy_events.h"

uint32_t byw_two_level_bound(const struct byw_config *config)
{
    return config->tl_occupancy * config->sm_warps * (config->tl_last == 0 ? config->tl_sample : 1);
}

void byw_two_level_configure(struct byw_two_level *tl, const struct byw_config *config)
{
    tl->on = config->tl_on != 0;
    tl->average = config->tl_last == 0;
    tl->pending_is_miss = config->tl_pending != 0;
    tl->low = config->tl_low;
    tl->high = config->tl_high;
    tl->bound = byw_two_level_bound(config);
    tl->few = config->tl_min;
    tl->bdu.resample = config->tl_resample;
    tl->bdu.sample = config->tl_sample;
    tl->bdu.period = config->tl_period;
}

void byw_two_level_init(struct byw_two_level *tl, const struct byw_config *config)
{
    *tl = (struct byw_two_level){0};
    byw_two_level_configure(tl, config);
}

static void clear_monitors(struct byw_two_level *tl)
{
    byw_womu_clear(&tl->womu);
    byw_mrmu_clear(&tl->mrmu);
}

void byw_two_level_clear(struct byw_two_level *tl)
{
    clear_monitors(tl);
    tl->late_events = 0;
    byw_bdu_init(&tl->bdu, tl->bdu.resample, tl->bdu.sample, tl->bdu.period);
}

enum byw_two_level_state byw_two_level_state(const struct byw_two_level *tl)
{
    if (tl->bdu.sampling)
        return BYW_TL_SAMPLE;
    return tl->bdu.bypass ? BYW_TL_BYPASS : BYW_TL_CACHE;
}

/* Judges the window that ended in the previous cycle. */
static uint32_t decide(struct byw_two_level *tl)
{
    enum byw_policy_event why;

    switch (byw_mrmu_judge(&tl->mrmu, tl->low, tl->high, tl->few)) {
    case BYW_MRMU_LOW:
        why = BYW_PEV_TL_LOW;
        break;
    case BYW_MRMU_HIGH:
        why = BYW_PEV_TL_HIGH;
        break;
    case BYW_MRMU_FEW:
        why = BYW_PEV_TL_FEW;
        break;
    default:
        why = byw_womu_under(&tl->womu, tl->average, tl->bound) ? BYW_PEV_TL_LAZY : BYW_PEV_TL_BUSY;
        break;
    }
    byw_bdu_decide(&tl->bdu, why != BYW_PEV_TL_LOW && why != BYW_PEV_TL_BUSY);
    return byw_pev(why);
}

/* Clears, saves or restores the monitors as the windows change. */
static void move_monitors(struct byw_two_level *tl, const struct byw_bdu_moves *moves)
{
    if (moves->hold) {
        tl->held[moves->hold_slot].sum = tl->womu.sum;
        tl->held[moves->hold_slot].mrmu = tl->mrmu;
    }
    if (moves->begins) {
        clear_monitors(tl);
    } else if (moves->resume) {
        byw_womu_resume(&tl->womu, tl->held[moves->resume_slot].sum);
        tl->mrmu = tl->held[moves->resume_slot].mrmu;
    }
}

/* Advances by `cycles` clock edges, at most byw_bdu_due().  The L1D's events of the previous cycle
 * count at the first edge.  Returns the pulses of the last edge. */
static uint32_t advance(struct byw_two_level *tl, uint32_t warps, uint32_t cycles)
{
    uint32_t pulses = tl->bdu.judged ? decide(tl) : 0;
    struct byw_bdu_moves moves;

    if (tl->bdu.sampling) {
        byw_womu_count(&tl->womu, warps, cycles);
        if (tl->late_events != 0)
            byw_mrmu_count(&tl->mrmu, tl->late_events, tl->pending_is_miss);
    }
    tl->late_events = 0;
    moves = byw_bdu_pass(&tl->bdu, cycles);
    move_monitors(tl, &moves);
    return pulses | (moves.begins ? byw_pev(BYW_PEV_TL_WINDOW) : 0) |
           (moves.known ? byw_pev(BYW_PEV_TL_KNOWN) : 0);
}

uint32_t byw_two_level_tick(struct byw_two_level *tl, const struct byw_l1d_ctrl *ctrl,
                            uint32_t events)
{
    uint32_t pulses;

    if (!tl->on)
        return 0;
    pulses = advance(tl, ctrl->active_warps, 1);
    byw_bdu_take(&tl->bdu, ctrl->kernel_start, ctrl->kernel_pc, ctrl->cta_placed);
    tl->late_events = events;
    return pulses;
}

uint64_t byw_two_level_skip(struct byw_two_level *tl, uint32_t warps, uint64_t cycles,
                            uint32_t *pulses)
{
    uint32_t due = byw_bdu_due(&tl->bdu);

    if (cycles > due)
        cycles = due;
    *pulses = 0;
    if (due != UINT32_MAX)
        *pulses = advance(tl, warps, (uint32_t)cycles);
    tl->late_events = 0;
    return cycles;
}

/* Two counts of loads, one of cycles, a sum of warps, the mode, MRMU's code and BDU's table of
 * kernels.  Held windows are not counted, because the paper has none. */
static uint64_t storage_bits(const struct byw_config *c, const uint32_t *values)
{
    uint32_t count = byw_clog2((uint64_t)c->tl_sample + 1);

    (void)values;
    return 3 * count + byw_clog2((uint64_t)c->sm_warps + 1) + 1 + 2 +
           BYW_BDU_TABLE * (32 + 2); /* entry PC, valid, decision */
}

const struct byw_mech byw_mech_two_level = {
    .name = "two_level",
    .paper = "001",
    .sentence = "an SM's loads bypass after a window of many misses, or of some misses and few "
                "active warps",
    .enable = "two_level.enable",
    .on = "on",
    .unit = "two_level",
    .storage_bits = storage_bits,
};
