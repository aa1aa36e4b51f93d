/* SPDX-License-Identifier: Apache-2.0 */
#include "study/page/byw_report.h"
#include "common/byw_html_head.h"

#include <math.h>
#include <stdlib.h>

#include "study/job/byw_paper.h"
#include "study/page/byw_page.h"
#include "study/page/byw_report_page.h"

static const enum byw_metric tabled[] = {BYW_METRIC_IPC, BYW_METRIC_HIT_ALL, BYW_METRIC_HIT_CACHED,
                                         BYW_METRIC_L2, BYW_METRIC_ENERGY};

static void page_head(FILE *out, struct byw_compare *const *compare, size_t count)
{
    const struct byw_compare *c = compare[0];

    fputs(BYW_HTML_HEAD, out);
    byw_page_say_maker(out, BYW_PAGE_COMPARE);
    fputs("<title>byway: policies compared</title>\n<style>\n", out);
    byw_report_style(out);
    byw_page_style(out);
    fputs("</style></head><body><main>\n<h1>What L1 bypassing does to ", out);
    fprintf(out, "%zu workload%s on ", c->row_count, c->row_count == 1 ? "" : "s");
    for (size_t i = 0; i < count; i++) {
        fputs(i == 0 ? "" : i + 1 < count ? ", " : " and ", out);
        byw_html_text(out, compare[i]->machine);
    }
    fputs("</h1>\n<p class=\"soft\">", out);
    for (size_t p = 0; p < c->policy_count; p++) {
        fputs(p > 0 ? ", " : "", out);
        byw_html_text(out, c->policy[p]);
    }
    fputs(" on traces of real OpenCL programs, simulated cycle by cycle by byway.</p>\n", out);
}

static void heading(FILE *out, const struct byw_compare *c, enum byw_metric metric)
{
    char text[160];

    byw_compare_heading(c, metric, text, sizeof(text));
    byw_html_text(out, text);
}

/* --- tables ------------------------------------------------------------------------------- */

static void policy_heads(FILE *out, const struct byw_compare *c)
{
    for (size_t p = 0; p < c->policy_count; p++) {
        fprintf(out, "<th%s>", p == 0 ? " class=\"first\"" : "");
        byw_html_text(out, c->policy[p]);
        fputs("</th>", out);
    }
}

static void mean_cell(FILE *out, size_t policy, double mean)
{
    fprintf(out, "<td%s>", policy == 0 ? " class=\"first\"" : "");
    if (isnan(mean))
        fputs("-</td>", out);
    else
        fprintf(out, "%.3f</td>", mean);
}

/* A value, or "-" with the number of its footnote. */
static void cell(FILE *out, const struct byw_compare *c, size_t row, size_t policy,
                 enum byw_metric metric)
{
    size_t note = byw_compare_note(c, row, policy, metric);

    fprintf(out, "<td%s>", policy == 0 ? " class=\"first\"" : "");
    if (note == 0)
        fprintf(out, "%.3f</td>", byw_compare_value(c, row, policy, metric));
    else
        fprintf(out, "- [%zu]</td>", note);
}

static void mean_row(FILE *out, const struct byw_compare *c, enum byw_wclass cls)
{
    size_t n = 0;

    byw_compare_mean(c, 0, BYW_METRIC_IPC, cls, c->measured, &n);
    if (n == 0)
        return;
    fprintf(out, "<tr><td class=\"left\">%s</td><td>%zu</td>",
            cls == BYW_WCLASS_NONE ? "all" : byw_wclass_name(cls), n);
    for (size_t p = 0; p < c->policy_count; p++)
        mean_cell(out, p, byw_compare_mean(c, p, BYW_METRIC_IPC, cls, c->measured, &n));
    fputs("</tr>\n", out);
}

static void summary(FILE *out, const struct byw_compare *c)
{
    fprintf(out,
            "<h2>Geometric means of relative IPC, by the class %s</h2>\n<p class=\"soft\">CNF "
            "cache-unfriendly, CF cache-friendly, CI cache-insensitive: by IPC(BALL) / IPC(BL), "
            "above %.2f CNF, below %.2f CF.</p>\n",
            byw_class_basis(c->measured), BYW_CNF_ABOVE, BYW_CF_BELOW);
    fputs("<div class=\"scroll\"><table><thead><tr><th class=\"left\">class</th><th>workloads</th>",
          out);
    policy_heads(out, c);
    fputs("</tr></thead><tbody>\n", out);
    for (int cls = BYW_WCLASS_CNF; cls <= BYW_WCLASS_NONE; cls++)
        mean_row(out, c, (enum byw_wclass)cls);
    fputs("</tbody></table></div>\n", out);
}

static void data_row(FILE *out, const struct byw_compare *c, size_t w)
{
    const struct byw_compare_row *row = &c->row[w];

    fputs("<tr><td class=\"left\">", out);
    byw_html_text(out, row->workload);
    fprintf(out, "</td><td class=\"left\">%s", byw_wclass_name(row->paper));
    if (row->paper_n_ipc > 0.0)
        fprintf(out, " %.2f", row->paper_n_ipc);
    fprintf(out, "</td><td class=\"left\">%s</td>", byw_wclass_name(row->here));
    for (size_t m = 0; m < sizeof(tabled) / sizeof(tabled[0]); m++)
        for (size_t p = 0; p < c->policy_count; p++)
            cell(out, c, w, p, tabled[m]);
    fputs("</tr>\n", out);
}

static void data(FILE *out, const struct byw_compare *c)
{
    fputs("<h2>Data</h2>\n<p class=\"soft\">Next to the paper's class is its IPC(BALL) / "
          "IPC(BL).</p>\n<div class=\"scroll\"><table><thead><tr>"
          "<th colspan=\"3\"></th>",
          out);
    for (size_t m = 0; m < sizeof(tabled) / sizeof(tabled[0]); m++) {
        fprintf(out, "<th class=\"first left\" colspan=\"%zu\">", c->policy_count);
        heading(out, c, tabled[m]);
        fputs("</th>", out);
    }
    fputs("</tr><tr><th class=\"left\">workload</th><th class=\"left\">paper</th>"
          "<th class=\"left\">here</th>",
          out);
    for (size_t m = 0; m < sizeof(tabled) / sizeof(tabled[0]); m++)
        policy_heads(out, c);
    fputs("</tr></thead><tbody>\n", out);
    for (size_t w = 0; w < c->row_count; w++)
        data_row(out, c, w);
    fputs("</tbody></table></div>\n", out);
}

/* Every key: one column per policy if the policies differ, otherwise one value. */
static void configuration(FILE *out, const struct byw_compare *c)
{
    const json_t *first = json_object_get(c->row[0].result[0], "config");

    fputs("<details><summary>Configuration of the runs</summary><div class=\"scroll\"><table>"
          "<thead><tr><th class=\"left\">key</th>",
          out);
    policy_heads(out, c);
    fputs("</tr></thead><tbody>\n", out);
    for (size_t i = 0; i < byw_param_count(); i++) {
        const char *key = byw_param(i)->key;

        if (json_object_get(first, key) == NULL)
            continue;
        fprintf(out, "<tr><td class=\"left\"><code>%s</code></td>", key);
        for (size_t p = 0; p < c->policy_count; p++) {
            const json_t *config = json_object_get(c->row[0].result[p], "config");
            const json_t *value = json_object_get(config, key);

            fprintf(out, "<td%s>", p == 0 ? " class=\"first\"" : "");
            if (json_is_string(value))
                byw_html_text(out, json_string_value(value));
            else
                fprintf(out, "%lld", (long long)json_integer_value(value));
            fputs("</td>", out);
        }
        fputs("</tr>\n", out);
    }
    fputs("</tbody></table></div></details>\n", out);
}

/* The descriptions of the compared policies, from their files. */
static void policies(FILE *out, const struct byw_compare *c)
{
    fputs("<h2>Policies</h2>\n<div class=\"scroll\"><table class=\"text\"><thead><tr>"
          "<th class=\"left\">name</th><th class=\"left\">what it does</th>"
          "<th class=\"left\">mechanisms</th></tr></thead><tbody>\n",
          out);
    for (size_t p = 0; p < c->policy_count; p++) {
        const json_t *config = json_object_get(c->row[0].result[p], "config");
        const char *cells[] = {c->policy[p],
                               json_string_value(json_object_get(config, "policy.about")),
                               json_string_value(json_object_get(config, "policy.use"))};

        fputs("<tr>", out);
        for (size_t k = 0; k < sizeof(cells) / sizeof(cells[0]); k++) {
            fputs("<td class=\"left\">", out);
            byw_html_text(out, cells[k] != NULL ? cells[k] : "-");
            fputs("</td>", out);
        }
        fputs("</tr>\n", out);
    }
    fputs("</tbody></table></div>\n", out);
}

/* The papers that the names on the page refer to. */
static void papers(FILE *out)
{
    fputs(
        "<h2>Papers</h2>\n<p class=\"soft\">The classes are those of the first one, table 1.</p>\n"
        "<div class=\"scroll\"><table class=\"text\"><thead><tr><th class=\"left\">name</th>"
        "<th class=\"left\">title</th><th class=\"left\">authors</th><th class=\"left\">venue</th>"
        "</tr></thead><tbody>\n",
        out);
    for (size_t i = 0; i < byw_paper_count(); i++) {
        const struct byw_paper *p = byw_paper(i);
        const char *cells[] = {p->name, p->title, p->authors, p->venue};

        fputs("<tr>", out);
        for (size_t k = 0; k < sizeof(cells) / sizeof(cells[0]); k++) {
            fputs("<td class=\"left\">", out);
            byw_html_text(out, cells[k][0] != '\0' ? cells[k] : "-");
            fputs("</td>", out);
        }
        fputs("</tr>\n", out);
    }
    fputs("</tbody></table></div>\n", out);
}

/* The charts for the runs of all machines. */
static enum byw_status charts(FILE *out, struct byw_compare *const *compare, size_t count,
                              struct byw_diag *diag)
{
    struct byw_page *page = byw_page_create();
    enum byw_status st = page != NULL ? BYW_OK : byw_no_memory(diag, "the page");

    for (size_t i = 0; i < count; i++)
        for (size_t w = 0; w < compare[i]->row_count; w++)
            for (size_t p = 0; st == BYW_OK && p < compare[i]->policy_count; p++)
                st = byw_page_add(page, compare[i]->row[w].result[p], "", diag);
    fputs("<div id=\"tip\"></div>\n", out);
    if (st == BYW_OK)
        st = byw_page_body(page, out, diag);
    byw_page_free(page);
    return st;
}

/* Explains the gaps of one machine. */
static void footnotes(FILE *out, const struct byw_compare *c)
{
    if (c->note_count == 0)
        return;
    fputs("<h2>Gaps</h2>\n", out);
    for (size_t i = 0; i < c->note_count; i++) {
        fprintf(out, "<p class=\"note\">[%zu] ", i + 1);
        byw_html_text(out, c->note[i]);
        fputs("</p>\n", out);
    }
}

/* The means on all machines, one table below the other. */
static void machines(FILE *out, struct byw_compare *const *compare, size_t count)
{
    fputs("<h2>", out);
    heading(out, compare[0], BYW_METRIC_IPC);
    fputs(", geometric mean over all workloads</h2>\n<div class=\"scroll\"><table><thead><tr>"
          "<th class=\"left\">machine</th><th>workloads</th>",
          out);
    policy_heads(out, compare[0]);
    fputs("</tr></thead><tbody>\n", out);
    for (size_t i = 0; i < count; i++) {
        size_t n = 0;

        byw_compare_mean(compare[i], 0, BYW_METRIC_IPC, BYW_WCLASS_NONE, false, &n);
        fprintf(out, "<tr><td class=\"left\"><a href=\"#machine%zu\">", i);
        byw_html_text(out, compare[i]->machine);
        fprintf(out, "</a></td><td>%zu</td>", n);
        for (size_t p = 0; p < compare[i]->policy_count; p++)
            mean_cell(out, p,
                      byw_compare_mean(compare[i], p, BYW_METRIC_IPC, BYW_WCLASS_NONE, false, &n));
        fputs("</tr>\n", out);
    }
    fputs("</tbody></table></div>\n", out);
}

static void one_machine(FILE *out, const struct byw_compare *c)
{
    summary(out, c);
    data(out, c);
    footnotes(out, c);
    configuration(out, c);
}

enum byw_status byw_report_write(struct byw_compare *const *compare, size_t count,
                                 struct byw_file *file, struct byw_diag *diag)
{
    FILE *out = byw_file_stream(file);
    enum byw_status st;

    page_head(out, compare, count);
    st = charts(out, compare, count, diag);
    if (count > 1)
        machines(out, compare, count);
    for (size_t i = 0; i < count; i++) {
        if (count > 1) {
            fprintf(out, "<h1 class=\"machine\" id=\"machine%zu\">", i);
            byw_html_text(out, compare[i]->machine);
            fputs(" <span class=\"soft\">", out);
            byw_html_text(out, compare[i]->machine_name);
            fputs("</span></h1>\n", out);
        }
        one_machine(out, compare[i]);
    }
    policies(out, compare[0]);
    papers(out);
    fputs("</main></body></html>\n", out);
    if (st == BYW_OK)
        return byw_file_commit(file, diag);
    byw_file_discard(file);
    return st;
}
