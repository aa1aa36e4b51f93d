/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_claims.c - how claims are judged: values of numbers, missing runs, verdicts.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "study/papers/byw_reproduce_state.h"

enum { SAME_PCT = 5, AT_MOST_PCT = 1, LEVEL_FACTOR = 2 };

const char *byw_verdict_name(enum byw_verdict verdict)
{
    static const char *const names[] = {
#define X(code, name) [code] = name,
        BYW_VERDICT_LIST(X)
#undef X
    };

    return names[verdict];
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

/* --- values ----------------------------------------------------------------------------------- */

/* The number of one workload; NaN when there is none. */
static double value_on(const struct byw_reproduce *r, const struct byw_claim_number *n,
                       const char *workload)
{
    double value = byw_reproduce_metric(r, &n->source, workload, n->metric), base;

    if (n->reference.run == NULL)
        return value;
    base = byw_reproduce_metric(r, &n->reference, workload, n->metric);
    if (base == 0.0)
        return value == 0.0 ? 1.0 : NAN;
    return value / base;
}

double byw_reproduce_value(const struct byw_reproduce *reproduce,
                           const struct byw_claim_number *number)
{
    struct byw_names names;
    double sum = 0.0, most = -INFINITY, least = INFINITY;
    size_t n = 0;

    if (byw_reproduce_names(reproduce, &number->of, &names, NULL) != BYW_OK)
        return NAN;
    for (size_t i = 0; i < names.count; i++) {
        double value = value_on(reproduce, number, names.name[i]);

        if (isnan(value) || (number->how == BYW_GEO && value <= 0.0))
            continue;
        sum += number->how == BYW_GEO ? log(value) : value;
        most = value > most ? value : most;
        least = value < least ? value : least;
        n++;
    }
    byw_names_free(&names);
    if (n == 0)
        return NAN;
    switch (number->how) {
    case BYW_GEO:
        return exp(sum / (double)n);
    case BYW_MEAN:
        return sum / (double)n;
    case BYW_MAX:
        return most;
    case BYW_MIN:
        return least;
    }
    return NAN;
}

/* --- what is not there ------------------------------------------------------------------------ */

static bool is_there(const struct byw_reproduce *r, const struct byw_source *source,
                     const char *row)
{
    const char *id = byw_reproduce_run(r, source, row);

    if (byw_source_is_run(source))
        return id == NULL || json_object_get(r->result, id) != NULL;
    return !r->cut || json_object_get(json_object_get(r->made, source->run),
                                      byw_source_workload(source, row)) != NULL;
}

size_t byw_reproduce_gaps(const struct byw_reproduce *reproduce,
                          const struct byw_claim_number *number, size_t *all, json_t *missing)
{
    const struct byw_source *const source[] = {&number->source, &number->reference};
    struct byw_names names;
    size_t count = 0;

    *all = 0;
    if (byw_reproduce_names(reproduce, &number->of, &names, NULL) != BYW_OK)
        return 0;
    for (size_t v = 0; v < 2; v++)
        for (size_t i = 0; source[v]->run != NULL && i < names.count; i++) {
            char text[BYW_VARIANT_ROOM];

            ++*all;
            if (is_there(reproduce, source[v], names.name[i]))
                continue;
            count++;
            byw_source_text(source[v], text);
            if (missing != NULL)
                json_array_append_new(missing, json_sprintf("%s of %s", text, names.name[i]));
        }
    byw_names_free(&names);
    return count;
}

static bool has_text(const json_t *list, const char *text)
{
    json_t *one;
    size_t i;

    json_array_foreach((json_t *)list, i,
                       one) if (strcmp(json_string_value(one), text) == 0) return true;
    return false;
}

/* Whether the run is of a trace that is not in the folder. */
static bool is_shipped(const struct byw_reproduce *r, const struct byw_source *source,
                       const char *row)
{
    const char *id = byw_reproduce_run(r, source, row);
    size_t len = strlen(r->traces);

    for (size_t i = 0; id != NULL && i < byw_plan_count(r->plan); i++) {
        const struct byw_point *point = byw_plan_point(r->plan, i);

        if (strcmp(point->id, id) == 0)
            return strncmp(point->job.trace, r->traces, len) != 0 || point->job.trace[len] != '/';
    }
    return false;
}

json_t *byw_reproduce_shipped(const struct byw_reproduce *reproduce, const struct byw_claim *claim)
{
    json_t *list = json_array();
    size_t count = reproduce->traces != NULL && reproduce->plan != NULL ? claim->numbers : 0;

    for (size_t k = 0; k < count; k++) {
        const struct byw_claim_number *n = &claim->number[k];
        struct byw_names names;

        if (byw_reproduce_names(reproduce, &n->of, &names, NULL) != BYW_OK)
            continue;
        for (size_t i = 0; i < names.count; i++)
            if (is_shipped(reproduce, &n->source, names.name[i]) && !has_text(list, names.name[i]))
                json_array_append_new(list, json_string(names.name[i]));
        byw_names_free(&names);
    }
    return list;
}

/* --- verdicts --------------------------------------------------------------------------------- */

enum byw_verdict byw_reproduce_verdict(const struct byw_reproduce *reproduce,
                                       const struct byw_claim *claim)
{
    size_t all = 0, good = 0, runs;

    for (size_t i = 0; i < claim->numbers; i++) {
        const struct byw_claim_number *n = &claim->number[i];

        if (byw_reproduce_gaps(reproduce, n, &runs, NULL) > 0)
            return BYW_INCOMPLETE;
        all++;
        good += byw_claim_holds(n, byw_reproduce_value(reproduce, n));
    }
    return good == 0 ? BYW_NOT : good == all ? BYW_REPRODUCED : BYW_PARTLY;
}

bool byw_reproduce_explains(enum byw_verdict verdict, const struct byw_claim *claim)
{
    return (verdict == BYW_PARTLY || verdict == BYW_NOT) && claim->reason[0] != '\0';
}
