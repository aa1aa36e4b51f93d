/* SPDX-License-Identifier: Apache-2.0 */
#include "study/papers/byw_verdict.h"

#include <math.h>

static const double same_band = 0.05, at_most = 1.01, level_factor = 2.0;
static const double share_points = 0.1, effect_factor = 2.0;
/* Fractions of the value: least half width of an interval, usual deviations of single runs. */
static const double least_half = 0.0025, usual_noise_of_mean = 0.01, usual_noise_of_one = 0.04;
static const double normal_95 = 1.96;

const char *byw_verdict_name(enum byw_verdict verdict)
{
    static const char *const names[] = {
#define X(code, name) [code] = name,
        BYW_VERDICT_LIST(X)
#undef X
    };

    return names[verdict];
}

void byw_verdict_counts(FILE *out, const size_t count[BYW_VERDICTS])
{
    for (int v = 0; v < BYW_VERDICTS; v++)
        if (v != BYW_INCOMPLETE || count[v] > 0)
            fprintf(out, "%s%zu %s", v > 0 ? ", " : "", count[v],
                    byw_verdict_name((enum byw_verdict)v));
}

const char *byw_sense_name(enum byw_sense sense)
{
    static const char *const names[] = {
#define X(code, word, name) [code] = name,
        BYW_SENSE_LIST(X)
#undef X
    };

    return names[sense];
}

/* Distance of a value on the expected side, in the value's unit; negative: on the other side. */
static double distance(const struct byw_claim_number *number, double value)
{
    switch (number->sense) {
    case BYW_UP:
        return value - 1.0;
    case BYW_DOWN:
        return 1.0 - value;
    case BYW_SAME:
        return same_band - fabs(value - 1.0);
    case BYW_AT_MOST:
        return at_most - value;
    case BYW_LEVEL: {
        double half = number->value / level_factor, twice = number->value * level_factor;

        return fmin(value - fmin(half, twice), fmax(half, twice) - value);
    }
    case BYW_SHARE:
        return fmin(value - fmax(number->value / level_factor, number->value - share_points),
                    fmin(number->value * level_factor, number->value + share_points) - value);
    }
    return NAN;
}

bool byw_claim_holds(const struct byw_claim_number *number, double value)
{
    double far = distance(number, value);

    return far > 0.0 || (far == 0.0 && number->sense != BYW_UP && number->sense != BYW_DOWN);
}

double byw_claim_strength(const struct byw_claim_number *number, double value)
{
    if (number->sense == BYW_LEVEL || number->sense == BYW_SHARE)
        return value / number->value;
    if (isnan(value) || value <= 0.0 || number->value == 1.0 ||
        (number->sense != BYW_UP && number->sense != BYW_DOWN))
        return NAN;
    return log(value) / log(number->value);
}

struct byw_uncertainty byw_verdict_uncertainty(const struct byw_spread *spread, bool exact,
                                               bool average)
{
    double size = fabs(spread->mean);

    if (exact)
        return (struct byw_uncertainty){0.0, false};
    if (spread->count > 1)
        return (struct byw_uncertainty){fmax(spread->half, least_half * size), false};
    return (struct byw_uncertainty){
        normal_95 * (average ? usual_noise_of_mean : usual_noise_of_one) * size, true};
}

void byw_verdict_about_noise(unsigned repeats, char text[BYW_ABOUT_ROOM])
{
    if (repeats > 1)
        snprintf(text, BYW_ABOUT_ROOM,
                 "±: half the width of the 95 %% interval of the mean of %u runs that differ in "
                 "noise.seed; each number is judged by its own.",
                 repeats);
    else
        snprintf(text, BYW_ABOUT_ROOM,
                 "Noise was not measured, because each run was made once without it; it is assumed "
                 "to be %g %% for a mean over workloads and %g %% for a single workload. --repeat "
                 "N measures it.",
                 100.0 * usual_noise_of_mean, 100.0 * usual_noise_of_one);
}

/* The effect's size compared with the paper's: -1 less than half, 1 more than twice, otherwise 0.
 * Only "above" and "below" claim an effect; a value of 0 is below by any factor. */
static int size_of_effect(const struct byw_claim_number *number, double value)
{
    double strength;

    if ((number->sense != BYW_UP && number->sense != BYW_DOWN) || number->value == 1.0)
        return 0;
    strength = value <= 0.0 ? INFINITY : byw_claim_strength(number, value);
    return strength > effect_factor ? 1 : strength < 1.0 / effect_factor ? -1 : 0;
}

enum byw_verdict byw_verdict_of(const struct byw_claim_number *number, double value,
                                struct byw_uncertainty uncertainty)
{
    double far = distance(number, value);
    bool band = number->sense == BYW_SAME || number->sense == BYW_AT_MOST;

    if (isnan(value) || far < -uncertainty.half)
        return BYW_NOT;
    if (far <= uncertainty.half)
        return uncertainty.assumed && band && byw_claim_holds(number, value) ? BYW_PARTLY
                                                                             : BYW_UNDECIDED;
    return size_of_effect(number, value) == 0 ? BYW_REPRODUCED : BYW_PARTLY;
}

const char *byw_verdict_lacks(const struct byw_claim_number *number, double value,
                              enum byw_verdict verdict)
{
    int size = size_of_effect(number, value);

    if (verdict != BYW_PARTLY)
        return "";
    return size > 0   ? "more than twice the paper's"
           : size < 0 ? "less than half of the paper's"
                      : "a single run";
}

enum byw_verdict byw_verdict_of_all(const size_t count[BYW_VERDICTS])
{
    if (count[BYW_INCOMPLETE] > 0)
        return BYW_INCOMPLETE;
    if (count[BYW_REPRODUCED] + count[BYW_PARTLY] == 0)
        return count[BYW_NOT] > 0 ? BYW_NOT : BYW_UNDECIDED;
    return count[BYW_PARTLY] + count[BYW_NOT] + count[BYW_UNDECIDED] == 0 ? BYW_REPRODUCED
                                                                          : BYW_PARTLY;
}
