/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_advise_page.c - advice as one HTML page: first the lines to change, then every load.
 */
#include <math.h>
#include <string.h>

#include "common/byw_html_head.h"
#include "study/advise/byw_advise_report.h"
#include "study/job/byw_result_json.h"
#include "study/page/byw_report_page.h"
#include "trace/byw_kernel_name.h"

enum { NAME_WIDTH = 60 /* characters of a kernel's name */ };

/* Styles in addition to those of the comparison page. */
static const char *const style[] = {
    ".change{border:1px solid var(--line);border-left:4px solid var(--good);border-radius:6px;",
    "padding:10px 14px;margin:10px 0;max-width:110ch}\n",
    ".change "
    ".gain{float:right;font-weight:650;color:var(--good);font-size:17px;margin-left:14px}\n",
    ".change .gain .soft{font-weight:400;font-size:13px}\n",
    ".change pre{margin:6px 0;padding:8px 10px;background:var(--card);border-radius:4px;",
    "overflow-x:auto;font:14px ui-monospace,\"DejaVu Sans Mono\",monospace}\n",
    ".change pre b{background:#e69f0044;border-radius:3px;padding:1px 2px}\n",
    ".change pre .no{color:var(--soft);user-select:none}\n",
    ".scroll+.scroll{margin-top:14px}\n",
    ".change table td{border:0;padding:2px 10px 2px 0;white-space:normal;",
    "overflow-wrap:anywhere}\n.change table td.soft{overflow-wrap:normal}\n",
    ".big{font-size:19px;max-width:90ch}\n",
    "td.good{color:var(--good);font-weight:600}.bad{color:var(--bad)}\n",
    NULL,
};

static void print_list(FILE *out, const char *const *text)
{
    for (; *text != NULL; text++)
        fputs(*text, out);
}

static void text_of(FILE *out, const json_t *object, const char *member)
{
    byw_html_text(out, byw_result_text(object, member));
}

/* A kernel's name in C++, with its middle left out if it is long; the HTML attribute has the whole
 * name and the symbol. */
static void title_of(FILE *out, const json_t *kernel)
{
    const char *symbol = byw_result_text(kernel, "name"), *title = byw_result_text(kernel, "title");
    char shown[BYW_KERNEL_NAME_ROOM];

    byw_kernel_name_fit(title, NAME_WIDTH, shown);
    if (strcmp(shown, symbol) == 0) {
        byw_html_text(out, symbol);
        return;
    }
    fputs("<span title=\"", out);
    byw_html_text(out, title);
    if (strcmp(title, symbol) != 0) {
        fputs(" (", out);
        byw_html_text(out, symbol);
        fputs(")", out);
    }
    fputs("\">", out);
    byw_html_text(out, shown);
    fputs("</span>", out);
}

/* --- the lines to change -------------------------------------------------------------------- */

/* The source line with its expression marked. */
static void source_line(FILE *out, const json_t *place)
{
    const char *text = byw_result_text(place, "text");
    const char *expression = byw_result_text(place, "expression");
    const char *at = expression[0] != '\0' ? strstr(text, expression) : NULL;
    char before[1024];

    fprintf(out, "<pre><span class=\"no\">%.0f  </span>", byw_result_number(place, "line"));
    if (at == NULL) {
        byw_html_text(out, text[0] != '\0' ? text : "(the source is not known: --source)");
    } else {
        snprintf(before, sizeof(before), "%.*s", (int)(at - text), text);
        byw_html_text(out, before);
        fputs("<b>", out);
        byw_html_text(out, expression);
        fputs("</b>", out);
        byw_html_text(out, at + strlen(expression));
    }
    fputs("</pre>\n", out);
}

/* Why the hint cannot be written, or is not in the patched program. */
static void obstacle(FILE *out, const json_t *place)
{
    if (byw_result_text(place, "obstacle")[0] != '\0') {
        fputs("<p class=\"bad\">Cannot be written: ", out);
        text_of(out, place, "obstacle");
        fputs(".</p>\n", out);
    } else if (json_is_false(json_object_get(place, "carried"))) {
        fputs("<p class=\"bad\">Patched, but the compiled kernel has no hint on this line.</p>\n",
              out);
    }
}

static void change(FILE *out, const json_t *kernel, const json_t *place)
{
    static const char *const languages[][2] = {
        {"OpenCL", "opencl"}, {"CUDA", "cuda"}, {"PTX", "ptx"}, {"HIP", "hip"}};
    char deviation[32];

    byw_advise_deviation(place, "gain_with_above", 1, deviation, sizeof(deviation));
    fputs("<div class=\"change\"><span class=\"gain\">", out);
    if (json_is_null(json_object_get(place, "gain_with_above")))
        fputs("<span class=\"soft\">not run with those above", out);
    else
        fprintf(out, "%+.1f%s %% <span class=\"soft\">of the kernel%s, %+.1f %% of the program",
                byw_result_number(place, "gain_with_above"), deviation,
                byw_result_number(place, "rank") > 1 ? " with those above" : "",
                byw_result_number(place, "gain_with_above") * byw_result_number(kernel, "share"));
    fprintf(out, "</span></span><b>%.0f. ", byw_result_number(place, "rank"));
    title_of(out, kernel);
    fprintf(out, ", line %.0f</b>: ", byw_result_number(place, "line"));
    text_of(out, place, "advice");
    if (byw_result_text(place, "name")[0] != '\0') {
        fputs(" <code>", out);
        text_of(out, place, "name");
        fputs("</code>", out);
    }
    fputs("\n", out);
    source_line(out, place);
    obstacle(out, place);
    fputs("<table>", out);
    for (size_t i = 0; i < sizeof(languages) / sizeof(languages[0]); i++) {
        if (byw_result_text(place, languages[i][1])[0] == '\0')
            continue;
        fprintf(out, "<tr><td class=\"left soft\">%s</td><td class=\"left\"><code>",
                languages[i][0]);
        text_of(out, place, languages[i][1]);
        fputs("</code></td></tr>", out);
    }
    fprintf(out,
            "</table><p class=\"note soft\">%.0f accesses of %.1f lines each; %.0f %% find their "
            "line in the L1, %.0f %% of the lines are loaded again by the same SM.</p></div>\n",
            byw_result_number(place, "accesses"), byw_result_number(place, "lines_per_access"),
            100 * byw_result_number(place, "hit_rate"), 100 * byw_result_number(place, "reuse"));
}

/* --- tables --------------------------------------------------------------------------------- */

static void effect_cell(FILE *out, const json_t *place, const char *hint)
{
    const json_t *effect = json_object_get(json_object_get(place, "alone"), hint);
    const bool noise = json_is_true(json_object_get(effect, "within_noise"));
    double gain = byw_result_number(effect, "gain");
    char deviation[32];

    byw_advise_deviation(effect, "gain", 2, deviation, sizeof(deviation));
    if (effect == NULL)
        fputs("<td>-</td>", out);
    else
        fprintf(out, "<td%s>%+.2f%s %%%s</td>",
                noise || fabs(gain) < 0.5 ? ""
                : gain > 0                ? " class=\"good\""
                                          : " class=\"bad\"",
                gain, deviation, noise ? " ~" : "");
}

/* The hint; if it is not advised because of the noise, also the reason. */
static void advice_cell(FILE *out, const json_t *place)
{
    const json_t *noise = json_object_get(place, "noise");
    char deviation[32];

    if (noise == NULL) {
        text_of(out, place, "advice");
        return;
    }
    byw_advise_deviation(noise, "gain", 2, deviation, sizeof(deviation));
    fputs("<span class=\"soft\">not ", out);
    text_of(out, noise, "hint");
    fprintf(out, ": %+.2f%s %% is within the noise</span>", byw_result_number(noise, "gain"),
            deviation);
}

static void place_row(FILE *out, const json_t *report, const json_t *place)
{
    const json_t *pcs = json_object_get(place, "pcs"), *hint;
    size_t i;

    fputs("<tr><td>", out);
    if (byw_result_number(place, "rank") > 0)
        fprintf(out, "%.0f", byw_result_number(place, "rank"));
    fprintf(out, "</td><td>%.0f</td><td class=\"left\"><code>", byw_result_number(place, "line"));
    text_of(out, place, byw_result_text(place, "expression")[0] != '\0' ? "expression" : "name");
    fprintf(out, "</code></td><td class=\"left\">0x%llx%s</td>",
            (long long)json_integer_value(json_array_get(pcs, 0)),
            json_array_size(pcs) > 1 ? " ..." : "");
    fprintf(out, "<td>%zu</td><td>%.0f</td><td>%.2f</td><td>%.3f</td><td>%.3f</td>",
            json_array_size(pcs), byw_result_number(place, "accesses"),
            byw_result_number(place, "lines_per_access"), byw_result_number(place, "hit_rate"),
            byw_result_number(place, "reuse"));
    json_array_foreach(json_object_get(report, "hints"), i, hint)
        effect_cell(out, place, json_string_value(hint));
    fputs("<td class=\"left\">", out);
    advice_cell(out, place);
    fputs("</td></tr>\n", out);
}

static void class_rows(FILE *out, const json_t *kernel)
{
    const json_t *list = json_object_get(kernel, "classes"), *entry;
    size_t i;

    if (json_array_size(list) < 2 || byw_result_number(kernel, "taken") == 0)
        return;
    fputs("<div class=\"scroll\"><table><thead><tr><th>CTAs</th><th>launches</th><th>cycles</th>"
          "<th>with the advice</th><th>saved</th></tr></thead><tbody>\n",
          out);
    json_array_foreach(list, i, entry)
        fprintf(out,
                "<tr><td>%.0f to %.0f</td><td>%.0f</td><td>%.0f</td><td>%.0f</td>"
                "<td>%+.2f %%</td></tr>\n",
                byw_result_number(entry, "least_ctas"), byw_result_number(entry, "most_ctas"),
                byw_result_number(entry, "launches"), byw_result_number(entry, "cycles"),
                byw_result_number(entry, "advised_cycles"), byw_result_number(entry, "gain"));
    fputs("</tbody></table></div>\n", out);
}

/* The loads that warps wait for, by machine code. */
static void wait_rows(FILE *out, const json_t *kernel)
{
    const json_t *waits = json_object_get(kernel, "waits"), *wait;
    char text[256];
    size_t i;

    if (json_array_size(waits) == 0)
        return;
    fputs("<p>Loads that its warps wait for, by machine code (<code>byway source</code> shows all "
          "instructions):</p><ul>\n",
          out);
    json_array_foreach(waits, i, wait)
    {
        byw_advise_wait(wait, text, sizeof(text));
        if (byw_result_number(wait, "line") > 0.0)
            fprintf(out, "<li>line %.0f: %s</li>\n", byw_result_number(wait, "line"), text);
        else
            fprintf(out, "<li>code without a line: %s</li>\n", text);
    }
    fputs("</ul>\n", out);
}

static void kernel_section(FILE *out, const json_t *report, const json_t *kernel)
{
    const json_t *places = json_object_get(kernel, "places"), *entry;
    char words[64];
    size_t i;

    byw_advise_words(kernel, words, sizeof(words));
    fputs("<h2>", out);
    title_of(out, kernel);
    fprintf(out,
            "</h2>\n<p class=\"soft\">%.0f cycles in %.0f launch%s, %.1f %% of the program; "
            "%s.%s</p>\n",
            byw_result_number(kernel, "cycles"), byw_result_number(kernel, "launches"),
            byw_result_number(kernel, "launches") == 1 ? "" : "es",
            100.0 * byw_result_number(kernel, "share"),
            byw_result_number(kernel, "taken") == 0 ? "nothing to gain" : words,
            byw_advise_depends(kernel, byw_result_number(report, "least"))
                ? " It gains for some sizes of the launch and loses for others."
                : "");
    class_rows(out, kernel);
    fputs("<div class=\"scroll\"><table><thead><tr><th></th><th>line</th><th class=\"left\">load"
          "</th><th class=\"left\">PC</th><th>loads</th><th>accesses</th><th>lines per access</th>"
          "<th>found</th><th>reuse</th>",
          out);
    json_array_foreach(json_object_get(report, "hints"), i, entry)
        fprintf(out, "<th>%s alone</th>", json_string_value(entry));
    fputs("<th class=\"left\">advice</th></tr></thead><tbody>\n", out);
    json_array_foreach(places, i, entry) place_row(out, report, entry);
    fputs("</tbody></table></div>\n", out);
    wait_rows(out, kernel);
}

/* --- the page ------------------------------------------------------------------------------- */

static double taken_of(const json_t *report)
{
    const json_t *kernel;
    double taken = 0;
    size_t i;

    json_array_foreach(json_object_get(report, "kernels"), i, kernel) taken +=
        byw_result_number(kernel, "taken");
    return taken;
}

/* The predicted saving of the patch, and the measured one. */
static void patch_part(FILE *out, const json_t *patch)
{
    char deviation[32];

    if (patch == NULL)
        return;
    byw_advise_deviation(patch, "predicted", 2, deviation, sizeof(deviation));
    fprintf(out,
            "<div class=\"scroll\"><table><thead><tr><th class=\"left\">the patch</th>"
            "<th>changed</th><th>left</th><th>predicted</th><th>measured</th></tr></thead>"
            "<tbody><tr><td class=\"left\">captured and simulated again</td><td>%.0f</td>"
            "<td>%.0f</td><td>%+.2f%s %%</td>",
            byw_result_number(patch, "changed"), byw_result_number(patch, "left"),
            byw_result_number(patch, "predicted"), deviation);
    if (json_is_null(json_object_get(patch, "measured"))) {
        fputs("<td>-</td></tr></tbody></table></div>\n<p class=\"bad\">Not measured: ", out);
        text_of(out, patch, "reason");
        fputs(".</p>\n", out);
    } else {
        byw_advise_deviation(patch, "measured", 2, deviation, sizeof(deviation));
        fprintf(out, "<td>%+.2f%s %%</td></tr></tbody></table></div>\n",
                byw_result_number(patch, "measured"), deviation);
    }
}

static void summary(FILE *out, const json_t *report)
{
    double taken = taken_of(report);
    const json_t *entry;
    char words[64], inputs[256], promise[320], noise[256];
    size_t i;

    byw_advise_words(report, words, sizeof(words));
    byw_advise_stopped(report, noise, sizeof(noise));
    if (noise[0] != '\0')
        fprintf(out, "<p class=\"bad\">%s.</p>\n", noise);
    if (taken == 0)
        fprintf(
            out,
            "<p class=\"big\">Nothing to gain: no hint saves %.1f %% of a kernel's cycles%s.</p>\n",
            byw_result_number(report, "least"),
            json_object_get(report, "repeat") != NULL ? " and more than the noise" : "");
    else
        fprintf(out,
                "<p class=\"big\">Change %.0f place%s: <b>%s</b> (%.0f instead of %.0f).</p>\n",
                taken, taken == 1 ? "" : "s", words, byw_result_number(report, "advised_cycles"),
                byw_result_number(report, "cycles"));
    patch_part(out, json_object_get(report, "patch"));
    json_array_foreach(json_object_get(report, "also"), i, entry)
    {
        byw_advise_words(entry, words, sizeof(words));
        fputs("<p>The same advice on <code>", out);
        text_of(out, entry, "trace");
        fprintf(out, "</code>: %s.</p>\n", words);
    }
    byw_advise_promise(report, promise, sizeof(promise));
    if (taken > 0) {
        fputs("<p>", out);
        byw_html_text(out, promise);
        fputs(".</p>\n", out);
    }
    byw_advise_inputs(report, inputs, sizeof(inputs));
    if (inputs[0] != '\0' && taken > 0)
        fprintf(out, "<p><b>%s.</b></p>\n", inputs);
    byw_advise_noise(report, noise, sizeof(noise));
    if (noise[0] != '\0')
        fprintf(out, "<p>%s.</p>\n", noise);
}

enum byw_status byw_advise_page(const json_t *report, struct byw_file *file, struct byw_diag *diag)
{
    FILE *out = byw_file_stream(file);
    const json_t *kernels = json_object_get(report, "kernels"), *kernel, *place;
    size_t i, j;

    fputs(BYW_HTML_HEAD "<title>byway: advice</title>\n<style>\n", out);
    byw_report_style(out);
    print_list(out, style);
    fputs("</style></head><body><main>\n<h1>Which loads of ", out);
    text_of(out, report, "workload");
    fputs(" should carry a cache hint</h1>\n<p class=\"soft\">Simulated on ", out);
    text_of(out, report, "machine");
    fputs(" with ", out);
    text_of(out, report, "policy");
    fprintf(out, ", %.0f %s.</p>\n", byw_result_number(report, "runs"),
            json_object_get(report, "repeat") != NULL ? "assignments" : "runs");
    summary(out, report);
    json_array_foreach(kernels, i, kernel) json_array_foreach(
        json_object_get(kernel, "places"), j, place) if (byw_result_number(place, "rank") > 0)
        change(out, kernel, place);
    if (taken_of(report) > 0)
        fputs("<p class=\"note soft\">The percentage of a change is what its kernel's cycles "
              "become fewer by, together with the changes of that kernel above it.</p>\n",
              out);
    json_array_foreach(kernels, i, kernel) kernel_section(out, report, kernel);
    fputs(
        "<p class=\"note soft\">Found: share of the requests whose line is in the L1 or in "
        "flight. Reuse: share whose sector the same SM loads again in the launch. Alone: cycles of "
        "the kernel saved by that hint on this load and nothing else.</p>\n"
        "</main></body></html>\n",
        out);
    return byw_file_commit(file, diag);
}
