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
    uint32_t due = timer_runs(bdu) ? bdu->left : UINT32_MAX;

    if (bdu->judged || (bdu->cta && !bdu->start.on))
        return 1;
    return bdu->start.on && bdu->start.left < due ? bdu->start.left : due;
}

static void begin(struct byw_bdu *bdu)
{
    bdu->armed = false;
    bdu->sampling = true;
    bdu->bypass = false;
    bdu->left = bdu->sample;
}

void byw_bdu_decide(struct byw_bdu *bdu, bool bypass)
{
    bdu->bypass = bypass;
    if (bdu->resample != BYW_BDU_PER_KERNEL_PC)
        return;
    bdu->table[bdu->kernel].decided = true;
    bdu->table[bdu->kernel].bypass = bypass;
}

/* Advances the timer: the open window, or the period until the next one. */
static void run_timer(struct byw_bdu *bdu, uint32_t cycles, struct byw_bdu_moves *moves)
{
    bdu->judged = false;
    if (!timer_runs(bdu))
        return;
    bdu->left -= cycles;
    if (bdu->left != 0)
        return;
    if (bdu->sampling) {
        bdu->sampling = false;
        bdu->judged = true;
        bdu->decided = true;
        bdu->left = bdu->period;
        return;
    }
    begin(bdu);
    moves->begins = true;
}

/* The table entry of a kernel; BYW_BDU_TABLE if there is none. */
static uint32_t find(const struct byw_bdu *bdu, uint32_t pc)
{
    uint32_t i;

    for (i = 0; i < BYW_BDU_TABLE; i++)
        if (bdu->table[i].valid && bdu->table[i].pc == pc)
            break;
    return i;
}

/* Number of entries read until it is known whether the kernel has one.  The search ends at its
 * entry or at the first unused one. */
static uint32_t looked_at(const struct byw_bdu *bdu, uint32_t pc)
{
    uint32_t i;

    if (bdu->resample != BYW_BDU_PER_KERNEL_PC)
        return 1;
    for (i = 0; i + 1 < BYW_BDU_TABLE; i++)
        if (!bdu->table[i].valid || bdu->table[i].pc == pc)
            break;
    return i + 1;
}

/* The open window is held until its kernel runs again. */
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

static void place(struct byw_bdu *bdu, struct byw_bdu_moves *moves)
{
    struct byw_bdu_entry *entry = &bdu->table[bdu->kernel];

    bdu->cta = false;
    if (!bdu->armed)
        return;
    begin(bdu);
    moves->resume = entry->held;
    moves->begins = !entry->held;
    moves->resume_slot = bdu->kernel;
    if (entry->held)
        bdu->left = entry->left;
    entry->held = false;
}

struct byw_bdu_moves byw_bdu_pass(struct byw_bdu *bdu, uint32_t cycles)
{
    struct byw_bdu_moves moves = {.resume_slot = bdu->kernel};
    bool was_judged = bdu->judged;

    run_timer(bdu, cycles, &moves);
    if (!bdu->start.on) {
        if (bdu->cta)
            place(bdu, &moves);
        return moves;
    }
    bdu->start.left -= cycles;
    if (bdu->start.left != 0)
        return moves;
    if (was_judged || bdu->judged) {
        bdu->start.left = 1;
        return moves;
    }
    bdu->start.on = false;
    start(bdu, bdu->start.pc, &moves);
    bdu->start.pc = 0;
    return moves;
}

void byw_bdu_take(struct byw_bdu *bdu, bool kernel_start, uint32_t kernel_pc, bool cta_placed)
{
    bdu->cta = bdu->cta || cta_placed;
    if (!kernel_start)
        return;
    bdu->start.on = true;
    bdu->start.left = BYW_BDU_LOOK * looked_at(bdu, kernel_pc);
    bdu->start.pc = kernel_pc;
}
