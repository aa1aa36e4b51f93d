/* SPDX-License-Identifier: Apache-2.0 */
#include "top/byw_csr.h"

#include "common/byw_mech.h"

#include "policy/byw_two_level.h"

void byw_csr_init(struct byw_csr *csr, uint32_t sms)
{
    *csr = (struct byw_csr){
        .policy = BYW_CSR_POLICY_RESET,
        .pc_pred = BYW_CSR_PC_PRED_RESET,
        .two_level = BYW_CSR_TWO_LEVEL_RESET,
        .two_level_window = BYW_CSR_TWO_LEVEL_WINDOW_RESET,
        .two_level_period = BYW_CSR_TWO_LEVEL_PERIOD_RESET,
        .two_level_bound = BYW_CSR_TWO_LEVEL_BOUND_RESET,
        .kernel_pc = BYW_CSR_KERNEL_PC_RESET,
        .duel = BYW_CSR_DUEL_RESET,
        .duel_interval = BYW_CSR_DUEL_INTERVAL_RESET,
        .duel_min = BYW_CSR_DUEL_MIN_RESET,
        .duel_hold = BYW_CSR_DUEL_HOLD_RESET,
        .duel_settle = BYW_CSR_DUEL_SETTLE_RESET,
        .counter_select = BYW_CSR_COUNTER_SELECT_RESET,
        .sms = sms,
    };
}

void byw_csr_eval(const struct byw_csr *csr, struct byw_csr_out *out)
{
    *out = (struct byw_csr_out){
        .req_ready = !csr->rsp_valid && !csr->counting,
        .rsp_valid = csr->rsp_valid,
        .rsp_error = csr->rsp_error,
        .rsp_data = csr->rsp_data,
        .kernel_start = csr->kernel_start,
        .duel_restart = csr->duel_restart,
        .reset = csr->reset,
        .restart = csr->restart,
        .count_req = csr->counting,
    };
}

static void command(struct byw_csr *csr, uint32_t ones, bool idle)
{
    csr->reset = byw_csr_field(ones, BYW_CSR_COMMAND_RESET_LSB, 1) != 0;
    if (csr->reset && !idle) {
        csr->reset = false;
        csr->rsp_error = true;
        return;
    }
    csr->kernel_start = byw_csr_field(ones, BYW_CSR_COMMAND_KERNEL_START_LSB, 1) != 0;
    csr->duel_restart = byw_csr_field(ones, BYW_CSR_COMMAND_DUEL_RESTART_LSB, 1) != 0;
}

/* Writes a register that all L1s read. */
static void set(struct byw_csr *csr, uint32_t *reg, uint32_t width, const struct byw_csr_in *in)
{
    csr->rsp_error = !in->idle;
    csr->restart = in->idle;
    if (in->idle)
        *reg = byw_csr_field(in->req_data, 0, width);
}

/* Writes a register of the dueling unit. */
static void set_duel(struct byw_csr *csr, uint32_t *reg, uint32_t width, uint32_t data)
{
    *reg = byw_csr_field(data, 0, width);
    csr->duel_restart = true;
}

static void write(struct byw_csr *csr, const struct byw_csr_in *in)
{
    uint32_t data = in->req_data;

    switch (in->req_addr) {
    case BYW_CSR_COMMAND:
        command(csr, data, in->idle);
        break;
    case BYW_CSR_POLICY:
        set(csr, &csr->policy, BYW_CSR_POLICY_W, in);
        break;
    case BYW_CSR_PC_PRED:
        set(csr, &csr->pc_pred, BYW_CSR_PC_PRED_W, in);
        break;
    case BYW_CSR_TWO_LEVEL:
        set(csr, &csr->two_level, BYW_CSR_TWO_LEVEL_W, in);
        break;
    case BYW_CSR_TWO_LEVEL_WINDOW:
        set(csr, &csr->two_level_window, BYW_CSR_TWO_LEVEL_WINDOW_W, in);
        break;
    case BYW_CSR_TWO_LEVEL_PERIOD:
        set(csr, &csr->two_level_period, BYW_CSR_TWO_LEVEL_PERIOD_W, in);
        break;
    case BYW_CSR_TWO_LEVEL_BOUND:
        set(csr, &csr->two_level_bound, BYW_CSR_TWO_LEVEL_BOUND_W, in);
        break;
    case BYW_CSR_DUEL:
        set_duel(csr, &csr->duel, BYW_CSR_DUEL_W, data);
        break;
    case BYW_CSR_DUEL_INTERVAL:
        set_duel(csr, &csr->duel_interval, BYW_CSR_DUEL_INTERVAL_W, data);
        break;
    case BYW_CSR_DUEL_MIN:
        set_duel(csr, &csr->duel_min, BYW_CSR_DUEL_MIN_W, data);
        break;
    case BYW_CSR_DUEL_HOLD:
        set_duel(csr, &csr->duel_hold, BYW_CSR_DUEL_HOLD_W, data);
        break;
    case BYW_CSR_DUEL_SETTLE:
        set_duel(csr, &csr->duel_settle, BYW_CSR_DUEL_SETTLE_W, data);
        break;
    case BYW_CSR_COUNTER_SELECT:
        csr->counter_select = byw_csr_field(data, 0, BYW_CSR_COUNTER_SELECT_W);
        break;
    case BYW_CSR_KERNEL_PC:
        csr->kernel_pc = data;
        break;
    default:
        csr->rsp_error = true;
        break;
    }
}

static uint32_t read(struct byw_csr *csr, const struct byw_csr_in *in)
{
    switch (in->req_addr) {
    case BYW_CSR_ID:
        return BYW_CSR_ID_RESET;
    case BYW_CSR_SMS:
        return csr->sms;
    case BYW_CSR_COMMAND:
    case BYW_CSR_COUNTER_LOW:
        return 0;
    case BYW_CSR_STATUS:
        return (uint32_t)in->idle << BYW_CSR_STATUS_IDLE_LSB |
               (uint32_t)in->duel_on << BYW_CSR_STATUS_FOLLOWERS_ON_LSB |
               (uint32_t)in->duel_votes << BYW_CSR_STATUS_VOTES_LSB;
    case BYW_CSR_POLICY:
        return csr->policy;
    case BYW_CSR_PC_PRED:
        return csr->pc_pred;
    case BYW_CSR_TWO_LEVEL:
        return csr->two_level;
    case BYW_CSR_TWO_LEVEL_WINDOW:
        return csr->two_level_window;
    case BYW_CSR_TWO_LEVEL_PERIOD:
        return csr->two_level_period;
    case BYW_CSR_TWO_LEVEL_BOUND:
        return csr->two_level_bound;
    case BYW_CSR_KERNEL_PC:
        return csr->kernel_pc;
    case BYW_CSR_DUEL:
        return csr->duel;
    case BYW_CSR_DUEL_INTERVAL:
        return csr->duel_interval;
    case BYW_CSR_DUEL_MIN:
        return csr->duel_min;
    case BYW_CSR_DUEL_HOLD:
        return csr->duel_hold;
    case BYW_CSR_DUEL_SETTLE:
        return csr->duel_settle;
    case BYW_CSR_COUNTER_SELECT:
        return csr->counter_select;
    case BYW_CSR_COUNTER_HIGH:
        return csr->counter_high;
    default:
        csr->rsp_error = true;
        return 0;
    }
}

static void take_request(struct byw_csr *csr, const struct byw_csr_in *in)
{
    csr->rsp_error = false;
    csr->rsp_data = 0;
    if (in->req_write)
        write(csr, in);
    else
        csr->rsp_data = read(csr, in);
    csr->counting = !in->req_write && in->req_addr == BYW_CSR_COUNTER_LOW;
    csr->rsp_valid = !csr->counting;
}

void byw_csr_tick(struct byw_csr *csr, const struct byw_csr_in *in)
{
    bool ready = !csr->rsp_valid && !csr->counting;

    if (in->rst) {
        byw_csr_init(csr, csr->sms);
        return;
    }
    csr->kernel_start = csr->duel_restart = csr->reset = csr->restart = false;
    if (csr->rsp_valid && in->rsp_ready) {
        csr->rsp_valid = false;
    } else if (csr->counting && in->count_valid) {
        csr->counting = false;
        csr->rsp_valid = true;
        csr->rsp_data = (uint32_t)in->count_data;
        csr->counter_high = (uint32_t)(in->count_data >> 32);
    } else if (ready && in->req_valid) {
        take_request(csr, in);
    }
}

/* --- settings and configurations -------------------------------------------------------------- */

#define PUT(reg, field, value) ((uint32_t)(value) << BYW_CSR_##reg##_##field##_LSB)

static uint32_t policy_value(const struct byw_config *c)
{
    return PUT(POLICY, MODE, c->policy_mode) | PUT(POLICY, BYP_ON_HIT, c->byp_on_hit) |
           PUT(POLICY, STORE_UPDATE, c->l1d_store_hit == BYW_STORE_UPDATE) |
           PUT(POLICY, COMPARE_GT, c->dec_cmp) | PUT(POLICY, LFU_ALL, c->dec_lfu_all) |
           PUT(POLICY, RC_ON_HIT, c->dec_rc_on_hit) | PUT(POLICY, AGE_ON_ALLOC, c->dec_age_alloc) |
           PUT(POLICY, AGE_ON_EVICT, c->dec_age_evict) | PUT(POLICY, AGE_MERGE, c->dec_age_merge) |
           PUT(POLICY, STORE_RC, c->dec_store_rc) | PUT(POLICY, BYP_ON_RSFAIL, c->dec_byp_rsfail) |
           PUT(POLICY, RC_INIT, c->dec_rc_init) | PUT(POLICY, THRESHOLD, c->dec_threshold) |
           byw_csr_rescues(c) | PUT(POLICY, TRIAL, byw_mech_in_use(c, byw_mech_named("trial")));
}

static uint32_t pc_pred_value(const struct byw_config *c)
{
    return PUT(PC_PRED, ENABLE, c->pc_on) | PUT(PC_PRED, DUEL, c->pc_duel) |
           PUT(PC_PRED, INV_TRAINS, c->pc_inv) | PUT(PC_PRED, PRIOR, c->pc_prior) |
           PUT(PC_PRED, THRESHOLD, c->pc_threshold) | PUT(PC_PRED, INITIAL, c->pc_init) |
           PUT(PC_PRED, SAMPLE, c->pc_sample);
}

static uint32_t two_level_value(const struct byw_config *c)
{
    return PUT(TWO_LEVEL, ENABLE, c->tl_on) | PUT(TWO_LEVEL, LAST, c->tl_last) |
           PUT(TWO_LEVEL, PENDING_IS_MISS, c->tl_pending) |
           PUT(TWO_LEVEL, RESAMPLE, c->tl_resample) | PUT(TWO_LEVEL, LOW, c->tl_low) |
           PUT(TWO_LEVEL, HIGH, c->tl_high);
}

static uint32_t duel_value(const struct byw_config *c)
{
    return PUT(DUEL, ENABLE, c->duel_on) | PUT(DUEL, INITIAL_ON, c->duel_init) |
           PUT(DUEL, BYPASS_IS_MISS, c->duel_byp_miss) | PUT(DUEL, BY_LOADS, c->duel_compare) |
           PUT(DUEL, HYSTERESIS, c->duel_hyst) | PUT(DUEL, MARGIN, c->duel_margin) |
           PUT(DUEL, ALL_FOLLOW, c->duel_follow) | PUT(DUEL, CROSSOVER, c->duel_rule) |
           PUT(DUEL, SPEEDUP, c->duel_speedup) | PUT(DUEL, NOISE, c->duel_noise);
}

void byw_csr_from_config(struct byw_csr *csr, const struct byw_config *config)
{
    csr->policy = policy_value(config);
    csr->pc_pred = pc_pred_value(config);
    csr->two_level = two_level_value(config);
    csr->two_level_window = PUT(TWO_LEVEL_WINDOW, SAMPLE, config->tl_sample) |
                            PUT(TWO_LEVEL_WINDOW, MIN, config->tl_min);
    csr->two_level_period = config->tl_period;
    csr->two_level_bound = byw_two_level_bound(config);
    csr->duel = duel_value(config);
    csr->duel_interval = config->duel_interval;
    csr->duel_min = config->duel_min;
    csr->duel_hold = config->duel_hold;
    csr->duel_settle = config->duel_settle;
}

#define GET(value, reg, field)                                                                     \
    byw_csr_field(value, BYW_CSR_##reg##_##field##_LSB, BYW_CSR_##reg##_##field##_W)

static void get_policy(uint32_t value, struct byw_config *c)
{
    struct byw_diag diag;

    c->policy_mode = GET(value, POLICY, MODE);
    c->byp_on_hit = GET(value, POLICY, BYP_ON_HIT);
    c->l1d_store_hit = GET(value, POLICY, STORE_UPDATE) ? BYW_STORE_UPDATE : BYW_STORE_EVICT;
    c->dec_cmp = GET(value, POLICY, COMPARE_GT);
    c->dec_lfu_all = GET(value, POLICY, LFU_ALL);
    c->dec_rc_on_hit = GET(value, POLICY, RC_ON_HIT);
    c->dec_age_alloc = GET(value, POLICY, AGE_ON_ALLOC);
    c->dec_age_evict = GET(value, POLICY, AGE_ON_EVICT);
    c->dec_age_merge = GET(value, POLICY, AGE_MERGE);
    c->dec_store_rc = GET(value, POLICY, STORE_RC);
    c->dec_byp_rsfail = GET(value, POLICY, BYP_ON_RSFAIL);
    c->dec_rc_init = GET(value, POLICY, RC_INIT);
    c->dec_threshold = GET(value, POLICY, THRESHOLD);
#define RESCUE(unit, field, width, mech, key, choices, on, paper, sentence, meaning)               \
    c->unit = GET(value, POLICY, field);
#include "configs/byw_rescues.def"
#undef RESCUE
    byw_config_set(c, "trial.enable", GET(value, POLICY, TRIAL) ? "on" : "off", "POLICY", &diag);
}

static void get_pc_pred(uint32_t value, struct byw_config *c)
{
    c->pc_on = GET(value, PC_PRED, ENABLE);
    c->pc_duel = GET(value, PC_PRED, DUEL);
    c->pc_inv = GET(value, PC_PRED, INV_TRAINS);
    c->pc_prior = GET(value, PC_PRED, PRIOR);
    c->pc_threshold = GET(value, PC_PRED, THRESHOLD);
    c->pc_init = GET(value, PC_PRED, INITIAL);
    c->pc_sample = GET(value, PC_PRED, SAMPLE);
}

static void get_two_level(const struct byw_csr *csr, struct byw_config *c)
{
    c->tl_on = GET(csr->two_level, TWO_LEVEL, ENABLE);
    c->tl_last = GET(csr->two_level, TWO_LEVEL, LAST);
    c->tl_pending = GET(csr->two_level, TWO_LEVEL, PENDING_IS_MISS);
    c->tl_resample = GET(csr->two_level, TWO_LEVEL, RESAMPLE);
    c->tl_low = GET(csr->two_level, TWO_LEVEL, LOW);
    c->tl_high = GET(csr->two_level, TWO_LEVEL, HIGH);
    c->tl_sample = GET(csr->two_level_window, TWO_LEVEL_WINDOW, SAMPLE);
    c->tl_min = GET(csr->two_level_window, TWO_LEVEL_WINDOW, MIN);
    c->tl_period = csr->two_level_period;
}

void byw_csr_to_config(const struct byw_csr *csr, struct byw_config *config)
{
    get_policy(csr->policy, config);
    get_pc_pred(csr->pc_pred, config);
    get_two_level(csr, config);
    config->duel_on = GET(csr->duel, DUEL, ENABLE);
    config->duel_init = GET(csr->duel, DUEL, INITIAL_ON);
    config->duel_byp_miss = GET(csr->duel, DUEL, BYPASS_IS_MISS);
    config->duel_compare = GET(csr->duel, DUEL, BY_LOADS);
    config->duel_hyst = GET(csr->duel, DUEL, HYSTERESIS);
    config->duel_margin = GET(csr->duel, DUEL, MARGIN);
    config->duel_follow = GET(csr->duel, DUEL, ALL_FOLLOW);
    config->duel_rule = GET(csr->duel, DUEL, CROSSOVER);
    config->duel_speedup = GET(csr->duel, DUEL, SPEEDUP);
    config->duel_noise = GET(csr->duel, DUEL, NOISE);
    config->duel_interval = csr->duel_interval;
    config->duel_min = csr->duel_min;
    config->duel_hold = csr->duel_hold;
    config->duel_settle = csr->duel_settle;
}
