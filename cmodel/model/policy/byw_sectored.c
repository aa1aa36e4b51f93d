/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/byw_sectored.h"

#include "policy/byw_hint.h"

bool byw_sectored_asks(const struct byw_policy *policy, const struct byw_set *set, int tag,
                       const struct byw_sector *sector, uint8_t hint)
{
    return !byw_policy_blind(policy) && !sector->pending &&
           !byw_sector_valid(set, tag, sector->bit) &&
           (hint == BYW_HINT_NONE || hint == BYW_HINT_STREAM);
}

/* Drops the cached copy of the sector, or detaches its outstanding fill. */
static void take_away(const struct byw_set *set, int tag, const struct byw_sector *sector,
                      struct byw_decision *d)
{
    if (byw_sector_valid(set, tag, sector->bit))
        byw_write_release(set, tag, true, false, d);
    d->orphan = sector->pending;
}

static void touch(int tag, struct byw_decision *d)
{
    d->outcome = BYW_HIT;
    d->action = BYW_SET_TOUCH;
    d->tag = (int16_t)tag;
    d->way = (int16_t)tag;
}

static void decide_cached(const struct byw_set *set, int tag, const struct byw_sector *sector,
                          const struct byw_resources *res, struct byw_decision *d)
{
    if (byw_sector_valid(set, tag, sector->bit))
        touch(tag, d);
    else if (sector->pending && !res->merge)
        byw_decision_refuse(d, BYW_RSFAIL_MERGE);
    else if (sector->pending)
        d->outcome = BYW_HIT_PENDING;
    else if (!res->miss_slot)
        byw_decision_refuse(d, BYW_RSFAIL_MISS_QUEUE);
    else if (!res->mshr)
        byw_decision_refuse(d, BYW_RSFAIL_MSHR);
    else
        d->outcome = BYW_MISS;
}

static void decide_load(const struct byw_policy *policy, const struct byw_set *set, int tag,
                        const struct byw_sector *sector, uint8_t hint,
                        const struct byw_resources *res, struct byw_decision *d)
{
    struct byw_hint_rules rules = byw_hint_rules(hint, policy->bypass_on_hit);
    bool present = sector->pending || byw_sector_valid(set, tag, sector->bit);
    bool serves = present && rules.on_hit == BYW_BYP_SERVE;

    d->last = rules.last;
    if (!byw_policy_blind(policy) && (!rules.bypass || serves)) {
        decide_cached(set, tag, sector, res, d);
        return;
    }
    if (!res->bypass_slot) {
        byw_decision_refuse(d, BYW_RSFAIL_ICNT);
        return;
    }
    d->outcome = BYW_BYPASS;
    if (!byw_policy_blind(policy) && rules.on_hit == BYW_BYP_EVICT)
        take_away(set, tag, sector, d);
}

static void decide_atomic(const struct byw_set *set, int tag, const struct byw_sector *sector,
                          const struct byw_resources *res, struct byw_decision *d)
{
    if (!res->bypass_slot) {
        byw_decision_refuse(d, BYW_RSFAIL_ICNT);
        return;
    }
    d->outcome = BYW_BYPASS;
    take_away(set, tag, sector, d);
}

static void decide_store(const struct byw_policy *policy, const struct byw_set *set, int tag,
                         const struct byw_sector *sector, bool local,
                         const struct byw_resources *res, struct byw_decision *d)
{
    bool valid = byw_sector_valid(set, tag, sector->bit);

    if (!res->miss_slot) {
        byw_decision_refuse(d, BYW_RSFAIL_MISS_QUEUE);
        return;
    }
    if (valid && (local || policy->store_hit == BYW_STORE_UPDATE)) {
        touch(tag, d);
        return;
    }
    d->outcome = valid ? BYW_HIT : BYW_MISS;
    take_away(set, tag, sector, d);
}

void byw_sectored_choose(const struct byw_policy *policy, const struct byw_set *set, int tag,
                         const struct byw_sector *sector, uint8_t op, uint8_t hint,
                         const struct byw_advice *advice, const struct byw_resources *res,
                         struct byw_decision *d)
{
    bool local = op == BYW_OP_LOCAL_STORE;
    struct byw_refused refused = {.op = op, .hint = hint};

    *d = byw_decision_none;
    d->off = true;
    if (op == BYW_OP_ATOMIC) {
        decide_atomic(set, tag, sector, res, d);
    } else if (op == BYW_OP_STORE || local) {
        decide_store(policy, set, tag, sector, local, res, d);
    } else if (advice->bypass) {
        byw_decision_divert(res, BYW_CAUSE_MODE, d);
    } else if (advice->dead && byw_sectored_asks(policy, set, tag, sector, hint)) {
        byw_decision_divert(res, BYW_CAUSE_DEAD, d);
    } else {
        decide_load(policy, set, tag, sector, hint, res, d);
        refused.reason = d->reason;
        if (d->outcome == BYW_RSFAIL && byw_rescue(&policy->rescues, &refused))
            byw_decision_divert(res, BYW_CAUSE_STALL, d);
    }
}
