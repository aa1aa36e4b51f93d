/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_gpu_time.c - One cycle of the whole GPU, skipped cycles, and the watchdog.
 */
#include <time.h>

#include "sim/gpu/byw_gpu_state.h"

double byw_gpu_host_seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Whether SM i is stepped even without work: its cycles are in the waveform, or the options require
 * it. */
static bool step_anyway(const struct gpu *gpu, uint32_t i)
{
    return gpu->options->every_cycle || (gpu->waves != NULL && gpu->options->waves->sm == i &&
                                         byw_waves_in(gpu->waves, gpu->now));
}

/* Counts replies that reach an SM, and loses the one that the options name. */
static void watch_replies(struct gpu *gpu)
{
    for (uint32_t i = 0; i < gpu->config->sm_count; i++) {
        if (byw_sm_has_reply(gpu->sm[i]) && ++gpu->replies == gpu->options->lose_reply)
            byw_sm_lose_reply(gpu->sm[i]);
    }
}

uint64_t byw_gpu_cycle(struct gpu *gpu)
{
    const uint64_t *replies = byw_memsys_replies(gpu->memsys);
    bool anyway = gpu->options->every_cycle || gpu->waves != NULL;
    uint32_t n = gpu->config->sm_count, port = gpu->zero == 0 ? 0 : n - gpu->zero; /* of SM i */
    uint64_t next = UINT64_MAX, now = gpu->now;

    if (gpu->options->lose_reply != 0)
        watch_replies(gpu);
    for (uint32_t i = 0; i < n; i++) {
        uint64_t wake = gpu->wake[i];
        bool reply = (replies[port / 64] >> port % 64 & 1) != 0;

        if (wake <= now || reply || (anyway && step_anyway(gpu, i)))
            gpu->wake[i] = wake = byw_sm_step(gpu->sm[i], now);
        if (wake < next)
            next = wake;
        port = port + 1 < n ? port + 1 : 0;
    }
    byw_memsys_tick(gpu->memsys);
    byw_cluster_tick(gpu->cluster);
    gpu->now++;
    return next;
}

/* Reports that nothing makes progress. */
static enum byw_status stuck(struct gpu *gpu)
{
    char where[600] = "", sm[420] = "";
    uint64_t oldest = UINT64_MAX;
    uint32_t n = gpu->config->sm_count, worst = n;

    byw_memsys_describe(gpu->memsys, where, sizeof(where));
    for (uint32_t i = 0; i < n; i++) {
        if (byw_sm_ctas(gpu->sm[i]) == 0 || (worst < n && byw_sm_oldest(gpu->sm[i]) >= oldest))
            continue;
        worst = i;
        oldest = byw_sm_oldest(gpu->sm[i]);
    }
    if (worst < n)
        byw_sm_describe(gpu->sm[worst], sm, sizeof(sm));
    return byw_diag_set(gpu->diag, BYW_ESTUCK, "no progress at cycle %llu: %s; memory side: %s",
                        (unsigned long long)gpu->now, sm, where);
}

/* Cycles until the waveform begins; 0 inside it; UINT64_MAX after it or without one. */
static uint64_t cycles_to_waves(const struct gpu *gpu)
{
    if (gpu->waves == NULL)
        return UINT64_MAX;
    if (byw_waves_in(gpu->waves, gpu->now))
        return 0;
    return (gpu->now < gpu->options->waves->first) ? gpu->options->waves->first - gpu->now
                                                   : UINT64_MAX;
}

enum byw_status byw_gpu_skip(struct gpu *gpu, uint64_t next)
{
    uint64_t quiet = byw_memsys_quiet(gpu->memsys);
    uint64_t before = cycles_to_waves(gpu);
    uint64_t cycles = (next == UINT64_MAX) ? UINT64_MAX : next - gpu->now;

    if (quiet < cycles)
        cycles = quiet;
    if (cycles == 0)
        return BYW_OK;
    for (uint32_t w = 0; w * 64 < gpu->config->sm_count; w++) {
        if (byw_memsys_replies(gpu->memsys)[w] != 0)
            return BYW_OK;
    }
    if (before < cycles)
        cycles = before;
    if (cycles == 0)
        return BYW_OK;
    if (cycles == UINT64_MAX) /* nothing will ever happen: remaining CTAs cannot end */
        return byw_gpu_empty(gpu) ? BYW_OK : stuck(gpu);
    if (gpu->look <= gpu->now) /* due since the end of the last launch: called in the next step */
        return BYW_OK;
    if (gpu->look - gpu->now < cycles)
        cycles = gpu->look - gpu->now;
    byw_memsys_skip(gpu->memsys, cycles);
    byw_cluster_skip(gpu->cluster, cycles);
    gpu->now += cycles;
    return BYW_OK;
}

static uint64_t instructions(const struct gpu *gpu)
{
    uint64_t sum = 0;

    for (uint32_t i = 0; i < gpu->config->sm_count; i++) {
        struct byw_sm_counters c;

        byw_sm_counters(gpu->sm[i], &c);
        sum += c.warp_instructions;
    }
    return sum;
}

enum byw_status byw_gpu_fault(struct gpu *gpu)
{
    enum byw_status st = BYW_OK;

    for (uint32_t i = 0; i < gpu->config->sm_count && st == BYW_OK; i++)
        st = byw_sm_fault(gpu->sm[i], gpu->diag);
    return st;
}

enum byw_status byw_gpu_poll(struct gpu *gpu)
{
    const struct byw_gpu_options *o = gpu->options;
    const struct byw_mem_stats *mem = byw_memsys_stats(gpu->memsys);
    uint64_t issued, progress;
    enum byw_status st;

    if (gpu->now >= gpu->look) {
        st = byw_gpu_look(gpu);
        if (st != BYW_OK)
            return st;
    }
    if (gpu->now - gpu->polled < BYW_POLL_CYCLES)
        return BYW_OK;
    gpu->polled = gpu->now;
    issued = instructions(gpu);
    progress = issued + mem->requests + mem->replies + mem->dram_requests;
    st = byw_gpu_fault(gpu);
    if (st != BYW_OK)
        return st;
    if (progress != gpu->progress) {
        gpu->progress = progress;
        gpu->moved = gpu->now;
    } else if (gpu->now - gpu->moved > gpu->patience) {
        return stuck(gpu);
    }
    if ((o->stop != NULL && *o->stop != 0) ||
        (o->max_instructions != 0 && issued >= o->max_instructions))
        gpu->stop = true;
    if (o->progress != NULL && byw_gpu_host_seconds() - gpu->reported > 0.05) {
        o->progress(o->progress_ctx, gpu->now, issued, gpu->launches);
        gpu->reported = byw_gpu_host_seconds();
    }
    return BYW_OK;
}
