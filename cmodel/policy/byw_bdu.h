/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_bdu.h - BDU, the bypass decision unit of the two-level bypass (paper 001; MECHANISMS 3.3,
 * 3.4): when to sample, the mode, and the table of decisions by kernel.
 *
 * Modes: C, the normal L1D; B, loads go past it (stores do not: they keep its lines current).
 *
 * A kernel that starts is looked up in a table, two cycles an entry, until it is found or the
 * entries in use end; in that cycle it begins: in the second one behind the start for the first
 * entry, and without per_kernel_pc.  A window's last cycle and the one behind it put that off; the
 * start of another kernel takes the place of one that is looked up.  A CTA counts in the cycle
 * behind it, or behind the one in which the kernel before it begins.
 *
 * A kernel that begins arms the unit; the next CTA that counts starts the sampling window, which is
 * `sample` cycles, the first one the cycle after; during a window the mode is C.  The cycle behind
 * the last one is the verdict's, which is the mode from the next one on.
 * An SM that gets no CTA keeps its mode.  When a kernel arms depends on `resample`:
 *
 *   per_kernel_pc   if the kernel's entry PC has no decision in the table (else the mode is taken
 *                   from there at once).  An open window is its kernel's: it goes on when that
 *                   starts again; the start of another kernel holds it, and it goes on with its
 *                   kernel's next CTA.  So kernels shorter than a window get their decisions too,
 *                   however they alternate
 *   every_launch    always; an open window is given up
 *   first_only      before the first decision, unless a window is open
 *   periodic        like first_only; a new window begins `period` cycles behind each
 *
 * The table has 8 entries, one per kernel, with its decision or its held window; a kernel that is
 * not in it takes the entry given away longest ago.
 */
#ifndef BYW_BDU_H
#define BYW_BDU_H

#include <stdbool.h>
#include <stdint.h>

enum {
    BYW_BDU_TABLE = 8,
    BYW_BDU_LOOK = 2 /* cycles at each entry */
};

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
    bool judged; /* in the cycle before: the verdict is this one's */
    uint32_t left; /* cycles of the window, or until the next one, if it is periodic */
    uint32_t kernel; /* per_kernel_pc: entry of the running kernel */
    uint32_t next; /* entry to give away */
    struct {
        bool on;
        uint32_t left; /* cycles until it begins, if nothing puts that off; 1 or more */
        uint32_t pc;
    } start; /* a kernel that is looked up */
    bool cta; /* placed, and has not counted yet */
    struct byw_bdu_entry table[BYW_BDU_TABLE];
};

void byw_bdu_init(struct byw_bdu *bdu, uint32_t resample, uint32_t sample, uint32_t period);

/* Cycles until something changes without pulses, UINT32_MAX for never. */
uint32_t byw_bdu_due(const struct byw_bdu *bdu);

/* In a cycle whose window needs its verdict (judged), first of all. */
void byw_bdu_decide(struct byw_bdu *bdu, bool bypass);

/* `cycles` <= byw_bdu_due() clock edges, the last of which may change what it is due for: windows,
 * then the kernel or CTA that came before. */
struct byw_bdu_moves byw_bdu_pass(struct byw_bdu *bdu, uint32_t cycles);

/* The pulses of the last of these cycles. */
void byw_bdu_take(struct byw_bdu *bdu, bool kernel_start, uint32_t kernel_pc, bool cta_placed);

#endif
