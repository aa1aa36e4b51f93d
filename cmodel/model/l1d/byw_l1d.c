/* SPDX-License-Identifier: Apache-2.0 */
#include "l1d/byw_l1d.h"

#include <stdlib.h>
#include <string.h>

#include "l1d/byw_l1d_state.h"

/* Beat size of an integrator's port or, in the simulator, of the configuration key. */
static uint32_t beat_of(const struct byw_config *config)
{
    return config->port.beat_bytes != 0 ? config->port.beat_bytes : config->l1d_beat;
}

static enum byw_status init_pipe(struct byw_l1d_pipe *pipe, uint32_t beat_bytes, bool with_data)
{
    for (int i = 0; with_data && i < BYW_L1D_SLOTS; i++) {
        pipe->slot[i].data = calloc(1, beat_bytes);
        if (pipe->slot[i].data == NULL)
            return BYW_ENOMEM;
    }
    for (int i = 0; with_data && i < 2; i++) {
        pipe->s3_data[i] = calloc(1, beat_bytes);
        if (pipe->s3_data[i] == NULL)
            return BYW_ENOMEM;
    }
    return BYW_OK;
}

static enum byw_status init_units(struct byw_l1d *l1d, const struct byw_config *config,
                                  bool with_data)
{
    const struct byw_geometry *geo = &l1d->policy.loc.geo;
    uint32_t line = config->l1d_line;
    uint32_t bytes = beat_of(config) != 0 ? beat_of(config) : line;
    enum byw_status status;

    l1d->beat_bytes = bytes;
    l1d->look = config->l1d_look != 0;
    l1d->atomic_keeps = config->l1d_atomic_keeps != 0;
    l1d->store_allocates = config->l1d_store_miss != 0;
    l1d->wb_acks = config->port.order != BYW_ORDER_OFF || config->port.fence != 0;
    l1d->uncached = config->port.uncached != 0;
    l1d->func_mask = (uint32_t)byw_mask64(config->port.func_w);
    byw_l1d_init_sectors(l1d, config);
    if (bytes < line)
        l1d->fetch[0] = byw_byte_mask_line(bytes);
    byw_rsp_arb_clear(&l1d->arb);
    status = byw_tag_store_init(&l1d->tags, geo);
    if (status == BYW_OK && config->port.parity != 0)
        status = byw_tag_store_add_parity(&l1d->tags, l1d->policy.on_fill);
    if (status == BYW_OK)
        status = byw_repl_init(&l1d->repl, l1d->policy.loc.repl, geo);
    if (status == BYW_OK)
        status =
            byw_data_store_init(&l1d->lines, geo->sets * geo->data_ways, line, bytes, with_data);
    if (status == BYW_OK && config->port.parity != 0 && with_data)
        status = byw_data_store_add_parity(&l1d->lines);
    if (status == BYW_OK)
        status = byw_mshr_init(&l1d->mshr, config->l1d_mshrs, config->l1d_merges);
    if (status == BYW_OK)
        status = byw_miss_queue_init(&l1d->queue, config->l1d_miss_queue, config->l1d_bypass_queue,
                                     bytes, with_data);
    if (status == BYW_OK)
        status = byw_bypass_tracker_init(&l1d->tracker, config->l1d_trackers);
    if (status == BYW_OK)
        status = byw_fill_init(&l1d->fill, line, bytes, l1d->policy.on_fill, with_data);
    if (status == BYW_OK)
        status = byw_write_path_init(&l1d->write, bytes, with_data);
    if (status == BYW_OK)
        status = byw_order_init(&l1d->order, &config->port);
    if (status == BYW_OK)
        status = init_pipe(&l1d->pipe, bytes, with_data);
    if (status == BYW_OK)
        status = byw_pc_pred_init(&l1d->pred, config, geo->set_bits, geo->sets * geo->data_ways);
    return status;
}

static enum byw_status check_beats(const struct byw_config *config, struct byw_diag *diag)
{
    uint32_t bytes = beat_of(config);

    if (bytes == 0 || bytes == config->l1d_line)
        return BYW_OK;
    if (bytes < 8 || bytes > 64 || (bytes & (bytes - 1)) != 0 || bytes > config->l1d_line)
        return byw_diag_set(diag, BYW_EINVAL,
                            "l1d.beat_bytes = %u: expected 8, 16, 32 or 64, and at most the %u of "
                            "l1d.line_bytes",
                            bytes, config->l1d_line);
    if (config->l1d_alloc != BYW_ALLOC_ON_MISS)
        return byw_diag_set(diag, BYW_EUNSUPPORTED,
                            "l1d.beat_bytes = %u: allocate on fill needs whole lines; expected "
                            "l1d.allocate = on_miss",
                            bytes);
    return BYW_OK;
}

/* Rejects hooked mechanisms in a cache with beats: they would see one access once per beat. */
static enum byw_status check_hooks(const struct byw_l1d *l1d, struct byw_diag *diag)
{
    if (!byw_l1d_has_beats(l1d) || l1d->chain.count == 0)
        return BYW_OK;
    return byw_diag_set(
        diag, BYW_EUNSUPPORTED,
        "l1d.beat_bytes = %u: mechanisms without hardware need whole lines; expected 0",
        l1d->beat_bytes);
}

enum byw_status byw_l1d_create(const struct byw_config *config, bool with_data,
                               struct byw_l1d **l1d, struct byw_diag *diag)
{
    struct byw_l1d *made = calloc(1, sizeof(*made));
    enum byw_status status;

    if (made == NULL)
        return byw_no_memory(diag, "an L1 data cache");
    status = byw_policy_init(&made->policy, config, diag);
    if (status == BYW_OK && config->l1d_store_miss != 0 && (!made->policy.on_fill || with_data))
        status = byw_diag_set(diag, BYW_EUNSUPPORTED,
                              "l1d.store_miss = allocate: expected l1d.allocate = on_fill and a "
                              "cache without data");
    if (status == BYW_OK)
        status = check_beats(config, diag);
    if (status == BYW_OK) {
        status = init_units(made, config, with_data);
        if (status != BYW_OK)
            byw_no_memory(diag, "an L1 data cache");
        else
            status = byw_mech_chain_create(&made->chain, config, diag);
        if (status == BYW_OK)
            status = check_hooks(made, diag);
        byw_l1d_mech_choose(made);
        made->held = BYW_EV_COUNT;
    }
    if (status != BYW_OK) {
        byw_l1d_free(made);
        return status;
    }
    *l1d = made;
    return BYW_OK;
}

void byw_l1d_free(struct byw_l1d *l1d)
{
    if (l1d == NULL)
        return;
    byw_tag_store_release(&l1d->tags);
    byw_repl_release(&l1d->repl);
    byw_data_store_release(&l1d->lines);
    byw_mshr_release(&l1d->mshr);
    byw_miss_queue_release(&l1d->queue);
    byw_bypass_tracker_release(&l1d->tracker);
    byw_fill_release(&l1d->fill);
    byw_write_path_release(&l1d->write);
    byw_order_release(&l1d->order);
    byw_pc_pred_release(&l1d->pred);
    byw_mech_chain_release(&l1d->chain);
    for (int i = 0; i < BYW_L1D_SLOTS; i++)
        free(l1d->pipe.slot[i].data);
    for (int i = 0; i < 2; i++)
        free(l1d->pipe.s3_data[i]);
    free(l1d);
}

static void reset(struct byw_l1d *l1d)
{
    byw_tag_store_clear(&l1d->tags);
    byw_repl_reset(&l1d->repl);
    byw_data_store_clean_all(&l1d->lines);
    byw_mshr_clear(&l1d->mshr);
    byw_miss_queue_clear(&l1d->queue);
    byw_bypass_tracker_clear(&l1d->tracker);
    byw_fill_clear(&l1d->fill);
    byw_rsp_arb_clear(&l1d->arb);
    byw_order_clear(&l1d->order);
    byw_pc_pred_clear(&l1d->pred);
    byw_mech_chain_reset(&l1d->chain);
    l1d->write.wb_valid = false;
    l1d->write.acks_pending = 0;
    l1d->write.next_beat = 0;
    l1d->pipe.s1_valid = l1d->pipe.look_valid = l1d->pipe.s2_valid = l1d->pipe.s3_valid = false;
    l1d->flush_line = 0;
    l1d->filter_on = l1d->switched = false;
    l1d->held = BYW_EV_COUNT;
}

/* Whether a register of the cache holds a request or response, so that a cycle may change state. */
static bool busy(const struct byw_l1d *l1d)
{
    const struct byw_l1d_pipe *pipe = &l1d->pipe;

    return ((uint32_t)(pipe->s1_valid | pipe->look_valid | pipe->s2_valid | pipe->s3_valid |
                       l1d->fill.direct_valid | l1d->write.wb_valid) |
            l1d->fill.count | l1d->queue.count) != 0;
}

static bool idle(const struct byw_l1d *l1d)
{
    return (l1d->mshr.pool.used | l1d->tracker.pool.used | l1d->write.acks_pending) == 0 &&
           !busy(l1d);
}

static void show_rsp(const struct byw_l1d *l1d, uint32_t source, struct byw_rsp *rsp)
{
    const struct byw_fill_buffer *buffer = &l1d->fill.buffer[l1d->fill.head];
    uint64_t target;

    switch (source) {
    case BYW_SRC_HIT:
        *rsp = l1d->pipe.s3;
        break;
    case BYW_SRC_FILL:
        target = byw_mshr_target(&l1d->mshr, buffer->mshr, l1d->fill.next_target);
        *rsp = (struct byw_rsp){
            .data = buffer->data == NULL ? NULL : buffer->data + (target >> 32) * l1d->beat_bytes,
            .id = (uint32_t)target,
            .served = BYW_SERVED_FILL,
            .error = buffer->error,
        };
        break;
    default:
        *rsp = l1d->fill.direct;
        break;
    }
}

static uint8_t parity_pulses(const struct byw_l1d *l1d, const struct byw_l1d_cycle *now)
{
    bool hit = now->rsp_taken && now->rsp_source == BYW_SRC_HIT && l1d->pipe.s3.error;

    return (uint8_t)((hit ? BYW_PARITY_HIT : 0) |
                     (l1d->write.wb_valid && l1d->write.wb_bad ? BYW_PARITY_WRITEBACK : 0) |
                     (now->fill_bad ? BYW_PARITY_FILL : 0));
}

static void show(const struct byw_l1d *l1d, const struct byw_l1d_in *in,
                 const struct byw_l1d_cycle *now, struct byw_l1d_out *out)
{
    out->req_ready = now->req_ready;
    out->rsp_valid = now->rsp_valid;
    out->mem_req_valid = now->mem_req_valid;
    out->mem_rsp_ready = now->mem_rsp_ready;
    out->idle = idle(l1d);
    out->parity = parity_pulses(l1d, now);
    out->events = byw_l1d_events(l1d, now, in);
    if (l1d->policy.on_fill)
        out->events |= byw_l1d_install_events(l1d, now);
    out->policy_events = byw_l1d_policy_events(l1d, in, now);
    if (now->asks)
        out->pc_counter = now->guess.counter;
    if (now->rsp_valid)
        show_rsp(l1d, now->rsp_source, &out->rsp);
    if (!out->mem_req_valid)
        return;
    out->mem_req = *byw_miss_queue_head(&l1d->queue);
    if (byw_order_numbers(&l1d->order, out->mem_req.kind))
        out->mem_req.id = l1d->order.next;
}

void byw_l1d_eval(const struct byw_l1d *l1d, const struct byw_l1d_in *in, struct byw_l1d_out *out)
{
    struct byw_l1d_cycle now;

    memset(out, 0, sizeof(*out));
    if (in->rst)
        return;
    byw_l1d_comb(l1d, in, &in->ctrl, &now);
    show(l1d, in, &now, out);
}

void byw_l1d_tick(struct byw_l1d *l1d, const struct byw_l1d_in *in)
{
    struct byw_l1d_cycle now;

    if (in->rst) {
        reset(l1d);
        return;
    }
    byw_l1d_comb(l1d, in, &in->ctrl, &now);
    byw_l1d_edge(l1d, in, &in->ctrl, &now);
}

void byw_l1d_step(struct byw_l1d *l1d, const struct byw_l1d_in *in, const struct byw_l1d_ctrl *ctrl,
                  struct byw_l1d_out *out)
{
    struct byw_l1d_cycle now;

    if (in->rst) {
        memset(out, 0, sizeof(*out));
        reset(l1d);
        return;
    }
    if (!busy(l1d) && !in->req_valid && !in->mem_rsp_valid && !ctrl->kernel_start &&
        ctrl->filter_on == l1d->filter_on) {
        out->req_ready = out->mem_rsp_ready = true;
        out->rsp_valid = out->mem_req_valid = false;
        out->idle = idle(l1d);
        out->events = out->policy_events = 0;
        out->parity = 0;
        byw_l1d_skip(l1d, 1);
        return;
    }
    byw_l1d_comb(l1d, in, ctrl, &now);
    show(l1d, in, &now, out);
    byw_l1d_edge(l1d, in, ctrl, &now);
}

void byw_l1d_skip(struct byw_l1d *l1d, uint64_t cycles)
{
    byw_pc_pred_skip(&l1d->pred, cycles);
    if (l1d->chain.ticks)
        byw_mech_chain_tick(&l1d->chain, cycles, l1d->pipe.s2_valid, l1d->pipe.s2_valid);
}

void byw_l1d_counters(const struct byw_l1d *l1d, uint64_t *counters)
{
    if (l1d->chain.count != 0)
        byw_mech_chain_counters(&l1d->chain, counters);
}

bool byw_l1d_asleep(const struct byw_l1d *l1d, bool mem_req_ready, bool filter_on,
                    enum byw_event *held)
{
    const struct byw_l1d_pipe *pipe = &l1d->pipe;
    struct byw_l1d_cycle now;

    *held = BYW_EV_COUNT;
    if (pipe->s3_valid || l1d->fill.count != 0 || l1d->fill.direct_valid || l1d->write.wb_valid ||
        (l1d->queue.count != 0 && (mem_req_ready || l1d->order.on)))
        return false;
    if (!pipe->s2_valid || !pipe->s2_refused) /* the next cycle decides on a request not yet
                                               * refused */
        return !pipe->s2_valid && !pipe->look_valid && !pipe->s1_valid;
    if (l1d->chain.restless || l1d->pred.waiting != 0)
        return false;
    if (l1d->look && byw_l1d_unsteady(l1d, filter_on)) /* requests behind s2 are affected, too */
        return false;
    if (pipe->s1_valid && byw_l1d_look_open(l1d))
        return false;
    if (l1d->look && !byw_l1d_look_able(l1d, false))
        return false;
    if (l1d->held != BYW_EV_COUNT && filter_on == l1d->filter_on) {
        *held = (enum byw_event)l1d->held;
        return true;
    }
    now = (struct byw_l1d_cycle){.s3_free = true, .fail = BYW_EV_COUNT, .able = true};
    byw_l1d_comb_s2(l1d, filter_on, &now);
    *held = now.fail;
    return now.fail != BYW_EV_COUNT && !now.clean && !now.strays;
}

bool byw_l1d_takes(const struct byw_l1d *l1d)
{
    return !l1d->pipe.s1_valid; /* nothing in the cache moves */
}

void byw_l1d_expect(const struct byw_l1d *l1d, uint32_t id)
{
    byw_mshr_prefetch_entry(&l1d->mshr, id);
}
