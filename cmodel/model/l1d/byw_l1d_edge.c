/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_l1d_edge.c - The clock edge of the L1D: applies the signals of one cycle (byw_l1d_ctrl.c) to
 * its registers and units, in the order of rtl/doc/l1d_pipeline.md.
 */
#include <assert.h>
#include <string.h>

#include "l1d/byw_l1d_state.h"

/* Kernel start and INVALIDATE: all lines and tags are dropped.  Fills in flight serve their
 * requesters and are then dropped. */
static void invalidate(struct byw_l1d *l1d, const struct byw_l1d_ctrl *ctrl)
{
    byw_mech_chain_emptied(&l1d->chain, ctrl->kernel_start,
                           ctrl->kernel_start ? ctrl->kernel_pc : 0);
    byw_tag_store_clear(&l1d->tags);
    byw_data_store_clean_all(&l1d->lines);
    byw_mshr_detach_all(&l1d->mshr);
    l1d->flush_line = 0;
}

static void answer_hit(struct byw_l1d *l1d, uint32_t id, enum byw_served served,
                       const uint8_t *data)
{
    struct byw_l1d_pipe *pipe = &l1d->pipe;

    pipe->s3_bank ^= 1;
    pipe->s3_valid = true;
    pipe->s3 = (struct byw_rsp){.id = id, .served = (uint8_t)served};
    if (data == NULL)
        return;
    memcpy(pipe->s3_data[pipe->s3_bank], data, l1d->beat_bytes);
    pipe->s3.data = pipe->s3_data[pipe->s3_bank];
}

static void send(struct byw_l1d *l1d, const struct byw_l1d_slot *s2, enum byw_mem_kind kind,
                 uint32_t id, bool predicted)
{
    bool bypass = kind == BYW_MEM_BYPASS;
    bool atomic = s2->req.op == BYW_OP_ATOMIC && !s2->uncached;
    bool carries = kind == BYW_MEM_STORE || atomic;
    struct byw_mem_req out = {
        .line = s2->req.line,
        .bytes = kind == BYW_MEM_FILL ? l1d->fetch[s2->sector] : s2->req.bytes,
        .data = carries ? s2->data : NULL,
        .pc = s2->req.pc,
        .id = id,
        .kind = (uint8_t)kind,
        .beat = s2->req.beat,
        .more = s2->req.more,
        .write = kind == BYW_MEM_STORE,
        .bypass = bypass,
        .atomic = atomic,
        .func = s2->req.func & l1d->func_mask,
        .predicted = predicted,
    };

    byw_miss_queue_push(&l1d->queue, &out);
}

/* When the L2 reports a misprediction, the PC predictor needs the PC hash of that request. */
static void keep_hash(const struct byw_l1d *l1d, uint16_t *hash, uint32_t n,
                      const struct byw_l1d_slot *s2)
{
    if (l1d->pred.on)
        hash[n] = byw_pc_table_hash(&l1d->pred.table, s2->req.pc);
}

/* Entry of a request in an MSHR's list. */
static uint64_t target_of(const struct byw_req *req)
{
    return (uint64_t)req->beat << 32 | req->id;
}

/* Returns the MSHR of a miss or the tracker of a bypass. */
static uint32_t do_load(struct byw_l1d *l1d, const struct byw_l1d_slot *s2,
                        const struct byw_l1d_cycle *now)
{
    const struct byw_decision *d = &now->d;
    bool predicted = d->cause == BYW_CAUSE_DEAD || (l1d->chain.count != 0 && now->verified);
    uint32_t n = 0;

    switch (d->outcome) {
    case BYW_HIT:
        n = byw_l1d_line_number(l1d, s2->set, d->way);
        answer_hit(l1d, s2->req.id, BYW_SERVED_HIT,
                   byw_data_store_read(&l1d->lines, n, s2->req.beat));
        l1d->pipe.s3.error =
            byw_data_store_bad(&l1d->lines, n, s2->req.beat, &l1d->fetch[s2->sector]);
        break;
    case BYW_HIT_PENDING:
        byw_mshr_merge(&l1d->mshr, byw_mshr_lookup(&l1d->mshr, byw_l1d_block(l1d, s2)),
                       target_of(&s2->req));
        break;
    case BYW_MISS:
        n = byw_mshr_alloc(&l1d->mshr, byw_l1d_block(l1d, s2), s2->set, (uint32_t)d->tag,
                           (uint32_t)d->way, target_of(&s2->req));
        byw_mshr_at(&l1d->mshr, n)->last = d->last;
        byw_mshr_at(&l1d->mshr, n)->pc = s2->req.pc;
        keep_hash(l1d, l1d->pred.miss, n, s2);
        send(l1d, s2, BYW_MEM_FILL, n, false);
        break;
    default:
        n = byw_bypass_tracker_take(&l1d->tracker, s2->req.id);
        keep_hash(l1d, l1d->pred.bypass, n, s2);
        send(l1d, s2, BYW_MEM_BYPASS, n, predicted);
        break;
    }
    return n;
}

static void do_store(struct byw_l1d *l1d, const struct byw_l1d_slot *s2,
                     const struct byw_decision *d)
{
    bool local = !byw_l1d_through(l1d, s2->req.op);

    if (d->outcome == BYW_HIT && d->action == BYW_SET_TOUCH)
        byw_data_store_write(&l1d->lines, byw_l1d_line_number(l1d, s2->set, d->way), s2->req.beat,
                             &s2->req.bytes, s2->data, local);
    if (d->outcome == BYW_HIT && local) {
        answer_hit(l1d, s2->req.id, BYW_SERVED_STORE, NULL);
        return;
    }
    send(l1d, s2, BYW_MEM_STORE, s2->req.id, false);
    l1d->write.acks_pending++;
}

/* The decision has written a key, with right parity, into tag way `tag`: clears the way's parity
 * fault in the set and in the requests that have read the set. */
static void write_key(struct byw_l1d *l1d, uint32_t tag)
{
    uint64_t right = ~byw_bit64(tag % 64);
    uint32_t set = byw_l1d_s2(l1d)->set;
    uint32_t i;

    l1d->tags.wrong[set].w[tag / 64] &= right;
    for (i = 0; i < BYW_L1D_SLOTS; i++)
        if (l1d->pipe.slot[i].set == set)
            l1d->pipe.slot[i].wrong.w[tag / 64] &= right;
}

static void do_decision(struct byw_l1d *l1d, const struct byw_l1d_slot *s2,
                        const struct byw_l1d_cycle *now)
{
    struct byw_repl_at at = byw_l1d_repl_at(l1d, s2->set, s2->req.pc);
    const struct byw_decision *d = &now->d;
    uint32_t ticket = 0;

    if (d->orphan)
        byw_mshr_detach(&l1d->mshr, byw_mshr_lookup(&l1d->mshr, byw_l1d_block(l1d, s2)));
    if (byw_op_is_store(s2->req.op))
        do_store(l1d, s2, d);
    else
        ticket = do_load(l1d, s2, now);
    if (l1d->chain.count != 0)
        byw_l1d_mech_accepted(l1d, now, ticket);
    if (!now->quiet)
        byw_policy_apply(&l1d->policy, byw_l1d_record(l1d, s2->set), &at, s2->key, d);
    if (!now->quiet && d->action != BYW_SET_KEEP)
        l1d->tags.marked[s2->set] = 0;
    if (l1d->tags.wrong_fill != NULL && d->action != BYW_SET_KEEP)
        byw_l1d_record_written(l1d, s2->set, BYW_NONE, now);
    else if (l1d->tags.wrong != NULL &&
             (d->action == BYW_SET_INSTALL || d->action == BYW_SET_COMMIT))
        write_key(l1d, (uint32_t)d->tag);
    if (d->action == BYW_SET_COMMIT)
        byw_repl_placed(&l1d->repl);
    if (l1d->store_allocates && s2->req.op == BYW_OP_STORE && d->outcome == BYW_MISS)
        byw_l1d_place_store(l1d);
}

/* A request that looks at a tag with wrong parity is not carried out. */
static void answer_bad_tag(struct byw_l1d *l1d, const struct byw_req *req)
{
    answer_hit(l1d, req->id, byw_op_is_store(req->op) ? BYW_SERVED_STORE : BYW_SERVED_HIT, NULL);
    l1d->pipe.s3.error = true;
}

static void tick_s2(struct byw_l1d *l1d, const struct byw_l1d_ctrl *ctrl,
                    const struct byw_l1d_cycle *now)
{
    const struct byw_l1d_slot *s2 = byw_l1d_s2(l1d);

    if (now->accept) {
        if (l1d->pred.on)
            byw_l1d_train(l1d, now);
        do_decision(l1d, s2, now);
    } else if (now->done && s2->req.op < BYW_OP_INVALIDATE) {
        answer_bad_tag(l1d, &s2->req);
    } else if (now->done) {
        if (byw_l1d_drops(&s2->req))
            invalidate(l1d, ctrl);
        l1d->flush_line = 0;
        answer_hit(l1d, s2->req.id, BYW_SERVED_DONE, NULL);
    }
    if (now->accept || now->done || now->strays)
        l1d->write.next_beat = 0;
    if (now->walk)
        l1d->flush_line = l1d->flush_line + 1 == l1d->lines.lines ? 0 : l1d->flush_line + 1;
}

/* Moves a beat of a line into the write-back register; the last beat leaves the line clean. */
static void clean(struct byw_l1d *l1d, uint32_t line)
{
    const struct byw_geometry *geo = &l1d->policy.loc.geo;
    uint32_t index = line / geo->data_ways;
    const struct byw_set *set = byw_l1d_record(l1d, index);
    uint8_t owner = set->way[line % geo->data_ways].owner;
    struct byw_write_path *wp = &l1d->write;

    wp->wb_valid = true;
    wp->wb_line = byw_set_line(geo, index, set->tag[owner].key);
    wp->wb_beat = wp->next_beat;
    wp->wb_bytes = byw_data_store_dirty_bytes(&l1d->lines, line, wp->wb_beat);
    if (wp->wb_data != NULL)
        memcpy(wp->wb_data, byw_data_store_read(&l1d->lines, line, wp->wb_beat), l1d->beat_bytes);
    wp->wb_bad = byw_data_store_bad(&l1d->lines, line, wp->wb_beat, &wp->wb_bytes);
    wp->next_line = line;
    if (byw_l1d_cleans_last(l1d)) {
        byw_data_store_clean(&l1d->lines, line);
        wp->next_beat = 0;
    } else {
        wp->next_beat++;
    }
}

/* Moves the write-back register into the queue and a beat of a dirty line into the register. */
static void tick_wb(struct byw_l1d *l1d, const struct byw_l1d_cycle *now)
{
    struct byw_write_path *wp = &l1d->write;

    if (wp->wb_valid && (wp->wb_bytes.w[0] | wp->wb_bytes.w[1]) != 0) {
        struct byw_mem_req out = {
            .line = wp->wb_line,
            .bytes = wp->wb_bytes,
            .data = wp->wb_data,
            .kind = BYW_MEM_WRITEBACK,
            .beat = wp->wb_beat,
            .write = true,
        };

        byw_miss_queue_push(&l1d->queue, &out);
        wp->acks_pending += l1d->wb_acks;
    }
    wp->wb_valid = false;
    if (now->clean)
        clean(l1d, now->clean_line);
}

/* Writes a beat of a fill whose line was allocated at the miss. */
static void fill_line(struct byw_l1d *l1d, const struct byw_mem_rsp *rsp, bool filter_on)
{
    const struct byw_mshr_entry *entry = byw_mshr_at(&l1d->mshr, rsp->id);
    struct byw_set *set = byw_l1d_record(l1d, entry->set);
    uint32_t block = byw_l1d_line_number(l1d, entry->set, entry->way);
    bool fails = byw_fill_fails(&l1d->fill, rsp);

    if (entry->attached && !fails)
        byw_data_store_fill(&l1d->lines, block, l1d->fill.beat, rsp->data);
    if (byw_fill_ends(&l1d->fill) && byw_mshr_fill(&l1d->mshr, rsp->id)) {
        set->pending &= ~byw_bit64(entry->way);
        if (fails) {
            byw_set_fail(set, entry->tag, !byw_policy_off(&l1d->policy, filter_on));
            l1d->tags.marked[entry->set] = 1;
            byw_mech_chain_left(&l1d->chain, block, BYW_LEFT_FAILED);
        }
    }
}

static void tick_fill(struct byw_l1d *l1d, const struct byw_mem_rsp *rsp, bool filter_on)
{
    const struct byw_mshr_entry *entry = byw_mshr_at(&l1d->mshr, rsp->id);

    if (l1d->policy.on_fill) /* written two cycles later, in f2 (byw_l1d_tick_install) */
        byw_prefetch(entry);
    else
        fill_line(l1d, rsp, filter_on);
    if (l1d->tags.wrong_fill != NULL)
        l1d->f1_wrong = l1d->tags.wrong_fill[entry->set];
    byw_fill_accept(&l1d->fill, rsp);
}

static void tick_direct(struct byw_l1d *l1d, const struct byw_mem_rsp *rsp)
{
    uint32_t id = rsp->id;

    if (rsp->kind == BYW_MEM_BYPASS) {
        id = byw_bypass_tracker_give(&l1d->tracker, rsp->id);
    } else {
        assert(rsp->kind == BYW_MEM_STORE || l1d->wb_acks);
        assert(l1d->write.acks_pending != 0);
        l1d->write.acks_pending--;
    }
    if (rsp->kind != BYW_MEM_WRITEBACK)
        byw_fill_direct(&l1d->fill, rsp, id);
}

/* A response returns its number, and a departing request takes one. */
static void tick_order(struct byw_l1d *l1d, const struct byw_l1d_in *in,
                       const struct byw_l1d_cycle *now)
{
    if (now->answer_ends)
        byw_order_give(&l1d->order, &in->mem_rsp);
    if (now->mem_req_taken)
        byw_order_take(&l1d->order, byw_miss_queue_head(&l1d->queue));
}

static void tick_rsp(struct byw_l1d *l1d, const struct byw_l1d_cycle *now)
{
    byw_rsp_arb_tick(&l1d->arb, now->rsp_source, now->rsp_taken);
    if (now->rsp_taken && now->rsp_source == BYW_SRC_DIRECT)
        l1d->fill.direct_valid = false;
    if (now->rsp_taken && now->rsp_source == BYW_SRC_FILL) {
        uint32_t mshr = l1d->fill.buffer[l1d->fill.head].mshr;
        bool last = l1d->fill.next_target + 1 == byw_mshr_at(&l1d->mshr, mshr)->count;

        byw_fill_drain(&l1d->fill, last);
        if (last)
            byw_mshr_free(&l1d->mshr, mshr);
    }
}

static void tick_pipe(struct byw_l1d *l1d, const struct byw_l1d_in *in,
                      const struct byw_l1d_ctrl *ctrl, const struct byw_l1d_cycle *now)
{
    struct byw_l1d_pipe *pipe = &l1d->pipe;
    struct byw_l1d_slot *slot;

    pipe->s2_refused = now->fail != BYW_EV_COUNT;
    if (l1d->look) {
        byw_l1d_look_tick(l1d, ctrl, now);
    } else if (now->s2_open) {
        pipe->s2_valid = pipe->s1_valid;
        pipe->s2_slot = pipe->s1_slot;
        if (pipe->s2_valid &&
            byw_tag_store_large(&l1d->tags)) /* the next cycle decides on the request */
            byw_set_prefetch(&l1d->policy.loc.geo, byw_l1d_record(l1d, byw_l1d_s2(l1d)->set),
                             byw_l1d_s2(l1d)->key);
    }
    if (now->s1_moves)
        pipe->s1_valid = false;
    if (!now->req_taken)
        return;
    pipe->s1_valid = true;
    pipe->s1_slot = pipe->s1_slot == BYW_L1D_SLOTS - 1 ? 0 : pipe->s1_slot + 1;
    slot = &pipe->slot[pipe->s1_slot];
    slot->req = in->req;
    if (!byw_l1d_has_beats(l1d)) {
        slot->req.beat = 0;
        slot->req.more = false;
    }
    slot->uncached = byw_l1d_is_uncached(l1d, &in->req);
    if (slot->uncached)
        slot->req.op = byw_op_is_load(in->req.op) ? BYW_OP_ATOMIC : BYW_OP_STORE;
    slot->set = byw_set_index(&l1d->policy.loc.geo, in->req.line);
    slot->key = byw_set_key(&l1d->policy.loc.geo, in->req.line);
    if (l1d->atomic_keeps && slot->req.op == BYW_OP_ATOMIC)
        slot->key = UINT64_MAX; /* matches no line: an atomic ignores the cached copy */
    byw_tag_store_prefetch(&l1d->tags, slot->set);
    if (l1d->tags.wrong != NULL)
        slot->wrong = l1d->tags.wrong[slot->set];
    if (l1d->policy.on_fill)
        slot->sector = byw_l1d_sector(l1d, &in->req.bytes);
    if (byw_tag_store_large(&l1d->tags))
        byw_mshr_prefetch(&l1d->mshr, byw_l1d_block(l1d, slot));
    slot->bypass = ctrl->bypass;
    slot->blind = now->stays_blind;
    if (slot->data != NULL && in->req.data != NULL)
        memcpy(slot->data, in->req.data, l1d->beat_bytes);
}

/* Whether the resource that a refused request lacks may be available now.  Nothing else is
 * allocated while the request waits.  So the reason stays the same until its own resource is freed,
 * or a fill changes the record of its set.  A request that also failed to bypass depends on
 * everything. */
static bool may_go_on(const struct byw_l1d *l1d, bool freed, const struct byw_l1d_cycle *now)
{
    if (l1d->policy.on_fill || l1d->pred.on ||
        l1d->chain.count != 0) /* their decisions depend on more than the resource */
        return true;
    if (now->fill_taken && byw_mshr_at(&l1d->mshr, now->mem_rsp.id)->set == byw_l1d_s2(l1d)->set)
        return true;
    switch (now->fail) {
    case BYW_EV_FAIL_LINE:
    case BYW_EV_FAIL_MERGE:
        return false;
    case BYW_EV_FAIL_MSHR:
        return freed;
    case BYW_EV_FAIL_MISS_QUEUE:
        return now->mem_req_taken;
    default:
        if (byw_rescues_on(&l1d->policy.rescues) || l1d->policy.loc.bypass_on_rsfail)
            return freed || now->mem_req_taken || now->direct_taken;
        return byw_miss_queue_room(&l1d->queue, BYW_POOL_BYPASS) &&
               byw_id_pool_any(&l1d->tracker.pool);
    }
}

void byw_l1d_set_filter(struct byw_l1d *l1d, bool filter_on)
{
    if (l1d->filter_on && !filter_on)
        byw_tag_store_drop_candidates(&l1d->tags);
    l1d->switched |= filter_on != l1d->filter_on;
    if (filter_on != l1d->filter_on)
        l1d->held = BYW_EV_COUNT;
    l1d->filter_on = filter_on;
}

void byw_l1d_edge(struct byw_l1d *l1d, const struct byw_l1d_in *in, const struct byw_l1d_ctrl *ctrl,
                  const struct byw_l1d_cycle *now)
{
    const bool busy = l1d->pipe.s2_valid;
    const bool changes =
        l1d->filter_on != ctrl->filter_on || l1d->write.wb_valid || ctrl->kernel_start;
    const uint32_t mshrs = l1d->mshr.pool.used;

    if (l1d->filter_on != ctrl->filter_on)
        byw_l1d_set_filter(l1d, ctrl->filter_on);
    if (now->rsp_taken && now->rsp_source == BYW_SRC_HIT)
        l1d->pipe.s3_valid = false;
    if (l1d->look && now->s2_open)
        byw_l1d_look_ask(l1d);
    /* The decision takes its MSHR or tracker before another one is freed.  It is carried out before
     * a fill, so the fill also serves a load merged in the same cycle. */
    tick_s2(l1d, ctrl, now);
    tick_wb(l1d, now);
    if (now->rsp_valid)
        tick_rsp(l1d, now);
    if (ctrl->kernel_start)
        invalidate(l1d, ctrl);
    if (l1d->policy.on_fill)
        byw_l1d_tick_install(l1d, now);
    if (l1d->pred.on && now->answer_ends)
        byw_l1d_verify(l1d, &now->mem_rsp);
    byw_pc_pred_tick(&l1d->pred);
    if (l1d->chain.count != 0 && now->answer_ends)
        byw_l1d_mech_answered(l1d, &now->mem_rsp);
    if (now->beat_taken)
        tick_fill(l1d, &now->mem_rsp, ctrl->filter_on);
    if (now->direct_taken)
        tick_direct(l1d, &now->mem_rsp);
    if (l1d->order.on)
        tick_order(l1d, in, now);
    if (now->mem_req_taken)
        byw_miss_queue_pop(&l1d->queue);
    tick_pipe(l1d, in, ctrl, now);
    l1d->held = BYW_EV_COUNT;
    if (now->refused && !changes && !may_go_on(l1d, mshrs != l1d->mshr.pool.used, now))
        l1d->held = (uint8_t)now->fail;
    l1d->switched = false;
    if (l1d->chain.ticks)
        byw_mech_chain_tick(&l1d->chain, 1, busy, now->fail != BYW_EV_COUNT);
}
