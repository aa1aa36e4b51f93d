/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_cl_scratchpad.h - sizes of a work-group's scratchpad, for the runtime and for the libraries
 * of device code.
 */
#ifndef BYW_CL_SCRATCHPAD_H
#define BYW_CL_SCRATCHPAD_H

#include <stdint.h>

#define BYW_CL_SHARED_BASE 0x0f000000000ull /* one CTA's scratchpad; traces have offsets */
#define BYW_CL_SHARED_SIZE 0x40000u /* 256 KiB, of which OpenCL offers 48 and CUDA 227 */
#define BYW_CL_SHARED_RESERVED 0x3f000u /* from here on it is the system's */

/* Clusters of CTAs: bits 24 and up of an offset are 0, the own scratchpad, or 1 + the rank of the
 * CTA whose scratchpad it is. */
#define BYW_CL_WINDOW_SHIFT 24
#define BYW_CL_CLUSTER_MOST 16u /* CTAs */
#define BYW_CL_CLUSTER_PHASES 0x3f800u /* a byte per work-item: the phase of its arrival */
#define BYW_CL_CLUSTER_STATE 0x3fc00u /* struct byw_cl_cluster, in the scratchpad of rank 0 */

/* The barrier of a cluster: a phase ends when all its work-items have arrived or ended. */
struct byw_cl_cluster {
    uint32_t phase, arrived, ended, items;
};

static inline void byw_cl_cluster_count(struct byw_cl_cluster *c, uint32_t arrive, uint32_t end)
{
    c->arrived += arrive;
    c->ended += end;
    if (c->arrived != 0 && c->arrived + c->ended >= c->items) {
        c->arrived = 0;
        c->phase++;
    }
}

static inline struct byw_cl_cluster *byw_cl_cluster_state(void)
{
    return (struct byw_cl_cluster *)(uintptr_t)(BYW_CL_SHARED_BASE + (1u << BYW_CL_WINDOW_SHIFT) +
                                                BYW_CL_CLUSTER_STATE);
}

#endif
