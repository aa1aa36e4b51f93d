/* SPDX-License-Identifier: Apache-2.0
 *
 * mi_rig.h - an L2 slice small enough to work out by hand, for the policies of paper 004.
 */
#ifndef MI_RIG_H
#define MI_RIG_H

#include "sim/gpu/byw_config_check.h"
#include "sim/l2_rig.h"
#include "sim/memory/byw_l2_mi.h"

enum { LINE = 64, SETS = 4, WAYS = 4, ROW = 2048 };

/* 64-byte lines, written without a fetch; rows of 32 lines; all in one channel. */
static inline void base(struct rig *rig)
{
    rig_config(&rig->config);
    rig->config.l2_line = rig->config.l1d_line = rig->config.coalesce_bytes = LINE;
    rig->config.l2_sets = SETS;
    rig->config.l2_ways = WAYS;
    rig->config.l2_sectors = 1;
    rig->config.l2_mshrs = 32;
    rig->config.l2_merges = 8;
    rig->config.l2_miss_queue = 8;
    rig->config.l2_port = LINE;
    rig->config.l2_write_miss = BYW_WRITE_MISS_LAZY;
    rig->config.dram_atom = 32;
    rig->config.dram_banks = 16;
    strcpy(rig->config.dram_map, "0000RRRR.RRRRRRRR.RBBBCCCB.CCCSSSSS");
    rig->config.l2_dbi_entries = 16;
    rig->config.l2_dbi_ways = 4;
}

static inline void begin(struct rig *rig)
{
    struct byw_diag diag = {""};

    rig->config.dram_channels = rig->config.l2_slices = 1;
    assert_int_equal(byw_config_check(&rig->config, &diag), BYW_OK);
    rig_start(rig);
    assert_int_equal(byw_l2_policy_init(&rig->l2, &rig->config, &rig->map), BYW_OK);
}

static inline uint32_t ask(struct rig *rig, uint64_t addr, enum byw_txn_kind kind)
{
    return send_at(rig, addr, kind, LINE, 0);
}

static inline bool there(const struct rig *rig, uint64_t addr)
{
    uint32_t at;
    enum byw_l2_found found = byw_l2_find(&rig->l2, addr, byw_addrmap_set(&rig->map, addr), &at);

    return found == BYW_L2_HIT || found == BYW_L2_IS_WRITTEN;
}

static inline uint32_t ask_with_pc(struct rig *rig, uint64_t addr, enum byw_txn_kind kind,
                                   uint32_t pc)
{
    uint32_t id = ask(rig, addr, kind);

    rig->pool.packet[rig->l2.rop.tail].txn.pc = pc;
    return id;
}

/* Address of the next write-back to DRAM, or 0 if there is none for a long time. */
static inline uint64_t next_writeback(struct rig *rig)
{
    for (int i = 0; i < 200; i++) {
        uint32_t p;

        step(rig);
        while (answer(rig) != 0)
            continue;
        p = to_dram(rig);
        if (p == BYW_NO_PACKET)
            continue;
        if (rig->pool.packet[p].origin == BYW_ORIGIN_EVICT) {
            uint64_t addr = rig->pool.packet[p].txn.addr;

            from_dram(rig, p);
            return addr;
        }
        from_dram(rig, p);
    }
    return 0;
}

/* Requests that reached the memory behind the slice. */
struct asked {
    uint32_t reads, writes, writebacks; /* writes: stores that were forwarded */
    uint64_t last; /* address of the last write-back */
};

/* Like settle(), but counts the requests; runs long enough to flush a large index. */
static inline struct asked rest(struct rig *rig)
{
    struct asked asked = {0, 0, 0, 0};

    for (int i = 0; i < 40000; i++) {
        uint32_t p;

        step(rig);
        while ((p = to_dram(rig)) != BYW_NO_PACKET) {
            const struct byw_packet *packet = &rig->pool.packet[p];

            if (packet->origin == BYW_ORIGIN_EVICT) {
                asked.writebacks++;
                asked.last = packet->txn.addr;
            } else if (byw_packet_writes(packet)) {
                asked.writes++;
            } else {
                asked.reads++;
            }
            from_dram(rig, p);
        }
        while (answer(rig) != 0)
            continue;
        if (byw_l2_empty(&rig->l2))
            return asked;
    }
    fail_msg("the slice does not come to rest");
    return asked;
}

#endif
