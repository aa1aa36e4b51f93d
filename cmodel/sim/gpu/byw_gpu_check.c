/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/gpu/byw_gpu_check.h"

#include <inttypes.h>

struct law {
    const char *left_name, *right_name;
    uint64_t left, right;
    bool at_rest; /* holds only when nothing is in flight */
};

static uint64_t slots(const struct byw_gpu_result *r)
{
    uint64_t sum = 0;

    for (uint32_t i = 0; i < BYW_SLOT_COUNT; i++)
        sum += r->core_stall[i];
    return sum;
}

/* Instruction counts, which must agree: summed over the SMs, and over the launches. */
struct work {
    uint64_t sm_warps, launch_warps, launch_threads;
};

static struct work work_of(const struct byw_gpu_result *r)
{
    struct work sum = {0, 0, 0};

    for (uint32_t i = 0; i < r->sm_count; i++)
        sum.sm_warps += r->sm[i].warp_instructions;
    for (uint32_t i = 0; i < r->kernel_count; i++) {
        sum.launch_warps += r->kernel[i].warp_instructions;
        sum.launch_threads += r->kernel[i].thread_instructions;
    }
    return sum;
}

enum byw_status byw_gpu_check(const struct byw_config *config, const struct byw_gpu_result *r,
                              struct byw_diag *diag)
{
    const uint64_t *ev = r->l1.ev;
    const struct work work = work_of(r);
    const struct law law[] = {
        {"L1D hits + pending hits + misses + bypasses", "accepted loads + stores",
         ev[BYW_EV_HIT] + ev[BYW_EV_HIT_PENDING] + ev[BYW_EV_MISS] + ev[BYW_EV_BYPASS],
         ev[BYW_EV_LOAD] + ev[BYW_EV_STORE], false},
        {"L1D stall cycles", "their sum over reasons", r->l1.stall_cycles,
         ev[BYW_EV_FAIL_LINE] + ev[BYW_EV_FAIL_MSHR] + ev[BYW_EV_FAIL_MERGE] +
             ev[BYW_EV_FAIL_MISS_QUEUE] + ev[BYW_EV_FAIL_ICNT],
         false},
        {"scheduler cycles by use", "SMs x schedulers x cycles", slots(r),
         (uint64_t)r->sm_count * config->sm_schedulers * r->cycles, false},
        {"warp instructions of all SMs", "those of the run", work.sm_warps, r->warp_instructions,
         false},
        {"warp instructions of all launches", "those of the run", work.launch_warps,
         r->warp_instructions, false},
        {"thread instructions of all launches", "those of the run", work.launch_threads,
         r->thread_instructions, false},
        {"accepted loads + stores + atomics", "coalesced transactions",
         ev[BYW_EV_LOAD] + ev[BYW_EV_STORE] + ev[BYW_EV_ATOMIC], r->coalesced, true},
        {"L1D reads + writes + instruction lines asked for",
         "requests at the crossbar + those combined with others",
         ev[BYW_EV_MEM_READ] + ev[BYW_EV_MEM_WRITE] + r->icache_misses,
         r->mem.requests + r->combined, true},
    };

    for (size_t i = 0; i < sizeof(law) / sizeof(law[0]); i++) {
        if (law[i].left != law[i].right && !(law[i].at_rest && r->partial))
            return byw_diag_set(diag, BYW_ECHECK, "%s: %" PRIu64 ", expected %s: %" PRIu64,
                                law[i].left_name, law[i].left, law[i].right_name, law[i].right);
    }
    return BYW_OK;
}
