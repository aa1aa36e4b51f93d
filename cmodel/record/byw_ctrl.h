/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_ctrl.h - the controls that a cache and its mechanisms get in a cycle.
 */
#ifndef BYW_CTRL_H
#define BYW_CTRL_H

#include <stdbool.h>
#include <stdint.h>

/* Quasi-static controls, from the registers and the dueling unit. */
struct byw_l1d_ctrl {
    bool filter_on; /* decoupled mode: the locality filter works; off: threshold 0 */
    bool kernel_start; /* pulse: clear lines and their policy state */
    bool bypass; /* two-level's bypass mode: a load taken in this cycle will bypass */
    bool cta_placed; /* pulse: a CTA starts on this SM; with its kernel's start or later */
    uint8_t active_warps; /* warps with a decoded next instruction */
    uint32_t kernel_pc; /* with kernel_start: the kernel's entry */
};

#endif
