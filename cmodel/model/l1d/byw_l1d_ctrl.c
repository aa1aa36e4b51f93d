/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_l1d_ctrl.c - The control of the L1D: all combinational signals of one cycle, computed from
 * the registers at its start.  Order and ties: rtl/doc/l1d_pipeline.md.
 */
#include <assert.h>

#include "l1d/byw_l1d_state.h"

static const uint8_t fail_event[BYW_RSFAIL_COUNT] = {
    [BYW_RSFAIL_LINE] = BYW_EV_FAIL_LINE,   [BYW_RSFAIL_MSHR] = BYW_EV_FAIL_MSHR,
    [BYW_RSFAIL_MERGE] = BYW_EV_FAIL_MERGE, [BYW_RSFAIL_MISS_QUEUE] = BYW_EV_FAIL_MISS_QUEUE,
    [BYW_RSFAIL_ICNT] = BYW_EV_FAIL_ICNT,
};

static void comb_rsp(const struct byw_l1d *l1d, const struct byw_l1d_in *in,
                     struct byw_l1d_cycle *now)
{
    uint32_t valid = (uint32_t)l1d->pipe.s3_valid << BYW_SRC_HIT |
                     (uint32_t)byw_fill_answers(&l1d->fill) << BYW_SRC_FILL |
                     (uint32_t)l1d->fill.direct_valid << BYW_SRC_DIRECT;

    now->rsp_valid = valid != 0;
    now->rsp_taken = valid != 0 && in->rsp_ready;
    now->rsp_source = valid != 0 ? byw_rsp_arb_choose(&l1d->arb, valid) : BYW_SRC_COUNT;
    now->s3_free = !l1d->pipe.s3_valid || (now->rsp_taken && now->rsp_source == BYW_SRC_HIT);
}

static void comb_mem(const struct byw_l1d *l1d, const struct byw_l1d_in *in,
                     struct byw_l1d_cycle *now)
{
    bool fill_ready = byw_fill_room(&l1d->fill);
    bool direct_ready =
        !l1d->fill.direct_valid || (now->rsp_taken && now->rsp_source == BYW_SRC_DIRECT);
    bool is_fill = in->mem_rsp_valid && in->mem_rsp.kind == BYW_MEM_FILL;
    bool fails;

    now->mem_req_valid =
        l1d->queue.count != 0 &&
        (!l1d->order.on || byw_order_go(&l1d->order, byw_miss_queue_head(&l1d->queue)));
    now->mem_req_taken = now->mem_req_valid && in->mem_req_ready;
    now->mem_rsp_ready = fill_ready && direct_ready;
    if (!in->mem_rsp_valid)
        return;
    byw_l1d_own(l1d, in, now);
    now->mem_rsp_ready = is_fill ? fill_ready : direct_ready;
    now->direct_taken = !is_fill && direct_ready;
    now->beat_taken = is_fill && fill_ready;
    now->fill_taken = now->beat_taken && byw_fill_ends(&l1d->fill);
    now->answer_ends = now->direct_taken || now->fill_taken;
    fails = byw_fill_fails(&l1d->fill, &in->mem_rsp);
    if (now->beat_taken && !l1d->policy.on_fill) {
        bool attached;

        assert(now->mem_rsp.id < l1d->mshr.pool.size);
        attached = byw_mshr_at(&l1d->mshr, now->mem_rsp.id)->attached;
        now->fill_attached = attached && now->fill_taken;
        now->fill_writes = attached && !fails;
        now->fill_records = now->fill_attached && fails;
    }
    if (l1d->look) {
        now->data_busy = now->beat_taken;
        now->record_busy = now->fill_taken && fails;
    }
}

static bool wb_possible(const struct byw_l1d *l1d, const struct byw_l1d_cycle *now)
{
    return now->s3_free && !l1d->write.wb_valid && byw_miss_queue_room(&l1d->queue, BYW_POOL_MISS);
}

/* Whether memory has answered everything before a fence, and path 2 has delivered its response. */
static bool answered(const struct byw_l1d *l1d)
{
    return (l1d->mshr.pool.used | l1d->tracker.pool.used | l1d->write.acks_pending) == 0 &&
           !l1d->fill.direct_valid;
}

static bool waits_only(const struct byw_req *req)
{
    return req->op == BYW_OP_FENCE && req->hint == BYW_FENCE_WAIT;
}

/* Whether everything that a flush or fence waits for is done. */
static bool ends(const struct byw_l1d *l1d, const struct byw_req *req)
{
    return (l1d->lines.dirty_count == 0 || waits_only(req)) && !l1d->write.wb_valid &&
           l1d->queue.count == 0 && (req->op != BYW_OP_FENCE || answered(l1d));
}

static void comb_maintenance(const struct byw_l1d *l1d, const struct byw_req *req,
                             struct byw_l1d_cycle *now)
{
    bool dirty;

    if (req->op == BYW_OP_INVALIDATE) {
        now->done = now->s3_free && !now->record_busy;
        return;
    }
    if (l1d->lines.dirty_count == 0 || waits_only(req)) {
        now->done = now->s3_free && (l1d->look ? l1d->pipe.s2_ended : now->ends);
        return;
    }
    dirty = byw_data_store_dirty(&l1d->lines, l1d->flush_line);
    now->clean = dirty && wb_possible(l1d, now);
    now->clean_line = l1d->flush_line;
    now->walk = (now->clean && byw_l1d_cleans_last(l1d)) || !dirty;
}

/* The data way whose dirty bytes must be written back before the decision is carried out. */
static int way_to_clean(const struct byw_set *set, const struct byw_l1d_cycle *now)
{
    if (now->d.leaves != BYW_NONE)
        return now->d.leaves;
    if (now->d.outcome == BYW_BYPASS && now->tag != BYW_NONE &&
        set->tag[now->tag].status == BYW_TAG_COMMITTED)
        return set->tag[now->tag].pos;
    return BYW_NONE;
}

/* Reasons other than the decision to hold the request in s2 for this cycle. */
static void comb_ports(const struct byw_l1d *l1d, const struct byw_l1d_slot *s2,
                       const struct byw_set *set, struct byw_l1d_cycle *now)
{
    bool hit = now->d.outcome == BYW_HIT;
    bool answers = hit && !byw_l1d_through(l1d, s2->req.op);
    bool writes = hit && byw_op_is_store(s2->req.op) && now->d.action == BYW_SET_TOUCH;
    int way = l1d->lines.dirty_count == 0 ? BYW_NONE : way_to_clean(set, now);

    if (way != BYW_NONE) {
        now->clean_line = byw_l1d_line_number(l1d, s2->set, way);
        if (byw_data_store_dirty(&l1d->lines, now->clean_line)) {
            now->strays = l1d->write.next_beat != 0 && now->clean_line != l1d->write.next_line;
            now->clean = !now->strays && wb_possible(l1d, now);
            now->fail = BYW_EV_FAIL_MISS_QUEUE;
            return;
        }
    }
    now->accept = !(answers && !now->s3_free) && !(writes && now->data_busy);
}

/* The mechanisms' advice on the request in s2. */
static void advise(const struct byw_l1d *l1d, const struct byw_l1d_slot *s2,
                   const struct byw_set *set, uint8_t hint, struct byw_l1d_cycle *now,
                   struct byw_advice *advice)
{
    *advice = (struct byw_advice){.bypass = s2->bypass};
    now->asks = l1d->pred.on && !s2->bypass && byw_op_is_load(s2->req.op) &&
                byw_policy_asks(&l1d->policy, set, now->tag, hint);
    if (!now->asks)
        return;
    now->guess = l1d->look ? l1d->pipe.s2_read : byw_pc_pred_read(&l1d->pred, s2->req.pc);
    byw_pc_pred_follow(&l1d->pred, s2->set, &now->guess);
    advice->dead = byw_pc_guess_bypass(&now->guess);
    advice->hot = now->guess.hot;
}

static void comb_line(const struct byw_l1d *l1d, const struct byw_l1d_slot *s2,
                      const struct byw_set *set, bool filter_on, struct byw_resources *res,
                      struct byw_l1d_cycle *now)
{
    struct byw_repl_at at = byw_l1d_repl_at(l1d, s2->set, s2->req.pc);
    struct byw_policy room;
    struct byw_advice advice;
    uint8_t hint = s2->req.hint;

    if (l1d->chain.count != 0)
        hint = byw_l1d_mech_hint(l1d, now);
    if (s2->req.more && (now->tag == BYW_NONE || set->tag[now->tag].status != BYW_TAG_COMMITTED))
        hint = BYW_HINT_BYPASS; /* the first request of the access already updated the tags */
    res->merge = now->tag != BYW_NONE && byw_set_pending(set, now->tag) &&
                 byw_mshr_has_room(&l1d->mshr, byw_mshr_lookup(&l1d->mshr, s2->req.line));
    advise(l1d, s2, set, hint, now, &advice);
    byw_policy_choose(byw_l1d_policy_of(l1d, s2, &room), set, &at, now->tag, s2->req.op, hint,
                      filter_on, &advice, res, &now->d);
    now->quiet = s2->req.more && (now->d.action == BYW_SET_TOUCH || now->d.action == BYW_SET_COUNT);
}

/* Whether the request looks at a set one of whose tags has wrong parity.  Candidates are invalid in
 * the cycle in which the filter is switched off. */
static bool tag_is_bad(const struct byw_l1d *l1d, const struct byw_l1d_slot *s2, bool filter_on)
{
    enum byw_tag_status least =
        l1d->filter_on && !filter_on ? BYW_TAG_COMMITTED : BYW_TAG_CANDIDATE;

    return l1d->tags.wrong != NULL && !s2->blind && !byw_policy_blind(&l1d->policy) &&
           byw_tag_store_bad(&l1d->tags, s2->set, &s2->wrong, least);
}

void byw_l1d_comb_s2(const struct byw_l1d *l1d, bool filter_on, struct byw_l1d_cycle *now)
{
    const struct byw_l1d_slot *s2 = byw_l1d_s2(l1d);
    const struct byw_set *set = byw_l1d_record(l1d, s2->set);
    bool port = !l1d->write.wb_valid;
    struct byw_resources res;

    if (s2->req.op >= BYW_OP_INVALIDATE) {
        comb_maintenance(l1d, &s2->req, now);
        return;
    }
    if (now->record_busy)
        return;
    if (tag_is_bad(l1d, s2, filter_on)) {
        now->done = now->s3_free && !(l1d->look && (now->unsteady || l1d->pipe.s2_wait));
        return;
    }
    if (!now->able)
        return;
    if (l1d->held != BYW_EV_COUNT && filter_on == l1d->filter_on) {
        now->fail = (enum byw_event)l1d->held;
        now->refused = true;
        return;
    }
    now->tag = BYW_NONE;
    if (!byw_policy_blind(&l1d->policy) && !s2->blind)
        now->tag = byw_set_match(&l1d->policy.loc.geo, set, s2->key);
    res.miss_slot = port && byw_miss_queue_room(&l1d->queue, BYW_POOL_MISS);
    res.bypass_slot = port && byw_miss_queue_room(&l1d->queue, BYW_POOL_BYPASS) &&
                      byw_id_pool_any(&l1d->tracker.pool);
    res.mshr = byw_mshr_any_free(&l1d->mshr);
    if (l1d->policy.on_fill)
        byw_l1d_comb_sector(l1d, &res, now);
    else
        comb_line(l1d, s2, set, filter_on, &res, now);
    if (l1d->chain.count != 0)
        byw_l1d_mech_rescue(l1d, &res, now);
    now->refused = now->d.outcome == BYW_RSFAIL;
    if (now->refused)
        now->fail = (enum byw_event)fail_event[now->d.reason];
    else
        comb_ports(l1d, s2, set, now);
}

/* In bypass mode a load does not look at the tags, unless the cache may hold dirty bytes that must
 * reach memory first: a line is dirty, or a request ahead may make one dirty. */
static bool may_be_dirty(const struct byw_l1d *l1d)
{
    const struct byw_l1d_pipe *pipe = &l1d->pipe;

    if (l1d->policy.on_fill)
        return false;
    return l1d->lines.dirty_count != 0 ||
           (pipe->s1_valid && pipe->slot[pipe->s1_slot].req.op == BYW_OP_LOCAL_STORE) ||
           (pipe->look_valid && pipe->slot[pipe->look_slot].req.op == BYW_OP_LOCAL_STORE) ||
           (pipe->s2_valid && pipe->slot[pipe->s2_slot].req.op == BYW_OP_LOCAL_STORE);
}

void byw_l1d_comb(const struct byw_l1d *l1d, const struct byw_l1d_in *in,
                  const struct byw_l1d_ctrl *ctrl, struct byw_l1d_cycle *now)
{
    const struct byw_l1d_pipe *pipe = &l1d->pipe;

    now->fill_taken = now->fill_writes = now->fill_records = now->fill_attached = false;
    now->direct_taken = now->data_busy = now->record_busy = now->fill_bad = false;
    now->beat_taken = now->answer_ends = now->quiet = now->strays = false;
    now->refused = now->accept = now->done = now->walk = now->clean = now->asks = false;
    now->fail = BYW_EV_COUNT;
    comb_rsp(l1d, in, now);
    comb_mem(l1d, in, now);
    if (l1d->policy.on_fill)
        byw_l1d_comb_install(l1d, ctrl->kernel_start, now);
    now->data_busy |= now->fill_writes;
    now->record_busy |= now->fill_records;
    now->unsteady = byw_l1d_unsteady(l1d, ctrl->filter_on);
    now->able = !l1d->look || !pipe->s2_valid || byw_l1d_look_able(l1d, now->unsteady);
    now->ends = pipe->s2_valid && byw_l1d_s2(l1d)->req.op > BYW_OP_INVALIDATE &&
                ends(l1d, &byw_l1d_s2(l1d)->req);
    if (pipe->s2_valid && !ctrl->kernel_start)
        byw_l1d_comb_s2(l1d, ctrl->filter_on, now);
    now->s2_open = !pipe->s2_valid | now->accept | now->done; /* `|` avoids a slow wide read */
    now->s1_moves = now->s2_open || byw_l1d_look_open(l1d);
    now->req_ready = !pipe->s1_valid || now->s1_moves;
    now->req_taken = now->req_ready && in->req_valid;
    now->stays_blind = now->req_taken && ctrl->bypass && byw_op_is_load(in->req.op) &&
                       !byw_l1d_is_uncached(l1d, &in->req) && !may_be_dirty(l1d);
}

static uint32_t bit(enum byw_event event)
{
    return UINT32_C(1) << event;
}

static uint32_t note_event(uint8_t note)
{
    static const uint32_t event[] = {
        [BYW_NOTE_NONE] = 0,
        [BYW_NOTE_NEW_TAG] = UINT32_C(1) << BYW_EV_NEW_TAG,
        [BYW_NOTE_CANDIDATE] = UINT32_C(1) << BYW_EV_CANDIDATE,
        [BYW_NOTE_COMMIT] = UINT32_C(1) << BYW_EV_COMMIT,
    };

    return event[note];
}

/* Event pulses of the data store. The later requests of an access with several beats raise only
 * these. */
static uint32_t work_events(const struct byw_l1d_slot *s2, const struct byw_decision *d)
{
    if (d->outcome != BYW_HIT)
        return 0;
    if (byw_op_is_load(s2->req.op))
        return bit(BYW_EV_DATA_READ);
    return d->action == BYW_SET_TOUCH ? bit(BYW_EV_DATA_WRITE) : 0;
}

/* Pulses of an accepted load or store. An atomic raises only BYW_EV_ATOMIC. An uncached load has
 * the op of an atomic here and counts as a bypassed load. */
static uint32_t access_events(const struct byw_l1d_slot *s2, const struct byw_decision *d)
{
    uint8_t op = s2->req.op;

    static const uint32_t outcome[] = {
        [BYW_HIT] = UINT32_C(1) << BYW_EV_HIT,
        [BYW_HIT_PENDING] = UINT32_C(1) << BYW_EV_HIT_PENDING,
        [BYW_MISS] = UINT32_C(1) << BYW_EV_MISS,
        [BYW_BYPASS] = UINT32_C(1) << BYW_EV_BYPASS,
    };
    bool hit = d->outcome == BYW_HIT;

    if (op == BYW_OP_ATOMIC)
        return s2->uncached ? bit(BYW_EV_LOAD) | bit(BYW_EV_BYPASS) : bit(BYW_EV_ATOMIC);
    if (byw_op_is_load(op))
        return bit(BYW_EV_LOAD) | outcome[d->outcome];
    return bit(BYW_EV_STORE) | outcome[d->orphan || d->stale ? BYW_HIT_PENDING : d->outcome] |
           (hit ? bit(BYW_EV_STORE_HIT) : 0);
}

static uint32_t decision_events(const struct byw_l1d *l1d, const struct byw_l1d_cycle *now)
{
    const struct byw_l1d_slot *s2 = byw_l1d_s2(l1d);
    uint32_t events = work_events(s2, &now->d) | note_event(now->d.note);

    if (!s2->req.more)
        events |= access_events(s2, &now->d);
    if (now->d.action != BYW_SET_KEEP && !now->quiet)
        events |= bit(BYW_EV_TAG_WRITE);
    if (now->d.leaves != BYW_NONE) {
        events |= bit(BYW_EV_EVICT);
        if (!byw_l1d_record(l1d, s2->set)->way[now->d.leaves].reused)
            events |= bit(BYW_EV_EVICT_ZERO);
    }
    return events;
}

uint32_t byw_l1d_events(const struct byw_l1d *l1d, const struct byw_l1d_cycle *now,
                        const struct byw_l1d_in *in)
{
    uint32_t events = 0;

    if (now->accept)
        events |= decision_events(l1d, now);
    if (now->fail != BYW_EV_COUNT)
        events |= bit(now->fail);
    if (now->clean)
        events |= bit(BYW_EV_DATA_READ);
    if (now->fill_writes)
        events |= bit(BYW_EV_DATA_WRITE);
    if (now->fill_writes && (now->fill_taken || l1d->policy.on_fill))
        events |= bit(BYW_EV_FILL);
    if (now->fill_records)
        events |= bit(BYW_EV_TAG_WRITE);
    if (now->mem_req_taken)
        events |=
            byw_miss_queue_head(&l1d->queue)->write ? bit(BYW_EV_MEM_WRITE) : bit(BYW_EV_MEM_READ);
    if (l1d->queue.count != 0 && !now->mem_req_valid)
        events |= bit(BYW_EV_ORDER_WAIT);
    if (now->req_taken && in->req.op < BYW_OP_INVALIDATE && !now->stays_blind &&
        !byw_policy_blind(&l1d->policy))
        events |= bit(BYW_EV_TAG_READ);
    return events;
}
