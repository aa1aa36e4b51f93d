/* SPDX-License-Identifier: Apache-2.0
 *
 * l2_rig.h - one cache slice; the test plays the levels above and below.
 */
#ifndef L2_RIG_H
#define L2_RIG_H

#include "memsys_rig.h"
#include "sim/memory/byw_addrmap.h"
#include "sim/memory/byw_l2.h"

struct rig {
    struct byw_config config;
    struct byw_addrmap map;
    struct byw_packet_pool pool;
    struct byw_mem_stats stats;
    struct byw_l2 l2;
    uint64_t now;
    uint32_t next_id;
};

/* One channel: lines n, n + sets, n + 2 sets ... share a set. */
static inline void rig_start_as(struct rig *rig, const struct byw_l2_shape *shape)
{
    struct byw_diag diag = {""};

    memset(&rig->stats, 0, sizeof(rig->stats));
    rig->config.dram_channels = rig->config.l2_slices = 1;
    assert_int_equal(byw_addrmap_init(&rig->map, &rig->config, &diag), BYW_OK);
    rig_pool_init(&rig->pool, 65536);
    assert_int_equal(byw_l2_init(&rig->l2, 0, shape, &rig->pool, &rig->stats, &rig->stats.l2),
                     BYW_OK);
    rig->now = 100;
    rig->next_id = 1;
}

/* An L2 slice with no delay before the tags. */
static inline void rig_start(struct rig *rig)
{
    struct byw_l2_shape shape;

    rig->config.l2_rop = 0;
    shape = byw_l2_shape(&rig->config);
    rig_start_as(rig, &shape);
}

static inline void rig_defaults(struct rig *rig)
{
    rig_config(&rig->config);
    rig_start(rig);
}

static inline void rig_end(struct rig *rig)
{
    byw_l2_free(&rig->l2);
    free(rig->pool.packet);
}

/* Sends a request; `holes`: mask of words that a write omits. */
static inline uint32_t send_at(struct rig *rig, uint64_t addr, enum byw_txn_kind kind,
                               uint32_t bytes, uint32_t holes)
{
    uint32_t p = rig_packet(&rig->pool, addr, rig->next_id, kind, bytes);

    rig->pool.packet[p].txn.holes = holes;
    rig->pool.packet[p].set = byw_addrmap_set(&rig->map, addr);
    byw_l2_push(&rig->l2, p, rig->now);
    return rig->next_id++;
}

static inline uint32_t send(struct rig *rig, uint64_t line, enum byw_txn_kind kind, uint32_t bytes)
{
    return send_at(rig, line * 128, kind, bytes, 0);
}

static inline void step(struct rig *rig)
{
    byw_l2_cycle(&rig->l2, rig->now, rig->now);
    rig->now++;
}

static inline void steps(struct rig *rig, int count)
{
    for (int i = 0; i < count; i++)
        step(rig);
}

/* Takes the next answer; returns its id, or 0 if there is none. */
static inline uint32_t answer(struct rig *rig)
{
    uint32_t p, id;

    if (rig->l2.out.count == 0)
        return 0;
    p = byw_fifo_pop(&rig->pool, &rig->l2.out);
    id = rig->pool.packet[p].txn.id;
    byw_pool_give(&rig->pool, p);
    return id;
}

/* The DRAM side accepts a packet; the caller passes the answer to from_dram(). */
static inline uint32_t to_dram(struct rig *rig)
{
    return rig->l2.to_dram.count > 0 ? byw_fifo_pop(&rig->pool, &rig->l2.to_dram) : BYW_NO_PACKET;
}

static inline void from_dram(struct rig *rig, uint32_t p)
{
    if (byw_packet_returns(&rig->pool.packet[p]))
        byw_fifo_push(&rig->pool, &rig->l2.from_dram, p);
    else
        byw_pool_give(&rig->pool, p);
}

/* Runs with a DRAM that answers at once until the slice is empty; discards the answers. */
static inline void settle(struct rig *rig)
{
    for (int i = 0; i < 4000; i++) {
        uint32_t p;

        step(rig);
        while ((p = to_dram(rig)) != BYW_NO_PACKET)
            from_dram(rig, p);
        while (answer(rig) != 0)
            continue;
        if (byw_l2_empty(&rig->l2))
            return;
    }
    fail_msg("the slice does not come to rest");
}

static inline void load(struct rig *rig, uint64_t line)
{
    send(rig, line, BYW_TXN_READ, 128);
    settle(rig);
}

/* Cycles until the next answer, counted from now. */
static inline int wait_answer(struct rig *rig, uint32_t *id)
{
    for (int i = 1; i < 1000; i++) {
        step(rig);
        *id = answer(rig);
        if (*id != 0)
            return i;
    }
    fail_msg("no answer");
    return 0;
}

#endif
