/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_gpu_lanes.c - The threads of one simulation, and the sweep of a lane.
 *
 * Each thread, including the leader, sweeps its own lanes, which keeps an SM's state in the caches
 * of one processor.  A thread without work sweeps the lanes of a thread that makes no progress (the
 * host may have given it no processor), and takes over a lane from a thread that has had lanes to
 * spare for a while.  Then it sleeps until the SMs may advance by a sweep, or the leader reaches a
 * horizon or a launch.  If the host has too few processors, only horizons and launches wake it:
 * otherwise it could lose its processor inside a lane, and the leader would wait for it.
 */
#include <assert.h>
#include <sched.h>
#include <sys/resource.h>
#include <time.h>

#include "sim/gpu/byw_gpu_ahead.h"

enum {
    LOOKS = 4000, /* looks for work before a thread sleeps; about 100 us */
    LOOKS_LED = 1000, /* looks of the leader before it yields to a thread inside a lane */
    LOOKS_BORROW = 1500, /* looks without progress of a thread before others sweep its lanes */
    LOOKS_MOVE = 6000, /* looks without work, while others had some, before a lane moves */
    TURN_US = 8000, /* mean time between losses of a processor below which the host is crowded */
    CROWDED = 4, /* horizons for which the host then counts as crowded */
};

static void relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

/* Number of times that the calling thread has lost its processor. */
static uint64_t preempted(void)
{
    struct rusage usage;

    return getrusage(RUSAGE_THREAD, &usage) == 0 ? (uint64_t)usage.ru_nivcsw : 0;
}

void byw_lanes_pause(struct gpu *gpu)
{
    uint64_t times;

    if (++gpu->ahead->looks % LOOKS_LED != 0) {
        relax();
        return;
    }
    times = preempted();
    sched_yield(); /* counted as a loss by the host */
    gpu->ahead->leader_preempted += preempted() - times;
}

/* --- SMs ---------------------------------------------------------------------------------- */

void byw_lane_stop_sm(struct gpu *gpu, uint32_t s, enum byw_sm_state state)
{
    assert(state != BYW_SM_EMPTY || byw_sm_ctas(gpu->sm[s]) == 0);
    atomic_fetch_add_explicit(&gpu->ahead->stopped[state], 1, memory_order_relaxed);
    atomic_store_explicit(&gpu->ahead->sm[s].state, (uint8_t)state, memory_order_release);
}

/* A lower bound on the cycle in which an SM next has work; `wake`: the bound without a reply. */
static uint64_t next_step(const struct gpu *gpu, uint32_t port, uint64_t wake)
{
    uint64_t reply = byw_memsys_reply_at(gpu->memsys, port);

    return reply < UINT64_MAX && reply + gpu->ahead->base < wake ? reply + gpu->ahead->base : wake;
}

uint64_t byw_lane_run_sm(struct gpu *gpu, uint32_t s, bool empty, uint64_t reach)
{
    struct byw_gpu_ahead *a = gpu->ahead;
    uint32_t port = byw_gpu_port(gpu, s);
    uint64_t next, wake = gpu->wake[s], now = a->sm[s].at;
    bool stops = false;

    while ((next = next_step(gpu, port, wake)) < reach && now < reach) {
        if (next > now)
            now = next;
        if (!byw_memsys_at(gpu->memsys, port, now - a->base))
            break;
        wake = byw_sm_step(gpu->sm[s], now++);
        stops = !empty &&
                (byw_sm_ctas(gpu->sm[s]) == 0 || (gpu->grid_left && byw_sm_has_room(gpu->sm[s])));
        if (stops)
            break;
    }
    if (next >= reach && now < reach)
        now = reach;
    gpu->wake[s] = wake;
    a->sm[s].at = now;
    /* The grid may have ended since the test above: an SM with CTAs then waits without getting one.
     */
    if (stops)
        byw_lane_stop_sm(
            gpu, s, gpu->grid_left || byw_sm_ctas(gpu->sm[s]) != 0 ? BYW_SM_WAITS : BYW_SM_EMPTY);
    return next;
}

static bool step_sms(struct byw_lane *lane, uint64_t reach)
{
    struct gpu *gpu = lane->gpu;
    struct byw_sm_time *sm = gpu->ahead->sm;
    uint64_t low = UINT64_MAX, first = UINT64_MAX;
    bool did = false;

    for (uint32_t s = lane->first; s < lane->end; s++)
        if (byw_sm_is(gpu, s, BYW_SM_RUNS) && sm[s].at < low)
            low = sm[s].at;
    if (low < reach && reach - low > gpu->ahead->quantum)
        reach = low + gpu->ahead->quantum;
    low = UINT64_MAX;
    for (uint32_t s = lane->first; s < lane->end; s++) {
        uint64_t next, at;

        if (!byw_sm_is(gpu, s, BYW_SM_RUNS))
            continue;
        at = sm[s].at;
        if (s + 1 < lane->end)
            byw_sm_prefetch(gpu->sm[s + 1]);
        next = byw_lane_run_sm(gpu, s, false, reach);
        if (!byw_sm_is(gpu, s, BYW_SM_RUNS)) {
            did = true;
            continue;
        }
        did |= sm[s].at != at;
        if (sm[s].at < low)
            low = sm[s].at;
        if (next < first)
            first = next;
    }
    atomic_store_explicit(&lane->next, first, memory_order_relaxed);
    atomic_store_explicit(&lane->low, low, memory_order_release);
    return did;
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

/* Whether an SM of the lane has `cycles` cycles to step, or was just handed over. */
static bool wants(const struct byw_lane *lane, uint64_t reach, uint64_t cycles)
{
    uint64_t low = atomic_load_explicit(&lane->low, memory_order_relaxed);

    return (low < reach && reach - low >= cycles) ||
           atomic_load_explicit(&lane->accepted, memory_order_relaxed) !=
               atomic_load_explicit(&lane->given, memory_order_relaxed);
}

static bool sweep(struct byw_lane *lane)
{
    struct byw_gpu_ahead *a = lane->gpu->ahead;
    uint32_t given;
    bool did;

    if (!enter(lane))
        return false;
    given = atomic_load_explicit(&lane->given, memory_order_acquire);
    did = step_sms(lane, atomic_load_explicit(&a->reach, memory_order_acquire));
    atomic_store_explicit(&lane->accepted, given, memory_order_release);
    leave(lane);
    return did;
}

/* Whether the lane's thread has made no progress for a while; it may have no processor. */
static bool stands_still(struct byw_lane_thread *thread, const struct byw_lane *lane)
{
    uint32_t home = atomic_load_explicit(&lane->home, memory_order_relaxed);
    uint32_t beat =
        atomic_load_explicit(&thread->gpu->ahead->thread[home].beat, memory_order_relaxed);

    if (beat != thread->beat_seen[home]) {
        thread->beat_seen[home] = beat;
        thread->still[home] = 0;
    }
    if (thread->still[home] < LOOKS_BORROW)
        thread->still[home]++;
    return thread->still[home] == LOOKS_BORROW;
}

/* Sweeps one of the thread's own lanes that has `cycles` cycles to step. */
static bool sweep_own(struct byw_lane_thread *thread, uint64_t reach, uint64_t cycles)
{
    struct byw_gpu_ahead *a = thread->gpu->ahead;

    for (uint32_t i = 0, k = thread->next; i < a->lanes; i++) {
        struct byw_lane *lane = &a->lane[k];

        k = k + 1 < a->lanes ? k + 1 : 0;
        if (atomic_load_explicit(&lane->home, memory_order_relaxed) == thread->number &&
            wants(lane, reach, cycles) && sweep(lane)) {
            thread->next = k;
            return true;
        }
    }
    return false;
}

/* Sweeps a lane of a thread that makes no progress, or takes over a lane from a thread that has had
 * too many for a while. */
static bool help(struct byw_lane_thread *thread, uint64_t reach)
{
    struct byw_gpu_ahead *a = thread->gpu->ahead;

    for (uint32_t k = 0; k < a->lanes; k++) {
        struct byw_lane *lane = &a->lane[k];

        if (atomic_load_explicit(&lane->home, memory_order_relaxed) == thread->number ||
            !wants(lane, reach, 1) || atomic_load_explicit(&lane->taken, memory_order_relaxed))
            continue;
        if (!stands_still(thread, lane)) {
            if (!wants(lane, reach, a->quantum))
                continue;
            if (++thread->idle < LOOKS_MOVE)
                return false;
            thread->idle = 0;
            atomic_store_explicit(&lane->home, thread->number, memory_order_relaxed);
        }
        if (sweep(lane))
            return true;
    }
    return false;
}

bool byw_lanes_work(struct gpu *gpu, uint32_t number)
{
    struct byw_gpu_ahead *a = gpu->ahead;
    struct byw_lane_thread *thread = &a->thread[number];
    uint64_t reach = atomic_load_explicit(&a->reach, memory_order_acquire);

    if (!sweep_own(thread, reach, a->quantum) && !sweep_own(thread, reach, 1))
        return a->threads > 1 && help(thread, reach);
    atomic_fetch_add_explicit(&thread->beat, 1, memory_order_relaxed);
    return true;
}

/* --- a thread that is not the leader ------------------------------------------------------ */

static void sleep_until_woken(struct byw_lane_thread *thread)
{
    struct byw_gpu_ahead *a = thread->gpu->ahead;
    uint64_t call, times = preempted();

    atomic_fetch_add_explicit(&a->preempted, (uint32_t)(times - thread->preempted),
                              memory_order_relaxed);
    thread->preempted = times;
    pthread_mutex_lock(&a->lock);
    call = a->calls;
    atomic_fetch_add_explicit(&a->asleep, 1, memory_order_relaxed);
    while (a->calls == call && !atomic_load(&a->quit))
        pthread_cond_wait(&a->more, &a->lock);
    atomic_fetch_sub_explicit(&a->asleep, 1, memory_order_relaxed);
    pthread_mutex_unlock(&a->lock);
}

static void *work(void *argument)
{
    struct byw_lane_thread *thread = argument;
    struct byw_gpu_ahead *a = thread->gpu->ahead;
    uint32_t looks = 0;

    while (!atomic_load_explicit(&a->quit, memory_order_acquire)) {
        if (byw_lanes_work(thread->gpu, thread->number)) {
            looks = 0;
        } else if (++looks < LOOKS) {
            relax();
        } else {
            sleep_until_woken(thread);
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

    if (atomic_load_explicit(&a->reach, memory_order_relaxed) == reach)
        return;
    atomic_store_explicit(&a->reach, reach, memory_order_release);
    if (a->crowded == 0 && reach - a->called >= a->quantum &&
        atomic_load_explicit(&a->asleep, memory_order_relaxed) != 0) {
        a->called = reach;
        byw_lanes_call(gpu);
    }
}

void byw_lanes_horizon(struct gpu *gpu)
{
    struct byw_gpu_ahead *a = gpu->ahead;
    uint64_t times, lost, at;
    struct timespec time;

    if (a->threads == 1)
        return;
    times = preempted();
    lost = times - a->leader_preempted +
           atomic_exchange_explicit(&a->preempted, 0, memory_order_relaxed);
    a->leader_preempted = times;
    clock_gettime(CLOCK_MONOTONIC, &time);
    at = (uint64_t)time.tv_sec * 1000000 + (uint64_t)time.tv_nsec / 1000;
    if (lost > 1 && lost * TURN_US > at - a->horizon_at)
        a->crowded = CROWDED;
    else if (a->crowded != 0)
        a->crowded--;
    a->horizon_at = at;
    byw_lanes_call(gpu);
}

void byw_lane_give(struct gpu *gpu, uint32_t s)
{
    struct byw_gpu_ahead *a = gpu->ahead;
    struct byw_lane *lane = &a->lane[a->sm[s].lane];

    if (a->sm[s].at < lane->given_at)
        lane->given_at = a->sm[s].at;
    atomic_fetch_sub_explicit(
        &a->stopped[atomic_load_explicit(&a->sm[s].state, memory_order_relaxed)], 1,
        memory_order_relaxed);
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
        /* The sweep that accepted them may have written `low` after the first load. */
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
    uint32_t n = gpu->config->sm_count;

    pthread_mutex_init(&a->lock, NULL);
    pthread_cond_init(&a->more, NULL);
    for (uint32_t k = 0; k < a->lanes; k++) {
        a->lane[k].gpu = gpu;
        a->lane[k].first = k * n / a->lanes;
        a->lane[k].end = (k + 1) * n / a->lanes;
        atomic_store(&a->lane[k].home, k * a->threads / a->lanes);
        a->lane[k].given_at = UINT64_MAX;
        atomic_store(&a->lane[k].low, UINT64_MAX);
        atomic_store(&a->lane[k].taken, true); /* until the first launch */
    }
    for (uint32_t k = 0; k < a->lanes; k++)
        for (uint32_t s = a->lane[k].first; s < a->lane[k].end; s++)
            a->sm[s].lane = k;
    a->thread[0].gpu = gpu;
    for (a->started = 1; a->started < a->threads; a->started++) {
        struct byw_lane_thread *thread = &a->thread[a->started];

        thread->gpu = gpu;
        thread->number = a->started;
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
