/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_gpu_ahead.h - private to the GPU: SMs that run ahead of the memory side, and the threads that
 * step them.
 *
 * SMs may go on to a cycle `reach`, and the memory side, behind the request crossbar, is as far
 * ahead of the slowest SM as a request is on its way to the L2's tags (byw_memsys.h): more than a
 * hundred cycles together.  The SMs are in lanes.  A lane has a thread that sweeps it, stepping its
 * SMs by a number of cycles at a time; a thread without work takes over lanes of one that has too
 * much, or seems to have no processor.  One thread, the leader, also has the memory side and all
 * that concerns several SMs.  Nobody waits as long as no SM is further than the bounds allow.
 *
 * What ties SMs to each other happens in the cycle in which it would have happened:
 *
 *   a CTA ends while there are others to place: its SM stops, is the leader's, and goes on when all
 *   SMs have come as far and those that wait in that cycle got their CTAs in turn;
 *   an SM's last CTA ends: it is the leader's, who takes it no further than the others;
 *   dueling, limits, the host's wishes: all stop at a common cycle, the horizon.
 *
 * So every SM steps the same cycles with the same inputs whatever the number of lanes, and the
 * memory side gets the same requests in the same cycles.
 */
#ifndef BYW_GPU_AHEAD_H
#define BYW_GPU_AHEAD_H

#include <pthread.h>
#include <stdalign.h>
#include <stdatomic.h>

#include "sim/byw_gpu_state.h"

enum byw_sm_state {
    BYW_SM_RUNS, /* its lane's; in the other states it is the leader's */
    BYW_SM_WAITS, /* has room for a CTA and does not know whether there is one */
    BYW_SM_EMPTY, /* and there are no CTAs left to place */
};

struct byw_sm_time {
    alignas(64) uint64_t at; /* its next cycle */
    uint32_t lane;
    _Atomic uint8_t state; /* enum byw_sm_state */
};

struct byw_lane {
    struct gpu *gpu;
    uint32_t first, end; /* its SMs: from first on, before end */
    alignas(64) _Atomic bool taken; /* a thread is in the lane */
    _Atomic uint32_t home; /* the thread whose it is */
    /* after a sweep over its SMs: */
    _Atomic uint64_t low; /* the cycle its last running SM has come to; none: UINT64_MAX */
    _Atomic uint64_t next; /* in which one of them does something next, as far as is known */
    _Atomic uint32_t accepted; /* hand-overs that it has taken into account */
    /* the leader's: */
    alignas(64) _Atomic uint32_t given; /* hand-overs to the lane */
    uint64_t given_at; /* earliest cycle of an SM handed over and not accepted; UINT64_MAX: none */
};

struct byw_lane_thread {
    struct gpu *gpu;
    uint32_t number;
    pthread_t id;
    uint32_t next; /* the lane it looks at first */
    uint64_t preempted; /* times, when it told last */
    uint32_t looks; /* in vain, one after the other */
    uint32_t idle; /* looks while another had a lane to spare, since it was given one */
    uint32_t beat_seen[BYW_THREADS_MAX], still[BYW_THREADS_MAX]; /* of other threads: `beat`, and
                                                                     looks since it changed */
    alignas(64) _Atomic uint32_t beat; /* sweeps */
};

struct byw_gpu_ahead {
    struct byw_sm_time *sm;
    struct byw_lane *lane;
    uint32_t lanes, threads;
    uint32_t started; /* threads, the leader included */
    uint64_t base; /* the GPU's cycle number in cycle 0 of the memory side */
    uint64_t ticked; /* cycle up to which the cluster is */
    uint64_t horizon;
    uint64_t looks; /* of the leader, in vain */
    uint64_t quantum; /* cycles of a sweep */
    pthread_mutex_t lock;
    pthread_cond_t more;
    uint64_t calls; /* to threads that sleep */
    uint64_t called; /* `reach` when they were last called for it */
    _Atomic uint32_t asleep; /* threads */
    _Atomic uint32_t preempted; /* times that other threads lost their processor, when last told */
    uint64_t leader_preempted; /* times that the leader did */
    uint64_t horizon_at; /* when the leader came to the last one, us */
    uint32_t crowded; /* horizons until they are called for `reach` again */
    struct byw_lane_thread thread[BYW_THREADS_MAX];
    alignas(64) _Atomic uint64_t reach; /* SMs may step the cycles before */
    _Atomic bool quit;
    alignas(64) _Atomic uint32_t stopped[BYW_SM_EMPTY + 1]; /* SMs, by state */
};

/* --- byw_gpu_ahead.c ---------------------------------------------------------------------- */

/* One sweep of a lane: each of its running SMs up to `reach`, or until it must wait; whether one
 * did anything. */
bool byw_lane_sweep(struct byw_lane *lane, uint64_t reach);

/* --- byw_gpu_lanes.c ---------------------------------------------------------------------- */

/* A sweep by a thread of one of its lanes, or of one whose thread does nothing; false: there is
 * nothing to do. */
bool byw_lanes_work(struct gpu *gpu, uint32_t thread);

/* The cycle that the last of a lane's SMs has come to, those handed over to it included;
 * UINT64_MAX: it has none.  Before a look at the SMs that have stopped. */
uint64_t byw_lane_low(struct byw_lane *lane);

/* Whether its last sweep has taken all hand-overs into account. */
bool byw_lane_accepted(const struct byw_lane *lane);

/* Gives SM s, which is the leader's, to its lane. */
void byw_lane_give(struct gpu *gpu, uint32_t s);

/* The SMs may go further. */
void byw_lanes_reach(struct gpu *gpu, uint64_t reach);

/* Wakes threads that sleep. */
void byw_lanes_call(struct gpu *gpu);

/* The leader has come to a horizon: looks whether the host has a processor for every thread. */
void byw_lanes_horizon(struct gpu *gpu);

/* No thread is in a lane from _rest to _go. */
void byw_lanes_rest(struct gpu *gpu);
void byw_lanes_go(struct gpu *gpu);

/* A moment in which the leader has nothing to do. */
void byw_lanes_pause(struct gpu *gpu);

enum byw_status byw_lanes_start(struct gpu *gpu);
void byw_lanes_stop(struct gpu *gpu);

#endif
