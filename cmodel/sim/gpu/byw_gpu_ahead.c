/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_gpu_ahead.c - The leader: it runs the memory side, and places CTAs on SMs that run ahead.
 */
#include "sim/gpu/byw_gpu_ahead.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    PARTITIONS_PER_THREAD = 8, /* enough to give threads equal work */
    QUANTUM = 48, /* cycles of a step with several threads */
    CHUNK = 24, /* cycles by which the leader advances the memory side, unless it is idle */
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
    a->partitions = a->threads > 1 ? PARTITIONS_PER_THREAD * a->threads : 1;
    if (a->partitions > n)
        a->partitions = n;
    a->quantum = a->threads > 1 ? QUANTUM : BYW_AHEAD_MAX;
    a->sm = aligned_alloc(alignof(struct byw_sm_time), n * sizeof(*a->sm));
    a->partition =
        aligned_alloc(alignof(struct byw_partition), a->partitions * sizeof(*a->partition));
    if (a->sm != NULL)
        memset(a->sm, 0, n * sizeof(*a->sm));
    if (a->partition != NULL)
        memset(a->partition, 0, a->partitions * sizeof(*a->partition));
    if (a->sm == NULL || a->partition == NULL || byw_memsys_lookahead(gpu->memsys) != BYW_OK)
        return byw_diag_set(gpu->diag, BYW_ENOMEM, "out of memory for %u SMs", n);
    return byw_partitions_start(gpu);
}

void byw_gpu_ahead_free(struct gpu *gpu)
{
    struct byw_gpu_ahead *a = gpu->ahead;

    if (a == NULL)
        return;
    if (a->started > 0)
        byw_partitions_stop(gpu);
    free(a->sm);
    free(a->partition);
    free(a);
    gpu->ahead = NULL;
}

bool byw_gpu_may_run_ahead(struct gpu *gpu)
{
    return gpu->ahead != NULL && gpu->now >= gpu->all_start &&
           (gpu->sampler == NULL || byw_gpu_sample_over(gpu)) && !byw_memsys_tight(gpu->memsys);
}

/* --- a round ------------------------------------------------------------------------------ */

/* The earliest cycle of an SM in a state; UINT64_MAX: no SM is in it. */
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

/* All SMs have reached cycle `now`: each SM that waits in it gets a CTA, in turn.  Once no CTA is
 * left, the waiting SMs resume. */
static enum byw_status place(struct gpu *gpu, uint64_t now)
{
    uint32_t n = gpu->config->sm_count, first = gpu->first_sm;
    struct byw_sm_time *sm = gpu->ahead->sm;

    for (uint32_t i = 0; i < n && gpu->grid_left; i++) {
        uint32_t s = (first + i) % n;
        enum byw_status st;

        if (!byw_sm_is(gpu, s, BYW_SM_WAITS) || sm[s].at != now || byw_gpu_passed_over(gpu, s))
            continue;
        st = byw_gpu_give_cta(gpu, s, now);
        if (st == BYW_OK)
            byw_partition_give(gpu, s);
        else if (st != BYW_END)
            return st;
    }
    for (uint32_t s = 0; s < n && !gpu->grid_left; s++) {
        if (!byw_sm_is(gpu, s, BYW_SM_WAITS))
            continue;
        if (byw_sm_ctas(gpu->sm[s]) == 0) {
            atomic_fetch_sub_explicit(&gpu->ahead->stopped[BYW_SM_WAITS], 1, memory_order_relaxed);
            byw_partition_stop_sm(gpu, s, BYW_SM_EMPTY);
        } else {
            byw_partition_give(gpu, s);
        }
    }
    return BYW_OK;
}

/* The progress of the SMs, as the leader sees it. */
struct front {
    uint64_t low; /* the lowest cycle among the SMs with a CTA */
    uint64_t waiting; /* the lowest cycle of an SM that waits for a CTA */
    uint64_t next; /* no running SM has work before this cycle */
    bool level; /* all running SMs are at `reach` */
};

static struct front look(struct gpu *gpu)
{
    struct byw_gpu_ahead *a = gpu->ahead;
    uint64_t reach = atomic_load_explicit(&a->reach, memory_order_relaxed);
    struct front front = {.low = UINT64_MAX, .next = UINT64_MAX, .level = true};

    for (uint32_t k = 0; k < a->partitions; k++) {
        struct byw_partition *partition = &a->partition[k];
        uint64_t low = byw_partition_low(partition);

        if (low < front.low)
            front.low = low;
        if (low == UINT64_MAX)
            continue;
        if (low != reach || !byw_partition_accepted(partition))
            front.level = false;
        else if (atomic_load_explicit(&partition->next, memory_order_relaxed) < front.next)
            front.next = atomic_load_explicit(&partition->next, memory_order_relaxed);
    }
    front.waiting = earliest(gpu, BYW_SM_WAITS);
    return front;
}

/* Steps the SMs without CTAs up to cycle `reach`.  Returns the lowest cycle among them. */
static uint64_t run_empty(struct gpu *gpu, uint64_t reach, uint64_t *next)
{
    uint64_t low = reach;

    for (uint32_t s = 0; s < gpu->config->sm_count && byw_sms_stopped(gpu, BYW_SM_EMPTY) > 0; s++) {
        uint64_t then;

        if (!byw_sm_is(gpu, s, BYW_SM_EMPTY))
            continue;
        then = byw_partition_run_sm(gpu, s, true, reach);
        if (then < *next)
            *next = then;
        if (gpu->ahead->sm[s].at < low)
            low = gpu->ahead->sm[s].at;
    }
    return low;
}

/* The highest cycle among the stopped SMs. */
static uint64_t latest(const struct gpu *gpu)
{
    uint64_t last = gpu->now;

    for (uint32_t s = 0; s < gpu->config->sm_count; s++)
        if (!byw_sm_is(gpu, s, BYW_SM_RUNS) && gpu->ahead->sm[s].at > last)
            last = gpu->ahead->sm[s].at;
    return last;
}

/* Advances the memory side to the slowest SM.  In lock step with the SMs, it may continue to the
 * next cycle in which an SM has work. */
static void follow(struct gpu *gpu, uint64_t low, uint64_t until)
{
    struct byw_gpu_ahead *a = gpu->ahead;
    uint64_t reach = byw_memsys_reach(gpu->memsys), before = byw_memsys_cycle(gpu->memsys);

    if (byw_memsys_leads(gpu->memsys) || until > a->horizon)
        until = a->horizon;
    byw_memsys_run(gpu->memsys, low - a->base, until - a->base);
    if (before == byw_memsys_cycle(gpu->memsys) && reach == byw_memsys_reach(gpu->memsys))
        byw_partitions_pause(gpu);
    gpu->now = low;
}

/* Steps the SMs, then the memory side.  *ended: the launch has ended, in cycle gpu->now. */
static enum byw_status go_round(struct gpu *gpu, bool *ended)
{
    struct byw_gpu_ahead *a = gpu->ahead;
    uint64_t reach = byw_memsys_reach(gpu->memsys) + a->base, low;
    struct front front;

    byw_partitions_reach(gpu, reach < a->horizon ? reach : a->horizon);
    if (a->threads == 1)
        byw_partitions_work(gpu, 0);
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
    /* The memory side must not pass the end of the launch, which only the SMs know. */
    assert(!*ended || byw_memsys_first(gpu->memsys) + a->base <= low);
    front.level = front.level && reach == low && front.waiting == UINT64_MAX && !*ended;
    if (*ended)
        a->horizon = low;
    if (a->threads == 1 || *ended || front.level ||
        reach >= byw_memsys_cycle(gpu->memsys) + a->base + CHUNK || !byw_partitions_work(gpu, 0))
        follow(gpu, reach, front.level ? front.next : reach);
    return BYW_OK;
}

/* --- a launch ----------------------------------------------------------------------------- */

/* The latest cycle in which all SMs must meet. */
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
    byw_partitions_reach(gpu, gpu->now);
    for (uint32_t s = 0; s < gpu->config->sm_count; s++) {
        a->sm[s].at = gpu->now;
        atomic_store(&a->sm[s].state, BYW_SM_RUNS);
        if (gpu->grid_left && byw_sm_has_room(gpu->sm[s]))
            byw_partition_stop_sm(gpu, s, BYW_SM_WAITS);
        else if (byw_sm_ctas(gpu->sm[s]) == 0)
            byw_partition_stop_sm(gpu, s, BYW_SM_EMPTY);
        else
            byw_partition_give(gpu, s);
    }
    byw_partitions_go(gpu);
}

/* Few packets are free: lets all SMs meet at the highest cycle that one may have reached. */
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
        byw_partitions_horizon(gpu);
    }
    byw_partitions_rest(gpu);
    /* After an error, SMs and memory side are in different cycles and are not used again. */
    if (st == BYW_OK)
        byw_memsys_join(gpu->memsys);
    return st;
}
