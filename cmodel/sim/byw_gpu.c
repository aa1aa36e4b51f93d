/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/byw_gpu.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "sim/byw_config_check.h"
#include "sim/byw_gpu_check.h"
#include "sim/byw_gpu_state.h"

enum {
    STUCK_CYCLES = 200000, /* cycles of the slowest clock without an instruction, a request or a
                              reply: the machine hangs */
    SETTLE_CYCLES = 2000000, /* a trace's last writes need less to drain */
    POLL_CYCLES = 4096, /* cycles between two looks at the host's clock and the stop flag */
    CODE_BITS = 20 /* address room for one kernel's instructions */
};
#define CODE_BASE 0xf0000000ull

static double host_seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* --- building and taking down ------------------------------------------------------------- */

static void gpu_release(struct gpu *gpu)
{
    for (uint32_t i = 0; gpu->sm != NULL && i < gpu->config->sm_count; i++)
        byw_sm_free(gpu->sm[i]);
    byw_waves_close(gpu->waves, NULL);
    free(gpu->sm);
    free(gpu->wake);
    byw_load_hints_release(&gpu->hints);
    byw_memsys_free(gpu->memsys);
    byw_cluster_free(gpu->cluster);
}

/* SM cycles in a cycle of the slowest clock. */
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
    if (gpu->options->dram != NULL)
        byw_memsys_observe(gpu->memsys, gpu->options->dram);
    gpu->zero = gpu->first_sm = gpu->options->first_sm % n;
    gpu->patience = STUCK_CYCLES * clock_ratio(gpu->config);
    gpu->sm = calloc(n, sizeof(*gpu->sm));
    gpu->wake = calloc(n, sizeof(*gpu->wake));
    gpu->result = calloc(1, sizeof(*gpu->result));
    if (gpu->sm == NULL || gpu->wake == NULL || gpu->result == NULL)
        return byw_diag_set(gpu->diag, BYW_ENOMEM, "out of memory for %u SMs", n);
    gpu->result->sm_count = n;
    gpu->result->sm = calloc(n, sizeof(*gpu->result->sm));
    if (gpu->result->sm == NULL)
        return byw_diag_set(gpu->diag, BYW_ENOMEM, "out of memory for %u SMs", n);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t port = (i + n - gpu->first_sm) % n;

        if (byw_sm_create(gpu->config, i, port, gpu->cluster, gpu->memsys, &gpu->sm[i]) != BYW_OK)
            return byw_diag_set(gpu->diag, BYW_ENOMEM, "out of memory for SM %u", i);
        if (gpu->options->every_cycle)
            byw_sm_stay_awake(gpu->sm[i]);
    }
    return watch(gpu);
}

/* --- dispatch --------------------------------------------------------------------------------- */

/* Gives each SM with room one CTA, beginning behind the SM that got the last one. */
static enum byw_status dispatch(struct gpu *gpu)
{
    uint32_t n = gpu->config->sm_count, first = gpu->first_sm;

    for (uint32_t i = 0; i < n && gpu->grid_left; i++) {
        uint32_t s = (first + i) % n;
        enum byw_status st;

        if (!byw_sm_has_room(gpu->sm[s]))
            continue;
        st = byw_trace_next_cta(gpu->trace, byw_sm_cta(gpu->sm[s]), gpu->diag);
        if (st == BYW_END) {
            gpu->grid_left = false;
            break;
        }
        if (st != BYW_OK)
            return st;
        byw_sm_start(gpu->sm[s], gpu->now);
        gpu->wake[s] = gpu->now;
        gpu->first_sm = (s + 1) % n;
    }
    return BYW_OK;
}

/* Instruction addresses: a kernel's own region, so that kernels do not share cache lines.  The
 * PCs of Accel-Sim traces are addresses already. */
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

/* --- time ------------------------------------------------------------------------------------- */

static bool machine_full(const struct gpu *gpu)
{
    for (uint32_t i = 0; i < gpu->config->sm_count; i++)
        if (byw_sm_has_room(gpu->sm[i]))
            return false;
    return true;
}

static bool machine_empty(const struct gpu *gpu)
{
    for (uint32_t i = 0; i < gpu->config->sm_count; i++)
        if (byw_sm_ctas(gpu->sm[i]) != 0)
            return false;
    return true;
}

/* SMs that are stepped although they could be skipped: those whose cycles a waveform shows, and all
 * if that is wanted. */
static bool step_anyway(const struct gpu *gpu, uint32_t i)
{
    return gpu->options->every_cycle || (gpu->waves != NULL && gpu->options->waves->sm == i &&
                                         byw_waves_in(gpu->waves, gpu->now));
}

/* Counts the replies that wait for an SM; the one that the options name disappears. */
static void watch_replies(struct gpu *gpu)
{
    for (uint32_t i = 0; i < gpu->config->sm_count; i++) {
        if (byw_sm_has_reply(gpu->sm[i]) && ++gpu->replies == gpu->options->lose_reply)
            byw_sm_lose_reply(gpu->sm[i]);
    }
}

/* One cycle of everything that is awake; returns the earliest cycle at which an SM wants its next.
 */
static uint64_t cycle(struct gpu *gpu)
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

/* The watchdog's sentence. */
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

/* Cycles until a waveform begins, 0 inside it, UINT64_MAX when none will come. */
static uint64_t cycles_to_waves(const struct gpu *gpu)
{
    if (gpu->waves == NULL)
        return UINT64_MAX;
    if (byw_waves_in(gpu->waves, gpu->now))
        return 0;
    return (gpu->now < gpu->options->waves->first) ? gpu->options->waves->first - gpu->now
                                                   : UINT64_MAX;
}

/* Jumps over cycles in which neither an SM (before `next`) nor the memory side changes. */
static enum byw_status skip(struct gpu *gpu, uint64_t next)
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
    if (cycles == UINT64_MAX) /* nothing will ever happen; what is left cannot end */
        return machine_empty(gpu) ? BYW_OK : stuck(gpu);
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

/* BYW_OK while all SMs could read their records; else the first one's error, told in the diag. */
static enum byw_status fault(struct gpu *gpu)
{
    enum byw_status st = BYW_OK;

    for (uint32_t i = 0; i < gpu->config->sm_count && st == BYW_OK; i++)
        st = byw_sm_fault(gpu->sm[i], gpu->diag);
    return st;
}

/* Looks up now and then: is there progress, does the host want something, are limits reached? */
static enum byw_status poll(struct gpu *gpu)
{
    const struct byw_gpu_options *o = gpu->options;
    const struct byw_mem_stats *mem = byw_memsys_stats(gpu->memsys);
    uint64_t issued = instructions(gpu);
    uint64_t progress = issued + mem->requests + mem->replies + mem->dram_requests;
    enum byw_status st = fault(gpu);

    gpu->polled = gpu->now;
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
    if (o->progress != NULL && host_seconds() - gpu->reported > 0.05) {
        o->progress(o->progress_ctx, gpu->now, issued, gpu->launches);
        gpu->reported = host_seconds();
    }
    return BYW_OK;
}

/* One turn of the clock and whatever belongs to it. */
static enum byw_status advance(struct gpu *gpu)
{
    enum byw_status st = BYW_OK;
    uint64_t next;

    if (gpu->grid_left && !machine_full(gpu))
        st = dispatch(gpu);
    if (st != BYW_OK || (!gpu->grid_left && machine_empty(gpu)))
        return st;
    next = cycle(gpu);
    /* Nor over the end of the launch: its last cycle is the one in which the last CTA ends. */
    if (next > gpu->now && !gpu->options->every_cycle &&
        (gpu->grid_left ? machine_full(gpu) : !machine_empty(gpu)))
        st = skip(gpu, next);
    if (st == BYW_OK && gpu->now - gpu->polled >= POLL_CYCLES)
        st = poll(gpu);
    return st;
}

static enum byw_status run_kernel(struct gpu *gpu, const struct byw_kernel *kernel)
{
    uint64_t limit = gpu->options->max_cycles != 0 ? gpu->options->max_cycles : UINT64_MAX;
    enum byw_status st = BYW_OK;

    if (gpu->config->l2_start != 0)
        byw_memsys_invalidate_l2(gpu->memsys);
    if (gpu->config->gl1_start != 0)
        byw_memsys_invalidate_gl1(gpu->memsys);
    for (uint32_t i = 0; i < gpu->config->sm_count; i++) {
        byw_sm_launch(gpu->sm[i], kernel, code_address(gpu, kernel));
        byw_sm_advise(gpu->sm[i], gpu->hints.any ? &gpu->hints : NULL);
        gpu->wake[i] = gpu->now;
    }
    gpu->grid_left = true;
    gpu->moved = gpu->now;
    while (st == BYW_OK && !gpu->stop && (gpu->grid_left || !machine_empty(gpu))) {
        st = advance(gpu);
        if (gpu->now >= limit)
            gpu->stop = true;
    }
    return st == BYW_OK ? fault(gpu) : st;
}

/* The L2 writes back what is dirty; the launch is not over before. */
static enum byw_status flush(struct gpu *gpu)
{
    uint64_t limit = gpu->options->max_cycles != 0 ? gpu->options->max_cycles : UINT64_MAX;
    uint64_t start = gpu->now;
    enum byw_status st = BYW_OK;

    gpu->moved = gpu->now;
    byw_memsys_flush(gpu->memsys);
    while (st == BYW_OK && !gpu->stop && !byw_memsys_empty(gpu->memsys)) {
        uint64_t next = cycle(gpu);

        if (next > gpu->now && !gpu->options->every_cycle && !byw_memsys_empty(gpu->memsys))
            st = skip(gpu, next);
        if (st == BYW_OK && gpu->now - gpu->polled >= POLL_CYCLES)
            st = poll(gpu);
        if (gpu->now >= limit)
            gpu->stop = true;
    }
    gpu->result->flush_cycles += gpu->now - start;
    return st;
}

/* Lets what is still under way below the L1s come to rest; not part of the measured cycles. */
static void settle(struct gpu *gpu)
{
    for (uint32_t i = 0; i < SETTLE_CYCLES && !byw_memsys_empty(gpu->memsys); i++) {
        for (uint32_t s = 0; s < gpu->config->sm_count; s++) {
            if (byw_sm_has_reply(gpu->sm[s]))
                byw_sm_step(gpu->sm[s], gpu->now + i);
        }
        byw_memsys_tick(gpu->memsys);
    }
}

static bool wanted(const struct byw_gpu_options *options, uint32_t launch)
{
    for (size_t i = 0; i < options->launch_ranges; i++) {
        if (launch >= options->launches[i].first && launch <= options->launches[i].last)
            return true;
    }
    return options->launches == NULL;
}

/* Every launch of the trace, one after the other. */
static enum byw_status run_trace(struct gpu *gpu)
{
    const struct byw_kernel *kernel;
    enum byw_status st;

    while ((st = byw_trace_next_kernel(gpu->trace, &kernel, gpu->diag)) == BYW_OK) {
        struct byw_gpu_kernel before;

        if (!wanted(gpu->options, kernel->launch))
            continue;
        st = byw_sm_check(gpu->config, kernel, gpu->diag);
        if (st != BYW_OK)
            return st;
        byw_gpu_sum_up(gpu, &before);
        if (gpu->options->advice != NULL &&
            byw_load_advice_for(gpu->options->advice, kernel, &gpu->hints) != BYW_OK)
            return byw_diag_set(gpu->diag, BYW_ENOMEM, "no memory for the advice on kernel %s",
                                kernel->name);
        st = run_kernel(gpu, kernel);
        if (st == BYW_OK && !gpu->stop && gpu->config->l2_end != 0)
            st = flush(gpu);
        if (st == BYW_OK)
            st = byw_gpu_book_kernel(gpu, kernel, &before);
        if (st != BYW_OK || gpu->stop)
            return st;
        gpu->launches++;
        gpu->now += gpu->config->launch_cycles;
    }
    if (st == BYW_END && gpu->options->launches != NULL && gpu->launches == 0)
        return byw_diag_set(gpu->diag, BYW_EINVAL,
                            "none of the chosen launches is in the trace; expected numbers that "
                            "`byway trace info` shows");
    return (st == BYW_END) ? BYW_OK : st;
}

/* The run's counters, held against the laws of conservation. */
static enum byw_status conclude(struct gpu *gpu)
{
    enum byw_status st;

    gpu->result->partial = gpu->stop;
    byw_gpu_book_run(gpu);
    st = byw_gpu_check(gpu->config, gpu->result, gpu->diag);
    if (st == BYW_OK && !gpu->stop) {
        settle(gpu);
        st = byw_memsys_check(gpu->memsys, gpu->diag);
    }
    return st;
}

enum byw_status byw_gpu_run(const struct byw_config *config, struct byw_trace *trace,
                            const struct byw_gpu_options *options, struct byw_gpu_result **result,
                            struct byw_diag *diag)
{
    struct gpu gpu = {.config = config, .options = options, .trace = trace, .diag = diag};
    enum byw_status st = gpu_init(&gpu);

    *result = NULL;
    gpu.reported = host_seconds();
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
