/* SPDX-License-Identifier: Apache-2.0 */
#include "study/job/byw_energy.h"

#include <math.h>

static const struct byw_energy_constant constants[] = {
#define X(name, value, unit, source) {#name, value, unit, source},
#include "study/job/byw_energy.def"
#undef X
};

enum { CONSTANT_COUNT = sizeof(constants) / sizeof(constants[0]) };

enum {
#define X(name, value, unit, source) name,
#include "study/job/byw_energy.def"
#undef X
};

size_t byw_energy_constant_count(void)
{
    return CONSTANT_COUNT;
}

const struct byw_energy_constant *byw_energy_constant(size_t i)
{
    return &constants[i];
}

static double c(size_t which)
{
    return constants[which].value;
}

static double tag_entries(const struct byw_config *config)
{
    uint32_t ways =
        config->policy_mode == BYW_MODE_DECOUPLED ? config->dec_tag_ways : config->l1d_ways;

    return (double)config->l1d_sets * (double)ways;
}

/* A value that is `base` for 128 tags plus `extra` for every 128 more. */
static double by_tags(double entries, double base, double extra)
{
    double value = base + extra * (entries / 128.0 - 1.0);
    double least = base / 4.0; /* below 32 tags the linear fit does not hold */

    return value > least ? value : least;
}

/* An access to the tags. Tags in excess of the data ways are power-gated while the locality filter
 * is off. */
static double tag_access(const struct byw_config *config, const struct byw_gpu_result *result)
{
    double all = by_tags(tag_entries(config), c(E_TAG_READ), c(E_TAG_EXTRA));
    double few =
        by_tags((double)config->l1d_sets * config->l1d_ways, c(E_TAG_READ), c(E_TAG_EXTRA));
    double cycles = (double)result->cycles * config->sm_count;
    double on = cycles > 0.0 ? (double)result->l1.filter_on_cycles / cycles : 0.0;

    return (few + (all - few) * on) * (config->pc_on != 0 ? 1.0 + c(E_TAG_HASH) : 1.0);
}

/* Reads and updates of the PC predictors' tables. */
static double table_accesses(const struct byw_l1_stats *l1)
{
    return (double)(l1->policy[BYW_PEV_PC_ASK] + l1->policy[BYW_PEV_PC_REUSED] +
                    l1->policy[BYW_PEV_PC_DEAD] + l1->policy[BYW_PEV_PC_MISPREDICT]);
}

static double array_access(double bytes)
{
    return c(E_DATA_16K) * sqrt(bytes / 16384.0);
}

double byw_energy_l1_data(const struct byw_config *config)
{
    return array_access((double)config->l1d_sets * config->l1d_ways * config->l1d_line);
}

void byw_energy_below(const struct byw_config *config, const struct byw_mem_use *use,
                      struct byw_energy *energy)
{
    const struct byw_level_stats *l2 = &use->l2;
    double slice_bytes = (double)config->l2_sets * config->l2_ways * config->l2_line;
    double l2_events = (double)(l2->reads + l2->writes + l2->atomics + l2->insts +
                                l2->write_fetches + l2->writebacks + l2->misses);
    double atoms = (double)(use->dram_reads + use->dram_writes);

    energy->icnt = (double)(use->req_flits + use->rsp_flits) * config->icnt_flit * c(E_FLIT_BYTE);
    energy->l2 = l2_events * array_access(slice_bytes);
    energy->dram = atoms * 8.0 * config->dram_atom * c(E_DRAM_BIT) +
                   (double)use->dram_activates * c(E_ACTIVATE);
}

void byw_energy_of(const struct byw_config *config, const struct byw_gpu_result *result,
                   struct byw_energy *energy)
{
    const uint64_t *ev = result->l1.ev;
    const struct byw_mem_use below = {.req_flits = result->mem.icnt_req_flits,
                                      .rsp_flits = result->mem.icnt_rsp_flits,
                                      .l2 = result->mem.l2,
                                      .dram_reads = result->mem.dram_reads,
                                      .dram_writes = result->mem.dram_writes,
                                      .dram_activates = result->mem.dram_activates};
    double tags = tag_entries(config);
    double l1_bytes = (double)config->l1d_sets * config->l1d_ways * config->l1d_line;
    double microseconds = (double)result->cycles / (double)config->core_mhz;

    energy->l1_tag =
        (double)(ev[BYW_EV_TAG_READ] + ev[BYW_EV_TAG_WRITE]) * tag_access(config, result);
    energy->l1_predictor = table_accesses(&result->l1) * c(E_PC_TABLE);
    energy->l1_data =
        (double)(ev[BYW_EV_DATA_READ] + ev[BYW_EV_DATA_WRITE]) * byw_energy_l1_data(config);
    /* mW times us is nJ */
    energy->l1_leakage =
        config->sm_count * microseconds *
        (by_tags(tags, c(P_TAG), c(P_TAG_EXTRA)) + c(P_DATA_16K) * l1_bytes / 16384.0) *
        (config->pc_on != 0 ? 1.0 + c(P_PC) : 1.0);
    energy->l1 = energy->l1_tag + energy->l1_data + energy->l1_predictor + energy->l1_leakage;
    byw_energy_below(config, &below, energy);
    energy->total = energy->l1 + energy->icnt + energy->l2 + energy->dram;
}
