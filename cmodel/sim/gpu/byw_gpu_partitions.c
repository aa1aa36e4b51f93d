/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_gpu_partitions.c - The threads of one simulation, and a step of a partition by a quantum.
 *
 * Each thread, including the leader, steps its own partitions, which keeps an SM's state in the
 * caches of one processor.  A thread without work steals: it steps the partitions of a thread that
 * makes no progress (the host may have given it no processor), and takes over a partition from a
 * thread that has had partitions to spare for a while.  Then it sleeps until the SMs may advance by
 * a quantum, or the leader reaches a horizon or a launch.  If the host has too few processors, only
 * horizons and launches wake it: otherwise it could lose its processor inside a partition, and the
 * leader would wait for it.
 */
#include <assert.h>
#include <sched.h>
#include <sys/resource.h>
#include <time.h>

#include "sim/gpu/byw_gpu_ahead.h"

enum {
    LOOKS = 4000, /* polls for work before a thread sleeps; about 100 us */
    LOOKS_LED = 1000, /* polls of the leader before it yields to a thread inside a partition */
    LOOKS_STALLED = 1500, /* polls without progress of a thread before others step its partitions */
    LOOKS_STEAL =
        6000, /* polls without work, while others had some, before a partition is stolen */
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

void byw_partitions_pause(struct gpu *gpu)
{
    uint64_t times;

    if (++gpu->ahead->looks % LOOKS_LED != 0) {
        relax();
        return;
    }
    times = preempted();
    sched_yield(); /* the host counts this as a loss of the processor */
    gpu->ahead->leader_preempted += preempted() - times;
}

/* --- SMs ---------------------------------------------------------------------------------- */

void byw_partition_stop_sm(struct gpu *gpu, uint32_t s, enum byw_sm_state state)
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

uint64_t byw_partition_run_sm(struct gpu *gpu, uint32_t s, bool empty, uint64_t reach)
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
        byw_partition_stop_sm(
            gpu, s, gpu->grid_left || byw_sm_ctas(gpu->sm[s]) != 0 ? BYW_SM_WAITS : BYW_SM_EMPTY);
    return next;
}

static bool step_sms(struct byw_partition *partition, uint64_t reach)
{
    struct gpu *gpu = partition->gpu;
    struct byw_sm_time *sm = gpu->ahead->sm;
    uint64_t low = UINT64_MAX, first = UINT64_MAX;
    bool did = false;

    for (uint32_t s = partition->first; s < partition->end; s++)
        if (byw_sm_is(gpu, s, BYW_SM_RUNS) && sm[s].at < low)
            low = sm[s].at;
    if (low < reach && reach - low > gpu->ahead->quantum)
        reach = low + gpu->ahead->quantum;
    low = UINT64_MAX;
    for (uint32_t s = partition->first; s < partition->end; s++) {
        uint64_t next, at;

        if (!byw_sm_is(gpu, s, BYW_SM_RUNS))
            continue;
        at = sm[s].at;
        if (s + 1 < partition->end)
            byw_sm_prefetch(gpu->sm[s + 1]);
        next = byw_partition_run_sm(gpu, s, false, reach);
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
    atomic_store_explicit(&partition->next, first, memory_order_relaxed);
    atomic_store_explicit(&partition->low, low, memory_order_release);
    return did;
}

/* --- every thread ------------------------------------------------------------------------- */

static bool enter(struct byw_partition *partition)
{
    return !atomic_load_explicit(&partition->taken, memory_order_relaxed) &&
           !atomic_exchange_explicit(&partition->taken, true, memory_order_acquire);
}

static void leave(struct byw_partition *partition)
{
    atomic_store_explicit(&partition->taken, false, memory_order_release);
}

/* Whether an SM of the partition has `cycles` cycles to step, or was just handed over. */
static bool wants(const struct byw_partition *partition, uint64_t reach, uint64_t cycles)
{
    uint64_t low = atomic_load_explicit(&partition->low, memory_order_relaxed);

    return (low < reach && reach - low >= cycles) ||
           atomic_load_explicit(&partition->accepted, memory_order_relaxed) !=
               atomic_load_explicit(&partition->given, memory_order_relaxed);
}

static bool step(struct byw_partition *partition)
{
    struct byw_gpu_ahead *a = partition->gpu->ahead;
    uint32_t given;
    bool did;

    if (!enter(partition))
        return false;
    given = atomic_load_explicit(&partition->given, memory_order_acquire);
    did = step_sms(partition, atomic_load_explicit(&a->reach, memory_order_acquire));
    atomic_store_explicit(&partition->accepted, given, memory_order_release);
    leave(partition);
    return did;
}

/* Whether the partition's thread has made no progress for a while; it may have no processor. */
static bool is_stalled(struct byw_worker *thread, const struct byw_partition *partition)
{
    uint32_t owner = atomic_load_explicit(&partition->owner, memory_order_relaxed);
    uint32_t progress =
        atomic_load_explicit(&thread->gpu->ahead->thread[owner].progress, memory_order_relaxed);

    if (progress != thread->progress_seen[owner]) {
        thread->progress_seen[owner] = progress;
        thread->stalled[owner] = 0;
    }
    if (thread->stalled[owner] < LOOKS_STALLED)
        thread->stalled[owner]++;
    return thread->stalled[owner] == LOOKS_STALLED;
}

/* Steps one of the thread's own partitions that has `cycles` cycles to step. */
static bool step_own(struct byw_worker *thread, uint64_t reach, uint64_t cycles)
{
    struct byw_gpu_ahead *a = thread->gpu->ahead;

    for (uint32_t i = 0, k = thread->next; i < a->partitions; i++) {
        struct byw_partition *partition = &a->partition[k];

        k = k + 1 < a->partitions ? k + 1 : 0;
        if (atomic_load_explicit(&partition->owner, memory_order_relaxed) == thread->number &&
            wants(partition, reach, cycles) && step(partition)) {
            thread->next = k;
            return true;
        }
    }
    return false;
}

/* Work stealing: steps a partition of a thread that makes no progress, or takes over a partition
 * from a thread that has had too many for a while. */
static bool steal(struct byw_worker *thread, uint64_t reach)
{
    struct byw_gpu_ahead *a = thread->gpu->ahead;

    for (uint32_t k = 0; k < a->partitions; k++) {
        struct byw_partition *partition = &a->partition[k];

        if (atomic_load_explicit(&partition->owner, memory_order_relaxed) == thread->number ||
            !wants(partition, reach, 1) ||
            atomic_load_explicit(&partition->taken, memory_order_relaxed))
            continue;
        if (!is_stalled(thread, partition)) {
            if (!wants(partition, reach, a->quantum))
                continue;
            if (++thread->idle < LOOKS_STEAL)
                return false;
            thread->idle = 0;
            atomic_store_explicit(&partition->owner, thread->number, memory_order_relaxed);
        }
        if (step(partition))
            return true;
    }
    return false;
}

bool byw_partitions_work(struct gpu *gpu, uint32_t number)
{
    struct byw_gpu_ahead *a = gpu->ahead;
    struct byw_worker *thread = &a->thread[number];
    uint64_t reach = atomic_load_explicit(&a->reach, memory_order_acquire);

    if (!step_own(thread, reach, a->quantum) && !step_own(thread, reach, 1))
        return a->threads > 1 && steal(thread, reach);
    atomic_fetch_add_explicit(&thread->progress, 1, memory_order_relaxed);
    return true;
}

/* --- a thread that is not the leader ------------------------------------------------------ */

static void sleep_until_woken(struct byw_worker *thread)
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
    struct byw_worker *thread = argument;
    struct byw_gpu_ahead *a = thread->gpu->ahead;
    uint32_t looks = 0;

    while (!atomic_load_explicit(&a->quit, memory_order_acquire)) {
        if (byw_partitions_work(thread->gpu, thread->number)) {
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

void byw_partitions_call(struct gpu *gpu)
{
    struct byw_gpu_ahead *a = gpu->ahead;

    if (a->threads == 1)
        return;
    pthread_mutex_lock(&a->lock);
    a->calls++;
    pthread_cond_broadcast(&a->more);
    pthread_mutex_unlock(&a->lock);
}

void byw_partitions_reach(struct gpu *gpu, uint64_t reach)
{
    struct byw_gpu_ahead *a = gpu->ahead;

    if (atomic_load_explicit(&a->reach, memory_order_relaxed) == reach)
        return;
    atomic_store_explicit(&a->reach, reach, memory_order_release);
    if (a->crowded == 0 && reach - a->called >= a->quantum &&
        atomic_load_explicit(&a->asleep, memory_order_relaxed) != 0) {
        a->called = reach;
        byw_partitions_call(gpu);
    }
}

void byw_partitions_horizon(struct gpu *gpu)
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
    byw_partitions_call(gpu);
}

void byw_partition_give(struct gpu *gpu, uint32_t s)
{
    struct byw_gpu_ahead *a = gpu->ahead;
    struct byw_partition *partition = &a->partition[a->sm[s].partition];

    if (a->sm[s].at < partition->given_at)
        partition->given_at = a->sm[s].at;
    atomic_fetch_sub_explicit(
        &a->stopped[atomic_load_explicit(&a->sm[s].state, memory_order_relaxed)], 1,
        memory_order_relaxed);
    atomic_store_explicit(&a->sm[s].state, BYW_SM_RUNS, memory_order_release);
    atomic_fetch_add_explicit(&partition->given, 1, memory_order_release);
}

bool byw_partition_accepted(const struct byw_partition *partition)
{
    return atomic_load_explicit(&partition->accepted, memory_order_acquire) ==
           atomic_load_explicit(&partition->given, memory_order_relaxed);
}

uint64_t byw_partition_low(struct byw_partition *partition)
{
    uint64_t low = atomic_load_explicit(&partition->low, memory_order_acquire);

    if (byw_partition_accepted(partition)) {
        partition->given_at = UINT64_MAX;
        /* The step that accepted them may have written `low` after the first load. */
        return atomic_load_explicit(&partition->low, memory_order_acquire);
    }
    return partition->given_at < low ? partition->given_at : low;
}

void byw_partitions_rest(struct gpu *gpu)
{
    struct byw_gpu_ahead *a = gpu->ahead;

    for (uint32_t k = 0; k < a->partitions; k++)
        while (!enter(&a->partition[k]))
            byw_partitions_pause(gpu);
}

void byw_partitions_go(struct gpu *gpu)
{
    struct byw_gpu_ahead *a = gpu->ahead;

    for (uint32_t k = 0; k < a->partitions; k++)
        leave(&a->partition[k]);
    byw_partitions_call(gpu);
}

/* --- beginning and end -------------------------------------------------------------------- */

enum byw_status byw_partitions_start(struct gpu *gpu)
{
    struct byw_gpu_ahead *a = gpu->ahead;
    uint32_t n = gpu->config->sm_count;

    pthread_mutex_init(&a->lock, NULL);
    pthread_cond_init(&a->more, NULL);
    for (uint32_t k = 0; k < a->partitions; k++) {
        a->partition[k].gpu = gpu;
        a->partition[k].first = k * n / a->partitions;
        a->partition[k].end = (k + 1) * n / a->partitions;
        atomic_store(&a->partition[k].owner, k * a->threads / a->partitions);
        a->partition[k].given_at = UINT64_MAX;
        atomic_store(&a->partition[k].low, UINT64_MAX);
        atomic_store(&a->partition[k].taken, true); /* until the first launch */
    }
    for (uint32_t k = 0; k < a->partitions; k++)
        for (uint32_t s = a->partition[k].first; s < a->partition[k].end; s++)
            a->sm[s].partition = k;
    a->thread[0].gpu = gpu;
    for (a->started = 1; a->started < a->threads; a->started++) {
        struct byw_worker *thread = &a->thread[a->started];

        thread->gpu = gpu;
        thread->number = a->started;
        if (pthread_create(&thread->id, NULL, work, thread) != 0)
            return byw_diag_set(gpu->diag, BYW_ENOMEM, "no more than %u threads can be started",
                                a->started);
    }
    return BYW_OK;
}

void byw_partitions_stop(struct gpu *gpu)
{
    struct byw_gpu_ahead *a = gpu->ahead;

    atomic_store(&a->quit, true);
    byw_partitions_call(gpu);
    for (uint32_t t = 1; t < a->started; t++)
        pthread_join(a->thread[t].id, NULL);
    pthread_cond_destroy(&a->more);
    pthread_mutex_destroy(&a->lock);
}
