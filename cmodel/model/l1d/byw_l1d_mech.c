/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_l1d_mech.c - When the L1D calls the hooks of mechanisms (policy/byw_mech_ops.h), and with
 * which arguments.
 */
#include "l1d/byw_l1d_state.h"
#include "policy/byw_sectored.h"

/* Whether the line of the access in s2 is present, with the requested bytes valid or in flight. */
static bool present(const struct byw_l1d *l1d, const struct byw_set *set,
                    const struct byw_l1d_slot *s2, const struct byw_l1d_cycle *now)
{
    if (now->tag == BYW_NONE || set->tag[now->tag].status != BYW_TAG_COMMITTED)
        return l1d->policy.on_fill && now->pending;
    return !l1d->policy.on_fill || now->pending ||
           byw_sector_valid(set, now->tag, (uint8_t)(1U << s2->sector));
}

/* Not in bypass mode: the tags may not have been searched, and every load bypasses. */
static bool may_ask(const struct byw_l1d *l1d)
{
    const struct byw_l1d_slot *s2 = byw_l1d_s2(l1d);

    return byw_op_is_load(s2->req.op) && !s2->bypass && !byw_policy_blind(&l1d->policy);
}

static struct byw_mech_access access_of(const struct byw_l1d *l1d, const struct byw_l1d_cycle *now)
{
    const struct byw_l1d_slot *s2 = byw_l1d_s2(l1d);
    const struct byw_set *set = byw_l1d_record(l1d, s2->set);
    const struct byw_tag *tag = now->tag == BYW_NONE ? NULL : &set->tag[now->tag];
    bool owns = tag != NULL && tag->status == BYW_TAG_COMMITTED;

    return (struct byw_mech_access){
        .line = s2->req.line,
        .set = s2->set,
        .block = owns ? byw_l1d_line_number(l1d, s2->set, tag->pos) : 0,
        .pc = s2->req.pc,
        .op = s2->req.op,
        .warp = s2->req.warp,
        .sector = s2->sector,
        .present = present(l1d, set, s2, now),
        .candidate = tag != NULL && tag->status == BYW_TAG_CANDIDATE,
        .asks = s2->req.hint == BYW_HINT_NONE && may_ask(l1d),
    };
}

void byw_l1d_profiled(struct byw_l1d *l1d, uint32_t sm, struct byw_profile *profile)
{
    byw_mech_chain_profiled(&l1d->chain, sm, profile);
}

void *byw_l1d_mech_state(struct byw_l1d *l1d, const struct byw_mech *mech)
{
    return byw_mech_chain_state(&l1d->chain, mech);
}

void byw_l1d_mech_choose(struct byw_l1d *l1d)
{
    if (!l1d->chain.chooses)
        return;
    l1d->repl.choose = byw_mech_chain_victim;
    l1d->repl.chooser = &l1d->chain;
}

uint8_t byw_l1d_mech_hint(const struct byw_l1d *l1d, struct byw_l1d_cycle *now)
{
    const struct byw_l1d_slot *s2 = byw_l1d_s2(l1d);
    const struct byw_mech_access access = access_of(l1d, now);

    now->verified = false;
    if (!access.asks)
        return s2->req.hint;
    return byw_mech_chain_hint(&l1d->chain, &access, &now->verified);
}

void byw_l1d_mech_rescue(const struct byw_l1d *l1d, const struct byw_resources *res,
                         struct byw_l1d_cycle *now)
{
    struct byw_mech_access access;
    uint8_t cause;

    if (now->d.outcome != BYW_RSFAIL || now->d.reason == BYW_RSFAIL_ICNT || !may_ask(l1d))
        return;
    access = access_of(l1d, now);
    cause = byw_mech_chain_rescues(&l1d->chain, &access, (enum byw_rsfail)now->d.reason);
    if (cause != BYW_CAUSE_NONE)
        byw_decision_divert(res, cause, &now->d);
}

/* Reports the evicted line and the line that replaces it in the same cycle. */
static void tell_blocks(struct byw_l1d *l1d, const struct byw_l1d_slot *s2,
                        const struct byw_decision *d, uint32_t mshr)
{
    uint32_t block = byw_l1d_line_number(l1d, s2->set, d->way);

    if (d->action == BYW_SET_RELEASE) {
        byw_mech_chain_left(&l1d->chain, block, BYW_LEFT_DROPPED);
    } else if (d->action == BYW_SET_INSTALL && d->leaves != BYW_NONE) { /* evicted by a candidate */
        byw_mech_chain_left(&l1d->chain, byw_l1d_line_number(l1d, s2->set, d->leaves),
                            BYW_LEFT_EVICTED);
    } else if (d->action == BYW_SET_COMMIT) {
        const struct byw_mech_install install = {.block = block, .mshr = mshr, .fresh = true};

        if (d->old_tag != BYW_NONE)
            byw_mech_chain_left(&l1d->chain, block, BYW_LEFT_EVICTED);
        byw_mech_chain_installed(&l1d->chain, &install);
    }
}

void byw_l1d_mech_accepted(struct byw_l1d *l1d, const struct byw_l1d_cycle *now, uint32_t ticket)
{
    const struct byw_l1d_slot *s2 = byw_l1d_s2(l1d);
    const struct byw_decision *d = &now->d;
    bool placed = d->action == BYW_SET_TOUCH || d->action == BYW_SET_COMMIT;
    const struct byw_mech_access access = access_of(l1d, now);
    const struct byw_mech_result result = {
        .outcome = d->outcome,
        .ticket = ticket,
        .block = placed ? byw_l1d_line_number(l1d, s2->set, d->way) : 0,
    };

    byw_mech_chain_accepted(&l1d->chain, &access, &result);
    tell_blocks(l1d, s2, d, ticket);
}

void byw_l1d_mech_install(struct byw_l1d *l1d, const struct byw_l1d_cycle *now)
{
    uint32_t mshr = byw_fill_f2(&l1d->fill)->mshr;
    const struct byw_mshr_entry *entry = byw_mshr_at(&l1d->mshr, mshr);
    const struct byw_mech_install install = {
        .block = byw_l1d_line_number(l1d, entry->set, now->install.way),
        .mshr = mshr,
        .fresh = !now->install.present,
        .merged = entry->count > 1,
    };

    if (now->install.leaves)
        byw_mech_chain_left(&l1d->chain, install.block, BYW_LEFT_EVICTED);
    byw_mech_chain_installed(&l1d->chain, &install);
}

void byw_l1d_mech_answered(struct byw_l1d *l1d, const struct byw_mem_rsp *rsp)
{
    const struct byw_mech_answer answer = {
        .bypass = rsp->kind == BYW_MEM_BYPASS, .mispredict = rsp->mispredict, .ticket = rsp->id};

    if (rsp->kind == BYW_MEM_FILL || rsp->kind == BYW_MEM_BYPASS)
        byw_mech_chain_answered(&l1d->chain, &answer);
}
