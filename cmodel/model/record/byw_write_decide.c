/* SPDX-License-Identifier: Apache-2.0 */
#include "record/byw_write_decide.h"

void byw_write_release(const struct byw_set *set, int tag, bool off, bool age,
                       struct byw_decision *d)
{
    uint32_t way = set->tag[tag].pos;

    d->action = BYW_SET_RELEASE;
    d->tag = (int16_t)tag;
    d->way = (int16_t)way;
    d->keep_tag = !off;
    d->ages = age && !off;
    d->orphan = byw_set_pending(set, tag);
    d->leaves = (int16_t)(d->orphan ? BYW_NONE : (int)way);
}

static void decide_through(const struct byw_write_rules *rules, const struct byw_set *set, int tag,
                           struct byw_decision *d)
{
    d->outcome = BYW_MISS;
    if (tag == BYW_NONE)
        return;
    if (set->tag[tag].status == BYW_TAG_COMMITTED && rules->stale) {
        d->stale = true;
    } else if (set->tag[tag].status == BYW_TAG_COMMITTED) {
        byw_write_release(set, tag, rules->off, rules->age, d);
    } else if (rules->store_rc && !rules->off) {
        uint8_t rc = set->tag[tag].rc;

        d->action = BYW_SET_COUNT;
        d->tag = (int16_t)tag;
        d->rc = (uint8_t)(rc < rules->rc_max ? rc + 1 : rc);
    }
}

static void decide_filled(const struct byw_write_rules *rules, const struct byw_set *set, int tag,
                          bool local, struct byw_decision *d)
{
    d->outcome = BYW_HIT;
    if (!local && !rules->update) {
        byw_write_release(set, tag, rules->off, rules->age, d);
        return;
    }
    d->action = BYW_SET_TOUCH;
    d->tag = (int16_t)tag;
    d->way = (int16_t)set->tag[tag].pos;
}

void byw_write_decide(const struct byw_write_rules *rules, const struct byw_set *set, int tag,
                      uint8_t op, const struct byw_resources *res, struct byw_decision *d)
{
    bool committed = tag != BYW_NONE && set->tag[tag].status == BYW_TAG_COMMITTED;
    bool filled = committed && !byw_set_pending(set, tag);
    bool local = op == BYW_OP_LOCAL_STORE;

    if (op == BYW_OP_ATOMIC) {
        if (!res->bypass_slot) {
            byw_decision_refuse(d, BYW_RSFAIL_ICNT);
            return;
        }
        d->outcome = BYW_BYPASS;
        if (committed)
            byw_write_release(set, tag, rules->off, false, d);
        return;
    }
    if (!(local && filled) && !res->miss_slot)
        byw_decision_refuse(d, BYW_RSFAIL_MISS_QUEUE);
    else if (filled)
        decide_filled(rules, set, tag, local, d);
    else
        decide_through(rules, set, tag, d);
}
