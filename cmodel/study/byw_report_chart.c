/* SPDX-License-Identifier: Apache-2.0 */
#include "study/byw_report_chart.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Sizes in SVG units, which are CSS pixels at the page's full width. */
enum {
    LEAST_LEFT = 44,
    RIGHT = 10,
    TOP = 62,
    PLOT = 230,
    LEAST_BOTTOM = 84,
    BAR = 10,
    GROUP_GAP = 16,
    CLASS_GAP = 14,
    MAX_TICKS = 6,
};

struct chart {
    FILE *out;
    const struct byw_compare *compare;
    enum byw_metric metric;
    size_t first; /* policy with the first bar */
    double top; /* value at the upper edge */
    double left, bottom; /* room for the axis and for the longest name */
    double x; /* where the next group begins */
    double label_end; /* of the class label written last */
};

void byw_html_text(FILE *out, const char *text)
{
    for (; *text != '\0'; text++) {
        switch (*text) {
        case '&':
            fputs("&amp;", out);
            break;
        case '<':
            fputs("&lt;", out);
            break;
        case '>':
            fputs("&gt;", out);
            break;
        case '"':
            fputs("&quot;", out);
            break;
        default:
            fputc(*text, out);
        }
    }
}

/* Distance between grid lines: 1, 2 or 5 times a power of ten. */
static double tick_step(double highest)
{
    static const double steps[] = {1.0, 2.0, 5.0, 10.0};
    double unit = pow(10.0, floor(log10(highest / MAX_TICKS)));

    for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++)
        if (highest / (unit * steps[i]) <= MAX_TICKS)
            return unit * steps[i];
    return unit * 10.0;
}

static double y_of(const struct chart *c, double value)
{
    return TOP + PLOT - PLOT * value / c->top;
}

static double group_width(const struct chart *c)
{
    return (double)(c->compare->policy_count - c->first) * BAR;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Value the axis must reach.  A few bars that tower above the others would flatten the chart: the
 * axis ends somewhat above what nine of ten bars reach, and such bars are cut and labelled. */
static double axis_end(const struct chart *c, double *scratch)
{
    size_t n = 0;
    double highest, usual;

    for (size_t w = 0; w < c->compare->row_count; w++)
        for (size_t p = c->first; p < c->compare->policy_count; p++) {
            double value = byw_compare_value(c->compare, w, p, c->metric);

            if (!isnan(value))
                scratch[n++] = value;
        }
    qsort(scratch, n, sizeof(*scratch), by_value);
    highest = n > 0 ? scratch[n - 1] : 0.0;
    usual = n > 0 ? scratch[n * 9 / 10] * 1.6 : 0.0;
    if (usual > 0.0 && highest > usual)
        highest = usual;
    if (c->first == 1 && highest < 1.0)
        highest = 1.0;
    return highest > 0.0 ? highest : 1.0;
}

/* The groups of means at the right: by class where classes matter, and over all.  The paper's
 * class, or the measured one when no workload is in the paper. */
static bool by_measured_class(const struct chart *c)
{
    for (size_t w = 0; w < c->compare->row_count; w++)
        if (c->compare->row[w].paper != BYW_WCLASS_NONE)
            return false;
    return true;
}

static const char *means_label(const struct chart *c)
{
    return byw_metric_is_relative(c->metric) ? "geometric means" : "";
}

static enum byw_wclass first_mean(const struct chart *c)
{
    return byw_metric_is_relative(c->metric) ? BYW_WCLASS_CNF : BYW_WCLASS_NONE;
}

static bool class_begins(const struct chart *c, size_t w)
{
    return w == 0 || !byw_compare_same_group(c->compare, w, w - 1);
}

/* Where a class begins: behind a gap, and behind the label of the class before it. */
static void begin_class(struct chart *c, const char *label, bool first)
{
    enum { LETTER = 8, MARGIN = 8 };

    c->x = fmax(c->x + (first ? 0 : CLASS_GAP), c->label_end);
    c->label_end = c->x + LETTER * (double)strlen(label) + MARGIN;
}

static double width_of(const struct chart *chart)
{
    struct chart c = *chart; /* its pen moves as the drawing one will */
    double pitch = group_width(&c) + GROUP_GAP;

    for (size_t w = 0; w < c.compare->row_count; w++) {
        if (class_begins(&c, w))
            begin_class(&c, byw_compare_group(c.compare, w), w == 0);
        c.x += pitch;
    }
    begin_class(&c, means_label(&c), false);
    for (int cls = (int)first_mean(&c); cls <= BYW_WCLASS_NONE; cls++) {
        size_t n;

        byw_compare_mean(c.compare, 0, c.metric, (enum byw_wclass)cls, by_measured_class(&c), &n);
        c.x += n > 0 ? pitch : 0.0;
    }
    return fmax(c.x, c.label_end) + RIGHT;
}

/* Names are written at 45 degrees, down to the left. */
static void make_room_for_names(struct chart *c)
{
    const double rise = 4.8; /* of a letter */
    size_t longest = 0;

    for (size_t w = 0; w < c->compare->row_count; w++)
        if (strlen(c->compare->row[w].workload) > longest)
            longest = strlen(c->compare->row[w].workload);
    c->bottom = fmax(LEAST_BOTTOM, 24 + rise * (double)longest);
    c->left = fmax(LEAST_LEFT, rise * (double)longest - 24);
}

static void axis(const struct chart *c, double width)
{
    double step = tick_step(c->top);

    for (int i = 0; i * step <= c->top * 1.0001; i++) {
        double y = y_of(c, i * step);

        fprintf(c->out,
                "<line class=\"grid\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\"/>"
                "<text class=\"tick\" x=\"%.1f\" y=\"%.1f\">%g</text>\n",
                c->left, width - RIGHT, y, y, c->left - 6, y + 4.0, i * step);
    }
}

static void one_bar(const struct chart *c, double x, size_t policy, double value)
{
    bool cut = value > c->top * 1.0001;
    double y = y_of(c, cut ? c->top : value);

    if (cut)
        fprintf(c->out,
                "<text class=\"cut\" transform=\"translate(%.1f %d) rotate(-90)\">%.3g</text>",
                x + BAR - 1.5, TOP - 4, value);
    fprintf(c->out,
            "<rect x=\"%.1f\" y=\"%.1f\" width=\"%d\" height=\"%.1f\" fill=\"var(--p%zu)\"/>",
            x + 0.5, y, BAR - 1, fmax(TOP + PLOT - y, 0.8), policy % BYW_CHART_COLOURS);
}

/* One group: bars, label below, and an invisible area that carries the values for the tooltip. */
static void group(struct chart *c, const char *name, const char *note, const double *values)
{
    double wide = group_width(c);
    double middle = c->x + wide / 2.0;

    fputs("<g class=\"group\" data-name=\"", c->out);
    byw_html_text(c->out, name);
    fputs("\" data-note=\"", c->out);
    byw_html_text(c->out, note);
    fputs("\" data-values=\"", c->out);
    for (size_t p = 0; p < c->compare->policy_count; p++) {
        fputs(p > 0 ? "|" : "", c->out);
        if (isnan(values[p]))
            fputs("-", c->out);
        else
            fprintf(c->out, "%.3f", values[p]);
    }
    fprintf(c->out, "\"><rect class=\"area\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%.0f\"/>",
            c->x - GROUP_GAP / 2.0, TOP, wide + GROUP_GAP, PLOT + c->bottom);
    for (size_t p = c->first; p < c->compare->policy_count; p++)
        if (!isnan(values[p]))
            one_bar(c, c->x + (double)(p - c->first) * BAR, p, values[p]);
    fprintf(c->out, "<text class=\"name\" transform=\"translate(%.1f %d) rotate(-45)\">",
            middle + 4.0, TOP + PLOT + 14);
    byw_html_text(c->out, name);
    fputs("</text></g>\n", c->out);
    c->x += wide + GROUP_GAP;
}

static void class_label(const struct chart *c, const char *text)
{
    fprintf(c->out,
            "<line class=\"class\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\"/>"
            "<text class=\"class\" x=\"%.1f\" y=\"%d\">%s</text>\n",
            c->x - GROUP_GAP / 2.0, c->x - GROUP_GAP / 2.0, TOP - 52, TOP + PLOT,
            c->x - GROUP_GAP / 2.0 + 5.0, TOP - 42, text);
}

static void workloads(struct chart *c, double *values)
{
    for (size_t w = 0; w < c->compare->row_count; w++) {
        const struct byw_compare_row *row = &c->compare->row[w];
        char note[64];

        if (class_begins(c, w)) {
            begin_class(c, byw_compare_group(c->compare, w), w == 0);
            class_label(c, byw_compare_group(c->compare, w));
        }
        for (size_t p = 0; p < c->compare->policy_count; p++)
            values[p] = byw_compare_value(c->compare, w, p, c->metric);
        snprintf(note, sizeof(note), "class here %s, in the paper %s", byw_wclass_name(row->here),
                 byw_wclass_name(row->paper));
        group(c, row->workload, note, values);
    }
}

static void means(struct chart *c, double *values)
{
    bool measured = by_measured_class(c);

    begin_class(c, means_label(c), false);
    class_label(c, means_label(c));
    for (int cls = (int)first_mean(c); cls <= BYW_WCLASS_NONE; cls++) {
        size_t n = 0;
        char note[64];

        for (size_t p = 0; p < c->compare->policy_count; p++)
            values[p] =
                byw_compare_mean(c->compare, p, c->metric, (enum byw_wclass)cls, measured, &n);
        snprintf(note, sizeof(note), "%zu workloads", n);
        if (n > 0)
            group(c,
                  cls != BYW_WCLASS_NONE              ? byw_wclass_name((enum byw_wclass)cls)
                  : byw_metric_is_relative(c->metric) ? "all"
                                                      : "mean",
                  note, values);
    }
}

void byw_chart_bars(FILE *out, const struct byw_compare *compare, enum byw_metric metric,
                    double *values)
{
    struct chart c = {.out = out, .compare = compare, .metric = metric};
    double end, step, width;

    c.first = byw_metric_is_relative(metric) && compare->policy_count > 1 ? 1 : 0;
    make_room_for_names(&c);
    c.x = c.left + 12;
    end = axis_end(&c, values);
    step = tick_step(end);
    c.top = step * ceil(end / step - 1e-9);
    width = width_of(&c);
    fprintf(out,
            "<svg viewBox=\"0 0 %.0f %.0f\" style=\"min-width:%.0fpx;max-width:%.0fpx\" "
            "role=\"img\">\n",
            width, TOP + PLOT + c.bottom, width * 0.7, width * 1.15);
    axis(&c, width);
    workloads(&c, values);
    means(&c, values);
    if (c.first == 1)
        fprintf(out, "<line class=\"one\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\"/>\n",
                c.left, width - RIGHT, y_of(&c, 1.0), y_of(&c, 1.0));
    fputs("</svg>\n", out);
}
