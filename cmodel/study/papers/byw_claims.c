/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_claims.c - values of numbers, missing runs, and verdicts (byw_verdict.h).
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "study/papers/byw_reproduce_state.h"

/* --- values ----------------------------------------------------------------------------------- */

/* The number of one workload in repetition k; NaN if there is none. */
static double value_on(const struct byw_reproduce *r, const struct byw_claim_number *n,
                       const char *workload, unsigned k)
{
    double value = byw_reproduce_metric(r, &n->source, workload, n->metric, k), base;

    if (n->reference.run == NULL)
        return value;
    base = byw_reproduce_metric(r, &n->reference, workload, n->metric, k);
    if (base == 0.0)
        return value == 0.0 ? 1.0 : NAN;
    return value / base;
}

/* The number over its workloads in repetition k without the workload numbered `left_out` (SIZE_MAX:
 * with all); NaN if no workload has one.  *used: how many have. */
static double value_over(const struct byw_reproduce *r, const struct byw_claim_number *number,
                         const struct byw_names *names, unsigned k, size_t left_out, size_t *used)
{
    double sum = 0.0, most = -INFINITY, least = INFINITY;

    *used = 0;
    for (size_t i = 0; i < names->count; i++) {
        double value = i != left_out ? value_on(r, number, names->name[i], k) : NAN;

        if (isnan(value) || (number->how == BYW_GEO && value <= 0.0))
            continue;
        sum += number->how == BYW_GEO ? log(value) : value;
        most = value > most ? value : most;
        least = value < least ? value : least;
        ++*used;
    }
    if (*used == 0)
        return NAN;
    switch (number->how) {
    case BYW_GEO:
        return exp(sum / (double)*used);
    case BYW_MEAN:
        return sum / (double)*used;
    case BYW_MAX:
        return most;
    case BYW_MIN:
        return least;
    }
    return NAN;
}

/* The number that `number` is relative to; NULL: none. */
static const struct byw_claim_number *base_of(const struct byw_reproduce *r,
                                              const struct byw_claim_number *number)
{
    for (size_t c = 0; number->relative_to != NULL && c < r->papers->claims; c++) {
        const struct byw_claim *claim = &r->papers->claim[c];

        for (size_t i = 0; strcmp(claim->id, number->id) == 0 && i < claim->numbers; i++)
            if (strcmp(claim->number[i].text, number->relative_to) == 0)
                return &claim->number[i];
    }
    return NULL;
}

static struct byw_spread spread_without(const struct byw_reproduce *r,
                                        const struct byw_claim_number *number,
                                        const struct byw_names *names, size_t left_out,
                                        size_t *used)
{
    const struct byw_claim_number *base = base_of(r, number);
    double value[BYW_REPEAT_MOST] = {NAN};
    unsigned count = byw_source_has_noise(&number->source) ? r->repeat : 1;

    for (unsigned k = 0; k < count; k++) {
        size_t base_used;

        value[k] = value_over(r, number, names, k, left_out, used);
        if (base != NULL)
            value[k] /= value_over(r, base, names, k, left_out, &base_used);
    }
    return byw_spread_of(value, count);
}

struct byw_spread byw_reproduce_spread(const struct byw_reproduce *reproduce,
                                       const struct byw_claim_number *number)
{
    double none = NAN;
    struct byw_names names;
    struct byw_spread spread;
    size_t used;

    if (byw_reproduce_names(reproduce, &number->of, &names, NULL) != BYW_OK)
        return byw_spread_of(&none, 1);
    spread = spread_without(reproduce, number, &names, SIZE_MAX, &used);
    byw_names_free(&names);
    return spread;
}

/* Whether leaving out a workload takes away more than half of the mean's effect. */
static bool makes_the_mean(const struct byw_claim_number *number, double value, double without)
{
    return (number->sense == BYW_UP || number->sense == BYW_DOWN) &&
           (number->how == BYW_GEO || number->how == BYW_MEAN) && log(without) / log(value) < 0.5;
}

struct byw_makeup byw_reproduce_makeup(const struct byw_reproduce *reproduce,
                                       const struct byw_claim_number *number)
{
    struct byw_makeup m = {.without = NAN};
    struct byw_names names;
    double value, least = INFINITY;
    size_t used;

    if (byw_reproduce_names(reproduce, &number->of, &names, NULL) != BYW_OK)
        return m;
    value = spread_without(reproduce, number, &names, SIZE_MAX, &m.used).mean;
    m.asked = names.count;
    for (size_t i = 0; m.used >= 3 && i < names.count; i++) {
        double without = spread_without(reproduce, number, &names, i, &used).mean;

        if (used == m.used || !makes_the_mean(number, value, without) ||
            log(without) / log(value) >= least)
            continue;
        least = log(without) / log(value);
        m.without = without;
        snprintf(m.workload, sizeof(m.workload), "%s", names.name[i]);
    }
    byw_names_free(&names);
    return m;
}

/* The share that the reference acts on (its metric `acts`), averaged over all workloads and
 * repetitions. */
static double share_of_reference(const struct byw_reproduce *r, const struct byw_claim_number *n)
{
    const struct byw_claim_number acts = {
        .id = n->id, .of = n->of, .how = BYW_MEAN, .metric = n->acts, .source = n->reference};

    return n->acts != NULL ? byw_reproduce_spread(r, &acts).mean : NAN;
}

/* --- missing runs ----------------------------------------------------------------------------- */

static bool is_there(const struct byw_reproduce *r, const struct byw_source *source,
                     const char *row, unsigned k)
{
    const char *id = byw_reproduce_run(r, source, row, k);
    char variant[BYW_VARIANT_ROOM];

    if (byw_source_is_run(source))
        return id == NULL || json_object_get(r->result, id) != NULL;
    byw_source_variant(r, source, k, variant);
    return !r->cut || json_object_get(json_object_get(r->made, variant),
                                      byw_source_workload(source, row)) != NULL;
}

/* Counts the runs of a source for a row, and how many of them are missing. */
static void count_gaps(const struct byw_reproduce *r, const struct byw_source *source,
                       const char *row, size_t *all, size_t *gaps, json_t *missing)
{
    for (unsigned k = 0; k < byw_source_repeats(r, source); k++) {
        char variant[BYW_VARIANT_ROOM], text[BYW_VARIANT_ROOM];

        ++*all;
        if (is_there(r, source, row, k))
            continue;
        ++*gaps;
        byw_source_variant(r, source, k, variant);
        byw_source_text(source, variant, text);
        if (missing != NULL)
            json_array_append_new(missing, json_sprintf("%s of %s", text, row));
    }
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
        for (size_t i = 0; source[v]->run != NULL && i < names.count; i++)
            count_gaps(reproduce, source[v], names.name[i], all, &count, missing);
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

/* Whether the run's trace is missing in the folder. */
static bool is_shipped(const struct byw_reproduce *r, const struct byw_source *source,
                       const char *row)
{
    const char *id = byw_reproduce_run(r, source, row, 0);
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

/* Whether a number is an average over workloads. */
static bool is_average(const struct byw_reproduce *r, const struct byw_claim_number *n)
{
    struct byw_names names;
    bool several;

    if ((n->how != BYW_GEO && n->how != BYW_MEAN) ||
        byw_reproduce_names(r, &n->of, &names, NULL) != BYW_OK)
        return false;
    several = names.count > 1;
    byw_names_free(&names);
    return several;
}

struct byw_judged byw_reproduce_judge_value(const struct byw_reproduce *reproduce,
                                            const struct byw_claim_number *number,
                                            struct byw_spread value, double acting)
{
    struct byw_judged j = {.value = value, .acting = acting};

    j.uncertainty = byw_verdict_uncertainty(&value, !byw_source_has_noise(&number->source),
                                            is_average(reproduce, number));
    j.verdict = byw_verdict_of(number, value.mean, j.uncertainty);
    if (acting < BYW_ACTING_LEAST && j.verdict != BYW_INCOMPLETE)
        j.verdict = BYW_UNDECIDED;
    return j;
}

struct byw_judged byw_reproduce_judge(const struct byw_reproduce *reproduce,
                                      const struct byw_claim_number *number)
{
    struct byw_judged j =
        byw_reproduce_judge_value(reproduce, number, byw_reproduce_spread(reproduce, number),
                                  share_of_reference(reproduce, number));
    size_t runs;

    if (byw_reproduce_gaps(reproduce, number, &runs, NULL) > 0)
        j.verdict = BYW_INCOMPLETE;
    return j;
}

void byw_reproduce_note(const struct byw_reproduce *reproduce,
                        const struct byw_claim_number *number, char text[BYW_NOTE_ROOM])
{
    struct byw_judged j = byw_reproduce_judge(reproduce, number);
    struct byw_makeup m = byw_reproduce_makeup(reproduce, number);
    size_t at = 0;

    text[0] = '\0';
    if (j.verdict == BYW_INCOMPLETE)
        return;
    if (!isnan(j.acting))
        at += (size_t)snprintf(text, BYW_NOTE_ROOM, "the reference acts on %.1f %%%s",
                               100.0 * j.acting,
                               j.acting < BYW_ACTING_LEAST ? ", so it decides nothing" : "");
    if (m.used > 0 && m.used < m.asked)
        at += (size_t)snprintf(text + at, BYW_NOTE_ROOM - at, "%s%zu of %zu workloads have a value",
                               at > 0 ? "; " : "", m.used, m.asked);
    if (!isnan(m.without) && (j.verdict == BYW_REPRODUCED || j.verdict == BYW_PARTLY))
        snprintf(text + at, BYW_NOTE_ROOM - at, "%sone workload makes it: %.3f without %s",
                 at > 0 ? "; " : "", m.without, m.workload);
}

enum byw_verdict byw_reproduce_verdict(const struct byw_reproduce *reproduce,
                                       const struct byw_claim *claim)
{
    size_t count[BYW_VERDICTS] = {0};

    for (size_t i = 0; i < claim->numbers; i++)
        count[byw_reproduce_judge(reproduce, &claim->number[i]).verdict]++;
    return byw_verdict_of_all(count);
}

bool byw_reproduce_explains(enum byw_verdict verdict, const struct byw_claim *claim)
{
    return verdict != BYW_REPRODUCED && verdict != BYW_INCOMPLETE && claim->reason[0] != '\0';
}
