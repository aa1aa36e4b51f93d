/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/byw_bdu.h"

#include <stddef.h>

void byw_bdu_init(struct byw_bdu *bdu, uint32_t resample, uint32_t sample, uint32_t period)
{
    *bdu = (struct byw_bdu){.resample = resample, .sample = sample, .period = period};
}

static bool timer_runs(const struct byw_bdu *bdu)
{
    return bdu->sampling || (bdu->resample == BYW_BDU_PERIODIC && bdu->decided);
}

uint32_t byw_bdu_due(const struct byw_bdu *bdu)
{
    return timer_runs(bdu) ? bdu->left : UINT32_MAX;
}

static void begin(struct byw_bdu *bdu)
{
    bdu->armed = false;
    bdu->sampling = true;
    bdu->bypass = false;
    bdu->left = bdu->sample;
}

bool byw_bdu_pass(struct byw_bdu *bdu, uint32_t cycles, bool *window)
{
    *window = false;
    if (!timer_runs(bdu))
        return false;
    bdu->left -= cycles;
    if (bdu->left != 0)
        return false;
    if (bdu->sampling)
        return true;
    begin(bdu);
    *window = true;
    return false;
}

static struct byw_bdu_entry *find(struct byw_bdu *bdu, uint32_t pc)
{
    uint32_t i;

    for (i = 0; i < BYW_BDU_TABLE; i++)
        if (bdu->table[i].valid && bdu->table[i].pc == pc)
            return &bdu->table[i];
    return NULL;
}

void byw_bdu_decide(struct byw_bdu *bdu, bool bypass)
{
    bdu->sampling = false;
    bdu->decided = true;
    bdu->bypass = bypass;
    bdu->left = bdu->period;
    if (bdu->resample != BYW_BDU_PER_KERNEL_PC)
        return;
    bdu->table[bdu->next] = (struct byw_bdu_entry){.valid = true, .bypass = bypass, .pc = bdu->pc};
    bdu->next = (bdu->next + 1) % BYW_BDU_TABLE;
}

/* A kernel starts; true if the table has its decision. */
static bool start(struct byw_bdu *bdu, uint32_t pc)
{
    const struct byw_bdu_entry *entry;

    switch (bdu->resample) {
    case BYW_BDU_PER_KERNEL_PC:
        entry = find(bdu, pc);
        if (entry == NULL && bdu->sampling && bdu->pc == pc)
            return false;
        bdu->sampling = false;
        bdu->armed = entry == NULL;
        bdu->pc = pc;
        if (entry == NULL)
            return false;
        bdu->bypass = entry->bypass;
        return true;
    case BYW_BDU_EVERY_LAUNCH:
        bdu->sampling = false;
        bdu->armed = true;
        return false;
    default:
        bdu->armed = !bdu->decided && !bdu->sampling;
        return false;
    }
}

bool byw_bdu_edge(struct byw_bdu *bdu, bool kernel_start, uint32_t kernel_pc, bool cta_placed,
                  bool *known)
{
    *known = kernel_start && start(bdu, kernel_pc);
    if (!cta_placed || !bdu->armed)
        return false;
    begin(bdu);
    return true;
}
