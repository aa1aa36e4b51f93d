/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_gpu_state.h - private to the GPU: a run in progress, shared by byw_gpu.c (a run from its
 * building to its end), byw_gpu_launch.c, byw_gpu_time.c, byw_gpu_sample.c
 * (which part of the trace is simulated) and byw_gpu_book.c (counters).
 */
#ifndef BYW_GPU_STATE_H
#define BYW_GPU_STATE_H

#include <stdatomic.h>

#include "sim/byw_gpu.h"
#include "sim/byw_sm.h"

enum {
    BYW_CODE_SLOTS = 64, /* kernels distinguished by their instruction addresses */
    BYW_POLL_CYCLES = 4096 /* between two looks at the host's clock and the stop flag */
};

struct byw_gpu_sampler;

/* The run's counters at a moment; nothing but uint64_t, so that they can be scaled one by one. */
struct byw_gpu_totals {
    uint64_t cycles, warp_instructions, thread_instructions;
    uint64_t coalesced, shared_conflict_cycles, icache_misses, flush_cycles;
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
    struct byw_gpu_ahead *ahead; /* NULL: SMs keep step with the memory side */
    uint64_t now;
    uint64_t look; /* cycle of the next look of options->watch; UINT64_MAX: nobody looks */
    uint64_t polled; /* cycle of the last poll */
    uint64_t patience; /* cycles without progress that are too many */
    uint64_t progress; /* instructions, requests, replies and DRAM requests at `moved` */
    uint64_t moved; /* cycle of the last poll that saw progress */
    uint64_t replies; /* that have come to an SM; counted only when one is to be lost */
    double reported; /* host time of the last progress call */
    uint32_t zero; /* the SM at port 0 of the crossbar */
    uint32_t first_sm; /* dispatch begins after the SM that got the last CTA */
    uint32_t launches; /* finished */
    _Atomic bool grid_left; /* the current launch has CTAs not placed yet */
    bool stop;
    uint32_t code[BYW_CODE_SLOTS];
    uint32_t codes;
    struct byw_load_hints hints; /* of the running kernel's loads */
    struct byw_gpu_sampler *sampler; /* NULL: everything is simulated */
    struct byw_gpu_result *result;
    uint32_t kernel_room;
};

/* --- byw_gpu_time.c ----------------------------------------------------------------------- */

/* No SM has room for a CTA; no SM holds one. */
bool byw_gpu_full(const struct gpu *gpu);
bool byw_gpu_empty(const struct gpu *gpu);

/* One cycle of everything that is awake; returns the earliest cycle at which an SM wants its next.
 */
uint64_t byw_gpu_cycle(struct gpu *gpu);

/* Jumps over cycles in which neither an SM (before `next`) nor the memory side changes. */
enum byw_status byw_gpu_skip(struct gpu *gpu, uint64_t next);

/* Looks up now and then: is there progress, does the host want something, are limits reached? */
enum byw_status byw_gpu_poll(struct gpu *gpu);

/* BYW_OK while all SMs could read their records; else the first error, described in the diag. */
enum byw_status byw_gpu_fault(struct gpu *gpu);

double byw_gpu_host_seconds(void);

/* --- byw_gpu_ahead.c ---------------------------------------------------------------------- */

/* Prepares for SMs that run ahead of the memory side, unless the options want to see every cycle
 * of everything; BYW_ENOMEM. */
enum byw_status byw_gpu_ahead_init(struct gpu *gpu);
void byw_gpu_ahead_free(struct gpu *gpu);

/* The port of the crossbar that SM s is at. */
static inline uint32_t byw_gpu_port(const struct gpu *gpu, uint32_t s)
{
    return s >= gpu->zero ? s - gpu->zero : s + gpu->config->sm_count - gpu->zero;
}

/* Whether the SMs may run ahead now. */
bool byw_gpu_may_run_ahead(struct gpu *gpu);

/* The launch goes on with SMs ahead of the memory side, to its end unless the run stops before or
 * SMs must keep step for a while. */
enum byw_status byw_gpu_run_ahead(struct gpu *gpu);

/* --- byw_gpu_launch.c --------------------------------------------------------------------- */

/* Where the kernel's instructions are, so that kernels do not share lines of the caches. */
uint64_t byw_gpu_code_address(struct gpu *gpu, const struct byw_kernel *kernel);

/* The next CTA of the grid for SM s, which has room, at cycle `now`; BYW_END: there is none left.
 */
enum byw_status byw_gpu_give_cta(struct gpu *gpu, uint32_t s, uint64_t now);

/* All CTAs of the launch that the trace is at. */
enum byw_status byw_gpu_run_kernel(struct gpu *gpu, const struct byw_kernel *kernel);

/* The L2 writes back what is dirty; the launch is not over before. */
enum byw_status byw_gpu_flush(struct gpu *gpu);

/* Lets what is still under way below the L1s come to rest; not part of the measured cycles. */
void byw_gpu_settle(struct gpu *gpu);

/* --- byw_gpu_book.c ----------------------------------------------------------------------- */

/* Sums over the SMs as they stand. */
void byw_gpu_sum_up(struct gpu *gpu, struct byw_gpu_kernel *sum);

/* The launch that ended, given the sums at its start; the whole run. */
enum byw_status byw_gpu_book_kernel(struct gpu *gpu, const struct byw_kernel *kernel,
                                    const struct byw_gpu_kernel *before);
void byw_gpu_book_run(struct gpu *gpu);
/* A look of options->watch, if there is one. */
enum byw_status byw_gpu_look(struct gpu *gpu);
void byw_gpu_totals(struct gpu *gpu, struct byw_gpu_totals *totals);
void byw_gpu_book_totals(struct byw_gpu_result *result, const struct byw_gpu_totals *totals);

/* --- byw_gpu_sample.c --------------------------------------------------------------------- */

enum byw_status byw_gpu_sampler_create(const struct byw_config *config,
                                       struct byw_gpu_sampler **sampler, struct byw_diag *diag);
void byw_gpu_sampler_free(struct byw_gpu_sampler *sampler);

/* BYW_OK: the launch begins; BYW_END: it is left out. */
enum byw_status byw_gpu_sample_launch(struct gpu *gpu, const struct byw_kernel *kernel);
/* Passes over the CTAs that are left out before the next one; BYW_END: there is no next one. */
enum byw_status byw_gpu_sample_cta(struct gpu *gpu);
/* The rest of the launch is simulated whole: counters are not asked for before its end. */
bool byw_gpu_sample_over(const struct gpu *gpu);
/* The launch that began has ended, and the pause after it. */
void byw_gpu_sample_end(struct gpu *gpu);
/* Puts estimates of the whole in place of the run's figures, which are booked. */
void byw_gpu_sample_conclude(struct gpu *gpu);

#endif
