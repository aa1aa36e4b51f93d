/* SPDX-License-Identifier: Apache-2.0 */
#include "study/papers/byw_reproduce.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "study/job/byw_workload.h"
#include "study/papers/byw_figure.h"
#include "study/papers/byw_paper.h"
#include "study/papers/byw_reproduce_more.h"

static enum byw_status no_memory(struct byw_diag *diag)
{
    return byw_diag_set(diag, BYW_ENOMEM, "no memory for the claims");
}

/* --- what is asked for ----------------------------------------------------------------------- */

static bool has_paper(const struct byw_reproduce *r, const char *number)
{
    size_t len = strlen(number);

    if (strcmp(r->paper, "all") == 0)
        return true;
    for (const char *at = r->paper; at != NULL; at = strchr(at, ',')) {
        at += *at == ',';
        if (strcspn(at, ",") == len && strncmp(at, number, len) == 0)
            return true;
    }
    return false;
}

bool byw_reproduce_has_claim(const struct byw_reproduce *reproduce, const struct byw_claim *claim)
{
    return reproduce->figure == NULL && has_paper(reproduce, claim->paper);
}

bool byw_reproduce_has_figure(const struct byw_reproduce *reproduce,
                              const struct byw_figure *figure)
{
    if (reproduce->claims)
        return false;
    if (reproduce->figure != NULL)
        return strcmp(reproduce->figure, figure->id) == 0;
    return has_paper(reproduce, figure->paper);
}

void byw_variant_split(const char *text, struct byw_variant_parts *parts)
{
    char copy[BYW_VARIANT_ROOM];
    char *rest = copy, *word;

    snprintf(copy, sizeof(copy), "%s", text);
    parts->config[0] = parts->workload[0] = parts->metric[0] = '\0';
    while ((word = strsep(&rest, " ")) != NULL) {
        size_t used = strlen(parts->config);

        if (strncmp(word, "workload=", 9) == 0)
            strcpy(parts->workload, word + 9);
        else if (strncmp(word, "metric=", 7) == 0)
            strcpy(parts->metric, word + 7);
        else if (*word != '\0')
            snprintf(parts->config + used, BYW_VARIANT_ROOM - used, "%s%s", used > 0 ? " " : "",
                     word);
    }
}

bool byw_variant_is_run(const char *config)
{
    return strcspn(config, "/") < strcspn(config, " ");
}

static size_t find_variant(const struct byw_variant *list, size_t count, const char *config)
{
    size_t i = 0;

    while (i < count && strcmp(list[i].text, config) != 0)
        i++;
    return i;
}

static enum byw_status add_variant(struct byw_variant **list, size_t *count, const char *config,
                                   const char *workloads, struct byw_diag *diag)
{
    size_t i = find_variant(*list, *count, config);
    char *more = NULL;

    if (i == *count) {
        struct byw_variant *grown = realloc(*list, (i + 1) * sizeof(*grown));

        if (grown == NULL)
            return no_memory(diag);
        *list = grown;
        grown[(*count)++] = (struct byw_variant){.text = strdup(config)};
        if (grown[i].text == NULL)
            return no_memory(diag);
    }
    if (asprintf(&more, "%s%s%s", (*list)[i].workloads != NULL ? (*list)[i].workloads : "",
                 (*list)[i].workloads != NULL ? "," : "", workloads) < 0)
        return no_memory(diag);
    free((*list)[i].workloads);
    (*list)[i].workloads = more;
    return BYW_OK;
}

/* Notes that a variant is wanted on some workloads. */
static enum byw_status want(struct byw_reproduce *r, const char *text, const char *workloads,
                            struct byw_diag *diag)
{
    struct byw_variant_parts parts;

    byw_variant_split(text, &parts);
    if (parts.workload[0] != '\0')
        workloads = parts.workload;
    return byw_variant_is_run(parts.config)
               ? add_variant(&r->variant, &r->variants, parts.config, workloads, diag)
               : add_variant(&r->other, &r->others, parts.config, workloads, diag);
}

static enum byw_status want_figure(struct byw_reproduce *r, const struct byw_figure *figure,
                                   struct byw_diag *diag)
{
    char *copy = strdup(figure->columns), *rest = copy, *name, *config;
    enum byw_status st = copy != NULL ? BYW_OK : no_memory(diag);

    while (st == BYW_OK && byw_figure_next(&rest, &name, &config))
        st = want(r, config, figure->rows, diag);
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
static enum byw_status add_grid(struct byw_reproduce *r, const struct byw_variant *v,
                                struct byw_diag *diag)
{
    char copy[BYW_VARIANT_ROOM];
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

static enum byw_status make_plan(struct byw_reproduce *r, struct byw_diag *diag)
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
    if (r->traces != NULL)
        byw_plan_trace_folder(r->plan, r->traces);
    return byw_plan_prepare(r->plan, r->places, diag);
}

static enum byw_status check_names(const struct byw_reproduce *r, struct byw_diag *diag)
{
    bool figure = r->figure == NULL;
    size_t named = 1, known = 0;

    for (const char *at = r->paper; (at = strchr(at, ',')) != NULL; at++)
        named++;
    for (size_t i = 0; i < byw_paper_count(); i++)
        known += has_paper(r, byw_paper(i)->number);
    for (size_t i = 0; i < byw_figure_count(); i++)
        figure = figure || strcmp(byw_figure(i)->id, r->figure) == 0;
    if (known < named)
        return byw_diag_set(
            diag, BYW_ENOENT,
            "no paper '%s'; expected all, or numbers that byway list papers shows, as in 000,001",
            r->paper);
    if (!figure)
        return byw_diag_set(diag, BYW_ENOENT, "no figure '%s'; byway reproduce --help lists them",
                            r->figure);
    return BYW_OK;
}

enum byw_status byw_reproduce_create(const struct byw_places *places,
                                     const struct byw_reproduce_request *request,
                                     struct byw_reproduce **reproduce, struct byw_diag *diag)
{
    struct byw_reproduce *r = calloc(1, sizeof(*r));
    enum byw_status st;

    if (r == NULL)
        return no_memory(diag);
    r->places = places;
    r->paper = request->paper;
    r->figure = request->figure;
    r->traces = request->traces;
    r->size = request->size;
    r->claims = request->claims;
    r->result = json_object();
    r->made = json_object();
    st = r->result != NULL && r->made != NULL ? check_names(r, diag) : no_memory(diag);
    if (st == BYW_OK)
        st = want_all(r, diag);
    if (st == BYW_OK && r->variants > 0)
        st = make_plan(r, diag);
    if (st != BYW_OK)
        byw_reproduce_free(r);
    else
        *reproduce = r;
    return st;
}

static void free_variants(struct byw_variant *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free(list[i].text);
        free(list[i].workloads);
    }
    free(list);
}

void byw_reproduce_free(struct byw_reproduce *reproduce)
{
    if (reproduce == NULL)
        return;
    free_variants(reproduce->variant, reproduce->variants);
    free_variants(reproduce->other, reproduce->others);
    byw_plan_free(reproduce->plan);
    json_decref(reproduce->result);
    json_decref(reproduce->made);
    free(reproduce);
}

const struct byw_plan *byw_reproduce_plan(const struct byw_reproduce *reproduce)
{
    return reproduce->plan;
}

static bool list_has(const struct byw_names *names, const char *name)
{
    for (size_t i = 0; i < names->count; i++)
        if (strcmp(names->name[i], name) == 0)
            return true;
    return false;
}

static enum byw_status list_add(struct byw_names *names, const char *name, struct byw_diag *diag)
{
    char **grown;

    if (list_has(names, name))
        return BYW_OK;
    grown = realloc(names->name, (names->count + 1) * sizeof(char *));
    if (grown == NULL)
        return no_memory(diag);
    names->name = grown;
    grown[names->count] = strdup(name);
    if (grown[names->count] == NULL)
        return no_memory(diag);
    names->count++;
    return BYW_OK;
}

/* Of what is no run of the plan; its traces have warps of 32. */
static enum byw_status list_other(const struct byw_reproduce *r, const struct byw_variant *v,
                                  struct byw_names *names, struct byw_diag *diag)
{
    struct byw_names more;
    const char *name;
    enum byw_status st = BYW_OK;

    if (strcmp(v->text, "costs") == 0)
        return BYW_OK;
    if (strcmp(v->text, "mpache") == 0) {
        for (size_t i = 0; st == BYW_OK && (name = byw_more_mpache_workload(i)) != NULL; i++)
            st = list_add(names, name, diag);
        return st;
    }
    st = byw_reproduce_names(r, v->workloads, &more, diag);
    for (size_t i = 0; st == BYW_OK && i < more.count; i++)
        st = list_add(names, more.name[i], diag);
    byw_names_free(&more);
    return st;
}

enum byw_status byw_reproduce_workloads(const struct byw_reproduce *reproduce, uint32_t lanes,
                                        struct byw_names *names, struct byw_diag *diag)
{
    size_t count = reproduce->plan != NULL ? byw_plan_count(reproduce->plan) : 0;
    enum byw_status st = BYW_OK;

    *names = (struct byw_names){.count = 0};
    for (size_t i = 0; st == BYW_OK && i < count; i++) {
        const struct byw_job *job = &byw_plan_point(reproduce->plan, i)->job;

        if (job->config->sm_lanes == lanes)
            st = list_add(names, job->workload, diag);
    }
    for (size_t i = 0; st == BYW_OK && lanes == 32 && i < reproduce->others; i++)
        st = list_other(reproduce, &reproduce->other[i], names, diag);
    if (st != BYW_OK)
        byw_names_free(names);
    return st;
}

/* --- results --------------------------------------------------------------------------------- */

enum byw_status byw_reproduce_load(struct byw_reproduce *reproduce, const struct byw_store *store,
                                   struct byw_diag *diag)
{
    enum byw_status st = BYW_OK;

    for (size_t i = 0;
         reproduce->plan != NULL && st == BYW_OK && i < byw_plan_count(reproduce->plan); i++) {
        const char *id = byw_plan_point(reproduce->plan, i)->id;
        json_t *result = NULL;

        if (!byw_store_has(store, id))
            continue;
        st = byw_store_get(store, id, &result, diag);
        if (st != BYW_OK)
            break;
        json_object_del(result, "per_sm"); /* most of it, and not needed */
        json_object_del(result, "per_kernel");
        json_object_set_new(reproduce->result, id, result);
    }
    return st;
}

static const char *id_of(const struct byw_reproduce *r, const char *config, const char *workload)
{
    return byw_variant_is_run(config) && r->plan != NULL
               ? byw_plan_id(r->plan, find_variant(r->variant, r->variants, config), workload)
               : NULL;
}

const char *byw_reproduce_run(const struct byw_reproduce *r, const char *variant,
                              const char *workload)
{
    struct byw_variant_parts parts;

    byw_variant_split(variant, &parts);
    return id_of(r, parts.config, parts.workload[0] != '\0' ? parts.workload : workload);
}

/* Borrowed; NULL: not made or refused. */
static json_t *result_of(const struct byw_reproduce *r, const char *config, const char *workload)
{
    const char *id;
    json_t *result;

    if (!byw_variant_is_run(config))
        return json_object_get(json_object_get(r->made, config), workload);
    id = id_of(r, config, workload);
    result = id != NULL ? json_object_get(r->result, id) : NULL;
    return result != NULL && byw_result_refused(result) == NULL ? result : NULL;
}

double byw_reproduce_metric(const struct byw_reproduce *r, const char *variant,
                            const char *workload, const char *metric)
{
    struct byw_variant_parts parts;
    char text[2 * BYW_VARIANT_ROOM];
    const json_t *result;

    byw_variant_split(variant, &parts);
    result = result_of(r, parts.config, parts.workload[0] != '\0' ? parts.workload : workload);
    snprintf(text, sizeof(text), "%s%s",
             parts.metric[0] != '\0' && parts.metric[0] != '.' ? "" : metric, parts.metric);
    return result != NULL ? byw_metric_of(result, text) : NAN;
}

/* The number of one workload; NaN when there is none. */
static double value_on(const struct byw_reproduce *r, const struct byw_claim_number *n,
                       const char *workload)
{
    double value = byw_reproduce_metric(r, n->variant, workload, n->metric), base;

    if (n->reference[0] == '\0')
        return value;
    base = byw_reproduce_metric(r, n->reference, workload, n->metric);
    if (base == 0.0)
        return value == 0.0 ? 1.0 : NAN;
    return value / base;
}

enum byw_status byw_reproduce_names(const struct byw_reproduce *r, const char *selection,
                                    struct byw_names *names, struct byw_diag *diag)
{
    char *copy, *rest, *word;

    if (selection[0] < 'A' || selection[0] > 'Z')
        return byw_workloads_select(r->places, selection, names, diag);
    copy = rest = strdup(selection); /* kernels of the Mpache paper: SPV,LBM */
    *names = (struct byw_names){.name = calloc(strlen(selection) + 1, sizeof(char *))};
    while (copy != NULL && names->name != NULL && (word = strsep(&rest, ",")) != NULL) {
        names->name[names->count] = strdup(word);
        names->count += names->name[names->count] != NULL;
    }
    free(copy);
    return names->count > 0 ? BYW_OK : no_memory(diag);
}

double byw_reproduce_value(const struct byw_reproduce *reproduce,
                           const struct byw_claim_number *number)
{
    struct byw_names names;
    double sum = 0.0, most = -INFINITY, least = INFINITY;
    size_t n = 0;

    if (byw_reproduce_names(reproduce, number->workloads, &names, NULL) != BYW_OK)
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
    size_t all = 0, good = 0, runs;

    for (size_t i = 0; i < byw_claim_number_count(); i++) {
        const struct byw_claim_number *n = byw_claim_number(i);

        if (strcmp(n->id, claim->id) != 0)
            continue;
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
