/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_gpu_sample.c - A run that simulates part of its trace according to byw_sample.h, and
 * extrapolates its counters to the whole trace.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/byw_array.h"
#include "sim/gpu/byw_gpu_state.h"
#include "sim/gpu/byw_sample.h"

enum { TOTALS = sizeof(struct byw_gpu_totals) / sizeof(uint64_t) };

_Static_assert(sizeof(struct byw_gpu_totals) % sizeof(uint64_t) == 0, "counters only");
_Static_assert(offsetof(struct byw_gpu_totals, cycles) == 0, "the first counter");

/* A launch's counters, or sums of them. */
struct amount {
    double counter[TOTALS];
    double variance; /* variance of the first counter, the cycles; error bars (byw_sample.h) are its
                        square root */
};

/* Launches with the same code, grid and block. */
struct kind {
    uint32_t code, grid[3], block[3];
    uint64_t launches, left_out;
    uint64_t pending; /* launches left out since the last measured one */
    struct byw_sample_series cycles; /* cycles of the measured launches */
    double warm; /* cycles of the last warm-up */
    struct amount *last; /* counters of the last measured launch */
};

struct byw_gpu_sampler {
    uint32_t period;
    struct kind *kind;
    size_t kinds, room;
    size_t now; /* the kind of the current launch */
    enum byw_sample_launch role; /* what is done with the current launch */
    struct byw_gpu_totals before; /* totals when the current launch began */
    struct byw_sample_waves waves; /* waves of the current launch */
    struct byw_gpu_totals began, warmed; /* totals when the measured and the previous wave began */
    struct byw_sample_series rate; /* cycles per warp instruction in each measured wave */
    struct amount wave; /* counters per warp instruction in the last measured wave */
    struct amount left_out; /* counters of skipped CTAs, each counted as one warp instruction */
    uint64_t ctas, passed,
        pending; /* CTAs of this launch; those skipped; those skipped since the last wave */
    struct amount sum; /* sum over all launches, including skipped ones */
    struct byw_gpu_sampled told;
};

enum byw_status byw_gpu_sampler_create(const struct byw_config *config,
                                       struct byw_gpu_sampler **sampler, struct byw_diag *diag)
{
    *sampler = calloc(1, sizeof(**sampler));
    if (*sampler == NULL)
        return byw_no_memory(diag, "sampling");
    (*sampler)->period = (*sampler)->told.period = config->sample_period;
    return BYW_OK;
}

void byw_gpu_sampler_free(struct byw_gpu_sampler *sampler)
{
    if (sampler == NULL)
        return;
    for (size_t i = 0; i < sampler->kinds; i++)
        free(sampler->kind[i].last);
    free(sampler->kind);
    free(sampler);
}

/* --- launches --------------------------------------------------------------------------------- */

static bool is_kind(const struct kind *kind, const struct byw_kernel *k)
{
    return kind->code == k->code && memcmp(kind->grid, k->grid, sizeof(k->grid)) == 0 &&
           memcmp(kind->block, k->block, sizeof(k->block)) == 0;
}

/* The launch's kind, added if it is new; NULL: out of memory. */
static struct kind *kind_of(struct byw_gpu_sampler *s, const struct byw_kernel *k)
{
    size_t i = s->kinds;

    while (i > 0 && !is_kind(&s->kind[i - 1], k))
        i--;
    if (i > 0)
        return &s->kind[i - 1];
    if (!BYW_ARRAY_ROOM(s->kind, s->room, s->kinds + 1u))
        return NULL;
    s->kind[s->kinds] = (struct kind){.code = k->code, .last = calloc(1, sizeof(struct amount))};
    if (s->kind[s->kinds].last == NULL)
        return NULL;
    memcpy(s->kind[s->kinds].grid, k->grid, sizeof(k->grid));
    memcpy(s->kind[s->kinds].block, k->block, sizeof(k->block));
    return &s->kind[s->kinds++];
}

enum byw_status byw_gpu_sample_launch(struct gpu *gpu, const struct byw_kernel *kernel)
{
    struct byw_gpu_sampler *s = gpu->sampler;
    struct kind *kind = kind_of(s, kernel);
    uint64_t ctas = (uint64_t)kernel->grid[0] * kernel->grid[1] * kernel->grid[2];
    uint64_t wave = (uint64_t)byw_sm_occupancy(gpu->config, kernel) * gpu->config->sm_count;

    if (kind == NULL)
        return byw_diag_set(gpu->diag, BYW_ENOMEM, "out of memory for launch %u",
                            kernel->launch + 1);
    s->now = (size_t)(kind - s->kind);
    s->role = byw_sample_launch(kind->launches++, s->period);
    s->told.launches++;
    s->told.ctas += ctas;
    if (s->role == BYW_SAMPLE_LEAVE_OUT) {
        kind->pending++;
        kind->left_out++;
        s->told.launches_left_out++;
        s->told.ctas_left_out += ctas;
        return BYW_END;
    }
    byw_sample_waves_begin(&s->waves, ctas, wave, s->period);
    s->rate = (struct byw_sample_series){.count = 0};
    s->left_out = (struct amount){.variance = 0};
    s->ctas = ctas;
    s->passed = s->pending = 0;
    byw_gpu_totals(gpu, &s->before);
    return BYW_OK;
}

/* --- estimates -------------------------------------------------------------------------------- */

/* The difference between two sets of counters. */
static void between(const struct byw_gpu_totals *from, const struct byw_gpu_totals *to,
                    struct amount *amount)
{
    uint64_t then[TOTALS], now[TOTALS];

    memcpy(then, from, sizeof(then));
    memcpy(now, to, sizeof(now));
    for (size_t i = 0; i < TOTALS; i++)
        amount->counter[i] = (double)(now[i] - then[i]);
    amount->variance = 0;
}

static void add(struct amount *sum, const struct amount *part, double times)
{
    for (size_t i = 0; i < TOTALS; i++)
        sum->counter[i] += times * part->counter[i];
    sum->variance += times * times * part->variance;
}

/* Cycles per warp instruction between two sets of counters. */
static double rate(const struct byw_gpu_totals *from, const struct byw_gpu_totals *to)
{
    uint64_t instructions = to->warp_instructions - from->warp_instructions;

    return (double)(to->cycles - from->cycles) / (double)(instructions != 0 ? instructions : 1);
}

/* A measured wave ends: the CTAs left out before it lie between it and the one measured before.
 * Counters are taken per warp instruction, because the border of two waves does not split the work
 * of CTAs. */
static void measure_wave(struct gpu *gpu)
{
    struct byw_gpu_sampler *s = gpu->sampler;
    double pending = (double)s->pending;
    struct amount now = {.variance = 0}, whole;
    struct byw_gpu_totals totals;
    uint64_t instructions;

    byw_gpu_totals(gpu, &totals);
    instructions = totals.warp_instructions - s->began.warp_instructions;
    between(&s->began, &totals, &whole);
    add(&now, &whole, 1 / (double)(instructions != 0 ? instructions : 1));
    add(&s->left_out, s->rate.count != 0 ? &s->wave : &now, pending / 2);
    add(&s->left_out, &now, pending / 2);
    byw_sample_add(&s->rate, now.counter[0], rate(&s->warmed, &s->began));
    s->wave = now;
    s->pending = 0;
}

enum byw_status byw_gpu_sample_cta(struct gpu *gpu)
{
    struct byw_gpu_sampler *s = gpu->sampler;
    struct byw_sample_step step = byw_sample_waves_step(&s->waves);

    if (step.ends)
        measure_wave(gpu);
    if (step.warms)
        byw_gpu_totals(gpu, &s->warmed);
    if (step.begins)
        byw_gpu_totals(gpu, &s->began);
    s->passed += step.pass;
    s->pending += step.pass;
    s->told.ctas_left_out += step.pass;
    return step.pass == 0 ? BYW_OK : byw_trace_pass_ctas(gpu->trace, step.pass, gpu->diag);
}

bool byw_gpu_sample_over(const struct gpu *gpu)
{
    return byw_sample_waves_over(&gpu->sampler->waves);
}

void byw_gpu_sample_end(struct gpu *gpu)
{
    struct byw_gpu_sampler *s = gpu->sampler;
    struct kind *kind = &s->kind[s->now];
    double pending = (double)kind->pending;
    struct byw_gpu_totals totals;
    struct amount now;

    byw_gpu_totals(gpu, &totals);
    between(&s->before, &totals, &now);
    if (s->passed != 0) {
        double instructions = (double)(totals.warp_instructions - s->before.warp_instructions) /
                              (double)(s->ctas - s->passed); /* warp instructions per CTA */
        double bar = (double)s->passed * instructions * byw_sample_bar(&s->rate);

        add(&now, &s->left_out, instructions);
        now.variance = bar * bar;
    }
    add(&s->sum, &now, 1);
    if (s->role != BYW_SAMPLE_MEASURE) {
        kind->warm = now.counter[0];
        return;
    }
    byw_sample_add(&kind->cycles, now.counter[0], pending != 0 ? kind->warm : now.counter[0]);
    if (pending != 0) {
        add(&s->sum, kind->last, pending / 2);
        add(&s->sum, &now, pending / 2);
    }
    kind->pending = 0;
    *kind->last = now;
}

void byw_gpu_sample_conclude(struct gpu *gpu)
{
    struct byw_gpu_sampler *s = gpu->sampler;
    uint64_t whole[TOTALS];
    struct byw_gpu_totals totals;

    if (gpu->stop)
        byw_gpu_sample_end(gpu); /* the launch that was interrupted */
    for (size_t i = 0; i < s->kinds; i++) {
        struct kind *kind = &s->kind[i];
        double bar =
            kind->left_out == 0 ? 0 : (double)kind->left_out * byw_sample_bar(&kind->cycles);

        add(&s->sum, kind->last, (double)kind->pending);
        s->sum.variance += bar * bar;
    }
    for (size_t i = 0; i < TOTALS; i++)
        whole[i] = (uint64_t)(s->sum.counter[i] + 0.5);
    memcpy(&totals, whole, sizeof(totals));
    s->told.cycles_simulated = gpu->result->cycles;
    s->told.cycles_bar = sqrt(s->sum.variance);
    byw_gpu_book_totals(gpu->result, &totals);
    gpu->result->sampled = s->told;
}
