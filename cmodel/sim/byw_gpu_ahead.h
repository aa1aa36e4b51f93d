/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_gpu_ahead.h - private to the GPU: SMs that run ahead of the memory side, and the threads that
 * step them.
 *
 * An SM sees a reply some cycles after it has crossed, so it can step that many cycles by itself
 * before the memory side has gone through the first of them.  The SMs are in lanes, which any
 * thread may take, one at a time, to step their SMs up to `reach`.  One thread, the leader, also
 * has the memory side and all that concerns several SMs: it takes the memory side as far as the
 * last SM has come, which moves `reach`, and so on.  Nobody waits as long as nobody is ahead of
 * another by more than the delay of a reply.
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
    uint64_t at; /* its next cycle */
    uint32_t lane;
    _Atomic uint8_t state; /* enum byw_sm_state */
};

struct byw_lane {
    struct gpu *gpu;
    uint32_t number;
    alignas(64) _Atomic bool taken; /* a thread is in the lane */
    /* after a sweep over its SMs: */
    _Atomic uint64_t low; /* the cycle its last running SM has come to; none: UINT64_MAX */
    _Atomic uint64_t next; /* in which one of them does something next, as far as is known */
    _Atomic uint64_t swept; /* the sweep's `turn` */
    _Atomic uint32_t accepted; /* hand-overs that it has taken into account */
    /* the leader's: */
    alignas(64) _Atomic uint32_t given; /* hand-overs to the lane */
    uint64_t given_at; /* earliest cycle of an SM handed over and not accepted; UINT64_MAX: none */
};

struct byw_lane_thread {
    struct gpu *gpu;
    uint32_t first; /* the lane it tries first */
    pthread_t id;
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
    pthread_mutex_t lock;
    pthread_cond_t more;
    uint64_t calls; /* to threads that sleep */
    struct byw_lane_thread thread[BYW_THREADS_MAX];
    alignas(64) _Atomic uint64_t turn; /* changes with the two below */
    _Atomic uint64_t reach; /* SMs may step the cycles before */
    _Atomic uint64_t memory; /* the cycle the memory side has come to */
    _Atomic bool quit;
};

/* --- byw_gpu_ahead.c ---------------------------------------------------------------------- */

/* One sweep of a lane: each of its running SMs up to `reach`, or until it must wait. */
void byw_lane_sweep(struct byw_lane *lane, uint64_t reach);

/* --- byw_gpu_lanes.c ---------------------------------------------------------------------- */

/* Sweeps the lanes that have not been, from lane `first` on, as far as no other thread does;
 * whether there was one. */
bool byw_lanes_sweep(struct gpu *gpu, uint32_t first);

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

/* No thread is in a lane from _rest to _go. */
void byw_lanes_rest(struct gpu *gpu);
void byw_lanes_go(struct gpu *gpu);

/* A moment in which the leader has nothing to do. */
void byw_lanes_pause(struct gpu *gpu);

enum byw_status byw_lanes_start(struct gpu *gpu);
void byw_lanes_stop(struct gpu *gpu);

#endif
