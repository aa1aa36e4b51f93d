/* SPDX-License-Identifier: Apache-2.0
 *
 * memsys_presets.h - memory systems for tests: those of shipped machines, and some extreme ones.
 */
#ifndef MEMSYS_PRESETS_H
#define MEMSYS_PRESETS_H

#include "memsys_rig.h"

/* The memory system of a shipped machine. */
static inline void preset_machine(struct byw_config *c, const char *name)
{
    char path[128];
    struct byw_diag diag = {""};

    snprintf(path, sizeof(path), "cmodel/configs/machines/%s.cfg", name);
    byw_config_defaults(c);
    if (byw_config_read(c, path, NULL, BYW_PARAM_MACHINE, &diag) != BYW_OK)
        fail_msg("%s", diag.text);
}

/* Sectored with lazy fetch, GDDR5X, two slices per channel. */
static inline void preset_pascal(struct byw_config *c)
{
    preset_machine(c, "pascal_paper");
}

/* Hashed slices and sets, HBM2. */
static inline void preset_volta(struct byw_config *c)
{
    preset_machine(c, "v100");
}

/* Lines of 64 bytes, an L3. */
static inline void preset_gcn(struct byw_config *c)
{
    preset_machine(c, "gcn_apu");
}

/* Lines of 64 bytes, HBM2. */
static inline void preset_gcn_ml(struct byw_config *c)
{
    preset_machine(c, "gcn_ml");
}

/* GL1s shared by groups of SMs, and a cache in front of memory. */
static inline void preset_rdna2(struct byw_config *c)
{
    preset_machine(c, "rdna2");
}

/* Everything at once: all levels, fetch on write into sectors, four different clocks. */
static inline void preset_odd(struct byw_config *c)
{
    rig_config(c);
    c->sm_count = 7;
    c->dram_channels = 16;
    c->gl1_on = c->l3_on = 1;
    c->gl1_sms = 3;
    c->l3_sets = 4096;
    c->l3_sectors = 2;
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

/* Every queue has one entry where the configuration allows it. */
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
