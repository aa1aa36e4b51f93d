/* SPDX-License-Identifier: Apache-2.0
 *
 * memsys_rig.h - shared by the memory system's unit tests: packet pool, packets, random numbers.
 */
#ifndef MEMSYS_RIG_H
#define MEMSYS_RIG_H

#include <stdio.h>
#include <string.h>

#include "common/test.h"
#include "sim/memory/byw_memside.h"

/* The machine for which the expected values were worked out; independent of the defaults. */
static inline void rig_config(struct byw_config *c)
{
    byw_config_defaults(c);
    c->sm_count = 15;
    c->core_mhz = c->icnt_mhz = c->l2_mhz = 700;
    c->dram_mhz = 924;
    c->icnt_flit = 40;
    c->icnt_header = 8;
    c->icnt_in_packets = c->icnt_out_packets = 512;
    c->icnt_eject = 0;
    c->l2_slices = c->dram_channels = 6;
    c->l2_sets = 64;
    c->l2_ways = 16;
    c->l2_line = 128;
    c->l2_mshrs = c->l2_port = 32;
    c->l2_merges = c->l2_miss_queue = 4;
    c->l2_in_queue = c->l2_out_queue = c->l2_dram_queue = 8;
    c->l2_rop = 120;
    c->dram_sched = BYW_DRAM_FRFCFS;
    c->dram_queue = c->dram_fcfs_queue = 16;
    c->dram_ideal = c->dram_dual_bus = 0;
    c->dram_group_timing = 1;
    c->dram_group_index = BYW_GROUP_HIGH;
    c->t_refi = c->t_rfc = 0;
    c->l2_data = c->gl1_on = c->l3_on = 0;
    c->l2_sectors = 1;
    c->l2_write_miss = BYW_WRITE_MISS_FETCH;
    c->l2_index = c->l2_slice_index = BYW_HASH_LINEAR;
    c->dram_return = 116;
    c->dram_latency = 100;
    c->dram_banks = 16;
    c->dram_groups = 4;
    c->dram_atom = 64;
    c->dram_burst = 2;
    c->dram_map_shift = 8;
    snprintf(c->dram_map, sizeof(c->dram_map), "0000RRRR.RRRRRRRR.BBBCCCCB.CCSSSSSS");
    c->t_ccd = c->t_rtpl = 2;
    c->t_ccdl = 3;
    c->t_rrd = 6;
    c->t_rcd = c->t_rp = c->t_cl = c->t_wr = 12;
    c->t_ras = 28;
    c->t_rc = 40;
    c->t_wl = 4;
    c->t_cdlr = 5;
}

static inline void rig_pool_init(struct byw_packet_pool *pool, uint32_t capacity)
{
    memset(pool, 0, sizeof(*pool));
    pool->capacity = capacity;
    pool->packet = calloc(capacity, sizeof(*pool->packet));
    pool->free = BYW_NO_PACKET;
    assert_non_null(pool->packet);
}

/* A packet as an SM's port creates it. */
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

/* Seed of a random test: BYW_SEED from the environment, else a fixed one. The caller prints it on
 * failure. */
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
