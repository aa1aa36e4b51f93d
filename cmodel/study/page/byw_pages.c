/* SPDX-License-Identifier: Apache-2.0 */
#include "study/page/byw_pages.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/byw_file.h"
#include "common/byw_path.h"
#include "common/byw_text.h"
#include "study/job/byw_paper.h"
#include "study/job/byw_setup.h"
#include "study/page/byw_page.h"
#include "study/page/byw_page_state.h"
#include "trace/stats/byw_trace_report.h"

enum byw_status byw_pages_folder(const char *dir, struct byw_diag *diag)
{
    char path[BYW_PATH_ROOM];

    if (mkdir(dir, 0777) == 0)
        return BYW_OK;
    if (errno != EEXIST)
        return byw_diag_set(diag, BYW_EIO, "%s: cannot create the folder (%s)", dir,
                            strerror(errno));
    if (!byw_path_is_folder(dir))
        return byw_diag_set(diag, BYW_EIO, "%s: is not a folder", dir);
    if (snprintf(path, sizeof(path), "%s/index.html", dir) >= (int)sizeof(path))
        return byw_diag_set(diag, BYW_EINVAL, "%.60s...: path too long", dir);
    return byw_page_may_replace(path, BYW_PAGE_WORKLOADS, diag);
}

enum byw_status byw_pages_check(const char *trace, struct byw_diag *diag)
{
    char text[BYW_TEXT_GROWTH * BYW_PATH_ROOM], name[256];

    byw_text_printable(trace, text, sizeof(text));
    if (strcmp(text, trace) != 0)
        return byw_diag_set(diag, BYW_EINVAL,
                            "%s: a page cannot be named after it; expected a name in printable "
                            "UTF-8 with --pages",
                            trace);
    byw_setup_name(trace, name, sizeof(name));
    if (strcmp(name, "index") == 0)
        return byw_diag_set(diag, BYW_EINVAL,
                            "%s: its page would be the index of all pages; expected another name "
                            "with --pages",
                            trace);
    return BYW_OK;
}

static enum byw_status create(const char *dir, const char *name, const char *maker,
                              struct byw_file **file, struct byw_diag *diag)
{
    char path[BYW_PATH_ROOM];
    enum byw_status st;

    if (snprintf(path, sizeof(path), "%s/%s.html", dir, name) >= (int)sizeof(path))
        return byw_diag_set(diag, BYW_EINVAL, "%.60s...: path too long", dir);
    st = byw_page_may_replace(path, maker, diag);
    return st == BYW_OK ? byw_file_create(path, file, diag) : st;
}

/* --- workloads ------------------------------------------------------------------------------- */

/* The first run of a workload that was not refused; NULL: none. */
static const json_t *ran(struct byw_compare *const *compare, size_t count, size_t row)
{
    for (size_t i = 0; i < count; i++)
        for (size_t p = 0; p < compare[i]->policy_count; p++)
            if (byw_result_refused(compare[i]->row[row].result[p]) == NULL)
                return compare[i]->row[row].result[p];
    return NULL;
}

/* Reuse and sites of a run's trace, for its machine's number of SMs; *trace NULL: the result names
 * no trace. */
static enum byw_status read_trace(const json_t *result, json_t **trace, struct byw_diag *diag)
{
    const char *path = result != NULL ? byw_result_text(result, "provenance.trace") : "";
    struct byw_sm_stream_options streams = {.ctas = BYW_STREAM_CTAS};
    const struct byw_trace_shown all = {.rows = 0};
    struct byw_trace_info info;
    enum byw_status st;

    *trace = NULL;
    if (*path == '\0')
        return BYW_OK;
    streams.sms = (uint32_t)json_integer_value(
        json_object_get(json_object_get(result, "config"), "sm.count"));
    st = byw_trace_info_read(path, &streams, &info, diag);
    if (st != BYW_OK)
        return st;
    *trace = json_pack("{s:o, s:o}", "reuse", byw_trace_report_reuse_json(&info), "sites",
                       byw_trace_report_sites_json(&info, &all));
    byw_trace_info_release(&info);
    return *trace != NULL ? BYW_OK : byw_no_memory(diag, "the pages");
}

static enum byw_status add_row(struct byw_page *page, struct byw_compare *const *compare,
                               size_t count, size_t row, struct byw_diag *diag)
{
    enum byw_status st = BYW_OK;

    for (size_t i = 0; i < count; i++)
        for (size_t p = 0; st == BYW_OK && p < compare[i]->policy_count; p++)
            st = byw_page_add(page, compare[i]->row[row].result[p], "", diag);
    return st;
}

static enum byw_status one_workload(struct byw_compare *const *compare, size_t count, size_t row,
                                    const char *dir, struct byw_diag *diag)
{
    const char *name = compare[0]->row[row].workload;
    struct byw_page *page = byw_page_create();
    struct byw_file *file = NULL;
    json_t *trace = NULL;
    enum byw_status st = page != NULL ? BYW_OK : byw_no_memory(diag, "the pages");

    if (st == BYW_OK)
        st = read_trace(ran(compare, count, row), &trace, diag);
    if (st == BYW_OK)
        st = add_row(page, compare, count, row, diag);
    if (st == BYW_OK)
        st = create(dir, name, BYW_PAGE_WORKLOADS, &file, diag);
    if (st == BYW_OK) {
        byw_page_alone(page, trace);
        st = byw_page_write(page, name, file, diag);
    }
    byw_page_free(page);
    json_decref(trace);
    return st;
}

enum byw_status byw_pages_workloads(struct byw_compare *const *compare, size_t count,
                                    const char *dir, struct byw_diag *diag)
{
    struct byw_page *page = byw_page_create();
    struct byw_file *file = NULL;
    enum byw_status st = page != NULL ? BYW_OK : byw_no_memory(diag, "the pages");

    for (size_t w = 0; st == BYW_OK && w < compare[0]->row_count; w++)
        st = one_workload(compare, count, w, dir, diag);
    for (size_t w = 0; st == BYW_OK && w < compare[0]->row_count; w++)
        st = add_row(page, compare, count, w, diag);
    if (st == BYW_OK)
        st = create(dir, "index", BYW_PAGE_WORKLOADS, &file, diag);
    if (st == BYW_OK) {
        byw_page_link(page);
        st = byw_page_write(page, NULL, file, diag);
    }
    byw_page_free(page);
    return st;
}

/* --- papers ---------------------------------------------------------------------------------- */

/* A run's id with its description and the command that repeats it, from its file; only the id if
 * there is no file. */
static json_t *about_run(const char *dir, const char *id)
{
    char path[BYW_PATH_ROOM];
    json_t *result = NULL, *about;

    if (snprintf(path, sizeof(path), "%s/runs/%s.json", dir, id) < (int)sizeof(path))
        result = json_load_file(path, 0, NULL);
    about = json_pack("{s:s}", "id", id);
    if (result != NULL) {
        json_object_set_new(about, "what",
                            json_sprintf("%s on %s with %s", byw_result_text(result, "workload"),
                                         byw_result_text(result, "machine"),
                                         byw_result_text(result, "policy")));
        json_object_set(about, "again",
                        json_object_get(json_object_get(result, "provenance"), "command"));
    }
    json_decref(result);
    return about;
}

/* Collects every id below a member `runs`, each once. */
static void collect(const json_t *node, bool runs, json_t *ids)
{
    const char *name;
    json_t *value;
    size_t i;

    if (json_is_string(node) && runs)
        json_object_set_new(ids, json_string_value(node), json_true());
    json_array_foreach((json_t *)node, i, value) collect(value, runs, ids);
    json_object_foreach((json_t *)node, name, value)
        collect(value, runs || strcmp(name, "runs") == 0, ids);
}

/* The elements of a list that belong to a paper. */
static json_t *of_paper(const json_t *list, const char *number)
{
    json_t *all = json_array(), *one;
    size_t i;

    json_array_foreach((json_t *)list, i, one) if (strcmp(byw_result_text(one, "paper"), number) ==
                                                   0) json_array_append(all, one);
    return all;
}

/* Gives each figure the marks of its columns. */
static void add_marks(json_t *figures)
{
    json_t *figure, *column;
    size_t i, k;

    json_array_foreach(figures, i, figure)
    {
        const json_t *columns = json_object_get(figure, "columns");
        const char **name = calloc(json_array_size(columns) + 1, sizeof(*name));

        if (name == NULL)
            return;
        json_array_foreach((json_t *)columns, k, column) name[k] = json_string_value(column);
        json_object_set_new(figure, "marks", byw_page_marks(name, json_array_size(columns)));
        free(name);
    }
}

/* The papers of claims and figures; files of version 0.1 do not list them. */
static json_t *list_papers(const json_t *claims)
{
    json_t *list = json_incref(json_object_get(claims, "papers"));

    if (list != NULL)
        return list;
    list = json_array();
    for (size_t i = 0; i < byw_paper_count(); i++) {
        const struct byw_paper *p = byw_paper(i);
        json_t *its = of_paper(json_object_get(claims, "claims"), p->number);
        json_t *figures = of_paper(json_object_get(claims, "figures"), p->number);

        if (json_array_size(its) + json_array_size(figures) > 0)
            json_array_append_new(list,
                                  json_pack("{s:s, s:s, s:s, s:s}", "number", p->number, "title",
                                            p->title, "authors", p->authors, "venue", p->venue));
        json_decref(its);
        json_decref(figures);
    }
    return list;
}

/* The part of a page about one paper. */
static json_t *chapter(const json_t *claims, const json_t *paper, bool linked)
{
    const char *number = byw_result_text(paper, "number");
    json_t *figures = of_paper(json_object_get(claims, "figures"), number), *all;

    add_marks(figures);
    all = json_pack("{s:s, s:O, s:O, s:O, s:o, s:o}", "paper", number, "title",
                    json_object_get(paper, "title"), "authors", json_object_get(paper, "authors"),
                    "venue", json_object_get(paper, "venue"), "claims",
                    of_paper(json_object_get(claims, "claims"), number), "figures", figures);
    if (json_object_get(claims, "noise") != NULL)
        json_object_set(all, "noise", json_object_get(claims, "noise"));
    if (linked)
        json_object_set_new(all, "page", json_sprintf("paper-%s.html", number));
    return all;
}

/* The data of a page about some papers; takes ownership of the list. */
static json_t *papers_data(json_t *papers, const struct byw_pages_runs *runs)
{
    json_t *ids = json_object(), *list = json_array(), *unused;
    const char *id;

    collect(papers, false, ids);
    json_object_foreach(ids, id, unused) json_array_append_new(list, about_run(runs->dir, id));
    json_decref(ids);
    return json_pack("{s:s, s:s, s:s, s:o, s:o}", "command", runs->command, "about",
                     "it comes from a trace, from constants, or no run is named.", "folder",
                     runs->link, "papers", papers, "runs", list);
}

static enum byw_status one_paper(json_t *its, const struct byw_pages_runs *runs, const char *dir,
                                 struct byw_diag *diag)
{
    json_t *papers = json_pack("[O]", its), *data = papers_data(papers, runs);
    struct byw_file *file = NULL;
    enum byw_status st = BYW_OK;
    char name[32];

    snprintf(name, sizeof(name), "paper-%s", byw_result_text(its, "paper"));
    st = data != NULL ? create(dir, name, BYW_PAGE_REPORT, &file, diag)
                      : byw_no_memory(diag, "the pages");
    if (st == BYW_OK)
        st = byw_page_paper(data, byw_result_text(its, "title"), file, diag);
    json_decref(data);
    return st;
}

enum byw_status byw_pages_papers(const json_t *claims, const char *dir,
                                 const struct byw_pages_runs *runs, struct byw_diag *diag)
{
    json_t *papers = list_papers(claims), *paper;
    enum byw_status st = BYW_OK;
    size_t i;

    json_array_foreach(papers, i, paper)
    {
        json_t *its = chapter(claims, paper, false);

        if (st == BYW_OK)
            st = one_paper(its, runs, dir, diag);
        json_decref(its);
    }
    json_decref(papers);
    return st;
}

enum byw_status byw_pages_all_papers(const json_t *claims, bool linked,
                                     const struct byw_pages_runs *runs, struct byw_file *file,
                                     struct byw_diag *diag)
{
    json_t *papers = json_array(), *list = list_papers(claims), *data, *paper;
    enum byw_status st;
    size_t i;

    json_array_foreach(list, i, paper)
        json_array_append_new(papers, chapter(claims, paper, linked));
    json_decref(list);
    data = papers_data(papers, runs);
    if (data == NULL) {
        byw_file_discard(file);
        return byw_no_memory(diag, "the pages");
    }
    st = byw_page_paper(data, "The papers' claims and our results", file, diag);
    json_decref(data);
    return st;
}
