/* SPDX-License-Identifier: Apache-2.0
 *
 * beats_rig.h - a cache with a narrow datapath and a memory of fixed latency.  Line 1 and lines 33,
 * 65 share a set, line 2 is in another.
 */
#ifndef BEATS_RIG_H
#define BEATS_RIG_H

#include "common/byw_l1d_host.h"

enum { LATENCY = 20, BYTES = 32, BEATS = 4, SAME = 32 };

static inline struct byw_config config(uint32_t mode, uint32_t look)
{
    struct byw_config c;

    byw_config_defaults(&c);
    c.policy_mode = mode;
    c.l1d_look = look;
    c.port.beat_bytes = BYTES;
    return c;
}

static inline struct host *make(const char *name, const struct byw_config *c)
{
    struct host *h = host_new(name, c, host_seed(1));

    h->latency = LATENCY;
    return h;
}

static inline uint32_t send(struct host *h, enum byw_op op, uint64_t line, uint32_t beat)
{
    h->beat = beat;
    return host_send(h, op, line, BYW_HINT_NONE);
}

static inline uint64_t took(struct host *h, enum byw_op op, uint64_t line, uint32_t beat)
{
    h->beat = beat;
    return host_do(h, op, line, BYW_HINT_NONE);
}

#endif
