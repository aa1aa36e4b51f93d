/* SPDX-License-Identifier: Apache-2.0 */
#include "top/byw_sm_l1.h"

enum byw_status byw_sm_l1_init(struct byw_sm_l1 *sm, const struct byw_config *config,
                               bool with_data, struct byw_diag *diag)
{
    *sm = (struct byw_sm_l1){0};
    return byw_l1d_create(config, with_data, &sm->l1d, diag);
}

void byw_sm_l1_release(struct byw_sm_l1 *sm)
{
    byw_l1d_free(sm->l1d);
    sm->l1d = NULL;
}

void byw_sm_l1_step(struct byw_sm_l1 *sm, const struct byw_l1d_in *in, bool filter_on,
                    struct byw_l1d_out *out)
{
    byw_l1d_step(sm->l1d, in, filter_on, out);
    if (out->events != 0)
        byw_stats_count(&sm->stats, out->events);
}

void byw_sm_l1_sleep(struct byw_sm_l1 *sm, enum byw_event held, uint64_t cycles)
{
    if (held == BYW_EV_COUNT)
        return;
    sm->stats.ev[held] += cycles;
    sm->stats.stall_cycles += cycles;
}
