/* SPDX-License-Identifier: Apache-2.0 */
#include "study/correlate/byw_correlate_score.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Launches above this length, whose cycles are more than launch cost; least number of sectors for a
 * meaningful share. */
#define LONG_LAUNCH 10000.0
#define MANY_SECTORS 10000.0

/* A ratio of variants counts if the GPU's differs from 1 by RATIO_SHOWN. The simulated one is right
 * if it differs by RATIO_RIGHT to the same side. */
#define RATIO_SHOWN 0.05
#define RATIO_RIGHT 0.03

/* Sums for one figure, over the launches that are compared. */
struct tally {
    double sum, x, y, xx, yy, xy;
    size_t count;
};

static bool known(double gpu, double own)
{
    return !isnan(gpu) && !isnan(own);
}

static bool within(double gpu, double own, double share)
{
    return fabs(own - gpu) <= share * gpu;
}

double byw_correlate_gpu_hits(const struct byw_correlate_launch *launch)
{
    const double *gpu = launch->row->value;

    return gpu[BYW_GPU_LOAD_SECTORS] > 0.0
               ? gpu[BYW_GPU_LOAD_HIT_SECTORS] / gpu[BYW_GPU_LOAD_SECTORS]
               : NAN;
}

double byw_correlate_own_hits(const struct byw_correlate_launch *launch)
{
    return launch->value[BYW_GPU_LOAD_SECTORS] > 0.0
               ? launch->value[BYW_GPU_LOAD_HIT_SECTORS] / launch->value[BYW_GPU_LOAD_SECTORS]
               : NAN;
}

/* Cycles if both have them, otherwise times. */
static enum byw_gpu_metric duration_of(const struct byw_gpu_row *row)
{
    return isnan(row->value[BYW_GPU_CYCLES]) ? BYW_GPU_TIME : BYW_GPU_CYCLES;
}

double byw_correlate_cycles(const struct byw_correlate_launch *launch)
{
    enum byw_gpu_metric m = duration_of(launch->row);

    return launch->row->value[m] > 0.0 ? launch->value[m] / launch->row->value[m] : NAN;
}

double byw_correlate_gpu_ratio(const struct byw_correlate *c, size_t i)
{
    const struct byw_correlate_launch *launch = byw_correlate_launch(c, i), *base;
    enum byw_gpu_metric m = duration_of(launch->row);

    if (launch->row->variant == BYW_GPU_CA || launch->base == SIZE_MAX)
        return NAN;
    base = byw_correlate_launch(c, launch->base);
    return base->row->value[m] > 0.0 ? launch->row->value[m] / base->row->value[m] : NAN;
}

double byw_correlate_own_ratio(const struct byw_correlate *c, size_t i)
{
    const struct byw_correlate_launch *launch = byw_correlate_launch(c, i), *base;

    if (launch->row->variant == BYW_GPU_CA || launch->base == SIZE_MAX)
        return NAN;
    base = byw_correlate_launch(c, launch->base);
    return base->value[BYW_GPU_CYCLES] > 0.0
               ? launch->value[BYW_GPU_CYCLES] / base->value[BYW_GPU_CYCLES]
               : NAN;
}

/* --- figures ---------------------------------------------------------------------------------- */

/* Whether all of these metrics are within 1 %; *counts: any of them is known. */
static bool agrees(const struct byw_correlate_launch *l, const enum byw_gpu_metric *metric,
                   size_t count, bool *counts)
{
    bool good = true;

    *counts = false;
    for (size_t i = 0; i < count; i++) {
        double gpu = l->row->value[metric[i]], own = l->value[metric[i]];

        if (!known(gpu, own))
            continue;
        *counts = true;
        good = good && within(gpu, own, 0.01);
    }
    return good;
}

static void tally_counts(const struct byw_correlate_launch *l, struct tally *t)
{
    static const enum byw_gpu_metric all[] = {BYW_GPU_LOADS, BYW_GPU_STORES, BYW_GPU_LOAD_SECTORS,
                                              BYW_GPU_STORE_SECTORS};
    bool counts, good = agrees(l, all, sizeof(all) / sizeof(all[0]), &counts);

    t->sum += counts && good ? 100.0 : 0.0;
    t->count += counts;
}

static void tally_instructions(const struct byw_correlate_launch *l, struct tally *t)
{
    static const enum byw_gpu_metric one[] = {BYW_GPU_WARP_INSTRUCTIONS};
    double gpu = l->row->value[one[0]], own = l->value[one[0]];

    if (!known(gpu, own) || gpu <= 0.0)
        return;
    t->sum += 100.0 * fabs(own / gpu - 1.0);
    t->count++;
}

static void tally_hits(const struct byw_correlate_launch *l, struct tally *t)
{
    double gpu = byw_correlate_gpu_hits(l), own = byw_correlate_own_hits(l);

    if (!known(gpu, own))
        return;
    t->sum += 100.0 * fabs(gpu - own);
    t->count++;
}

static void tally_hits_near(const struct byw_correlate_launch *l, struct tally *t)
{
    double gpu = byw_correlate_gpu_hits(l), own = byw_correlate_own_hits(l);

    if (!known(gpu, own))
        return;
    t->sum += fabs(gpu - own) <= 0.03 ? 100.0 : 0.0;
    t->count++;
}

static void share(double gpu, double own, double least, double tolerance, struct tally *t)
{
    if (!known(gpu, own) || gpu <= least)
        return;
    t->sum += within(gpu, own, tolerance) ? 100.0 : 0.0;
    t->count++;
}

static void tally_l2(const struct byw_correlate_launch *l, struct tally *t)
{
    share(l->row->value[BYW_GPU_L2_READ_SECTORS], l->value[BYW_GPU_L2_READ_SECTORS], 0.0, 0.05, t);
}

static void tally_l2_writes(const struct byw_correlate_launch *l, struct tally *t)
{
    share(l->row->value[BYW_GPU_L2_WRITE_SECTORS], l->value[BYW_GPU_L2_WRITE_SECTORS], 0.0, 0.05,
          t);
}

static void tally_dram(const struct byw_correlate_launch *l, struct tally *t)
{
    share(l->row->value[BYW_GPU_DRAM_READ_SECTORS], l->value[BYW_GPU_DRAM_READ_SECTORS],
          MANY_SECTORS, 0.1, t);
}

static bool is_long(const struct byw_correlate_launch *l)
{
    return l->row->value[BYW_GPU_CYCLES] > LONG_LAUNCH;
}

static void tally_error(const struct byw_correlate_launch *l, struct tally *t)
{
    double ratio = byw_correlate_cycles(l);

    if (isnan(ratio) || duration_of(l->row) != BYW_GPU_CYCLES)
        return;
    t->sum += 100.0 * fabs(ratio - 1.0);
    t->count++;
}

static void tally_long_error(const struct byw_correlate_launch *l, struct tally *t)
{
    if (is_long(l))
        tally_error(l, t);
}

static void tally_logs(const struct byw_correlate_launch *l, struct tally *t)
{
    double x = log(l->row->value[BYW_GPU_CYCLES]), y = log(l->value[BYW_GPU_CYCLES]);

    if (!is_long(l) || !isfinite(x) || !isfinite(y))
        return;
    t->x += x;
    t->y += y;
    t->xx += x * x;
    t->yy += y * y;
    t->xy += x * y;
    t->count++;
}

static double correlation(const struct tally *t)
{
    double n = (double)t->count;
    double vx = n * t->xx - t->x * t->x, vy = n * t->yy - t->y * t->y;

    return t->count > 1 && vx > 0.0 && vy > 0.0 ? (n * t->xy - t->x * t->y) / sqrt(vx * vy) : NAN;
}

/* Figures over the launches as compiled. */
static const struct rule {
    const char *id, *text, *unit;
    bool at_most, correlated, has_target;
    double target;
    void (*tally)(const struct byw_correlate_launch *, struct tally *);
} rules[] = {
    {"counts", "loads, stores and their sectors within 1 %", "% of launches", false, false, true,
     95.0, tally_counts},
    {"instructions", "warp instructions, mean distance", "%", true, false, false, 0.0,
     tally_instructions},
    {"l1_hit_distance", "L1 hit rate of loads, mean distance", "points", true, false, true, 1.0,
     tally_hits},
    {"l1_hit_near", "L1 hit rate of loads within 3 points", "% of launches", false, false, true,
     95.0, tally_hits_near},
    {"l2_reads", "L2 read sectors within 5 %", "% of launches", false, false, true, 90.0, tally_l2},
    {"l2_writes", "L2 write sectors within 5 %", "% of launches", false, false, true, 90.0,
     tally_l2_writes},
    {"dram_reads", "DRAM read sectors above 10,000 within 10 %", "% of launches", false, false,
     true, 80.0, tally_dram},
    {"cycles_long", "cycles of launches above 10,000, mean absolute error", "%", true, false, true,
     12.0, tally_long_error},
    {"cycles_logs", "cycles of these, correlation of logarithms", "", false, true, true, 0.97,
     tally_logs},
    {"cycles_all", "cycles of all launches, mean absolute error", "%", true, false, true, 20.0,
     tally_error},
};

/* Whether the simulated ratio is on the side of the measured one. */
static void tally_side(const struct byw_correlate *c, size_t i, struct tally *t)
{
    double gpu = byw_correlate_gpu_ratio(c, i), own = byw_correlate_own_ratio(c, i);

    if (!known(gpu, own) || fabs(gpu - 1.0) <= RATIO_SHOWN)
        return;
    t->sum += (gpu > 1.0 ? own > 1.0 + RATIO_RIGHT : own < 1.0 - RATIO_RIGHT) ? 100.0 : 0.0;
    t->count++;
}

/* --- halves ----------------------------------------------------------------------------------- */

/* Number of programs whose names come before this one. */
static size_t rank_of(const struct byw_correlate *c, const char *program)
{
    size_t rank = 0;

    for (size_t i = 0; i < byw_correlate_count(c); i++) {
        const char *name = byw_correlate_launch(c, i)->row->program;
        bool first = strcmp(name, program) < 0;

        for (size_t j = 0; j < i && first; j++)
            first = strcmp(byw_correlate_launch(c, j)->row->program, name) != 0;
        rank += first;
    }
    return rank;
}

static bool counts(const struct byw_correlate *c, size_t i, enum byw_correlate_half half)
{
    const struct byw_correlate_launch *launch = byw_correlate_launch(c, i);

    if (launch->job == SIZE_MAX)
        return false;
    return half == BYW_CORRELATE_ALL ||
           (rank_of(c, launch->row->program) % 2 == 0) == (half == BYW_CORRELATE_A);
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* The error of the simulated ratios that 9 of 10 launches do not exceed, in percent of the cycles
 * as compiled. Only launches for which the simulator says that the variant gains count, since only
 * these are advised.
 */
static double ratio_error(const struct byw_correlate *c, enum byw_correlate_half half,
                          size_t *launches)
{
    double *distance = calloc(byw_correlate_count(c) + 1, sizeof(*distance)), error = NAN;

    *launches = 0;
    for (size_t i = 0; distance != NULL && i < byw_correlate_count(c); i++) {
        double gpu = byw_correlate_gpu_ratio(c, i), own = byw_correlate_own_ratio(c, i);

        if (counts(c, i, half) && known(gpu, own) && own < 1.0)
            distance[(*launches)++] = 100.0 * fabs(gpu - own);
    }
    if (*launches > 0) {
        qsort(distance, *launches, sizeof(*distance), by_value);
        error = distance[(*launches * 9 - 1) / 10];
    }
    free(distance);
    return error;
}

size_t byw_correlate_score(const struct byw_correlate *c, enum byw_correlate_half half,
                           struct byw_correlate_figure *figure)
{
    static const char *const sides[][2] = {
        [BYW_GPU_CG] = {"cg_side", "cg / ca on the GPU's side where it shows more than 5 %"},
        [BYW_GPU_NA] = {"na_side", "na / ca on the GPU's side where it shows more than 5 %"}};
    const size_t count = sizeof(rules) / sizeof(rules[0]);
    struct tally tally[BYW_CORRELATE_FIGURES] = {{.count = 0}};
    size_t n = 0;

    for (size_t i = 0; i < byw_correlate_count(c); i++) {
        const struct byw_correlate_launch *launch = byw_correlate_launch(c, i);

        if (!counts(c, i, half))
            continue;
        if (launch->row->variant != BYW_GPU_CA)
            tally_side(c, i, &tally[count + (size_t)launch->row->variant - 1]);
        for (size_t r = 0; r < count && launch->row->variant == BYW_GPU_CA; r++)
            rules[r].tally(launch, &tally[r]);
    }
    for (; n < count; n++)
        figure[n] = (struct byw_correlate_figure){
            rules[n].id,
            rules[n].text,
            rules[n].unit,
            rules[n].target,
            rules[n].at_most,
            rules[n].has_target,
            rules[n].correlated ? correlation(&tally[n]) : tally[n].sum / (double)tally[n].count,
            tally[n].count};
    for (unsigned v = BYW_GPU_CG; v <= BYW_GPU_NA; v++, n++)
        figure[n] = (struct byw_correlate_figure){sides[v][0],
                                                  sides[v][1],
                                                  "% of launches",
                                                  90.0,
                                                  false,
                                                  true,
                                                  tally[n].sum / (double)tally[n].count,
                                                  tally[n].count};
    figure[n] =
        (struct byw_correlate_figure){.id = "ratio_error",
                                      .text = "variant / ca of simulated gains, 9 of 10 within",
                                      .unit = "% of cycles",
                                      .at_most = true};
    figure[n].value = ratio_error(c, half, &figure[n].launches);
    return n + 1;
}

/* --- reasons ---------------------------------------------------------------------------------- */

const char *byw_correlate_reason(const struct byw_correlate_launch *l)
{
    static const enum byw_gpu_metric asked[] = {BYW_GPU_LOAD_SECTORS, BYW_GPU_STORE_SECTORS};
    const double *gpu = l->row->value, *own = l->value;
    double hits = fabs(byw_correlate_gpu_hits(l) - byw_correlate_own_hits(l));
    bool some;

    if (l->job == SIZE_MAX)
        return l->why;
    if (!agrees(l, asked, 2, &some))
        return "the program requests other sectors than its trace";
    if (known(gpu[BYW_GPU_WARP_INSTRUCTIONS], own[BYW_GPU_WARP_INSTRUCTIONS]) &&
        !within(gpu[BYW_GPU_WARP_INSTRUCTIONS], own[BYW_GPU_WARP_INSTRUCTIONS], 0.15))
        return "the compiled code has a different number of instructions";
    if (!isnan(hits) && hits > 0.03)
        return "the L1 hits differ";
    if (known(gpu[BYW_GPU_L2_READ_SECTORS], own[BYW_GPU_L2_READ_SECTORS]) &&
        !within(gpu[BYW_GPU_L2_READ_SECTORS], own[BYW_GPU_L2_READ_SECTORS], 0.1))
        return "the number of sectors requested from the L2 differs";
    if (known(gpu[BYW_GPU_L2_WRITE_SECTORS], own[BYW_GPU_L2_WRITE_SECTORS]) &&
        !within(gpu[BYW_GPU_L2_WRITE_SECTORS], own[BYW_GPU_L2_WRITE_SECTORS], 0.1))
        return "the number of sectors written to the L2 differs";
    if (gpu[BYW_GPU_DRAM_READ_SECTORS] > MANY_SECTORS &&
        !within(gpu[BYW_GPU_DRAM_READ_SECTORS], own[BYW_GPU_DRAM_READ_SECTORS], 0.2))
        return "the L2 hits differ";
    if (!is_long(l))
        return "short launch: most of it is launch cost";
    return "only timing: instructions, sectors and hits agree";
}
