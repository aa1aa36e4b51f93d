/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/byw_policy_rules.h"

#include "common/byw_bits.h"
#include "record/byw_set_duel.h"

const char *byw_geometry_fault(const struct byw_config *c)
{
    const struct byw_rule rules[] = {
        {byw_is_pow2(c->l1d_sets), "l1d.sets must be a power of two"},
        {byw_is_pow2(c->l1d_line), "l1d.line_bytes must be a power of two"},
    };

    return BYW_RULES_FAULT(rules);
}

const char *byw_record_fault(const struct byw_config *c)
{
    bool decoupled = c->policy_mode == BYW_MODE_DECOUPLED;
    const struct byw_rule rules[] = {
        {!decoupled || c->l1d_alloc == BYW_ALLOC_ON_MISS,
         "policy.mode = decoupled allocates a line when it commits a tag and needs l1d.allocate = "
         "on_miss"},
        {!decoupled || c->dec_tag_ways >= c->l1d_ways,
         "decoupled.tag_ways must not be below l1d.ways"},
        {c->l1d_repl != BYW_REPL_DRRIP || c->l1d_sets >= BYW_SET_DUEL_MIN_SETS,
         "l1d.replacement = drrip uses set dueling and needs l1d.sets of 8 or more"},
    };

    return BYW_RULES_FAULT(rules);
}

const char *byw_policy_fault(const struct byw_config *c)
{
    bool decoupled = c->policy_mode == BYW_MODE_DECOUPLED;
    const struct byw_rule rules[] = {
        {c->dec_threshold < (1U << c->dec_rc_bits),
         "decoupled.threshold must fit in decoupled.rc_bits"},
        {c->dec_rc_init < (1U << c->dec_rc_bits),
         "decoupled.rc_init must fit in decoupled.rc_bits"},
        {c->duel_on == 0 || decoupled, "duel.enable = on needs policy.mode = decoupled"},
        {c->duel_on == 0 || c->sm_count >= 2, "duel.enable = on needs sm.count of 2 or more"},
        {c->duel_rule == BYW_DUEL_LITERAL || c->duel_interval >= 4,
         "duel.rule = crossover needs duel.interval of 4 or more"},
        {c->duel_rule == BYW_DUEL_LITERAL || c->duel_hyst <= 7,
         "duel.rule = crossover needs duel.hysteresis of 7 or less"},
        {c->tl_low <= c->tl_high, "two_level.low must not exceed two_level.high"},
        {byw_is_pow2(c->pc_entries), "pc.entries must be a power of two"},
        {c->pc_threshold < (1U << c->pc_bits), "pc.threshold must fit in pc.bits"},
        {c->pc_init < (1U << c->pc_bits), "pc.initial must fit in pc.bits"},
        {c->pc_on == 0 || c->policy_mode != BYW_MODE_BYPASS_ALL,
         "pc.enable = on needs policy.mode = base or decoupled"},
    };
    const char *fault = byw_record_fault(c);

    return fault != NULL ? fault : BYW_RULES_FAULT(rules);
}
