/* SPDX-License-Identifier: Apache-2.0 */
#include "study/papers/byw_reproduce.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/byw_array.h"
#include "study/job/byw_workload.h"
#include "study/papers/byw_reproduce_state.h"

/* --- the request ----------------------------------------------------------------------------- */

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
    if (reproduce->claim != NULL)
        return strcmp(reproduce->claim, claim->id) == 0;
    return reproduce->figure == NULL && has_paper(reproduce, claim->paper);
}

bool byw_reproduce_has_figure(const struct byw_reproduce *reproduce,
                              const struct byw_figure *figure)
{
    if (reproduce->claims || reproduce->claim != NULL)
        return false;
    if (reproduce->figure != NULL)
        return strcmp(reproduce->figure, figure->id) == 0;
    return has_paper(reproduce, figure->paper);
}

bool byw_source_is_run(const struct byw_source *source)
{
    return strcspn(source->run, "/") < strcspn(source->run, " ");
}

bool byw_source_has_noise(const struct byw_source *source)
{
    return strcmp(source->run, "trace") != 0 && strcmp(source->run, "costs") != 0;
}

unsigned byw_source_repeats(const struct byw_reproduce *r, const struct byw_source *source)
{
    return byw_source_has_noise(source) ? r->repeat : 1;
}

void byw_source_variant(const struct byw_reproduce *r, const struct byw_source *source, unsigned k,
                        char text[BYW_VARIANT_ROOM])
{
    char seed[32] = "";

    if (byw_source_repeats(r, source) > 1)
        snprintf(seed, sizeof(seed), " noise.seed=%u", k + 1);
    snprintf(text, BYW_VARIANT_ROOM, "%s%s%s", source->run,
             byw_source_has_noise(source) ? r->settings : "", seed);
}

void byw_source_text(const struct byw_source *source, const char *variant,
                     char text[BYW_VARIANT_ROOM])
{
    const char *w = source->workload, *m = source->metric;

    snprintf(text, BYW_VARIANT_ROOM, "%s%s%s%s%s", variant, w != NULL ? " workload=" : "",
             w != NULL ? w : "", m != NULL ? " metric=" : "", m != NULL ? m : "");
}

const char *byw_source_workload(const struct byw_source *source, const char *row)
{
    return source->workload != NULL ? source->workload : row;
}

static size_t find_variant(const struct byw_variants *list, const char *config)
{
    size_t i = 0;

    while (i < list->count && strcmp(list->item[i].text, config) != 0)
        i++;
    return i;
}

static enum byw_status add_variant(struct byw_variants *list, const char *variant,
                                   const char *workloads, struct byw_diag *diag)
{
    size_t i = find_variant(list, variant);
    char *more = NULL, *had;

    if (i == list->count) {
        if (!BYW_ARRAY_ROOM(list->item, list->room, i + 1))
            return byw_no_memory(diag, "the claims");
        list->item[list->count++] = (struct byw_variant){.text = strdup(variant)};
    }
    had = list->item[i].workloads;
    if (list->item[i].text == NULL ||
        asprintf(&more, "%s%s%s", had != NULL ? had : "", had != NULL ? "," : "", workloads) < 0)
        return byw_no_memory(diag, "the claims");
    free(had);
    list->item[i].workloads = more;
    return BYW_OK;
}

enum byw_status byw_variant_read(const struct byw_reproduce *r, char *text, const char *name[2],
                                 struct byw_config *config, struct byw_diag *diag)
{
    const char *setting[16];
    size_t settings = 0;
    char *rest = text, *word;

    word = strsep(&rest, " ");
    name[0] = strsep(&word, "/");
    name[1] = word != NULL ? word : "";
    while (settings < sizeof(setting) / sizeof(setting[0]) && (word = strsep(&rest, " ")) != NULL)
        setting[settings++] = word;
    return byw_setup_read(r->places, name[0], name[1], setting, settings, config, diag);
}

/* Checks the names of machine, policy, keys and workloads; errors name file and line. */
static enum byw_status check_source(const struct byw_reproduce *r, const struct byw_source *source,
                                    const char *variant, const char *workloads,
                                    struct byw_diag *diag)
{
    struct byw_diag inner = {""};
    struct byw_names names = {0};
    enum byw_status st = byw_workloads_select(r->places, workloads, &names, &inner);

    byw_names_free(&names);
    if (st == BYW_OK && r->repeat > 1 && strstr(source->run, "noise.seed=") != NULL)
        st = byw_diag_set(&inner, BYW_EINVAL,
                          "the run sets noise.seed, which --repeat sets; expected one of them");
    if (st == BYW_OK && find_variant(&r->runs, variant) == r->runs.count) {
        struct byw_config config;
        char text[BYW_VARIANT_ROOM];
        const char *name[2];

        snprintf(text, sizeof(text), "%s", variant);
        st = byw_variant_read(r, text, name, &config, &inner);
    }
    return st == BYW_OK ? st : byw_diag_set(diag, st, "%s: %.900s", source->where, inner.text);
}

/* Records that a source is needed for some rows. */
static enum byw_status want(struct byw_reproduce *r, const struct byw_source *source,
                            const struct byw_selection *rows, struct byw_diag *diag)
{
    const char *workloads = byw_source_workload(source, rows->list);
    bool is_run = byw_source_is_run(source);
    enum byw_status st = BYW_OK;

    for (unsigned k = 0; st == BYW_OK && k < byw_source_repeats(r, source); k++) {
        char variant[BYW_VARIANT_ROOM];

        byw_source_variant(r, source, k, variant);
        if (is_run)
            st = check_source(r, source, variant, workloads, diag);
        if (st == BYW_OK)
            st = add_variant(is_run ? &r->runs : &r->others, variant, workloads, diag);
    }
    return st;
}

static enum byw_status want_claim(struct byw_reproduce *r, const struct byw_claim *claim,
                                  struct byw_diag *diag)
{
    enum byw_status st = BYW_OK;

    for (size_t i = 0; st == BYW_OK && i < claim->numbers; i++) {
        const struct byw_claim_number *n = &claim->number[i];

        st = want(r, &n->source, &n->of, diag);
        if (st == BYW_OK && n->reference.run != NULL)
            st = want(r, &n->reference, &n->of, diag);
    }
    return st;
}

/* Checks that the figure has the rows of the paper's numbers. */
static enum byw_status check_points(const struct byw_reproduce *r, const struct byw_figure *figure,
                                    struct byw_diag *diag)
{
    struct byw_names names;
    enum byw_status st = byw_reproduce_names(r, &figure->of, &names, diag);

    for (size_t c = 0; st == BYW_OK && c < figure->columns; c++)
        for (size_t p = 0; p < figure->column[c].points && figure->rows == 0; p++) {
            const char *row = figure->column[c].point[p].row;

            if (strcmp(row, "mean") != 0 && !byw_names_have(&names, row))
                st = byw_diag_set(diag, BYW_EFORMAT, "%s: [figure %s] has no row '%s'",
                                  figure->column[c].source.where, figure->id, row);
        }
    byw_names_free(&names);
    return st;
}

static enum byw_status want_figure(struct byw_reproduce *r, const struct byw_figure *figure,
                                   struct byw_diag *diag)
{
    enum byw_status st = check_points(r, figure, diag);

    for (size_t c = 0; st == BYW_OK && c < figure->columns; c++)
        st = want(r, &figure->column[c].source, &figure->of, diag);
    return st;
}

static enum byw_status want_all(struct byw_reproduce *r, struct byw_diag *diag)
{
    enum byw_status st = BYW_OK;

    for (size_t i = 0; st == BYW_OK && i < r->papers->claims; i++)
        if (byw_reproduce_has_claim(r, &r->papers->claim[i]))
            st = want_claim(r, &r->papers->claim[i], diag);
    for (size_t i = 0; st == BYW_OK && i < r->papers->figures; i++)
        if (byw_reproduce_has_figure(r, &r->papers->figure[i]))
            st = want_figure(r, &r->papers->figure[i], diag);
    return st;
}

/* Whether a key is set again in the rest of a list of settings; NULL: empty rest. */
static bool set_again(const char *key, const char *rest)
{
    size_t length = strlen(key);

    for (; rest != NULL && *rest != '\0'; rest += strcspn(rest, " "), rest += strspn(rest, " "))
        if (strncmp(rest, key, length) == 0 && rest[length] == '=')
            return true;
    return false;
}

/* Adds one grid to the plan. The last value of a key wins. */
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

        if (!set_again(key, rest))
            st = byw_plan_add(r->plan, key, word != NULL ? word : "", v->text, diag);
    }
    return st;
}

static enum byw_status make_plan(struct byw_reproduce *r, struct byw_diag *diag)
{
    enum byw_status st = byw_plan_create(&r->plan, diag);

    for (size_t i = 0; st == BYW_OK && i < r->runs.count; i++) {
        if (i > 0)
            st = byw_plan_next(r->plan, diag);
        if (st == BYW_OK)
            st = add_grid(r, &r->runs.item[i], diag);
    }
    if (st != BYW_OK)
        return st;
    if (r->traces != NULL)
        byw_plan_trace_folder(r->plan, r->traces);
    return byw_plan_prepare(r->plan, r->places, diag);
}

static bool has_record(const struct byw_papers *papers, const char *figure, const char *claim)
{
    for (size_t i = 0; figure != NULL && i < papers->figures; i++)
        if (strcmp(papers->figure[i].id, figure) == 0)
            return true;
    for (size_t i = 0; claim != NULL && i < papers->claims; i++)
        if (strcmp(papers->claim[i].id, claim) == 0)
            return true;
    return figure == NULL && claim == NULL;
}

static enum byw_status check_names(const struct byw_reproduce *r, struct byw_diag *diag)
{
    size_t named = 1, known = 0;

    for (const char *at = r->paper; (at = strchr(at, ',')) != NULL; at++)
        named++;
    for (size_t i = 0; i < r->papers->papers; i++)
        known += has_paper(r, r->papers->paper[i].number);
    if (known < named)
        return byw_diag_set(
            diag, BYW_ENOENT,
            "no paper '%s'; expected all, or numbers that byway list papers shows, such as 000,001",
            r->paper);
    if (!has_record(r->papers, r->figure, NULL))
        return byw_diag_set(diag, BYW_ENOENT, "no figure '%s'; byway reproduce --help lists them",
                            r->figure);
    if (!has_record(r->papers, NULL, r->claim))
        return byw_diag_set(
            diag, BYW_ENOENT,
            "no claim '%s'; expected an id that byway reproduce prints, such as 0.1", r->claim);
    return BYW_OK;
}

/* The settings as " KEY=VALUE ..."; NULL: out of memory. */
static char *settings_text(const struct byw_reproduce_request *request)
{
    char *text = NULL;
    size_t room = 0;
    FILE *out = open_memstream(&text, &room);

    for (size_t i = 0; out != NULL && i < request->settings; i++)
        fprintf(out, " %s", request->setting[i]);
    if (out == NULL || fclose(out) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

enum byw_status byw_reproduce_create(const struct byw_places *places,
                                     const struct byw_reproduce_request *request,
                                     struct byw_reproduce **reproduce, struct byw_diag *diag)
{
    struct byw_reproduce *r = calloc(1, sizeof(*r));
    enum byw_status st;

    if (r == NULL)
        return byw_no_memory(diag, "the claims");
    r->places = places;
    r->papers = request->papers;
    r->paper = request->paper;
    r->figure = request->figure;
    r->claim = request->claim;
    r->traces = request->traces;
    r->size = request->size;
    r->claims = request->claims;
    r->repeat = request->repeat > 1 ? request->repeat : 1;
    r->settings = settings_text(request);
    r->result = json_object();
    r->made = json_object();
    st = r->result != NULL && r->made != NULL && r->settings != NULL
             ? check_names(r, diag)
             : byw_no_memory(diag, "the claims");
    if (st == BYW_OK)
        st = want_all(r, diag);
    if (st == BYW_OK && r->runs.count > 0)
        st = make_plan(r, diag);
    if (st != BYW_OK)
        byw_reproduce_free(r);
    else
        *reproduce = r;
    return st;
}

static void free_variants(struct byw_variants *list)
{
    for (size_t i = 0; i < list->count; i++) {
        free(list->item[i].text);
        free(list->item[i].workloads);
    }
    free(list->item);
}

void byw_reproduce_free(struct byw_reproduce *reproduce)
{
    if (reproduce == NULL)
        return;
    free_variants(&reproduce->runs);
    free_variants(&reproduce->others);
    byw_plan_free(reproduce->plan);
    json_decref(reproduce->result);
    json_decref(reproduce->made);
    free(reproduce->settings);
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

    for (size_t i = 0;
         reproduce->plan != NULL && st == BYW_OK && i < byw_plan_count(reproduce->plan); i++) {
        const char *id = byw_plan_point(reproduce->plan, i)->id;
        json_t *result = NULL;

        if (!byw_store_has(store, id))
            continue;
        st = byw_store_get(store, id, &result, diag);
        if (st != BYW_OK)
            break;
        json_object_del(result, "per_sm"); /* large, and not needed */
        json_object_del(result, "per_kernel");
        json_object_set_new(reproduce->result, id, result);
    }
    return st;
}

const char *byw_reproduce_run(const struct byw_reproduce *r, const struct byw_source *source,
                              const char *row, unsigned k)
{
    char variant[BYW_VARIANT_ROOM];

    if (!byw_source_is_run(source) || r->plan == NULL)
        return NULL;
    byw_source_variant(r, source, k, variant);
    return byw_plan_id(r->plan, find_variant(&r->runs, variant), byw_source_workload(source, row));
}

json_t *byw_reproduce_result(const struct byw_reproduce *r, const struct byw_source *source,
                             const char *row, unsigned k)
{
    char variant[BYW_VARIANT_ROOM];
    const char *id;
    json_t *result;

    if (!byw_source_is_run(source)) {
        byw_source_variant(r, source, byw_source_has_noise(source) ? k : 0, variant);
        return json_object_get(json_object_get(r->made, variant), byw_source_workload(source, row));
    }
    id = byw_reproduce_run(r, source, row, k);
    result = id != NULL ? json_object_get(r->result, id) : NULL;
    return result != NULL && byw_result_refused(result) == NULL ? result : NULL;
}

enum { TERM_ROOM = 96 };

/* Value of a number or of a path in a result; NaN if the result has no such path. */
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

void byw_source_metric(const struct byw_source *source, const char *metric, char *text, size_t room)
{
    const char *own = source->metric != NULL ? source->metric : "";

    snprintf(text, room, "%s%s", *own != '\0' && *own != '.' ? "" : metric, own);
}

double byw_reproduce_metric(const struct byw_reproduce *r, const struct byw_source *source,
                            const char *row, const char *metric, unsigned k)
{
    const json_t *result = byw_reproduce_result(r, source, row, k);
    char text[2 * BYW_VARIANT_ROOM];

    byw_source_metric(source, metric, text, sizeof(text));
    return result != NULL ? byw_metric_of(result, text) : NAN;
}

enum byw_status byw_reproduce_names(const struct byw_reproduce *r,
                                    const struct byw_selection *selection, struct byw_names *names,
                                    struct byw_diag *diag)
{
    const char *at = selection->list;

    if (!selection->kernels)
        return byw_workloads_select(r->places, selection->list, names, diag);
    *names = (struct byw_names){.name = calloc(strlen(at) + 1, sizeof(char *))};
    while (names->name != NULL && *at != '\0') {
        size_t length = strcspn(at, ",");

        names->name[names->count] = strndup(at, length);
        names->count += names->name[names->count] != NULL;
        at += length + (at[length] == ',');
    }
    return names->count > 0 ? BYW_OK : byw_no_memory(diag, "the claims");
}

/* --- results that need no run of the sweep --------------------------------------------------- */

void byw_reproduce_put(struct byw_reproduce *r, const char *variant, const char *name,
                       json_t *value)
{
    json_t *of = json_object_get(r->made, variant);

    if (of == NULL) {
        json_object_set_new(r->made, variant, json_object());
        of = json_object_get(r->made, variant);
    }
    json_object_set_new(of, name, value);
}

enum byw_status byw_reproduce_trace(const struct byw_reproduce *r, const char *workload,
                                    uint32_t lanes, struct byw_reproduce_trace *trace,
                                    struct byw_diag *diag)
{
    enum byw_status st = byw_plan_trace(r->traces, r->places, workload, lanes, trace->path, diag);

    return st == BYW_OK ? byw_trace_sum(trace->path, trace->sum, diag) : st;
}
