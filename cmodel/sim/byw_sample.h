/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_sample.h - which CTAs and launches of a trace are simulated, and what that says of the rest.
 *
 * A launch of many CTA waves (a wave: as many CTAs as the GPU holds at once) is simulated in part:
 * its first waves, then of every period of `period` waves the last ones, then what is left over. Of
 * those of a period all but the last wave warm the caches and the last is measured: the time from
 * its first CTA's start to the first start after it, which is the time of a wave in steady state.
 * A wave that is left out takes the mean of the measurements on both sides of it.
 *
 * A launch that repeats (same code, grid and block) is treated the same way: the first few are
 * simulated, then of every `period` launches the last two, of which the second is measured.
 *
 * The bar is that of the mean of a systematic sample, 95 %: Student's t times the standard error
 * from differences of neighbours, so that a slow trend along the launch is not taken for scatter.
 * It is widened by the mean difference between what is measured and the warm-up just before it:
 * while the caches still fill, both are too slow; and by half of the rise or fall of the line
 * through the measurements: what changes while waves pass (DRAM's queues, dirty lines of the L2)
 * would have come to its end early in the whole launch. Ideas: SMARTS (systematic units with
 * warm-up, Wunderlich et al., ISCA 2003), principal kernel analysis (repeating launches, stable
 * rates inside one; Baddouh et al., MICRO 2021) and Photon (waves, Liu et al., MICRO 2023).
 *
 * Everything here counts CTAs, launches and cycles only; the GPU (byw_gpu_sample.c) does the rest.
 */
#ifndef BYW_SAMPLE_H
#define BYW_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Waves or launches. */
enum {
    BYW_SAMPLE_HEAD = 2, /* waves simulated at the beginning of a launch */
    BYW_SAMPLE_WARM = 2, /* waves simulated before the one that is measured */
    BYW_SAMPLE_FIRST = 4, /* launches of a kind that are simulated before any is left out */
    BYW_SAMPLE_LEAST = 3, /* measurements in a launch that is simulated in part */
    BYW_SAMPLE_PERIOD_MIN = BYW_SAMPLE_WARM + 2,
};

/* Measurements one after another: the variance that neighbours show, the drift since the warm-up
 * before each, and their trend. */
struct byw_sample_series {
    uint64_t count;
    double last, squares; /* squares: of the differences of neighbours */
    double drift; /* warm-up less measurement, summed */
    double sum, weighted; /* of the measurements; each times its number, from 0 */
};

/* warm: the same of the warm-up before it, or `value` again where there is none to compare with. */
void byw_sample_add(struct byw_sample_series *series, double value, double warm);
/* Half of the 95 % interval of the mean, the mean drift, and half of the trend from the first to
 * the last; infinite with fewer than two measurements. */
double byw_sample_bar(const struct byw_sample_series *series);

/* --- the waves of a launch ----------------------------------------------------------------------
 */

struct byw_sample_waves {
    uint64_t wave, period; /* CTAs of a wave; waves of a period, 0: all is simulated */
    uint64_t periods;
    uint64_t next; /* CTA that is started or passed over next */
};

/* A launch of `ctas` CTAs of which the GPU holds `wave`; period 0: no sampling. */
void byw_sample_waves_begin(struct byw_sample_waves *waves, uint64_t ctas, uint64_t wave,
                            uint64_t period);

/* To be asked once before every CTA that is started. */
struct byw_sample_step {
    bool ends; /* a measured wave ends now */
    bool begins; /* one begins now */
    bool warms; /* the wave before a measured one begins now */
    uint64_t pass; /* so many CTAs are passed over first */
};
struct byw_sample_step byw_sample_waves_step(struct byw_sample_waves *waves);

/* Nothing begins, ends or is passed over any more: the rest of the launch is simulated whole. */
bool byw_sample_waves_over(const struct byw_sample_waves *waves);

/* --- launches of one kind ------------------------------------------------------------------------
 */

/* What becomes of launch number `index` (0, 1 ...) of its kind. */
enum byw_sample_launch { BYW_SAMPLE_MEASURE, BYW_SAMPLE_WARM_UP, BYW_SAMPLE_LEAVE_OUT };
enum byw_sample_launch byw_sample_launch(uint64_t index, uint64_t period);

#endif
