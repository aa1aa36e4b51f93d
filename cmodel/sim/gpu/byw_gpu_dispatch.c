/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_gpu_dispatch.c - Places the CTAs of a launch on SMs.
 */
#include "sim/gpu/byw_gpu_state.h"

bool byw_gpu_full(const struct gpu *gpu)
{
    for (uint32_t i = 0; i < gpu->config->sm_count; i++)
        if (byw_sm_has_room(gpu->sm[i]))
            return false;
    return true;
}

bool byw_gpu_empty(const struct gpu *gpu)
{
    for (uint32_t i = 0; i < gpu->config->sm_count; i++)
        if (byw_sm_ctas(gpu->sm[i]) != 0)
            return false;
    return true;
}

/* The cycle in which the next CTA begins (gpu.cta_rate). */
static uint64_t cta_begins(struct gpu *gpu, uint64_t now)
{
    enum { SCALE = 1000000 };
    uint64_t at = now * SCALE;

    if (at < gpu->cta_next)
        at = gpu->cta_next;
    gpu->cta_next = at + UINT64_C(1000) * SCALE / gpu->config->cta_rate;
    return at / SCALE;
}

void byw_gpu_plan(struct gpu *gpu, const struct byw_kernel *kernel)
{
    const uint32_t n = gpu->config->sm_count;
    const uint64_t ctas = (uint64_t)kernel->grid[0] * kernel->grid[1] * kernel->grid[2];

    gpu->placed = 0;
    if (gpu->gpcs.count == 0)
        return;
    gpu->first_sm = gpu->zero;
    gpu->full = ctas / n;
    gpu->rest = ctas % n;
    byw_gpcs_spread(&gpu->gpcs, (uint32_t)gpu->rest, gpu->takes);
}

bool byw_gpu_passed_over(const struct gpu *gpu, uint32_t s)
{
    uint64_t before = gpu->full * gpu->config->sm_count;

    return gpu->gpcs.count != 0 && gpu->placed >= before && gpu->placed < before + gpu->rest &&
           byw_sm_ctas(gpu->sm[s]) == gpu->full && !gpu->takes[byw_gpu_port(gpu, s)];
}

enum byw_status byw_gpu_give_cta(struct gpu *gpu, uint32_t s, uint64_t now)
{
    enum byw_status st = gpu->sampler != NULL ? byw_gpu_sample_cta(gpu) : BYW_OK;

    if (st == BYW_OK)
        st = byw_trace_next_cta(gpu->trace, byw_sm_cta(gpu->sm[s]), gpu->diag);
    if (st == BYW_END)
        gpu->grid_left = false;
    if (st != BYW_OK)
        return st;
    gpu->placed++;
    byw_sm_start(gpu->sm[s], now);
    if (gpu->config->cta_rate != 0)
        byw_sm_hold(gpu->sm[s], now, cta_begins(gpu, now));
    gpu->wake[s] = now;
    gpu->first_sm = s + 1 < gpu->config->sm_count ? s + 1 : 0;
    return BYW_OK;
}

enum byw_status byw_gpu_dispatch(struct gpu *gpu)
{
    uint32_t n = gpu->config->sm_count, first = gpu->first_sm;

    for (uint32_t i = 0; i < n && gpu->grid_left; i++) {
        uint32_t s = (first + i) % n;
        enum byw_status st;

        if (gpu->now < gpu->start[s] || !byw_sm_has_room(gpu->sm[s]) || byw_gpu_passed_over(gpu, s))
            continue;
        st = byw_gpu_give_cta(gpu, s, gpu->now);
        if (st != BYW_OK && st != BYW_END)
            return st;
    }
    return BYW_OK;
}
