/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_carveout.h - a memory of each SM that L1D and scratchpad share (sm.unified_kb), split anew
 * for each launch.
 *
 * The scratchpad gets one of the sizes of sm.carveouts, the L1D the rest, less what the hardware
 * keeps (l1d.reserved_kb).  With sm.carveout = auto the scratchpad gets the smallest size that is
 * at least
 *
 *   4 KB for each CTA that fits in an SM, but no more than sm.carveout_least_kb, and
 *   the scratchpad of all CTAs that fit if there are 16 or more of them, else of twice as many, but
 *   no more than 16; yet no more than sm.carveout_most_kb unless the CTAs that fit need more.
 *
 * A CTA needs its own scratchpad and sm.cta_shared_bytes.  "Fit" refers to all limits except the
 * scratchpad.  This rule is fitted to the sizes that an H200's driver chose for 88 launch shapes,
 * without a held-out set; it misses one (doc/h200.md).
 */
#ifndef BYW_CARVEOUT_H
#define BYW_CARVEOUT_H

#include "common/byw_config.h"
#include "trace/byw_inst.h"

struct byw_carveout {
    uint32_t shared_kb; /* size of the scratchpad */
    uint32_t l1d_sets, l1d_ways; /* the L1D in the rest */
};

/* The split for a launch of this kernel. If L1D and scratchpad are separate (sm.unified_kb = 0):
 * the sizes of the machine file. */
struct byw_carveout byw_carveout_for(const struct byw_config *config,
                                     const struct byw_kernel *kernel);

/* Describes an error in the keys of the unified memory; NULL if there is none. */
const char *byw_carveout_fault(const struct byw_config *config);

#endif
