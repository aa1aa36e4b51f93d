/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_figure_svg.c - bars of a figure: a group per row, the paper's values as short dark lines.
 *
 * `byway reproduce --markdown` draws with this unit, because it must work without a browser. Pages
 * draw with byw_chart.js, because readers interact with them. Both take all colours from
 * byw_palette.def.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "study/page/byw_palette.h"
#include "study/page/byw_report_page.h"
#include "study/papers/byw_figure.h"

/* Sizes in SVG units, which are CSS pixels at the page's full width. */
enum {
    LEFT = 52,
    RIGHT = 12,
    PLOT = 230,
    GAP = 14,
    LETTER = 7,
    LINE = 18,
    TICKS = 6,
    WIDEST = 760
};

struct drawing {
    FILE *out;
    const struct byw_figure_table *t;
    size_t first; /* column of the first bar: the reference of a relative figure has no bar */
    double bar, low, high, step, top, bottom, width;
};

/* The policy's colour if all columns have different ones; otherwise a colour by position, which for
 * many columns comes from a ramp. */
static void colour(const struct drawing *d, size_t column, char text[32])
{
    size_t n = d->t->columns - d->first;
    struct byw_mark mark[BYW_PALETTE_COLOURS + 1];
    bool differ = d->t->columns <= BYW_PALETTE_COLOURS;

    if (differ)
        byw_palette_marks((const char *const *)d->t->column, d->t->columns, mark);
    for (size_t i = 0; differ && i < d->t->columns; i++)
        for (size_t j = 0; j < i; j++)
            differ = differ && mark[i].colour != mark[j].colour;
    if (n <= BYW_PALETTE_COLOURS)
        snprintf(text, 32, "%s",
                 byw_palette_colour(differ ? mark[column].colour : (unsigned)column));
    else
        snprintf(text, 32, "hsl(%d,60%%,%d%%)", (int)(210 + 150 * (column - d->first) / n),
                 (int)(80 - 50 * (column - d->first) / n));
}

static double y_of(const struct drawing *d, double value)
{
    double part = (value - d->low) / (d->high - d->low);

    return d->top + PLOT * (1.0 - fmin(fmax(part, 0.0), 1.0));
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* The axis fits 19 of 20 bars; much longer bars are cut and labelled. */
static void find_axis(struct drawing *d)
{
    const struct byw_figure_table *t = d->t;
    double *sorted = calloc(2 * t->rows * t->columns + 1, sizeof(double)), unit;
    static const double steps[] = {1.0, 2.0, 5.0, 10.0};
    size_t n = 0;

    d->low = 0.0;
    d->high = t->figure->scale == BYW_RELATIVE ? 1.05 : 0.0;
    for (size_t i = 0; sorted != NULL && i < t->rows * t->columns; i++) {
        if (!isnan(t->value[i]))
            sorted[n++] = t->value[i];
        if (!isnan(t->paper[i]))
            sorted[n++] = t->paper[i];
    }
    if (n > 0) {
        double usual;

        qsort(sorted, n, sizeof(*sorted), by_value);
        usual = sorted[n * 19 / 20 < n ? n * 19 / 20 : n - 1] * 1.3;
        d->high = fmax(d->high, usual > 0.0 ? fmin(sorted[n - 1], usual) : sorted[n - 1]);
        d->low = fmin(sorted[0], 0.0);
    }
    free(sorted);
    if (d->high <= d->low)
        d->high = d->low + 1.0;
    unit = pow(10.0, floor(log10((d->high - d->low) / TICKS)));
    d->step = unit * 10.0;
    for (size_t i = sizeof(steps) / sizeof(steps[0]); i-- > 0;)
        if ((d->high - d->low) / (unit * steps[i]) <= TICKS)
            d->step = unit * steps[i];
    d->high = d->step * ceil(d->high / d->step - 1e-9);
    d->low = d->step * floor(d->low / d->step + 1e-9);
}

static size_t longest(char *const *text, size_t count)
{
    size_t most = 0;

    for (size_t i = 0; i < count; i++)
        most = strlen(text[i]) > most ? strlen(text[i]) : most;
    return most;
}

/* Returns the y coordinate below the legend; draws it if asked to. */
static double legend(struct drawing *d, bool draw)
{
    double x = LEFT, y = 34.0;

    for (size_t c = d->first; c <= d->t->columns; c++) {
        const char *name = c < d->t->columns ? d->t->column[c] : "the paper's";
        double wide = 26.0 + LETTER * (double)strlen(name);
        char text[32];

        if (x + wide > fmax(d->width, 420.0) - RIGHT && x > LEFT) {
            x = LEFT;
            y += LINE;
        }
        if (draw && c < d->t->columns) {
            colour(d, c, text);
            fprintf(d->out, "<rect x=\"%.0f\" y=\"%.0f\" width=\"11\" height=\"11\" fill=\"%s\"/>",
                    x, y - 10, text);
        } else if (draw) {
            fprintf(d->out, "<path d=\"M%.0f %.1fh11\" class=\"paper\"/>", x, y - 4.5);
        }
        if (draw) {
            fprintf(d->out, "<text x=\"%.0f\" y=\"%.0f\">", x + 15, y);
            byw_html_text(d->out, name);
            fputs("</text>\n", d->out);
        }
        x += wide;
    }
    return y + 26.0;
}

static void axis(const struct drawing *d)
{
    for (int i = 0; d->low + i * d->step <= d->high + d->step / 100; i++) {
        double value = d->low + i * d->step, y = y_of(d, value);

        fprintf(d->out,
                "<path d=\"M%d %.1fH%.1f\" class=\"line\"/><text x=\"%d\" y=\"%.1f\" "
                "class=\"end\">%g</text>\n",
                LEFT, y, d->width - RIGHT, LEFT - 6, y + 4,
                fabs(value) < d->step / 100 ? 0 : value);
    }
}

/* An error bar of one run's deviation at a bar's end; NaN: none. */
static void error_bar(const struct drawing *d, double value, double sd, double x)
{
    double high = y_of(d, value + sd), low = y_of(d, value - sd);

    if (!isnan(sd) && low - high >= 0.5)
        fprintf(d->out, "<path d=\"M%.1f %.1fV%.1f\" class=\"error\"/>", x + (d->bar - 1) / 2, high,
                low);
}

static void one_bar(const struct drawing *d, size_t row, size_t column, double x)
{
    double value = d->t->value[row * d->t->columns + column];
    double paper = d->t->paper[row * d->t->columns + column];
    double zero = y_of(d, 0.0);
    double sd = d->t->sd[row * d->t->columns + column];
    char text[32], number[32], deviation[32], theirs[32];

    if (!isnan(value)) {
        double y = y_of(d, value);

        colour(d, column, text);
        byw_figure_text(value, number);
        byw_figure_sd_text(sd, deviation);
        byw_figure_text(paper, theirs);
        fprintf(d->out,
                "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"><title>", x,
                fmin(y, zero), d->bar - 1, fmax(fabs(zero - y), 0.8), text);
        byw_html_text(d->out, d->t->row[row]);
        fputs(", ", d->out);
        byw_html_text(d->out, d->t->column[column]);
        fprintf(d->out, ": %s%s%s%s</title></rect>", number, deviation,
                isnan(paper) ? "" : ", the paper's ", isnan(paper) ? "" : theirs);
        error_bar(d, value, sd, x);
        if (value > d->high * 1.0001)
            fprintf(d->out, "<text transform=\"translate(%.1f %.0f) rotate(-90)\">%s</text>",
                    x + d->bar - 1, d->top - 4, number);
    }
    if (!isnan(paper))
        fprintf(d->out, "<path d=\"M%.1f %.1fh%.1f\" class=\"paper\"/>", x - 1.5, y_of(d, paper),
                d->bar + 2);
}

static void groups(const struct drawing *d)
{
    double wide = (double)(d->t->columns - d->first) * d->bar, x = LEFT + GAP;

    for (size_t r = 0; r < d->t->rows; r++) {
        if (d->t->mean && r + 1 == d->t->rows)
            fprintf(d->out, "<path d=\"M%.1f %.1fv%d\" class=\"line\"/>\n", x - GAP / 2.0, d->top,
                    PLOT + 10);
        for (size_t c = d->first; c < d->t->columns; c++)
            one_bar(d, r, c, x + (double)(c - d->first) * d->bar);
        fprintf(d->out,
                "\n<text transform=\"translate(%.1f %.1f) rotate(-40)\" class=\"end name\">",
                x + wide / 2 + 4, d->top + PLOT + 14);
        byw_html_text(d->out, d->t->row[r]);
        fputs("</text>\n", d->out);
        x += wide + GAP;
    }
}

void byw_figure_svg(FILE *out, const struct byw_figure_table *table)
{
    const char *ink = byw_palette_light(BYW_LIGHT_ink);
    struct drawing d = {.out = out, .t = table};
    double bars, height;
    char error_style[48] = "";

    if (table->repeats > 1)
        snprintf(error_style, sizeof(error_style), ".error{stroke:%s}", ink);
    d.first = table->figure->scale == BYW_RELATIVE && table->columns > 1 ? 1 : 0;
    bars = (double)(table->rows * (table->columns - d.first));
    d.bar = fmax(5.0, fmin(14.0, (WIDEST - GAP * (double)table->rows) / bars));
    d.width = LEFT + GAP + bars * d.bar + GAP * (double)table->rows + RIGHT;
    d.width = fmax(d.width, 420.0);
    d.top = legend(&d, false) + 14.0;
    find_axis(&d);
    height = d.top + PLOT + 26 + 0.64 * LETTER * (double)longest(table->row, table->rows);
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" "
            "style=\"max-width:%.0fpx\" role=\"img\">\n"
            "<style>text{font:11.5px system-ui,\"DejaVu Sans\",sans-serif;fill:%s}"
            ".end{text-anchor:end}.name{fill:%s}.line{stroke:%s}"
            ".paper{stroke:%s;stroke-width:2.2}%s</style>\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"%s\"/>\n<text x=\"%d\" y=\"16\" "
            "class=\"name\">",
            d.width, height, d.width * 1.2, byw_palette_light(BYW_LIGHT_soft), ink,
            byw_palette_light(BYW_LIGHT_line), ink, error_style, byw_palette_light(BYW_LIGHT_paper),
            LEFT);
    byw_html_text(out, table->figure->what);
    fputs("</text>\n", out);
    (void)legend(&d, true);
    axis(&d);
    groups(&d);
    if (d.first == 1)
        fprintf(out, "<path d=\"M%d %.1fH%.1f\" stroke=\"%s\" stroke-dasharray=\"5 4\"/>\n", LEFT,
                y_of(&d, 1.0), d.width - RIGHT, byw_palette_light(BYW_LIGHT_soft));
    fputs("</svg>\n", out);
}
