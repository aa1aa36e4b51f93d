/* SPDX-License-Identifier: Apache-2.0
 *
 * dram_rig.h - one DRAM channel by itself: a test pushes packets and steps cycle by cycle.
 */
#ifndef DRAM_RIG_H
#define DRAM_RIG_H

#include "memsys_rig.h"
#include "sim/memory/byw_dram.h"

struct rig {
    struct byw_config config;
    struct byw_packet_pool pool;
    struct byw_mem_stats stats;
    struct byw_dram dram;
    uint64_t now; /* the next cycle */
};

/* A configuration in which every distance is 0 or 1; a test sets only what it probes. */
static inline void bare_config(struct byw_config *config)
{
    rig_config(config);
    config->t_ccd = config->t_ccdl = 1;
    config->t_rrd = config->t_rcd = config->t_ras = config->t_rp = config->t_rc = 0;
    config->t_cl = config->t_wl = config->t_cdlr = config->t_wr = config->t_rtpl = 0;
    config->dram_burst = 1;
}

static inline void rig_start(struct rig *rig)
{
    rig_pool_init(&rig->pool, 4096);
    memset(&rig->stats, 0, sizeof(rig->stats));
    byw_dram_init(&rig->dram, &rig->config, &rig->pool, &rig->stats);
    rig->now = 1;
}

static inline void rig_end(struct rig *rig)
{
    free(rig->pool.packet);
}

static inline uint32_t push(struct rig *rig, uint32_t bank, uint64_t row, bool write,
                            uint32_t atoms)
{
    uint32_t p = rig_packet(&rig->pool, 0, rig->pool.touched, write ? BYW_TXN_WRITE : BYW_TXN_READ,
                            atoms * 64);

    rig->pool.packet[p].bank = (uint8_t)bank;
    rig->pool.packet[p].row = row;
    rig->pool.packet[p].atoms = (uint8_t)atoms;
    byw_dram_push(&rig->dram, p, rig->now - 1);
    return p;
}

static inline void step(struct rig *rig)
{
    assert_int_equal(byw_dram_cycle(&rig->dram, rig->now), BYW_NO_PACKET);
    rig->now++;
}

/* Expects that the counter is 0 before cycle `at` and 1 in it. */
static inline void expect_at(struct rig *rig, const uint64_t *counter, uint64_t at)
{
    uint64_t before = *counter;

    assert_true(at >= rig->now);
    while (rig->now < at)
        step(rig);
    assert_int_equal(*counter, before);
    step(rig);
    assert_int_equal(*counter, before + 1);
}

/* Steps to the next count and returns its cycle. */
static inline uint64_t next_of(struct rig *rig, const uint64_t *counter)
{
    uint64_t before = *counter;

    for (int i = 0; *counter == before; i++) {
        assert_true(i < 1000);
        step(rig);
    }
    return rig->now - 1;
}

static inline void open_row(struct rig *rig, uint32_t bank, uint64_t row)
{
    push(rig, bank, row, false, 1);
    for (int i = 0; i < 300; i++)
        step(rig);
    assert_true(rig->dram.bank[bank].open && rig->dram.bank[bank].row == row);
}

#endif
