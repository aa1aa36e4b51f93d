/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_gpu_ahead.h - private to the GPU: SMs that run ahead of the memory side, and the threads that
 * step them.
 *
 * This is conservative parallel simulation: nothing is rolled back.  SMs may run ahead to cycle
 * `reach`, before which no reply that they do not know can arrive (their lookahead).  The memory
 * side, behind the request crossbar, has its own lookahead over the slowest SM: the time that a
 * request takes to the L2's tags (byw_memsys.h).  Together this is more than a hundred cycles.  The
 * SMs are divided into partitions.  A partition belongs to a thread, which steps its SMs by a
 * quantum of cycles at a time.  A thread without work steals partitions from a thread that has too
 * many or seems to be preempted.  One thread, the leader, also steps the memory side and handles
 * everything that involves several SMs.  No thread waits until an SM reaches its bound.
 *
 * Interactions between SMs happen in the cycle in which they would have happened in lock step:
 *   A CTA ends while there are others to place: its SM stops and is handed to the leader.  It
 *   resumes when all SMs have reached that cycle and the SMs waiting in it got their CTAs in turn.
 *   The last CTA of an SM ends: the SM is handed to the leader, which does not step it beyond the
 *   others.
 *   Dueling, limits, requests of the host: all SMs stop at a common cycle, the horizon.
 *
 * So every SM steps the same cycles with the same inputs for any number of partitions, and the
 * memory side gets the same requests in the same cycles.
 */
#ifndef BYW_GPU_AHEAD_H
#define BYW_GPU_AHEAD_H

#include <pthread.h>
#include <stdalign.h>
#include <stdatomic.h>

#include "sim/gpu/byw_gpu_state.h"

enum byw_sm_state {
    BYW_SM_RUNS, /* owned by its partition; in the other states by the leader */
    BYW_SM_WAITS, /* has room for a CTA and does not know whether there is one */
    BYW_SM_EMPTY, /* has room, and there are no CTAs left to place */
};

struct byw_sm_time {
    alignas(64) uint64_t at; /* the next cycle that the SM steps */
    uint32_t partition;
    _Atomic uint8_t state; /* enum byw_sm_state */
};

struct byw_partition {
    struct gpu *gpu;
    uint32_t first, end; /* the partition's SMs are first .. end - 1 */
    alignas(64) _Atomic bool taken; /* a thread is in the partition */
    _Atomic uint32_t owner; /* the thread that owns the partition */
    /* results of its last step: */
    _Atomic uint64_t low; /* the lowest cycle among its running SMs; none: UINT64_MAX */
    _Atomic uint64_t next; /* lower bound on the next cycle in which one of them has work */
    _Atomic uint32_t accepted; /* hand-overs that the step has taken into account */
    /* written by the leader: */
    alignas(64) _Atomic uint32_t given; /* hand-overs to the partition */
    uint64_t given_at; /* earliest cycle of an SM handed over but not accepted; UINT64_MAX: none */
};

struct byw_worker {
    struct gpu *gpu;
    uint32_t number;
    pthread_t id;
    uint32_t next; /* the partition it examines first */
    uint64_t preempted; /* times it was preempted, when last reported */
    uint32_t looks; /* consecutive polls that found no work */
    uint32_t idle; /* polls while another thread had a partition to spare, since it last got one */
    uint32_t progress_seen[BYW_THREADS_MAX],
        stalled[BYW_THREADS_MAX]; /* per other thread: its `progress`
                                   * when last seen, and polls since
                                   * it changed */
    alignas(64) _Atomic uint32_t progress; /* counts steps */
};

struct byw_gpu_ahead {
    struct byw_sm_time *sm;
    struct byw_partition *partition;
    uint32_t partitions, threads;
    uint32_t started; /* threads started, including the leader */
    uint64_t base; /* the GPU's cycle number in cycle 0 of the memory side */
    uint64_t ticked; /* cycle up to which the cluster has been ticked */
    uint64_t horizon;
    uint64_t looks; /* consecutive polls of the leader that found no work */
    uint64_t quantum; /* cycles of a step */
    pthread_mutex_t lock;
    pthread_cond_t more;
    uint64_t calls; /* times that sleeping threads were woken */
    uint64_t called; /* `reach` at the last call */
    _Atomic uint32_t asleep; /* sleeping threads */
    _Atomic uint32_t preempted; /* times that other threads lost their processor, as last
                                 * reported */
    uint64_t leader_preempted; /* times that the leader lost its processor */
    uint64_t horizon_at; /* host time in us at which the leader reached the last horizon */
    uint32_t crowded; /* horizons until sleeping threads are called for `reach` again */
    struct byw_worker thread[BYW_THREADS_MAX];
    alignas(64) _Atomic uint64_t reach; /* SMs may step the cycles before this one */
    _Atomic bool quit;
    alignas(64) _Atomic uint32_t stopped[BYW_SM_EMPTY + 1]; /* number of SMs, by state */
};

/* Whether SM s is in a state; the number of SMs in a state other than BYW_SM_RUNS. */
static inline bool byw_sm_is(const struct gpu *gpu, uint32_t s, enum byw_sm_state state)
{
    return atomic_load_explicit(&gpu->ahead->sm[s].state, memory_order_acquire) == state;
}

static inline uint32_t byw_sms_stopped(const struct gpu *gpu, enum byw_sm_state state)
{
    return atomic_load_explicit(&gpu->ahead->stopped[state], memory_order_relaxed);
}

/* --- byw_gpu_partitions.c ----------------------------------------------------------------- */

/* Stops SM s here and hands it to the leader. */
void byw_partition_stop_sm(struct gpu *gpu, uint32_t s, enum byw_sm_state state);

/* Steps SM s up to cycle `reach`, or until it must wait or stop. empty: SM s is in state
 * BYW_SM_EMPTY and stays in it. Returns a lower bound on the cycle of its next work. */
uint64_t byw_partition_run_sm(struct gpu *gpu, uint32_t s, bool empty, uint64_t reach);

/* Steps one partition of the thread, or of a thread that makes no progress.  Returns false if there
 * is nothing to do. */
bool byw_partitions_work(struct gpu *gpu, uint32_t thread);

/* The lowest cycle among a partition's SMs, including those handed over to it; UINT64_MAX: it has
 * none. Call before looking at the SMs that have stopped. */
uint64_t byw_partition_low(struct byw_partition *partition);

/* Whether the last step has taken all hand-overs into account. */
bool byw_partition_accepted(const struct byw_partition *partition);

/* Returns SM s from the leading thread to the partition of SM s. */
void byw_partition_give(struct gpu *gpu, uint32_t s);

/* Lets the SMs run up to `reach`. */
void byw_partitions_reach(struct gpu *gpu, uint64_t reach);

/* Wakes sleeping threads. */
void byw_partitions_call(struct gpu *gpu);

/* The leader has reached a horizon: checks whether the host has a processor for every thread. */
void byw_partitions_horizon(struct gpu *gpu);

/* No thread is in a partition between _rest and _go. */
void byw_partitions_rest(struct gpu *gpu);
void byw_partitions_go(struct gpu *gpu);

/* Called when the leader has nothing to do. */
void byw_partitions_pause(struct gpu *gpu);

enum byw_status byw_partitions_start(struct gpu *gpu);
void byw_partitions_stop(struct gpu *gpu);

#endif
