/* SPDX-License-Identifier: Apache-2.0 */
#include "study/advise/byw_mpache_report.h"

#include <string.h>

#include "study/advise/byw_mpache.h"
#include "study/job/byw_result_json.h"
#include "study/page/byw_palette.h"

static double affinity(const json_t *load, size_t mode)
{
    return json_number_value(json_array_get(json_object_get(load, "affinity"), mode));
}

static const char *mode_name(const json_t *load)
{
    switch ((int)byw_result_number(load, "mode")) {
    case 0:
        return "L2 (nontemporal)";
    case 1:
        return "L0/1 (volatile)";
    default:
        return "";
    }
}

static void schemes(FILE *out, const json_t *kernel)
{
    const char *name;
    json_t *scheme;

    fputs("  speedup over CacheAll:", out);
    json_object_foreach(json_object_get(kernel, "schemes"), name, scheme)
        fprintf(out, "  %s %.3f", name, byw_result_number(scheme, "speedup"));
    fputs("\n", out);
}

static void loads(FILE *out, const json_t *kernel)
{
    const json_t *groups = json_object_get(kernel, "groups"), *load;
    size_t i;

    fputs("   load   pc      line  argument  group   afft L2  afft L0/1    group L2  group L0/1  "
          "passes\n",
          out);
    json_array_foreach(json_object_get(kernel, "loads"), i, load)
    {
        const json_t *group = json_array_get(groups, (size_t)byw_result_number(load, "group"));

        fprintf(out, "  %5zu   0x%-5llx %4.0f  %8.0f  %5.0f %+9.2f  %+9.2f   %+9.2f   %+9.2f  %s\n",
                i, (long long)byw_result_number(load, "pc"), byw_result_number(load, "line"),
                byw_result_number(load, "argument"), byw_result_number(load, "group"),
                affinity(load, 0), affinity(load, 1), json_number_value(json_array_get(group, 0)),
                json_number_value(json_array_get(group, 1)), mode_name(load));
    }
}

static void sweep(FILE *out, const json_t *report)
{
    const json_t *step;
    size_t i;

    if (json_object_get(report, "sweep") == NULL)
        return;
    fputs("\nMpache's speedup by parameter:\n", out);
    json_array_foreach(json_object_get(report, "sweep"), i, step)
    {
        const char *name;
        json_t *speedup;

        fprintf(out, "  %-7s %.1f ", byw_result_text(step, "parameter"),
                byw_result_number(step, "value"));
        json_object_foreach(json_object_get(step, "speedup"), name, speedup)
            fprintf(out, "  %s %.3f", name, json_number_value(speedup));
        fputs("\n", out);
    }
}

void byw_mpache_table(FILE *out, const json_t *report)
{
    const json_t *kernel;
    size_t i;

    fprintf(out, "Mpache on %s, %s with %s: %.0f -> %.0f cycles (%.0f runs)\n",
            byw_result_text(report, "workload"), byw_result_text(report, "machine"),
            byw_result_text(report, "policy"), byw_result_number(report, "cycles"),
            byw_result_number(report, "advised_cycles"), byw_result_number(report, "runs"));
    json_array_foreach(json_object_get(report, "mpache"), i, kernel)
    {
        fprintf(out, "\n%s: %.0f cycles, %zu loads in %zu groups\n",
                byw_result_text(kernel, "title"), byw_result_number(kernel, "cycles"),
                json_array_size(json_object_get(kernel, "loads")),
                json_array_size(json_object_get(kernel, "groups")));
        schemes(out, kernel);
        loads(out, kernel);
    }
    sweep(out, report);
}

/* --- the graph ------------------------------------------------------------------------------ */

static void node(FILE *out, size_t kernel, size_t load, const json_t *about)
{
    const char *const colours[] = {byw_palette_light(BYW_LIGHT_paper), byw_palette_colour(2),
                                   byw_palette_colour(1)};

    fprintf(out,
            "    k%zul%zu [label=\"ld%zu\\nline %.0f, argument %.0f\\n%+.2f / %+.2f\", "
            "fillcolor=\"%s\"];\n",
            kernel, load, load, byw_result_number(about, "line"),
            byw_result_number(about, "argument"), affinity(about, 0), affinity(about, 1),
            colours[(int)byw_result_number(about, "mode") - BYW_MPACHE_NONE]);
}

static void edges(FILE *out, size_t kernel, const json_t *list)
{
    const json_t *a, *b;
    size_t i, j;

    json_array_foreach(list, i, a)
        json_array_foreach(list, j, b) if (i < j && json_equal(json_object_get(a, "group"),
                                                               json_object_get(b, "group")))
            fprintf(out, "    k%zul%zu -- k%zul%zu;\n", kernel, i, kernel, j);
}

/* Prints the text in double quotes. */
static void quoted(FILE *out, const char *text)
{
    for (; *text != '\0'; text++) {
        if (*text == '"' || *text == '\\')
            fputc('\\', out);
        fputc(*text, out);
    }
}

void byw_mpache_dot(FILE *out, const json_t *report)
{
    const json_t *kernel, *load;
    size_t i, j;

    fputs("graph mpache {\n  // a load's affinity to passing the L2 / L0 and L1, in percent; blue "
          "passes the L2, orange L0 and L1\n"
          "  node [shape=box, style=filled, fontname=\"sans-serif\", fontsize=10];\n",
          out);
    json_array_foreach(json_object_get(report, "mpache"), i, kernel)
    {
        const json_t *list = json_object_get(kernel, "loads");

        fprintf(out, "  subgraph cluster%zu {\n    label=\"", i);
        quoted(out, byw_result_text(kernel, "title"));
        fputs("\";\n", out);
        json_array_foreach(list, j, load) node(out, i, j, load);
        edges(out, i, list);
        fputs("  }\n", out);
    }
    fputs("}\n", out);
}
