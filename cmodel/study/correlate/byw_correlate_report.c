/* SPDX-License-Identifier: Apache-2.0 */
#include "study/correlate/byw_correlate_report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/byw_text.h"
#include "study/page/byw_page.h"

enum { WORST = 12, LABEL = 22 };

/* --- text ------------------------------------------------------------------------------------- */

/* A ratio in a column of five; "-": not known. */
static void put_ratio(FILE *out, double ratio)
{
    if (isnan(ratio) || isinf(ratio))
        fputs("     -", out);
    else
        fprintf(out, " %5.*f", ratio < 10.0 ? 2 : ratio < 1000.0 ? 1 : 0, ratio);
}

static double over(const struct byw_correlate_launch *l, enum byw_gpu_metric m)
{
    double gpu = l->row->value[m];

    return gpu > 0.0 ? l->value[m] / gpu : gpu == 0.0 && l->value[m] == 0.0 ? 1.0 : NAN;
}

static void label_of(const struct byw_correlate_launch *l, char text[LABEL + 1])
{
    uint32_t number = l->row->launch != 0 ? l->row->launch : l->row->nth;

    snprintf(text, LABEL + 1, "%.17s %u", l->row->kernel, number);
}

static void put_launch(FILE *out, const struct byw_correlate_launch *l)
{
    char label[LABEL + 1];

    label_of(l, label);
    fprintf(out, "  %-*s %s", LABEL, label, byw_gpu_variant_name(l->row->variant));
    if (l->job == SIZE_MAX) {
        fprintf(out, "  %s\n", l->why);
        return;
    }
    put_ratio(out, over(l, BYW_GPU_WARP_INSTRUCTIONS));
    put_ratio(out, over(l, BYW_GPU_LOAD_SECTORS));
    put_ratio(out, byw_correlate_gpu_hits(l));
    put_ratio(out, byw_correlate_own_hits(l));
    put_ratio(out, over(l, BYW_GPU_L2_READ_SECTORS));
    put_ratio(out, over(l, BYW_GPU_L2_WRITE_SECTORS));
    put_ratio(out, over(l, BYW_GPU_DRAM_READ_SECTORS));
    fprintf(out, " %9.0f",
            isnan(l->row->value[BYW_GPU_CYCLES]) ? 0.0 : l->row->value[BYW_GPU_CYCLES]);
    put_ratio(out, byw_correlate_cycles(l));
    fputc('\n', out);
}

static bool same_program(const struct byw_correlate_launch *a, const struct byw_correlate_launch *b)
{
    return strcmp(a->row->program, b->row->program) == 0 && a->row->file == b->row->file;
}

static void put_launches(FILE *out, const struct byw_correlate *c)
{
    fprintf(out, "%-*s     instr  load   hit   hit  L2rd  L2wr  DRAM    cycles   sim\n", LABEL + 2,
            "");
    fprintf(out, "%-*s      /gpu  /gpu   gpu   sim  /gpu  /gpu  /gpu       gpu  /gpu\n", LABEL + 2,
            "");
    for (size_t i = 0; i < byw_correlate_count(c); i++) {
        const struct byw_correlate_launch *l = byw_correlate_launch(c, i);

        if (i == 0 || !same_program(l, byw_correlate_launch(c, i - 1)))
            fprintf(out, "%s, %s\n", l->row->program, l->size);
        put_launch(out, l);
    }
}

/* Ratios of the variants. */
static void put_variants(FILE *out, const struct byw_correlate *c)
{
    bool any = false;

    for (size_t i = 0; i < byw_correlate_count(c); i++) {
        const struct byw_correlate_launch *l = byw_correlate_launch(c, i);
        double gpu = byw_correlate_gpu_ratio(c, i), own = byw_correlate_own_ratio(c, i);
        char label[LABEL + 1];

        if (isnan(gpu) || isnan(own))
            continue;
        if (!any)
            fprintf(out, "\ncycles of the variant / as compiled  %5s %5s\n", "gpu", "sim");
        any = true;
        label_of(l, label);
        fprintf(out, "  %-*s %-6.6s %s ", LABEL, label, l->size,
                byw_gpu_variant_name(l->row->variant));
        put_ratio(out, gpu);
        put_ratio(out, own);
        fputc('\n', out);
    }
}

struct far {
    size_t launch;
    double distance; /* of the logarithms of cycles */
};

static int by_distance(const void *a, const void *b)
{
    const struct far *x = a, *y = b;

    if (x->distance != y->distance)
        return x->distance > y->distance ? -1 : 1;
    return x->launch < y->launch ? -1 : 1;
}

/* Launches as compiled, those with the largest distance in cycles first; *count of them, to free().
 */
static struct far *sort_worst(const struct byw_correlate *c, size_t *count)
{
    struct far *far = calloc(byw_correlate_count(c) + 1, sizeof(*far));

    *count = 0;
    for (size_t i = 0; far != NULL && i < byw_correlate_count(c); i++) {
        const struct byw_correlate_launch *l = byw_correlate_launch(c, i);
        double distance = fabs(log(byw_correlate_cycles(l)));

        if (l->job != SIZE_MAX && l->row->variant == BYW_GPU_CA && isfinite(distance))
            far[(*count)++] = (struct far){i, distance};
    }
    if (far != NULL)
        qsort(far, *count, sizeof(*far), by_distance);
    return far;
}

static void put_worst(FILE *out, const struct byw_correlate *c)
{
    size_t count;
    struct far *far = sort_worst(c, &count);

    fputs(count > 0 ? "\nlargest errors in cycles (simulated / measured)\n" : "", out);
    for (size_t i = 0; i < count && i < WORST; i++) {
        const struct byw_correlate_launch *l = byw_correlate_launch(c, far[i].launch);
        char label[LABEL + 1];

        label_of(l, label);
        fprintf(out, "  %-*s %-6.6s", LABEL, label, l->size);
        put_ratio(out, byw_correlate_cycles(l));
        fprintf(out, "  %s\n", byw_correlate_reason(l));
    }
    free(far);
}

static void put_figures(FILE *out, const struct byw_correlate *c)
{
    struct byw_correlate_figure all[BYW_CORRELATE_FIGURES], a[BYW_CORRELATE_FIGURES],
        b[BYW_CORRELATE_FIGURES];
    size_t count = byw_correlate_score(c, BYW_CORRELATE_ALL, all);

    byw_correlate_score(c, BYW_CORRELATE_A, a);
    byw_correlate_score(c, BYW_CORRELATE_B, b);
    fprintf(out, "\n%-54s %6s %6s %6s launches\n", "", "all", "half A", "half B");
    for (size_t i = 0; i < count; i++) {
        if (all[i].launches == 0)
            continue;
        fprintf(out, "%-54.54s", all[i].text);
        put_ratio(out, all[i].value);
        fputc(' ', out);
        put_ratio(out, a[i].value);
        fputc(' ', out);
        put_ratio(out, b[i].value);
        fprintf(out, " %4zu", all[i].launches);
        if (all[i].has_target)
            fprintf(out, "  %s %g", all[i].at_most ? "<=" : ">=", all[i].target);
        fputc('\n', out);
    }
}

void byw_correlate_print(FILE *out, const struct byw_correlate *c)
{
    put_launches(out, c);
    put_variants(out, c);
    put_worst(out, c);
    put_figures(out, c);
}

/* --- JSON ------------------------------------------------------------------------------------- */

static json_t *number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *values_json(const double *value)
{
    json_t *object = json_object();

    for (size_t m = 0; m < BYW_GPU_METRICS; m++)
        if (!isnan(value[m]))
            json_object_set_new(object, byw_gpu_metric_name((enum byw_gpu_metric)m),
                                json_real(value[m]));
    return object;
}

static json_t *shape_json(const uint32_t shape[3])
{
    return json_pack("[i, i, i]", (int)shape[0], (int)shape[1], (int)shape[2]);
}

static json_t *text_json(const char *text)
{
    char printable[BYW_TEXT_GROWTH * 256];

    byw_text_printable(text, printable, sizeof(printable));
    return json_string(printable);
}

static json_t *launch_json(const struct byw_correlate *c, size_t i)
{
    const struct byw_correlate_launch *l = byw_correlate_launch(c, i);
    const struct byw_gpu_row *row = l->row;

    return json_pack(
        "{s:o, s:s, s:o, s:s, s:i, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "program",
        text_json(row->program), "size", l->size, "kernel", text_json(row->kernel), "variant",
        byw_gpu_variant_name(row->variant), "launch",
        (int)(row->launch != 0 ? row->launch : row->nth), "grid", shape_json(row->grid), "block",
        shape_json(row->block), "gpu", values_json(row->value), "simulated", values_json(l->value),
        "cycles_ratio", number(byw_correlate_cycles(l)), "l1_hits_gpu",
        number(byw_correlate_gpu_hits(l)), "l1_hits_simulated", number(byw_correlate_own_hits(l)),
        "variant_ratio_gpu", number(byw_correlate_gpu_ratio(c, i)), "variant_ratio_simulated",
        number(byw_correlate_own_ratio(c, i)), "reason", text_json(byw_correlate_reason(l)));
}

static json_t *figures_json(const struct byw_correlate *c, enum byw_correlate_half half)
{
    struct byw_correlate_figure figure[BYW_CORRELATE_FIGURES];
    size_t count = byw_correlate_score(c, half, figure);
    json_t *list = json_array();

    for (size_t i = 0; i < count; i++)
        json_array_append_new(
            list,
            json_pack("{s:s, s:s, s:s, s:o, s:I, s:o, s:s}", "id", figure[i].id, "text",
                      figure[i].text, "unit", figure[i].unit, "value", number(figure[i].value),
                      "launches", (json_int_t)figure[i].launches, "target",
                      figure[i].has_target ? json_real(figure[i].target) : json_null(), "bound",
                      figure[i].at_most ? "at most" : "at least"));
    return list;
}

json_t *byw_correlate_json(const struct byw_correlate *c)
{
    json_t *launches = json_array();

    for (size_t i = 0; i < byw_correlate_count(c); i++)
        json_array_append_new(launches, launch_json(c, i));
    return json_pack("{s:s, s:s, s:o, s:o, s:o, s:o, s:o}", "schema", BYW_CORRELATE_SCHEMA,
                     "machine", byw_correlate_machine(c), "config",
                     byw_config_json(byw_correlate_config(c)), "figures",
                     figures_json(c, BYW_CORRELATE_ALL), "half_a", figures_json(c, BYW_CORRELATE_A),
                     "half_b", figures_json(c, BYW_CORRELATE_B), "launches", launches);
}

/* --- the page --------------------------------------------------------------------------------- */

/* The figures in one sentence, as the page and the gallery begin. */
static void put_verdict(FILE *out, const struct byw_correlate *c)
{
    struct byw_correlate_figure figure[BYW_CORRELATE_FIGURES];
    size_t count = byw_correlate_score(c, BYW_CORRELATE_ALL, figure), written = 0;

    for (size_t i = 0; i < count; i++) {
        if (figure[i].launches == 0 || isnan(figure[i].value))
            continue;
        fprintf(out, "%s%s: %.3g%s%s", written++ == 0 ? "" : "; ", figure[i].text, figure[i].value,
                figure[i].unit[0] == '\0' || figure[i].unit[0] == '%' ? "" : " ", figure[i].unit);
    }
    fputs(".", out);
}

enum byw_status byw_correlate_page(const struct byw_correlate *c, json_t *json,
                                   struct byw_file *file, struct byw_diag *diag)
{
    char *text = NULL, title[128];
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    if (out == NULL) {
        byw_file_discard(file);
        return byw_diag_set(diag, BYW_ENOMEM, "out of memory for the page");
    }
    put_verdict(out, c);
    fclose(out);
    json_object_set_new(json, "verdict", json_string(text));
    free(text);
    snprintf(title, sizeof(title), "%s compared with a GPU", byw_correlate_machine(c));
    return byw_page_correlate(json, title, file, diag);
}

/* --- Markdown --------------------------------------------------------------------------------- */

static void put_cell(FILE *out, double value)
{
    if (isfinite(value))
        fprintf(out, " %.3g |", value);
    else
        fputs(" - |", out);
}

void byw_correlate_markdown(FILE *out, const struct byw_correlate *c)
{
    struct byw_correlate_figure all[BYW_CORRELATE_FIGURES], a[BYW_CORRELATE_FIGURES],
        b[BYW_CORRELATE_FIGURES];
    size_t count = byw_correlate_score(c, BYW_CORRELATE_ALL, all);

    byw_correlate_score(c, BYW_CORRELATE_A, a);
    byw_correlate_score(c, BYW_CORRELATE_B, b);
    fputs("| figure | all | half A | half B | unit | aim | launches |\n"
          "|---|---|---|---|---|---|---|\n",
          out);
    for (size_t i = 0; i < count; i++) {
        if (all[i].launches == 0)
            continue;
        fprintf(out, "| %s |", all[i].text);
        put_cell(out, all[i].value);
        put_cell(out, a[i].value);
        put_cell(out, b[i].value);
        fprintf(out, " %s |", all[i].unit);
        if (all[i].has_target)
            fprintf(out, " %s %g", all[i].at_most ? "at most" : "at least", all[i].target);
        fprintf(out, " | %zu |\n", all[i].launches);
    }
}
