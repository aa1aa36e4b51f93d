/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/byw_policy.h"

#include "common/byw_mech.h"
#include "policy/byw_hint.h"
#include "policy/byw_policy_rules.h"

enum { CMP_GT = 1 }; /* decoupled.compare */

static enum byw_status check_rules(const struct byw_config *config, struct byw_diag *diag)
{
    const char *fault = byw_geometry_fault(config);
    char text[BYW_RULE_ROOM];

    if (fault == NULL)
        fault = byw_record_fault(config);
    if (fault == NULL)
        return BYW_OK;
    byw_rule_sentence(config, fault, text);
    return byw_diag_set(diag, BYW_EINVAL, "%s", text);
}

/* Rejects combinations that break no rule but that neither C nor RTL supports. */
static enum byw_status check_supported(const struct byw_config *config, struct byw_diag *diag)
{
    if (config->l1d_alloc == BYW_ALLOC_ON_MISS && config->l1d_sectors != 1)
        return byw_diag_set(diag, BYW_EUNSUPPORTED,
                            "l1d.sectors = %u: allocate on miss fetches whole lines; expected "
                            "1 or l1d.allocate = on_fill",
                            config->l1d_sectors);
    if (config->l1d_alloc == BYW_ALLOC_ON_FILL && config->l1d_look != 0)
        return byw_diag_set(diag, BYW_EUNSUPPORTED,
                            "l1d.look_stage = on: allocate on fill has no look stage; "
                            "expected off or l1d.allocate = on_miss");
    if (config->l1d_sectors > BYW_SECTORS_MAX)
        return byw_diag_set(diag, BYW_EUNSUPPORTED, "l1d.sectors = %u: expected at most %d",
                            config->l1d_sectors, BYW_SECTORS_MAX);
    if (config->l1d_line > BYW_LINE_MAX)
        return byw_diag_set(diag, BYW_EUNSUPPORTED,
                            "l1d.line_bytes = %u: expected a power of two up to %d",
                            config->l1d_line, BYW_LINE_MAX);
    if (config->l1d_ways > BYW_DATA_WAYS_MAX)
        return byw_diag_set(diag, BYW_EINVAL, "l1d.ways = %u: expected at most %d",
                            config->l1d_ways, BYW_DATA_WAYS_MAX);
    if (config->policy_mode == BYW_MODE_DECOUPLED && config->dec_tag_ways > BYW_TAG_WAYS_MAX)
        return byw_diag_set(diag, BYW_EINVAL, "decoupled.tag_ways = %u: expected at most %d",
                            config->dec_tag_ways, BYW_TAG_WAYS_MAX);
    if (byw_repl(config->l1d_repl) == NULL)
        return byw_diag_set(diag, BYW_EUNSUPPORTED,
                            "l1d.replacement: no such policy in this build");
    return BYW_OK;
}

enum byw_status byw_policy_init(struct byw_policy *policy, const struct byw_config *config,
                                struct byw_diag *diag)
{
    bool decoupled = config->policy_mode == BYW_MODE_DECOUPLED;
    enum byw_status status = check_rules(config, diag);

    if (status == BYW_OK)
        status = check_supported(config, diag);
    if (status != BYW_OK)
        return status;
    *policy = (struct byw_policy){
        .loc = {.geo = byw_geometry_of(config, decoupled ? config->dec_tag_ways : config->l1d_ways),
                .repl = byw_repl(config->l1d_repl),
                .threshold = (uint8_t)config->dec_threshold,
                .rc_max = (uint8_t)byw_mask64(config->dec_rc_bits),
                .rc_init = (uint8_t)config->dec_rc_init,
                .compare_gt = config->dec_cmp == CMP_GT,
                .lfu_all = config->dec_lfu_all != 0,
                .rc_on_hit = config->dec_rc_on_hit != 0,
                .age_on_alloc = config->dec_age_alloc != 0,
                .age_on_evict = config->dec_age_evict != 0,
                .age_merge = config->dec_age_merge != 0,
                .store_rc = config->dec_store_rc != 0,
                .bypass_on_rsfail = config->dec_byp_rsfail != 0},
        .mode = config->policy_mode,
        .bypass_on_hit = config->byp_on_hit,
        .store_hit = config->l1d_store_hit,
        .stale_fills = config->l1d_stale_fills != 0,
        .rescues = byw_rescues_of(config),
        .tag_lru = decoupled,
        .on_fill = config->l1d_alloc == BYW_ALLOC_ON_FILL,
    };
    return BYW_OK;
}

static bool committed(const struct byw_set *set, int tag)
{
    return tag != BYW_NONE && set->tag[tag].status == BYW_TAG_COMMITTED;
}

/* Decides a load that must bypass; on_hit: what happens to its line if that is present. */
static void decide_bypass(const struct byw_policy *policy, const struct byw_set *set, int tag,
                          uint32_t on_hit, const struct byw_resources *res, struct byw_decision *d)
{
    if (!res->bypass_slot) {
        byw_decision_refuse(d, BYW_RSFAIL_ICNT);
        return;
    }
    d->outcome = BYW_BYPASS;
    if (committed(set, tag) && on_hit == BYW_BYP_EVICT)
        byw_write_release(set, tag, d->off, policy->loc.age_on_evict, d);
}

static void decide_present(const struct byw_set *set, int tag, const struct byw_resources *res,
                           struct byw_decision *d)
{
    if (byw_set_pending(set, tag) && !res->merge) {
        byw_decision_refuse(d, BYW_RSFAIL_MERGE);
        return;
    }
    d->outcome = byw_set_pending(set, tag) ? BYW_HIT_PENDING : BYW_HIT;
    d->action = BYW_SET_TOUCH;
    d->tag = (int16_t)tag;
    d->way = (int16_t)set->tag[tag].pos;
}

static void decide_load(const struct byw_policy *policy, const struct byw_set *set,
                        const struct byw_repl_at *at, int tag, uint8_t hint,
                        const struct byw_resources *res, struct byw_decision *d)
{
    struct byw_hint_rules rules = byw_hint_rules(hint, policy->bypass_on_hit);
    bool present = committed(set, tag);

    if (rules.bypass && !(present && rules.on_hit == BYW_BYP_SERVE))
        decide_bypass(policy, set, tag, rules.on_hit, res, d);
    else if (present)
        decide_present(set, tag, res, d);
    else if (d->off)
        byw_locality_decide_off(&policy->loc, set, at, res, d);
    else
        byw_locality_decide(&policy->loc, set, at, tag, rules.at_once, res, d);
    d->last = rules.last;
}

static void decide_blind(uint8_t op, const struct byw_resources *res, struct byw_decision *d)
{
    bool store = op == BYW_OP_STORE || op == BYW_OP_LOCAL_STORE;

    if (store && !res->miss_slot)
        byw_decision_refuse(d, BYW_RSFAIL_MISS_QUEUE);
    else if (!store && !res->bypass_slot)
        byw_decision_refuse(d, BYW_RSFAIL_ICNT);
    else
        d->outcome = store ? BYW_MISS : BYW_BYPASS;
}

void byw_policy_decide(const struct byw_policy *policy, const struct byw_set *set,
                       const struct byw_repl_at *at, int tag, uint8_t op, uint8_t hint,
                       bool filter_on, const struct byw_resources *res, struct byw_decision *d)
{
    const struct byw_locality *loc = &policy->loc;

    *d = byw_decision_none;
    if (policy->mode == BYW_MODE_BYPASS_ALL) {
        decide_blind(op, res, d);
        return;
    }
    d->off = byw_policy_off(policy, filter_on); /* candidates are then ignored below */
    if (op == BYW_OP_LOAD || op == BYW_OP_LOCAL_LOAD) {
        decide_load(policy, set, at, tag, hint, res, d);
    } else {
        struct byw_write_rules rules = {
            .update = policy->store_hit == BYW_STORE_UPDATE,
            .off = d->off,
            .age = loc->age_on_evict,
            .store_rc = loc->store_rc,
            .stale = policy->stale_fills,
            .rc_max = loc->rc_max,
        };

        byw_write_decide(&rules, set, tag, op, res, d);
    }
}

bool byw_policy_asks(const struct byw_policy *policy, const struct byw_set *set, int tag,
                     uint8_t hint)
{
    return !byw_policy_blind(policy) && !committed(set, tag) &&
           (hint == BYW_HINT_NONE || hint == BYW_HINT_STREAM);
}

void byw_policy_choose(const struct byw_policy *policy, const struct byw_set *set,
                       const struct byw_repl_at *at, int tag, uint8_t op, uint8_t hint,
                       bool filter_on, const struct byw_advice *advice,
                       const struct byw_resources *res, struct byw_decision *d)
{
    bool load = op == BYW_OP_LOAD || op == BYW_OP_LOCAL_LOAD;
    bool off = byw_policy_off(policy, filter_on);
    struct byw_refused refused = {.op = op, .hint = hint};

    if (load && advice->bypass) {
        byw_decision_divert(res, BYW_CAUSE_MODE, d);
        return;
    }
    if (load && advice->dead && (tag == BYW_NONE || off) &&
        byw_policy_asks(policy, set, tag, hint)) {
        byw_decision_divert(res, BYW_CAUSE_DEAD, d);
        return;
    }
    if (load && advice->hot && hint == BYW_HINT_NONE)
        hint = BYW_HINT_CACHE;
    byw_policy_decide(policy, set, at, tag, op, hint, filter_on, res, d);
    refused.reason = d->reason;
    if (load && d->outcome == BYW_RSFAIL && byw_rescue(&policy->rescues, &refused))
        byw_decision_divert(res, BYW_CAUSE_STALL, d);
}

static void apply_touch(const struct byw_policy *policy, struct byw_set *set,
                        const struct byw_repl_at *at, const struct byw_decision *d)
{
    const struct byw_locality *loc = &policy->loc;
    struct byw_tag *tag = &set->tag[d->tag];

    loc->repl->touched(set, at, (uint32_t)d->way);
    if (!byw_set_pending(set, d->tag))
        set->way[d->way].reused = true;
    if (loc->rc_on_hit && !d->off && tag->rc < loc->rc_max)
        tag->rc++;
}

static void apply_commit(const struct byw_policy *policy, struct byw_set *set,
                         const struct byw_repl_at *at, uint64_t key, const struct byw_decision *d)
{
    const struct byw_locality *loc = &policy->loc;

    if (d->old_tag != BYW_NONE) {
        loc->repl->evicted(set, at, set->used & ~set->pending, (uint32_t)d->way);
        byw_set_uncommit(set, d->old_tag, d->keep_tag && d->old_tag != d->tag);
    }
    if (d->writes_key)
        byw_set_install(set, d->tag, key, d->rc);
    byw_set_commit(set, d->tag, (uint32_t)d->way);
    set->tag[d->tag].rc = d->rc;
    loc->repl->inserted(set, at, (uint32_t)d->way, d->last);
}

bool byw_policy_apply(const struct byw_policy *policy, struct byw_set *set,
                      const struct byw_repl_at *at, uint64_t key, const struct byw_decision *d)
{
    const struct byw_locality *loc = &policy->loc;
    bool moves = d->action == BYW_SET_COMMIT || d->action == BYW_SET_RELEASE;
    uint32_t i;

    if (d->off && moves && policy->tag_lru)
        byw_set_drop_candidates(&loc->geo, set);
    switch (d->action) {
    case BYW_SET_TOUCH:
        apply_touch(policy, set, at, d);
        break;
    case BYW_SET_COUNT:
        set->tag[d->tag].rc = d->rc;
        break;
    case BYW_SET_INSTALL:
        if (set->tag[d->tag].status == BYW_TAG_COMMITTED)
            byw_set_uncommit(set, d->tag, false);
        byw_set_install(set, d->tag, key, d->rc);
        break;
    case BYW_SET_COMMIT:
        apply_commit(policy, set, at, key, d);
        break;
    case BYW_SET_RELEASE:
        byw_set_uncommit(set, d->tag, d->keep_tag);
        break;
    default:
        return false;
    }
    if (policy->tag_lru && d->action != BYW_SET_RELEASE)
        byw_set_touch_tag(&loc->geo, set, d->tag);
    for (i = 0; i < d->ages; i++)
        byw_locality_age(loc, set, d->tag, d->old_tag);
    return true;
}

const struct byw_mech byw_mech_bypass_all = {
    .name = "bypass_all",
    .paper = "000",
    .sentence = "every load bypasses; no tag is searched",
    .enable = "policy.mode",
    .on = "bypass_all",
    .unit = "policy",
};
