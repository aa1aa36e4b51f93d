/* SPDX-License-Identifier: Apache-2.0 */
#include "study/byw_reproduce.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "study/byw_paper.h"

enum { VARIANT_ROOM = 512, COLUMNS = 16 };

/* A configuration, and the workloads it is asked for; a grid of the plan. */
struct variant {
    char *text; /* "fermi/bl l1d.sets=64" */
    char *workloads;
};

struct byw_reproduce {
    const struct byw_places *places;
    const char *paper, *figure;
    struct variant *variant;
    size_t variants;
    struct byw_plan *plan;
    json_t *result; /* by run id */
    json_t *copies; /* results that figures show under their own names */
};

static enum byw_status no_memory(struct byw_diag *diag)
{
    return byw_diag_set(diag, BYW_ENOMEM, "no memory for the claims");
}

/* --- what is asked for ----------------------------------------------------------------------- */

bool byw_reproduce_has_claim(const struct byw_reproduce *reproduce, const struct byw_claim *claim)
{
    return reproduce->figure == NULL &&
           (strcmp(reproduce->paper, "all") == 0 || strcmp(reproduce->paper, claim->paper) == 0);
}

bool byw_reproduce_has_figure(const struct byw_reproduce *reproduce,
                              const struct byw_figure *figure)
{
    if (reproduce->figure != NULL)
        return strcmp(reproduce->figure, figure->id) == 0;
    return strcmp(reproduce->paper, "all") == 0 || strcmp(reproduce->paper, figure->paper) == 0;
}

/* Splits "fermi/bl workload=nw l1d.sets=64" into the configuration and a workload of its own. */
static void split(const char *text, char config[VARIANT_ROOM], char own[VARIANT_ROOM])
{
    char copy[VARIANT_ROOM];
    char *rest = copy, *word;

    snprintf(copy, sizeof(copy), "%s", text);
    config[0] = own[0] = '\0';
    while ((word = strsep(&rest, " ")) != NULL) {
        size_t used = strlen(config);

        if (strncmp(word, "workload=", 9) == 0)
            snprintf(own, VARIANT_ROOM, "%s", word + 9);
        else if (*word != '\0')
            snprintf(config + used, VARIANT_ROOM - used, "%s%s", used > 0 ? " " : "", word);
    }
}

static size_t find_variant(const struct byw_reproduce *r, const char *config)
{
    size_t i = 0;

    while (i < r->variants && strcmp(r->variant[i].text, config) != 0)
        i++;
    return i;
}

/* Notes that a configuration is wanted on some workloads. */
static enum byw_status want(struct byw_reproduce *r, const char *text, const char *workloads,
                            struct byw_diag *diag)
{
    char config[VARIANT_ROOM], own[VARIANT_ROOM];
    char *more = NULL;
    size_t i;

    split(text, config, own);
    i = find_variant(r, config);
    if (i == r->variants) {
        struct variant *grown = realloc(r->variant, (i + 1) * sizeof(*grown));

        if (grown == NULL)
            return no_memory(diag);
        r->variant = grown;
        r->variant[r->variants++] = (struct variant){.text = strdup(config)};
        if (r->variant[i].text == NULL)
            return no_memory(diag);
    }
    if (asprintf(&more, "%s%s%s", r->variant[i].workloads != NULL ? r->variant[i].workloads : "",
                 r->variant[i].workloads != NULL ? "," : "", own[0] != '\0' ? own : workloads) < 0)
        return no_memory(diag);
    free(r->variant[i].workloads);
    r->variant[i].workloads = more;
    return BYW_OK;
}

/* The next "NAME: MACHINE/POLICY ..." of a figure; NULL after the last.  *config points into it. */
static char *next_variant(char **rest, char **config)
{
    char *name = strsep(rest, ";");
    char *colon = name != NULL ? strchr(name, ':') : NULL;

    if (colon == NULL)
        return NULL;
    *colon = '\0';
    *config = colon + 1 + strspn(colon + 1, " ");
    return name + strspn(name, " ");
}

static enum byw_status want_figure(struct byw_reproduce *r, const struct byw_figure *figure,
                                   struct byw_diag *diag)
{
    char *copy = strdup(figure->variants), *rest = copy, *config;
    enum byw_status st = copy != NULL ? BYW_OK : no_memory(diag);

    while (st == BYW_OK && next_variant(&rest, &config) != NULL)
        st = want(r, config, figure->workloads, diag);
    free(copy);
    return st;
}

static enum byw_status want_all(struct byw_reproduce *r, struct byw_diag *diag)
{
    enum byw_status st = BYW_OK;

    for (size_t c = 0; st == BYW_OK && c < byw_claim_count(); c++)
        for (size_t i = 0; st == BYW_OK && i < byw_claim_number_count(); i++) {
            const struct byw_claim_number *n = byw_claim_number(i);

            if (!byw_reproduce_has_claim(r, byw_claim(c)) || strcmp(n->id, byw_claim(c)->id) != 0)
                continue;
            st = want(r, n->variant, n->workloads, diag);
            if (st == BYW_OK && n->reference[0] != '\0')
                st = want(r, n->reference, n->workloads, diag);
        }
    for (size_t i = 0; st == BYW_OK && i < byw_figure_count(); i++)
        if (byw_reproduce_has_figure(r, byw_figure(i)))
            st = want_figure(r, byw_figure(i), diag);
    return st;
}

/* One grid of the plan. */
static enum byw_status add_grid(struct byw_reproduce *r, const struct variant *v,
                                struct byw_diag *diag)
{
    char copy[VARIANT_ROOM];
    char *rest = copy, *machine, *policy, *word;
    enum byw_status st;

    snprintf(copy, sizeof(copy), "%s", v->text);
    policy = strsep(&rest, " ");
    machine = strsep(&policy, "/");
    st = byw_plan_add(r->plan, "machines", machine, v->text, diag);
    if (st == BYW_OK)
        st = byw_plan_add(r->plan, "policies", policy != NULL ? policy : "", v->text, diag);
    if (st == BYW_OK)
        st = byw_plan_add(r->plan, "workloads", v->workloads, v->text, diag);
    while (st == BYW_OK && (word = strsep(&rest, " ")) != NULL) {
        char *key = strsep(&word, "=");

        st = byw_plan_add(r->plan, key, word != NULL ? word : "", v->text, diag);
    }
    return st;
}

static enum byw_status make_plan(struct byw_reproduce *r, const char *traces, struct byw_diag *diag)
{
    enum byw_status st = byw_plan_create(&r->plan, diag);

    for (size_t i = 0; st == BYW_OK && i < r->variants; i++) {
        if (i > 0)
            st = byw_plan_next(r->plan, diag);
        if (st == BYW_OK)
            st = add_grid(r, &r->variant[i], diag);
    }
    if (st != BYW_OK)
        return st;
    if (traces != NULL)
        byw_plan_trace_folder(r->plan, traces);
    return byw_plan_prepare(r->plan, r->places, diag);
}

static enum byw_status check_names(const struct byw_reproduce *r, struct byw_diag *diag)
{
    bool paper = strcmp(r->paper, "all") == 0, figure = r->figure == NULL;

    for (size_t i = 0; i < byw_paper_count(); i++)
        paper = paper || strcmp(byw_paper(i)->number, r->paper) == 0;
    for (size_t i = 0; i < byw_figure_count(); i++)
        figure = figure || strcmp(byw_figure(i)->id, r->figure) == 0;
    if (!paper)
        return byw_diag_set(diag, BYW_ENOENT,
                            "no paper '%s'; expected all or a number that byway list papers shows",
                            r->paper);
    if (!figure)
        return byw_diag_set(diag, BYW_ENOENT, "no figure '%s'; byway reproduce --help lists them",
                            r->figure);
    return BYW_OK;
}

enum byw_status byw_reproduce_create(const struct byw_places *places, const char *paper,
                                     const char *figure, const char *traces,
                                     struct byw_reproduce **reproduce, struct byw_diag *diag)
{
    struct byw_reproduce *r = calloc(1, sizeof(*r));
    enum byw_status st;

    if (r == NULL)
        return no_memory(diag);
    r->places = places;
    r->paper = paper;
    r->figure = figure;
    r->result = json_object();
    r->copies = json_array();
    st = r->result != NULL && r->copies != NULL ? check_names(r, diag) : no_memory(diag);
    if (st == BYW_OK)
        st = want_all(r, diag);
    if (st == BYW_OK && r->variants == 0)
        st = byw_diag_set(diag, BYW_ENOENT,
                          "paper %s: nothing of it is made by runs here (cmodel/study/claims.def)",
                          paper);
    if (st == BYW_OK)
        st = make_plan(r, traces, diag);
    if (st != BYW_OK)
        byw_reproduce_free(r);
    else
        *reproduce = r;
    return st;
}

void byw_reproduce_free(struct byw_reproduce *reproduce)
{
    if (reproduce == NULL)
        return;
    for (size_t i = 0; i < reproduce->variants; i++) {
        free(reproduce->variant[i].text);
        free(reproduce->variant[i].workloads);
    }
    free(reproduce->variant);
    byw_plan_free(reproduce->plan);
    json_decref(reproduce->result);
    json_decref(reproduce->copies);
    free(reproduce);
}

const struct byw_plan *byw_reproduce_plan(const struct byw_reproduce *reproduce)
{
    return reproduce->plan;
}

/* --- results --------------------------------------------------------------------------------- */

enum byw_status byw_reproduce_load(struct byw_reproduce *reproduce, const struct byw_store *store,
                                   struct byw_diag *diag)
{
    enum byw_status st = BYW_OK;

    for (size_t i = 0; st == BYW_OK && i < byw_plan_count(reproduce->plan); i++) {
        const char *id = byw_plan_point(reproduce->plan, i)->id;
        json_t *result = NULL;

        st = byw_store_get(store, id, &result, diag);
        if (st != BYW_OK)
            break;
        json_object_del(result, "per_sm"); /* most of it, and not needed */
        json_object_del(result, "per_kernel");
        json_object_set_new(reproduce->result, id, result);
    }
    return st;
}

/* Borrowed; NULL: not run or refused. */
static json_t *result_of(const struct byw_reproduce *r, const char *text, const char *workload)
{
    char config[VARIANT_ROOM], own[VARIANT_ROOM];
    const char *id;
    json_t *result;

    split(text, config, own);
    id = byw_plan_id(r->plan, find_variant(r, config), own[0] != '\0' ? own : workload);
    result = id != NULL ? json_object_get(r->result, id) : NULL;
    return result != NULL && byw_result_refused(result) == NULL ? result : NULL;
}

/* The number of one workload; NaN when there is none. */
static double value_on(const struct byw_reproduce *r, const struct byw_claim_number *n,
                       const char *workload)
{
    const json_t *result = result_of(r, n->variant, workload);
    double value = result != NULL ? byw_metric_of(result, n->metric) : NAN, base;

    if (n->reference[0] == '\0')
        return value;
    result = result_of(r, n->reference, workload);
    base = result != NULL ? byw_metric_of(result, n->metric) : NAN;
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

    if (byw_workloads_select(reproduce->places, number->workloads, &names, NULL) != BYW_OK)
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

enum byw_verdict byw_reproduce_verdict(const struct byw_reproduce *reproduce,
                                       const struct byw_claim *claim)
{
    size_t all = 0, good = 0;

    for (size_t i = 0; i < byw_claim_number_count(); i++) {
        const struct byw_claim_number *n = byw_claim_number(i);

        if (strcmp(n->id, claim->id) != 0)
            continue;
        all++;
        good += byw_claim_holds(n, byw_reproduce_value(reproduce, n));
    }
    return good == 0 ? BYW_NOT : good == all ? BYW_REPRODUCED : BYW_PARTLY;
}

/* --- figures --------------------------------------------------------------------------------- */

/* A result under the figure's name for its variant; borrowed from the copies. */
static json_t *shown(struct byw_reproduce *r, const char *name, const char *text,
                     const char *workload)
{
    json_t *result = result_of(r, text, workload), *config;

    if (result == NULL) {
        const struct byw_run_names names = {.workload = workload, .machine = "", .policy = name};
        struct byw_config defaults;

        byw_config_defaults(&defaults);
        result = byw_result_refusal(&names, &defaults, "the machine or the policy refuses it");
    } else {
        result = json_copy(result);
    }
    config = json_copy(json_object_get(result, "config"));
    if (result == NULL || config == NULL) {
        json_decref(result);
        return NULL;
    }
    json_object_set_new(config, "policy.title", json_string(name));
    json_object_set_new(result, "config", config);
    json_object_set_new(result, "policy", json_string(name));
    return json_array_append_new(r->copies, result) == 0 ? result : NULL;
}

enum byw_status byw_reproduce_figure(struct byw_reproduce *reproduce,
                                     const struct byw_figure *figure, struct byw_compare **compare,
                                     struct byw_diag *diag)
{
    char *name[COLUMNS], *config[COLUMNS];
    char *copy = strdup(figure->variants), *rest = copy;
    struct byw_names names = {.count = 0};
    json_t **results = NULL;
    size_t columns = 0;
    bool good = copy != NULL;
    enum byw_status st = byw_workloads_select(reproduce->places, figure->workloads, &names, diag);

    while (good && columns < COLUMNS &&
           (name[columns] = next_variant(&rest, &config[columns])) != NULL)
        columns++;
    if (st == BYW_OK)
        results = calloc(names.count * columns + 1, sizeof(json_t *));
    good = good && results != NULL;
    for (size_t i = 0; good && i < names.count * columns; i++) {
        results[i] =
            shown(reproduce, name[i % columns], config[i % columns], names.name[i / columns]);
        good = results[i] != NULL;
    }
    if (st == BYW_OK)
        st = good ? byw_compare_create(results, names.count, columns, compare, diag)
                  : no_memory(diag);
    free(results);
    free(copy);
    byw_names_free(&names);
    return st;
}
