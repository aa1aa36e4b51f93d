/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_claims.c - metrics, and how a number of a claim is judged.
 */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "study/papers/byw_reproduce.h"

enum { SAME_PCT = 5, AT_MOST_PCT = 1, LEVEL_FACTOR = 2, TERM_ROOM = 96 };

const char *byw_verdict_name(enum byw_verdict verdict)
{
    static const char *const names[] = {
#define X(code, name) [code] = name,
        BYW_VERDICT_LIST(X)
#undef X
    };

    return names[verdict];
}

static double term(const json_t *result, const char *text, size_t length)
{
    char path[TERM_ROOM];

    snprintf(path, sizeof(path), "%.*s", (int)length, text);
    if (isdigit((unsigned char)path[0]))
        return strtod(path, NULL);
    return byw_result_has(result, path) ? byw_result_number(result, path) : NAN;
}

double byw_metric_of(const json_t *result, const char *metric)
{
    size_t at = strcspn(metric, "+-*/");
    double value = term(result, metric, at);

    while (metric[at] != '\0') {
        char sign = metric[at++];
        size_t length = strcspn(metric + at, "+-*/");
        double next = term(result, metric + at, length);

        at += length;
        if (sign == '/')
            value = next != 0.0 ? value / next : NAN;
        else
            value = sign == '*' ? value * next : sign == '+' ? value + next : value - next;
    }
    return value;
}

bool byw_claim_holds(const struct byw_claim_number *number, double value)
{
    if (isnan(value))
        return false;
    switch (number->sense) {
    case BYW_UP:
        return value > 1.0;
    case BYW_DOWN:
        return value < 1.0;
    case BYW_SAME:
        return fabs(value - 1.0) * 100.0 <= SAME_PCT;
    case BYW_AT_MOST:
        return (value - 1.0) * 100.0 <= AT_MOST_PCT;
    case BYW_LEVEL:
        return value >= number->value / LEVEL_FACTOR && value <= number->value * LEVEL_FACTOR;
    }
    return false;
}

double byw_claim_strength(const struct byw_claim_number *number, double value)
{
    if (isnan(value) || value <= 0.0)
        return NAN;
    if (number->sense == BYW_LEVEL)
        return value / number->value;
    return number->value != 1.0 ? log(value) / log(number->value) : NAN;
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
