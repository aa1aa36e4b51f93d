/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_reproduce_markdown.c - claims and figures as Markdown with an SVG per chart: the gallery.
 */
#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

#include "study/byw_figure.h"
#include "study/byw_paper.h"

/* Text of a cell. */
static void put_text(FILE *out, const char *text)
{
    for (; *text != '\0'; text++) {
        if (*text == '|' || *text == '*' || *text == '_' || *text == '<')
            fputc('\\', out);
        fputc(*text, out);
    }
}

/* --- claims ----------------------------------------------------------------------------------- */

/* What other inputs gave for a claim, or one of its numbers; NULL: nothing. */
static const json_t *beside_claim(const json_t *beside, const char *id)
{
    json_t *one;
    size_t i;

    json_array_foreach(json_object_get(beside, "claims"), i,
                       one) if (strcmp(byw_result_text(one, "id"), id) == 0) return one;
    return NULL;
}

/* Whether a number came out as in the paper; NaN: there is none. */
static void put_holds(FILE *out, const struct byw_claim_number *n, double value)
{
    if (isnan(value))
        fputs(" - |", out);
    else if (byw_claim_holds(n, value))
        fputs(" yes |", out);
    else
        fprintf(out, " no: %s expected |", byw_sense_name(n->sense));
}

static void put_beside(FILE *out, const json_t *beside, const struct byw_claim_number *n)
{
    const json_t *numbers = json_object_get(beside_claim(beside, n->id), "numbers");
    double value = NAN;
    char here[32] = "-";
    json_t *one;
    size_t i;

    if (beside == NULL)
        return;
    json_array_foreach((json_t *)numbers, i, one)
    {
        if (strcmp(byw_result_text(one, "number"), n->text) == 0 &&
            json_is_number(json_object_get(one, "here")))
            value = json_number_value(json_object_get(one, "here"));
    }
    if (!isnan(value))
        byw_figure_text(value, here);
    fprintf(out, " %s |", here);
    put_holds(out, n, value);
}

static void put_number(FILE *out, const struct byw_reproduce *r, const json_t *beside,
                       const struct byw_claim_number *n)
{
    double value = byw_reproduce_value(r, n), strength = byw_claim_strength(n, value);
    char here[32], paper[32];

    byw_figure_text(value, here);
    byw_figure_text(n->value, paper);
    fputs("| | ", out);
    put_text(out, n->text);
    fprintf(out, " | %s | %s | ", paper, here);
    if (!isnan(strength))
        fprintf(out, "%.2f", strength);
    fputs(" |", out);
    put_holds(out, n, value);
    put_beside(out, beside, n);
    fputc('\n', out);
}

static void put_claim(FILE *out, const struct byw_reproduce *r, const json_t *beside,
                      const struct byw_claim *claim)
{
    enum byw_verdict verdict = byw_reproduce_verdict(r, claim);

    fprintf(out, "| **%s** | **", claim->id);
    put_text(out, claim->text);
    fprintf(out, "** | | | | **%s** |", byw_verdict_name(verdict));
    if (beside != NULL)
        fprintf(out, " | **%s** |", byw_result_text(beside_claim(beside, claim->id), "verdict"));
    fputc('\n', out);
    for (size_t i = 0; i < byw_claim_number_count(); i++)
        if (strcmp(byw_claim_number(i)->id, claim->id) == 0)
            put_number(out, r, beside, byw_claim_number(i));
    if (verdict != BYW_REPRODUCED && claim->reason[0] != '\0') {
        fputs("| | *", out);
        put_text(out, claim->reason);
        fprintf(out, "* | | | | |%s\n", beside != NULL ? " | |" : "");
    }
}

static void put_claims(FILE *out, const struct byw_reproduce *r, const json_t *beside,
                       const char *paper)
{
    const char *size = byw_result_text(beside, "inputs");
    bool any = false;

    for (size_t i = 0; i < byw_claim_count(); i++) {
        const struct byw_claim *claim = byw_claim(i);

        if (strcmp(claim->paper, paper) != 0 || !byw_reproduce_has_claim(r, claim))
            continue;
        if (!any && beside == NULL)
            fputs("\n| | claim | paper | here | effect | as in the paper "
                  "|\n|---|---|---|---|---|---|\n",
                  out);
        else if (!any)
            fprintf(out,
                    "\n| | claim | paper | here | effect | as in the paper | %s | as in the paper "
                    "|\n|---|---|---|---|---|---|---|---|\n",
                    size);
        any = true;
        put_claim(out, r, beside, claim);
    }
}

static void put_counts(FILE *out, const struct byw_reproduce *r, const json_t *beside)
{
    int counts[BYW_NOT + 1] = {0}, all = 0;

    for (size_t i = 0; i < byw_claim_count(); i++)
        if (byw_reproduce_has_claim(r, byw_claim(i))) {
            counts[byw_reproduce_verdict(r, byw_claim(i))]++;
            all++;
        }
    if (all > 0)
        fprintf(out,
                "\n%d claims: %d reproduced, %d partly, %d not. *Effect*: how large ours is, in "
                "logarithms; 1: as the paper's, 0.5: half of it,\nbelow 0: the other way; of a "
                "level: ours over the paper's.\n",
                all, counts[BYW_REPRODUCED], counts[BYW_PARTLY], counts[BYW_NOT]);
    if (beside != NULL)
        fprintf(out,
                "With inputs of size %s, in the two columns on the right: %.0f reproduced, %.0f "
                "partly, %.0f not.\n",
                byw_result_text(beside, "inputs"), byw_result_number(beside, "reproduced"),
                byw_result_number(beside, "partly"), byw_result_number(beside, "not"));
}

/* --- figures ---------------------------------------------------------------------------------- */

static void put_table(FILE *out, const struct byw_figure_table *t)
{
    char text[32];

    fputs("\n| |", out);
    for (size_t c = 0; c < t->columns; c++) {
        fputc(' ', out);
        put_text(out, t->column[c]);
        fputs(" |", out);
    }
    fputs("\n|---|", out);
    for (size_t c = 0; c < t->columns; c++)
        fputs("---|", out);
    for (size_t r = 0; r < t->rows; r++) {
        fputs("\n| ", out);
        put_text(out, t->row[r]);
        fputs(" |", out);
        for (size_t c = 0; c < t->columns; c++) {
            byw_figure_text(t->value[r * t->columns + c], text);
            fprintf(out, " %s", text);
            byw_figure_text(t->paper[r * t->columns + c], text);
            if (!isnan(t->paper[r * t->columns + c]))
                fprintf(out, " (%s)", text);
            fputs(" |", out);
        }
    }
    fputc('\n', out);
}

static enum byw_status put_chart(const struct byw_figure_table *t, const char *folder,
                                 struct byw_diag *diag)
{
    char path[PATH_MAX];
    struct byw_file *file = NULL;
    enum byw_status st;

    if (snprintf(path, sizeof(path), "%s/%s.svg", folder, t->figure->id) >= (int)sizeof(path))
        return byw_diag_set(diag, BYW_EINVAL, "%.60s...: path too long", folder);
    st = byw_file_create(path, &file, diag);
    if (st != BYW_OK)
        return st;
    byw_figure_svg(byw_file_stream(file), t);
    return byw_file_commit(file, diag);
}

static enum byw_status put_figure(FILE *out, const struct byw_reproduce *r,
                                  const struct byw_figure *f, const char *folder,
                                  struct byw_diag *diag)
{
    struct byw_figure_table table;
    enum byw_status st = byw_figure_make(r, f, &table, diag);

    if (st != BYW_OK)
        return st;
    fprintf(out, "\n### %s\n\n", f->title);
    if (f->what[0] != '\0')
        fprintf(out, "%c%s; the paper's in brackets. ", f->what[0] - ('a' <= f->what[0] ? 32 : 0),
                f->what + 1);
    fprintf(out, "`byway reproduce %s --figure %s`\n", f->paper, f->id);
    if (byw_figure_has_chart(&table)) {
        fprintf(out, "\n![%s](%s.svg)\n", f->title, f->id);
        st = put_chart(&table, folder, diag);
    }
    put_table(out, &table);
    byw_figure_release(&table);
    return st;
}

static enum byw_status put_papers(FILE *out, const struct byw_reproduce *r, const json_t *beside,
                                  const char *folder, struct byw_diag *diag)
{
    enum byw_status st = BYW_OK;

    for (size_t p = 0; st == BYW_OK && p < byw_paper_count(); p++) {
        const struct byw_paper *paper = byw_paper(p);
        bool any = false;

        for (size_t i = 0; i < byw_figure_count(); i++)
            any = any || (strcmp(byw_figure(i)->paper, paper->number) == 0 &&
                          byw_reproduce_has_figure(r, byw_figure(i)));
        for (size_t i = 0; i < byw_claim_count(); i++)
            any = any || (strcmp(byw_claim(i)->paper, paper->number) == 0 &&
                          byw_reproduce_has_claim(r, byw_claim(i)));
        if (!any)
            continue;
        fprintf(out, "\n## %s: %s\n", paper->number, paper->title);
        put_claims(out, r, beside, paper->number);
        for (size_t i = 0; st == BYW_OK && i < byw_figure_count(); i++)
            if (strcmp(byw_figure(i)->paper, paper->number) == 0 &&
                byw_reproduce_has_figure(r, byw_figure(i)))
                st = put_figure(out, r, byw_figure(i), folder, diag);
    }
    return st;
}

enum byw_status byw_reproduce_markdown(const struct byw_reproduce *reproduce, const char *folder,
                                       const char *about, const json_t *beside,
                                       struct byw_diag *diag)
{
    char path[PATH_MAX];
    struct byw_file *file = NULL;
    enum byw_status st;

    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return byw_diag_set(diag, BYW_EIO, "%s: %s; expected a folder that can be made", folder,
                            strerror(errno));
    if (snprintf(path, sizeof(path), "%s/README.md", folder) >= (int)sizeof(path))
        return byw_diag_set(diag, BYW_EINVAL, "%.60s...: path too long", folder);
    st = byw_file_create(path, &file, diag);
    if (st != BYW_OK)
        return st;
    fprintf(byw_file_stream(file), "# The papers redone\n\n%s\n", about);
    put_counts(byw_file_stream(file), reproduce, beside);
    st = put_papers(byw_file_stream(file), reproduce, beside, folder, diag);
    if (st == BYW_OK)
        return byw_file_commit(file, diag);
    byw_file_discard(file);
    return st;
}
