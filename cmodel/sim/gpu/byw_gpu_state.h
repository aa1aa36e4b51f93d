/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_gpu_state.h - private to the GPU: a run in progress, shared by byw_gpu.c (a run from start to
 * end), byw_gpu_launch.c, byw_gpu_time.c, byw_gpu_sample.c (which part of the trace is simulated)
 * and byw_gpu_book.c (counters).
 */
#ifndef BYW_GPU_STATE_H
#define BYW_GPU_STATE_H

#include <stdatomic.h>

#include "sim/gpu/byw_gpu.h"
#include "sim/memory/byw_gpcs.h"
#include "sim/sm/byw_carveout.h"
#include "sim/sm/byw_sm.h"

enum {
    BYW_CODE_SLOTS = 64, /* number of kernels with separate instruction addresses */
    BYW_POLL_CYCLES = 4096 /* cycles between two checks of the host's clock and the stop flag */
};

struct byw_gpu_sampler;

/* The run's counters at one point in time.  All members are uint64_t, so that they can be scaled
 * one by one. */
struct byw_gpu_totals {
    uint64_t cycles, warp_instructions, thread_instructions;
    uint64_t coalesced, shared_conflict_cycles, icache_misses, flush_cycles;
    uint64_t combined, bypass_joins, machine_instructions, merged_stores;
    uint64_t slot[BYW_SLOT_COUNT];
    struct byw_l1_stats l1;
    struct byw_mem_stats mem;
};

struct gpu {
    const struct byw_config *config;
    const struct byw_gpu_options *options;
    struct byw_trace *trace;
    struct byw_diag *diag;
    struct byw_cluster *cluster;
    struct byw_memsys *memsys;
    struct byw_sm **sm;
    struct byw_waves *waves; /* NULL: none */
    uint64_t *wake; /* by SM: cycle of its next step */
    uint64_t *start; /* by SM: cycle from which on it takes CTAs of the launch */
    uint64_t all_start; /* the last of these cycles */
    struct byw_gpu_ahead *ahead; /* NULL: SMs run in lock step with the memory side */
    uint64_t now;
    uint64_t look; /* cycle of the next call of options->watch; UINT64_MAX: none */
    uint64_t polled; /* cycle of the last poll */
    uint64_t patience; /* cycles without progress after which the run counts as stuck */
    uint64_t progress; /* instructions, requests, replies and DRAM requests at cycle `moved` */
    uint64_t moved; /* cycle of the last poll that saw progress */
    uint64_t replies; /* replies that have reached an SM; counted only if one is to be lost */
    double reported; /* host time of the last progress call */
    struct byw_carveout carveout; /* the L1Ds' current shape */
    uint64_t cta_next; /* millionths of a cycle: when the next CTA may begin */
    uint32_t zero; /* the SM at port 0 of the crossbar */
    uint32_t first_sm; /* dispatch begins after the SM that got the last CTA */
    struct byw_gpcs gpcs;
    uint64_t placed; /* CTAs of the launch placed so far */
    uint64_t rest; /* CTAs of the launch that are too few to give each SM one more */
    uint64_t full; /* CTAs of the launch that each SM gets before the rest */
    bool takes[BYW_GPC_SMS_MAX]; /* by port: it gets one of the rest */
    uint32_t launches; /* launches finished so far */
    _Atomic bool grid_left; /* the current launch has CTAs left to place */
    bool stop;
    uint32_t code[BYW_CODE_SLOTS];
    uint32_t codes;
    uint64_t code_at; /* address of the current launch's instructions */
    struct byw_load_hints hints; /* hints of the running kernel's loads */
    struct byw_gpu_sampler *sampler; /* NULL: everything is simulated */
    struct byw_gpu_result *result;
    size_t kernel_room;
};

/* --- byw_gpu_dispatch.c ------------------------------------------------------------------- */

/* _full: no SM has room for a CTA.  _empty: no SM holds a CTA. */
bool byw_gpu_full(const struct gpu *gpu);
bool byw_gpu_empty(const struct gpu *gpu);

/* Gives SM s, which has room, the next CTA of the grid at cycle `now`.  BYW_END: no CTA is left. */
enum byw_status byw_gpu_give_cta(struct gpu *gpu, uint32_t s, uint64_t now);

/* Decides which SMs get the CTAs of a launch (gpu.gpcs); nothing without GPCs. */
void byw_gpu_plan(struct gpu *gpu, const struct byw_kernel *kernel);

/* Whether SM s gets no CTA now, because the launch's last ones go to other SMs. */
bool byw_gpu_passed_over(const struct gpu *gpu, uint32_t s);

/* Gives each SM with room one CTA, beginning after the SM that got the last one. */
enum byw_status byw_gpu_dispatch(struct gpu *gpu);

/* --- byw_gpu_time.c ----------------------------------------------------------------------- */

/* One cycle of everything that is awake.  Returns the earliest cycle in which an SM needs its next
 * step. */
uint64_t byw_gpu_cycle(struct gpu *gpu);

/* Skips cycles in which neither an SM (before `next`) nor the memory side changes. */
enum byw_status byw_gpu_skip(struct gpu *gpu, uint64_t next);

/* Regular check for progress, requests of the host and limits. */
enum byw_status byw_gpu_poll(struct gpu *gpu);

/* BYW_OK if all SMs could read their records; otherwise the first error, described in the diag. */
enum byw_status byw_gpu_fault(struct gpu *gpu);

double byw_gpu_host_seconds(void);

/* --- byw_gpu_ahead.c ---------------------------------------------------------------------- */

/* Prepares SMs to run ahead of the memory side, unless the options require every part to be stepped
 * in every cycle.  BYW_ENOMEM. */
enum byw_status byw_gpu_ahead_init(struct gpu *gpu);
void byw_gpu_ahead_free(struct gpu *gpu);

/* The crossbar port of SM s. */
static inline uint32_t byw_gpu_port(const struct gpu *gpu, uint32_t s)
{
    return s >= gpu->zero ? s - gpu->zero : s + gpu->config->sm_count - gpu->zero;
}

/* Whether the SMs may run ahead now. */
bool byw_gpu_may_run_ahead(struct gpu *gpu);

/* Continues the launch with SMs ahead of the memory side.  Returns at its end, when the run stops,
 * or when SMs must run in lock step for a while. */
enum byw_status byw_gpu_run_ahead(struct gpu *gpu);

/* --- byw_gpu_launch.c --------------------------------------------------------------------- */

/* Runs all CTAs of the launch at the trace's current position. */
enum byw_status byw_gpu_run_kernel(struct gpu *gpu, const struct byw_kernel *kernel);

/* Writes dirty L2 lines back, which is part of the launch. */
enum byw_status byw_gpu_flush(struct gpu *gpu);

/* Drains everything in flight below the L1s; not part of the measured cycles. */
void byw_gpu_settle(struct gpu *gpu);

/* --- byw_gpu_book.c ----------------------------------------------------------------------- */

/* Current sums over the SMs. */
void byw_gpu_sum_up(struct gpu *gpu, struct byw_gpu_kernel *sum);

/* _kernel: books the finished launch, given the sums at its start.  _run: books the whole run. */
enum byw_status byw_gpu_book_kernel(struct gpu *gpu, const struct byw_kernel *kernel,
                                    const struct byw_gpu_kernel *before);
void byw_gpu_book_run(struct gpu *gpu);
/* Calls options->watch, if there is one. */
enum byw_status byw_gpu_look(struct gpu *gpu);
void byw_gpu_totals(struct gpu *gpu, struct byw_gpu_totals *totals);
void byw_gpu_book_totals(struct byw_gpu_result *result, const struct byw_gpu_totals *totals);

/* --- byw_gpu_sample.c --------------------------------------------------------------------- */

enum byw_status byw_gpu_sampler_create(const struct byw_config *config,
                                       struct byw_gpu_sampler **sampler, struct byw_diag *diag);
void byw_gpu_sampler_free(struct byw_gpu_sampler *sampler);

/* BYW_OK: the launch begins; BYW_END: it is skipped. */
enum byw_status byw_gpu_sample_launch(struct gpu *gpu, const struct byw_kernel *kernel);
/* Skips the CTAs that are left out before the next one.  BYW_END: there is no next one. */
enum byw_status byw_gpu_sample_cta(struct gpu *gpu);
/* Whether the rest of the launch is simulated completely, so counters are not needed before its
 * end. */
bool byw_gpu_sample_over(const struct gpu *gpu);
/* The launch and the pause after it have ended. */
void byw_gpu_sample_end(struct gpu *gpu);
/* Replaces the booked totals of the run by estimates for the whole trace. */
void byw_gpu_sample_conclude(struct gpu *gpu);

#endif
