/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_bdu.h - BDU, the bypass decision unit of the two-level bypass (paper 001; MECHANISMS 3.3,
 * 3.4): when to sample, the mode, and the table of decisions by kernel.
 *
 * Modes: C, the normal L1D; B, loads go past it (stores do not: they keep its lines current).
 *
 * A kernel start arms the unit; the first CTA placed after it (or in the same cycle) starts the
 * sampling window, which is `sample` cycles, the first one the cycle after; during a window the
 * mode is C.  The decision works from the cycle after the window's last one.
 * An SM that gets no CTA keeps its mode.  When a kernel start arms depends on `resample`:
 *
 *   per_kernel_pc   if the kernel's entry PC has no decision in the table (else the mode is taken
 *                   from there at once); a kernel that starts again while its window is open goes
 *                   on with it, so that short kernels get a decision too
 *   every_launch    always; an open window is given up
 *   first_only      before the first decision, unless a window is open
 *   periodic        like first_only; a new window begins `period` cycles after each decision
 *
 * The table has 8 entries; the one written longest ago gives way.
 */
#ifndef BYW_BDU_H
#define BYW_BDU_H

#include <stdbool.h>
#include <stdint.h>

enum { BYW_BDU_TABLE = 8 };

enum byw_bdu_resample {
    BYW_BDU_PER_KERNEL_PC,
    BYW_BDU_EVERY_LAUNCH,
    BYW_BDU_FIRST_ONLY,
    BYW_BDU_PERIODIC
};

struct byw_bdu_entry {
    bool valid;
    bool bypass;
    uint32_t pc;
};

struct byw_bdu {
    uint32_t resample; /* enum byw_bdu_resample */
    uint32_t sample; /* cycles, 1..65535 */
    uint32_t period; /* cycles, 1 or more */
    bool bypass; /* the mode is B */
    bool armed; /* the next CTA starts a window */
    bool sampling;
    bool decided; /* a window has ended */
    uint32_t left; /* cycles of the window, or until the next one, if it is periodic */
    uint32_t pc; /* of the kernel the window is for */
    uint32_t next; /* table entry to write */
    struct byw_bdu_entry table[BYW_BDU_TABLE];
};

void byw_bdu_init(struct byw_bdu *bdu, uint32_t resample, uint32_t sample, uint32_t period);

/* Cycles until the time alone changes something, UINT32_MAX for never. */
uint32_t byw_bdu_due(const struct byw_bdu *bdu);

/* `cycles` <= byw_bdu_due() clock edges.  True if the window that ends needs its decision
 * (byw_bdu_decide), before anything else is called. */
bool byw_bdu_pass(struct byw_bdu *bdu, uint32_t cycles, bool *window);

void byw_bdu_decide(struct byw_bdu *bdu, bool bypass);

/* The rest of the clock edge, after byw_bdu_pass: the pulses of the cycle.  *known: the table had
 * the kernel.  True if a window begins: the monitors are to be cleared. */
bool byw_bdu_edge(struct byw_bdu *bdu, bool kernel_start, uint32_t kernel_pc, bool cta_placed,
                  bool *known);

#endif
