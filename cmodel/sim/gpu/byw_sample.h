/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_sample.h - which CTAs and launches of a trace are simulated, and the estimate for the others.
 *
 * A launch of many CTA waves (a wave: as many CTAs as the GPU holds at once) is simulated in part:
 * the first waves, then the last waves of every period of `period` waves, then the remainder.  Of
 * the waves of a period, all but the last warm the caches and the last is measured: the time from
 * the start of its first CTA to the first start after it, which is the time of a wave in steady
 * state.  A skipped wave is assigned the mean of the measurements before and after it.
 *
 * A launch that repeats (same code, grid and block) is treated in the same way: the first few are
 * simulated, then the last two of every `period` launches, of which the second is measured.
 *
 * The bar is the 95 % confidence interval of the mean of a systematic sample: Student's t times the
 * standard error from differences of neighbors, so that a slow trend along the launch does not
 * count as scatter.  Two terms widen it.  One is the mean difference between a measurement and the
 * warm-up just before it: while the caches still fill, both are too slow.  The other is half the
 * rise or fall of the line through the measurements: effects that change from wave to wave (DRAM
 * queues, dirty L2 lines) would settle early in the whole launch.  Ideas: SMARTS (systematic units
 * with warm-up, Wunderlich et al., ISCA 2003), principal kernel analysis (repeating launches,
 * stable rates inside one; Baddouh et al., MICRO 2021) and Photon (waves, Liu et al., MICRO 2023).
 *
 * This file counts only CTAs, launches and cycles; byw_gpu_sample.c does the rest.
 */
#ifndef BYW_SAMPLE_H
#define BYW_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Number of waves or launches. */
enum {
    BYW_SAMPLE_HEAD = 2, /* waves simulated at the beginning of a launch */
    BYW_SAMPLE_WARM = 2, /* waves simulated before a measured one */
    BYW_SAMPLE_FIRST = 4, /* launches of a kind that are simulated before any is skipped */
    BYW_SAMPLE_LEAST = 3, /* fewest measurements in a partly simulated launch */
    BYW_SAMPLE_PERIOD_MIN = BYW_SAMPLE_WARM + 2,
};

/* A series of measurements: the variance between neighbors, the drift since each warm-up, and the
 * trend. */
struct byw_sample_series {
    uint64_t count;
    double last, squares; /* squares: sum of the squared differences of neighbours */
    double drift; /* sum of warm-up minus measurement */
    double sum, weighted; /* sum of the measurements; sum of each times its index from 0 */
};

/* warm: the value of the warm-up before it, or `value` again if there is none to compare with. */
void byw_sample_add(struct byw_sample_series *series, double value, double warm);
/* Half-width of the 95 % confidence interval of the mean, plus the mean drift, plus half of the
 * trend from first to last; infinite with fewer than two measurements. */
double byw_sample_bar(const struct byw_sample_series *series);

/* --- the waves of a launch ----------------------------------------------------------------------
 */

struct byw_sample_waves {
    uint64_t wave, period; /* CTAs per wave; waves per period, 0: everything is simulated */
    uint64_t periods;
    uint64_t next; /* the next CTA to be started or skipped */
};

/* A launch of `ctas` CTAs of which the GPU holds `wave` at once; period 0: no sampling. */
void byw_sample_waves_begin(struct byw_sample_waves *waves, uint64_t ctas, uint64_t wave,
                            uint64_t period);

/* Call once before every CTA that is started. */
struct byw_sample_step {
    bool ends; /* a measured wave ends now */
    bool begins; /* a measured wave begins now */
    bool warms; /* the wave before a measured one begins now */
    uint64_t pass; /* skip this many CTAs first */
};
struct byw_sample_step byw_sample_waves_step(struct byw_sample_waves *waves);

/* Whether no wave begins, ends or is skipped any more: the rest of the launch is simulated. */
bool byw_sample_waves_over(const struct byw_sample_waves *waves);

/* --- launches of one kind ------------------------------------------------------------------------
 */

/* What to do with launch number `index` (0, 1 ...) of its kind. */
enum byw_sample_launch { BYW_SAMPLE_MEASURE, BYW_SAMPLE_WARM_UP, BYW_SAMPLE_LEAVE_OUT };
enum byw_sample_launch byw_sample_launch(uint64_t index, uint64_t period);

#endif
