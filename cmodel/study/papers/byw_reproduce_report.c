/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_reproduce_report.c - claims and figures as JSON, text and a page.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/byw_text.h"
#include "study/page/byw_report_page.h"
#include "study/papers/byw_figure.h"
#include "study/papers/byw_reproduce_state.h"

/* --- JSON ------------------------------------------------------------------------------------ */

static json_t *number_json(double value)
{
    return isnan(value) ? json_null() : json_real(value);
}

/* The runs behind a number: those of the source, then those of the reference. */
static json_t *runs_json(const struct byw_reproduce *r, const struct byw_claim_number *n)
{
    const struct byw_source *const source[] = {&n->source, &n->reference};
    json_t *list = json_array();
    struct byw_names names;

    if (byw_reproduce_names(r, &n->of, &names, NULL) != BYW_OK)
        return list;
    for (size_t v = 0; v < 2; v++)
        for (size_t i = 0; source[v]->run != NULL && i < names.count; i++)
            for (unsigned k = 0; k < byw_source_repeats(r, source[v]); k++) {
                const char *id = byw_reproduce_run(r, source[v], names.name[i], k);

                if (id != NULL)
                    json_array_append_new(list, json_string(id));
            }
    byw_names_free(&names);
    return list;
}

static json_t *claim_number_json(const struct byw_reproduce *r, const struct byw_claim_number *n)
{
    struct byw_judged j = byw_reproduce_judge(r, n);
    double value = j.value.mean;
    char variant[BYW_VARIANT_ROOM], reference[BYW_VARIANT_ROOM] = "", note[BYW_NOTE_ROOM];
    json_t *missing = json_array(), *json;
    size_t all;

    byw_reproduce_gaps(r, n, &all, missing);
    byw_source_text(&n->source, n->source.run, variant);
    if (n->reference.run != NULL)
        byw_source_text(&n->reference, n->reference.run, reference);
    json = json_pack("{s:s, s:s, s:s, s:s, s:s, s:f, s:o, s:s, s:b, s:o, s:o, s:I, s:o}", "number",
                     n->text, "workloads", n->of.list, "metric", n->metric, "variant", variant,
                     "reference", reference, "paper", n->value, "here", number_json(value),
                     "expected", byw_sense_name(n->sense), "holds", byw_claim_holds(n, value),
                     "strength", number_json(byw_claim_strength(n, value)), "runs", runs_json(r, n),
                     "needed", (json_int_t)all, "missing", missing);
    if (json != NULL && j.value.count > 1)
        json_object_set_new(json, "sd", number_json(j.value.sd));
    byw_reproduce_note(r, n, note);
    if (json != NULL) {
        json_object_set_new(json, "n", json_integer((json_int_t)j.value.count));
        json_object_set_new(json, "half", number_json(j.uncertainty.half));
        json_object_set_new(json, "acting", number_json(j.acting));
        json_object_set_new(json, "note", json_string(note));
        json_object_set_new(json, "lacks", json_string(byw_verdict_lacks(n, value, j.verdict)));
        json_object_set_new(json, "verdict", json_string(byw_verdict_name(j.verdict)));
    }
    return json;
}

static json_t *claim_json(const struct byw_reproduce *r, const struct byw_claim *claim,
                          enum byw_verdict verdict)
{
    bool explained = byw_reproduce_explains(verdict, claim);
    json_t *numbers = json_array();

    for (size_t i = 0; i < claim->numbers; i++)
        json_array_append_new(numbers, claim_number_json(r, &claim->number[i]));
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:o, s:o}", "id", claim->id, "paper",
                     claim->paper, "claim", claim->text, "section", claim->section, "verdict",
                     byw_verdict_name(verdict), "reason", explained ? claim->reason : "",
                     "experiment", explained ? claim->experiment : "", "shipped",
                     byw_reproduce_shipped(r, claim), "numbers", numbers);
}

/* The papers with selected claims or figures, in the order of reports. */
static json_t *papers_json(const struct byw_reproduce *r, const json_t *claims,
                           const json_t *figures)
{
    json_t *list = json_array(), *one;
    size_t i;

    for (size_t p = 0; p < r->papers->papers; p++) {
        const struct byw_paper *paper = &r->papers->paper[p];
        bool any = false;

        json_array_foreach(claims, i, one) any =
            any || strcmp(byw_result_text(one, "paper"), paper->number) == 0;
        json_array_foreach(figures, i, one) any =
            any || strcmp(byw_result_text(one, "paper"), paper->number) == 0;
        if (any)
            json_array_append_new(list,
                                  json_pack("{s:s, s:s, s:s, s:s, s:s}", "number", paper->number,
                                            "name", paper->name, "title", paper->title, "authors",
                                            paper->authors, "venue", paper->venue));
    }
    return list;
}

/* The run of a cell, or all of its repetitions. */
static json_t *cell_runs(const struct byw_figure_table *t, size_t cell)
{
    json_t *list = json_array();

    if (t->repeats == 1) {
        json_decref(list);
        return json_pack("s?", t->run[cell]);
    }
    for (unsigned k = 0; k < t->repeats; k++)
        if (t->run[cell * t->repeats + k] != NULL)
            json_array_append_new(list, json_string(t->run[cell * t->repeats + k]));
    return list;
}

static json_t *table_json(const struct byw_figure_table *t)
{
    json_t *columns = json_array(), *rows = json_array();

    for (size_t c = 0; c < t->columns; c++)
        json_array_append_new(columns, json_string(t->column[c]));
    for (size_t r = 0; r < t->rows; r++) {
        json_t *here = json_array(), *paper = json_array(), *runs = json_array(), *row;
        json_t *sd = json_array();

        for (size_t c = 0; c < t->columns; c++) {
            json_array_append_new(here, number_json(t->value[r * t->columns + c]));
            json_array_append_new(paper, number_json(t->paper[r * t->columns + c]));
            json_array_append_new(runs, cell_runs(t, r * t->columns + c));
            json_array_append_new(sd, number_json(t->sd[r * t->columns + c]));
        }
        row = json_pack("{s:s, s:o, s:o, s:o}", "row", t->row[r], "here", here, "paper", paper,
                        "runs", runs);
        if (t->repeats > 1)
            json_object_set(row, "sd", sd);
        json_decref(sd);
        json_array_append_new(rows, row);
    }
    return json_pack("{s:s, s:s, s:s, s:s, s:o, s:o}", "id", t->figure->id, "paper",
                     t->figure->paper, "title", t->figure->title, "quantity", t->figure->what,
                     "columns", columns, "rows", rows);
}

static json_t *figures_json(const struct byw_reproduce *r)
{
    json_t *list = json_array();

    for (size_t i = 0; i < r->papers->figures; i++) {
        const struct byw_figure *figure = &r->papers->figure[i];
        struct byw_figure_table table;

        if (!byw_reproduce_has_figure(r, figure) ||
            byw_figure_make(r, figure, &table, NULL) != BYW_OK)
            continue;
        json_array_append_new(list, table_json(&table));
        byw_figure_release(&table);
    }
    return list;
}

json_t *byw_reproduce_json(const struct byw_reproduce *reproduce)
{
    json_t *claims = json_array(), *figures = figures_json(reproduce), *json;
    size_t counts[BYW_VERDICTS] = {0};
    char about[BYW_ABOUT_ROOM];

    for (size_t i = 0; i < reproduce->papers->claims; i++) {
        const struct byw_claim *claim = &reproduce->papers->claim[i];
        enum byw_verdict verdict;

        if (!byw_reproduce_has_claim(reproduce, claim))
            continue;
        verdict = byw_reproduce_verdict(reproduce, claim);
        counts[verdict]++;
        json_array_append_new(claims, claim_json(reproduce, claim, verdict));
    }
    byw_verdict_about_noise(reproduce->repeat, about);
    json = json_pack("{s:s, s:s, s:s, s:I, s:s}", "schema", "byway.claims/2", "inputs",
                     reproduce->size != NULL ? reproduce->size : "", "settings",
                     reproduce->settings + strspn(reproduce->settings, " "), "repeats",
                     (json_int_t)reproduce->repeat, "noise", about);
    for (int v = 0; json != NULL && v < BYW_VERDICTS; v++)
        json_object_set_new(json, byw_verdict_name((enum byw_verdict)v),
                            json_integer((json_int_t)counts[v]));
    json_object_set_new(json, "papers", papers_json(reproduce, claims, figures));
    json_object_set_new(json, "claims", claims);
    json_object_set_new(json, "figures", figures);
    return json;
}

/* --- text ------------------------------------------------------------------------------------ */

static void text_number(FILE *out, const struct byw_reproduce *r, const struct byw_claim_number *n)
{
    struct byw_judged j = byw_reproduce_judge(r, n);
    double value = j.value.mean, strength = byw_claim_strength(n, value);
    size_t all, missing = byw_reproduce_gaps(r, n, &all, NULL);
    char half[32], note[BYW_NOTE_ROOM];

    fprintf(out, "      %-24s paper %7.3f  here ", n->text, n->value);
    if (isnan(value))
        fprintf(out, "%7s", "-");
    else
        fprintf(out, "%7.3f", value);
    byw_figure_sd_text(j.value.count > 1 ? j.uncertainty.half : NAN, half);
    fputs(half, out);
    if (isnan(strength))
        fprintf(out, "  %7s", "");
    else
        fprintf(out, "  x %5.2f", strength);
    if (j.verdict == BYW_INCOMPLETE)
        fprintf(out, "  %zu of %zu runs are missing\n", missing, all);
    else if (j.verdict == BYW_NOT)
        fprintf(out, "  not: %s expected\n", byw_sense_name(n->sense));
    else
        fprintf(out, "  %s%s%s\n", byw_verdict_name(j.verdict), j.verdict == BYW_PARTLY ? ": " : "",
                byw_verdict_lacks(n, value, j.verdict));
    byw_reproduce_note(r, n, note);
    if (note[0] != '\0')
        fprintf(out, "        (%s)\n", note);
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
            byw_figure_sd_text(t->sd[r * t->columns + c], text);
            fputs(text, out);
            byw_figure_text(t->paper[r * t->columns + c], text);
            if (!isnan(t->paper[r * t->columns + c]))
                fprintf(out, " (%s)", text);
        }
        fputc('\n', out);
    }
}

/* A figure selected alone is also shown as numbers. */
static void text_figures(FILE *out, const struct byw_reproduce *r)
{
    for (size_t i = 0; i < r->papers->figures; i++) {
        const struct byw_figure *figure = &r->papers->figure[i];
        struct byw_figure_table table;

        if (!byw_reproduce_has_figure(r, figure) ||
            byw_figure_make(r, figure, &table, NULL) != BYW_OK)
            continue;
        text_figure(out, &table);
        byw_figure_release(&table);
    }
}

static void text_counts(FILE *out, const struct byw_reproduce *r, const size_t counts[BYW_VERDICTS],
                        size_t all)
{
    char about[BYW_ABOUT_ROOM];

    fprintf(out, "%zu claim%s: ", all, all == 1 ? "" : "s");
    byw_verdict_counts(out, counts);
    fputc('\n', out);
    byw_verdict_about_noise(r->repeat, about);
    byw_text_wrap(out, about, 0, "");
}

static void text_shipped(FILE *out, const struct byw_reproduce *r, const struct byw_claim *claim)
{
    json_t *list = byw_reproduce_shipped(r, claim), *one;
    size_t i;

    json_array_foreach(list, i, one) fprintf(
        out, "%s%s", i == 0 ? "      with the shipped input: " : ", ", json_string_value(one));
    if (json_array_size(list) > 0)
        fputc('\n', out);
    json_decref(list);
}

static void text_reason(FILE *out, const struct byw_claim *claim)
{
    fprintf(out, "      why: %s\n", claim->reason);
    if (claim->experiment[0] != '\0')
        fprintf(out, "      shown by: %s\n", claim->experiment);
}

void byw_reproduce_table(FILE *out, const struct byw_reproduce *reproduce)
{
    size_t counts[BYW_VERDICTS] = {0}, all = 0;

    for (size_t i = 0; i < reproduce->papers->claims; i++) {
        const struct byw_claim *claim = &reproduce->papers->claim[i];
        enum byw_verdict verdict;

        if (!byw_reproduce_has_claim(reproduce, claim))
            continue;
        verdict = byw_reproduce_verdict(reproduce, claim);
        counts[verdict]++;
        all++;
        fprintf(out, "%-5s %-11s %s\n", claim->id, byw_verdict_name(verdict), claim->text);
        for (size_t n = 0; n < claim->numbers; n++)
            text_number(out, reproduce, &claim->number[n]);
        text_shipped(out, reproduce, claim);
        if (byw_reproduce_explains(verdict, claim))
            text_reason(out, claim);
    }
    if (all > 0)
        text_counts(out, reproduce, counts, all);
    else
        text_figures(out, reproduce);
}
