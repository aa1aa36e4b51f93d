/* SPDX-License-Identifier: Apache-2.0
 *
 * memsys_rig.h - what the memory system's unit tests share: a pool, packets, random numbers.
 */
#ifndef MEMSYS_RIG_H
#define MEMSYS_RIG_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "sim/byw_memsys_pool.h"

static inline void rig_pool_init(struct byw_packet_pool *pool, uint32_t capacity)
{
    memset(pool, 0, sizeof(*pool));
    pool->capacity = capacity;
    pool->packet = calloc(capacity, sizeof(*pool->packet));
    pool->free = BYW_NO_PACKET;
    assert_non_null(pool->packet);
}

/* A packet as the SMs' port makes it. */
static inline uint32_t rig_packet(struct byw_packet_pool *pool, uint64_t addr, uint32_t id,
                                  enum byw_txn_kind kind, uint32_t bytes)
{
    uint32_t p = byw_pool_take(pool);
    struct byw_packet *packet = &pool->packet[p];

    memset(packet, 0, sizeof(*packet));
    packet->txn.addr = addr;
    packet->txn.id = id;
    packet->txn.kind = (uint8_t)kind;
    packet->txn.bytes = (uint16_t)bytes;
    packet->origin = BYW_ORIGIN_SM;
    return p;
}

static inline uint64_t rig_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static inline uint32_t rig_below(uint64_t *state, uint32_t limit)
{
    return (uint32_t)((rig_random(state) >> 20) % limit);
}

/* The seed of a random test: BYW_SEED in the environment, else a fixed one; announced on failure by
 * the caller's message. */
static inline uint64_t rig_seed(void)
{
    const char *text = getenv("BYW_SEED");
    uint64_t seed = (text != NULL) ? strtoull(text, NULL, 0) : 0;

    return (seed != 0) ? seed : UINT64_C(0x9e3779b97f4a7c15);
}

#define RIG_CHECK(condition, seed)                                                                 \
    do {                                                                                           \
        if (!(condition))                                                                          \
            fail_msg("%s; rerun with BYW_SEED=0x%llx", #condition, (unsigned long long)(seed));    \
    } while (0)

#endif
