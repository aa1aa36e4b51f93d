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

/* The result of other inputs for a claim or one of its numbers; NULL: none. */
static const json_t *beside_claim(const json_t *other, const char *id)
{
    json_t *one;
    size_t i;

    json_array_foreach(json_object_get(other, "claims"), i,
                       one) if (strcmp(byw_result_text(one, "id"), id) == 0) return one;
    return NULL;
}

static bool has_text(const json_t *one, const char *key, const char *text)
{
    return strcmp(byw_result_text(one, key), text) == 0;
}

/* The entry of number `n` in `other`, the results of other inputs; NULL: none, or the record of the
 * number has changed since. */
static const json_t *beside_number(const json_t *other, const struct byw_claim_number *n)
{
    char variant[BYW_VARIANT_ROOM];
    json_t *one;
    size_t i;

    byw_source_text(&n->source, n->source.run, variant);
    json_array_foreach(json_object_get(beside_claim(other, n->id), "numbers"), i, one)
    {
        if (has_text(one, "number", n->text) && has_text(one, "metric", n->metric) &&
            has_text(one, "variant", variant) && has_text(one, "workloads", n->of.list))
            return one;
    }
    return NULL;
}

/* Whether a number is reproduced. */
static void put_verdict(FILE *out, const struct byw_claim_number *n, const struct byw_judged *j,
                        size_t missing, size_t all)
{
    if (missing > 0)
        fprintf(out, " %zu of %zu runs missing |", missing, all);
    else if (isnan(j->value.mean))
        fputs(" - |", out);
    else if (j->verdict == BYW_NOT)
        fprintf(out, " not: %s expected |", byw_sense_name(n->sense));
    else if (j->verdict == BYW_PARTLY)
        fprintf(out, " partly: %s |", byw_verdict_lacks(n, j->value.mean, j->verdict));
    else
        fprintf(out, " %s |", byw_verdict_name(j->verdict));
}

/* A number; for several runs with half of its interval, if there is a number. */
static void put_value(FILE *out, const struct byw_judged *j)
{
    char text[32];

    byw_figure_text(j->value.mean, text);
    fputs(text, out);
    byw_figure_sd_text(j->value.count > 1 && !isnan(j->value.mean) ? j->uncertainty.half : NAN,
                       text);
    fputs(text, out);
}

/* A number for other inputs, judged by the current rules; files of version 0.1 lack member `n`. */
static struct byw_judged judge_beside(const struct byw_reproduce *r, const json_t *one,
                                      const struct byw_claim_number *n)
{
    const json_t *here = json_object_get(one, "here");
    const json_t *acting = json_object_get(one, "acting");
    struct byw_spread value = byw_spread_given(
        json_is_number(here) ? json_number_value(here) : NAN, byw_result_number(one, "sd"),
        json_object_get(one, "n") != NULL ? (size_t)byw_result_number(one, "n") : 1);
    struct byw_judged j = byw_reproduce_judge_value(
        r, n, value, json_is_number(acting) ? json_number_value(acting) : NAN);

    if (json_array_size(json_object_get(one, "missing")) > 0)
        j.verdict = BYW_INCOMPLETE;
    return j;
}

static void put_beside(FILE *out, const struct byw_reproduce *r, const json_t *other,
                       const struct byw_claim_number *n)
{
    const json_t *one = beside_number(other, n);
    struct byw_judged j = judge_beside(r, one, n);

    fputc(' ', out);
    put_value(out, &j);
    fputs(" |", out);
    put_verdict(out, n, &j, json_array_size(json_object_get(one, "missing")),
                (size_t)byw_result_number(one, "needed"));
}

/* The empty cells of a line that belongs to a claim. */
static void put_rest(FILE *out, const json_t *beside)
{
    fputs(" | | | | |", out);
    for (size_t i = 0; i < json_array_size(beside); i++)
        fputs(" | |", out);
    fputc('\n', out);
}

static void put_line(FILE *out, const char *text, const json_t *beside)
{
    fputs("| | *", out);
    put_text(out, text);
    fputc('*', out);
    put_rest(out, beside);
}

static void put_number(FILE *out, const struct byw_reproduce *r, const json_t *beside,
                       const struct byw_claim_number *n)
{
    struct byw_judged j = byw_reproduce_judge(r, n);
    double strength = byw_claim_strength(n, j.value.mean);
    size_t all, missing = byw_reproduce_gaps(r, n, &all, NULL), i;
    char paper[32], note[BYW_NOTE_ROOM];
    json_t *other;

    byw_figure_text(n->value, paper);
    fputs("| | ", out);
    put_text(out, n->text);
    fprintf(out, " | %s | ", paper);
    put_value(out, &j);
    fputs(" | ", out);
    if (!isnan(strength))
        fprintf(out, "%.2f", strength);
    fputs(" |", out);
    put_verdict(out, n, &j, missing, all);
    json_array_foreach(beside, i, other) put_beside(out, r, other, n);
    fputc('\n', out);
    byw_reproduce_note(r, n, note);
    if (note[0] != '\0')
        put_line(out, note, beside);
}

/* The verdict of other inputs on a claim; false if they lack some of its numbers. */
static bool beside_verdict(const struct byw_reproduce *r, const json_t *other,
                           const struct byw_claim *claim, enum byw_verdict *verdict)
{
    size_t count[BYW_VERDICTS] = {0};

    for (size_t i = 0; i < claim->numbers; i++) {
        const json_t *one = beside_number(other, &claim->number[i]);

        if (one == NULL)
            return false;
        count[judge_beside(r, one, &claim->number[i]).verdict]++;
    }
    *verdict = byw_verdict_of_all(count);
    return true;
}

/* The command that shows a reason. */
static void put_command(FILE *out, const char *command, const json_t *beside)
{
    fprintf(out, "| | `%s`", command);
    put_rest(out, beside);
}

/* Lists a claim's workloads that use the shipped input. size: the results to list them for; empty:
 * those of this table. */
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
    fputs("**", out);
    if (claim->section[0] != '\0')
        fprintf(out, " (%s)", claim->section);
    fprintf(out, " | | | | **%s** |", byw_verdict_name(verdict));
    json_array_foreach(beside, i, other)
    {
        enum byw_verdict theirs;

        if (beside_verdict(r, other, claim, &theirs))
            fprintf(out, " | **%s** |", byw_verdict_name(theirs));
        else
            fputs(" | |", out);
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
    if (byw_reproduce_explains(verdict, claim) && claim->experiment[0] != '\0')
        put_command(out, claim->experiment, beside);
    json_decref(shipped);
}

/* "small", "test, l1d.index=fold, 3 runs": how these results differ from those of the page. */
static void put_inputs(FILE *out, const json_t *other)
{
    const char *settings = byw_result_text(other, "settings");
    int repeats = (int)byw_result_number(other, "repeats");

    fprintf(out, "%s%s%s", byw_result_text(other, "inputs"), settings[0] != '\0' ? ", " : "",
            settings);
    if (repeats > 1)
        fprintf(out, ", %d runs", repeats);
}

static void put_head(FILE *out, const json_t *beside)
{
    json_t *other;
    size_t i;

    fputs("\n| | claim | paper | here | effect | verdict |", out);
    json_array_foreach(beside, i, other)
    {
        fputc(' ', out);
        put_inputs(out, other);
        fputs(" | verdict |", out);
    }
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

/* Counts the claims of other inputs by verdict; returns their number. */
static size_t count_beside(const struct byw_reproduce *r, const json_t *other,
                           size_t count[BYW_VERDICTS])
{
    size_t all = 0;

    for (size_t i = 0; i < r->papers->claims; i++) {
        enum byw_verdict verdict;

        if (!byw_reproduce_has_claim(r, &r->papers->claim[i]) ||
            !beside_verdict(r, other, &r->papers->claim[i], &verdict))
            continue;
        count[verdict]++;
        all++;
    }
    return all;
}

static void put_counts(FILE *out, const struct byw_reproduce *r, const json_t *beside)
{
    size_t counts[BYW_VERDICTS] = {0}, all = 0, i;
    char about[BYW_ABOUT_ROOM];
    json_t *other;

    for (i = 0; i < r->papers->claims; i++)
        if (byw_reproduce_has_claim(r, &r->papers->claim[i])) {
            counts[byw_reproduce_verdict(r, &r->papers->claim[i])]++;
            all++;
        }
    if (all > 0) {
        byw_verdict_about_noise(r->repeat, about);
        fprintf(out, "\n%zu claims: ", all);
        byw_verdict_counts(out, counts);
        fprintf(out,
                ". *Effect*: our effect as a fraction of the paper's, on a logarithmic\nscale: 1 "
                "equals the paper's, 0.5 is half of it, below 0 has the opposite sign. For a value "
                "that is not a ratio: ours over the paper's.\n%s\nThe rules of the verdicts: "
                "`cmodel/doc/reproduce.md`; what the set index decides: "
                "`cmodel/doc/sensitivity.md`.\n",
                about);
    }
    json_array_foreach(beside, i, other)
    {
        size_t theirs[BYW_VERDICTS] = {0};

        all = count_beside(r, other, theirs);
        fputs("\nIn two further columns, ", out);
        put_inputs(out, other);
        fprintf(out, ": %zu claims: ", all);
        byw_verdict_counts(out, theirs);
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
            byw_figure_sd_text(t->sd[r * t->columns + c], text);
            fputs(text, out);
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

/* The command that makes a figure with these inputs and settings. */
static void put_figure_command(FILE *out, const struct byw_reproduce *r, const struct byw_figure *f)
{
    bool given = r->size != NULL && (strcmp(r->size, BYW_REPRODUCE_OWN) == 0 ||
                                     strcmp(r->size, BYW_REPRODUCE_TRACES) == 0);
    bool larger = r->size != NULL && strcmp(r->size, "test") != 0 && !given;

    fprintf(out, "`byway reproduce %s --figure %s%s%s", f->paper, f->id,
            larger  ? " --size "
            : given ? " --traces DIR"
                    : "",
            larger ? r->size : "");
    for (const char *at = r->settings; *at != '\0'; at += strcspn(at + 1, " ") + 1)
        fprintf(out, " --set%.*s", (int)(strcspn(at + 1, " ") + 1), at);
    fputs("`\n", out);
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
    put_figure_command(out, r, f);
    if (byw_figure_has_chart(&table)) {
        fprintf(out, "\n![%s](%s.svg)\n", f->title, f->id);
        st = put_chart(&table, folder, diag);
    }
    put_table(out, &table);
    byw_figure_release(&table);
    return st;
}

/* Whether claims or figures of a paper are selected. */
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
        return byw_diag_set(diag, BYW_EIO, "%s: %s; expected a folder that can be created", folder,
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
