/* SPDX-License-Identifier: Apache-2.0 */
#include "top/byw_sm_l1.h"

#include <string.h>

/* Creates the queue of the first mechanism in use that has one. An L1D without mech_state() (the
 * Verilated RTL) contains the queues that share their state with an L1D, so none is created for
 * it. */
static enum byw_status init_queue(struct byw_sm_l1 *sm, const struct byw_config *config)
{
    for (size_t i = 0; i < byw_mech_count(); i++) {
        const struct byw_mech *mech = byw_mech(i);

        if (mech->queue != NULL && byw_mech_in_use(config, mech)) {
            const struct byw_mech_setup setup = byw_mech_setup_of(config, mech);

            sm->queues = true;
            if (mech->queue->create == NULL && sm->ops->mech_state == NULL)
                return BYW_OK;
            sm->queue.mech = mech;
            if (mech->queue->create != NULL)
                return mech->queue->create(&setup, &sm->queue.self);
            sm->queue.self = sm->ops->mech_state(sm->l1d, mech);
            return BYW_OK;
        }
    }
    return BYW_OK;
}

enum byw_status byw_sm_l1_init(struct byw_sm_l1 *sm, const struct byw_config *config,
                               const struct byw_l1d_ops *ops, bool with_data, struct byw_diag *diag)
{
    enum byw_status status;

    *sm = (struct byw_sm_l1){.ops = ops};
    byw_two_level_init(&sm->two_level, config);
    if (byw_shadow_init(&sm->shadow, config, config->pc_on != 0) != BYW_OK)
        return byw_no_memory(diag, "the shadow tags of an L1D");
    status = ops->create(config, with_data, &sm->l1d, diag);
    if (status == BYW_OK && init_queue(sm, config) != BYW_OK)
        status = byw_no_memory(diag, "the request queue of an L1D");
    return status;
}

void byw_sm_l1_release(struct byw_sm_l1 *sm)
{
    if (sm->queue.self != NULL && sm->queue.mech->queue->release != NULL)
        sm->queue.mech->queue->release(sm->queue.self);
    sm->queue.self = NULL;
    if (sm->l1d != NULL)
        sm->ops->free(sm->l1d);
    sm->l1d = NULL;
    byw_shadow_release(&sm->shadow);
}

enum byw_status byw_sm_l1_reshape(struct byw_sm_l1 *sm, const struct byw_config *config,
                                  bool with_data, struct byw_diag *diag)
{
    struct byw_sm_l1 old;
    enum byw_status status;

    byw_sm_l1_count_mechs(sm);
    byw_sm_l1_release(sm);
    old = *sm;
    status = byw_sm_l1_init(sm, config, old.ops, with_data, diag);
    sm->stats = old.stats;
    sm->recorder = old.recorder;
    sm->active_warps = old.active_warps;
    sm->filter_on_before = old.filter_on_before;
    memcpy(sm->mech_before, old.stats.mech, sizeof(sm->mech_before));
    return status;
}

/* Counts `cycles` cycles in one state of the two-level unit. */
static void count_cycles(struct byw_sm_l1 *sm, enum byw_two_level_state state, uint64_t cycles)
{
    sm->stats.two_level_cycles[state] += cycles;
    if (state == BYW_TL_SAMPLE)
        sm->stats.two_level_warps += cycles * sm->active_warps;
}

/* The two-level unit's clock edge; its decision takes effect in the next cycle. */
static void tick_two_level(struct byw_sm_l1 *sm, const struct byw_l1d_in *in, bool restart,
                           struct byw_l1d_out *out)
{
    if (in->rst || restart) {
        byw_two_level_clear(&sm->two_level);
        return;
    }
    sm->active_warps = in->ctrl.active_warps;
    count_cycles(sm, byw_two_level_state(&sm->two_level), 1);
    out->policy_events |= byw_two_level_tick(&sm->two_level, &in->ctrl, out->events);
}

/* A cycle of a cache that contains the two-level unit. */
static void step_with_two_level(struct byw_sm_l1 *sm, const struct byw_l1d_in *in,
                                const struct byw_l1d_ctrl *ctrl, struct byw_l1d_out *out)
{
    enum byw_two_level_state state = sm->ops->two_level(sm->l1d);

    sm->ops->step(sm->l1d, in, ctrl, out);
    sm->active_warps = in->ctrl.active_warps;
    if (sm->two_level.on && !in->rst)
        count_cycles(sm, state, 1);
}

static bool is_maintenance(const struct byw_req *req)
{
    return req->op >= BYW_OP_INVALIDATE;
}

/* The request offered to the L1D: the queue's choice.  If the queue is empty: an invalidate or
 * flush, which skips the queue, or a request that the queue lets through. */
static const struct byw_l1d_in *offer(struct byw_sm_l1 *sm, const struct byw_l1d_in *in,
                                      struct byw_l1d_in *inner)
{
    const struct byw_req_queue_ops *queue = sm->queue.mech->queue;
    bool empty = queue->empty(sm->queue.self);

    *inner = *in;
    if (!empty)
        inner->req = *queue->choose(sm->queue.self);
    inner->req_valid = !empty || (in->req_valid && (queue->through || is_maintenance(&in->req)));
    sm->queue.room =
        in->req_valid && !is_maintenance(&in->req) && queue->room(sm->queue.self, &in->req);
    return inner;
}

/* After the L1D accepted or refused the offer: the queue takes a request if it had room at the
 * start of the cycle. */
static void settle(struct byw_sm_l1 *sm, const struct byw_l1d_in *in,
                   const struct byw_l1d_in *offered, struct byw_l1d_out *out)
{
    const struct byw_req_queue_ops *queue = sm->queue.mech->queue;
    bool taken = offered->req_valid && out->req_ready, enters = sm->queue.room;
    bool empty = queue->empty(sm->queue.self), at_once = empty && taken;
    bool ready = empty && out->req_ready && (queue->through || at_once);

    sm->queue.held = offered->req_valid && !taken;
    if (taken && !empty)
        queue->pop(sm->queue.self);
    if (enters && !at_once)
        queue->push(sm->queue.self, &in->req);
    out->req_ready = ready || enters;
    out->idle = out->idle && queue->empty(sm->queue.self);
}

/* A cycle of the cache.  The model is called directly, so that the compiler can inline it. */
static inline void step_l1d(const struct byw_sm_l1 *sm, const struct byw_l1d_in *in,
                            const struct byw_l1d_ctrl *ctrl, struct byw_l1d_out *out)
{
    if (sm->ops == &byw_l1d_model)
        byw_l1d_step(sm->l1d, in, ctrl, out);
    else
        sm->ops->step(sm->l1d, in, ctrl, out);
}

void byw_sm_l1_step(struct byw_sm_l1 *sm, const struct byw_l1d_in *in, bool filter_on, bool restart,
                    struct byw_l1d_out *out)
{
    const struct byw_l1d_in *offered = in;
    bool with_two_level = sm->ops->skip_two_level != NULL;
    struct byw_l1d_ctrl ctrl = {
        .kernel_start = in->ctrl.kernel_start,
        .filter_on = filter_on,
        .bypass = with_two_level ? in->ctrl.bypass : byw_two_level_bypasses(&sm->two_level),
        .cta_placed = in->ctrl.cta_placed,
        .kernel_pc = in->ctrl.kernel_pc,
        .active_warps = in->ctrl.active_warps,
    };
    struct byw_l1d_in inner;

    if (sm->queue.mech != NULL)
        offered = offer(sm, in, &inner);
    if (with_two_level) {
        step_with_two_level(sm, offered, &ctrl, out);
    } else {
        step_l1d(sm, offered, &ctrl, out);
        if (sm->two_level.on || restart)
            tick_two_level(sm, offered, restart, out);
    }
    if (out->events != 0)
        byw_stats_count(&sm->stats, out->events);
    if (out->policy_events != 0)
        byw_stats_count_policy(&sm->stats, out->policy_events, out->pc_counter);
    if (out->parity != 0)
        sm->stats.parity_errors += byw_popcount64(out->parity);
    if (sm->shadow.lines != NULL)
        sm->stats.pc_false_positives += byw_shadow_step(&sm->shadow, offered, out);
    if (sm->recorder != NULL)
        byw_recorder_step(sm->recorder, offered, out);
    if (sm->queue.mech != NULL)
        settle(sm, in, offered, out);
}

bool byw_sm_l1_asleep(const struct byw_sm_l1 *sm, bool mem_req_ready, bool filter_on,
                      enum byw_event *held)
{
    bool waits =
        sm->queue.mech != NULL && !sm->queue.held && !sm->queue.mech->queue->empty(sm->queue.self);

    return sm->ops->asleep(sm->l1d, mem_req_ready, filter_on, held) && !waits;
}

void byw_sm_l1_count_mechs(struct byw_sm_l1 *sm)
{
    const struct byw_mech *mech = sm->queue.mech;

    memset(sm->stats.mech, 0, sizeof(sm->stats.mech));
    if (sm->ops->counters != NULL)
        sm->ops->counters(sm->l1d, sm->stats.mech);
    if (mech != NULL && mech->queue->counters != NULL && mech->counter_count != 0)
        memcpy(sm->stats.mech + byw_mech_counter_base(mech), mech->queue->counters(sm->queue.self),
               mech->counter_count * sizeof(sm->stats.mech[0]));
    for (size_t i = 0; i < BYW_MECH_COUNTERS; i++)
        sm->stats.mech[i] += sm->mech_before[i];
}

void byw_sm_l1_reset(struct byw_sm_l1 *sm, struct byw_l1d_out *out)
{
    const struct byw_l1d_in in = {.rst = true};

    sm->ops->step(sm->l1d, &in, &in.ctrl, out);
    byw_two_level_clear(&sm->two_level);
    if (sm->queue.mech != NULL && sm->queue.mech->queue->reset != NULL)
        sm->queue.mech->queue->reset(sm->queue.self);
    byw_shadow_step(&sm->shadow, &in, out);
    sm->stats = (struct byw_l1_stats){0};
    sm->filter_on_before = 0;
    out->req_ready = out->mem_rsp_ready = out->idle = true;
}

/* Passes up to `cycles` cycles of the two-level unit while the L1 sleeps. */
static uint64_t skip_two_level(struct byw_sm_l1 *sm, uint64_t cycles)
{
    bool own = sm->ops->skip_two_level == NULL;
    enum byw_two_level_state state =
        own ? byw_two_level_state(&sm->two_level) : sm->ops->two_level(sm->l1d);
    uint32_t pulses;
    uint64_t taken = own ? byw_two_level_skip(&sm->two_level, sm->active_warps, cycles, &pulses)
                         : sm->ops->skip_two_level(sm->l1d, sm->active_warps, cycles, &pulses);

    count_cycles(sm, state, taken);
    byw_stats_count_policy(&sm->stats, pulses, 0);
    return taken;
}

void byw_sm_l1_sleep(struct byw_sm_l1 *sm, enum byw_event held, uint64_t cycles)
{
    uint64_t left = sm->two_level.on ? cycles : 0;

    while (left != 0)
        left -= skip_two_level(sm, left);
    if (sm->ops->skip != NULL)
        sm->ops->skip(sm->l1d, cycles);
    if (held == BYW_EV_COUNT)
        return;
    if (sm->recorder != NULL)
        byw_recorder_sleep(sm->recorder, held, cycles);
    sm->stats.ev[held] += cycles;
    sm->stats.stall_cycles += cycles;
}
