/* SPDX-License-Identifier: Apache-2.0
 *
 * hook_rig.h - small caches of both organisations for mechanisms that are called through hooks
 * (policy/byw_mech_ops.h).
 */
#ifndef HOOK_RIG_H
#define HOOK_RIG_H

#include "common/byw_l1d_mix.h"
#include "policy/byw_mech_chain.h"

enum { BLOCKS = 64, ACCESSES = 20000 };

static inline struct byw_config config_of(uint32_t mode, uint32_t alloc)
{
    struct byw_config c = host_scarce_config(mode);

    c.l1d_alloc = alloc;
    c.l1d_index = BYW_INDEX_LINEAR;
    c.l1d_sectors = alloc == BYW_ALLOC_ON_FILL ? 4 : 1;
    c.l1d_sets = 8;
    return c;
}

static inline void keep(void *self)
{
    (void)self;
}

#endif
