/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_l1d_pc.c - The PC predictor in the L1D: training by accepted decisions and by responses, and
 * the event pulses of the bypass mechanisms.
 */
#include "l1d/byw_l1d_state.h"
#include "policy/byw_policy_events.h"

/* Whether the line that leaves trains the predictor as an eviction: it is replaced, or it is
 * invalidated and pc.invalidation_trains is set. */
static bool trains_eviction(const struct byw_l1d *l1d, const struct byw_decision *d)
{
    return d->leaves != BYW_NONE && (d->action != BYW_SET_RELEASE || l1d->pred.invalidation_trains);
}

/* With allocate-on-fill a pending sector has no line yet; see byw_l1d_train_install(). */
static bool trains_reuse(const struct byw_l1d *l1d, const struct byw_req *req,
                         const struct byw_decision *d)
{
    return byw_op_is_load(req->op) && !req->more &&
           (d->outcome == BYW_HIT || (d->outcome == BYW_HIT_PENDING && !l1d->policy.on_fill));
}

void byw_l1d_train(struct byw_l1d *l1d, const struct byw_l1d_cycle *now)
{
    const struct byw_l1d_slot *s2 = byw_l1d_s2(l1d);
    const struct byw_decision *d = &now->d;
    struct byw_pc_pred *pred = &l1d->pred;
    uint16_t hash = byw_pc_table_hash(&pred->table, s2->req.pc);

    if (now->asks)
        byw_pc_pred_accept(pred, s2->set, &now->guess);
    if (trains_eviction(l1d, d))
        byw_pc_pred_evict(pred, byw_l1d_line_number(l1d, s2->set, d->leaves));
    if (!byw_op_is_load(s2->req.op))
        return;
    if (d->outcome == BYW_MISS && !l1d->policy.on_fill)
        pred->line[byw_l1d_line_number(l1d, s2->set, d->way)] = hash;
    else if (trains_reuse(l1d, &s2->req, d))
        byw_pc_pred_reuse(pred, byw_l1d_line_number(l1d, s2->set, d->way), hash);
}

/* Whether requests were merged into the fill in f2. */
static bool merged(const struct byw_l1d *l1d)
{
    return byw_mshr_at(&l1d->mshr, byw_fill_f2(&l1d->fill)->mshr)->count > 1;
}

void byw_l1d_train_install(struct byw_l1d *l1d, const struct byw_l1d_cycle *now)
{
    uint32_t n = byw_fill_f2(&l1d->fill)->mshr, set = byw_mshr_at(&l1d->mshr, n)->set;
    uint32_t line = byw_l1d_line_number(l1d, set, now->install.way);
    struct byw_pc_pred *pred = &l1d->pred;

    if (now->install.leaves)
        byw_pc_pred_evict(pred, line);
    if (merged(l1d))
        byw_pc_pred_reuse_merged(pred, pred->miss[n]);
    if (!now->install.present)
        pred->line[line] = pred->miss[n];
}

static bool reports(const struct byw_mem_rsp *rsp)
{
    return rsp->mispredict && (rsp->kind == BYW_MEM_FILL || rsp->kind == BYW_MEM_BYPASS);
}

void byw_l1d_verify(struct byw_l1d *l1d, const struct byw_mem_rsp *rsp)
{
    const uint16_t *hash = rsp->kind == BYW_MEM_FILL ? l1d->pred.miss : l1d->pred.bypass;

    if (reports(rsp))
        byw_pc_pred_mispredict(&l1d->pred, hash[rsp->id]);
}

/* Event pulses of a load that asked the predictor. */
static uint32_t guess_events(const struct byw_l1d_cycle *now)
{
    uint32_t events = byw_pev(BYW_PEV_PC_ASK);

    if (now->guess.sampled)
        events |= byw_pev(BYW_PEV_PC_SAMPLE);
    if (now->guess.overruled)
        events |= byw_pev(BYW_PEV_PC_OVERRULED);
    if (now->guess.hot)
        events |= byw_pev(BYW_PEV_PC_HOT);
    return events;
}

static uint32_t decision_events(const struct byw_l1d *l1d, const struct byw_l1d_cycle *now)
{
    static const uint32_t cause[] = {
        [BYW_CAUSE_NONE] = 0,
        [BYW_CAUSE_MODE] = UINT32_C(1) << BYW_PEV_TL_BYPASS,
        [BYW_CAUSE_DEAD] = UINT32_C(1) << BYW_PEV_PC_BYPASS,
        [BYW_CAUSE_STALL] = UINT32_C(1) << BYW_PEV_STALL_BYPASS,
        [BYW_CAUSE_MECH] = 0, /* each mechanism has its own counters */
    };
    uint32_t events = byw_l1d_s2(l1d)->req.more ? 0 : cause[now->d.cause];

    if (!l1d->pred.on)
        return events;
    if (now->asks)
        events |= guess_events(now);
    if (trains_eviction(l1d, &now->d))
        events |= byw_pev(BYW_PEV_PC_DEAD);
    if (trains_reuse(l1d, &byw_l1d_s2(l1d)->req, &now->d))
        events |= byw_pev(BYW_PEV_PC_REUSED);
    return events;
}

uint32_t byw_l1d_policy_events(const struct byw_l1d *l1d, const struct byw_l1d_in *in,
                               const struct byw_l1d_cycle *now)
{
    uint32_t events = now->accept ? decision_events(l1d, now) : 0;

    if (l1d->pred.on && l1d->policy.on_fill && now->fill_records) {
        if (now->install.leaves)
            events |= byw_pev(BYW_PEV_PC_DEAD);
        if (merged(l1d))
            events |= byw_pev(BYW_PEV_PC_REUSED);
    }

    if (l1d->pred.on && now->answer_ends && reports(&in->mem_rsp))
        events |= byw_pev(BYW_PEV_PC_MISPREDICT);
    return events;
}
