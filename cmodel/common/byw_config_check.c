/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_config_check.c - the rules that tie several keys together.
 */
#include <stdio.h>
#include <string.h>

#include "common/byw_config.h"

static bool power_of_two(uint32_t n)
{
    return n != 0 && (n & (n - 1)) == 0;
}

static uint32_t count_letter(const char *text, char letter)
{
    uint32_t n = 0;

    for (; *text != '\0'; text++)
        n += *text == letter;
    return n;
}

/* The map names each address bit below the channel once; its fields must fit banks and atom. */
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

struct rule {
    bool ok;
    const char *text;
};

static const char *first_fault(const struct rule *rules, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!rules[i].ok)
            return rules[i].text;
    return NULL;
}

static const char *machine_fault(const struct byw_config *c)
{
    const struct rule rules[] = {
        {power_of_two(c->l1d_sets), "l1d.sets must be a power of two"},
        {power_of_two(c->l1d_line), "l1d.line_bytes must be a power of two"},
        {power_of_two(c->l1d_sectors), "l1d.sectors must be a power of two"},
        {c->l1d_line / c->l1d_sectors >= 32, "an L1D sector must have 32 bytes or more"},
        {c->l1d_sectors == 1 || c->coalesce_rule == BYW_COALESCE_SECTOR ||
             (c->coalesce_rule == BYW_COALESCE_FERMI &&
              c->coalesce_bytes <= c->l1d_line / c->l1d_sectors),
         "l1d.sectors above 1 needs coalescer.rule = sector, or segments of a sector at most"},
        {power_of_two(c->sm_lanes), "sm.warp_lanes must be 32 or 64"},
        {power_of_two(c->sm_simd), "sm.simd_width must be a power of two"},
        {c->sm_own_units == 0 || c->sp_units == c->sm_schedulers,
         "sm.own_units = on needs sm.sp_units equal to sm.schedulers"},
        {power_of_two(c->coalesce_bytes), "coalescer.segment_bytes must be a power of two"},
        {power_of_two(c->coalesce_min), "coalescer.min_bytes must be a power of two"},
        {c->coalesce_min <= c->coalesce_bytes,
         "coalescer.min_bytes must not exceed coalescer.segment_bytes"},
        {c->coalesce_bytes <= c->l1d_line,
         "coalescer.segment_bytes must not exceed l1d.line_bytes"},
        {power_of_two(c->icache_sets), "icache.sets must be a power of two"},
        {power_of_two(c->icache_line), "icache.line_bytes must be a power of two"},
        {c->sm_schedulers <= c->sm_warps, "sm.schedulers must not exceed sm.warps"},
        {c->sm_threads >= c->sm_warps, "sm.threads must not be below sm.warps"},
        {power_of_two(c->l2_sets), "l2.sets must be a power of two"},
        {power_of_two(c->l2_line), "l2.line_bytes must be a power of two"},
        {power_of_two(c->l2_port), "l2.port_bytes must be a power of two"},
        {c->l2_line >= c->l1d_line, "l2.line_bytes must not be below l1d.line_bytes"},
        {c->l2_slices % c->dram_channels == 0, "l2.slices must be a multiple of dram.channels"},
        {power_of_two(c->dram_banks), "dram.banks must be a power of two"},
        {c->dram_banks % c->dram_groups == 0, "dram.banks must be a multiple of dram.bank_groups"},
        {power_of_two(c->dram_atom), "dram.atom_bytes must be a power of two"},
        {c->dram_atom <= c->l2_line, "dram.atom_bytes must not exceed l2.line_bytes"},
    };
    const char *fault = first_fault(rules, sizeof(rules) / sizeof(rules[0]));

    return fault != NULL ? fault : map_fault(c);
}

static const char *l2_policy_fault(const struct byw_config *c)
{
    uint32_t per_set = c->l2_slices * c->l2_dbi_ways; /* entries with one set per slice */
    uint32_t row_log2 = count_letter(c->dram_map, 'C') + count_letter(c->dram_map, 'S');
    bool all = c->l2_cached == BYW_L2_CACHES_ALL, rinses = c->l2_rinse != 0;
    const struct rule rules[] = {
        {all || (!rinses && c->l2_pc_bypass == 0),
         "l2_policy.rinse and l2_policy.pc_bypass need l2_policy.cached = all"},
        {!rinses || (c->l2_dbi_entries % per_set == 0 && power_of_two(c->l2_dbi_entries / per_set)),
         "l2_policy.dbi_entries must be l2.slices times l2_policy.dbi_ways times a power of two"},
        {!rinses ||
             (row_log2 < 32 && c->l2_line <= 1U << row_log2 && (1U << row_log2) / c->l2_line <= 64),
         "l2_policy.rinse = on needs DRAM rows (dram.map) of 1 to 64 L2 lines (l2.line_bytes)"},
    };

    return first_fault(rules, sizeof(rules) / sizeof(rules[0]));
}

static const char *policy_fault(const struct byw_config *c)
{
    bool decoupled = c->policy_mode == BYW_MODE_DECOUPLED;
    const struct rule rules[] = {
        {!decoupled || c->l1d_alloc == BYW_ALLOC_ON_MISS,
         "policy.mode = decoupled takes a line when it commits a tag and needs l1d.allocate = "
         "on_miss"},
        {!decoupled || c->dec_tag_ways >= c->l1d_ways,
         "decoupled.tag_ways must not be below l1d.ways"},
        {c->dec_threshold < (1U << c->dec_rc_bits),
         "decoupled.threshold must fit into decoupled.rc_bits"},
        {c->dec_rc_init < (1U << c->dec_rc_bits),
         "decoupled.rc_init must fit into decoupled.rc_bits"},
        {c->duel_on == 0 || decoupled, "duel.enable = on needs policy.mode = decoupled"},
        {c->duel_on == 0 || c->sm_count >= 2, "duel.enable = on needs sm.count of 2 or more"},
        {c->tl_low <= c->tl_high, "two_level.low must not exceed two_level.high"},
        {power_of_two(c->pc_entries), "pc.entries must be a power of two"},
        {c->pc_threshold < (1U << c->pc_bits), "pc.threshold must fit into pc.bits"},
        {c->pc_init < (1U << c->pc_bits), "pc.initial must fit into pc.bits"},
        {c->pc_on == 0 || c->policy_mode != BYW_MODE_BYPASS_ALL,
         "pc.enable = on needs policy.mode = base or decoupled"},
    };

    const char *fault = first_fault(rules, sizeof(rules) / sizeof(rules[0]));

    return fault != NULL ? fault : l2_policy_fault(c);
}

/* Whether the key stands in the text as a word of its own. */
static bool names_key(const char *text, const char *key)
{
    size_t length = strlen(key);

    for (const char *at = strstr(text, key); at != NULL; at = strstr(at + 1, key)) {
        bool begins = at == text || strchr(" (", at[-1]) != NULL;
        char next = at[length];

        if (begins && (next == '\0' || strchr(" ,)", next) != NULL))
            return true;
    }
    return false;
}

/* Appends " (here key = value, ...)" with every key that the rule names. */
static void add_values(const struct byw_config *config, char *text, size_t room)
{
    const char *rule_end = text + strlen(text);
    size_t used = (size_t)(rule_end - text);
    char rule[256];
    bool any = false;

    snprintf(rule, sizeof(rule), "%s", text);
    for (size_t i = 0; i < byw_param_count() && used < room; i++) {
        char value[BYW_CONFIG_STR];

        if (!names_key(rule, byw_param(i)->key))
            continue;
        byw_config_text(config, i, value, sizeof(value));
        used += (size_t)snprintf(text + used, room - used, "%s%s = %s", any ? ", " : " (here ",
                                 byw_param(i)->key, value);
        any = true;
    }
    if (any && used < room)
        snprintf(text + used, room - used, ")");
}

bool byw_config_fault(const struct byw_config *config, char text[BYW_CONFIG_FAULT],
                      bool *of_machine)
{
    const char *fault = machine_fault(config);

    *of_machine = fault != NULL;
    if (fault == NULL)
        fault = policy_fault(config);
    if (fault == NULL)
        return false;
    snprintf(text, BYW_CONFIG_FAULT, "%s", fault);
    add_values(config, text, BYW_CONFIG_FAULT);
    return true;
}

enum byw_status byw_config_check(const struct byw_config *config, struct byw_diag *diag)
{
    char fault[BYW_CONFIG_FAULT];
    bool of_machine;

    if (!byw_config_fault(config, fault, &of_machine))
        return BYW_OK;
    if (of_machine)
        return byw_diag_set(diag, BYW_EINVAL, "machine '%s': %s", config->machine_title, fault);
    return byw_diag_set(diag, BYW_EINVAL, "machine '%s' refuses policy '%s': %s",
                        config->machine_title, config->policy_title, fault);
}
