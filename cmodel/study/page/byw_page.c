/* SPDX-License-Identifier: Apache-2.0 */
#include "study/page/byw_page.h"

#include <stdlib.h>
#include <string.h>

#include "byw_page_text.h"
#include "common/byw_array.h"
#include "common/byw_html_head.h"
#include "study/page/byw_page_state.h"
#include "study/page/byw_palette.h"
#include "study/page/byw_report_page.h"

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
    page->series_count = page->series_room = 0;
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
    struct byw_page_entry *e;

    if (!BYW_ARRAY_ROOM(page->entry, page->room, page->count + 1))
        return byw_no_memory(diag, "the page");
    e = &page->entry[page->count];
    *e = (struct byw_page_entry){.result = result};
    if (asprintf(&e->policy, "%s%s", prefix, byw_result_text(result, "policy")) < 0)
        return byw_no_memory(diag, "the page");
    page->count++;
    return BYW_OK;
}

void byw_page_link(struct byw_page *page)
{
    page->linked = true;
}

void byw_page_alone(struct byw_page *page, const json_t *trace)
{
    page->alone = true;
    page->trace = trace;
}

/* --- the runs -------------------------------------------------------------------------------- */

static bool about_names(const char *key)
{
    return strcmp(key, "policy.title") == 0 || strcmp(key, "policy.about") == 0 ||
           strcmp(key, "machine.title") == 0;
}

/* Whether a key distinguishes the runs of two series.  Seeds do not, for runs that differ in
 * them are repetitions; but a run without noise, seed 0, does not repeat runs with it. */
static bool same_setting(const struct byw_page_entry *a, const struct byw_page_entry *b,
                         const char *key)
{
    const json_t *x = byw_page_setting(a, key), *y = byw_page_setting(b, key);

    if (strcmp(key, BYW_PAGE_SEED) == 0)
        return (json_integer_value(x) == 0) == (json_integer_value(y) == 0);
    /* in neither run, or in one of them: a key that an older version did not have */
    return x == y || json_equal((json_t *)x, (json_t *)y);
}

/* Whether runs of one policy on one machine differ in a key. */
static bool is_varied(const struct byw_page *page, const char *key)
{
    for (size_t i = 1; i < page->count; i++)
        for (size_t j = i; j-- > 0;) {
            const struct byw_page_entry *a = &page->entry[i], *b = &page->entry[j];

            if (strcmp(a->policy, b->policy) != 0 ||
                strcmp(byw_result_text(a->result, "machine"),
                       byw_result_text(b->result, "machine")) != 0)
                continue;
            if (!same_setting(a, b, key))
                return true;
            break; /* comparing with the nearest run of its kind suffices, since equality is
                      transitive */
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

/* " l1d.mshrs=16": what distinguishes the run from others of its policy. */
static char *variation(const struct byw_page_entry *e, const char *const *varied, size_t count)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    for (size_t k = 0; out != NULL && k < count; k++) {
        const json_t *value = byw_page_setting(e, varied[k]);

        if (value == NULL ||
            (strcmp(varied[k], BYW_PAGE_SEED) == 0 && json_integer_value(value) > 0))
            continue;
        fprintf(out, " %s=", varied[k]);
        put_value(out, value);
    }
    if (out == NULL || fclose(out) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

static size_t place(const char ***list, size_t *count, size_t *room, const char *name)
{
    for (size_t i = 0; i < *count; i++)
        if (strcmp((*list)[i], name) == 0)
            return i;
    if (!BYW_ARRAY_ROOM(*list, *room, *count + 1))
        return SIZE_MAX;
    (*list)[*count] = name;
    return (*count)++;
}

static bool find_series(struct byw_page *page, struct byw_page_entry *e)
{
    const char *title = json_string_value(byw_page_setting(e, "policy.title"));
    const char *name = byw_result_text(e->result, "policy");
    char *which = variation(e, page->varied, page->varied_count), *key = NULL;
    struct byw_page_series *s;

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
    if (!BYW_ARRAY_ROOM(page->series, page->series_room, page->series_count + 1)) {
        free(key);
        free(which);
        return false;
    }
    s = &page->series[page->series_count++];
    *s = (struct byw_page_series){.key = key, .first = e};
    if (asprintf(&s->title, "%.*s%s%s", (int)(strlen(e->policy) - strlen(name)), e->policy,
                 title != NULL ? title : name, which) < 0)
        s->title = NULL;
    free(which);
    return s->title != NULL;
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
    bool good = true;

    page->varied_count = 0;
    for (size_t i = 0; i < byw_param_count() && page->varied_count < BYW_PAGE_VARIED; i++)
        if (!about_names(byw_param(i)->key) && is_varied(page, byw_param(i)->key))
            page->varied[page->varied_count++] = byw_param(i)->key;
    forget_series(page);
    for (size_t i = 0; good && i < page->count; i++) {
        struct byw_page_entry *e = &page->entry[i];

        e->machine = place(&page->machine, &page->machines, &page->machine_room,
                           byw_result_text(e->result, "machine"));
        e->load = place(&page->load, &page->loads, &page->load_room,
                        byw_result_text(e->result, "workload"));
        good = e->machine != SIZE_MAX && e->load != SIZE_MAX && find_series(page, e);
    }
    if (!good)
        return byw_no_memory(diag, "the page");
    tell_apart(page);
    return BYW_OK;
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

/* The data and the scripts that draw them. */
static enum byw_status put_app(FILE *out, const json_t *data, const char *const *const *scripts,
                               struct byw_diag *diag)
{
    char *text = data != NULL ? json_dumps(data, JSON_COMPACT | JSON_REAL_PRECISION(9)) : NULL;

    if (text == NULL)
        return byw_no_memory(diag, "the page");
    fputs("<div id=\"app\"></div>\n<script type=\"application/json\" id=\"data\">", out);
    for (const char *c = text; *c != '\0'; c++) /* keeps </script> out of names */
        fputs(*c == '<' ? "\\u003c" : (const char[2]){*c, '\0'}, out);
    fputs("</script>\n<script>\n", out);
    for (; *scripts != NULL; scripts++)
        put(out, *scripts);
    fputs("</script>\n", out);
    free(text);
    return BYW_OK;
}

/* Order of values: numeric, or alphabetical. */
static int compare_values(const json_t *a, const json_t *b)
{
    double x = json_number_value(a), y = json_number_value(b);

    if (json_is_string(a) && json_is_string(b))
        return strcmp(json_string_value(a), json_string_value(b));
    return (x > y) - (x < y);
}

/* The values of a key in an order that does not depend on the runs' ids. */
static void put_values(const struct byw_page *page, const char *key, FILE *out)
{
    const json_t *last = NULL, *next;

    do {
        next = NULL;
        for (size_t i = 0; i < page->count; i++) {
            const json_t *value = byw_page_setting(&page->entry[i], key);

            if (value != NULL && (last == NULL || compare_values(value, last) > 0) &&
                (next == NULL || compare_values(value, next) < 0))
                next = value;
        }
        if (next != NULL && last != NULL)
            fputs(", ", out);
        if (next != NULL)
            put_value(out, next);
        last = next;
    } while (next != NULL);
}

/* Titles of the policies, without the varied keys. */
static void put_policies(const struct byw_page *page, FILE *out)
{
    const char *last = "";

    for (size_t i = 0; i < page->series_count; i++) {
        const struct byw_page_series *s = &page->series[i];
        const char *title = json_string_value(byw_page_setting(s->first, "policy.title"));

        if (title == NULL)
            title = s->first->policy;
        if (strcmp(title, last) != 0)
            fprintf(out, "%s%s", i == 0 ? "" : ", ", title);
        last = title;
    }
}

/* The title: the axes of the comparison or sweep; NULL: out of memory. */
static char *make_title(const struct byw_page *page)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    if (out == NULL)
        return NULL;
    for (size_t k = 0; k < page->varied_count; k++) {
        fprintf(out, "%s%s (", k == 0 ? "Sweep of " : " and ", page->varied[k]);
        put_values(page, page->varied[k], out);
        fputs(")", out);
    }
    fputs(page->varied_count == 0 ? "Policies compared: " : ": ", out);
    put_policies(page, out);
    fprintf(out, " on %zu workload%s, ", page->loads, page->loads == 1 ? "" : "s");
    for (size_t m = 0; m < page->machines; m++)
        fprintf(out, "%s%s", m == 0 ? "" : ", ", page->machine[m]);
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}

enum byw_status byw_page_body(struct byw_page *page, FILE *out, struct byw_diag *diag)
{
    static const char *const *const scripts[] = {
        byw_element_js,   byw_chart_js,    byw_page_js, byw_page_sweep_js,
        byw_page_load_js, byw_page_why_js, NULL};
    enum byw_status st = sort_out(page, diag);
    json_t *data = st == BYW_OK ? byw_page_data(page) : NULL;

    if (st == BYW_OK)
        st = put_app(out, data, scripts, diag);
    json_decref(data);
    return st;
}

static const char generator[] = "<meta name=\"generator\" content=\"";

void byw_page_say_maker(FILE *out, const char *maker)
{
    fprintf(out, "%s%s\">\n", generator, maker);
}

enum byw_status byw_page_may_replace(const char *path, const char *maker, struct byw_diag *diag)
{
    FILE *in = fopen(path, "rb");
    char head[1024] = "", *of;

    if (in == NULL)
        return BYW_OK;
    head[fread(head, 1, sizeof(head) - 1, in)] = '\0';
    fclose(in);
    of = strstr(head, generator);
    if (of != NULL) {
        of += strlen(generator);
        of[strcspn(of, "\"")] = '\0';
    }
    if (of != NULL ? strcmp(of, maker) == 0 : strstr(head, "<title>byway: ") != NULL)
        return BYW_OK; /* no generator element, so an older version wrote it */
    if (of != NULL)
        return byw_diag_set(diag, BYW_EINVAL,
                            "%s: is a page of `%s`, which `%s` would replace; expected another "
                            "folder, or remove it first",
                            path, of, maker);
    return byw_diag_set(diag, BYW_EINVAL,
                        "%s: is not a page of byway, and `%s` would replace it; expected another "
                        "folder, or remove it first",
                        path, maker);
}

static void begin(FILE *out, const char *maker, const char *title, const char *without)
{
    fputs(BYW_HTML_HEAD, out);
    byw_page_say_maker(out, maker);
    fputs("<title>byway: ", out);
    byw_html_text(out, title);
    fputs("</title>\n<style>\n", out);
    byw_report_style(out);
    byw_page_style(out);
    fputs("</style></head><body><main>\n<h1>", out);
    byw_html_text(out, title);
    fprintf(out, "</h1>\n<noscript><p>%s</p></noscript>\n<div id=\"tip\"></div>\n", without);
}

static enum byw_status end(struct byw_file *file, enum byw_status st, struct byw_diag *diag)
{
    fputs("</main></body></html>\n", byw_file_stream(file));
    if (st == BYW_OK)
        return byw_file_commit(file, diag);
    byw_file_discard(file);
    return st;
}

enum byw_status byw_page_write(struct byw_page *page, const char *title, struct byw_file *file,
                               struct byw_diag *diag)
{
    enum byw_status st = title == NULL || page->alone ? sort_out(page, diag) : BYW_OK;
    char *own = st == BYW_OK && title == NULL ? make_title(page) : NULL;

    if (page->alone && title != NULL && page->machines == 1 &&
        asprintf(&own, "%s on %s", title, page->machine[0]) < 0)
        own = NULL;
    if (st == BYW_OK && title == NULL && own == NULL)
        st = byw_no_memory(diag, "the page");
    begin(byw_file_stream(file),
          page->linked || page->alone ? BYW_PAGE_WORKLOADS
          : title != NULL             ? BYW_PAGE_DIFF
                                      : BYW_PAGE_REPORT,
          own != NULL     ? own
          : title != NULL ? title
                          : "",
          "The charts need JavaScript; <code>byway merge</code> writes the numbers as a table.");
    free(own);
    if (st == BYW_OK)
        st = byw_page_body(page, byw_file_stream(file), diag);
    return end(file, st, diag);
}

enum byw_status byw_page_paper(const json_t *data, const char *title, struct byw_file *file,
                               struct byw_diag *diag)
{
    static const char *const *const scripts[] = {byw_element_js, byw_chart_js, byw_paper_js, NULL};

    begin(byw_file_stream(file), BYW_PAGE_REPORT, title,
          "The charts need JavaScript; <code>byway reproduce</code> prints the numbers.");
    return end(file, put_app(byw_file_stream(file), data, scripts, diag), diag);
}

enum byw_status byw_page_correlate(const json_t *data, const char *title, struct byw_file *file,
                                   struct byw_diag *diag)
{
    static const char *const *const scripts[] = {byw_element_js, byw_chart_js, byw_correlate_js,
                                                 NULL};

    begin(byw_file_stream(file), BYW_PAGE_CORRELATE, title,
          "The charts need JavaScript; <code>byway correlate</code> prints the numbers.");
    return end(file, put_app(byw_file_stream(file), data, scripts, diag), diag);
}

enum byw_status byw_page_source(const json_t *data, const char *title, struct byw_file *file,
                                struct byw_diag *diag)
{
    static const char *const *const scripts[] = {byw_element_js, byw_source_js, NULL};
    FILE *out = byw_file_stream(file);

    begin(out, BYW_PAGE_SOURCE, title,
          "The page needs JavaScript; <code>byway source</code> prints the lines that wait "
          "most.");
    fputs("<style>\n", out);
    for (const char *const *line = byw_source_css; *line != NULL; line++)
        fputs(*line, out);
    fputs("</style>\n", out);
    return end(file, put_app(out, data, scripts, diag), diag);
}
