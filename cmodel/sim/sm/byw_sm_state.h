/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_sm_state.h - private to the SM: its registers and units, shared by byw_sm.c (a cycle),
 * byw_sm_cta.c (resident CTAs) and byw_sm_describe.c (what it waits for).
 */
#ifndef BYW_SM_STATE_H
#define BYW_SM_STATE_H

#include <stdalign.h>

#include "sim/sm/byw_fetch.h"
#include "sim/sm/byw_ldst.h"
#include "sim/sm/byw_outlet.h"
#include "sim/sm/byw_sched.h"
#include "sim/sm/byw_sm.h"
#include "sim/sm/byw_stages.h"
#include "sim/sm/byw_throttle.h"
#include "sim/sm/byw_units.h"

enum { BYW_SM_CTAS = 64, BYW_PORT_INST = 255 }; /* byw_txn.port: enum byw_mem_kind or this */

struct byw_cta_slot {
    struct byw_cta cta;
    uint64_t warps; /* live warps */
    uint64_t arrived; /* warps that wait at the barrier */
    uint64_t last_arrival; /* cycle in which a warp last arrived at the barrier */
    bool used;
};

struct byw_sm {
    const struct byw_config *config;
    struct byw_cluster *cluster;
    struct byw_memsys *memsys;
    uint32_t number;
    uint32_t port; /* port of the crossbar */
    struct byw_waves *waves; /* NULL: not watched */
    bool levels; /* the L1D's levels are written to the waveform */
    uint64_t barrier_free; /* cycle from which the barriers take another arrival */
    uint32_t cta_limit; /* CTAs of the running kernel that fit */
    uint32_t ctas;
    uint32_t newest; /* slot of the CTA started last */
    uint64_t stepped; /* cycle after the last one accounted for in the core */
    uint64_t l1d_stepped; /* cycle after the last one accounted for in the L1D */
    uint64_t core_wake; /* the core need not be stepped before this cycle unless woken */
    bool roused; /* woken by the memory path in this cycle */
    bool sleepless; /* the core is stepped in every step */
    uint8_t idle_slot[BYW_SCHED_MAX]; /* why each scheduler did not issue when last stepped */
    bool l1d_refuses; /* the L1D did not accept the offered request */
    bool l1d_open; /* the L1D could have accepted a request when last stepped */
    uint8_t sent_hint; /* advice for the load sent last, whose PC is sent_pc; UINT8_MAX: none */
    uint32_t sent_pc;
    uint8_t fill_beats; /* beats of the fill at the port taken by the L1D */
    uint64_t line_taken; /* line of the accesses that the L1D accepted in this cycle */
    bool l1d_busy; /* the L1D must be stepped even without a new input */
    bool launch; /* kernel_start pulses in this cycle */
    bool placed; /* cta_placed pulses in this cycle */
    bool counts_warps; /* the L1 needs the number of active warps */
    uint8_t active_warps; /* warps with a decoded instruction, as last reported to the L1 */
    uint32_t kernel_pc; /* identifies the running kernel */
    struct byw_sm_counters counters;
    alignas(64) struct byw_warps warps;
    struct byw_sched sched;
    struct byw_fetch fetch;
    struct byw_ldst ldst;
    struct byw_units units;
    struct byw_stages stages;
    struct byw_throttle throttle;
    struct byw_outlet outlet;
    struct byw_cta_slot slot[BYW_SM_CTAS];
};

/* Releases the CTA's warps from the barrier when all that still run have arrived. */
void byw_sm_check_barrier(struct byw_sm *sm, struct byw_cta_slot *slot, uint64_t now);

/* Each scheduler issues an instruction if it can.  Returns whether one did. */
bool byw_sm_issue(struct byw_sm *sm, uint64_t now);

/* Warps whose next instruction has its operands and a free unit. */
uint64_t byw_sm_with_room(const struct byw_sm *sm, uint64_t now);

/* Why scheduler s did not issue (the first reason that applies to all its warps). */
enum byw_slot byw_sm_idle_reason(const struct byw_sm *sm, uint32_t s);

/* Frees the slots of drained warps, and of CTAs without warps. */
void byw_sm_retire(struct byw_sm *sm, uint64_t now);

#endif
