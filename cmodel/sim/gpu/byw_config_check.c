/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/gpu/byw_config_check.h"

#include <string.h>

#include "common/byw_bits.h"
#include "policy/byw_policy_rules.h"
#include "sim/memory/byw_gpcs.h"
#include "sim/memory/byw_l2_mi.h"
#include "sim/sm/byw_carveout.h"
#include "sim/sm/byw_coalescer.h"

static uint32_t count_letter(const char *text, char letter)
{
    uint32_t n = 0;

    for (; *text != '\0'; text++)
        n += *text == letter;
    return n;
}

/* Checks that dram.map names each address bit below the channel once and that its fields fit banks
 * and atom. */
static const char *map_fault(const struct byw_config *c)
{
    if (strspn(c->dram_map, "0RBCS.") != strlen(c->dram_map))
        return "dram.map must consist of the letters 0 R B C S and dots";
    if (strlen(c->dram_map) - count_letter(c->dram_map, '.') > 48)
        return "dram.map must name at most 48 bits";
    if (count_letter(c->dram_map, 'B') > 8 ||
        (1U << count_letter(c->dram_map, 'B')) != c->dram_banks)
        return "dram.map must have log2(dram.banks) letters B";
    if (count_letter(c->dram_map, 'S') > 8 ||
        (1U << count_letter(c->dram_map, 'S')) != c->dram_atom)
        return "dram.map must have log2(dram.atom_bytes) letters S";
    if (count_letter(c->dram_map, 'R') == 0 || count_letter(c->dram_map, 'C') == 0)
        return "dram.map must have letters R and C";
    return NULL;
}

static const char *machine_fault(const struct byw_config *c)
{
    const struct byw_rule rules[] = {
        {byw_is_pow2(c->l1d_sectors), "l1d.sectors must be a power of two"},
        {c->l1d_line / c->l1d_sectors >= 32, "an L1D sector must have 32 bytes or more"},
        {c->l1d_sectors == 1 || c->coalesce_rule == BYW_COALESCE_SECTOR ||
             (c->coalesce_rule == BYW_COALESCE_FERMI &&
              c->coalesce_bytes <= c->l1d_line / c->l1d_sectors),
         "l1d.sectors above 1 needs coalescer.rule = sector, or segments no larger than a sector"},
        {byw_is_pow2(c->sm_lanes), "sm.warp_lanes must be 32 or 64"},
        {byw_is_pow2(c->sm_simd), "sm.simd_width must be a power of two"},
        {c->sm_own_units == 0 || c->sp_units == c->sm_schedulers,
         "sm.own_units = on needs sm.sp_units equal to sm.schedulers"},
        {byw_is_pow2(c->coalesce_bytes), "coalescer.segment_bytes must be a power of two"},
        {byw_is_pow2(c->coalesce_min), "coalescer.min_bytes must be a power of two"},
        {c->coalesce_min <= c->coalesce_bytes,
         "coalescer.min_bytes must not exceed coalescer.segment_bytes"},
        {c->l1d_beat == 0 ||
             (byw_is_pow2(c->l1d_beat) && c->l1d_beat >= 8 && c->l1d_beat <= c->l1d_line),
         "l1d.beat_bytes must be 0, 8, 16, 32 or 64, and must not exceed l1d.line_bytes"},
        {c->l1d_beat == 0 || c->l1d_alloc == BYW_ALLOC_ON_MISS,
         "l1d.beat_bytes needs l1d.allocate = on_miss"},
        {c->coalesce_bytes <= c->l1d_line,
         "coalescer.segment_bytes must not exceed l1d.line_bytes"},
        {byw_is_pow2(c->icache_sets), "icache.sets must be a power of two"},
        {byw_is_pow2(c->icache_line), "icache.line_bytes must be a power of two"},
        {c->sm_schedulers <= c->sm_warps, "sm.schedulers must not exceed sm.warps"},
        {c->sm_threads >= c->sm_warps, "sm.threads must not be below sm.warps"},
        {byw_is_pow2(c->l2_sets), "l2.sets must be a power of two"},
        {byw_is_pow2(c->l2_line), "l2.line_bytes must be a power of two"},
        {byw_is_pow2(c->l2_port), "l2.port_bytes must be a power of two"},
        {c->l2_line >= c->l1d_line, "l2.line_bytes must not be below l1d.line_bytes"},
        {c->l2_slices % c->dram_channels == 0, "l2.slices must be a multiple of dram.channels"},
        {byw_is_pow2(c->dram_banks), "dram.banks must be a power of two"},
        {c->dram_banks % c->dram_groups == 0, "dram.banks must be a multiple of dram.bank_groups"},
        {byw_is_pow2(c->dram_atom), "dram.atom_bytes must be a power of two"},
        {c->dram_atom <= c->l2_line, "dram.atom_bytes must not exceed l2.line_bytes"},
    };
    const char *fault = byw_geometry_fault(c);

    if (fault == NULL)
        fault = BYW_RULES_FAULT(rules);
    if (fault == NULL)
        fault = byw_carveout_fault(c);
    if (fault == NULL)
        fault = byw_gpcs_fault(c);
    return fault != NULL ? fault : map_fault(c);
}

static const char *l2_policy_fault(const struct byw_config *c)
{
    uint32_t per_set = c->l2_slices * c->l2_dbi_ways; /* entries of one set in every slice */
    uint32_t row_log2 = count_letter(c->dram_map, 'C') + count_letter(c->dram_map, 'S');
    bool all = c->l2_cached == BYW_L2_CACHES_ALL, rinses = c->l2_rinse != 0;
    const struct byw_rule rules[] = {
        {all || (!rinses && c->l2_pc_bypass == 0),
         "l2_policy.rinse and l2_policy.pc_bypass need l2_policy.cached = all"},
        {!rinses || (c->l2_dbi_entries % per_set == 0 && byw_is_pow2(c->l2_dbi_entries / per_set)),
         "l2_policy.dbi_entries must be l2.slices times l2_policy.dbi_ways times a power of two"},
        {!rinses || c->l2_start < BYW_L2_EMPTY,
         "l2_policy.rinse = on excludes l2.launch_start = empty and dirty"},
        {!rinses || (row_log2 < 32 && c->l2_line <= 1U << row_log2 &&
                     (1U << row_log2) / c->l2_line <= BYW_DBI_BLOCKS_MAX),
         "l2_policy.rinse = on needs DRAM rows (dram.map) of 1 to 64 L2 lines (l2.line_bytes)"},
    };

    return BYW_RULES_FAULT(rules);
}

bool byw_config_fault(const struct byw_config *config, char text[BYW_RULE_ROOM], bool *of_machine)
{
    const char *fault = machine_fault(config);

    *of_machine = fault != NULL;
    if (fault == NULL)
        fault = byw_policy_fault(config);
    if (fault == NULL)
        fault = l2_policy_fault(config);
    if (fault == NULL)
        return false;
    byw_rule_sentence(config, fault, text);
    return true;
}

enum byw_status byw_config_check(const struct byw_config *config, struct byw_diag *diag)
{
    char fault[BYW_RULE_ROOM];
    bool of_machine;

    if (!byw_config_fault(config, fault, &of_machine))
        return BYW_OK;
    if (of_machine)
        return byw_diag_set(diag, BYW_EINVAL, "machine '%s': %s", config->machine_title, fault);
    return byw_diag_set(diag, BYW_EINVAL, "machine '%s' cannot run policy '%s': %s",
                        config->machine_title, config->policy_title, fault);
}
