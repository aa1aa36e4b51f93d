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

void byw_bdu_decide(struct byw_bdu *bdu, bool bypass)
{
    bdu->sampling = false;
    bdu->decided = true;
    bdu->bypass = bypass;
    bdu->left = bdu->period;
    if (bdu->resample != BYW_BDU_PER_KERNEL_PC)
        return;
    bdu->table[bdu->kernel].decided = true;
    bdu->table[bdu->kernel].bypass = bypass;
}

/* The entry of a kernel; BYW_BDU_TABLE if there is none. */
static uint32_t find(const struct byw_bdu *bdu, uint32_t pc)
{
    uint32_t i;

    for (i = 0; i < BYW_BDU_TABLE; i++)
        if (bdu->table[i].valid && bdu->table[i].pc == pc)
            break;
    return i;
}

/* The open window waits until its kernel runs again. */
static void hold(struct byw_bdu *bdu, struct byw_bdu_moves *moves)
{
    moves->hold = true;
    moves->hold_slot = bdu->kernel;
    bdu->sampling = false;
    bdu->table[bdu->kernel].held = true;
    bdu->table[bdu->kernel].left = bdu->left;
}

static void start_by_kernel(struct byw_bdu *bdu, uint32_t pc, struct byw_bdu_moves *moves)
{
    uint32_t i = find(bdu, pc);

    if (bdu->sampling && i == bdu->kernel)
        return;
    if (bdu->sampling)
        hold(bdu, moves);
    if (i == BYW_BDU_TABLE) {
        i = bdu->next;
        bdu->next = (i + 1) % BYW_BDU_TABLE;
        bdu->table[i] = (struct byw_bdu_entry){.valid = true, .pc = pc};
    }
    bdu->kernel = i;
    bdu->armed = !bdu->table[i].decided;
    moves->known = bdu->table[i].decided;
    if (moves->known)
        bdu->bypass = bdu->table[i].bypass;
}

static void start(struct byw_bdu *bdu, uint32_t pc, struct byw_bdu_moves *moves)
{
    switch (bdu->resample) {
    case BYW_BDU_PER_KERNEL_PC:
        start_by_kernel(bdu, pc, moves);
        break;
    case BYW_BDU_EVERY_LAUNCH:
        bdu->sampling = false;
        bdu->armed = true;
        break;
    default:
        bdu->armed = !bdu->decided && !bdu->sampling;
    }
}

struct byw_bdu_moves byw_bdu_edge(struct byw_bdu *bdu, bool kernel_start, uint32_t kernel_pc,
                                  bool cta_placed)
{
    struct byw_bdu_moves moves = {.resume_slot = bdu->kernel};
    struct byw_bdu_entry *entry;

    if (kernel_start)
        start(bdu, kernel_pc, &moves);
    if (!cta_placed || !bdu->armed)
        return moves;
    begin(bdu);
    entry = &bdu->table[bdu->kernel];
    moves.resume = entry->held;
    moves.begins = !entry->held;
    moves.resume_slot = bdu->kernel;
    if (entry->held)
        bdu->left = entry->left;
    entry->held = false;
    return moves;
}
