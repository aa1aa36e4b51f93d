/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_reproduce_markdown.c - claims and figures as Markdown with an SVG per chart: the gallery.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "study/papers/byw_figure.h"
#include "study/papers/byw_reproduce_state.h"

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
static const json_t *beside_claim(const json_t *other, const char *id)
{
    json_t *one;
    size_t i;

    json_array_foreach(json_object_get(other, "claims"), i,
                       one) if (strcmp(byw_result_text(one, "id"), id) == 0) return one;
    return NULL;
}

static const json_t *beside_number(const json_t *other, const struct byw_claim_number *n)
{
    json_t *one;
    size_t i;

    json_array_foreach(json_object_get(beside_claim(other, n->id), "numbers"), i,
                       one) if (strcmp(byw_result_text(one, "number"), n->text) == 0) return one;
    return NULL;
}

/* Whether a number came out as in the paper; NaN: there is none. */
static void put_holds(FILE *out, const struct byw_claim_number *n, double value, size_t missing,
                      size_t all)
{
    if (missing > 0)
        fprintf(out, " %zu of %zu runs missing |", missing, all);
    else if (isnan(value))
        fputs(" - |", out);
    else if (byw_claim_holds(n, value))
        fputs(" yes |", out);
    else
        fprintf(out, " no: %s expected |", byw_sense_name(n->sense));
}

static void put_beside(FILE *out, const json_t *other, const struct byw_claim_number *n)
{
    const json_t *one = beside_number(other, n), *here = json_object_get(one, "here");
    double value = json_is_number(here) ? json_number_value(here) : NAN;
    char text[32];

    byw_figure_text(value, text);
    fprintf(out, " %s |", text);
    put_holds(out, n, value, json_array_size(json_object_get(one, "missing")),
              (size_t)byw_result_number(one, "needed"));
}

static void put_number(FILE *out, const struct byw_reproduce *r, const json_t *beside,
                       const struct byw_claim_number *n)
{
    double value = byw_reproduce_value(r, n), strength = byw_claim_strength(n, value);
    size_t all, missing = byw_reproduce_gaps(r, n, &all, NULL), i;
    char here[32], paper[32];
    json_t *other;

    byw_figure_text(value, here);
    byw_figure_text(n->value, paper);
    fputs("| | ", out);
    put_text(out, n->text);
    fprintf(out, " | %s | %s | ", paper, here);
    if (!isnan(strength))
        fprintf(out, "%.2f", strength);
    fputs(" |", out);
    put_holds(out, n, value, missing, all);
    json_array_foreach(beside, i, other) put_beside(out, other, n);
    fputc('\n', out);
}

/* A line under a claim that goes across all columns. */
static void put_line(FILE *out, const char *text, const json_t *beside)
{
    fputs("| | *", out);
    put_text(out, text);
    fputs("* | | | | |", out);
    for (size_t i = 0; i < json_array_size(beside); i++)
        fputs(" | |", out);
    fputc('\n', out);
}

/* Which of a claim's workloads have the shipped input; size: whose, empty: of this table. */
static void put_shipped(FILE *out, const json_t *list, const char *size, const json_t *beside)
{
    char *text = NULL;
    size_t room = 0, i;
    json_t *one;
    FILE *line;

    if (json_array_size(list) == 0 || (line = open_memstream(&text, &room)) == NULL)
        return;
    fprintf(line, "%s%swith the shipped input: ", size, size[0] != '\0' ? ", " : "");
    json_array_foreach(list, i, one)
        fprintf(line, "%s%s", i > 0 ? ", " : "", json_string_value(one));
    if (fclose(line) == 0)
        put_line(out, text, beside);
    free(text);
}

static void put_claim(FILE *out, const struct byw_reproduce *r, const json_t *beside,
                      const struct byw_claim *claim)
{
    enum byw_verdict verdict = byw_reproduce_verdict(r, claim);
    json_t *shipped = byw_reproduce_shipped(r, claim), *other;
    size_t i;

    fprintf(out, "| **%s** | **", claim->id);
    put_text(out, claim->text);
    fprintf(out, "** | | | | **%s** |", byw_verdict_name(verdict));
    json_array_foreach(beside, i, other)
    {
        const char *theirs = byw_result_text(beside_claim(other, claim->id), "verdict");

        fprintf(out, theirs[0] != '\0' ? " | **%s** |" : " | %s |", theirs);
    }
    fputc('\n', out);
    for (i = 0; i < claim->numbers; i++)
        put_number(out, r, beside, &claim->number[i]);
    put_shipped(out, shipped, "", beside);
    json_array_foreach(beside, i, other)
        put_shipped(out, json_object_get(beside_claim(other, claim->id), "shipped"),
                    byw_result_text(other, "inputs"), beside);
    if (byw_reproduce_explains(verdict, claim))
        put_line(out, claim->reason, beside);
    json_decref(shipped);
}

static void put_head(FILE *out, const json_t *beside)
{
    json_t *other;
    size_t i;

    fputs("\n| | claim | paper | here | effect | as in the paper |", out);
    json_array_foreach(beside, i, other)
        fprintf(out, " %s | as in the paper |", byw_result_text(other, "inputs"));
    fputs("\n|---|---|---|---|---|---|", out);
    for (i = 0; i < json_array_size(beside); i++)
        fputs("---|---|", out);
    fputc('\n', out);
}

static void put_claims(FILE *out, const struct byw_reproduce *r, const json_t *beside,
                       const char *paper)
{
    bool any = false;

    for (size_t i = 0; i < r->papers->claims; i++) {
        const struct byw_claim *claim = &r->papers->claim[i];

        if (strcmp(claim->paper, paper) != 0 || !byw_reproduce_has_claim(r, claim))
            continue;
        if (!any)
            put_head(out, beside);
        any = true;
        put_claim(out, r, beside, claim);
    }
}

static void put_verdicts(FILE *out, int reproduced, int partly, int not, int incomplete)
{
    fprintf(out, "%d reproduced, %d partly, %d not", reproduced, partly, not );
    if (incomplete > 0)
        fprintf(out, ", %d incomplete", incomplete);
}

/* How many claims of other inputs have this verdict. */
static int verdicts(const json_t *other, enum byw_verdict verdict)
{
    json_t *claim;
    int count = 0;
    size_t i;

    json_array_foreach(json_object_get(other, "claims"), i, claim) count +=
        strcmp(byw_result_text(claim, "verdict"), byw_verdict_name(verdict)) == 0;
    return count;
}

static void put_counts(FILE *out, const struct byw_reproduce *r, const json_t *beside)
{
    int counts[BYW_VERDICTS] = {0}, all = 0;
    json_t *other;
    size_t i;

    for (i = 0; i < r->papers->claims; i++)
        if (byw_reproduce_has_claim(r, &r->papers->claim[i])) {
            counts[byw_reproduce_verdict(r, &r->papers->claim[i])]++;
            all++;
        }
    if (all > 0) {
        fprintf(out, "\n%d claims: ", all);
        put_verdicts(out, counts[BYW_REPRODUCED], counts[BYW_PARTLY], counts[BYW_NOT],
                     counts[BYW_INCOMPLETE]);
        fputs(". *Effect*: how large ours is, in logarithms; 1: as the paper's, 0.5: half of "
              "it,\nbelow 0: the other way; of a level: ours over the paper's.\n"
              "Each number is of one run without noise, with the set index of its machine; what "
              "that decides:\n`cmodel/doc/noise.md`, `cmodel/doc/sensitivity.md`.\n",
              out);
    }
    json_array_foreach(beside, i, other)
    {
        fprintf(out, "With inputs of size %s, in two columns of their own, %zu claims: ",
                byw_result_text(other, "inputs"),
                json_array_size(json_object_get(other, "claims")));
        put_verdicts(out, verdicts(other, BYW_REPRODUCED), verdicts(other, BYW_PARTLY),
                     verdicts(other, BYW_NOT), verdicts(other, BYW_INCOMPLETE));
        fputs(".\n", out);
    }
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
    bool larger = r->size != NULL && strcmp(r->size, "test") != 0;

    if (st != BYW_OK)
        return st;
    fprintf(out, "\n### %s\n\n", f->title);
    if (f->what[0] != '\0')
        fprintf(out, "%c%s; the paper's in brackets. ", f->what[0] - ('a' <= f->what[0] ? 32 : 0),
                f->what + 1);
    fprintf(out, "`byway reproduce %s --figure %s%s%s`\n", f->paper, f->id,
            larger ? " --size " : "", larger ? r->size : "");
    if (byw_figure_has_chart(&table)) {
        fprintf(out, "\n![%s](%s.svg)\n", f->title, f->id);
        st = put_chart(&table, folder, diag);
    }
    put_table(out, &table);
    byw_figure_release(&table);
    return st;
}

/* Whether claims or figures of a paper are asked for. */
static bool is_asked_for(const struct byw_reproduce *r, const char *paper)
{
    for (size_t i = 0; i < r->papers->figures; i++)
        if (strcmp(r->papers->figure[i].paper, paper) == 0 &&
            byw_reproduce_has_figure(r, &r->papers->figure[i]))
            return true;
    for (size_t i = 0; i < r->papers->claims; i++)
        if (strcmp(r->papers->claim[i].paper, paper) == 0 &&
            byw_reproduce_has_claim(r, &r->papers->claim[i]))
            return true;
    return false;
}

static enum byw_status put_papers(FILE *out, const struct byw_reproduce *r, const json_t *beside,
                                  const char *folder, struct byw_diag *diag)
{
    enum byw_status st = BYW_OK;

    for (size_t p = 0; st == BYW_OK && p < r->papers->papers; p++) {
        const struct byw_paper *paper = &r->papers->paper[p];

        if (!is_asked_for(r, paper->number))
            continue;
        fprintf(out, "\n## %s: %s\n", paper->number, paper->title);
        put_claims(out, r, beside, paper->number);
        for (size_t i = 0; st == BYW_OK && i < r->papers->figures; i++)
            if (strcmp(r->papers->figure[i].paper, paper->number) == 0 &&
                byw_reproduce_has_figure(r, &r->papers->figure[i]))
                st = put_figure(out, r, &r->papers->figure[i], folder, diag);
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
