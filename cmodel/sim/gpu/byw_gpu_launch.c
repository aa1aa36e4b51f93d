/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_gpu_launch.c - A launch from its first CTA until the L2 is flushed and nothing is in flight.
 */
#include <string.h>

#include "sim/gpu/byw_gpu_state.h"
#include "sim/gpu/byw_noise.h"

enum {
    SETTLE_CYCLES = 2000000, /* more than the last writes of a trace need to drain */
    CODE_BITS = 20 /* address room for one kernel's instructions */
};
#define CODE_BASE 0xf0000000ull

/* Address of the kernel's instructions.  Each kernel has its own region, so that kernels do not
 * share cache lines.  PCs of Accel-Sim traces are already addresses. */
static uint64_t code_address(struct gpu *gpu, const struct byw_kernel *kernel)
{
    uint32_t i = 0;

    if (strcmp(byw_trace_format(gpu->trace), "accelsim") == 0)
        return CODE_BASE;
    while (i < gpu->codes && gpu->code[i] != kernel->code)
        i++;
    if (i == gpu->codes && gpu->codes < BYW_CODE_SLOTS)
        gpu->code[gpu->codes++] = kernel->code;
    return CODE_BASE + ((uint64_t)(i % BYW_CODE_SLOTS) << CODE_BITS);
}

static bool busy_l1ds(const struct gpu *gpu)
{
    for (uint32_t i = 0; i < gpu->config->sm_count; i++)
        if (byw_sm_l1d_busy(gpu->sm[i]))
            return true;
    return false;
}

/* Places CTAs, simulates a cycle, and skips cycles without work. */
static enum byw_status advance(struct gpu *gpu)
{
    enum byw_status st = BYW_OK;
    uint64_t next;

    if (gpu->grid_left && !byw_gpu_full(gpu))
        st = byw_gpu_dispatch(gpu);
    if (st != BYW_OK || (!gpu->grid_left && byw_gpu_empty(gpu)))
        return st;
    next = byw_gpu_cycle(gpu);
    /* The launch ends with the cycle in which its last CTA ends, so nothing is skipped then. */
    if (next > gpu->now && !gpu->options->every_cycle &&
        (gpu->grid_left ? byw_gpu_full(gpu) : !byw_gpu_empty(gpu)))
        st = byw_gpu_skip(gpu, next);
    if (st == BYW_OK)
        st = byw_gpu_poll(gpu);
    return st;
}

/* Gives the L1Ds their shape for this launch, once everything that the last launch left in them has
 * drained. */
static enum byw_status shape_l1ds(struct gpu *gpu, const struct byw_kernel *kernel)
{
    const struct byw_carveout before = gpu->carveout;

    gpu->carveout = byw_carveout_for(gpu->config, kernel);
    if (gpu->carveout.l1d_sets == before.l1d_sets && gpu->carveout.l1d_ways == before.l1d_ways)
        return BYW_OK;
    for (uint32_t i = 0; i < SETTLE_CYCLES && busy_l1ds(gpu); i++)
        byw_gpu_cycle(gpu);
    for (uint32_t i = 0; i < gpu->config->sm_count; i++)
        byw_sm_catch_up(gpu->sm[i], gpu->now);
    return byw_cluster_reshape(gpu->cluster, gpu->carveout.l1d_sets, gpu->carveout.l1d_ways,
                               gpu->diag);
}

enum byw_status byw_gpu_run_kernel(struct gpu *gpu, const struct byw_kernel *kernel)
{
    uint64_t limit = gpu->options->max_cycles != 0 ? gpu->options->max_cycles : UINT64_MAX;
    enum byw_status st = shape_l1ds(gpu, kernel);

    if (st != BYW_OK)
        return st;
    gpu->now += gpu->config->launch_start;
    if (gpu->config->l2_start == BYW_L2_DROPS_CLEAN)
        byw_memsys_invalidate_l2(gpu->memsys);
    else if (gpu->config->l2_start >= BYW_L2_EMPTY)
        byw_memsys_clear_l2(gpu->memsys);
    if (gpu->config->l2_start == BYW_L2_DIRTIED)
        byw_memsys_soil_l2(gpu->memsys);
    if (gpu->config->gl1_start != 0)
        byw_memsys_invalidate_gl1(gpu->memsys);
    gpu->code_at = code_address(gpu, kernel);
    for (uint32_t i = 0; i < gpu->config->sm_count; i++) {
        byw_sm_launch(gpu->sm[i], kernel, gpu->code_at);
        byw_sm_advise(gpu->sm[i], gpu->hints.any ? &gpu->hints : NULL);
        gpu->wake[i] = gpu->now;
    }
    gpu->all_start = byw_noise_starts(gpu->config, gpu->launches, gpu->now, gpu->start);
    byw_gpu_plan(gpu, kernel);
    gpu->grid_left = true;
    gpu->moved = gpu->now;
    while (st == BYW_OK && !gpu->stop && (gpu->grid_left || !byw_gpu_empty(gpu))) {
        st = byw_gpu_may_run_ahead(gpu) ? byw_gpu_run_ahead(gpu) : advance(gpu);
        if (gpu->now >= limit)
            gpu->stop = true;
    }
    return st == BYW_OK ? byw_gpu_fault(gpu) : st;
}

enum byw_status byw_gpu_flush(struct gpu *gpu)
{
    uint64_t limit = gpu->options->max_cycles != 0 ? gpu->options->max_cycles : UINT64_MAX;
    uint64_t start = gpu->now;
    enum byw_status st = BYW_OK;

    gpu->moved = gpu->now;
    byw_memsys_flush(gpu->memsys);
    while (st == BYW_OK && !gpu->stop && !byw_memsys_empty(gpu->memsys)) {
        uint64_t next = byw_gpu_cycle(gpu);

        if (next > gpu->now && !gpu->options->every_cycle && !byw_memsys_empty(gpu->memsys))
            st = byw_gpu_skip(gpu, next);
        if (st == BYW_OK)
            st = byw_gpu_poll(gpu);
        if (gpu->now >= limit)
            gpu->stop = true;
    }
    gpu->result->flush_cycles += gpu->now - start;
    return st;
}

void byw_gpu_settle(struct gpu *gpu)
{
    for (uint32_t i = 0; i < SETTLE_CYCLES && !byw_memsys_empty(gpu->memsys); i++) {
        for (uint32_t s = 0; s < gpu->config->sm_count; s++) {
            if (byw_sm_has_reply(gpu->sm[s]))
                byw_sm_step(gpu->sm[s], gpu->now + i);
        }
        byw_memsys_tick(gpu->memsys);
    }
}
