/* SPDX-License-Identifier: Apache-2.0 */
#include "study/correlate/byw_correlate_score.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/byw_rng.h"
#include "sim/sm/byw_stalls.h"

/* Above so many cycles, the cost of the launch itself is a small part; above so many sectors, their
 * ratio is meaningful. */
#define LONG_LAUNCH 10000.0
#define MANY_SECTORS 10000.0

/* A ratio of variants counts if the GPU's differs from 1 by RATIO_SHOWN. The simulated one is right
 * if it differs by RATIO_RIGHT to the same side. */
#define RATIO_SHOWN 0.05
#define RATIO_RIGHT 0.03

/* The launches' data for one figure: values, or pairs to be correlated. */
struct sample {
    double *x, *y;
    size_t count;
};

enum { DRAWINGS = 1000, SEED = 58 };

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

/* Cycles if the row has them, otherwise times. */
static enum byw_gpu_metric duration_of(const struct byw_gpu_row *row)
{
    return isnan(row->value[BYW_GPU_CYCLES]) ? BYW_GPU_TIME : BYW_GPU_CYCLES;
}

double byw_correlate_cycles(const struct byw_correlate_launch *launch)
{
    enum byw_gpu_metric m = duration_of(launch->row);

    return launch->row->value[m] > 0.0 ? launch->value[m] / launch->row->value[m] : NAN;
}

double byw_correlate_ptx_cycles(const struct byw_correlate_launch *launch)
{
    enum byw_gpu_metric m = duration_of(launch->row);

    return launch->row->value[m] > 0.0 ? launch->mode[BYW_CORRELATE_PTX][m] / launch->row->value[m]
                                       : NAN;
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

/* --- sides ------------------------------------------------------------------------------------ */

/* Whether two rows measure the same launch in the same variant. */
static bool same_launch(const struct byw_correlate_launch *a, const struct byw_correlate_launch *b)
{
    return a->trace != NULL && a->trace == b->trace && a->launch == b->launch &&
           a->row->variant == b->row->variant;
}

/* The row of the same launch in another file, which has cycles (or only times); SIZE_MAX: none. */
static size_t twin_of(const struct byw_correlate *c, size_t i, bool cycles)
{
    const struct byw_correlate_launch *launch = byw_correlate_launch(c, i);

    for (size_t j = 0; j < byw_correlate_count(c); j++) {
        const struct byw_correlate_launch *other = byw_correlate_launch(c, j);

        if (other->row->file != launch->row->file && same_launch(other, launch) &&
            (duration_of(other->row) == BYW_GPU_CYCLES) == cycles &&
            !isnan(byw_correlate_gpu_ratio(c, j)))
            return j;
    }
    return SIZE_MAX;
}

double byw_correlate_timed_ratio(const struct byw_correlate *c, size_t i)
{
    const struct byw_correlate_launch *launch = byw_correlate_launch(c, i), *base;
    size_t twin;

    if (launch->row->variant == BYW_GPU_CA || launch->base == SIZE_MAX)
        return NAN;
    twin = twin_of(c, i, false);
    if (twin != SIZE_MAX)
        return byw_correlate_gpu_ratio(c, twin);
    base = byw_correlate_launch(c, launch->base);
    return base->row->value[BYW_GPU_TIME] > 0.0
               ? launch->row->value[BYW_GPU_TIME] / base->row->value[BYW_GPU_TIME]
               : NAN;
}

static bool beyond(double ratio, bool slower, double by)
{
    return slower ? ratio > 1.0 + by : ratio < 1.0 - by;
}

enum byw_correlate_side byw_correlate_side(const struct byw_correlate *c, size_t i)
{
    const struct byw_correlate_launch *launch = byw_correlate_launch(c, i);
    double gpu = byw_correlate_gpu_ratio(c, i), own = byw_correlate_own_ratio(c, i), timed;

    if (!known(gpu, own) || fabs(gpu - 1.0) <= RATIO_SHOWN)
        return BYW_SIDE_NONE;
    if (duration_of(launch->row) == BYW_GPU_TIME && twin_of(c, i, true) != SIZE_MAX)
        return BYW_SIDE_NONE;
    timed = byw_correlate_timed_ratio(c, i);
    if (!isnan(timed) && !beyond(timed, gpu > 1.0, RATIO_RIGHT))
        return BYW_SIDE_UNDECIDED;
    return beyond(own, gpu > 1.0, RATIO_RIGHT) ? BYW_SIDE_RIGHT : BYW_SIDE_WRONG;
}

const char *byw_correlate_side_name(enum byw_correlate_side side)
{
    static const char *const name[] = {"", "right", "wrong", "undecided"};

    return name[side];
}

double byw_correlate_effect(const struct byw_correlate *c, size_t i)
{
    if (byw_correlate_side(c, i) == BYW_SIDE_NONE)
        return NAN;
    return log(byw_correlate_own_ratio(c, i)) / log(byw_correlate_gpu_ratio(c, i));
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

/* Each function returns a launch's value for a figure; NAN: the launch does not count. */

static double counts_agree(const struct byw_correlate_launch *l)
{
    static const enum byw_gpu_metric all[] = {BYW_GPU_LOADS, BYW_GPU_STORES, BYW_GPU_LOAD_SECTORS,
                                              BYW_GPU_STORE_SECTORS};
    bool counts, good = agrees(l, all, sizeof(all) / sizeof(all[0]), &counts);

    return !counts ? NAN : good ? 100.0 : 0.0;
}

static double instructions(const struct byw_correlate_launch *l)
{
    double gpu = l->row->value[BYW_GPU_WARP_INSTRUCTIONS],
           own = l->value[BYW_GPU_WARP_INSTRUCTIONS];

    return known(gpu, own) && gpu > 0.0 ? 100.0 * fabs(own / gpu - 1.0) : NAN;
}

static double hits(const struct byw_correlate_launch *l)
{
    return 100.0 * fabs(byw_correlate_gpu_hits(l) - byw_correlate_own_hits(l));
}

static double hits_near(const struct byw_correlate_launch *l)
{
    double distance = hits(l);

    return isnan(distance) ? NAN : distance <= 3.0 ? 100.0 : 0.0;
}

/* 100 if the metric is within the tolerance, otherwise 0; NAN: unknown, or at most `least` on the
 * GPU. */
static double near(const struct byw_correlate_launch *l, enum byw_gpu_metric metric, double least,
                   double tolerance)
{
    double gpu = l->row->value[metric], own = l->value[metric];

    if (!known(gpu, own) || gpu <= least)
        return NAN;
    return within(gpu, own, tolerance) ? 100.0 : 0.0;
}

static double instructions_near(const struct byw_correlate_launch *l)
{
    return near(l, BYW_GPU_WARP_INSTRUCTIONS, 0.0, 0.02);
}

static double l2_reads(const struct byw_correlate_launch *l)
{
    return near(l, BYW_GPU_L2_READ_SECTORS, 0.0, 0.05);
}

static double l2_writes(const struct byw_correlate_launch *l)
{
    return near(l, BYW_GPU_L2_WRITE_SECTORS, 0.0, 0.05);
}

static double dram_reads(const struct byw_correlate_launch *l)
{
    return near(l, BYW_GPU_DRAM_READ_SECTORS, MANY_SECTORS, 0.1);
}

static bool is_long(const struct byw_correlate_launch *l)
{
    return l->row->value[BYW_GPU_CYCLES] > LONG_LAUNCH;
}

static double cycles_error(const struct byw_correlate_launch *l)
{
    if (duration_of(l->row) != BYW_GPU_CYCLES)
        return NAN;
    return 100.0 * fabs(byw_correlate_cycles(l) - 1.0);
}

static double long_error(const struct byw_correlate_launch *l)
{
    return is_long(l) ? cycles_error(l) : NAN;
}

/* The first value of a pair; own_log() gives the second. */
static double gpu_log(const struct byw_correlate_launch *l)
{
    double x = log(l->row->value[BYW_GPU_CYCLES]), y = log(l->value[BYW_GPU_CYCLES]);

    return is_long(l) && isfinite(x) && isfinite(y) ? x : NAN;
}

static double own_log(const struct byw_correlate_launch *l)
{
    return log(l->value[BYW_GPU_CYCLES]);
}

/* Figures over the launches as compiled. */
static const struct rule {
    const char *id, *text, *unit;
    bool at_most, correlated, has_target;
    double target;
    double (*of)(const struct byw_correlate_launch *);
} rules[] = {
    {"counts", "loads, stores and their sectors within 1 %", "% of launches", false, false, true,
     95.0, counts_agree},
    {"instructions", "warp instructions, mean distance", "%", true, false, true, 3.0, instructions},
    {"instructions_near", "warp instructions within 2 %", "% of launches", false, false, true, 85.0,
     instructions_near},
    {"l1_hit_distance", "L1 hit rate of loads, mean distance", "points", true, false, true, 1.0,
     hits},
    {"l1_hit_near", "L1 hit rate of loads within 3 points", "% of launches", false, false, true,
     95.0, hits_near},
    {"l2_reads", "L2 read sectors within 5 %", "% of launches", false, false, true, 90.0, l2_reads},
    {"l2_writes", "L2 write sectors within 5 %", "% of launches", false, false, true, 90.0,
     l2_writes},
    {"dram_reads", "DRAM read sectors above 10,000 within 10 %", "% of launches", false, false,
     true, 80.0, dram_reads},
    {"cycles_long", "cycles of launches above 10,000, mean absolute error", "%", true, false, true,
     12.0, long_error},
    {"cycles_logs", "cycles of these, correlation of logarithms", "", false, true, true, 0.97,
     gpu_log},
    {"cycles_all", "cycles of all launches, mean absolute error", "%", true, false, true, 20.0,
     cycles_error},
};

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

/* --- figures of samples ----------------------------------------------------------------------- */

enum statistic { MEAN, MEDIAN, NINTH, CORRELATION };

static double correlation(const double *x, const double *y, size_t count)
{
    double n = (double)count, sx = 0, sy = 0, xx = 0, yy = 0, xy = 0, vx, vy;

    for (size_t i = 0; i < count; i++) {
        sx += x[i];
        sy += y[i];
        xx += x[i] * x[i];
        yy += y[i] * y[i];
        xy += x[i] * y[i];
    }
    vx = n * xx - sx * sx;
    vy = n * yy - sy * sy;
    return count > 1 && vx > 0.0 && vy > 0.0 ? (n * xy - sx * sy) / sqrt(vx * vy) : NAN;
}

/* The statistic of the values, which it may sort. */
static double statistic_of(enum statistic what, double *x, const double *y, size_t count)
{
    double sum = 0.0;

    if (count == 0)
        return NAN;
    if (what == CORRELATION)
        return correlation(x, y, count);
    if (what == MEAN) {
        for (size_t i = 0; i < count; i++)
            sum += x[i];
        return sum / (double)count;
    }
    qsort(x, count, sizeof(*x), by_value);
    if (what == NINTH)
        return x[(count * 9 - 1) / 10];
    return count % 2 != 0 ? x[count / 2] : (x[count / 2 - 1] + x[count / 2]) / 2.0;
}

/* The figure's value and its interval. */
static void estimate(enum statistic what, const struct sample *sample,
                     struct byw_correlate_figure *figure)
{
    const size_t n = sample->count;
    double *draw = calloc(2 * n + DRAWINGS, sizeof(*draw)), *y, *seen;
    size_t known_ones = 0;
    struct byw_rng rng;

    figure->launches = n;
    figure->value = figure->low = figure->high = NAN;
    if (draw == NULL || n == 0) {
        free(draw);
        return;
    }
    y = draw + n;
    seen = y + n;
    memcpy(draw, sample->x, n * sizeof(*draw));
    figure->value = statistic_of(what, draw, sample->y, n);
    byw_rng_init(&rng, SEED);
    for (size_t d = 0; d < DRAWINGS && n > 1; d++) {
        double value;

        for (size_t i = 0; i < n; i++) {
            uint32_t from = byw_rng_below(&rng, (uint32_t)n);

            draw[i] = sample->x[from];
            y[i] = sample->y[from];
        }
        value = statistic_of(what, draw, y, n);
        if (!isnan(value))
            seen[known_ones++] = value;
    }
    if (known_ones > 0) {
        qsort(seen, known_ones, sizeof(*seen), by_value);
        figure->low = seen[known_ones * 25 / 1000];
        figure->high = seen[(known_ones * 975 - 1) / 1000];
    }
    free(draw);
}

static void add(struct sample *sample, double x, double y)
{
    if (isnan(x))
        return;
    sample->x[sample->count] = x;
    sample->y[sample->count++] = y;
}

/* Figures of variants. cg_side ...: over the launches whose side is decided. cg_effect ...: over
 * these and those on the wrong side. ratio_error: the error of the simulated ratio, in percent of
 * the cycles as compiled, that 9 of 10 launches do not exceed. It covers the launches for which the
 * simulator predicts a gain, since only these are advised. */
static void score_variants(const struct byw_correlate *c, enum byw_correlate_half half,
                           struct sample *sample, struct byw_correlate_figure *figure)
{
    static const struct byw_correlate_figure about[] = {
        {"cg_side", "cg / ca on the GPU's side, where that is decided", "% of launches", 85.0,
         false, true, NAN, NAN, NAN, 0},
        {"na_side", "na / ca on the GPU's side, where that is decided", "% of launches", 85.0,
         false, true, NAN, NAN, NAN, 0},
        {"cg_effect", "cg / ca, size of the effect over the measured one, median", "", 0.0, false,
         false, NAN, NAN, NAN, 0},
        {"na_effect", "na / ca, size of the effect over the measured one, median", "", 0.0, false,
         false, NAN, NAN, NAN, 0},
        {"ratio_error", "variant / ca of simulated gains, 9 of 10 within", "% of cycles", 0.0, true,
         false, NAN, NAN, NAN, 0}};

    for (size_t f = 0; f < sizeof(about) / sizeof(about[0]); f++) {
        sample->count = 0;
        for (size_t i = 0; i < byw_correlate_count(c); i++) {
            const struct byw_correlate_launch *launch = byw_correlate_launch(c, i);
            enum byw_correlate_side side = byw_correlate_side(c, i);
            double gpu = byw_correlate_gpu_ratio(c, i), own = byw_correlate_own_ratio(c, i);
            bool decided = side == BYW_SIDE_RIGHT || side == BYW_SIDE_WRONG;

            if (!counts(c, i, half) ||
                (f < 4 && launch->row->variant != (f % 2 == 0 ? BYW_GPU_CG : BYW_GPU_NA)))
                continue;
            if (f < 2 && decided)
                add(sample, side == BYW_SIDE_RIGHT ? 100.0 : 0.0, 0.0);
            else if (f >= 2 && f < 4 && decided)
                add(sample, byw_correlate_effect(c, i), 0.0);
            else if (f == 4 && known(gpu, own) && own < 1.0)
                add(sample, 100.0 * fabs(gpu - own), 0.0);
        }
        figure[f] = about[f];
        estimate(f < 2 ? MEAN : f < 4 ? MEDIAN : NINTH, sample, &figure[f]);
    }
}

size_t byw_correlate_score(const struct byw_correlate *c, enum byw_correlate_half half,
                           struct byw_correlate_figure *figure)
{
    const size_t count = sizeof(rules) / sizeof(rules[0]), room = byw_correlate_count(c) + 1;
    struct sample sample = {.x = calloc(2 * room, sizeof(double))};

    if (sample.x == NULL)
        return 0;
    sample.y = sample.x + room;
    for (size_t r = 0; r < count; r++) {
        sample.count = 0;
        for (size_t i = 0; i < byw_correlate_count(c); i++) {
            const struct byw_correlate_launch *launch = byw_correlate_launch(c, i);

            if (counts(c, i, half) && launch->row->variant == BYW_GPU_CA)
                add(&sample, rules[r].of(launch), own_log(launch));
        }
        figure[r] = (struct byw_correlate_figure){.id = rules[r].id,
                                                  .text = rules[r].text,
                                                  .unit = rules[r].unit,
                                                  .target = rules[r].target,
                                                  .at_most = rules[r].at_most,
                                                  .has_target = rules[r].has_target};
        estimate(rules[r].correlated ? CORRELATION : MEAN, &sample, &figure[r]);
    }
    score_variants(c, half, &sample, &figure[count]);
    free(sample.x);
    return count + 5;
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

/* --- where the cycles went -------------------------------------------------------------------- */

static int by_share(const void *a, const void *b)
{
    const struct byw_correlate_spent *x = a, *y = b;

    return (x->share < y->share) - (x->share > y->share);
}

static size_t add_spent(struct byw_correlate_spent *spent, size_t count, const char *rule,
                        double share)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(spent[i].rule, rule) == 0) {
            spent[i].share += share;
            return count;
        }
    if (!(share > 0.0) || count == BYW_CORRELATE_RULES)
        return count;
    spent[count] = (struct byw_correlate_spent){rule, share};
    return count + 1;
}

/* Splits the share `rest` by what the warps waited for. */
static size_t spent_by_warps(const json_t *result, double rest, size_t count,
                             struct byw_correlate_spent *spent)
{
    static const char *const rule[] = {[BYW_STALL_ISSUED] = "issue",
                                       [BYW_STALL_SCHEDULE] = "schedule",
                                       [BYW_STALL_BRANCH] = "schedule",
                                       [BYW_STALL_L1] = "L1",
                                       [BYW_STALL_L2] = "L2",
                                       [BYW_STALL_DRAM] = "DRAM",
                                       [BYW_STALL_SHARED] = "scratchpad",
                                       [BYW_STALL_CONSTANT] = "constants",
                                       [BYW_STALL_RESULT] = "unit latency",
                                       [BYW_STALL_OPERANDS] = "operand reads",
                                       [BYW_STALL_BARRIER] = "barriers",
                                       [BYW_STALL_START] = "start of CTAs",
                                       [BYW_STALL_FETCH] = "fetch",
                                       [BYW_STALL_THROTTLE] = "policy",
                                       [BYW_STALL_QUEUE] = "load/store queue",
                                       [BYW_STALL_PIPE] = "pipes",
                                       [BYW_STALL_SLOT] = "issue slots",
                                       [BYW_STALL_DRAIN] = "stores at the end"};
    const double all = byw_result_number(result, "stall_sums.warp_cycles");

    for (unsigned c = 0; c < BYW_STALLS; c++) {
        char path[64];

        snprintf(path, sizeof(path), "stall_sums.%s", byw_stall_name((enum byw_stall)c));
        count = add_spent(spent, count, rule[c], rest * byw_result_number(result, path) / all);
    }
    return count;
}

/* Splits the share `rest` by what the schedulers lacked. */
static size_t spent_by_schedulers(const json_t *result, double rest, double busy, size_t count,
                                  struct byw_correlate_spent *spent)
{
    static const char *const rule[][2] = {
        {"schedulers.issued", "issue"},     {"schedulers.fetch", "fetch"},
        {"schedulers.barrier", "barriers"}, {"schedulers.scoreboard", "loads and results"},
        {"schedulers.unit", "units"},       {"schedulers.memory", "load/store queue"}};

    for (size_t r = 0; r < sizeof(rule) / sizeof(rule[0]); r++)
        count = add_spent(spent, count, rule[r][1],
                          rest * byw_result_number(result, rule[r][0]) / busy);
    return count;
}

size_t byw_correlate_spent(const struct byw_correlate *c, size_t i,
                           struct byw_correlate_spent spent[BYW_CORRELATE_RULES])
{
    const json_t *result = byw_correlate_launch(c, i)->result;
    const double cycles = byw_result_number(result, "cycles");
    double launch, busy = 0.0;
    const char *name;
    json_t *value;
    size_t count;

    if (result == NULL || !(cycles > 0.0))
        return 0;
    json_object_foreach(json_object_get(result, "schedulers"), name, value) busy +=
        strcmp(name, "empty") != 0 ? json_number_value(value) : 0.0;
    launch = (double)byw_correlate_config(c)->launch_start / cycles;
    launch = launch < 1.0 ? launch : 1.0;
    count = add_spent(spent, 0, "launch", launch);
    if (byw_result_number(result, "stall_sums.warp_cycles") > 0.0)
        count = spent_by_warps(result, 1.0 - launch, count, spent);
    else if (busy > 0.0)
        count = spent_by_schedulers(result, 1.0 - launch, busy, count, spent);
    qsort(spent, count, sizeof(*spent), by_share);
    return count;
}

double byw_correlate_occupancy(const struct byw_correlate *c, size_t i)
{
    const struct byw_config *config = byw_correlate_config(c);
    const json_t *result = byw_correlate_launch(c, i)->result;
    double warps = byw_result_number(result, "stall_sums.warp_cycles");
    double cycles = byw_result_number(result, "cycles") - (double)config->launch_start;

    return warps > 0.0 && cycles > 0.0
               ? warps / (cycles * (double)config->sm_count * (double)config->sm_warps)
               : NAN;
}
