/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_bdu.h - BDU, the bypass decision unit of the two-level bypass (paper 001;
 * mechanisms/two_level.md 3.3, 3.4): when to sample, the mode, and the table of decisions per
 * kernel.
 *
 * Modes: C, the normal L1D; B, loads bypass it (stores do not: they keep its lines current).
 *
 * When a kernel starts, it is looked up in a table, two cycles per entry, until its entry or the
 * first unused entry is reached. In that cycle the kernel begins. This is the second cycle after
 * the start if the first entry ends the search, and always if resample is not per_kernel_pc. A
 * kernel cannot begin in the last cycle of a window or in the cycle after it; it then begins later.
 * A kernel that starts during a lookup replaces the one being looked up. A CTA counts in the cycle
 * after its pulse, or in the cycle after the previous kernel begins.
 *
 * A kernel that begins arms the unit.  The next CTA that counts starts the sampling window:
 * `sample` cycles, beginning with the next cycle, in mode C. The verdict is reached in the cycle
 * after the window and sets the mode from the following cycle on. An SM that gets no CTA keeps
 * its mode.  `resample` selects when a kernel arms the unit:
 *
 *   per_kernel_pc   if the kernel's entry PC has no decision in the table (otherwise the mode is
 *                   taken from the table at once).  An open window belongs to its kernel: the start
 *                   of another kernel holds it, and it resumes with the next CTA of its own kernel.
 *                   So kernels shorter than a window get a decision, too, in whatever order they
 *                   alternate
 *   every_launch    always; an open window is discarded
 *   first_only      before the first decision, unless a window is open
 *   periodic        as first_only; a new window begins `period` cycles after each window
 *
 * The table has 8 entries, one per kernel, with its decision or its held window.  A kernel without
 * an entry replaces the entry that was replaced longest ago.
 */
#ifndef BYW_BDU_H
#define BYW_BDU_H

#include <stdbool.h>
#include <stdint.h>

enum {
    BYW_BDU_TABLE = 8,
    BYW_BDU_LOOK = 2 /* cycles to examine an entry */
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
    bool bypass; /* the mode, if decided */
    bool held; /* a window has begun and is held for this kernel */
    uint32_t left; /* cycles left, if held */
    uint32_t pc;
};

/* The effects of a clock edge on windows.  The monitors follow: first hold, then clear or
 * resume. */
struct byw_bdu_moves {
    bool known; /* the starting kernel has a decision */
    bool begins; /* a window begins: clear the monitors */
    bool hold; /* hold the open window: save the monitors in hold_slot */
    bool resume; /* resume the window held in resume_slot: load the monitors from there */
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
    bool judged; /* a window ended in the previous cycle; its verdict is due in this one */
    uint32_t left; /* cycles left in the window or, if periodic, until the next one */
    uint32_t kernel; /* per_kernel_pc: entry of the running kernel */
    uint32_t next; /* entry to replace next */
    struct {
        bool on;
        uint32_t left; /* cycles until the lookup begins, if nothing delays it; 1 or more */
        uint32_t pc;
    } start; /* the kernel being looked up */
    bool cta; /* a CTA was placed, but is not counted yet */
    struct byw_bdu_entry table[BYW_BDU_TABLE];
};

void byw_bdu_init(struct byw_bdu *bdu, uint32_t resample, uint32_t sample, uint32_t period);

/* Cycles until time alone changes the state, without an input pulse; UINT32_MAX: never. */
uint32_t byw_bdu_due(const struct byw_bdu *bdu);

/* Sets the mode after a window.  Call it before _pass in a cycle with `judged`. */
void byw_bdu_decide(struct byw_bdu *bdu, bool bypass);

/* Advances by `cycles` <= byw_bdu_due() clock edges.  Only the last edge can change a window or
 * begin a kernel or CTA; windows change first. */
struct byw_bdu_moves byw_bdu_pass(struct byw_bdu *bdu, uint32_t cycles);

/* Takes the input pulses of the cycle that _pass ended with. */
void byw_bdu_take(struct byw_bdu *bdu, bool kernel_start, uint32_t kernel_pc, bool cta_placed);

#endif
