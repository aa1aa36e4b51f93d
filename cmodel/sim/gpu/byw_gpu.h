/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_gpu.h - the whole GPU: runs a trace on a configured machine and returns its counters.
 *
 *     struct byw_gpu_options options = {0};
 *     struct byw_gpu_result *result = NULL;
 *     if (byw_gpu_run(&config, trace, &options, &result, &diag) == BYW_OK)
 *         use(result->cycles, result->l1.ev[BYW_EV_HIT]);
 *     byw_gpu_result_free(result);
 *
 * A run that makes no progress ends with BYW_ESTUCK.  The message names the warp that has waited
 * longest, its oldest load with its history, and the oldest request below the L1s.
 *
 * Results depend only on the configuration and the trace: not on the options' callbacks, on the
 * host, or on what else runs in the process.
 */
#ifndef BYW_GPU_H
#define BYW_GPU_H

#include <signal.h>

#include "common/byw_config.h"
#include "sim/memory/byw_memsys.h"
#include "sim/observe/byw_waves.h"
#include "sim/sm/byw_load_advice.h"
#include "sim/sm/byw_slots.h"
#include "top/byw_cluster.h"
#include "top/byw_recorder.h"
#include "trace/byw_kernel_pick.h"
#include "trace/byw_launch_range.h"
#include "trace/file/byw_trace.h"

struct byw_gpu_sm {
    struct byw_l1_stats l1;
    uint64_t cycles_active; /* cycles with a resident CTA */
    uint64_t warp_instructions;
};

struct byw_gpu_kernel {
    char name[128];
    uint32_t launch;
    uint32_t code; /* identifies the kernel's code */
    uint32_t code_at; /* offset that the SMs add to its PCs, so that each kernel has its own PCs */
    uint64_t start; /* cycle in which its first CTA starts */
    uint64_t cycles; /* from `start` to the end of its last CTA */
    uint64_t warp_instructions, thread_instructions;
    struct byw_l1_stats l1; /* summed over the SMs */
    struct byw_mem_stats mem; /* counters below the L1s during the launch */
    uint64_t core_stall[BYW_SLOT_COUNT];
    uint64_t bypass_joins; /* bypassed loads that shared the answer of another one */
    uint64_t machine_instructions; /* warp instructions timed by machine code */
    uint32_t shared_kb; /* scratchpad of each SM */
};

/* The parts that a sampled run skipped (sample.period, byw_sample.h). */
struct byw_gpu_sampled {
    uint32_t period; /* 0: nothing was skipped, and the other fields are 0 */
    uint64_t launches, launches_left_out;
    uint64_t ctas, ctas_left_out; /* CTAs of all launches; those of them that were skipped */
    uint64_t cycles_simulated;
    double cycles_bar; /* half-width of the 95 % confidence interval of the run's cycles */
};

/* In a sampled run, the totals are estimates for the whole trace; the figures of SMs and kernels
 * are those of the simulated part. */
struct byw_gpu_result {
    uint64_t cycles; /* cycles of the SM clock */
    uint64_t warp_instructions, thread_instructions;
    struct byw_l1_stats l1; /* summed over the SMs */
    struct byw_mem_stats mem;
    uint64_t core_stall[BYW_SLOT_COUNT]; /* scheduler cycles by use */
    uint64_t coalesced; /* memory transactions made by the coalescers */
    uint64_t shared_conflict_cycles; /* extra scratchpad passes */
    uint64_t icache_misses;
    uint64_t combined; /* requests of L1Ds that left in another request's packet (byw_outlet.h) */
    uint64_t merged_stores; /* of `combined`: stores to a sector that waits for further stores */
    uint64_t bypass_joins; /* of `combined`: bypassed loads that shared another load's answer */
    uint64_t machine_instructions; /* warp instructions timed by machine code */
    uint64_t flush_cycles; /* from the end of a launch's last CTA to the end of the L2 flush */
    bool partial; /* stopped early by a limit or the stop flag */
    struct byw_gpu_sampled sampled;

    uint32_t sm_count, kernel_count;
    struct byw_gpu_sm *sm; /* array of sm_count */
    struct byw_gpu_kernel *kernel; /* kernel_count, in launch order */
};

/* The occupancy of the SMs at one time, summed over all SMs. */
struct byw_gpu_levels {
    uint64_t ctas, warps; /* resident CTAs and warps */
    uint64_t lines, mshrs, trackers; /* lines, MSHRs and trackers in use in the L1Ds; 0 if the L1D
                                        is not the C model */
};

/* Observer of a run. `look` is called before the first cycle, then in the cycle that its last call
 * returned (or in the first cycles of the next launch, if no launch runs then), and after the last
 * cycle. `so_far` has the counters that byw_gpu_run() would return at this point, without launches.
 * An observer does not change the result. */
struct byw_gpu_watch {
    void *ctx;
    /* Returns the cycle of the next call. */
    uint64_t (*look)(void *ctx, const struct byw_gpu_result *so_far,
                     const struct byw_gpu_levels *levels);
};

enum { BYW_THREADS_MAX = 64 };

struct byw_gpu_options {
    /* Called about every 50 ms of host time; NULL: never. */
    void (*progress)(void *ctx, uint64_t cycles, uint64_t warp_instructions, uint32_t launches);
    void *progress_ctx;
    uint64_t max_cycles; /* 0: no limit */
    uint64_t max_instructions; /* warp instructions, checked every 4096 cycles; 0: no limit */
    /* Launches to simulate; NULL: all.  The caches start empty, even if earlier launches of the
     * trace are skipped. */
    const struct byw_launch_range *launches;
    size_t launch_ranges;
    const struct byw_kernel_pick *kernels; /* only launches of these kernels; NULL: all */
    uint32_t threads; /* threads that simulate; 0 or 1: only the caller's.  The result does not
                       * depend on it. */
    bool every_cycle; /* step everything in every cycle instead of skipping idle parts; same result,
                       * slower; for tests of the skipping */
    const struct byw_l1d_ops *l1d; /* the SMs' L1 data caches; NULL: the C model */
    const struct byw_mem_observer *dram; /* sees the DRAM requests; NULL: none */
    struct byw_mem_ledger *ledger; /* cost of each instruction below the L1s, owned by the caller;
                                    * NULL: not recorded */
    struct byw_stall_book *stalls; /* what machine instructions wait for (byw_stall_book.h), owned
                                    * by the caller; NULL: not counted */
    struct byw_load_advice *advice; /* hints of loads, owned by the caller; NULL: none */
    const struct byw_waves_window *waves; /* an L1D to write as waveforms; NULL: none */
    const struct byw_gpu_watch *watch; /* NULL: none */
    struct byw_recorder *recorders; /* one per SM's L1D (sm.count), created and owned by the caller;
                                     * NULL: nothing is recorded */
    struct byw_profile *profile; /* for mechanisms that need a profile run; owned by the caller */
    uint32_t first_sm; /* modulo the number of SMs: this SM gets the first CTA and port 0 of the
                        * crossbar.  Other values rename the SMs, for tests (SM dueling depends on
                        * SMs 0 and 1). */
    uint64_t lose_reply; /* this reply (1 = the first) never reaches its SM, for tests of the
                          * watchdog; 0: none */
    const volatile sig_atomic_t *stop; /* NULL, or: a non-zero value ends the run with a partial
                                        * result */
};

/* On any status other than BYW_OK, *result is NULL and diag holds the message.  The trace is read
 * from its current position to its end; the caller still owns it. */
enum byw_status byw_gpu_run(const struct byw_config *config, struct byw_trace *trace,
                            const struct byw_gpu_options *options, struct byw_gpu_result **result,
                            struct byw_diag *diag);
void byw_gpu_result_free(struct byw_gpu_result *result); /* accepts NULL */

#endif
