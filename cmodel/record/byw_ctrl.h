/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_ctrl.h - the controls that a cache and its mechanisms get in a cycle.
 */
#ifndef BYW_CTRL_H
#define BYW_CTRL_H

#include <stdbool.h>
#include <stdint.h>

/* Quasi-static controls, from the registers and the dueling unit.  What a level hands on unchanged
 * and what it sets itself take turns, so that no compiler copies with one wide read what was just
 * written byte by byte. */
struct byw_l1d_ctrl {
    bool kernel_start; /* pulse: clear lines and their policy state */
    bool filter_on; /* decoupled mode: the locality filter works; off: threshold 0 */
    bool cta_placed; /* pulse: a CTA starts on this SM; with its kernel's start or later */
    bool bypass; /* two-level's bypass mode: a load taken in this cycle will bypass */
    uint8_t active_warps; /* warps with a decoded next instruction */
    uint32_t kernel_pc; /* with kernel_start: the kernel's entry */
};

#endif
