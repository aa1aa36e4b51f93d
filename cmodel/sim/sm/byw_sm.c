/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/sm/byw_sm.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "sim/sm/byw_sm_state.h"

#define NO_LINE UINT64_MAX

enum byw_status byw_sm_create(const struct byw_config *config, uint32_t number, uint32_t port,
                              struct byw_cluster *cluster, struct byw_memsys *memsys,
                              struct byw_sm **out)
{
    struct byw_sm *sm = aligned_alloc(alignof(struct byw_sm), sizeof(*sm));

    if (sm == NULL)
        return BYW_ENOMEM;
    memset(sm, 0, offsetof(struct byw_sm, warps)); /* the units initialize themselves */
    memset(sm->slot, 0, sizeof(sm->slot));
    sm->throttle = (struct byw_throttle){0};
    sm->outlet = (struct byw_outlet){0};
    sm->config = config;
    sm->cluster = cluster;
    sm->memsys = memsys;
    sm->number = number;
    sm->port = port;
    sm->counts_warps = byw_cluster_counts_warps(cluster, number);
    memset(sm->idle_slot, BYW_SLOT_EMPTY, sizeof(sm->idle_slot));
    byw_warps_init(&sm->warps, config->load_slack);
    byw_ldst_init(&sm->ldst, config);
    byw_units_init(&sm->units, config);
    byw_stages_init(&sm->stages, config);
    for (uint32_t i = 0; i < BYW_SM_CTAS; i++)
        byw_cta_init(&sm->slot[i].cta);
    if (byw_fetch_init(&sm->fetch, config) != BYW_OK ||
        byw_outlet_init(&sm->outlet, config) != BYW_OK ||
        byw_throttle_init(&sm->throttle, config) != BYW_OK) {
        byw_sm_free(sm);
        return BYW_ENOMEM;
    }
    byw_sched_init(&sm->sched, config, &sm->throttle);
    sm->l1d_open = true;
    *out = sm;
    return BYW_OK;
}

void byw_sm_free(struct byw_sm *sm)
{
    if (sm == NULL)
        return;
    byw_fetch_release(&sm->fetch);
    byw_throttle_release(&sm->throttle);
    byw_outlet_release(&sm->outlet);
    byw_warps_release_windows(&sm->warps);
    byw_schedule_release(&sm->warps.schedule);
    byw_stalls_free(sm->warps.stalls);
    for (uint32_t i = 0; i < BYW_SM_CTAS; i++)
        byw_cta_release(&sm->slot[i].cta);
    free(sm);
}

enum byw_status byw_sm_fault(const struct byw_sm *sm, struct byw_diag *diag)
{
    if (sm->warps.status != BYW_OK && diag != NULL)
        *diag = sm->warps.diag;
    return sm->warps.status;
}

void byw_sm_watch(struct byw_sm *sm, struct byw_waves *waves, bool model)
{
    sm->waves = waves;
    sm->levels = model;
}

void byw_sm_stay_awake(struct byw_sm *sm)
{
    sm->sleepless = true;
}

enum byw_status byw_sm_count_stalls(struct byw_sm *sm)
{
    sm->warps.stalls = byw_stalls_create();
    return sm->warps.stalls != NULL ? BYW_OK : BYW_ENOMEM;
}

const struct byw_stall_sums *byw_sm_stalls(const struct byw_sm *sm)
{
    return sm->warps.stalls != NULL ? byw_stalls_sums(sm->warps.stalls) : NULL;
}

/* --- ports to the memory side ------------------------------------------------------------- */

bool byw_sm_has_reply(const struct byw_sm *sm)
{
    return byw_memsys_reply(sm->memsys, sm->port) != NULL;
}

void byw_sm_lose_reply(struct byw_sm *sm)
{
    byw_memsys_pop(sm->memsys, sm->port);
}

/* Returns whether the reply at this SM's port is for the L1D.  Instruction lines are taken at
 * once. */
static bool take_reply(struct byw_sm *sm, struct byw_mem_rsp *rsp)
{
    const struct byw_txn *txn = byw_memsys_reply(sm->memsys, sm->port);

    if (txn == NULL)
        return false;
    if (txn->port == BYW_PORT_INST) {
        byw_fetch_fill(&sm->fetch, txn->id);
        byw_memsys_pop(sm->memsys, sm->port);
        sm->roused = true;
        return false;
    }
    rsp->data = NULL;
    rsp->id = sm->outlet.on ? byw_outlet_answer(&sm->outlet, txn->id)->id : txn->id;
    rsp->kind = sm->outlet.on ? byw_outlet_answer(&sm->outlet, txn->id)->port : txn->port;
    rsp->error = false;
    rsp->mispredict = txn->mispredict;
    return true;
}

/* The 4-byte words without a written byte, for a write of `size` bytes at `offset` in the line. */
static uint32_t holes(const struct byw_byte_mask *bytes, uint32_t offset, uint32_t size)
{
    uint32_t none = 0;

    for (uint32_t word = 0; word < size / 4; word++) {
        uint32_t at = offset + 4 * word;

        if ((bytes->w[at / 64] >> at % 64 & 15) == 0)
            none |= UINT32_C(1) << word;
    }
    return none;
}

/* The advice for a load; UINT8_MAX: none.  A gather sends consecutive requests of the same load, so
 * the last result is cached. */
static uint8_t advice_for(struct byw_sm *sm, uint32_t pc)
{
    if (sm->ldst.advice == NULL)
        return UINT8_MAX;
    if (pc != sm->sent_pc) {
        sm->sent_pc = pc;
        sm->sent_hint = UINT8_MAX;
        byw_load_hint(sm->ldst.advice, pc - (uint32_t)sm->fetch.code, &sm->sent_hint);
    }
    return sm->sent_hint;
}

/* Sets RDNA2's flags of a load: those of its advice or, without advice, those of hint.loads. */
static void flag(struct byw_sm *sm, const struct byw_mem_req *req, struct byw_txn *txn)
{
    uint8_t hint = advice_for(sm, req->pc);
    bool is_volatile = sm->config->hint_loads == BYW_LOADS_VOLATILE;

    txn->nontemporal = sm->config->hint_loads == BYW_LOADS_NONTEMPORAL;
    if (hint != UINT8_MAX) {
        is_volatile = hint == BYW_HINT_VOLATILE;
        txn->nontemporal = hint == BYW_ADVICE_NONTEMPORAL ||
                           (hint == BYW_HINT_BYPASS && sm->config->l2_no_allocate != 0);
    }
    txn->is_volatile = is_volatile && req->bypass;
}

/* The byte mask of a request, shifted to the position of its beat in the line. */
static struct byw_byte_mask in_line(const struct byw_config *config, const struct byw_mem_req *req)
{
    uint32_t first = config->l1d_beat * req->beat;
    struct byw_byte_mask mask = {{0, 0}};

    if (first == 0)
        return req->bytes;
    mask.w[first / 64] = req->bytes.w[0] << first % 64;
    return mask;
}

static void send(struct byw_sm *sm, const struct byw_mem_req *req, uint64_t now)
{
    uint32_t line = sm->config->l1d_line, offset = 0, bytes = line;
    struct byw_byte_mask mask = in_line(sm->config, req);
    struct byw_txn txn = {.id = req->id,
                          .pc = req->pc,
                          .port = req->kind,
                          .bypass = req->bypass,
                          .predicted = req->predicted};

    if (req->kind != BYW_MEM_FILL || sm->config->l1d_sectors > 1)
        bytes = byw_mask_extent(&mask, sm->config->coalesce_min, &offset);
    txn.addr = req->line * line + offset;
    txn.bytes = (uint16_t)bytes;
    txn.sm = (uint16_t)sm->port;
    if (req->atomic)
        txn.kind = BYW_TXN_ATOMIC;
    else if (req->kind == BYW_MEM_WRITEBACK)
        txn.kind = BYW_TXN_WRITEBACK;
    else
        txn.kind = req->write ? BYW_TXN_WRITE : BYW_TXN_READ;
    if (req->write)
        txn.holes = holes(&mask, offset, bytes);
    if (txn.kind == BYW_TXN_READ)
        flag(sm, req, &txn);
    if (sm->outlet.on)
        byw_outlet_push(&sm->outlet, &txn, now);
    else
        byw_memsys_push(sm->memsys, &txn);
}

static void take_response(struct byw_sm *sm, const struct byw_rsp *rsp, uint64_t now)
{
    /* Data from a line need the cache's access latency, the response of a bypass may not. */
    bool passes = rsp->served == BYW_SERVED_BYPASS && sm->config->bypass_extra == 0;
    uint32_t access = passes ? 0 : sm->config->load_extra;

    if (rsp->served == BYW_SERVED_DONE)
        return;
    if ((rsp->id & BYW_STORE_ID) != 0) {
        byw_warps_store_answer(&sm->warps, rsp->id & (BYW_STORE_ID - 1));
        sm->roused = sm->roused || sm->warps.drained != 0;
        return;
    }
    if (sm->warps.stalls != NULL)
        byw_stalls_answer(sm->warps.stalls, (uint16_t)rsp->id, rsp->served);
    if (byw_warps_load_answer(&sm->warps, (uint16_t)rsp->id, now, access))
        sm->roused = true;
}

static void l1d_catch_up(struct byw_sm *sm, uint64_t now)
{
    if (now > sm->l1d_stepped)
        byw_cluster_sleep(sm->cluster, sm->number, now - sm->l1d_stepped);
    sm->l1d_stepped = now;
}

static void throttle_load(struct byw_sm *sm, const struct byw_req *req, uint64_t now)
{
    const struct byw_throttle_load load = {
        .line = req->line,
        .instructions = sm->counters.warp_instructions,
        .warp = req->warp,
        .active = (uint32_t)__builtin_popcountll(sm->warps.live & ~sm->warps.ended),
    };

    sm->throttle.ops->loaded(sm->throttle.self, &load, now);
}

/* Counts the beats of a fill's reply; true for the last one. */
static bool last_beat(struct byw_sm *sm, const struct byw_mem_rsp *rsp)
{
    uint32_t beat = sm->config->l1d_beat;

    if (rsp->kind != BYW_MEM_FILL || beat == 0 || ++sm->fill_beats == sm->config->l1d_line / beat) {
        if (rsp->kind == BYW_MEM_FILL)
            sm->fill_beats = 0;
        return true;
    }
    return false;
}

/* Prefetches into the host's cache what the next two replies need: the packet of the second one,
 * and the MSHR of the first one, whose packet was prefetched in an earlier cycle. */
static void expect_replies(const struct byw_sm *sm)
{
    const struct byw_outlet_request *request;
    uint32_t id;
    uint8_t port;

    if (byw_memsys_coming(sm->memsys, sm->port, 1, &id, &port) && port != BYW_PORT_INST)
        byw_outlet_prefetch(&sm->outlet, id);
    if (!byw_memsys_coming(sm->memsys, sm->port, 0, &id, &port) || port == BYW_PORT_INST)
        return;
    request = byw_outlet_answer(&sm->outlet, id);
    if (request->port == BYW_MEM_FILL)
        byw_cluster_expect(sm->cluster, sm->number, request->id);
}

/* The L1D has taken the response at its port. */
static void response_taken(struct byw_sm *sm, const struct byw_mem_rsp *rsp, uint64_t now)
{
    const struct byw_txn *txn = byw_memsys_reply(sm->memsys, sm->port);

    if (sm->warps.stalls != NULL && sm->outlet.on)
        byw_stalls_reply(sm->warps.stalls, sm->outlet.packet[txn->id].addr / sm->config->l1d_line,
                         txn->fetched, now);
    if (!last_beat(sm, rsp) || (sm->outlet.on && !byw_outlet_served(&sm->outlet, txn->id)))
        return;
    byw_memsys_pop(sm->memsys, sm->port);
    if (sm->outlet.on)
        expect_replies(sm);
}

/* Handles the outputs of the L1D's three ports. */
static void take_outputs(struct byw_sm *sm, const struct byw_l1d_in *in,
                         const struct byw_l1d_out *out, uint64_t now)
{
    bool taken = in->req_valid && out->req_ready;

    if (in->mem_rsp_valid && out->mem_rsp_ready)
        response_taken(sm, &in->mem_rsp, now);
    if (taken && in->req.op == BYW_OP_LOAD && !in->req.more && byw_throttle_counts(&sm->throttle))
        throttle_load(sm, &in->req, now);
    if (taken) {
        sm->line_taken = in->req.line;
        if (sm->warps.stalls != NULL)
            byw_ldst_note(&sm->ldst, &sm->warps, &in->req);
        byw_ldst_accepted(&sm->ldst, &sm->warps, now);
    }
    sm->l1d_refuses = in->req_valid && !taken;
    sm->l1d_open =
        out->req_ready || (!in->req_valid && byw_cluster_queues(sm->cluster, sm->number));
    if (out->mem_req_valid && in->mem_req_ready)
        send(sm, &out->mem_req, now);
    if (out->rsp_valid)
        take_response(sm, &out->rsp, now);
}

/* Sets the L1D's control inputs of this cycle. */
static void tell_l1d(const struct byw_sm *sm, struct byw_l1d_ctrl *ctrl)
{
    ctrl->kernel_start = sm->launch;
    ctrl->filter_on = false;
    ctrl->bypass = false;
    ctrl->cta_placed = sm->placed;
    ctrl->kernel_pc = sm->kernel_pc;
    ctrl->active_warps = sm->active_warps;
}

/* Whether the load/store unit has a request for the L1D.  first: in the L1D's first cycle within an
 * SM cycle, any request; otherwise only one of the same instruction and line as the last one. */
static bool offers(struct byw_sm *sm, bool first, uint64_t now)
{
    if (first)
        return byw_ldst_offers(&sm->ldst, &sm->warps, now);
    return byw_ldst_stuck(&sm->ldst) &&
           (sm->line_taken == NO_LINE || byw_ldst_line(&sm->ldst) == sm->line_taken);
}

/* One cycle of the L1D with the inputs of its three ports; first: it is the first L1D cycle of the
 * SM cycle.  Returns whether there was anything to do. */
static bool offer_l1d(struct byw_sm *sm, bool first, uint64_t now)
{
    struct byw_l1d_in in;
    struct byw_l1d_out out;
    bool watched = first && sm->waves != NULL && byw_waves_in(sm->waves, now);

    in.mem_rsp_valid = take_reply(sm, &in.mem_rsp);
    in.req_valid = offers(sm, first, now);
    if (!sm->l1d_busy && !in.mem_rsp_valid && !sm->launch && !(sm->placed && sm->counts_warps) &&
        (!in.req_valid || sm->l1d_refuses) && !watched)
        return false;
    in.rst = false;
    tell_l1d(sm, &in.ctrl);
    in.rsp_ready = true;
    in.mem_req_ready =
        sm->outlet.on ? byw_outlet_ready(&sm->outlet) : byw_memsys_ready(sm->memsys, sm->port);
    if (in.req_valid) {
        byw_ldst_request(&sm->ldst, &in.req);
        in.req.pc += (uint32_t)sm->fetch.code; /* gives each kernel its own PCs */
    }
    l1d_catch_up(sm, now);
    sm->l1d_stepped = now + 1;
    byw_cluster_sm(sm->cluster, sm->number, &in, &out);
    if (watched)
        byw_waves_sample(sm->waves, now, &in, &out,
                         sm->levels ? byw_cluster_l1d(sm->cluster, sm->number) : NULL,
                         byw_cluster_filter_on(sm->cluster, sm->number));
    sm->launch = sm->placed = false;
    take_outputs(sm, &in, &out, now);
    sm->l1d_busy = !byw_cluster_asleep(sm->cluster, sm->number, true);
    if (!sm->l1d_busy) /* the result of the last step may be outdated */
        sm->l1d_open = byw_cluster_takes(sm->cluster, sm->number, sm->l1d_open);
    return true;
}

static void step_l1d(struct byw_sm *sm, uint64_t now)
{
    uint32_t cycles = sm->config->l1d_rate;
    bool works;

    sm->line_taken = NO_LINE;
    works = offer_l1d(sm, true, now);
    for (uint32_t i = 1; i < cycles && works; i++)
        works = offer_l1d(sm, false, now);
    if (sm->outlet.on)
        byw_outlet_send(&sm->outlet, sm->memsys, now);
    byw_ldst_pass(&sm->ldst, &sm->warps, sm->l1d_open, now);
}

/* Updates the number of active warps from the next cycle on; it is constant while the SM sleeps. */
static void tell_warps(struct byw_sm *sm, uint64_t now)
{
    uint8_t warps = (uint8_t)__builtin_popcountll(sm->warps.buffered & sm->warps.live);

    if (warps == sm->active_warps)
        return;
    l1d_catch_up(sm, now + 1);
    byw_cluster_warps(sm->cluster, sm->number, warps);
    sm->active_warps = warps;
}

static void send_fetch(struct byw_sm *sm)
{
    struct byw_txn txn;

    if (!byw_fetch_wants(&sm->fetch) || !byw_memsys_ready(sm->memsys, sm->port))
        return;
    txn = (struct byw_txn){.kind = BYW_TXN_INST, .port = BYW_PORT_INST};
    txn.id = byw_fetch_line(&sm->fetch, &txn.addr);
    txn.bytes = (uint16_t)sm->config->icache_line;
    txn.sm = (uint16_t)sm->port;
    byw_memsys_push(sm->memsys, &txn);
    byw_fetch_sent(&sm->fetch, txn.id);
}

/* --- a cycle ------------------------------------------------------------------------------ */

/* The cycle until which nothing can happen in the core (schedulers, fetch, ends of warps) unless
 * the memory path wakes it; now + 1 if it has work. */
static uint64_t core_rest(struct byw_sm *sm, uint64_t now)
{
    uint64_t ready = sm->warps.ready & sm->warps.buffered;
    uint32_t schedulers = sm->sched.count; /* read once: a store of a byte may alias it */

    assert(schedulers <= BYW_SCHED_MAX);
    if (!byw_fetch_asleep(&sm->fetch, &sm->warps))
        return now + 1;
    if (ready != 0) {
        byw_units_begin(&sm->units, now + 1);
        if (byw_sm_with_room(sm, now + 1) != 0)
            return now + 1;
        if (!sm->stages.on && (ready & ~sm->warps.next[BYW_UNIT_LSU]) != 0 &&
            byw_units_recover(&sm->units, &sm->ldst))
            return now + 1;
        if (sm->sched.kind == BYW_SCHED_TWO_LEVEL)
            return now + 1;
    }
    if (byw_fetch_wants(&sm->fetch) || sm->warps.drained != 0)
        return now + 1;
    for (uint32_t s = 0; s < schedulers; s++)
        sm->idle_slot[s] = (uint8_t)byw_sm_idle_reason(sm, s);
    return byw_warps_next(&sm->warps, now);
}

/* The cycle in which the load/store unit or the L1D next has work, unless a reply arrives first. */
static uint64_t memory_rest(const struct byw_sm *sm, uint64_t now)
{
    uint64_t at = byw_ldst_next(&sm->ldst);

    if (byw_sm_l1d_busy(sm))
        return now + 1;
    if (at > now)
        return at;
    return sm->l1d_refuses && byw_ldst_stuck(&sm->ldst) ? UINT64_MAX : now + 1;
}

bool byw_sm_l1d_busy(const struct byw_sm *sm)
{
    return sm->l1d_busy || byw_outlet_busy(&sm->outlet);
}

static void core_catch_up(struct byw_sm *sm, uint64_t now)
{
    uint64_t cycles = now - sm->stepped;

    if (cycles == 0)
        return;
    for (uint32_t s = 0; s < sm->sched.count; s++)
        sm->counters.slot[sm->idle_slot[s]] += cycles;
    if (sm->ctas != 0)
        sm->counters.cycles_active += cycles;
    sm->stepped = now;
}

void byw_sm_catch_up(struct byw_sm *sm, uint64_t now)
{
    l1d_catch_up(sm, now);
    core_catch_up(sm, now);
}

static uint32_t free_slot(const struct byw_sm *sm)
{
    uint32_t i = 0;

    while (sm->slot[i].used)
        i++;
    return i;
}

struct byw_cta *byw_sm_cta(struct byw_sm *sm)
{
    return &sm->slot[free_slot(sm)].cta;
}

/* If the warp runs machine code, starts to count what it waits for. */
static void note_placed(struct byw_sm *sm, uint32_t w, uint64_t now)
{
    const struct byw_warp *warp = &sm->warps.warp[w];
    bool counted = byw_warps_machine(&sm->warps, w) && warp->records != 0;

    if (sm->warps.stalls != NULL)
        byw_stalls_place(sm->warps.stalls, w,
                         counted ? warp->pc / BYW_MACHINE_INST_BYTES : UINT32_MAX, now);
}

void byw_sm_start(struct byw_sm *sm, uint64_t now)
{
    uint32_t number = free_slot(sm);
    struct byw_cta_slot *slot = &sm->slot[number];

    byw_sm_catch_up(sm, now);
    sm->newest = number;
    slot->used = true;
    slot->warps = 0;
    slot->arrived = 0;
    for (uint32_t i = 0; i < slot->cta.warp_count; i++) {
        uint32_t w = (uint32_t)__builtin_ctzll(~sm->warps.live);

        if (slot->cta.windows != NULL)
            byw_warps_place_windowed(&sm->warps, w, &slot->cta, i, number);
        else
            byw_warps_place(&sm->warps, w, &slot->cta, &slot->cta.warp[i], number);
        byw_throttle_place(&sm->throttle, w);
        note_placed(sm, w, now);
        slot->warps |= (uint64_t)1 << w;
    }
    sm->ctas++;
    sm->placed = true;
    sm->core_wake = now;
}

void byw_sm_hold(struct byw_sm *sm, uint64_t now, uint64_t until)
{
    for (uint64_t m = sm->slot[sm->newest].warps; m != 0; m &= m - 1)
        byw_warps_hold(&sm->warps, (uint32_t)__builtin_ctzll(m), now, until);
}

static void fetch(struct byw_sm *sm, uint64_t now)
{
    uint64_t before = sm->warps.buffered;

    byw_fetch_step(&sm->fetch, &sm->warps);
    if (sm->warps.stalls == NULL)
        return;
    for (uint64_t fresh = sm->warps.buffered & ~before; fresh != 0; fresh &= fresh - 1)
        byw_stalls_until(sm->warps.stalls, (uint32_t)__builtin_ctzll(fresh), BYW_STALL_FETCH,
                         now + 1);
}

/* The core's part of a cycle.  Returns the cycle of its next step. */
static uint64_t step_core(struct byw_sm *sm, uint64_t now)
{
    bool busy;

    core_catch_up(sm, now);
    sm->stepped = now + 1;
    sm->counters.cycles_active += sm->ctas != 0;
    byw_warps_turn(&sm->warps, now);
    if (sm->warps.drained != 0)
        byw_sm_retire(sm, now);
    busy = byw_stages_step(&sm->stages, &sm->warps, &sm->ldst, now);
    busy |= byw_sm_issue(sm, now);
    fetch(sm, now);
    send_fetch(sm);
    if (sm->counts_warps)
        tell_warps(sm, now);
    /* A step without work does no harm and is rare after an issue. */
    return busy ? now + 1 : core_rest(sm, now);
}

uint64_t byw_sm_step(struct byw_sm *sm, uint64_t now)
{
    uint32_t queued = sm->ldst.count;
    bool fresh = sm->ldst.fresh;
    uint64_t rest;

    sm->roused = false;
    step_l1d(sm, now);
    /* The memory path informs the core of completed loads, ended warps whose last store is
     * acknowledged, instruction lines, and (here) room in the load/store unit's queue or, with
     * stages, in front of it.  Nothing else there can affect the core. */
    if (sm->core_wake <= now || sm->roused || sm->ldst.count != queued || sm->ldst.fresh != fresh ||
        sm->sleepless)
        sm->core_wake = step_core(sm, now);
    rest = memory_rest(sm, now);
    return rest < sm->core_wake ? rest : sm->core_wake;
}

void byw_sm_prefetch(const struct byw_sm *sm)
{
    const char *at = (const char *)sm, *end = (const char *)&sm->warps.results;

    for (; at < end; at += 64)
        __builtin_prefetch(at, 0, 2);
}

void byw_sm_counters(const struct byw_sm *sm, struct byw_sm_counters *counters)
{
    *counters = sm->counters;
    counters->coalesced = sm->ldst.coalesced;
    counters->shared_conflict_cycles = sm->ldst.conflict_cycles;
    counters->icache_misses = sm->fetch.misses;
    counters->combined = sm->outlet.combined;
    counters->bypass_joins = sm->outlet.shared;
    counters->merged_stores = sm->outlet.merged;
}
