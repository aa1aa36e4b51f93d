/* SPDX-License-Identifier: Apache-2.0
 *
 * memsys_presets.h - memory systems of the classes of machine the project compares, for tests.
 */
#ifndef MEMSYS_PRESETS_H
#define MEMSYS_PRESETS_H

#include "memsys_rig.h"

/* HBM2 as of 850 MHz: 16 banks in 4 groups, 32-byte atoms, a bus each for rows and columns. */
static inline void preset_hbm2(struct byw_config *c, uint32_t channels)
{
    c->dram_channels = channels;
    c->dram_mhz = 850;
    c->dram_atom = 32;
    c->dram_burst = 1;
    c->dram_queue = 64;
    c->dram_return = 192;
    c->dram_dual_bus = 1;
    c->dram_group_index = BYW_GROUP_LOW;
    snprintf(c->dram_map, sizeof(c->dram_map), "0000RRRR.RRRRRRRR.RBBBCCCB.CCCSSSSS");
    c->t_ccd = 1;
    c->t_ccdl = 2;
    c->t_rrd = c->t_cdlr = c->t_rtpl = 3;
    c->t_wl = 2;
    c->t_wr = 10;
    c->t_refi = 3315;
    c->t_rfc = 298;
}

/* Sectored and lazily fetched, GDDR5X, two slices per channel. */
static inline void preset_pascal(struct byw_config *c)
{
    rig_config(c);
    c->sm_count = 56;
    c->core_mhz = c->icnt_mhz = c->l2_mhz = 1417;
    c->dram_mhz = 2500;
    c->dram_channels = 12;
    c->l2_slices = 24;
    c->l2_sectors = 4;
    c->l2_write_miss = BYW_WRITE_MISS_LAZY;
    c->l2_mshrs = 128;
    c->l2_miss_queue = 16;
    c->l2_in_queue = c->l2_out_queue = c->l2_dram_queue = 64;
    c->dram_atom = 32;
    c->dram_burst = 2;
    c->dram_queue = 64;
    snprintf(c->dram_map, sizeof(c->dram_map), "0000RRRR.RRRRRRRR.RBBBCCCB.CCCSSSSS");
}

/* The same with hashed slices and sets, 32 channels of HBM2. */
static inline void preset_volta(struct byw_config *c)
{
    preset_pascal(c);
    c->sm_count = 80;
    c->core_mhz = c->icnt_mhz = c->l2_mhz = 1132;
    c->l2_slices = 64;
    c->l2_sets = 32;
    c->l2_ways = 24;
    c->l2_mshrs = 192;
    c->l2_miss_queue = 32;
    c->l2_index = c->l2_slice_index = BYW_HASH_IPOLY;
    c->l2_rop = 160;
    preset_hbm2(c, 32);
}

/* GCN APU: 64-byte lines, an L3. */
static inline void preset_gcn(struct byw_config *c)
{
    rig_config(c);
    c->sm_count = 8;
    c->core_mhz = c->icnt_mhz = c->l2_mhz = 1000;
    c->dram_mhz = 800;
    c->dram_channels = c->l2_slices = 2;
    c->l1d_line = c->coalesce_bytes = c->icache_line = c->l2_line = 64;
    c->l2_sets = 128;
    c->l2_rop = 4;
    c->l2_data = 16;
    c->l2_write_miss = BYW_WRITE_MISS_LAZY;
    c->l3_on = 1;
    c->l3_line = 64;
    c->l3_sets = 2048;
    c->l3_tags = 15;
    c->l3_data = 30;
}

/* GCN for machine learning: 16 slices of 256 KB, one per HBM2 channel. */
static inline void preset_gcn_ml(struct byw_config *c)
{
    preset_gcn(c);
    c->sm_count = 64;
    c->core_mhz = c->icnt_mhz = c->l2_mhz = 1600;
    preset_hbm2(c, 16);
    c->dram_mhz = 1000;
    c->l2_slices = 16;
    c->l2_sets = 256;
    c->l3_on = 0;
}

/* RDNA2: a GL1 per ten CUs, a cache in front of memory. */
static inline void preset_rdna2(struct byw_config *c)
{
    rig_config(c);
    c->sm_count = 40;
    c->core_mhz = c->l2_mhz = 2000;
    c->icnt_mhz = 1800;
    c->dram_mhz = 2000;
    c->dram_channels = c->l2_slices = 16;
    c->l2_write_miss = BYW_WRITE_MISS_LAZY;
    c->gl1_on = 1;
    c->gl1_sms = 10;
    c->l3_on = 1;
    c->l3_sets = 4096;
    c->l3_sectors = 2;
}

/* What nobody builds: every level, fetches on writes into sectors, four different clocks. */
static inline void preset_odd(struct byw_config *c)
{
    preset_rdna2(c);
    c->sm_count = 7;
    c->gl1_sms = 3;
    c->core_mhz = 1000;
    c->icnt_mhz = 700;
    c->l2_mhz = 1300;
    c->dram_mhz = 900;
    c->l2_sectors = 2;
    c->l2_write_miss = BYW_WRITE_MISS_FETCH;
    c->l2_data = 5;
    c->l2_slices = 64;
    c->icnt_eject = 4;
    c->dram_sched = BYW_DRAM_FCFS;
    c->dram_fcfs_queue = 2;
    c->t_refi = 700;
    c->t_rfc = 100;
}

/* One entry wherever that is possible. */
static inline void preset_tiny(struct byw_config *c)
{
    preset_odd(c);
    c->l2_write_miss = BYW_WRITE_MISS_LAZY;
    c->icnt_in_packets = c->icnt_out_packets = 1;
    c->l2_in_queue = c->l3_queue = 2;
    c->l2_out_queue = c->l2_dram_queue = c->gl1_queue = 1;
    c->l2_miss_queue = c->l3_miss_queue = c->gl1_miss_queue = 3;
    c->l2_mshrs = c->l2_merges = c->l3_mshrs = c->l3_merges = c->gl1_mshrs = c->gl1_merges = 1;
    c->dram_queue = c->dram_return = 1;
}

static inline void preset_ideal(struct byw_config *c)
{
    preset_volta(c);
    c->dram_ideal = 1;
}

static const struct preset {
    const char *name;
    void (*set)(struct byw_config *config);
} presets[] = {{"pascal", preset_pascal}, {"volta", preset_volta}, {"gcn", preset_gcn},
               {"gcn_ml", preset_gcn_ml}, {"rdna2", preset_rdna2}, {"odd", preset_odd},
               {"tiny", preset_tiny},     {"ideal", preset_ideal}};

enum { PRESETS = sizeof(presets) / sizeof(presets[0]) };

#endif
