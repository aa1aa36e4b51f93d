/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_sm.h - one streaming multiprocessor: resident CTAs and warps, schedulers, fetch, load/store
 * unit, and its ports to its L1D (in the cluster) and to the memory system.
 *
 * A cycle is byw_sm_step().  Its order is: one reply from below, the L1D, the scratchpad, wake-ups,
 * issue, decode, fetch.  So a later pipeline stage runs first, and what an earlier stage produces
 * is used in the next cycle.
 *
 * An SM in which nothing can happen before a reply or a known cycle sleeps.  byw_sm_step() returns
 * the cycle in which it wakes, and the skipped cycles are accounted for arithmetically.  In the
 * same way, the core of an SM (schedulers, fetch, ends of warps) can sleep while its memory path
 * works, and the reverse.
 */
#ifndef BYW_SM_H
#define BYW_SM_H

#include "sim/memory/byw_memsys.h"
#include "sim/observe/byw_waves.h"
#include "sim/sm/byw_load_advice.h"
#include "sim/sm/byw_slots.h"
#include "top/byw_cluster.h"
#include "trace/byw_inst.h"

struct byw_sm;

struct byw_sm_counters {
    uint64_t warp_instructions, thread_instructions;
    uint64_t machine_instructions; /* of `warp_instructions`: those timed by machine code */
    uint64_t slot[BYW_SLOT_COUNT];
    uint64_t cycles_active;
    uint64_t coalesced, shared_conflict_cycles, icache_misses;
    uint64_t combined, bypass_joins,
        merged_stores; /* struct byw_outlet: combined, shared, merged */
};

/* number: of its L1D in the cluster; port: of the crossbar. */
enum byw_status byw_sm_create(const struct byw_config *config, uint32_t number, uint32_t port,
                              struct byw_cluster *cluster, struct byw_memsys *memsys,
                              struct byw_sm **sm);

/* Whether a reply waits for the SM.  _lose_reply removes it unseen, for tests of the watchdog. */
bool byw_sm_has_reply(const struct byw_sm *sm);
void byw_sm_lose_reply(struct byw_sm *sm);
void byw_sm_free(struct byw_sm *sm);

/* Any status but BYW_OK: records of a long CTA could not be read, so its warps ended early. */
enum byw_status byw_sm_fault(const struct byw_sm *sm, struct byw_diag *diag);

/* Writes the L1D's ports, and its levels if it is the C model, to the waveform from now on. */
void byw_sm_watch(struct byw_sm *sm, struct byw_waves *waves, bool model);

/* Disables the skipping from now on, for tests: every step includes the core, whether it has work
 * or not. */
void byw_sm_stay_awake(struct byw_sm *sm);

/* From the next launch on, counts what machine instructions wait for; BYW_ENOMEM.
 * byw_sm_stalls(): the counts of the current launch; NULL: not counted. */
enum byw_status byw_sm_count_stalls(struct byw_sm *sm);
const struct byw_stall_sums *byw_sm_stalls(const struct byw_sm *sm);

/* Starts a launch: CTAs of this kernel follow.  Clears the L1D (mechanisms/cache.md 0.3). code:
 * byte address of the kernel's instructions. */
void byw_sm_launch(struct byw_sm *sm, const struct byw_kernel *kernel, uint64_t code);

/* The launch's loads carry these hints, owned by the caller; NULL: loads have no hints of their
 * own. */
void byw_sm_advise(struct byw_sm *sm, const struct byw_load_hints *advice);

/* Whether the SM has room for one more CTA of the current kernel. */
bool byw_sm_has_room(const struct byw_sm *sm);

/* _cta: the buffer to decode the next CTA into.  _start: starts that CTA at cycle `now`. */
struct byw_cta *byw_sm_cta(struct byw_sm *sm);
void byw_sm_start(struct byw_sm *sm, uint64_t now);
/* The CTA just started issues nothing before cycle `until`. */
void byw_sm_hold(struct byw_sm *sm, uint64_t now, uint64_t until);

/* Numbers of resident CTAs and warps. */
uint32_t byw_sm_ctas(const struct byw_sm *sm);
uint32_t byw_sm_warps(const struct byw_sm *sm);

/* Advances the SM, which is awake or waking, by one cycle.  Returns the cycle of the next step
 * unless a reply arrives first: now + 1 while there is work; later, or UINT64_MAX, if it sleeps. */
uint64_t byw_sm_step(struct byw_sm *sm, uint64_t now);

/* Prefetches what a step reads into the host's cache; sweeps over many SMs evict it. */
void byw_sm_prefetch(const struct byw_sm *sm);

/* Accounts for sleep up to, but not including, cycle `now`. */
void byw_sm_catch_up(struct byw_sm *sm, uint64_t now);

/* Whether something is left to do in its L1D or on the way from there to the crossbar. */
bool byw_sm_l1d_busy(const struct byw_sm *sm);

void byw_sm_counters(const struct byw_sm *sm, struct byw_sm_counters *counters);

/* For the watchdog.  _oldest: cycle in which the oldest load in flight was issued (UINT64_MAX:
 * none).  _describe: what the SM waits for: the warp of that load (or the oldest warp), its
 * position, the load's history and the queue that it is in. */
uint64_t byw_sm_oldest(const struct byw_sm *sm);
void byw_sm_describe(const struct byw_sm *sm, char *text, size_t room);

/* Number of CTAs of this kernel that fit in one SM at once (mechanisms/machines.md 0.5), limited by
 * CTA slots, threads, warps, registers and scratchpad; 0: it does not fit at all. */
uint32_t byw_sm_occupancy(const struct byw_config *config, const struct byw_kernel *kernel);
/* Scratchpad that one of its CTAs occupies, bytes. */
uint32_t byw_sm_cta_shared(const struct byw_config *config, const struct byw_kernel *kernel);
/* BYW_EINVAL: no CTA fits, or the warp width differs from the machine's. */
enum byw_status byw_sm_check(const struct byw_config *config, const struct byw_kernel *kernel,
                             struct byw_diag *diag);

#endif
