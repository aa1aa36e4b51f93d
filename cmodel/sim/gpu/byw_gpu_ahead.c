/* SPDX-License-Identifier: Apache-2.0
 *
 * The leader's rounds, and a lane's sweep: byw_gpu_ahead.h.
 */
#include "sim/gpu/byw_gpu_ahead.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    LANES_PER_THREAD = 8, /* so that threads can have equal work */
    QUANTUM = 48, /* cycles of a sweep of several threads */
    CHUNK = 24, /* cycles that the leader takes the memory side on by, unless it has nothing else */
};

enum byw_status byw_gpu_ahead_init(struct gpu *gpu)
{
    const struct byw_gpu_options *o = gpu->options;
    uint32_t n = gpu->config->sm_count;
    struct byw_gpu_ahead *a;

    if (o->every_cycle || gpu->waves != NULL || o->lose_reply != 0 || o->watch != NULL)
        return BYW_OK;
    a = aligned_alloc(alignof(struct byw_gpu_ahead), sizeof(*a));
    if (a == NULL)
        return byw_diag_set(gpu->diag, BYW_ENOMEM, "out of memory for %u SMs", n);
    memset(a, 0, sizeof(*a));
    gpu->ahead = a;
    a->crowded = 1;
    a->threads = o->threads > 1 && o->profile == NULL ? o->threads : 1;
    if (a->threads > BYW_THREADS_MAX)
        a->threads = BYW_THREADS_MAX;
    a->lanes = a->threads > 1 ? LANES_PER_THREAD * a->threads : 1;
    if (a->lanes > n)
        a->lanes = n;
    a->quantum = a->threads > 1 ? QUANTUM : BYW_AHEAD_MAX;
    a->sm = aligned_alloc(alignof(struct byw_sm_time), n * sizeof(*a->sm));
    a->lane = aligned_alloc(alignof(struct byw_lane), a->lanes * sizeof(*a->lane));
    if (a->sm != NULL)
        memset(a->sm, 0, n * sizeof(*a->sm));
    if (a->lane != NULL)
        memset(a->lane, 0, a->lanes * sizeof(*a->lane));
    if (a->sm == NULL || a->lane == NULL || byw_memsys_lookahead(gpu->memsys) != BYW_OK)
        return byw_diag_set(gpu->diag, BYW_ENOMEM, "out of memory for %u SMs", n);
    return byw_lanes_start(gpu);
}

void byw_gpu_ahead_free(struct gpu *gpu)
{
    struct byw_gpu_ahead *a = gpu->ahead;

    if (a == NULL)
        return;
    if (a->started > 0)
        byw_lanes_stop(gpu);
    free(a->sm);
    free(a->lane);
    free(a);
    gpu->ahead = NULL;
}

bool byw_gpu_may_run_ahead(struct gpu *gpu)
{
    return gpu->ahead != NULL && (gpu->sampler == NULL || byw_gpu_sample_over(gpu)) &&
           !byw_memsys_tight(gpu->memsys);
}

/* --- a round ------------------------------------------------------------------------------ */

/* The earliest cycle of an SM that has stopped in a state; UINT64_MAX: there is none. */
static uint64_t earliest(const struct gpu *gpu, enum byw_sm_state state)
{
    uint64_t first = UINT64_MAX;

    if (byw_sms_stopped(gpu, state) == 0)
        return first;
    for (uint32_t s = 0; s < gpu->config->sm_count; s++)
        if (byw_sm_is(gpu, s, state) && gpu->ahead->sm[s].at < first)
            first = gpu->ahead->sm[s].at;
    return first;
}

/* All SMs have come to cycle `now`: those with room for a CTA get one each, in turn.  Without CTAs
 * left, those that still wait for one need not. */
static enum byw_status place(struct gpu *gpu, uint64_t now)
{
    uint32_t n = gpu->config->sm_count, first = gpu->first_sm;
    struct byw_sm_time *sm = gpu->ahead->sm;

    for (uint32_t i = 0; i < n && gpu->grid_left; i++) {
        uint32_t s = (first + i) % n;
        enum byw_status st;

        if (!byw_sm_is(gpu, s, BYW_SM_WAITS) || sm[s].at != now)
            continue;
        st = byw_gpu_give_cta(gpu, s, now);
        if (st == BYW_OK)
            byw_lane_give(gpu, s);
        else if (st != BYW_END)
            return st;
    }
    for (uint32_t s = 0; s < n && !gpu->grid_left; s++) {
        if (!byw_sm_is(gpu, s, BYW_SM_WAITS))
            continue;
        if (byw_sm_ctas(gpu->sm[s]) == 0) {
            atomic_fetch_sub_explicit(&gpu->ahead->stopped[BYW_SM_WAITS], 1, memory_order_relaxed);
            byw_lane_stop_sm(gpu, s, BYW_SM_EMPTY);
        } else {
            byw_lane_give(gpu, s);
        }
    }
    return BYW_OK;
}

/* What the leader knows of the SMs. */
struct front {
    uint64_t low; /* the cycle the last SM with a CTA has come to */
    uint64_t waiting; /* the first cycle of one that waits for a CTA */
    uint64_t next; /* no running SM does anything before */
    bool level; /* all running SMs are at `reach` */
};

static struct front look(struct gpu *gpu)
{
    struct byw_gpu_ahead *a = gpu->ahead;
    uint64_t reach = atomic_load_explicit(&a->reach, memory_order_relaxed);
    struct front front = {.low = UINT64_MAX, .next = UINT64_MAX, .level = true};

    for (uint32_t k = 0; k < a->lanes; k++) {
        struct byw_lane *lane = &a->lane[k];
        uint64_t low = byw_lane_low(lane);

        if (low < front.low)
            front.low = low;
        if (low == UINT64_MAX)
            continue;
        if (low != reach || !byw_lane_accepted(lane))
            front.level = false;
        else if (atomic_load_explicit(&lane->next, memory_order_relaxed) < front.next)
            front.next = atomic_load_explicit(&lane->next, memory_order_relaxed);
    }
    front.waiting = earliest(gpu, BYW_SM_WAITS);
    return front;
}

/* SMs without CTAs up to cycle `reach`; returns how far the last one has come. */
static uint64_t run_empty(struct gpu *gpu, uint64_t reach, uint64_t *next)
{
    uint64_t low = reach;

    for (uint32_t s = 0; s < gpu->config->sm_count && byw_sms_stopped(gpu, BYW_SM_EMPTY) > 0; s++) {
        uint64_t then;

        if (!byw_sm_is(gpu, s, BYW_SM_EMPTY))
            continue;
        then = byw_lane_run_sm(gpu, s, true, reach);
        if (then < *next)
            *next = then;
        if (gpu->ahead->sm[s].at < low)
            low = gpu->ahead->sm[s].at;
    }
    return low;
}

/* The last cycle that an SM which has stopped has come to. */
static uint64_t latest(const struct gpu *gpu)
{
    uint64_t last = gpu->now;

    for (uint32_t s = 0; s < gpu->config->sm_count; s++)
        if (!byw_sm_is(gpu, s, BYW_SM_RUNS) && gpu->ahead->sm[s].at > last)
            last = gpu->ahead->sm[s].at;
    return last;
}

/* The memory side follows the last SM, or where it keeps step with them, goes on to where one does
 * something next. */
static void follow(struct gpu *gpu, uint64_t low, uint64_t until)
{
    struct byw_gpu_ahead *a = gpu->ahead;
    uint64_t reach = byw_memsys_reach(gpu->memsys), before = byw_memsys_cycle(gpu->memsys);

    if (byw_memsys_leads(gpu->memsys) || until > a->horizon)
        until = a->horizon;
    byw_memsys_run(gpu->memsys, low - a->base, until - a->base);
    if (before == byw_memsys_cycle(gpu->memsys) && reach == byw_memsys_reach(gpu->memsys))
        byw_lanes_pause(gpu);
    gpu->now = low;
}

/* SMs, then the memory side; *ended: all came to the end of the launch, in the cycle gpu->now. */
static enum byw_status go_round(struct gpu *gpu, bool *ended)
{
    struct byw_gpu_ahead *a = gpu->ahead;
    uint64_t reach = byw_memsys_reach(gpu->memsys) + a->base, low;
    struct front front;

    byw_lanes_reach(gpu, reach < a->horizon ? reach : a->horizon);
    if (a->threads == 1)
        byw_lanes_work(gpu, 0);
    front = look(gpu);
    if (front.waiting != UINT64_MAX &&
        (!gpu->grid_left || (front.waiting <= front.low && front.waiting < a->horizon)))
        return place(gpu, front.waiting);
    low = front.low < front.waiting ? front.low : front.waiting;
    *ended = low == UINT64_MAX;
    if (*ended)
        low = latest(gpu);
    reach = run_empty(gpu, low, &front.next);
    *ended = *ended && reach == low;
    /* Only the SMs know where a launch ends. */
    assert(!*ended || byw_memsys_first(gpu->memsys) + a->base <= low);
    front.level = front.level && reach == low && front.waiting == UINT64_MAX && !*ended;
    if (*ended)
        a->horizon = low;
    if (a->threads == 1 || *ended || front.level ||
        reach >= byw_memsys_cycle(gpu->memsys) + a->base + CHUNK || !byw_lanes_work(gpu, 0))
        follow(gpu, reach, front.level ? front.next : reach);
    return BYW_OK;
}

/* --- a launch ----------------------------------------------------------------------------- */

/* The cycle in which all must meet at the latest. */
static uint64_t next_horizon(const struct gpu *gpu, uint64_t limit)
{
    uint64_t steady = byw_cluster_steady(gpu->cluster);
    uint64_t at = gpu->polled + BYW_POLL_CYCLES;

    if (at > gpu->now && steady < at - gpu->now)
        at = gpu->now + steady;
    if (at > limit)
        at = limit;
    return at > gpu->now ? at : gpu->now + 1;
}

static void cluster_up_to_now(struct gpu *gpu)
{
    byw_cluster_skip(gpu->cluster, gpu->now - gpu->ahead->ticked);
    gpu->ahead->ticked = gpu->now;
}

static void begin(struct gpu *gpu)
{
    struct byw_gpu_ahead *a = gpu->ahead;

    byw_memsys_part(gpu->memsys);
    atomic_store(&a->stopped[BYW_SM_WAITS], 0);
    atomic_store(&a->stopped[BYW_SM_EMPTY], 0);
    a->base = gpu->now - byw_memsys_cycle(gpu->memsys);
    a->ticked = gpu->now;
    byw_lanes_reach(gpu, gpu->now);
    for (uint32_t s = 0; s < gpu->config->sm_count; s++) {
        a->sm[s].at = gpu->now;
        atomic_store(&a->sm[s].state, BYW_SM_RUNS);
        if (gpu->grid_left && byw_sm_has_room(gpu->sm[s]))
            byw_lane_stop_sm(gpu, s, BYW_SM_WAITS);
        else if (byw_sm_ctas(gpu->sm[s]) == 0)
            byw_lane_stop_sm(gpu, s, BYW_SM_EMPTY);
        else
            byw_lane_give(gpu, s);
    }
    byw_lanes_go(gpu);
}

/* Packets are scarce: all SMs meet where the first may be. */
static void meet(struct gpu *gpu)
{
    struct byw_gpu_ahead *a = gpu->ahead;
    uint64_t memory = byw_memsys_first(gpu->memsys) + a->base;
    uint64_t first = atomic_load_explicit(&a->reach, memory_order_relaxed);

    if (first < memory)
        first = memory;
    if (first < a->horizon)
        a->horizon = first;
}

enum byw_status byw_gpu_run_ahead(struct gpu *gpu)
{
    struct byw_gpu_ahead *a = gpu->ahead;
    uint64_t limit = gpu->options->max_cycles != 0 ? gpu->options->max_cycles : UINT64_MAX;
    enum byw_status st = BYW_OK;
    bool ended = false;

    begin(gpu);
    while (st == BYW_OK && !ended && !gpu->stop && !byw_memsys_tight(gpu->memsys)) {
        a->horizon = next_horizon(gpu, limit);
        while (st == BYW_OK && !ended && gpu->now < a->horizon) {
            st = go_round(gpu, &ended);
            if (byw_memsys_tight(gpu->memsys))
                meet(gpu);
        }
        cluster_up_to_now(gpu);
        if (st == BYW_OK && !ended)
            st = byw_gpu_poll(gpu);
        gpu->stop = gpu->stop || gpu->now >= limit;
        byw_lanes_horizon(gpu);
    }
    byw_lanes_rest(gpu);
    /* After an error the SMs and the memory side are in different cycles, and nothing uses them. */
    if (st == BYW_OK)
        byw_memsys_join(gpu->memsys);
    return st;
}
