/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_l1d_look.c - The look stage of the L1D (l1d.look_stage), between s1 and s2, in which the RTL
 * prepares what a decision needs from the set.  The model decides on the current record, so this
 * file only tracks when the prepared values are still valid: rtl/doc/l1d_pipeline.md, Look stage.
 */
#include "l1d/byw_l1d_state.h"
#include "policy/byw_hint.h"

/* Whether the line is present, so that the decision uses neither the victim nor the reference
 * counter that look has prepared. */
static bool needs_no_ranks(const struct byw_l1d *l1d, const struct byw_l1d_slot *s2)
{
    const struct byw_set *set = byw_l1d_record(l1d, s2->set);
    int tag = byw_set_match(&l1d->policy.loc.geo, set, s2->key);

    return tag != BYW_NONE && set->tag[tag].status == BYW_TAG_COMMITTED;
}

/* Whether a load that the filter decides replaces another tag. */
static bool seeks(const struct byw_l1d *l1d, const struct byw_l1d_slot *s2)
{
    const struct byw_locality *loc = &l1d->policy.loc;
    const struct byw_set *set = byw_l1d_record(l1d, s2->set);
    int victim;

    if (!byw_op_is_load(s2->req.op) || s2->bypass || s2->req.more ||
        byw_policy_off(&l1d->policy, l1d->filter_on) ||
        byw_hint_rules(s2->req.hint, l1d->policy.bypass_on_hit).bypass ||
        byw_set_match(&loc->geo, set, s2->key) != BYW_NONE)
        return false;
    victim = byw_locality_lfu(loc, set);
    return victim == BYW_NONE || set->tag[victim].status != BYW_TAG_INVALID;
}

bool byw_l1d_look_able(const struct byw_l1d *l1d, bool unsteady)
{
    const struct byw_l1d_slot *s2 = byw_l1d_s2(l1d);

    if (s2->req.op >= BYW_OP_INVALIDATE || byw_policy_blind(&l1d->policy) || s2->blind)
        return true;
    if (unsteady || (l1d->pipe.s2_new && seeks(l1d, s2)))
        return false;
    return l1d->pipe.s2_view == BYW_VIEW_FRESH ||
           (l1d->pipe.s2_view == BYW_VIEW_RANKS && needs_no_ranks(l1d, s2));
}

void byw_l1d_look_ask(struct byw_l1d *l1d)
{
    struct byw_l1d_pipe *pipe = &l1d->pipe;

    if (l1d->pred.on && pipe->look_valid)
        pipe->s2_read = byw_pc_pred_read(&l1d->pred, pipe->slot[pipe->look_slot].req.pc);
}

/* Changes to set records in this cycle other than by the decision. */
struct change {
    bool all; /* every record: cleared, or the filter was switched */
    bool fill; /* a fill for set `set` */
    bool fails; /* `fill`: the fill fails, so its line is released */
    uint32_t set;
};

static struct change change_of(const struct byw_l1d *l1d, const struct byw_l1d_ctrl *ctrl,
                               const struct byw_l1d_cycle *now)
{
    struct change change = {
        .all = ctrl->kernel_start || now->unsteady ||
               (now->done && byw_l1d_drops(&byw_l1d_s2(l1d)->req)),
        .fill = now->fill_attached,
    };

    if (change.fill) {
        change.set = byw_mshr_at(&l1d->mshr, now->mem_rsp.id)->set;
        change.fails = now->fill_records;
    }
    return change;
}

static bool cools(const struct change *change, uint32_t set)
{
    return change->all || (change->fails && change->set == set);
}

static bool fills(const struct change *change, uint32_t set)
{
    return change->fill && change->set == set;
}

/* The view that the request which stays in s2 has in the next cycle. */
static enum byw_look_view view_of_s2(const struct byw_l1d *l1d, const struct change *change,
                                     const struct byw_l1d_cycle *now)
{
    uint8_t view = l1d->pipe.s2_view;
    uint32_t set = byw_l1d_s2(l1d)->set;

    if (cools(change, set))
        return BYW_VIEW_COLD;
    if (view == BYW_VIEW_COLD)
        return BYW_VIEW_THAW;
    if (fills(change, set) || view == BYW_VIEW_THAW)
        return BYW_VIEW_STALE;
    return now->able ? view : BYW_VIEW_FRESH;
}

/* The view in the next cycle of the request in look, which then moves into s2 because the request
 * there leaves. */
static enum byw_look_view view_of_look(const struct byw_l1d *l1d, const struct change *change,
                                       const struct byw_l1d_cycle *now)
{
    const struct byw_l1d_pipe *pipe = &l1d->pipe;
    uint32_t set = pipe->slot[pipe->look_slot].set;
    bool ranks = now->d.action == BYW_SET_TOUCH || now->d.action == BYW_SET_COUNT;

    if (now->accept && now->d.action != BYW_SET_KEEP && !now->quiet && byw_l1d_s2(l1d)->set == set)
        return ranks && !pipe->look_cold && !fills(change, set) ? BYW_VIEW_RANKS : BYW_VIEW_STALE;
    if (pipe->look_cold || cools(change, set))
        return BYW_VIEW_COLD;
    return fills(change, set) ? BYW_VIEW_STALE : BYW_VIEW_FRESH;
}

void byw_l1d_look_tick(struct byw_l1d *l1d, const struct byw_l1d_ctrl *ctrl,
                       const struct byw_l1d_cycle *now)
{
    struct change change = change_of(l1d, ctrl, now);
    struct byw_l1d_pipe *pipe = &l1d->pipe;

    pipe->s2_new = now->s2_open || pipe->s2_view != BYW_VIEW_FRESH;
    pipe->s2_ended = now->ends && !now->s2_open;
    if (!now->s2_open) {
        pipe->s2_view = view_of_s2(l1d, &change, now);
        pipe->s2_wait = pipe->s2_view > BYW_VIEW_RANKS;
    } else {
        if (pipe->look_valid)
            pipe->s2_view = view_of_look(l1d, &change, now);
        pipe->s2_wait = pipe->s2_view != BYW_VIEW_FRESH;
        pipe->s2_valid = pipe->look_valid;
        pipe->s2_slot = pipe->look_slot;
    }
    if (now->s1_moves) {
        pipe->look_valid = pipe->s1_valid;
        pipe->look_slot = pipe->s1_slot;
        pipe->look_cold = cools(&change, pipe->slot[pipe->s1_slot].set) ||
                          l1d->tags.marked[pipe->slot[pipe->s1_slot].set] != 0;
    } else {
        pipe->look_cold |= cools(&change, pipe->slot[pipe->look_slot].set);
    }
}
