/* SPDX-License-Identifier: Apache-2.0
 *
 * look_rig.h - a cache with a look stage and a memory of fixed latency. In all tests lines 1 and 33
 * share a set; line 2 is in another one.
 */
#ifndef LOOK_RIG_H
#define LOOK_RIG_H

#include "common/byw_l1d_host.h"

enum { LATENCY = 20, HIT = 4, MISS = LATENCY + 5, SAME = 32 };

static inline struct byw_config config(uint32_t mode)
{
    struct byw_config c;

    byw_config_defaults(&c);
    c.policy_mode = mode;
    c.l1d_look = 1;
    return c;
}

static inline struct host *make(const char *name, const struct byw_config *c)
{
    struct host *h = host_new(name, c, host_seed(1));

    h->latency = LATENCY;
    return h;
}

static inline uint64_t took(const struct host *h, uint32_t id)
{
    return h->rsp_cycle[id] - h->id[id].cycle;
}

#endif
