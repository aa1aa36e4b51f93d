/* SPDX-License-Identifier: Apache-2.0 */
#include "study/byw_page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "byw_page_text.h"
#include "study/byw_compare.h"
#include "study/byw_report_chart.h"
#include "study/byw_report_page.h"

/* Numbers of a run that the page has, in the order of its lists. */
static const char *const values[] = {"cycles",
                                     "ipc",
                                     "l1d.accesses",
                                     "l1d.stores",
                                     "l1d.hits",
                                     "l1d.hit_pending",
                                     "l1d.misses",
                                     "l1d.bypasses",
                                     "l1d.fills",
                                     "l1d.evictions",
                                     "l1d.zero_reuse_evictions",
                                     "l1d.stall_cycles",
                                     "l1d.hit_rate_all",
                                     "l1d.hit_rate_cached",
                                     "l1d.reservation_fails.line",
                                     "l1d.reservation_fails.mshr",
                                     "l1d.reservation_fails.merge",
                                     "l1d.reservation_fails.miss_queue",
                                     "l1d.reservation_fails.icnt",
                                     "schedulers.issued",
                                     "schedulers.memory",
                                     "schedulers.scoreboard",
                                     "schedulers.unit",
                                     "schedulers.fetch",
                                     "schedulers.barrier",
                                     "schedulers.empty",
                                     "l2.reads",
                                     "l2.hits",
                                     "l2.misses",
                                     "dram.reads",
                                     "dram.writes",
                                     "dram.row_hits",
                                     "dram.activates",
                                     "energy.l1_nj",
                                     "energy.icnt_nj",
                                     "energy.l2_nj",
                                     "energy.dram_nj",
                                     "energy.total_nj"};

enum { VALUES = sizeof(values) / sizeof(values[0]), KERNELS = 24 };

struct entry {
    const json_t *result;
    char *policy; /* prefix and title */
    size_t series, machine, load;
};

/* Runs whose policy, and what a sweep varied, are the same: one mark of the charts. */
struct series {
    char *key, *title;
    const struct entry *first;
};

struct byw_page {
    struct entry *entry;
    size_t count;
    struct series *series;
    size_t series_count;
    const char **machine, **load;
    size_t machines, loads;
};

static enum byw_status no_memory(struct byw_diag *diag)
{
    return byw_diag_set(diag, BYW_ENOMEM, "no memory for the page");
}

struct byw_page *byw_page_create(void)
{
    return calloc(1, sizeof(struct byw_page));
}

static void forget_series(struct byw_page *page)
{
    for (size_t i = 0; i < page->series_count; i++) {
        free(page->series[i].key);
        free(page->series[i].title);
    }
    free(page->series);
    page->series = NULL;
    page->series_count = 0;
}

void byw_page_free(struct byw_page *page)
{
    if (page == NULL)
        return;
    for (size_t i = 0; i < page->count; i++)
        free(page->entry[i].policy);
    forget_series(page);
    free(page->entry);
    free(page->machine);
    free(page->load);
    free(page);
}

enum byw_status byw_page_add(struct byw_page *page, const json_t *result, const char *prefix,
                             struct byw_diag *diag)
{
    struct entry *grown = realloc(page->entry, (page->count + 1) * sizeof(*grown));
    struct entry *e;

    if (grown == NULL)
        return no_memory(diag);
    page->entry = grown;
    e = &grown[page->count];
    *e = (struct entry){.result = result};
    if (asprintf(&e->policy, "%s%s", prefix, byw_result_text(result, "policy")) < 0)
        return no_memory(diag);
    page->count++;
    return BYW_OK;
}

/* --- what the runs are ----------------------------------------------------------------------- */

static const json_t *setting(const struct entry *e, const char *key)
{
    return json_object_get(json_object_get(e->result, "config"), key);
}

static bool about_names(const char *key)
{
    return strcmp(key, "policy.title") == 0 || strcmp(key, "policy.about") == 0 ||
           strcmp(key, "machine.title") == 0;
}

/* Whether runs of one policy on one machine differ in a key. */
static bool is_varied(const struct byw_page *page, const char *key)
{
    for (size_t i = 1; i < page->count; i++)
        for (size_t j = i; j-- > 0;) {
            const struct entry *a = &page->entry[i], *b = &page->entry[j];

            if (strcmp(a->policy, b->policy) != 0 ||
                strcmp(byw_result_text(a->result, "machine"),
                       byw_result_text(b->result, "machine")) != 0)
                continue;
            /* a key that an older version did not have is in neither, or in one of them */
            if (setting(a, key) != setting(b, key) &&
                !json_equal((json_t *)setting(a, key), (json_t *)setting(b, key)))
                return true;
            break; /* the nearest of its kind is enough: equality carries on */
        }
    return false;
}

static void put_value(FILE *out, const json_t *value)
{
    if (json_is_string(value))
        fputs(json_string_value(value), out);
    else
        fprintf(out, "%lld", (long long)json_integer_value(value));
}

/* " l1d.mshrs=16": what tells the run from others of its policy. */
static char *variation(const struct entry *e, char *const *varied, size_t count)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    for (size_t k = 0; out != NULL && k < count; k++) {
        if (setting(e, varied[k]) == NULL)
            continue;
        fprintf(out, " %s=", varied[k]);
        put_value(out, setting(e, varied[k]));
    }
    if (out == NULL || fclose(out) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

static size_t place(const char ***list, size_t *count, const char *name)
{
    for (size_t i = 0; i < *count; i++)
        if (strcmp((*list)[i], name) == 0)
            return i;
    {
        const char **grown = realloc(*list, (*count + 1) * sizeof(*grown));

        if (grown == NULL)
            return SIZE_MAX;
        *list = grown;
        grown[*count] = name;
    }
    return (*count)++;
}

static bool find_series(struct byw_page *page, struct entry *e, char *const *varied, size_t count)
{
    const char *title = json_string_value(setting(e, "policy.title"));
    const char *name = byw_result_text(e->result, "policy");
    char *which = variation(e, varied, count), *key = NULL;
    struct series *grown;

    if (which == NULL || asprintf(&key, "%s%s", e->policy, which) < 0) {
        free(which);
        return false;
    }
    for (e->series = 0; e->series < page->series_count; e->series++)
        if (strcmp(page->series[e->series].key, key) == 0) {
            free(key);
            free(which);
            return true;
        }
    grown = realloc(page->series, (page->series_count + 1) * sizeof(*grown));
    if (grown == NULL) {
        free(key);
        free(which);
        return false;
    }
    page->series = grown;
    grown += page->series_count++;
    *grown = (struct series){.key = key, .first = e};
    if (asprintf(&grown->title, "%.*s%s%s", (int)(strlen(e->policy) - strlen(name)), e->policy,
                 title != NULL ? title : name, which) < 0)
        grown->title = NULL;
    free(which);
    return grown->title != NULL;
}

/* Two policies with one title are shown with their names. */
static void tell_apart(struct byw_page *page)
{
    for (size_t i = 0; i < page->series_count; i++)
        for (size_t j = i + 1; j < page->series_count; j++)
            if (strcmp(page->series[i].title, page->series[j].title) == 0) {
                free(page->series[i].title);
                free(page->series[j].title);
                page->series[i].title = strdup(page->series[i].key);
                page->series[j].title = strdup(page->series[j].key);
            }
}

static enum byw_status sort_out(struct byw_page *page, struct byw_diag *diag)
{
    char *varied[BYW_CONFIG_TEXT];
    size_t keys = 0;
    bool good = true;

    for (size_t i = 0; i < byw_param_count() && keys < BYW_CONFIG_TEXT; i++)
        if (!about_names(byw_param(i)->key) && is_varied(page, byw_param(i)->key))
            varied[keys++] = (char *)byw_param(i)->key;
    forget_series(page);
    for (size_t i = 0; good && i < page->count; i++) {
        struct entry *e = &page->entry[i];

        e->machine = place(&page->machine, &page->machines, byw_result_text(e->result, "machine"));
        e->load = place(&page->load, &page->loads, byw_result_text(e->result, "workload"));
        good = e->machine != SIZE_MAX && e->load != SIZE_MAX && find_series(page, e, varied, keys);
    }
    if (!good)
        return no_memory(diag);
    tell_apart(page);
    return BYW_OK;
}

/* --- the data -------------------------------------------------------------------------------- */

static json_t *policies(const struct byw_page *page)
{
    json_t *all = json_array();

    for (size_t i = 0; i < page->series_count; i++) {
        const struct series *s = &page->series[i];
        const char *space = strchr(s->key + strlen(s->first->policy), ' ');
        const char *about = json_string_value(setting(s->first, "policy.about"));

        json_array_append_new(all, json_pack("{s:s, s:s, s:s, s:s}", "t", s->title, "n",
                                             byw_result_text(s->first->result, "policy"), "s",
                                             space != NULL ? space : "", "a",
                                             about != NULL ? about : ""));
    }
    return all;
}

/* IPC of the first run of a mode on a machine; NaN: none. */
static double ipc_with(const struct byw_page *page, size_t machine, size_t load, const char *mode)
{
    for (size_t i = 0; i < page->count; i++) {
        const struct entry *e = &page->entry[i];
        const char *its = json_string_value(setting(e, "policy.mode"));

        if (e->machine == machine && e->load == load && its != NULL && strcmp(its, mode) == 0 &&
            byw_result_refused(e->result) == NULL)
            return byw_result_number(e->result, "ipc");
    }
    return NAN;
}

static const char *class_here(const struct byw_page *page, size_t machine, size_t load)
{
    double ratio =
        ipc_with(page, machine, load, "bypass_all") / ipc_with(page, machine, load, "base");

    return byw_wclass_name(!isfinite(ratio)        ? BYW_WCLASS_NONE
                           : ratio > BYW_CNF_ABOVE ? BYW_WCLASS_CNF
                           : ratio < BYW_CF_BELOW  ? BYW_WCLASS_CF
                                                   : BYW_WCLASS_CI);
}

static json_t *loads(const struct byw_page *page)
{
    json_t *all = json_array();

    for (size_t w = 0; w < page->loads; w++) {
        struct byw_workload known;
        bool found = byw_workload_find(page->load[w], &known);
        json_t *here = json_array();

        for (size_t m = 0; m < page->machines; m++)
            json_array_append_new(here, json_string(class_here(page, m, w)));
        json_array_append_new(all, json_pack("{s:s, s:s, s:s, s:o}", "n", page->load[w], "c",
                                             byw_wclass_name(found ? known.cls : BYW_WCLASS_NONE),
                                             "a", found ? known.what : "", "k", here));
    }
    return all;
}

/* Launches of one name together: name, launches, cycles, accesses, hits. */
static json_t *kernels(const json_t *result)
{
    json_t *all = json_array();
    const json_t *one;
    size_t i;

    json_array_foreach(json_object_get(result, "per_kernel"), i, one)
    {
        const char *name = byw_result_text(one, "name");
        const double more[] = {1.0, byw_result_number(one, "cycles"),
                               byw_result_number(one, "l1d.accesses"),
                               byw_result_number(one, "l1d.hits")};
        json_t *row = NULL;

        for (size_t k = 0; k < json_array_size(all) && row == NULL; k++)
            if (strcmp(json_string_value(json_array_get(json_array_get(all, k), 0)), name) == 0)
                row = json_array_get(all, k);
        if (row == NULL && json_array_size(all) == KERNELS)
            continue;
        if (row == NULL) {
            row = json_pack("[s, i, i, i, i]", name, 0, 0, 0, 0);
            json_array_append_new(all, row);
        }
        for (size_t k = 0; k < 4; k++)
            json_array_set_new(
                row, k + 1,
                json_integer(json_integer_value(json_array_get(row, k + 1)) + (json_int_t)more[k]));
    }
    return all;
}

/* Whole numbers without their ".0". */
static json_t *number(double value)
{
    return value == rint(value) && fabs(value) < 1e15 ? json_integer((json_int_t)value)
                                                      : json_real(value);
}

/* Place of where a run comes from among those that the page has. */
static json_t *origin(json_t *origins, const json_t *result)
{
    const json_t *from = json_object_get(result, "provenance");
    json_t *one =
        json_pack("{s:s, s:s, s:s, s:s}", "command", byw_result_text(from, "command"), "host",
                  byw_result_text(from, "host"), "version", byw_result_text(from, "version"),
                  "commit", byw_result_text(from, "commit"));
    size_t i;

    for (i = 0; i < json_array_size(origins); i++)
        if (json_equal(json_array_get(origins, i), one))
            break;
    if (i == json_array_size(origins))
        json_array_append(origins, one);
    json_decref(one);
    return json_integer((json_int_t)i);
}

static json_t *run(const struct entry *e, json_t *origins)
{
    json_t *one = json_pack("{s:I, s:I, s:I}", "m", (json_int_t)e->machine, "p",
                            (json_int_t)e->series, "w", (json_int_t)e->load);
    const char *refused = byw_result_refused(e->result), *id = byw_result_text(e->result, "run_id");
    const json_t *from = json_object_get(e->result, "provenance");
    json_t *list = json_array();

    for (size_t k = 0; k < VALUES; k++)
        json_array_append_new(list, number(byw_result_number(e->result, values[k])));
    if (refused != NULL)
        json_object_set_new(one, "refused", json_string(refused));
    else {
        json_object_set(one, "v", list);
        json_object_set_new(one, "k", kernels(e->result));
    }
    json_decref(list);
    if (id[0] != '\0')
        json_object_set_new(one, "id", json_string(id));
    if (from != NULL) {
        json_object_set_new(one, "o", origin(origins, e->result));
        json_object_set_new(one, "s", json_string(byw_result_text(from, "started")));
        json_object_set_new(one, "t", json_string(byw_result_text(from, "trace")));
    }
    return one;
}

static json_t *data(const struct byw_page *page)
{
    json_t *names = json_array(), *runs = json_array(), *origins = json_array();
    json_t *machines = json_array();

    for (size_t k = 0; k < VALUES; k++)
        json_array_append_new(names, json_string(values[k]));
    for (size_t m = 0; m < page->machines; m++)
        json_array_append_new(machines, json_string(page->machine[m]));
    for (size_t i = 0; i < page->count; i++)
        json_array_append_new(runs, run(&page->entry[i], origins));
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "values", names, "machines", machines,
                     "policies", policies(page), "workloads", loads(page), "runs", runs, "origins",
                     origins);
}

/* --- the page -------------------------------------------------------------------------------- */

static void put(FILE *out, const char *const *text)
{
    for (; *text != NULL; text++)
        fputs(*text, out);
}

void byw_page_style(FILE *out)
{
    put(out, byw_page_css);
}

enum byw_status byw_page_body(struct byw_page *page, FILE *out, struct byw_diag *diag)
{
    enum byw_status st = sort_out(page, diag);
    json_t *all = st == BYW_OK ? data(page) : NULL;
    char *text = all != NULL ? json_dumps(all, JSON_COMPACT | JSON_REAL_PRECISION(9)) : NULL;

    if (text != NULL) {
        fputs("<div id=\"app\"></div>\n<script type=\"application/json\" id=\"data\">", out);
        for (const char *c = text; *c != '\0'; c++) /* no </script> in a name */
            fputs(*c == '<' ? "\\u003c" : (const char[2]){*c, '\0'}, out);
        fputs("</script>\n<script>\n", out);
        put(out, byw_page_js);
        put(out, byw_page_why_js);
        fputs("</script>\n", out);
    }
    free(text);
    json_decref(all);
    return text != NULL || st != BYW_OK ? st : no_memory(diag);
}

enum byw_status byw_page_write(struct byw_page *page, const char *title, struct byw_file *file,
                               struct byw_diag *diag)
{
    FILE *out = byw_file_stream(file);
    enum byw_status st;

    fputs("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
          "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<title>byway: ",
          out);
    byw_html_text(out, title);
    fputs("</title>\n<style>\n", out);
    put(out, byw_report_style);
    byw_page_style(out);
    fputs("</style></head><body><main>\n<h1>", out);
    byw_html_text(out, title);
    fputs("</h1>\n<noscript><p>The charts need JavaScript; <code>byway merge</code> writes the "
          "numbers as a table.</p></noscript>\n<div id=\"tip\"></div>\n",
          out);
    st = byw_page_body(page, out, diag);
    fputs("</main></body></html>\n", out);
    if (st == BYW_OK)
        return byw_file_commit(file, diag);
    byw_file_discard(file);
    return st;
}
