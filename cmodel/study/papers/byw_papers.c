/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_papers.c - reads files of claims and figures and checks them against the schema below.
 *
 * A file consists of sections: [claim ID] with its [number NAME]s, [figure ID] with its [column
 * NAME]s and [row NAME]s, [paper NUMBER].  Keys of the file apply to all of its claims and figures,
 * and keys of a claim or figure to its parts, unless a part sets the key itself.
 */
#include "study/papers/byw_papers.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "byw_papers_text.h"
#include "common/byw_array.h"
#include "common/byw_config.h"
#include "common/byw_input.h"
#include "common/byw_text.h"
#include "study/papers/byw_reproduce.h"

/* --- schema ----------------------------------------------------------------------------------- */

enum section { TOP, PAPER, CLAIM, NUMBER, FIGURE, COLUMN, ROW, SECTIONS };

static const char *const section_names[SECTIONS] = {"",       "paper",  "claim", "number",
                                                    "figure", "column", "row"};

enum { IN_TOP = 1 << TOP, IN_PAPER = 1 << PAPER, IN_CLAIM = 1 << CLAIM, IN_NUMBER = 1 << NUMBER };
enum { IN_FIGURE = 1 << FIGURE, IN_COLUMN = 1 << COLUMN, IN_ROW = 1 << ROW };
enum { IN_CLAIMS = IN_TOP | IN_CLAIM | IN_NUMBER, IN_ALL = IN_CLAIMS | IN_FIGURE | IN_COLUMN };

static const char over_choices[] = "geomean|mean|max|min";
static const char scale_choices[] = "relative|absolute|table";
static const char expect_choices[] =
#define X(code, word, name) "|" word
    BYW_SENSE_LIST(X)
#undef X
    ;

/* Every key: its name, the sections that may set it, and its values. */
#define KEYS(X)                                                                                    \
    X(paper, IN_TOP | IN_CLAIM | IN_FIGURE, NULL)                                                  \
    X(statement, IN_CLAIM, NULL)                                                                   \
    X(section, IN_CLAIM, NULL)                                                                     \
    X(reason, IN_CLAIM, NULL)                                                                      \
    X(experiment, IN_CLAIM, NULL)                                                                  \
    X(workloads, IN_CLAIMS | IN_FIGURE, NULL)                                                      \
    X(kernels, IN_CLAIMS | IN_FIGURE, NULL)                                                        \
    X(over, IN_CLAIMS, over_choices)                                                               \
    X(metric, IN_ALL | IN_ROW, NULL)                                                               \
    X(run, IN_ALL, NULL)                                                                           \
    X(reference, IN_CLAIMS, NULL)                                                                  \
    X(reference_workload, IN_CLAIM | IN_NUMBER, NULL)                                              \
    X(reference_metric, IN_CLAIM | IN_NUMBER, NULL)                                                \
    X(expect, IN_CLAIMS, expect_choices + 1)                                                       \
    X(value, IN_NUMBER, NULL)                                                                      \
    X(acts, IN_CLAIM | IN_NUMBER, NULL)                                                            \
    X(relative_to, IN_NUMBER, NULL)                                                                \
    X(workload, IN_COLUMN, NULL)                                                                   \
    X(title, IN_FIGURE | IN_PAPER, NULL)                                                           \
    X(quantity, IN_FIGURE, NULL)                                                                   \
    X(scale, IN_FIGURE, scale_choices)                                                             \
    X(name, IN_PAPER, NULL)                                                                        \
    X(authors, IN_PAPER, NULL)                                                                     \
    X(venue, IN_PAPER, NULL)

enum key {
#define X(key, sections, choices) KEY_##key,
    KEYS(X)
#undef X
        KEY_COUNT
};

static const struct {
    const char *name;
    unsigned sections;
    const char *choices; /* separated by '|'; NULL: any text */
} keys[KEY_COUNT] = {
#define X(key, sections, choices) {#key, sections, choices},
    KEYS(X)
#undef X
};

/* --- reading ---------------------------------------------------------------------------------- */

/* The keys that a section has set. */
struct values {
    const char *text[KEY_COUNT];
};

struct reading {
    struct byw_papers *papers;
    const char *file;
    unsigned line;
    enum section section; /* section of the current line */
    unsigned section_line, record_line;
    struct values top, record, part;
    struct byw_diag *diag;
};

/* Reports an error in a line. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
static enum byw_status
fail(const struct reading *r, unsigned line, const char *format, ...)
{
    char text[768];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    return byw_diag_set(r->diag, BYW_EFORMAT, "%s:%u: %s", r->file, line, text);
}

static enum byw_status no_memory(const struct reading *r)
{
    return byw_no_memory(r->diag, "the claims");
}

/* A new string that lives as long as the papers; NULL: out of memory. */
static char *keep(struct byw_papers *papers, char *text)
{
    if (text == NULL || !BYW_ARRAY_ROOM(papers->text, papers->text_room, papers->texts + 1)) {
        free(text);
        return NULL;
    }
    papers->text[papers->texts++] = text;
    return text;
}

/* The value of a key for the open part: its own, otherwise its record's, otherwise the file's. */
static const char *value(const struct reading *r, enum key key)
{
    if (r->part.text[key] != NULL)
        return r->part.text[key];
    return r->record.text[key] != NULL ? r->record.text[key] : r->top.text[key];
}

static const char *value_or(const struct reading *r, enum key key, const char *otherwise)
{
    const char *text = value(r, key);

    return text != NULL ? text : otherwise;
}

static int chosen(const struct reading *r, enum key key)
{
    const char *word = value(r, key);

    return byw_word_find(keys[key].choices, word, strlen(word));
}

static bool is_number(const char *text, double *number)
{
    char *end;

    *number = strtod(text, &end);
    return end != text && *end == '\0' && isfinite(*number);
}

/* Requires keys of the open section, which has been read. */
static enum byw_status require(const struct reading *r, unsigned line, const enum key *needed,
                               size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (value(r, needed[i]) == NULL)
            return fail(r, line, "[%s] lacks the key '%s'%s%s", section_names[r->section],
                        keys[needed[i]].name, keys[needed[i]].choices != NULL ? ": " : "",
                        keys[needed[i]].choices != NULL ? keys[needed[i]].choices : "");
    return BYW_OK;
}

#define REQUIRE(r, line, ...)                                                                      \
    require(r, line, (const enum key[]){__VA_ARGS__},                                              \
            sizeof((const enum key[]){__VA_ARGS__}) / sizeof(enum key))

/* The selection of figures whose rows are metrics: one row of constants. */
static const struct byw_selection nothing = {"ALL", true};

/* The rows: those that the innermost section selects, or none. */
static struct byw_selection selection(const struct reading *r)
{
    const struct values *levels[] = {&r->part, &r->record, &r->top};

    for (size_t i = 0; i < sizeof(levels) / sizeof(levels[0]); i++)
        for (int kernels = 0; kernels < 2; kernels++) {
            const char *list = levels[i]->text[kernels ? KEY_kernels : KEY_workloads];

            if (list != NULL)
                return (struct byw_selection){list, kernels != 0};
        }
    return nothing;
}

/* The current line, as "001.claims:12"; NULL: out of memory. */
static const char *where(const struct reading *r)
{
    char *text = NULL;

    return asprintf(&text, "%s:%u", r->file, r->section_line) < 0 ? NULL : keep(r->papers, text);
}

/* --- closing a section: its values become a record ----------------------------------------------
 */

static struct byw_claim *last_claim(const struct reading *r)
{
    return &r->papers->claim[r->papers->claims - 1];
}

static struct byw_figure *last_figure(const struct reading *r)
{
    return &r->papers->figure[r->papers->figures - 1];
}

/* Checks that a run is one of the kinds that byw_reproduce.h lists. */
static enum byw_status check_run(const struct reading *r, const char *run)
{
    static const char *const other[] = {"trace", "mpache", "costs"};

    for (size_t i = 0; i < sizeof(other) / sizeof(other[0]); i++)
        if (strcmp(run, other[i]) == 0)
            return BYW_OK;
    if (strchr(run, '/') != NULL &&
        (strcspn(run, "/") < strcspn(run, " ") || strncmp(run, "stream ", 7) == 0))
        return BYW_OK;
    return fail(r, r->section_line,
                "'%.60s' is not a run; expected MACHINE/POLICY [KEY=VALUE ...], trace, "
                "stream MACHINE/POLICY, mpache or costs",
                run);
}

/* Checks that the paper's own value is as expected (1 if the text only gives an order), and that
 * a value with a reference is compared with 1, one without a reference with the paper's value. */
static enum byw_status check_sense(const struct reading *r, const struct byw_claim_number *n)
{
    const char *expected = byw_sense_name(n->sense);

    if (n->value != 1.0 && !byw_claim_holds(n, n->value))
        return fail(r, r->section_line, "value %s is not as expected: %s", value(r, KEY_value),
                    expected);
    if (n->reference.run != NULL && (n->sense == BYW_LEVEL || n->sense == BYW_SHARE))
        return fail(r, r->section_line, "expect = %s must not have a reference",
                    value(r, KEY_expect));
    if (n->reference.run == NULL && n->relative_to == NULL && n->sense != BYW_LEVEL &&
        n->sense != BYW_SHARE && n->sense != BYW_AT_MOST)
        return fail(r, r->section_line,
                    "expect = %s needs a reference; only level, share and at_most do without",
                    value(r, KEY_expect));
    if (n->acts != NULL && n->reference.run == NULL)
        return fail(r, r->section_line, "acts needs a reference, whose metric it is");
    return BYW_OK;
}

/* Checks that relative_to names a number above. */
static enum byw_status check_relative(const struct reading *r, const struct byw_claim *claim)
{
    const char *name = claim->number[claim->numbers - 1].relative_to;

    for (size_t i = 0; name != NULL && i + 1 < claim->numbers; i++)
        if (strcmp(claim->number[i].text, name) == 0 && claim->number[i].relative_to == NULL)
            return BYW_OK;
    return name == NULL ? BYW_OK
                        : fail(r, r->section_line,
                               "relative_to is '%.60s'; expected a [number NAME] above in this "
                               "claim that has no relative_to itself",
                               name);
}

static enum byw_status close_number(struct reading *r)
{
    struct byw_claim *claim = last_claim(r);
    struct byw_claim_number *n = &claim->number[claim->numbers - 1];
    enum byw_status st =
        REQUIRE(r, r->section_line, KEY_over, KEY_metric, KEY_run, KEY_expect, KEY_value);

    if (st != BYW_OK)
        return st;
    st = check_run(r, value(r, KEY_run));
    if (st == BYW_OK && value(r, KEY_reference) != NULL)
        st = check_run(r, value(r, KEY_reference));
    if (st != BYW_OK)
        return st;
    n->id = claim->id;
    n->of = selection(r);
    if (n->of.list == nothing.list && strcmp(value(r, KEY_run), "costs") != 0)
        return fail(r, r->section_line, "[number] lacks the key 'workloads' or 'kernels'");
    n->how = (enum byw_how)chosen(r, KEY_over);
    n->sense = (enum byw_sense)chosen(r, KEY_expect);
    n->metric = value(r, KEY_metric);
    n->acts = value(r, KEY_acts);
    n->relative_to = value(r, KEY_relative_to);
    n->source = (struct byw_source){.run = value(r, KEY_run), .where = where(r)};
    n->reference = (struct byw_source){.run = value(r, KEY_reference),
                                       .workload = value(r, KEY_reference_workload),
                                       .metric = value(r, KEY_reference_metric),
                                       .where = n->source.where};
    if (n->source.where == NULL)
        return no_memory(r);
    if (!is_number(value(r, KEY_value), &n->value))
        return fail(r, r->section_line, "value is '%s'; expected the paper's number",
                    value(r, KEY_value));
    st = check_relative(r, claim);
    return st == BYW_OK ? check_sense(r, n) : st;
}

static enum byw_status close_column(struct reading *r)
{
    struct byw_figure *figure = last_figure(r);
    enum byw_status st = REQUIRE(r, r->section_line, KEY_run);

    figure->column[figure->columns - 1].source =
        (struct byw_source){.run = value(r, KEY_run),
                            .workload = value(r, KEY_workload),
                            .metric = r->part.text[KEY_metric],
                            .where = where(r)};
    return st == BYW_OK ? check_run(r, value(r, KEY_run)) : st;
}

static enum byw_status close_part(struct reading *r)
{
    enum byw_status st = BYW_OK;

    if (r->section == NUMBER)
        st = close_number(r);
    else if (r->section == COLUMN)
        st = close_column(r);
    else if (r->section == ROW && r->part.text[KEY_metric] == NULL)
        st = fail(r, r->section_line, "[row] lacks the key 'metric'");
    else if (r->section == ROW)
        last_figure(r)->row[last_figure(r)->rows - 1].metric = r->part.text[KEY_metric];
    r->part = (struct values){{NULL}};
    return st;
}

/* Checks that a paper has been described: in papers.def, or by a [paper NUMBER] above. */
static enum byw_status check_paper(const struct reading *r, const char *number)
{
    for (size_t i = 0; i < r->papers->papers; i++)
        if (strcmp(r->papers->paper[i].number, number) == 0)
            return BYW_OK;
    return fail(r, r->record_line,
                "no paper '%s'; expected one of `byway list papers`, or [paper %s] above", number,
                number);
}

static enum byw_status close_claim(struct reading *r)
{
    struct byw_claim *claim = last_claim(r);
    enum byw_status st = REQUIRE(r, r->record_line, KEY_paper, KEY_statement);

    if (st == BYW_OK && claim->numbers == 0)
        st = fail(r, r->record_line, "[claim %s] has no [number NAME]", claim->id);
    if (st != BYW_OK)
        return st;
    claim->paper = value(r, KEY_paper);
    claim->text = value(r, KEY_statement);
    claim->section = value_or(r, KEY_section, "");
    claim->reason = value_or(r, KEY_reason, "");
    claim->experiment = value_or(r, KEY_experiment, "");
    return check_paper(r, claim->paper);
}

/* Whether the figure lists the row. If it lists none, its rows are workloads, whose names are not
 * known here: every name is accepted. */
static bool has_row(const struct byw_figure *figure, const char *name)
{
    for (size_t i = 0; i < figure->rows; i++)
        if (strcmp(figure->row[i].name, name) == 0)
            return true;
    return figure->rows == 0;
}

static enum byw_status close_figure(struct reading *r)
{
    struct byw_figure *figure = last_figure(r);
    enum byw_status st = REQUIRE(r, r->record_line, KEY_paper, KEY_title, KEY_scale);

    if (st != BYW_OK)
        return st;
    figure->paper = value(r, KEY_paper);
    figure->title = value(r, KEY_title);
    figure->what = value_or(r, KEY_quantity, "");
    figure->metric = value_or(r, KEY_metric, "");
    figure->scale = (enum byw_scale)chosen(r, KEY_scale);
    figure->of = selection(r);
    if (figure->columns == 0)
        return fail(r, r->record_line, "[figure %s] has no [column NAME]", figure->id);
    if (figure->rows == 0 && figure->of.list == nothing.list)
        return fail(r, r->record_line, "[figure %s] has no rows: workloads, kernels or [row NAME]",
                    figure->id);
    for (size_t c = 0; c < figure->columns; c++)
        for (size_t p = 0; p < figure->column[c].points; p++)
            if (!has_row(figure, figure->column[c].point[p].row))
                return fail(r, r->record_line, "[figure %s] has no row '%s'", figure->id,
                            figure->column[c].point[p].row);
    return check_paper(r, figure->paper);
}

static enum byw_status close_paper(struct reading *r)
{
    struct byw_paper *paper = &r->papers->paper[r->papers->papers - 1];
    enum byw_status st = REQUIRE(r, r->record_line, KEY_name, KEY_title);

    paper->name = value(r, KEY_name);
    paper->title = value(r, KEY_title);
    paper->authors = value_or(r, KEY_authors, "");
    paper->venue = value_or(r, KEY_venue, "");
    return st;
}

/* The kind of record to which the open section belongs. */
static enum section record_of(enum section section)
{
    if (section == NUMBER)
        return CLAIM;
    return section == COLUMN || section == ROW ? FIGURE : section;
}

static enum byw_status close_record(struct reading *r)
{
    enum section record = record_of(r->section);
    enum byw_status st = close_part(r);

    if (st != BYW_OK)
        return st;
    r->section = record;
    if (record == CLAIM)
        st = close_claim(r);
    else if (record == FIGURE)
        st = close_figure(r);
    else if (record == PAPER)
        st = close_paper(r);
    r->record = (struct values){{NULL}};
    return st;
}

/* --- opening a section ------------------------------------------------------------------------ */

static enum byw_status twice(const struct reading *r, const char *name)
{
    return fail(r, r->line, "a second [%s %s]; expected each name once", section_names[r->section],
                name);
}

static enum byw_status open_claim(struct reading *r, const char *id)
{
    struct byw_papers *p = r->papers;

    for (size_t i = 0; i < p->claims; i++)
        if (strcmp(p->claim[i].id, id) == 0)
            return twice(r, id);
    if (!BYW_ARRAY_ROOM(p->claim, p->claim_room, p->claims + 1))
        return no_memory(r);
    p->claim[p->claims++] = (struct byw_claim){.id = id};
    return BYW_OK;
}

static enum byw_status open_number(struct reading *r, const char *name)
{
    struct byw_claim *claim = last_claim(r);

    for (size_t i = 0; i < claim->numbers; i++)
        if (strcmp(claim->number[i].text, name) == 0)
            return twice(r, name);
    if (!BYW_ARRAY_ROOM(claim->number, claim->room, claim->numbers + 1))
        return no_memory(r);
    claim->number[claim->numbers++] = (struct byw_claim_number){.text = name};
    return BYW_OK;
}

static enum byw_status open_figure(struct reading *r, const char *id)
{
    struct byw_papers *p = r->papers;

    for (size_t i = 0; i < p->figures; i++)
        if (strcmp(p->figure[i].id, id) == 0)
            return twice(r, id);
    if (!BYW_ARRAY_ROOM(p->figure, p->figure_room, p->figures + 1))
        return no_memory(r);
    p->figure[p->figures++] = (struct byw_figure){.id = id};
    return BYW_OK;
}

static enum byw_status open_column(struct reading *r, const char *name)
{
    struct byw_figure *figure = last_figure(r);

    for (size_t i = 0; i < figure->columns; i++)
        if (strcmp(figure->column[i].name, name) == 0)
            return twice(r, name);
    if (!BYW_ARRAY_ROOM(figure->column, figure->column_room, figure->columns + 1))
        return no_memory(r);
    figure->column[figure->columns++] = (struct byw_figure_column){.name = name};
    return BYW_OK;
}

static enum byw_status open_row(struct reading *r, const char *name)
{
    struct byw_figure *figure = last_figure(r);

    if (figure->rows > 0 && has_row(figure, name))
        return twice(r, name);
    if (!BYW_ARRAY_ROOM(figure->row, figure->row_room, figure->rows + 1))
        return no_memory(r);
    figure->row[figure->rows++] = (struct byw_figure_row){.name = name};
    return BYW_OK;
}

static enum byw_status open_paper(struct reading *r, const char *number)
{
    struct byw_papers *p = r->papers;

    for (size_t i = 0; i < p->papers; i++)
        if (strcmp(p->paper[i].number, number) == 0)
            return twice(r, number);
    if (strchr(number, '/') != NULL || strchr(number, ',') != NULL)
        return fail(r, r->line, "[paper %s]: expected a number like 005", number);
    if (!BYW_ARRAY_ROOM(p->paper, p->paper_room, p->papers + 1))
        return no_memory(r);
    p->paper[p->papers++] = (struct byw_paper){.number = number};
    return BYW_OK;
}

/* Opens the section of a line such as "[claim 0.1]". */
static enum byw_status open_section(struct reading *r, char *line)
{
    static enum byw_status (*const open[SECTIONS])(struct reading *, const char *) = {
        NULL, open_paper, open_claim, open_number, open_figure, open_column, open_row};
    char *end = strrchr(line, ']'), *name = strchr(line, ' ');
    enum section next = TOP, record = record_of(r->section);
    enum byw_status st;

    if (end == NULL || end[1] != '\0' || name == NULL)
        return fail(r, r->line, "'%.60s': expected a section such as [claim ID]", line);
    *end = *name++ = '\0';
    while (++next < SECTIONS && strcmp(section_names[next], line + 1) != 0)
        ;
    if (next == SECTIONS || *name == '\0')
        return fail(r, r->line,
                    "unknown section '%.60s'; expected claim, number, figure, column, row or paper",
                    line + 1);
    if (record_of(next) != next && record_of(next) != record)
        return fail(r, r->line, "[%s %s] is not in a %s", section_names[next], name,
                    section_names[record_of(next)]);
    st = record_of(next) == next ? close_record(r) : close_part(r);
    r->section = next;
    r->section_line = r->line;
    if (record_of(next) == next)
        r->record_line = r->line;
    return st == BYW_OK ? open[next](r, name) : st;
}

/* --- lines ------------------------------------------------------------------------------------ */

/* Reads "paper ROW = VALUE" of a column. */
static enum byw_status add_point(struct reading *r, const char *row, const char *text)
{
    struct byw_figure *figure = last_figure(r);
    struct byw_figure_column *column = &figure->column[figure->columns - 1];
    double number;

    if (!is_number(text, &number))
        return fail(r, r->line, "paper %s is '%.60s'; expected the paper's number", row, text);
    for (size_t i = 0; i < column->points; i++)
        if (strcmp(column->point[i].row, row) == 0)
            return fail(r, r->line, "a second number of row '%s'", row);
    if (!BYW_ARRAY_ROOM(column->point, column->room, column->points + 1))
        return no_memory(r);
    column->point[column->points++] = (struct byw_figure_point){row, number};
    return BYW_OK;
}

static enum byw_status unknown_key(const struct reading *r, const char *name)
{
    const char *names[KEY_COUNT], *near;
    size_t count = 0;

    for (size_t k = 0; k < KEY_COUNT; k++)
        if (keys[k].sections & 1U << r->section)
            names[count++] = keys[k].name;
    near = byw_nearest(name, names, count);
    if (r->section == TOP)
        return fail(r, r->line, "unknown key '%.60s' before the first section", name);
    return fail(r, r->line, "[%s] has no key '%.60s'%s%s%s", section_names[r->section], name,
                near != NULL ? "; did you mean '" : "", near != NULL ? near : "",
                near != NULL ? "'?" : "");
}

static enum byw_status set_key(struct reading *r, const char *name, const char *text)
{
    enum section section = r->section;
    struct values *values = section == TOP                  ? &r->top
                            : record_of(section) == section ? &r->record
                                                            : &r->part;

    for (size_t k = 0; k < KEY_COUNT; k++) {
        if (strcmp(keys[k].name, name) != 0 || !(keys[k].sections & 1U << section))
            continue;
        if (*text == '\0')
            return fail(r, r->line, "%s is empty; expected a value", name);
        if (values->text[k] != NULL)
            return fail(r, r->line, "a second '%s' in [%s]", name, section_names[section]);
        if (keys[k].choices != NULL && byw_word_find(keys[k].choices, text, strlen(text)) < 0)
            return fail(r, r->line, "%s is '%.60s'; expected one of %s", name, text,
                        keys[k].choices);
        values->text[k] = text;
        return BYW_OK;
    }
    return unknown_key(r, name);
}

static void trim(char *text)
{
    size_t length = strlen(text);

    while (length > 0 && isspace((unsigned char)text[length - 1]))
        text[--length] = '\0';
}

static enum byw_status read_line(struct reading *r, char *line)
{
    char *equals, *text;

    trim(line);
    if (*line == '\0' || *line == '#')
        return BYW_OK;
    if (*line == '[')
        return open_section(r, line);
    equals = strstr(line, " =");
    if (equals == NULL || (equals[2] != ' ' && equals[2] != '\0'))
        return fail(r, r->line, "'%.60s': expected `key = value` or a section such as [claim ID]",
                    line);
    *equals = '\0';
    text = equals + 2 + strspn(equals + 2, " ");
    trim(line);
    if (r->section == COLUMN && strncmp(line, "paper ", 6) == 0)
        return add_point(r, line + 6, text);
    return set_key(r, line, text);
}

/* Ends the first line of a text with a zero and returns the rest; indented lines after it continue
 * it unless it is empty.  *lines: the number of lines cut. */
static char *cut_line(char *text, unsigned *lines)
{
    char *end = text + strcspn(text, "\n");

    *lines = 1;
    while (end > text && *end == '\n' && (end[1] == ' ' || end[1] == '\t')) {
        size_t indent = strspn(end + 1, " \t");

        *end = ' ';
        memmove(end + 1, end + 1 + indent, strlen(end + 1 + indent) + 1);
        end += strcspn(end, "\n");
        ++*lines;
    }
    if (*end == '\0')
        return end;
    *end = '\0';
    return end + 1;
}

static enum byw_status read_text(struct byw_papers *papers, const char *file, char *text,
                                 struct byw_diag *diag)
{
    struct reading r = {.papers = papers, .file = file, .line = 1, .diag = diag};
    enum byw_status st = keep(papers, text) != NULL ? BYW_OK : no_memory(&r);

    while (st == BYW_OK && *text != '\0') {
        unsigned lines;
        char *rest = cut_line(text, &lines);

        st = read_line(&r, text);
        r.line += lines;
        text = rest;
    }
    return st == BYW_OK ? close_record(&r) : st;
}

/* --- files ------------------------------------------------------------------------------------ */

/* The text of an open file; NULL if it cannot be read or contains a zero byte. */
static char *whole_text(FILE *in)
{
    char *text = NULL, chunk[4096];
    size_t room = 0, count;
    FILE *out = open_memstream(&text, &room);

    while (out != NULL && (count = fread(chunk, 1, sizeof(chunk), in)) > 0)
        fwrite(chunk, 1, count, out);
    if (out == NULL || fclose(out) != 0 || ferror(in) || strlen(text) != room) {
        free(text);
        return NULL;
    }
    return text;
}

static enum byw_status read_file(struct byw_papers *papers, const char *path, struct byw_diag *diag)
{
    FILE *in;
    char *text;
    enum byw_status st = byw_input_open(path, BYW_INPUT_FILE, "a file of claims", &in, diag);

    if (st != BYW_OK)
        return st;
    text = whole_text(in);
    fclose(in);
    if (text == NULL)
        return byw_diag_set(diag, BYW_EIO, "%s: cannot be read; expected a text file", path);
    return read_text(papers, path, text, diag);
}

/* The records of papers.def and of the files that study.mk builds in. */
static enum byw_status read_shipped(struct byw_papers *papers, struct byw_diag *diag)
{
    enum byw_status st = BYW_OK;

    if (!BYW_ARRAY_ROOM(papers->paper, papers->paper_room, byw_paper_count()))
        return byw_no_memory(diag, "the papers");
    for (size_t i = 0; i < byw_paper_count(); i++)
        papers->paper[papers->papers++] = *byw_paper(i);
    for (size_t f = 0; st == BYW_OK && f < sizeof(shipped) / sizeof(shipped[0]); f++) {
        char *text = NULL;
        size_t room;
        FILE *out = open_memstream(&text, &room);

        for (size_t i = 0; out != NULL && shipped[f].line[i] != NULL; i++)
            fputs(shipped[f].line[i], out);
        if (out == NULL || fclose(out) != 0)
            return byw_no_memory(diag, "the claims");
        st = read_text(papers, shipped[f].name, text, diag);
    }
    return st;
}

enum byw_status byw_papers_load(const char *const *file, size_t files, struct byw_papers **papers,
                                struct byw_diag *diag)
{
    enum byw_status st;

    *papers = calloc(1, sizeof(**papers));
    if (*papers == NULL)
        return byw_no_memory(diag, "the claims");
    st = read_shipped(*papers, diag);
    for (size_t i = 0; st == BYW_OK && i < files; i++)
        st = read_file(*papers, file[i], diag);
    if (st != BYW_OK) {
        byw_papers_free(*papers);
        *papers = NULL;
    }
    return st;
}

void byw_papers_free(struct byw_papers *papers)
{
    if (papers == NULL)
        return;
    for (size_t i = 0; i < papers->claims; i++)
        free(papers->claim[i].number);
    for (size_t i = 0; i < papers->figures; i++) {
        struct byw_figure *figure = &papers->figure[i];

        for (size_t c = 0; c < figure->columns; c++)
            free(figure->column[c].point);
        free(figure->column);
        free(figure->row);
    }
    for (size_t i = 0; i < papers->texts; i++)
        free(papers->text[i]);
    free(papers->paper);
    free(papers->claim);
    free(papers->figure);
    free(papers->text);
    free(papers);
}
