/* SPDX-License-Identifier: Apache-2.0
 *
 * l2_lazy.h - l2_rig.h with sectors and lazy fetch (writes allocate without a fetch).
 */
#ifndef L2_LAZY_H
#define L2_LAZY_H

#include "l2_rig.h"

/* 64 sets of 16 lines of four 32-byte sectors, DRAM atoms of 32 bytes, lazy fetch. */
static inline void lazy_config(struct byw_config *c)
{
    rig_config(c);
    c->l2_sectors = 4;
    c->l2_write_miss = BYW_WRITE_MISS_LAZY;
    c->dram_atom = 32;
    c->l2_miss_queue = 8;
    snprintf(c->dram_map, sizeof(c->dram_map), "0000RRRR.RRRRRRRR.RBBBCCCB.CCCSSSSS");
}

static inline void rig_lazy(struct rig *rig)
{
    lazy_config(&rig->config);
    rig_start(rig);
}

static inline const struct byw_packet *packet_of(const struct rig *rig, uint32_t p)
{
    assert_int_not_equal(p, BYW_NO_PACKET);
    return &rig->pool.packet[p];
}

static inline void access_at(struct rig *rig, uint64_t addr, enum byw_txn_kind kind, uint32_t bytes,
                             uint32_t holes)
{
    send_at(rig, addr, kind, bytes, holes);
    settle(rig);
    steps(rig, 4); /* the ports are free again */
}

#endif
