/* SPDX-License-Identifier: Apache-2.0
 *
 * fill_rig.h - an allocate-on-fill L1D under test: its configuration, and requests by sector.
 */
#ifndef FILL_RIG_H
#define FILL_RIG_H

#include "common/byw_l1d_host.h"

static inline struct byw_config config(uint32_t sets, uint32_t ways, uint32_t sectors)
{
    struct byw_config c;

    byw_config_defaults(&c);
    c.policy_mode = BYW_MODE_BASE;
    c.l1d_alloc = BYW_ALLOC_ON_FILL;
    c.l1d_index = BYW_INDEX_LINEAR;
    c.l1d_sets = sets;
    c.l1d_ways = ways;
    c.l1d_sectors = sectors;
    return c;
}

static inline struct host *make(const char *name, const struct byw_config *c)
{
    struct host *h = host_new(name, c, host_seed(1));

    h->latency = 20;
    return h;
}

static inline void finish(struct host *h)
{
    host_drain(h);
    host_check(h);
    host_check_counts(h);
    host_free(h);
}

static inline uint32_t send(struct host *h, enum byw_op op, uint64_t line, uint32_t sector)
{
    h->sector = sector;
    return host_send(h, op, line, BYW_HINT_NONE);
}

static inline uint64_t load(struct host *h, uint64_t line, uint32_t sector)
{
    h->sector = sector;
    return host_do(h, BYW_OP_LOAD, line, BYW_HINT_NONE);
}

static inline bool hits(struct host *h, uint64_t line, uint32_t sector)
{
    return load(h, line, sector) == 3;
}

#endif
