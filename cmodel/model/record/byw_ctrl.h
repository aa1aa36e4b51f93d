/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_ctrl.h - the control inputs of a cache and its mechanisms in one cycle.
 */
#ifndef BYW_CTRL_H
#define BYW_CTRL_H

#include <stdbool.h>
#include <stdint.h>

/* Quasi-static controls from the registers and the dueling unit.  Fields that a level passes on
 * unchanged alternate with fields that it sets.  Otherwise a compiler would copy bytes just written
 * with one wide read, which is slow on the host. */
struct byw_l1d_ctrl {
    bool kernel_start; /* pulse: clear lines and their policy state */
    bool filter_on; /* decoupled mode: the locality filter is active; off: threshold 0 */
    bool cta_placed; /* pulse: a CTA starts on this SM, in the cycle of its kernel's start or
                      * later */
    bool bypass; /* two-level's bypass mode: a load accepted in this cycle bypasses */
    uint8_t active_warps; /* warps whose next instruction is decoded */
    uint32_t kernel_pc; /* entry PC of the kernel, valid with kernel_start */
};

#endif
