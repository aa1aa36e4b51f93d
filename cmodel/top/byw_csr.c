/* SPDX-License-Identifier: Apache-2.0 */
#include "top/byw_csr.h"

void byw_csr_init(struct byw_csr *csr, uint32_t sms)
{
    *csr = (struct byw_csr){
        .policy = BYW_CSR_POLICY_RESET,
        .duel = BYW_CSR_DUEL_RESET,
        .duel_interval = BYW_CSR_DUEL_INTERVAL_RESET,
        .duel_min = BYW_CSR_DUEL_MIN_RESET,
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
        .count_req = csr->counting,
    };
}

static void write(struct byw_csr *csr, const struct byw_csr_in *in)
{
    uint32_t data = in->req_data;

    switch (in->req_addr) {
    case BYW_CSR_COMMAND:
        csr->kernel_start = byw_csr_field(data, BYW_CSR_COMMAND_KERNEL_START_LSB, 1) != 0;
        csr->duel_restart = byw_csr_field(data, BYW_CSR_COMMAND_DUEL_RESTART_LSB, 1) != 0;
        break;
    case BYW_CSR_POLICY:
        csr->rsp_error = !in->idle;
        if (in->idle)
            csr->policy = byw_csr_field(data, 0, BYW_CSR_POLICY_W);
        break;
    case BYW_CSR_DUEL:
        csr->duel = byw_csr_field(data, 0, BYW_CSR_DUEL_W);
        csr->duel_restart = true;
        break;
    case BYW_CSR_DUEL_INTERVAL:
        csr->duel_interval = byw_csr_field(data, 0, BYW_CSR_DUEL_INTERVAL_W);
        csr->duel_restart = true;
        break;
    case BYW_CSR_DUEL_MIN:
        csr->duel_min = byw_csr_field(data, 0, BYW_CSR_DUEL_MIN_W);
        csr->duel_restart = true;
        break;
    case BYW_CSR_COUNTER_SELECT:
        csr->counter_select = byw_csr_field(data, 0, BYW_CSR_COUNTER_SELECT_W);
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
    case BYW_CSR_DUEL:
        return csr->duel;
    case BYW_CSR_DUEL_INTERVAL:
        return csr->duel_interval;
    case BYW_CSR_DUEL_MIN:
        return csr->duel_min;
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
    csr->kernel_start = csr->duel_restart = false;
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

uint32_t byw_csr_duel_value(const struct byw_config *config)
{
    return config->duel_on << BYW_CSR_DUEL_ENABLE_LSB |
           config->duel_init << BYW_CSR_DUEL_INITIAL_ON_LSB |
           config->duel_byp_miss << BYW_CSR_DUEL_BYPASS_IS_MISS_LSB |
           config->duel_hyst << BYW_CSR_DUEL_HYSTERESIS_LSB |
           config->duel_margin << BYW_CSR_DUEL_MARGIN_LSB;
}
