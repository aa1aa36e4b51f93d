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
 * A run in which nothing moves any more ends with BYW_ESTUCK; the sentence names the oldest warp
 * that waits, its oldest load with its history, and the oldest request below the L1s.
 *
 * Results depend on the configuration and the trace only: not on the options' callbacks, the
 * machine the program runs on, or what else runs in the process.
 */
#ifndef BYW_GPU_H
#define BYW_GPU_H

#include <signal.h>

#include "common/byw_config.h"
#include "sim/byw_load_advice.h"
#include "sim/byw_memsys.h"
#include "sim/byw_slots.h"
#include "sim/byw_waves.h"
#include "top/byw_cluster.h"
#include "top/byw_recorder.h"
#include "trace/byw_trace.h"

struct byw_gpu_sm {
    struct byw_l1_stats l1;
    uint64_t cycles_active; /* cycles with a resident CTA */
    uint64_t warp_instructions;
};

struct byw_gpu_kernel {
    char name[128];
    uint32_t launch;
    uint32_t code; /* identity of the kernel's code */
    uint32_t code_at; /* what the SMs add to its PCs, so that each kernel has its own */
    uint64_t start; /* cycle of its first CTA's start */
    uint64_t cycles; /* from then to its last CTA's end */
    uint64_t warp_instructions, thread_instructions;
    struct byw_l1_stats l1; /* summed over the SMs */
    struct byw_mem_stats mem; /* what happened below the L1s meanwhile */
    uint64_t core_stall[BYW_SLOT_COUNT];
};

/* What a run that simulates a part of its trace left out (sample.period, byw_sample.h). */
struct byw_gpu_sampled {
    uint32_t period; /* 0: nothing, and the rest of this is 0 */
    uint64_t launches, launches_left_out;
    uint64_t ctas, ctas_left_out; /* of all launches */
    uint64_t cycles_simulated;
    double cycles_bar; /* half of the 95 % interval around the run's cycles */
};

/* Of a run in part the figures of the run are estimates of the whole, those of SMs and kernels are
 * of what was simulated. */
struct byw_gpu_result {
    uint64_t cycles; /* SM clock */
    uint64_t warp_instructions, thread_instructions;
    struct byw_l1_stats l1; /* summed over the SMs */
    struct byw_mem_stats mem;
    uint64_t core_stall[BYW_SLOT_COUNT]; /* scheduler cycles by what they were used for */
    uint64_t coalesced; /* memory transactions made by the coalescers */
    uint64_t shared_conflict_cycles; /* extra scratchpad passes */
    uint64_t icache_misses;
    uint64_t flush_cycles; /* between the end of a launch's last CTA and that of the L2's flush */
    bool partial; /* stopped early: a limit or the stop flag */
    struct byw_gpu_sampled sampled;

    uint32_t sm_count, kernel_count;
    struct byw_gpu_sm *sm; /* sm_count */
    struct byw_gpu_kernel *kernel; /* kernel_count, in launch order */
};

/* Launches first .. last, both included. */
struct byw_launch_range {
    uint32_t first, last;
};

/* What the SMs hold at one moment, summed over them. */
struct byw_gpu_levels {
    uint64_t ctas, warps; /* resident */
    uint64_t lines, mshrs,
        trackers; /* of the L1Ds, in use; 0 with an L1D that is not the C model */
};

/* Looks at a run while it goes on: before its first cycle, in the cycles that it asks for (or the
 * first ones of the next launch), and after its last one.  `so_far` has the counters as
 * byw_gpu_run() gives them at the end, without launches.  It changes no result. */
struct byw_gpu_watch {
    void *ctx;
    /* Returns the cycle of the next look. */
    uint64_t (*look)(void *ctx, const struct byw_gpu_result *so_far,
                     const struct byw_gpu_levels *levels);
};

enum { BYW_THREADS_MAX = 64 };

struct byw_gpu_options {
    /* Called about every 50 ms of host time, NULL for never. */
    void (*progress)(void *ctx, uint64_t cycles, uint64_t warp_instructions, uint32_t launches);
    void *progress_ctx;
    uint64_t max_cycles; /* 0: no limit */
    uint64_t max_instructions; /* warp instructions, looked at every 4096 cycles; 0: no limit */
    const struct byw_launch_range *launches; /* those to simulate; NULL for all.  The caches begin
                                                empty, whatever came before in the trace. */
    size_t launch_ranges;
    uint32_t threads; /* that simulate; 0 and 1: the caller's.  The result does not depend on it. */
    bool every_cycle; /* step everything in every cycle instead of skipping what sleeps: same
                         result, slower; for tests of the skipping */
    const struct byw_l1d_ops *l1d; /* the SMs' L1 data caches; NULL for the C model */
    const struct byw_mem_observer *dram; /* sees the DRAM requests; NULL for none */
    struct byw_mem_ledger *ledger; /* what each instruction costs below the L1s, kept by the caller;
                                      NULL: it is not written down */
    struct byw_load_advice *advice; /* hints of loads, kept by the caller; NULL: none */
    const struct byw_waves_window *waves; /* an L1D to write as waveforms; NULL for none */
    const struct byw_gpu_watch *watch; /* NULL: nobody looks */
    struct byw_recorder *recorders; /* of each SM's L1D (sm.count), made and kept by the caller;
                                       NULL: nothing is written down */
    struct byw_profile *profile; /* for mechanisms that need a profile run, kept by the caller */
    uint32_t first_sm; /* modulo the number of SMs: gets the first CTA and port 0 of the crossbar;
                          other values rename the SMs, for tests (SM dueling knows SMs 0 and 1) */
    uint64_t lose_reply; /* this reply (1 = the first) never reaches its SM, for tests of the
                            watchdog; 0: none */
    const volatile sig_atomic_t *stop; /* NULL, or: non-zero ends the run with a partial result */
};

/* On anything but BYW_OK *result is NULL and diag holds the sentence.  The trace is read from
 * its current position to its end; the caller keeps it. */
enum byw_status byw_gpu_run(const struct byw_config *config, struct byw_trace *trace,
                            const struct byw_gpu_options *options, struct byw_gpu_result **result,
                            struct byw_diag *diag);
void byw_gpu_result_free(struct byw_gpu_result *result); /* NULL is allowed */

#endif
