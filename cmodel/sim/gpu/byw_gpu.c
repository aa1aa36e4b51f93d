/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/gpu/byw_gpu.h"

#include <stdlib.h>

#include "sim/gpu/byw_config_check.h"
#include "sim/gpu/byw_gpu_check.h"
#include "sim/gpu/byw_gpu_state.h"
#include "sim/gpu/byw_noise.h"

/* Cycles of the slowest clock without an instruction, request or reply after which the run counts
 * as stuck. */
enum { STUCK_CYCLES = 200000 };

/* --- creation and release ----------------------------------------------------------------- */

static void gpu_release(struct gpu *gpu)
{
    for (uint32_t i = 0; gpu->sm != NULL && i < gpu->config->sm_count; i++)
        byw_sm_free(gpu->sm[i]);
    byw_waves_close(gpu->waves, NULL);
    free(gpu->sm);
    free(gpu->wake);
    free(gpu->start);
    byw_gpu_sampler_free(gpu->sampler);
    byw_gpu_ahead_free(gpu);
    byw_load_hints_release(&gpu->hints);
    byw_memsys_free(gpu->memsys);
    byw_cluster_free(gpu->cluster);
}

/* SM cycles per cycle of the slowest clock. */
static uint64_t clock_ratio(const struct byw_config *c)
{
    uint32_t slowest = c->icnt_mhz < c->l2_mhz ? c->icnt_mhz : c->l2_mhz;

    if (c->dram_mhz < slowest)
        slowest = c->dram_mhz;
    return c->core_mhz / slowest + 1;
}

static enum byw_status watch(struct gpu *gpu)
{
    const struct byw_waves_window *window = gpu->options->waves;
    enum byw_status st;

    if (window == NULL)
        return BYW_OK;
    if (window->sm >= gpu->config->sm_count)
        return byw_diag_set(gpu->diag, BYW_EINVAL, "%s: there is no SM %u; expected 0 to %u",
                            window->path, window->sm, gpu->config->sm_count - 1);
    st = byw_waves_open(window, &gpu->waves, gpu->diag);
    if (st == BYW_OK && gpu->options->recorders != NULL)
        byw_waves_use_recorder(gpu->waves, &gpu->options->recorders[window->sm]);
    if (st == BYW_OK)
        byw_sm_watch(gpu->sm[window->sm], gpu->waves, gpu->options->l1d == NULL);
    return st;
}

static enum byw_status gpu_init(struct gpu *gpu)
{
    uint32_t n = gpu->config->sm_count;
    enum byw_status st = byw_config_check(gpu->config, gpu->diag);

    if (st == BYW_OK)
        st = byw_cluster_create_on(gpu->config, gpu->options->l1d, false, &gpu->cluster, gpu->diag);
    if (st == BYW_OK)
        st = byw_memsys_create(gpu->config, &gpu->memsys, gpu->diag);
    if (st != BYW_OK)
        return st;
    if (gpu->config->sample_period != 0)
        st = byw_gpu_sampler_create(gpu->config, &gpu->sampler, gpu->diag);
    if (st != BYW_OK)
        return st;
    if (gpu->options->dram != NULL)
        byw_memsys_observe(gpu->memsys, gpu->options->dram);
    if (gpu->options->ledger != NULL)
        byw_memsys_account(gpu->memsys, gpu->options->ledger);
    byw_gpcs_read(gpu->config, &gpu->gpcs); /* byw_config_check() has accepted it */
    gpu->carveout.l1d_sets = gpu->config->l1d_sets;
    gpu->carveout.l1d_ways = gpu->config->l1d_ways;
    gpu->zero = gpu->first_sm = gpu->options->first_sm % n;
    gpu->patience = STUCK_CYCLES * clock_ratio(gpu->config);
    gpu->sm = calloc(n, sizeof(*gpu->sm));
    gpu->wake = calloc(n, sizeof(*gpu->wake));
    gpu->start = calloc(n, sizeof(*gpu->start));
    gpu->result = calloc(1, sizeof(*gpu->result));
    if (gpu->sm == NULL || gpu->wake == NULL || gpu->start == NULL || gpu->result == NULL)
        return byw_diag_set(gpu->diag, BYW_ENOMEM, "out of memory for %u SMs", n);
    gpu->result->sm_count = n;
    gpu->result->sm = calloc(n, sizeof(*gpu->result->sm));
    if (gpu->result->sm == NULL)
        return byw_diag_set(gpu->diag, BYW_ENOMEM, "out of memory for %u SMs", n);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t port = (i + n - gpu->first_sm) % n;

        if (byw_sm_create(gpu->config, i, port, gpu->cluster, gpu->memsys, &gpu->sm[i]) != BYW_OK)
            return byw_diag_set(gpu->diag, BYW_ENOMEM, "out of memory for SM %u", i);
        if (gpu->options->stalls != NULL && byw_sm_count_stalls(gpu->sm[i]) != BYW_OK)
            return byw_diag_set(gpu->diag, BYW_ENOMEM, "out of memory for SM %u", i);
        if (gpu->options->every_cycle)
            byw_sm_stay_awake(gpu->sm[i]);
        if (gpu->options->recorders != NULL)
            byw_cluster_record(gpu->cluster, i, &gpu->options->recorders[i]);
    }
    if (gpu->options->profile != NULL)
        byw_cluster_profiled(gpu->cluster, gpu->options->profile);
    st = watch(gpu);
    return st == BYW_OK ? byw_gpu_ahead_init(gpu) : st;
}

/* --- a run -------------------------------------------------------------------------------- */

static bool wanted(const struct byw_gpu_options *options, const struct byw_kernel *kernel)
{
    return (options->launches == NULL ||
            byw_launch_ranges_have(options->launches, options->launch_ranges, kernel->launch)) &&
           byw_kernel_pick_has(options->kernels, kernel->name);
}

/* Reports that the options selected no launch of the trace. */
static enum byw_status none_wanted(const struct gpu *gpu, uint32_t launches)
{
    const char *kernels = byw_kernel_pick_text(gpu->options->kernels);

    if (kernels != NULL)
        return byw_diag_set(gpu->diag, BYW_EINVAL,
                            "no launch of the trace%s has a kernel that matches '%s'; "
                            "byway trace info lists the kernels, and --launches selects by number",
                            gpu->options->launches != NULL ? " in --launches" : "", kernels);
    return byw_diag_set(gpu->diag, BYW_EINVAL,
                        "none of the chosen launches is in the trace; it has %u, expected "
                        "numbers from 1 to %u",
                        launches, launches);
}

/* Runs all launches of the trace in order. */
static enum byw_status run_trace(struct gpu *gpu)
{
    const struct byw_kernel *kernel;
    uint32_t launches = 0; /* launches of the trace read so far */
    enum byw_status st;

    while ((st = byw_trace_next_kernel(gpu->trace, &kernel, gpu->diag)) == BYW_OK) {
        struct byw_gpu_kernel before;

        launches = kernel->launch + 1;
        if (!wanted(gpu->options, kernel))
            continue;
        st = byw_sm_check(gpu->config, kernel, gpu->diag);
        gpu->hints.levels = gpu->config->gl1_on != 0;
        if (st == BYW_OK)
            st = byw_load_advice_for(gpu->options->advice, kernel, &gpu->hints, gpu->diag);
        if (st != BYW_OK)
            return st;
        if (gpu->sampler != NULL) {
            st = byw_gpu_sample_launch(gpu, kernel);
            if (st == BYW_END)
                continue;
            if (st != BYW_OK)
                return st;
        }
        byw_gpu_sum_up(gpu, &before);
        st = byw_gpu_run_kernel(gpu, kernel);
        if (st == BYW_OK && !gpu->stop && gpu->config->l2_end != 0)
            st = byw_gpu_flush(gpu);
        if (st == BYW_OK)
            st = byw_gpu_book_kernel(gpu, kernel, &before);
        if (st != BYW_OK || gpu->stop)
            return st;
        gpu->launches++;
        gpu->now += gpu->config->launch_cycles;
        if (gpu->sampler != NULL)
            byw_gpu_sample_end(gpu);
    }
    if (st == BYW_END && (gpu->options->launches != NULL || gpu->options->kernels != NULL) &&
        gpu->launches == 0)
        return none_wanted(gpu, launches);
    return (st == BYW_END) ? BYW_OK : st;
}

/* Checks the run's counters against the laws of conservation. */
static enum byw_status conclude(struct gpu *gpu)
{
    enum byw_status st;

    gpu->result->partial = gpu->stop;
    byw_gpu_book_run(gpu);
    st = byw_gpu_look(gpu);
    if (st != BYW_OK)
        return st;
    st = byw_gpu_check(gpu->config, gpu->result, gpu->diag);
    if (st == BYW_OK && !gpu->stop) {
        byw_gpu_settle(gpu);
        st = byw_memsys_check(gpu->memsys, gpu->diag);
    }
    if (st == BYW_OK && gpu->sampler != NULL)
        byw_gpu_sample_conclude(gpu);
    return st;
}

enum byw_status byw_gpu_run(const struct byw_config *config, struct byw_trace *trace,
                            const struct byw_gpu_options *options, struct byw_gpu_result **result,
                            struct byw_diag *diag)
{
    struct byw_config machine = byw_noise_machine(config);
    struct gpu gpu = {
        .config = &machine, .options = options, .trace = trace, .diag = diag, .look = UINT64_MAX};
    enum byw_status st = gpu_init(&gpu);

    *result = NULL;
    if (machine.machine_code != 0)
        byw_trace_use_machine(trace);
    gpu.reported = byw_gpu_host_seconds();
    if (st == BYW_OK)
        st = byw_gpu_look(&gpu);
    if (st == BYW_OK)
        st = run_trace(&gpu);
    if (st == BYW_OK)
        st = conclude(&gpu);
    if (st == BYW_OK) {
        st = byw_waves_close(gpu.waves, diag);
        gpu.waves = NULL;
    }
    if (st == BYW_OK)
        *result = gpu.result;
    else
        byw_gpu_result_free(gpu.result);
    gpu_release(&gpu);
    return st;
}

void byw_gpu_result_free(struct byw_gpu_result *result)
{
    if (result == NULL)
        return;
    free(result->sm);
    free(result->kernel);
    free(result);
}
