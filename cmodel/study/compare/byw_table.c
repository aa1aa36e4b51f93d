/* SPDX-License-Identifier: Apache-2.0 */
#include "study/compare/byw_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/byw_text.h"
#include "study/compare/byw_compare_oracle.h"
#include "study/job/byw_paper.h"

enum {
    NAME_WIDTH = 14, /* largest width of a shipped workload's name */
    NAME_MOST = 20, /* longer ones are shortened in the middle */
    COLUMN = 9, /* least width of a policy's column */
    COLUMN_SPREAD = 11, /* width of a column with a deviation: 1.234±.012~ */
    COLUMN_MOST = 11,
    EXTRA = 26, /* width of the columns for the paper's class, the measured class and IPC */
    TITLE_LINES = 8,
    BLOCK_MOST = 8, /* largest number of policies side by side */
};

/* Part of a table: as many policies as fit 80 columns. */
struct block {
    const struct byw_compare *c;
    size_t first, count; /* policies */
    int name, extra, column; /* widths */
};

static int name_width(const struct byw_compare *c)
{
    size_t width = NAME_WIDTH;

    for (size_t w = 0; w < c->row_count; w++)
        if (byw_text_columns(c->row[w].workload) > width)
            width = byw_text_columns(c->row[w].workload);
    return width < NAME_MOST ? (int)width : NAME_MOST;
}

/* The block from policy `first` on. */
static struct block block_at(const struct byw_compare *c, size_t first, int extra)
{
    struct block b = {.c = c, .first = first, .name = name_width(c), .extra = extra};
    int room = BYW_TEXT_COLUMNS - b.name - extra;

    b.count = (size_t)(room / ((c->repeats > 1 ? COLUMN_SPREAD : COLUMN) + 1));
    if (b.count > c->policy_count - first)
        b.count = c->policy_count - first;
    b.column = room / (int)b.count - 1;
    if (b.column > COLUMN_MOST)
        b.column = COLUMN_MOST;
    return b;
}

/* A name cut to a number of columns: "beginning..end". */
static void put_name(FILE *out, const char *name, int width)
{
    const size_t length = byw_text_columns(name), end = (size_t)(width - 2) / 2;

    if (length <= (size_t)width)
        fprintf(out, "%s%*s", name, width - (int)length, "");
    else
        fprintf(out, "%.*s..%s", (int)byw_text_bytes(name, (size_t)width - 2 - end), name,
                name + byw_text_bytes(name, length - end));
}

static void rule(FILE *out, const struct block *b)
{
    int width = b->name + b->extra + (int)b->count * (b->column + 1);

    for (int i = 0; i < width; i++)
        fputc('-', out);
    fputc('\n', out);
}

/* Bytes of the title's next line: whole words, otherwise up to a punctuation mark, otherwise what
 * fits. */
static size_t title_line(const char *title, size_t width)
{
    const size_t most = byw_text_bytes(title, width);
    size_t cut = most;

    if (title[most] == '\0')
        return most;
    while (cut > 1 && title[cut] != ' ' && title[cut] != '+' &&
           strchr("-_.=@", title[cut - 1]) == NULL)
        cut--;
    return cut > 1 ? cut : most;
}

/* Some bytes of a text, right-aligned in a column. */
static void put_right(FILE *out, const char *text, size_t bytes, int width)
{
    char part[BYW_CONFIG_TEXT];

    snprintf(part, sizeof(part), "%.*s", (int)bytes, text);
    fprintf(out, " %*s%s", width - (int)byw_text_columns(part), "", part);
}

/* Titles of the policies above their columns, in as many lines as the longest title takes; the last
 * line starts with the given text. */
static void head(FILE *out, const struct block *b, const char *before)
{
    const char *rest[BLOCK_MOST], *line[TITLE_LINES][BLOCK_MOST];
    size_t bytes[TITLE_LINES][BLOCK_MOST], lines[BLOCK_MOST] = {0}, most = 1;

    for (size_t p = 0; p < b->count; p++) {
        rest[p] = b->c->policy[b->first + p];
        while (*rest[p] != '\0' && lines[p] < TITLE_LINES) {
            line[lines[p]][p] = rest[p];
            bytes[lines[p]][p] = title_line(rest[p], (size_t)b->column);
            rest[p] += bytes[lines[p]++][p];
            rest[p] += strspn(rest[p], " ");
        }
        most = lines[p] > most ? lines[p] : most;
    }
    for (size_t l = 0; l < most; l++) {
        size_t last = b->count; /* no blanks at the end of a line */

        while (most - lines[last - 1] > l)
            last--;
        fprintf(out, "%-*s", b->name + b->extra, l + 1 == most ? before : "");
        for (size_t p = 0; p < last; p++) {
            size_t skip = most - lines[p];

            if (l < skip)
                fprintf(out, " %*s", b->column, "");
            else
                put_right(out, line[l - skip][p], bytes[l - skip][p], b->column);
        }
        fputc('\n', out);
    }
}

/* The mean; for repeated runs with the deviation of one run. ~ marks values that may be due to
 * chance. */
static void value_text(char text[32], struct byw_spread s, enum byw_metric metric)
{
    int n = snprintf(text, 32, "%.3f", s.mean);
    const char *mark = byw_metric_is_relative(metric) && byw_spread_undecided(s, 1.0) ? "~" : "";

    if (s.count > 1 && s.sd < 0.9995) /* three digits without the leading 0 */
        snprintf(text + n, 32 - (size_t)n, "±.%03d%s", (int)(s.sd * 1000 + 0.5), mark);
    else if (s.count > 1)
        snprintf(text + n, 32 - (size_t)n, "±%.2g%s", s.sd, mark);
}

/* A value, or "- [N]" with the number of its footnote. */
static void cell(FILE *out, const struct block *b, size_t row, size_t policy,
                 enum byw_metric metric)
{
    size_t note = byw_compare_note(b->c, row, policy, metric);
    char text[32];

    if (note == 0)
        value_text(text, byw_compare_spread(b->c, row, policy, metric), metric);
    else
        snprintf(text, sizeof(text), "- [%zu]", note);
    put_right(out, text, strlen(text), b->column);
}

static void mean_cell(FILE *out, const struct block *b, double mean)
{
    if (isnan(mean))
        fprintf(out, " %*s", b->column, "-");
    else
        fprintf(out, " %*.3f", b->column, mean);
}

static void spread_cell(FILE *out, const struct block *b, struct byw_spread s,
                        enum byw_metric metric)
{
    char text[32] = "-";

    if (!isnan(s.mean))
        value_text(text, s, metric);
    put_right(out, text, strlen(text), b->column);
}

static void mean_line(FILE *out, const struct block *b, enum byw_metric metric, const char *label,
                      enum byw_wclass cls)
{
    size_t n;
    char text[64];

    byw_compare_mean(b->c, 0, metric, cls, b->c->measured, &n);
    if (n == 0)
        return;
    snprintf(text, sizeof(text), "%s (%zu)", label, n);
    fprintf(out, "%-*s", b->name + b->extra, text);
    for (size_t p = b->first; p < b->first + b->count; p++)
        spread_cell(out, b, byw_compare_mean_spread(b->c, p, metric, cls, b->c->measured, &n),
                    metric);
    fputc('\n', out);
}

static void class_means(FILE *out, const struct block *b)
{
    bool any = false;

    for (size_t w = 0; w < b->c->row_count; w++)
        any = any || byw_compare_class(b->c, w) != BYW_WCLASS_NONE;
    if (any)
        fprintf(out, "geometric means by the class %s\n", byw_class_basis(b->c->measured));
    for (int cls = BYW_WCLASS_CNF; cls < BYW_WCLASS_NONE; cls++)
        mean_line(out, b, BYW_METRIC_IPC, byw_wclass_name((enum byw_wclass)cls),
                  (enum byw_wclass)cls);
    mean_line(out, b, BYW_METRIC_IPC, "all", BYW_WCLASS_NONE);
}

static void ipc_row(FILE *out, const struct block *b, size_t w)
{
    const struct byw_compare_row *row = &b->c->row[w];
    char paper[32] = "-", ipc[32] = "-";

    put_name(out, row->workload, b->name);
    if (b->extra != 0) {
        if (row->paper != BYW_WCLASS_NONE)
            snprintf(paper, sizeof(paper), "%-3s %.2f", byw_wclass_name(row->paper),
                     row->paper_n_ipc);
        if (byw_result_refused(row->result[0]) == NULL)
            snprintf(ipc, sizeof(ipc), "%.2f", byw_repeat_spread(row->result[0], "ipc").mean);
        fprintf(out, "  %-8s  %4s  %8s", paper, byw_wclass_name(row->here), ipc);
    }
    for (size_t p = b->first; p < b->first + b->count; p++)
        cell(out, b, w, p, BYW_METRIC_IPC);
    fputc('\n', out);
}

/* Relative IPC: with both classes, the baseline's IPC and the means by class; policies that do not
 * fit follow in further blocks. */
static void ipc_table(FILE *out, const struct byw_compare *c)
{
    struct block b = block_at(c, 0, EXTRA);
    char heading[128], before[64];

    byw_compare_heading(c, BYW_METRIC_IPC, heading, sizeof(heading));
    fprintf(out, "%s on %s\n", heading, c->machine);
    snprintf(before, sizeof(before), "%-*s  %-8s  %4s  %8s", b.name, "workload", "paper", "here",
             "IPC");
    for (;;) {
        head(out, &b, b.extra != 0 ? before : "workload");
        rule(out, &b);
        for (size_t w = 0; w < c->row_count; w++)
            ipc_row(out, &b, w);
        rule(out, &b);
        class_means(out, &b);
        if (b.first + b.count == c->policy_count)
            return;
        b = block_at(c, b.first + b.count, 0);
        fputc('\n', out);
    }
}

static void metric_table(FILE *out, const struct byw_compare *c, enum byw_metric metric)
{
    char heading[128];
    struct block b;

    byw_compare_heading(c, metric, heading, sizeof(heading));
    fprintf(out, "\n%s\n", heading);
    for (size_t first = 0; first < c->policy_count; first += b.count) {
        b = block_at(c, first, 0);
        if (first != 0)
            fputc('\n', out);
        head(out, &b, "workload");
        rule(out, &b);
        for (size_t w = 0; w < c->row_count; w++) {
            put_name(out, c->row[w].workload, b.name);
            for (size_t p = b.first; p < b.first + b.count; p++)
                cell(out, &b, w, p, metric);
            fputc('\n', out);
        }
        rule(out, &b);
        mean_line(out, &b, metric, metric == BYW_METRIC_ENERGY ? "geomean" : "mean",
                  BYW_WCLASS_NONE);
    }
}

/* Whether losses are listed for a policy: not for the one that bypasses everything, since it
 * defines the class. */
static bool may_pay(const struct byw_compare *c, size_t p)
{
    return !byw_table_bypasses_all(c->row[0].result[p]) && byw_compare_ran(c, p);
}

/* Cache-friendly workloads that a policy slows down by more than 2 %, each as "name ratio". */
static void loss(FILE *out, const struct byw_compare *c, size_t p)
{
    char *text = NULL;
    size_t size = 0, n = 0;
    FILE *list = open_memstream(&text, &size);

    if (list == NULL)
        return;
    fprintf(list, "  %s:", c->policy[p]);
    for (size_t w = 0; w < c->row_count; w++) {
        double ipc = byw_compare_value(c, w, p, BYW_METRIC_IPC);

        if (c->row[w].here != BYW_WCLASS_CF || isnan(ipc) || ipc >= BYW_CF_BELOW)
            continue;
        n++;
        fprintf(list, " %s %.3f", c->row[w].workload, ipc);
    }
    if (n == 0)
        fputs(" none", list);
    if (fclose(list) == 0)
        byw_text_wrap(out, text, 0, "    ");
    free(text);
}

/* Lists the cache-friendly workloads that each policy slows down. */
static void losses(FILE *out, const struct byw_compare *c)
{
    size_t first = 1;

    while (first < c->policy_count && !may_pay(c, first))
        first++;
    if (!c->measured || first == c->policy_count)
        return;
    fprintf(out, "\nCache-friendly (here) and below %.2f of %s:\n", BYW_CF_BELOW, c->policy[0]);
    for (size_t p = first; p < c->policy_count; p++)
        if (may_pay(c, p))
            loss(out, c, p);
}

static void footnotes(FILE *out, const struct byw_compare *c)
{
    for (size_t i = 0; i < c->note_count; i++) {
        int used = fprintf(out, "%s[%zu] ", i == 0 ? "\n" : "", i + 1);

        byw_text_wrap(out, c->note[i], (size_t)(used > 0 ? used : 0) - (i == 0), "    ");
    }
}

/* The shares of the workloads for which results of an oracle were given. */
static void share_table(FILE *out, const struct byw_compare *c, enum byw_share share)
{
    struct block b;

    if (!byw_compare_has_share(c, share))
        return;
    fprintf(out, "\n%s\n", byw_share_heading(share));
    for (size_t first = 0; first < c->policy_count; first += b.count) {
        b = block_at(c, first, 0);
        head(out, &b, "workload");
        rule(out, &b);
        for (size_t w = 0; w < c->row_count; w++) {
            if (c->row[w].oracle == NULL)
                continue;
            put_name(out, c->row[w].workload, b.name);
            for (size_t p = b.first; p < b.first + b.count; p++)
                mean_cell(out, &b, byw_compare_share(c, w, p, share));
            fputc('\n', out);
        }
    }
}

/* Notes on surprising figures in the tables, where they apply. */
static void remarks(FILE *out, const struct byw_compare *c)
{
    const json_t *gl1 =
        json_object_get(json_object_get(c->row[0].result[0], "config"), "gl1.enable");

    if (c->repeats > 1) {
        char text[256];

        snprintf(text, sizeof(text),
                 "\n±: standard deviation of a single run, from %zu runs that differ in noise.seed "
                 "(byway run --help).  ~: within two deviations of 1, so it may be chance.",
                 c->repeats);
        byw_text_wrap(out, text, 0, "");
    }
    if (!c->measured)
        byw_text_wrap(
            out,
            "\n`here` is - because BL and BALL are not both among the policies: the class "
            "is measured by IPC(BALL) / IPC(BL).",
            0, "");
    if (json_is_string(gl1) && strcmp(json_string_value(gl1), "on") == 0)
        byw_text_wrap(out,
                      "\nThis machine has a GL1, a cache shared by a group of SMs, between L1 and "
                      "L2: a hit there is an L1 miss, but not an L2 read.",
                      0, "");
}

void byw_table_compare(FILE *out, const struct byw_compare *compare, bool all)
{
    ipc_table(out, compare);
    losses(out, compare);
    for (int m = BYW_METRIC_HIT_ALL; m < BYW_METRIC_COUNT; m++)
        if (all || m == BYW_METRIC_HIT_ALL || m == BYW_METRIC_L2)
            metric_table(out, compare, (enum byw_metric)m);
    for (int s = 0; s < BYW_SHARE_COUNT; s++)
        share_table(out, compare, (enum byw_share)s);
    remarks(out, compare);
    footnotes(out, compare);
}

void byw_table_machines(FILE *out, struct byw_compare *const *compare, size_t count)
{
    const struct byw_compare *c = compare[0];
    char heading[128], before[64];
    struct block b;

    byw_compare_heading(c, BYW_METRIC_IPC, heading, sizeof(heading));
    fprintf(out, "%s, geometric mean over all workloads\n", heading);
    snprintf(before, sizeof(before), "%-*s  %9s", name_width(c), "machine", "workloads");
    for (size_t first = 0; first < c->policy_count; first += b.count) {
        b = block_at(c, first, 11);
        head(out, &b, before);
        for (size_t i = 0; i < count; i++) {
            size_t n = 0;

            byw_compare_mean(compare[i], 0, BYW_METRIC_IPC, BYW_WCLASS_NONE, false, &n);
            put_name(out, compare[i]->machine_name, b.name);
            fprintf(out, "  %9zu", n);
            for (size_t p = b.first; p < b.first + b.count; p++)
                spread_cell(out, &b,
                            byw_compare_mean_spread(compare[i], p, BYW_METRIC_IPC, BYW_WCLASS_NONE,
                                                    false, &n),
                            BYW_METRIC_IPC);
            fputc('\n', out);
        }
    }
}

void byw_table_legend(FILE *out)
{
    const struct byw_paper *paper = byw_paper_of_classes();
    char text[768];

    snprintf(
        text, sizeof(text),
        "Classes: CNF cache-unfriendly, CF cache-friendly, CI cache-insensitive.  `paper`: class "
        "and IPC(BALL) / IPC(BL) in \"%s\" (%s: byway list papers), table 1.  `here`: class by "
        "the same ratio measured here, above %.2f CNF, below %.2f CF.  IPC counts thread "
        "instructions per SM cycle.",
        paper->title, paper->name, BYW_CNF_ABOVE, BYW_CF_BELOW);
    byw_text_wrap(out, text, 0, "");
}
