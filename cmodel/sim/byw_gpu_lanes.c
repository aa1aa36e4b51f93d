/* SPDX-License-Identifier: Apache-2.0
 *
 * Threads of one simulation.  Each thread, the leader included, takes the next lane that has not
 * been swept up to `reach`, its own lanes first; so nobody waits for a thread that the host has
 * given no processor.  One that finds nothing to do looks again for a while, then sleeps until the
 * leader comes to a horizon or a launch.
 */
#include <sched.h>

#include "sim/byw_gpu_ahead.h"

enum {
    LOOKS = 4000, /* of a thread before it sleeps; some 100 us */
    LOOKS_LED = 1000, /* of the leader before it yields to a thread that is in a lane */
};

static void relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

void byw_lanes_pause(struct gpu *gpu)
{
    if (++gpu->ahead->looks % LOOKS_LED != 0)
        relax();
    else
        sched_yield();
}

/* --- every thread ------------------------------------------------------------------------- */

static bool enter(struct byw_lane *lane)
{
    return !atomic_load_explicit(&lane->taken, memory_order_relaxed) &&
           !atomic_exchange_explicit(&lane->taken, true, memory_order_acquire);
}

static void leave(struct byw_lane *lane)
{
    atomic_store_explicit(&lane->taken, false, memory_order_release);
}

/* Sweeps a lane if that has not been done; false if it had, or another thread is there. */
static bool sweep(struct byw_lane *lane)
{
    struct byw_gpu_ahead *a = lane->gpu->ahead;
    /* In this order: who sees a hand-over sees the turn that was there before. */
    uint32_t given = atomic_load_explicit(&lane->given, memory_order_acquire);
    uint64_t turn = atomic_load_explicit(&a->turn, memory_order_acquire);

    if ((atomic_load_explicit(&lane->swept, memory_order_relaxed) == turn &&
         atomic_load_explicit(&lane->accepted, memory_order_relaxed) == given) ||
        !enter(lane))
        return false;
    given = atomic_load_explicit(&lane->given, memory_order_acquire);
    turn = atomic_load_explicit(&a->turn, memory_order_acquire);
    if (atomic_load_explicit(&lane->swept, memory_order_relaxed) != turn ||
        atomic_load_explicit(&lane->accepted, memory_order_relaxed) != given) {
        byw_lane_sweep(lane, atomic_load_explicit(&a->reach, memory_order_acquire));
        atomic_store_explicit(&lane->swept, turn, memory_order_relaxed);
        atomic_store_explicit(&lane->accepted, given, memory_order_release);
    }
    leave(lane);
    return true;
}

bool byw_lanes_sweep(struct gpu *gpu, uint32_t first)
{
    struct byw_gpu_ahead *a = gpu->ahead;
    bool any = false;

    for (uint32_t i = 0, k = first; i < a->lanes; i++) {
        any |= sweep(&a->lane[k]);
        k = k + 1 < a->lanes ? k + 1 : 0;
    }
    return any;
}

/* --- a thread that is not the leader ------------------------------------------------------ */

static void sleep_until_woken(struct byw_gpu_ahead *a)
{
    uint64_t call;

    pthread_mutex_lock(&a->lock);
    call = a->calls;
    while (a->calls == call && !atomic_load(&a->quit))
        pthread_cond_wait(&a->more, &a->lock);
    pthread_mutex_unlock(&a->lock);
}

static void *work(void *argument)
{
    struct byw_lane_thread *thread = argument;
    struct byw_gpu_ahead *a = thread->gpu->ahead;
    uint32_t looks = 0;

    while (!atomic_load_explicit(&a->quit, memory_order_acquire)) {
        if (byw_lanes_sweep(thread->gpu, thread->first)) {
            looks = 0;
        } else if (++looks < LOOKS) {
            relax();
        } else {
            sleep_until_woken(a);
            looks = 0;
        }
    }
    return NULL;
}

/* --- the leader --------------------------------------------------------------------------- */

void byw_lanes_call(struct gpu *gpu)
{
    struct byw_gpu_ahead *a = gpu->ahead;

    if (a->threads == 1)
        return;
    pthread_mutex_lock(&a->lock);
    a->calls++;
    pthread_cond_broadcast(&a->more);
    pthread_mutex_unlock(&a->lock);
}

void byw_lanes_reach(struct gpu *gpu, uint64_t reach)
{
    struct byw_gpu_ahead *a = gpu->ahead;
    uint64_t memory = byw_memsys_cycle(gpu->memsys) + a->base;

    if (atomic_load_explicit(&a->memory, memory_order_relaxed) == memory &&
        atomic_load_explicit(&a->reach, memory_order_relaxed) == reach)
        return;
    atomic_store_explicit(&a->memory, memory, memory_order_relaxed);
    atomic_store_explicit(&a->reach, reach, memory_order_release);
    atomic_fetch_add_explicit(&a->turn, 1, memory_order_release);
}

void byw_lane_give(struct gpu *gpu, uint32_t s)
{
    struct byw_gpu_ahead *a = gpu->ahead;
    struct byw_lane *lane = &a->lane[a->sm[s].lane];

    if (a->sm[s].at < lane->given_at)
        lane->given_at = a->sm[s].at;
    byw_memsys_lane(gpu->memsys, byw_gpu_port(gpu, s), lane->number);
    atomic_store_explicit(&a->sm[s].state, BYW_SM_RUNS, memory_order_release);
    atomic_fetch_add_explicit(&lane->given, 1, memory_order_release);
}

bool byw_lane_accepted(const struct byw_lane *lane)
{
    return atomic_load_explicit(&lane->accepted, memory_order_acquire) ==
           atomic_load_explicit(&lane->given, memory_order_relaxed);
}

uint64_t byw_lane_low(struct byw_lane *lane)
{
    uint64_t low = atomic_load_explicit(&lane->low, memory_order_acquire);

    if (byw_lane_accepted(lane)) {
        lane->given_at = UINT64_MAX;
        /* The sweep that accepted them may have come after the first look. */
        return atomic_load_explicit(&lane->low, memory_order_acquire);
    }
    return lane->given_at < low ? lane->given_at : low;
}

void byw_lanes_rest(struct gpu *gpu)
{
    struct byw_gpu_ahead *a = gpu->ahead;

    for (uint32_t k = 0; k < a->lanes; k++)
        while (!enter(&a->lane[k]))
            byw_lanes_pause(gpu);
}

void byw_lanes_go(struct gpu *gpu)
{
    struct byw_gpu_ahead *a = gpu->ahead;

    for (uint32_t k = 0; k < a->lanes; k++)
        leave(&a->lane[k]);
    byw_lanes_call(gpu);
}

/* --- beginning and end -------------------------------------------------------------------- */

enum byw_status byw_lanes_start(struct gpu *gpu)
{
    struct byw_gpu_ahead *a = gpu->ahead;

    pthread_mutex_init(&a->lock, NULL);
    pthread_cond_init(&a->more, NULL);
    for (uint32_t k = 0; k < a->lanes; k++) {
        a->lane[k].gpu = gpu;
        a->lane[k].number = k;
        a->lane[k].given_at = UINT64_MAX;
        atomic_store(&a->lane[k].low, UINT64_MAX);
        atomic_store(&a->lane[k].taken, true); /* until the first launch */
    }
    for (uint32_t s = 0; s < gpu->config->sm_count; s++)
        a->sm[s].lane = s % a->lanes;
    for (a->started = 1; a->started < a->threads; a->started++) {
        struct byw_lane_thread *thread = &a->thread[a->started];

        thread->gpu = gpu;
        thread->first = a->started * a->lanes / a->threads;
        if (pthread_create(&thread->id, NULL, work, thread) != 0)
            return byw_diag_set(gpu->diag, BYW_ENOMEM, "no more than %u threads can be started",
                                a->started);
    }
    return BYW_OK;
}

void byw_lanes_stop(struct gpu *gpu)
{
    struct byw_gpu_ahead *a = gpu->ahead;

    atomic_store(&a->quit, true);
    byw_lanes_call(gpu);
    for (uint32_t t = 1; t < a->started; t++)
        pthread_join(a->thread[t].id, NULL);
    pthread_cond_destroy(&a->more);
    pthread_mutex_destroy(&a->lock);
}
