/* SPDX-License-Identifier: Apache-2.0 */
#include "study/papers/byw_verdict.h"

#include <math.h>

static const double same_band = 0.05, at_most = 1.01, level_factor = 2.0;
static const double half_of_the_effect = 0.5, clear_of_noise = 2.0;
/* Noise, as fractions of the value. */
static const double least_noise = 0.0025, usual_noise_of_mean = 0.01, usual_noise_of_one = 0.04;

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
    case BYW_LEVEL:
        return fmin(value - number->value / level_factor, number->value * level_factor - value);
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
    if (isnan(value) || value <= 0.0)
        return NAN;
    if (number->sense == BYW_LEVEL)
        return value / number->value;
    return number->value != 1.0 ? log(value) / log(number->value) : NAN;
}

double byw_verdict_noise(const struct byw_spread *spread, bool exact, bool average)
{
    double size = fabs(spread->mean);

    if (exact)
        return 0.0;
    if (spread->count > 1)
        return fmax(spread->sd, least_noise * size);
    return (average ? usual_noise_of_mean : usual_noise_of_one) * size;
}

void byw_verdict_about_noise(unsigned repeats, char text[BYW_ABOUT_ROOM])
{
    if (repeats > 1)
        snprintf(text, BYW_ABOUT_ROOM,
                 "±: standard deviation of a single run, from %u runs that differ in noise.seed; "
                 "each number is judged by its own.",
                 repeats);
    else
        snprintf(text, BYW_ABOUT_ROOM,
                 "Noise was not measured, because each run was made once without it; it is assumed "
                 "to be %g %% for a mean over workloads and %g %% for a single workload. --repeat "
                 "N measures it.",
                 100.0 * usual_noise_of_mean, 100.0 * usual_noise_of_one);
}

/* Whether an effect is at least half of the paper's.  Only "above" and "below" claim an effect; a
 * value of 0 is below by any factor. */
static bool is_large(const struct byw_claim_number *number, double value)
{
    if ((number->sense != BYW_UP && number->sense != BYW_DOWN) || number->value == 1.0)
        return true;
    return value <= 0.0 || byw_claim_strength(number, value) >= half_of_the_effect;
}

enum byw_verdict byw_verdict_of(const struct byw_claim_number *number, double value, double noise)
{
    double far = distance(number, value);

    if (isnan(value) || far < -noise)
        return BYW_NOT;
    if (far <= noise)
        return BYW_UNDECIDED;
    return far > clear_of_noise * noise && is_large(number, value) ? BYW_REPRODUCED : BYW_PARTLY;
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
