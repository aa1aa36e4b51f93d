/* SPDX-License-Identifier: Apache-2.0 */
#include "study/correlate/byw_correlate_report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/byw_text.h"
#include "study/page/byw_page.h"

enum { WORST = 12, LABEL = 22, SPENT = 5 /* rules of a launch that are printed */ };

/* --- text ------------------------------------------------------------------------------------- */

/* A ratio in a column of five characters; "-": not known. */
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

static void put_launch(FILE *out, const struct byw_correlate_launch *l, bool both)
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
    if (both)
        put_ratio(out, byw_correlate_ptx_cycles(l));
    fputs(both && !l->machine ? " no machine code\n" : "\n", out);
}

static bool same_program(const struct byw_correlate_launch *a, const struct byw_correlate_launch *b)
{
    return strcmp(a->row->program, b->row->program) == 0 && a->row->file == b->row->file;
}

static void put_launches(FILE *out, const struct byw_correlate *c)
{
    fprintf(out, "%-*s     instr  load   hit   hit  L2rd  L2wr  DRAM    cycles   sim%s\n",
            LABEL + 2, "", byw_correlate_both(c) ? "   PTX" : "");
    fprintf(out, "%-*s      /gpu  /gpu   gpu   sim  /gpu  /gpu  /gpu       gpu  /gpu%s\n",
            LABEL + 2, "", byw_correlate_both(c) ? "  /gpu" : "");
    for (size_t i = 0; i < byw_correlate_count(c); i++) {
        const struct byw_correlate_launch *l = byw_correlate_launch(c, i);

        if (i == 0 || !same_program(l, byw_correlate_launch(c, i - 1)))
            fprintf(out, "%s, %s\n", l->row->program, l->size);
        put_launch(out, l, byw_correlate_both(c));
    }
}

/* Ratios of the variants' cycles and times, the simulated ratio, and whether that is on the right
 * side of 1. */
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
            fprintf(out, "\n%-*s %5s %5s %5s  %-9s %s\n", LABEL + 13,
                    "variant / as compiled, of cycles", "gpu", "times", "sim", "side",
                    "effect sim/gpu");
        any = true;
        label_of(l, label);
        fprintf(out, "  %-*s %-6.6s %s ", LABEL, label, l->size,
                byw_gpu_variant_name(l->row->variant));
        put_ratio(out, gpu);
        put_ratio(out, byw_correlate_timed_ratio(c, i));
        put_ratio(out, own);
        fprintf(out, "  %-9s", byw_correlate_side_name(byw_correlate_side(c, i)));
        if (byw_correlate_side(c, i) != BYW_SIDE_NONE)
            put_ratio(out, byw_correlate_effect(c, i));
        fputc('\n', out);
    }
}

struct far {
    size_t launch;
    double distance; /* difference of the logarithms of simulated and measured cycles */
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

/* The rules that the launch's cycles went to, as "DRAM 52 %, launch 30 %". */
static void put_spent(FILE *out, const struct byw_correlate *c, size_t i)
{
    struct byw_correlate_spent spent[BYW_CORRELATE_RULES];
    size_t count = byw_correlate_spent(c, i, spent);
    double occupancy = byw_correlate_occupancy(c, i);

    for (size_t r = 0; r < count && r < SPENT && spent[r].share >= 0.05; r++)
        fprintf(out, "%s%s %.0f %%", r > 0 ? ", " : "", spent[r].rule, 100.0 * spent[r].share);
    if (!isnan(occupancy))
        fprintf(out, "; warps %.0f %%", 100.0 * occupancy);
}

static void put_worst(FILE *out, struct byw_correlate *c)
{
    size_t count;
    struct far *far = sort_worst(c, &count);

    if (count > 0)
        fprintf(out, "\nlargest errors in cycles (simulated / measured)%s\n",
                byw_correlate_both(c) ? ", by machine code and by PTX" : "");
    for (size_t i = 0; i < count && i < WORST; i++) {
        const struct byw_correlate_launch *l = byw_correlate_launch(c, far[i].launch);
        char label[LABEL + 1];

        label_of(l, label);
        fprintf(out, "  %-*s %-6.6s", LABEL, label, l->size);
        put_ratio(out, byw_correlate_cycles(l));
        if (byw_correlate_both(c))
            put_ratio(out, byw_correlate_ptx_cycles(l));
        fprintf(out, "  %s\n%*s", byw_correlate_reason(l), LABEL + 16, "");
        put_spent(out, c, far[i].launch);
        fputc('\n', out);
    }
    free(far);
}

/* The figures of one mode. */
struct scores {
    struct byw_correlate_figure all[BYW_CORRELATE_FIGURES], a[BYW_CORRELATE_FIGURES],
        b[BYW_CORRELATE_FIGURES];
    size_t count;
};

static void score(struct byw_correlate *c, enum byw_correlate_mode mode, struct scores *scores)
{
    byw_correlate_use(c, mode);
    scores->count = byw_correlate_score(c, BYW_CORRELATE_ALL, scores->all);
    byw_correlate_score(c, BYW_CORRELATE_A, scores->a);
    byw_correlate_score(c, BYW_CORRELATE_B, scores->b);
    byw_correlate_use(c, BYW_CORRELATE_OWN);
}

static void put_figures(FILE *out, struct byw_correlate *c)
{
    struct scores own, ptx = {.count = 0};
    bool both = byw_correlate_both(c);

    score(c, BYW_CORRELATE_OWN, &own);
    if (both)
        score(c, BYW_CORRELATE_PTX, &ptx);
    fprintf(out, "\n%-58s %6s %13s %6s %6s%s launches\n", "", "all", "95 %", "half A", "half B",
            both ? " by PTX" : "");
    for (size_t i = 0; i < own.count; i++) {
        const struct byw_correlate_figure *f = &own.all[i];

        if (f->launches == 0)
            continue;
        fprintf(out, "%-58.58s", f->text);
        put_ratio(out, f->value);
        put_ratio(out, f->low);
        fputs(" -", out);
        put_ratio(out, f->high);
        fputc(' ', out);
        put_ratio(out, own.a[i].value);
        fputc(' ', out);
        put_ratio(out, own.b[i].value);
        if (both) {
            fputc(' ', out);
            put_ratio(out, ptx.all[i].value);
        }
        fprintf(out, " %4zu", f->launches);
        if (f->has_target)
            fprintf(out, "  %s %g", f->at_most ? "<=" : ">=", f->target);
        fputc('\n', out);
    }
}

void byw_correlate_print(FILE *out, struct byw_correlate *c)
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

static json_t *spent_json(const struct byw_correlate *c, size_t i)
{
    struct byw_correlate_spent spent[BYW_CORRELATE_RULES];
    size_t count = byw_correlate_spent(c, i, spent);
    json_t *list = json_array();

    for (size_t r = 0; r < count; r++)
        json_array_append_new(
            list, json_pack("{s:s, s:f}", "rule", spent[r].rule, "share", spent[r].share));
    return list;
}

static json_t *side_json(const struct byw_correlate *c, size_t i)
{
    enum byw_correlate_side side = byw_correlate_side(c, i);

    return side == BYW_SIDE_NONE ? json_null() : json_string(byw_correlate_side_name(side));
}

static json_t *launch_json(const struct byw_correlate *c, size_t i)
{
    const struct byw_correlate_launch *l = byw_correlate_launch(c, i);
    const struct byw_gpu_row *row = l->row;
    json_t *json = json_pack(
        "{s:o, s:s, s:o, s:s, s:i, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "program",
        text_json(row->program), "size", l->size, "kernel", text_json(row->kernel), "variant",
        byw_gpu_variant_name(row->variant), "launch",
        (int)(row->launch != 0 ? row->launch : row->nth), "grid", shape_json(row->grid), "block",
        shape_json(row->block), "gpu", values_json(row->value), "simulated", values_json(l->value),
        "cycles_ratio", number(byw_correlate_cycles(l)), "l1_hits_gpu",
        number(byw_correlate_gpu_hits(l)), "l1_hits_simulated", number(byw_correlate_own_hits(l)),
        "variant_ratio_gpu", number(byw_correlate_gpu_ratio(c, i)), "variant_ratio_simulated",
        number(byw_correlate_own_ratio(c, i)), "reason", text_json(byw_correlate_reason(l)));

    json_object_set_new(json, "machine_code", json_boolean(l->machine));
    json_object_set_new(json, "variant_ratio_times", number(byw_correlate_timed_ratio(c, i)));
    json_object_set_new(json, "side", side_json(c, i));
    json_object_set_new(json, "effect_ratio", number(byw_correlate_effect(c, i)));
    json_object_set_new(json, "spent", spent_json(c, i));
    json_object_set_new(json, "occupancy", number(byw_correlate_occupancy(c, i)));
    if (byw_correlate_both(c)) {
        json_object_set_new(json, "simulated_ptx", values_json(l->mode[BYW_CORRELATE_PTX]));
        json_object_set_new(json, "cycles_ratio_ptx", number(byw_correlate_ptx_cycles(l)));
    }
    return json;
}

static json_t *figures_json(const struct byw_correlate_figure *figure, size_t count)
{
    json_t *list = json_array();

    for (size_t i = 0; i < count; i++)
        json_array_append_new(
            list,
            json_pack("{s:s, s:s, s:s, s:o, s:o, s:o, s:I, s:o, s:s}", "id", figure[i].id, "text",
                      figure[i].text, "unit", figure[i].unit, "value", number(figure[i].value),
                      "low", number(figure[i].low), "high", number(figure[i].high), "launches",
                      (json_int_t)figure[i].launches, "target",
                      figure[i].has_target ? json_real(figure[i].target) : json_null(), "bound",
                      figure[i].at_most ? "at most" : "at least"));
    return list;
}

/* Counts the variants' launches by byw_correlate_side(). */
static json_t *sides_json(const struct byw_correlate *c)
{
    json_t *json = json_object();

    for (unsigned s = BYW_SIDE_RIGHT; s <= BYW_SIDE_UNDECIDED; s++) {
        size_t count = 0;

        for (size_t i = 0; i < byw_correlate_count(c); i++)
            count += byw_correlate_side(c, i) == (enum byw_correlate_side)s;
        json_object_set_new(json, byw_correlate_side_name((enum byw_correlate_side)s),
                            json_integer((json_int_t)count));
    }
    return json;
}

json_t *byw_correlate_json(struct byw_correlate *c)
{
    json_t *launches = json_array(), *json;
    struct scores own, ptx;

    for (size_t i = 0; i < byw_correlate_count(c); i++)
        json_array_append_new(launches, launch_json(c, i));
    score(c, BYW_CORRELATE_OWN, &own);
    json = json_pack(
        "{s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o}", "schema", BYW_CORRELATE_SCHEMA, "machine",
        byw_correlate_machine(c), "config", byw_config_json(byw_correlate_config(c)), "figures",
        figures_json(own.all, own.count), "half_a", figures_json(own.a, own.count), "half_b",
        figures_json(own.b, own.count), "sides", sides_json(c), "launches", launches);
    if (json != NULL && byw_correlate_both(c)) {
        score(c, BYW_CORRELATE_PTX, &ptx);
        json_object_set_new(json, "figures_ptx", figures_json(ptx.all, ptx.count));
        json_object_set_new(json, "half_a_ptx", figures_json(ptx.a, ptx.count));
        json_object_set_new(json, "half_b_ptx", figures_json(ptx.b, ptx.count));
    }
    return json;
}

/* --- the page --------------------------------------------------------------------------------- */

/* The sentence with the figures that begins the page and the gallery's text. */
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

void byw_correlate_markdown(FILE *out, struct byw_correlate *c)
{
    struct scores own, ptx;
    bool both = byw_correlate_both(c);

    score(c, BYW_CORRELATE_OWN, &own);
    if (both)
        score(c, BYW_CORRELATE_PTX, &ptx);
    fprintf(out,
            "| figure | all | 95 %% interval | half A | half B |%s unit | aim | launches |\n"
            "|---|---|---|---|---|%s---|---|---|\n",
            both ? " by PTX |" : "", both ? "---|" : "");
    for (size_t i = 0; i < own.count; i++) {
        const struct byw_correlate_figure *f = &own.all[i];

        if (f->launches == 0)
            continue;
        fprintf(out, "| %s |", f->text);
        put_cell(out, f->value);
        if (isfinite(f->low))
            fprintf(out, " %.3g to %.3g |", f->low, f->high);
        else
            fputs(" - |", out);
        put_cell(out, own.a[i].value);
        put_cell(out, own.b[i].value);
        if (both)
            put_cell(out, ptx.all[i].value);
        fprintf(out, " %s |", f->unit);
        if (f->has_target)
            fprintf(out, " %s %g", f->at_most ? "at most" : "at least", f->target);
        fprintf(out, " | %zu |\n", f->launches);
    }
}
