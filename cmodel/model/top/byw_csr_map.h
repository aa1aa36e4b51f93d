/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_csr_map.h - register offsets, widths, reset values and fields, for drivers and the
 * twin.  Generated from byw_csr.def by verif/top/byw_gen_csr.c (make csr); not edited.
 */
#ifndef BYW_CSR_MAP_H
#define BYW_CSR_MAP_H

/* clang-format off */
#define BYW_CSR_ID 0x000U /* the letters BYW1 */
#define BYW_CSR_ID_W 32U
#define BYW_CSR_ID_RESET 0x42595731U
#define BYW_CSR_SMS 0x004U /* number of SMs */
#define BYW_CSR_SMS_W 8U
#define BYW_CSR_SMS_RESET 0x0U
#define BYW_CSR_COMMAND 0x008U /* each 1 bit starts its action in the next cycle */
#define BYW_CSR_COMMAND_W 3U
#define BYW_CSR_COMMAND_RESET 0x0U
#define BYW_CSR_STATUS 0x00cU /* state of the cluster */
#define BYW_CSR_STATUS_W 6U
#define BYW_CSR_STATUS_RESET 0x0U
#define BYW_CSR_POLICY 0x010U /* the policy of all L1s */
#define BYW_CSR_POLICY_W 24U
#define BYW_CSR_POLICY_RESET 0x22700U
#define BYW_CSR_DUEL 0x014U /* SM dueling; a write restarts it */
#define BYW_CSR_DUEL_W 32U
#define BYW_CSR_DUEL_RESET 0x8648a14U
#define BYW_CSR_DUEL_INTERVAL 0x018U /* duel.interval, cycles, 1 or more, with CROSSOVER 4 or more; a write restarts dueling */
#define BYW_CSR_DUEL_INTERVAL_W 20U
#define BYW_CSR_DUEL_INTERVAL_RESET 0x3e8U
#define BYW_CSR_DUEL_MIN 0x01cU /* duel.min_accesses; a write restarts dueling */
#define BYW_CSR_DUEL_MIN_W 20U
#define BYW_CSR_DUEL_MIN_RESET 0x8U
#define BYW_CSR_COUNTER_SELECT 0x020U /* the counter that COUNTER_LOW reads */
#define BYW_CSR_COUNTER_SELECT_W 16U
#define BYW_CSR_COUNTER_SELECT_RESET 0x0U
#define BYW_CSR_COUNTER_LOW 0x024U /* bits 31..0 of the counter; a read saves bits 63..32 for COUNTER_HIGH */
#define BYW_CSR_COUNTER_LOW_W 32U
#define BYW_CSR_COUNTER_LOW_RESET 0x0U
#define BYW_CSR_COUNTER_HIGH 0x028U /* bits 63..32 as of the last read of COUNTER_LOW */
#define BYW_CSR_COUNTER_HIGH_W 32U
#define BYW_CSR_COUNTER_HIGH_RESET 0x0U
#define BYW_CSR_PC_PRED 0x02cU /* the PC predictor of all L1s */
#define BYW_CSR_PC_PRED_W 31U
#define BYW_CSR_PC_PRED_RESET 0x2000082U
#define BYW_CSR_TWO_LEVEL 0x030U /* two-level bypass of all SMs */
#define BYW_CSR_TWO_LEVEL_W 29U
#define BYW_CSR_TWO_LEVEL_RESET 0xe608004U
#define BYW_CSR_TWO_LEVEL_WINDOW 0x034U /* sampling windows of the two-level bypass */
#define BYW_CSR_TWO_LEVEL_WINDOW_W 32U
#define BYW_CSR_TWO_LEVEL_WINDOW_RESET 0x401388U
#define BYW_CSR_TWO_LEVEL_PERIOD 0x038U /* two_level.period, cycles, 1 or more */
#define BYW_CSR_TWO_LEVEL_PERIOD_W 30U
#define BYW_CSR_TWO_LEVEL_PERIOD_RESET 0x30d40U
#define BYW_CSR_TWO_LEVEL_BOUND 0x03cU /* two_level.occupancy times sm.warps, with active_warps = average times two_level.sample */
#define BYW_CSR_TWO_LEVEL_BOUND_W 31U
#define BYW_CSR_TWO_LEVEL_BOUND_RESET 0x249f000U
#define BYW_CSR_KERNEL_PC 0x040U /* entry PC of the kernel that COMMAND.KERNEL_START starts, for two-level */
#define BYW_CSR_KERNEL_PC_W 32U
#define BYW_CSR_KERNEL_PC_RESET 0x0U
#define BYW_CSR_DUEL_HOLD 0x044U /* duel.hold, cycles; a write restarts dueling */
#define BYW_CSR_DUEL_HOLD_W 20U
#define BYW_CSR_DUEL_HOLD_RESET 0x2710U
#define BYW_CSR_DUEL_SETTLE 0x048U /* duel.settle, cycles; a write restarts dueling */
#define BYW_CSR_DUEL_SETTLE_W 20U
#define BYW_CSR_DUEL_SETTLE_RESET 0x1f4U
#define BYW_CSR_COMMAND_KERNEL_START_LSB 0U /* all SMs: lines and their policy state are dropped; two-level gets KERNEL_PC */
#define BYW_CSR_COMMAND_KERNEL_START_W 1U
#define BYW_CSR_COMMAND_DUEL_RESTART_LSB 1U /* dueling restarts: empty window, initial decision */
#define BYW_CSR_COMMAND_DUEL_RESTART_W 1U
#define BYW_CSR_COMMAND_RESET_LSB 2U /* all L1s, counters and dueling as after reset; the registers stay; an error while not idle */
#define BYW_CSR_COMMAND_RESET_W 1U
#define BYW_CSR_STATUS_IDLE_LSB 0U /* nothing is in flight in any L1 */
#define BYW_CSR_STATUS_IDLE_W 1U
#define BYW_CSR_STATUS_FOLLOWERS_ON_LSB 1U /* dueling lets the followers filter */
#define BYW_CSR_STATUS_FOLLOWERS_ON_W 1U
#define BYW_CSR_STATUS_VOTES_LSB 2U /* votes against the decision since the last one for it */
#define BYW_CSR_STATUS_VOTES_W 4U
#define BYW_CSR_POLICY_MODE_LSB 0U /* policy.mode */
#define BYW_CSR_POLICY_MODE_W 2U
#define BYW_CSR_POLICY_BYP_ON_HIT_LSB 2U /* policy.bypass_on_hit */
#define BYW_CSR_POLICY_BYP_ON_HIT_W 2U
#define BYW_CSR_POLICY_STORE_UPDATE_LSB 4U /* l1d.store_hit = update */
#define BYW_CSR_POLICY_STORE_UPDATE_W 1U
#define BYW_CSR_POLICY_COMPARE_GT_LSB 5U /* decoupled.compare = gt */
#define BYW_CSR_POLICY_COMPARE_GT_W 1U
#define BYW_CSR_POLICY_LFU_ALL_LSB 6U /* decoupled.lfu_victims = all */
#define BYW_CSR_POLICY_LFU_ALL_W 1U
#define BYW_CSR_POLICY_RC_ON_HIT_LSB 7U /* decoupled.rc_on_hit */
#define BYW_CSR_POLICY_RC_ON_HIT_W 1U
#define BYW_CSR_POLICY_AGE_ON_ALLOC_LSB 8U /* decoupled.age_on_alloc */
#define BYW_CSR_POLICY_AGE_ON_ALLOC_W 1U
#define BYW_CSR_POLICY_AGE_ON_EVICT_LSB 9U /* decoupled.age_on_evict */
#define BYW_CSR_POLICY_AGE_ON_EVICT_W 1U
#define BYW_CSR_POLICY_AGE_MERGE_LSB 10U /* decoupled.age_merge */
#define BYW_CSR_POLICY_AGE_MERGE_W 1U
#define BYW_CSR_POLICY_STORE_RC_LSB 11U /* decoupled.store_rc */
#define BYW_CSR_POLICY_STORE_RC_W 1U
#define BYW_CSR_POLICY_BYP_ON_RSFAIL_LSB 12U /* decoupled.bypass_on_rsfail */
#define BYW_CSR_POLICY_BYP_ON_RSFAIL_W 1U
#define BYW_CSR_POLICY_RC_INIT_LSB 13U /* decoupled.rc_init */
#define BYW_CSR_POLICY_RC_INIT_W 1U
#define BYW_CSR_POLICY_TRIAL_LSB 14U /* trial.enable; an L1 without that hardware ignores it */
#define BYW_CSR_POLICY_TRIAL_W 1U
#define BYW_CSR_POLICY_THRESHOLD_LSB 16U /* decoupled.threshold */
#define BYW_CSR_POLICY_THRESHOLD_W 6U
#define BYW_CSR_POLICY_STALL_BYPASS_LSB 22U /* stall.bypass */
#define BYW_CSR_POLICY_STALL_BYPASS_W 2U
#define BYW_CSR_DUEL_ENABLE_LSB 0U /* duel.enable */
#define BYW_CSR_DUEL_ENABLE_W 1U
#define BYW_CSR_DUEL_INITIAL_ON_LSB 1U /* duel.initial = on */
#define BYW_CSR_DUEL_INITIAL_ON_W 1U
#define BYW_CSR_DUEL_BYPASS_IS_MISS_LSB 2U /* duel.bypass_is_miss */
#define BYW_CSR_DUEL_BYPASS_IS_MISS_W 1U
#define BYW_CSR_DUEL_BY_LOADS_LSB 3U /* duel.compare = loads */
#define BYW_CSR_DUEL_BY_LOADS_W 1U
#define BYW_CSR_DUEL_HYSTERESIS_LSB 4U /* duel.hysteresis, 1 to 15, with CROSSOVER 1 to 7 */
#define BYW_CSR_DUEL_HYSTERESIS_W 4U
#define BYW_CSR_DUEL_MARGIN_LSB 8U /* duel.margin_pct, 0 to 100 */
#define BYW_CSR_DUEL_MARGIN_W 7U
#define BYW_CSR_DUEL_ALL_FOLLOW_LSB 15U /* duel.follow = all */
#define BYW_CSR_DUEL_ALL_FOLLOW_W 1U
#define BYW_CSR_DUEL_CROSSOVER_LSB 16U /* duel.rule = crossover */
#define BYW_CSR_DUEL_CROSSOVER_W 1U
#define BYW_CSR_DUEL_SPEEDUP_LSB 17U /* duel.speedup_pct, 0 to 255 */
#define BYW_CSR_DUEL_SPEEDUP_W 8U
#define BYW_CSR_DUEL_NOISE_LSB 25U /* duel.noise, 0 to 127 */
#define BYW_CSR_DUEL_NOISE_W 7U
#define BYW_CSR_COUNTER_SELECT_NUMBER_LSB 0U /* which counter, see the list */
#define BYW_CSR_COUNTER_SELECT_NUMBER_W 8U
#define BYW_CSR_COUNTER_SELECT_SM_LSB 8U /* its SM */
#define BYW_CSR_COUNTER_SELECT_SM_W 8U
#define BYW_CSR_PC_PRED_ENABLE_LSB 0U /* pc.enable */
#define BYW_CSR_PC_PRED_ENABLE_W 1U
#define BYW_CSR_PC_PRED_DUEL_LSB 1U /* pc.duel */
#define BYW_CSR_PC_PRED_DUEL_W 1U
#define BYW_CSR_PC_PRED_INV_TRAINS_LSB 2U /* pc.invalidation_trains */
#define BYW_CSR_PC_PRED_INV_TRAINS_W 1U
#define BYW_CSR_PC_PRED_PRIOR_LSB 3U /* pc.prior */
#define BYW_CSR_PC_PRED_PRIOR_W 1U
#define BYW_CSR_PC_PRED_THRESHOLD_LSB 4U /* pc.threshold, 1 or more */
#define BYW_CSR_PC_PRED_THRESHOLD_W 8U
#define BYW_CSR_PC_PRED_INITIAL_LSB 12U /* pc.initial, value of the counters after a RESET command */
#define BYW_CSR_PC_PRED_INITIAL_W 8U
#define BYW_CSR_PC_PRED_SAMPLE_LSB 20U /* pc.sample, 0 to 1024 */
#define BYW_CSR_PC_PRED_SAMPLE_W 11U
#define BYW_CSR_TWO_LEVEL_ENABLE_LSB 0U /* two_level.enable */
#define BYW_CSR_TWO_LEVEL_ENABLE_W 1U
#define BYW_CSR_TWO_LEVEL_LAST_LSB 1U /* two_level.active_warps = last */
#define BYW_CSR_TWO_LEVEL_LAST_W 1U
#define BYW_CSR_TWO_LEVEL_PENDING_IS_MISS_LSB 2U /* two_level.pending = miss */
#define BYW_CSR_TWO_LEVEL_PENDING_IS_MISS_W 1U
#define BYW_CSR_TWO_LEVEL_RESAMPLE_LSB 4U /* two_level.resample: 0 per_kernel_pc, 1 every_launch, 2 first_only, 3 periodic */
#define BYW_CSR_TWO_LEVEL_RESAMPLE_W 2U
#define BYW_CSR_TWO_LEVEL_LOW_LSB 8U /* two_level.low, 0 to 256 */
#define BYW_CSR_TWO_LEVEL_LOW_W 9U
#define BYW_CSR_TWO_LEVEL_HIGH_LSB 20U /* two_level.high, 0 to 256 */
#define BYW_CSR_TWO_LEVEL_HIGH_W 9U
#define BYW_CSR_TWO_LEVEL_WINDOW_SAMPLE_LSB 0U /* two_level.sample, cycles, 1 or more */
#define BYW_CSR_TWO_LEVEL_WINDOW_SAMPLE_W 16U
#define BYW_CSR_TWO_LEVEL_WINDOW_MIN_LSB 16U /* two_level.min_accesses */
#define BYW_CSR_TWO_LEVEL_WINDOW_MIN_W 16U
/* clang-format on */

#endif
