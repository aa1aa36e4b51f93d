/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_reproduce_report.c - claims and figures as JSON, text and a page.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "study/byw_figure.h"
#include "study/byw_paper.h"
#include "study/byw_report_page.h"
#include "study/byw_reproduce_state.h"

static bool belongs(const struct byw_claim_number *number, const struct byw_claim *claim)
{
    return strcmp(number->id, claim->id) == 0;
}

/* --- JSON ------------------------------------------------------------------------------------ */

static json_t *number_json(double value)
{
    return isnan(value) ? json_null() : json_real(value);
}

/* The runs that a number is from: those of the variant, then those of the reference. */
static json_t *runs_json(const struct byw_reproduce *r, const struct byw_claim_number *n)
{
    const char *const variant[] = {n->variant, n->reference};
    json_t *list = json_array();
    struct byw_names names;

    if (byw_reproduce_names(r, n->workloads, &names, NULL) != BYW_OK)
        return list;
    for (size_t v = 0; v < 2; v++)
        for (size_t i = 0; variant[v][0] != '\0' && i < names.count; i++) {
            const char *id = byw_reproduce_run(r, variant[v], names.name[i]);

            if (id != NULL)
                json_array_append_new(list, json_string(id));
        }
    byw_names_free(&names);
    return list;
}

static json_t *numbers_json(const struct byw_reproduce *r, const struct byw_claim *claim)
{
    json_t *list = json_array();

    for (size_t i = 0; i < byw_claim_number_count(); i++) {
        const struct byw_claim_number *n = byw_claim_number(i);
        double value = byw_reproduce_value(r, n);

        if (!belongs(n, claim))
            continue;
        json_array_append_new(
            list, json_pack("{s:s, s:s, s:s, s:s, s:s, s:f, s:o, s:s, s:b, s:o, s:o}", "number",
                            n->text, "workloads", n->workloads, "metric", n->metric, "variant",
                            n->variant, "reference", n->reference, "paper", n->value, "here",
                            number_json(value), "expected", byw_sense_name(n->sense), "holds",
                            byw_claim_holds(n, value), "strength",
                            number_json(byw_claim_strength(n, value)), "runs", runs_json(r, n)));
    }
    return list;
}

static json_t *table_json(const struct byw_figure_table *t)
{
    json_t *columns = json_array(), *rows = json_array();

    for (size_t c = 0; c < t->columns; c++)
        json_array_append_new(columns, json_string(t->column[c]));
    for (size_t r = 0; r < t->rows; r++) {
        json_t *here = json_array(), *paper = json_array(), *runs = json_array();

        for (size_t c = 0; c < t->columns; c++) {
            json_array_append_new(here, number_json(t->value[r * t->columns + c]));
            json_array_append_new(paper, number_json(t->paper[r * t->columns + c]));
            json_array_append_new(runs, json_pack("s?", t->run[r * t->columns + c]));
        }
        json_array_append_new(rows, json_pack("{s:s, s:o, s:o, s:o}", "row", t->row[r], "here",
                                              here, "paper", paper, "runs", runs));
    }
    return json_pack("{s:s, s:s, s:s, s:s, s:o, s:o}", "id", t->figure->id, "paper",
                     t->figure->paper, "title", t->figure->title, "quantity", t->figure->what,
                     "columns", columns, "rows", rows);
}

static json_t *figures_json(const struct byw_reproduce *r)
{
    json_t *list = json_array();

    for (size_t i = 0; i < byw_figure_count(); i++) {
        struct byw_figure_table table;

        if (!byw_reproduce_has_figure(r, byw_figure(i)) ||
            byw_figure_make(r, byw_figure(i), &table, NULL) != BYW_OK)
            continue;
        json_array_append_new(list, table_json(&table));
        byw_figure_release(&table);
    }
    return list;
}

json_t *byw_reproduce_json(const struct byw_reproduce *reproduce)
{
    json_t *claims = json_array();
    int counts[BYW_NOT + 1] = {0};

    for (size_t i = 0; i < byw_claim_count(); i++) {
        const struct byw_claim *claim = byw_claim(i);
        enum byw_verdict verdict;

        if (!byw_reproduce_has_claim(reproduce, claim))
            continue;
        verdict = byw_reproduce_verdict(reproduce, claim);
        counts[verdict]++;
        json_array_append_new(claims, json_pack("{s:s, s:s, s:s, s:s, s:s, s:o}", "id", claim->id,
                                                "paper", claim->paper, "claim", claim->text,
                                                "verdict", byw_verdict_name(verdict), "reason",
                                                verdict != BYW_REPRODUCED ? claim->reason : "",
                                                "numbers", numbers_json(reproduce, claim)));
    }
    return json_pack("{s:s, s:i, s:i, s:i, s:o, s:o}", "schema", "byway.claims/2", "reproduced",
                     counts[BYW_REPRODUCED], "partly", counts[BYW_PARTLY], "not", counts[BYW_NOT],
                     "claims", claims, "figures", figures_json(reproduce));
}

/* --- text ------------------------------------------------------------------------------------ */

static void text_number(FILE *out, const struct byw_reproduce *r, const struct byw_claim_number *n)
{
    double value = byw_reproduce_value(r, n), strength = byw_claim_strength(n, value);

    fprintf(out, "      %-24s paper %7.3f  here ", n->text, n->value);
    if (isnan(value))
        fprintf(out, "%7s", "-");
    else
        fprintf(out, "%7.3f", value);
    if (isnan(strength))
        fprintf(out, "  %7s", "");
    else
        fprintf(out, "  x %5.2f", strength);
    fprintf(out, "  %s\n", byw_claim_holds(n, value) ? "" : byw_sense_name(n->sense));
}

static void text_figure(FILE *out, const struct byw_figure_table *t)
{
    char text[32];

    fprintf(out, "\n%s  %s", t->figure->id, t->figure->title);
    fprintf(out, "%s%s\n", t->figure->what[0] != '\0' ? ": " : "", t->figure->what);
    for (size_t c = 0; c < t->columns; c++)
        fprintf(out, "  [%zu] %s\n", c + 1, t->column[c]);
    for (size_t r = 0; r < t->rows; r++) {
        fprintf(out, "  %-16s", t->row[r]);
        for (size_t c = 0; c < t->columns; c++) {
            byw_figure_text(t->value[r * t->columns + c], text);
            fprintf(out, " %8s", text);
            byw_figure_text(t->paper[r * t->columns + c], text);
            if (!isnan(t->paper[r * t->columns + c]))
                fprintf(out, " (%s)", text);
        }
        fputc('\n', out);
    }
}

/* One figure alone is shown as numbers, too. */
static void text_figures(FILE *out, const struct byw_reproduce *r)
{
    for (size_t i = 0; i < byw_figure_count(); i++) {
        struct byw_figure_table table;

        if (!byw_reproduce_has_figure(r, byw_figure(i)) ||
            byw_figure_make(r, byw_figure(i), &table, NULL) != BYW_OK)
            continue;
        text_figure(out, &table);
        byw_figure_release(&table);
    }
}

void byw_reproduce_table(FILE *out, const struct byw_reproduce *reproduce)
{
    int counts[BYW_NOT + 1] = {0}, all = 0;

    for (size_t i = 0; i < byw_claim_count(); i++) {
        const struct byw_claim *claim = byw_claim(i);
        enum byw_verdict verdict;

        if (!byw_reproduce_has_claim(reproduce, claim))
            continue;
        verdict = byw_reproduce_verdict(reproduce, claim);
        counts[verdict]++;
        all++;
        fprintf(out, "%-5s %-11s %s\n", claim->id, byw_verdict_name(verdict), claim->text);
        for (size_t n = 0; n < byw_claim_number_count(); n++)
            if (belongs(byw_claim_number(n), claim))
                text_number(out, reproduce, byw_claim_number(n));
        if (verdict != BYW_REPRODUCED && claim->reason[0] != '\0')
            fprintf(out, "      because: %s\n", claim->reason);
    }
    if (all > 0)
        fprintf(out, "%d claims: %d reproduced, %d partly, %d not\n", all, counts[BYW_REPRODUCED],
                counts[BYW_PARTLY], counts[BYW_NOT]);
    else
        text_figures(out, reproduce);
}

/* --- page ------------------------------------------------------------------------------------ */

static void put_list(FILE *out, const char *const *text)
{
    for (; *text != NULL; text++)
        fputs(*text, out);
}

static void number_row(FILE *out, const struct byw_reproduce *r, const struct byw_claim_number *n)
{
    double value = byw_reproduce_value(r, n), strength = byw_claim_strength(n, value);

    fputs("<tr><td></td><td class=\"left\">", out);
    byw_html_text(out, n->text);
    fputs("</td><td class=\"left soft\">", out);
    byw_html_text(out, n->metric);
    fputs(", ", out);
    byw_html_text(out, n->variant);
    if (n->reference[0] != '\0') {
        fputs(" over ", out);
        byw_html_text(out, n->reference);
    }
    fprintf(out, "</td><td>%.3f</td>", n->value);
    if (isnan(value))
        fputs("<td>-</td>", out);
    else
        fprintf(out, "<td>%.3f</td>", value);
    if (isnan(strength))
        fputs("<td></td>", out);
    else
        fprintf(out, "<td>%.2f</td>", strength);
    fprintf(out, "<td class=\"left\">%s</td></tr>\n",
            byw_claim_holds(n, value) ? "yes" : byw_sense_name(n->sense));
}

static void claim_rows(FILE *out, const struct byw_reproduce *r, const struct byw_claim *claim)
{
    enum byw_verdict verdict = byw_reproduce_verdict(r, claim);

    fprintf(out,
            "<tr id=\"claim-%s\"><td class=\"left\"><b>%s</b></td><td class=\"left\" "
            "colspan=\"5\"><b>",
            claim->id, claim->id);
    byw_html_text(out, claim->text);
    fprintf(out, "</b></td><td class=\"left\"><b>%s</b></td></tr>\n", byw_verdict_name(verdict));
    for (size_t n = 0; n < byw_claim_number_count(); n++)
        if (belongs(byw_claim_number(n), claim))
            number_row(out, r, byw_claim_number(n));
    if (verdict != BYW_REPRODUCED && claim->reason[0] != '\0') {
        fputs("<tr><td></td><td class=\"left soft\" colspan=\"6\" style=\"white-space:normal\">",
              out);
        byw_html_text(out, claim->reason);
        fputs("</td></tr>\n", out);
    }
}

static void claims(FILE *out, const struct byw_reproduce *r, const struct byw_paper *paper)
{
    bool any = false;

    for (size_t i = 0; i < byw_claim_count(); i++) {
        const struct byw_claim *claim = byw_claim(i);

        if (strcmp(claim->paper, paper->number) != 0 || !byw_reproduce_has_claim(r, claim))
            continue;
        if (!any)
            fputs("<h2>Claims</h2>\n<div class=\"scroll\"><table><thead><tr><th></th><th "
                  "class=\"left\">number</th><th class=\"left\">what it is</th><th>paper</th>"
                  "<th>here</th><th>effect, times the paper's</th><th class=\"left\">as in the "
                  "paper</th></tr></thead><tbody>\n",
                  out);
        any = true;
        claim_rows(out, r, claim);
    }
    if (any)
        fputs("</tbody></table></div>\n", out);
}

static void table_cells(FILE *out, const struct byw_figure_table *t)
{
    char text[32];

    fputs("<div class=\"scroll\"><table><thead><tr><th></th>", out);
    for (size_t c = 0; c < t->columns; c++) {
        fputs("<th>", out);
        byw_html_text(out, t->column[c]);
        fputs("</th>", out);
    }
    fputs("</tr></thead><tbody>\n", out);
    for (size_t r = 0; r < t->rows; r++) {
        fprintf(out, "<tr%s><td class=\"left\">",
                t->mean && r + 1 == t->rows ? " class=\"mean\"" : "");
        byw_html_text(out, t->row[r]);
        fputs("</td>", out);
        for (size_t c = 0; c < t->columns; c++) {
            byw_figure_text(t->value[r * t->columns + c], text);
            fprintf(out, "<td>%s", text);
            byw_figure_text(t->paper[r * t->columns + c], text);
            if (!isnan(t->paper[r * t->columns + c]))
                fprintf(out, " <span class=\"soft\">(%s)</span>", text);
            fputs("</td>", out);
        }
        fputs("</tr>\n", out);
    }
    fputs("</tbody></table></div>\n", out);
}

static enum byw_status figure(FILE *out, const struct byw_reproduce *r, const struct byw_figure *f,
                              struct byw_diag *diag)
{
    struct byw_figure_table table;
    enum byw_status st = byw_figure_make(r, f, &table, diag);

    if (st != BYW_OK)
        return st;
    fprintf(out, "<h2 id=\"%s\">", f->id);
    byw_html_text(out, f->title);
    fputs("</h2>\n<p class=\"soft\">", out);
    byw_html_text(out, f->columns);
    fputs("</p>\n", out);
    if (byw_figure_has_chart(&table)) {
        byw_figure_svg(out, &table);
        fputs("<details><summary>numbers, the paper's in brackets</summary>\n", out);
    }
    table_cells(out, &table);
    if (byw_figure_has_chart(&table))
        fputs("</details>\n", out);
    byw_figure_release(&table);
    return BYW_OK;
}

static bool has_any(const struct byw_reproduce *r, const struct byw_paper *paper)
{
    for (size_t i = 0; i < byw_claim_count(); i++)
        if (strcmp(byw_claim(i)->paper, paper->number) == 0 &&
            byw_reproduce_has_claim(r, byw_claim(i)))
            return true;
    for (size_t i = 0; i < byw_figure_count(); i++)
        if (strcmp(byw_figure(i)->paper, paper->number) == 0 &&
            byw_reproduce_has_figure(r, byw_figure(i)))
            return true;
    return false;
}

static enum byw_status papers(FILE *out, const struct byw_reproduce *r, struct byw_diag *diag)
{
    enum byw_status st = BYW_OK;

    for (size_t p = 0; st == BYW_OK && p < byw_paper_count(); p++) {
        const struct byw_paper *paper = byw_paper(p);

        if (!has_any(r, paper))
            continue;
        fputs("<h1 class=\"machine\">", out);
        byw_html_text(out, paper->title);
        fprintf(out,
                "</h1>\n<p><a href=\"paper-%s.html\">A page of it</a> with charts to work with "
                "and the runs behind each number, where the page is in the runs' folder.</p>\n",
                paper->number);
        claims(out, r, paper);
        for (size_t i = 0; st == BYW_OK && i < byw_figure_count(); i++)
            if (strcmp(byw_figure(i)->paper, paper->number) == 0 &&
                byw_reproduce_has_figure(r, byw_figure(i)))
                st = figure(out, r, byw_figure(i), diag);
    }
    return st;
}

enum byw_status byw_reproduce_page(const struct byw_reproduce *reproduce, struct byw_file *file,
                                   struct byw_diag *diag)
{
    FILE *out = byw_file_stream(file);
    enum byw_status st;

    fputs("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
          "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
          "<title>byway: the papers redone</title>\n<style>\n",
          out);
    put_list(out, byw_report_style);
    fputs(
        "</style></head><body><main>\n<h1>What the papers claim, and what comes out "
        "here</h1>\n<p class=\"soft\">Simulated cycle by cycle by byway. A claim is reproduced "
        "when each of its numbers has the paper's sign, order or level; the effect says how large "
        "ours is, 1 being the paper's size.</p>\n",
        out);
    st = papers(out, reproduce, diag);
    fputs("</main></body></html>\n", out);
    if (st == BYW_OK)
        return byw_file_commit(file, diag);
    byw_file_discard(file);
    return st;
}
