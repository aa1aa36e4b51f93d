/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_two_level.h - the two-level bypass of one SM (paper 001; mechanisms/two_level.md 3): WOMU and
 * MRMU observe a sampling window, BDU decides what loads do until the next one.
 *
 *     miss rate < low          C, loads are cached
 *     miss rate > high         B, loads bypass
 *     else occupancy < limit   B, else C
 *     too few loads            B
 *
 * low = high is the paper's fixed-threshold comparison (the occupancy then decides only at exactly
 * that rate).  Each SM decides for itself.  Switching from B to C needs no flush, because stores
 * update the lines in mode B, too.
 */
#ifndef BYW_TWO_LEVEL_H
#define BYW_TWO_LEVEL_H

#include "common/byw_config.h"
#include "policy/byw_bdu.h"
#include "policy/byw_mrmu.h"
#include "policy/byw_womu.h"
#include "record/byw_ctrl.h"

/* State of an SM's two-level unit in a cycle. */
enum byw_two_level_state { BYW_TL_CACHE, BYW_TL_BYPASS, BYW_TL_SAMPLE, BYW_TL_STATES };

struct byw_two_level {
    bool on; /* the policy uses it; otherwise it never bypasses */
    bool average; /* occupancy averaged over the window; otherwise that of its last cycle */
    bool pending_is_miss;
    uint32_t low; /* 1/256 */
    uint32_t high; /* 1/256 */
    uint32_t bound; /* byw_two_level_bound() */
    uint32_t few; /* a window with fewer loads has no rate */
    struct byw_womu womu;
    struct byw_mrmu mrmu;
    struct byw_bdu bdu;
    uint32_t late_events; /* L1D events of the previous cycle, which count in this one */
    struct {
        uint32_t sum; /* byw_womu.sum */
        struct byw_mrmu mrmu;
    } held[BYW_BDU_TABLE]; /* monitors of held windows */
};

void byw_two_level_init(struct byw_two_level *tl, const struct byw_config *config);

/* Applies new settings and keeps the state.  Call byw_two_level_clear() at the next clock edge. */
void byw_two_level_configure(struct byw_two_level *tl, const struct byw_config *config);

/* The occupancy limit as a number of active warps, in 1/256: occupancy * sm.warps, times the cycles
 * of a window if the average is compared.  Below 2^31. */
uint32_t byw_two_level_bound(const struct byw_config *config);

/* Restores the state after init. */
void byw_two_level_clear(struct byw_two_level *tl);

/* Whether loads accepted in this cycle bypass. */
static inline bool byw_two_level_bypasses(const struct byw_two_level *tl)
{
    return tl->bdu.bypass;
}

enum byw_two_level_state byw_two_level_state(const struct byw_two_level *tl);

/* The clock edge of a cycle with these controls (kernel_start, kernel_pc, cta_placed, active_warps)
 * and event pulses of the L1D.  Pulses count in the next cycle: those of the L1D if that cycle is
 * in a window, a kernel start once it has been looked up (byw_bdu.h).  Returns the pulses of
 * byw_policy_events.def. */
uint32_t byw_two_level_tick(struct byw_two_level *tl, const struct byw_l1d_ctrl *ctrl,
                            uint32_t events);

/* Passes up to `cycles` clock edges without pulses, with `warps` active warps.  Stops after an edge
 * at which time or a pulse of the previous cycle changed something.  Returns the edges passed, at
 * least 1 for cycles >= 1; *pulses: those of the last one. */
uint64_t byw_two_level_skip(struct byw_two_level *tl, uint32_t warps, uint64_t cycles,
                            uint32_t *pulses);

#endif
