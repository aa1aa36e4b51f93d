/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/gpu/byw_sample.h"

#include <math.h>

/* Student's t, two-sided 95 %, by degrees of freedom; beyond the table the normal distribution's
 * 1.96. */
static double student(uint64_t freedom)
{
    static const double t[] = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306,
                               2.262,  2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120,
                               2.110,  2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064,
                               2.060,  2.056, 2.052, 2.048, 2.045, 2.042};

    return freedom <= sizeof(t) / sizeof(t[0]) ? t[freedom - 1] : 1.96;
}

void byw_sample_add(struct byw_sample_series *series, double value, double warm)
{
    double step = series->count != 0 ? value - series->last : 0;

    series->squares += step * step;
    series->drift += warm - value;
    series->sum += value;
    series->weighted += value * (double)series->count;
    series->last = value;
    series->count++;
}

/* Change from the first measurement to the last, on the least-squares line through all of them. */
static double trend(const struct byw_sample_series *series)
{
    double n = (double)series->count;
    double slope = (series->weighted - series->sum * (n - 1) / 2) * 12 / (n * (n * n - 1));

    return slope * (n - 1);
}

double byw_sample_bar(const struct byw_sample_series *series)
{
    double count = (double)series->count, variance;

    if (series->count < 2)
        return INFINITY;
    variance = series->squares / (2 * (count - 1));
    return student(series->count - 1) * sqrt(variance / count) + fabs(series->drift) / count +
           fabs(trend(series)) / 2;
}

/* --- the waves of a launch ----------------------------------------------------------------------
 */

void byw_sample_waves_begin(struct byw_sample_waves *waves, uint64_t ctas, uint64_t wave,
                            uint64_t period)
{
    /* The last wave is always simulated, because the GPU drains in it. */
    uint64_t whole = wave != 0 ? ctas / wave : 0;
    uint64_t room = whole > BYW_SAMPLE_HEAD + 1 ? whole - BYW_SAMPLE_HEAD - 1 : 0;

    *waves = (struct byw_sample_waves){.wave = wave};
    if (period == 0)
        return;
    /* The periods share the remainder, which would otherwise be simulated. */
    waves->periods = room / period > BYW_SAMPLE_LEAST ? room / period : BYW_SAMPLE_LEAST;
    period = room / waves->periods;
    if (period < BYW_SAMPLE_PERIOD_MIN)
        waves->periods = 0;
    else
        waves->period = period;
}

struct byw_sample_step byw_sample_waves_step(struct byw_sample_waves *waves)
{
    uint64_t head = BYW_SAMPLE_HEAD * waves->wave, length = waves->period * waves->wave;
    struct byw_sample_step step = {.pass = 0};
    uint64_t at = waves->next++, in, number;

    if (waves->period == 0 || at < head)
        return step;
    number = (at - head) / length;
    in = (at - head) % length;
    step.ends = in == 0 && number != 0 && number <= waves->periods;
    if (number >= waves->periods)
        return step;
    step.begins = in == length - waves->wave;
    step.warms = in == length - 2 * waves->wave;
    if (in == 0)
        step.pass = length - (BYW_SAMPLE_WARM + 1) * waves->wave;
    waves->next += step.pass;
    return step;
}

bool byw_sample_waves_over(const struct byw_sample_waves *waves)
{
    uint64_t head = BYW_SAMPLE_HEAD * waves->wave, length = waves->period * waves->wave;

    return waves->period == 0 || waves->next > head + waves->periods * length;
}

/* --- launches of one kind ------------------------------------------------------------------------
 */

enum byw_sample_launch byw_sample_launch(uint64_t index, uint64_t period)
{
    uint64_t in;

    if (index == 0)
        return BYW_SAMPLE_WARM_UP;
    if (index < BYW_SAMPLE_FIRST || period == 0)
        return BYW_SAMPLE_MEASURE;
    in = (index - BYW_SAMPLE_FIRST) % period;
    if (in + 1 == period)
        return BYW_SAMPLE_MEASURE;
    return in + 2 == period ? BYW_SAMPLE_WARM_UP : BYW_SAMPLE_LEAVE_OUT;
}
