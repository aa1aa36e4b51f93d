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
 *                   from there at once).  An open window is its kernel's: it goes on when that
 *                   starts again; the start of another kernel holds it, and it goes on with its
 *                   kernel's next CTA.  So kernels shorter than a window get their decisions too,
 *                   however they alternate
 *   every_launch    always; an open window is given up
 *   first_only      before the first decision, unless a window is open
 *   periodic        like first_only; a new window begins `period` cycles after each decision
 *
 * The table has 8 entries, one per kernel, with its decision or its held window; a kernel that is
 * not in it takes the entry given away longest ago.
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
    bool decided;
    bool bypass; /* decided: the mode */
    bool held; /* a window has begun and waits for the kernel */
    uint32_t left; /* held: cycles left */
    uint32_t pc;
};

/* What an edge does with windows; the monitors follow: hold first, then clear or resume. */
struct byw_bdu_moves {
    bool known; /* the kernel that starts has its decision */
    bool begins; /* a window begins: clear the monitors */
    bool hold; /* the open window waits from now on: keep what they say in hold_slot */
    bool resume; /* the window held in resume_slot goes on: take it from there */
    uint32_t hold_slot, resume_slot;
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
    uint32_t kernel; /* per_kernel_pc: entry of the running kernel */
    uint32_t next; /* entry to give away */
    struct byw_bdu_entry table[BYW_BDU_TABLE];
};

void byw_bdu_init(struct byw_bdu *bdu, uint32_t resample, uint32_t sample, uint32_t period);

/* Cycles until the time alone changes something, UINT32_MAX for never. */
uint32_t byw_bdu_due(const struct byw_bdu *bdu);

/* `cycles` <= byw_bdu_due() clock edges.  True if the window that ends needs its decision
 * (byw_bdu_decide), before anything else is called. */
bool byw_bdu_pass(struct byw_bdu *bdu, uint32_t cycles, bool *window);

void byw_bdu_decide(struct byw_bdu *bdu, bool bypass);

/* The rest of the clock edge, after byw_bdu_pass: the pulses of the cycle. */
struct byw_bdu_moves byw_bdu_edge(struct byw_bdu *bdu, bool kernel_start, uint32_t kernel_pc,
                                  bool cta_placed);

#endif
