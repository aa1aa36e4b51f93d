/* SPDX-License-Identifier: Apache-2.0 */
#include "study/advise/byw_advise_report.h"

#include <stdio.h>
#include <string.h>

#include "common/byw_text.h"
#include "study/job/byw_result_json.h"
#include "trace/byw_kernel_name.h"

enum {
    NAME_WIDTH = 60, /* characters of a kernel's name */
    INPUTS_ALIKE = 2 /* largest difference between inputs that counts as alike, in points of the
                        cycles saved */
};

/* "14.2 % fewer cycles"; deviation: " ± 0.3", or "". */
static void words_of(double gain, const char *deviation, char *text, size_t room)
{
    snprintf(text, room, "%.1f%s %% %s cycles", gain < 0 ? -gain : gain, deviation,
             gain < 0 ? "more" : "fewer");
}

void byw_advise_words(const json_t *of, char *text, size_t room)
{
    char deviation[32];

    byw_advise_deviation(of, "gain", 1, deviation, sizeof(deviation));
    words_of(byw_result_number(of, "gain"), deviation, text, room);
    if (json_is_true(json_object_get(of, "within_noise")))
        snprintf(text + strlen(text), room - strlen(text), ", within the noise");
}

void byw_advise_stopped(const json_t *report, char *text, size_t room)
{
    const json_t *stopped = json_object_get(report, "stopped");

    text[0] = '\0';
    if (stopped != NULL)
        snprintf(
            text, room,
            "Stopped after %.0f of about %.0f assignments; this is the best so far, and the hints "
            "of different kernels were not run together",
            byw_result_number(stopped, "done"), byw_result_number(stopped, "planned"));
}

void byw_advise_deviation(const json_t *of, const char *name, int digits, char *text, size_t room)
{
    char member[64];
    const json_t *sd;

    snprintf(member, sizeof(member), "%s_sd", name);
    sd = json_object_get(of, member);
    text[0] = '\0';
    if (sd != NULL)
        snprintf(text, room, " ± %.*f", digits, json_number_value(sd));
}

void byw_advise_noise(const json_t *report, char *text, size_t room)
{
    text[0] = '\0';
    if (json_object_get(report, "repeat") != NULL)
        snprintf(
            text, room,
            "Each assignment ran %.0f times with different noise (noise.seed). Cycles and "
            "gains are means, ± is the standard deviation of one run; ~ marks a gain within two of "
            "them of 0. The advice ends where further places add no more than that",
            byw_result_number(report, "repeat.runs"));
}

void byw_advise_promise(const json_t *report, char *text, size_t room)
{
    const json_t *promise = json_object_get(report, "promise");
    const char *title = byw_result_text(promise, "title");
    double low = byw_result_number(promise, "low"), high = byw_result_number(promise, "high");

    if (!json_is_real(json_object_get(promise, "error")))
        snprintf(text, room, "Cycles are those of machine %s, which was never compared with a GPU",
                 title);
    else if (json_is_true(json_object_get(promise, "holds")))
        snprintf(text, room, "On %s expect %.1f to %.1f %% fewer cycles (9 of 10 launches)", title,
                 low, high);
    else
        snprintf(
            text, room,
            "This is within the model's error on %s (9 of 10 launches: %.1f %% more to %.1f %% "
            "fewer cycles): measure it before you keep it",
            title, -low, high);
}

void byw_advise_inputs(const json_t *report, char *text, size_t room)
{
    double least = byw_result_number(report, "gain"), most = least;
    const json_t *also = json_object_get(report, "also"), *entry;
    char words[2][64];
    size_t i;

    text[0] = '\0';
    json_array_foreach(also, i, entry)
    {
        double gain = byw_result_number(entry, "gain");

        least = gain < least ? gain : least;
        most = gain > most ? gain : most;
    }
    words_of(least, "", words[0], sizeof(words[0]));
    words_of(most, "", words[1], sizeof(words[1]));
    if (json_array_size(also) == 0)
        return;
    if (most - least < INPUTS_ALIKE)
        snprintf(text, room, "What it saves hardly depends on the input: %s to %s", words[0],
                 words[1]);
    else
        snprintf(text, room, "What it saves depends on the input, by %.1f points: %s to %s%s",
                 most - least, words[0], words[1],
                 least < 0 && most > 0 ? "; for some it loses" : "");
}

static double least_of(const json_t *kernel, double *most)
{
    const json_t *entry;
    double least = 0.0;
    size_t i;

    *most = 0.0;
    json_array_foreach(json_object_get(kernel, "classes"), i, entry)
    {
        double gain = byw_result_number(entry, "gain");

        least = i == 0 || gain < least ? gain : least;
        *most = i == 0 || gain > *most ? gain : *most;
    }
    return least;
}

bool byw_advise_depends(const json_t *kernel, double least)
{
    double most, worst = least_of(kernel, &most);

    return most > least && worst < 0.0;
}

/* --- table ---------------------------------------------------------------------------------- */

enum { WIDTH = 80, COLUMNS_BEFORE = 38 /* a row without the load and the hints */ };

/* Width of a hint's column: the more hints, the narrower. */
static int hint_width(const json_t *report)
{
    size_t hints = json_array_size(json_object_get(report, "hints"));

    return hints <= 2 ? 11 : hints == 3 ? 9 : 7;
}

/* Width of the column of loads: the rest of the line. */
static int load_width(const json_t *report)
{
    int hints = (int)json_array_size(json_object_get(report, "hints"));

    return WIDTH - COLUMNS_BEFORE - hints * (hint_width(report) + 1);
}

/* "x", "argument 4" or "pc 0x60"; with one row per load "x 0x60". */
static void name_of(const json_t *report, const json_t *place, char *text, size_t room)
{
    const char *name = byw_result_text(place, "name");
    double argument = byw_result_number(place, "argument");
    const long long pc = json_integer_value(json_array_get(json_object_get(place, "pcs"), 0));
    char plain[32], at[24];
    int width = load_width(report);

    snprintf(plain, sizeof(plain), "argument %.0f", argument);
    snprintf(at, sizeof(at), "0x%llx", pc);
    if (name[0] == '\0' && argument >= 0)
        name = plain;
    if (name[0] == '\0')
        snprintf(text, room, "pc %s", at);
    else if (strcmp(byw_result_text(report, "by"), "load") == 0)
        snprintf(text, room, "%.*s %s", width - 1 - (int)strlen(at), name, at);
    else
        snprintf(text, room, "%.*s", width, name);
}

static void head(FILE *out, const json_t *report)
{
    const json_t *hint;
    size_t i;
    const int width = hint_width(report);

    fprintf(out, "  %2s %5s %-*s %8s %5s %5s %5s", "", "line", load_width(report), "load",
            "accesses", "lines", "found", "reuse");
    json_array_foreach(json_object_get(report, "hints"), i, hint)
        fprintf(out, " %*.*s", width, width, json_string_value(hint));
    fputs("\n", out);
}

/* The gain of a hint alone. With repeated runs it shows the deviation, if the column has room, and
 * ~ if the gain is within the noise. */
static void effect_text(const json_t *effect, int width, char *text, size_t room)
{
    const json_t *sd = json_object_get(effect, "gain_sd");
    const double gain = byw_result_number(effect, "gain");
    const char *mark = json_is_true(json_object_get(effect, "within_noise")) ? "~" : "";

    if (effect == NULL)
        snprintf(text, room, "-");
    else if (sd == NULL)
        snprintf(text, room, "%+.2f%%", gain);
    else if (width < 11)
        snprintf(text, room, "%+.1f%s", gain, mark);
    else
        snprintf(text, room, "%+.1f±%.1f%s", gain, json_number_value(sd), mark);
}

static void row(FILE *out, const json_t *report, const json_t *place)
{
    const json_t *alone = json_object_get(place, "alone"), *hint;
    double rank = byw_result_number(place, "rank"), line = byw_result_number(place, "line");
    char name[64], number[16] = "", at[16] = "-";
    const int width = hint_width(report);
    size_t i;

    name_of(report, place, name, sizeof(name));
    if (rank > 0)
        snprintf(number, sizeof(number), "%.0f", rank);
    if (line > 0)
        snprintf(at, sizeof(at), "%.0f", line);
    fprintf(out, "  %2s %5s %-*s %8.0f %5.2f %5.3f %5.3f", number, at, load_width(report), name,
            byw_result_number(place, "accesses"), byw_result_number(place, "lines_per_access"),
            byw_result_number(place, "hit_rate"), byw_result_number(place, "reuse"));
    json_array_foreach(json_object_get(report, "hints"), i, hint)
    {
        char text[64];

        effect_text(json_object_get(alone, json_string_value(hint)), width, text, sizeof(text));
        fprintf(out, " %*s%s", width - (int)byw_text_columns(text), "", text);
    }
    fputs("\n", out);
}

/* Prints why the program was not patched, or that its compiled kernel lacks the hint. */
static void patched(FILE *out, const json_t *place)
{
    if (byw_result_text(place, "unsaid")[0] != '\0')
        fprintf(out, "       not patched: %s\n", byw_result_text(place, "unsaid"));
    else if (json_is_false(json_object_get(place, "carried")))
        fputs("       patched, but the compiled kernel has no hint on this line\n", out);
}

static void what_to_write(FILE *out, const json_t *kernel, const json_t *place)
{
    static const char *const languages[][2] = {
        {"OpenCL", "opencl"}, {"CUDA", "cuda"}, {"HIP", "hip"}};
    const char *text = byw_result_text(place, "text"), *ptx = byw_result_text(place, "ptx");
    size_t loads = json_array_size(json_object_get(place, "pcs"));
    char deviation[32];

    fprintf(out, "  %.0f. line %.0f%s%s\n       %s", byw_result_number(place, "rank"),
            byw_result_number(place, "line"), text[0] != '\0' ? ": " : "", text,
            byw_result_text(place, "advice"));
    if (loads > 1)
        fprintf(out, " of %zu loads", loads);
    byw_advise_deviation(place, "gain_with_above", 2, deviation, sizeof(deviation));
    if (json_is_null(json_object_get(place, "gain_with_above")))
        fputs(": not run with those above\n", out);
    else
        fprintf(out, ": %+.2f%s%% of the kernel%s, %+.2f%% of the program\n",
                byw_result_number(place, "gain_with_above"), deviation,
                byw_result_number(place, "rank") > 1 ? " with those above" : "",
                byw_result_number(place, "gain_with_above") * byw_result_number(kernel, "share"));
    for (size_t l = 0; l < sizeof(languages) / sizeof(languages[0]); l++) {
        const char *written = byw_result_text(place, languages[l][1]);

        if (written[0] != '\0')
            fprintf(out, "       %-7s %s\n", languages[l][0], written);
    }
    fprintf(out, "       PTX     %s\n", ptx);
    if (byw_result_text(place, "obstacle")[0] != '\0')
        fprintf(out, "       cannot be written: %s\n", byw_result_text(place, "obstacle"));
    patched(out, place);
}

/* Shows a hint of the best assignment that is not advised. */
static void noisy(FILE *out, const json_t *place)
{
    const json_t *noise = json_object_get(place, "noise");
    char deviation[32];

    byw_advise_deviation(noise, "gain", 2, deviation, sizeof(deviation));
    fprintf(out, "  -  line %.0f: %s is not advised: %+.2f%s%% is within the noise\n",
            byw_result_number(place, "line"), byw_result_text(noise, "hint"),
            byw_result_number(noise, "gain"), deviation);
}

static void nothing(FILE *out, const json_t *kernel)
{
    char deviation[32];

    byw_advise_deviation(kernel, "best_gain", 1, deviation, sizeof(deviation));
    fprintf(out, "\n  nothing to gain (the best of %.0f assignments takes %.0f",
            byw_result_number(kernel, "tried"), byw_result_number(kernel, "best_cycles"));
    if (deviation[0] != '\0')
        fprintf(out, ", %+.1f%s%%", byw_result_number(kernel, "best_gain"), deviation);
    fputs(")\n", out);
}

static void classes(FILE *out, const json_t *kernel, double least)
{
    const json_t *list = json_object_get(kernel, "classes"), *entry;
    size_t i;

    if (json_array_size(list) < 2 || byw_result_number(kernel, "taken") == 0)
        return;
    fprintf(out, "  by size of the launch%s:\n",
            byw_advise_depends(kernel, least) ? " (it gains for some and loses for others)" : "");
    json_array_foreach(list, i, entry)
        fprintf(out, "    %.0f to %.0f CTAs, %.0f launches: %.0f -> %.0f cycles, %+.2f%%\n",
                byw_result_number(entry, "least_ctas"), byw_result_number(entry, "most_ctas"),
                byw_result_number(entry, "launches"), byw_result_number(entry, "cycles"),
                byw_result_number(entry, "advised_cycles"), byw_result_number(entry, "gain"));
}

void byw_advise_wait(const json_t *wait, char *text, size_t room)
{
    static const char *const answer[][2] = {{"dram", "DRAM"}, {"l2", "L2"}, {"l1", "L1"}};
    const json_t *at = json_object_get(wait, "at");
    const char *separator = "";
    size_t used =
        (size_t)snprintf(text, room, "waited for at line%s", json_array_size(at) > 1 ? "s" : "");

    for (size_t i = 0; i < json_array_size(at) && i < 3 && used < room; i++) {
        double line = byw_result_number(json_array_get(at, i), "line");

        used += (size_t)(line > 0.0
                             ? snprintf(text + used, room - used, "%s %.0f", i > 0 ? "," : "", line)
                             : snprintf(text + used, room - used, "%s ?", i > 0 ? "," : ""));
    }
    if (used < room)
        used += (size_t)snprintf(text + used, room - used, ", %.1f %% of the warp cycles: ",
                                 100.0 * byw_result_number(wait, "share"));
    for (size_t i = 0; i < sizeof(answer) / sizeof(answer[0]) && used < room; i++) {
        double share = 100.0 * byw_result_number(wait, answer[i][0]);

        if (share < 0.05)
            continue;
        used += (size_t)snprintf(text + used, room - used, "%s%s %.1f %%", separator, answer[i][1],
                                 share);
        separator = ", ";
    }
}

/* The loads that warps wait for, by machine code. */
static void waits_part(FILE *out, const json_t *kernel)
{
    const json_t *waits = json_object_get(kernel, "waits"), *wait;
    char text[256];
    size_t i;

    if (json_array_size(waits) == 0)
        return;
    fputs("  Loads that its warps wait for, by machine code:\n", out);
    json_array_foreach(waits, i, wait)
    {
        byw_advise_wait(wait, text, sizeof(text));
        if (byw_result_number(wait, "line") > 0.0)
            fprintf(out, "  %5.0f  %s\n", byw_result_number(wait, "line"), text);
        else
            fprintf(out, "  %5s  %s\n", "?", text);
    }
}

static void kernel_part(FILE *out, const json_t *report, const json_t *kernel)
{
    const json_t *places = json_object_get(kernel, "places"), *place;
    double taken = byw_result_number(kernel, "taken");
    char words[64], name[BYW_KERNEL_NAME_ROOM];
    size_t i;

    byw_advise_words(kernel, words, sizeof(words));
    byw_kernel_name_fit(byw_result_text(kernel, "title"), NAME_WIDTH, name);
    fprintf(out, "\n%s: %.0f cycles in %.0f launch%s, %.1f %% of the program", name,
            byw_result_number(kernel, "cycles"), byw_result_number(kernel, "launches"),
            byw_result_number(kernel, "launches") == 1 ? "" : "es",
            100.0 * byw_result_number(kernel, "share"));
    if (json_array_size(places) == 0) {
        fputs("; it has no global load\n", out);
        return;
    }
    if (taken == 0)
        nothing(out, kernel);
    else
        fprintf(out, "\n  with %s %s\n", taken == 1 ? "one hint" : "all of its hints", words);
    head(out, report);
    json_array_foreach(places, i, place) row(out, report, place);
    json_array_foreach(places, i, place) if (byw_result_number(place, "rank") > 0)
        what_to_write(out, kernel, place);
    json_array_foreach(places, i, place) if (json_object_get(place, "noise") != NULL)
        noisy(out, place);
    classes(out, kernel, byw_result_number(report, "least"));
    waits_part(out, kernel);
    if (!json_is_true(json_object_get(kernel, "complete")) &&
        json_object_get(report, "stopped") == NULL)
        fputs("  The search reached --runs before it was complete.\n", out);
}

static void reason(FILE *out, const char *why)
{
    fputs("; not measured:\n  ", out);
    byw_text_wrap_at(out, why, 2);
}

/* The predicted saving of the patch, and the measured one. */
static void patch_part(FILE *out, const json_t *patch)
{
    char measured[32], predicted[32];

    if (patch == NULL)
        return;
    byw_advise_deviation(patch, "measured", 2, measured, sizeof(measured));
    byw_advise_deviation(patch, "predicted", 2, predicted, sizeof(predicted));
    fprintf(out, "  the patch: %.0f place%s changed, %.0f not", byw_result_number(patch, "changed"),
            byw_result_number(patch, "changed") == 1 ? "" : "s", byw_result_number(patch, "left"));
    if (json_is_null(json_object_get(patch, "measured")))
        reason(out, byw_result_text(patch, "reason"));
    else
        fprintf(out,
                "; captured and simulated again it takes\n  %.0f cycles, %+.2f%s%% where %+.2f%s%% "
                "was predicted\n",
                byw_result_number(patch, "cycles"), byw_result_number(patch, "measured"), measured,
                byw_result_number(patch, "predicted"), predicted);
}

void byw_advise_table(FILE *out, const json_t *report)
{
    const json_t *entry, *kernel;
    double taken = 0;
    char words[64], inputs[256], promise[320], noise[256], stopped[160];
    size_t i, j;

    byw_advise_noise(report, noise, sizeof(noise));

    json_array_foreach(json_object_get(report, "kernels"), i, entry)
    {
        taken += byw_result_number(entry, "taken");
    }
    byw_advise_stopped(report, stopped, sizeof(stopped));
    if (stopped[0] != '\0')
        fprintf(out, "%s.\n", stopped);
    fprintf(out, "%s on %s with %s: ", byw_result_text(report, "workload"),
            byw_result_text(report, "machine"), byw_result_text(report, "policy"));
    byw_advise_words(report, words, sizeof(words));
    if (taken == 0)
        fprintf(out, "nothing to gain.\n  No hint saves %.1f %% of a kernel's cycles%s.\n",
                byw_result_number(report, "least"),
                noise[0] != '\0' ? " and more than the noise" : "");
    else
        fprintf(out, "%.0f place%s to change, %s\n  %.0f -> %.0f cycles\n", taken,
                taken == 1 ? "" : "s", words, byw_result_number(report, "cycles"),
                byw_result_number(report, "advised_cycles"));
    byw_advise_promise(report, promise, sizeof(promise));
    if (taken > 0) {
        fputs("  ", out);
        strcat(promise, ".");
        byw_text_wrap_at(out, promise, 2);
    }
    json_array_foreach(json_object_get(report, "also"), i, entry)
    {
        byw_advise_words(entry, words, sizeof(words));
        fprintf(out, "  the same advice on %s: %.0f -> %.0f cycles, %s\n",
                byw_result_text(entry, "trace"), byw_result_number(entry, "cycles"),
                byw_result_number(entry, "advised_cycles"), words);
        json_array_foreach(json_object_get(entry, "kernels"), j, kernel)
            fprintf(out, "    %s %+.1f%%\n", byw_result_text(kernel, "title"),
                    byw_result_number(kernel, "gain"));
    }
    byw_advise_inputs(report, inputs, sizeof(inputs));
    if (inputs[0] != '\0' && taken > 0)
        fprintf(out, "  %s.\n", inputs);
    patch_part(out, json_object_get(report, "patch"));
    json_array_foreach(json_object_get(report, "kernels"), i, entry)
        kernel_part(out, report, entry);
    fprintf(out,
            "\nlines: cache lines per access; found: fraction of the requests that find their\n"
            "line; reuse: fraction whose sector (line, without sectors) the SM loads again;\n"
            "hints: cycles of the kernel saved by this hint alone.  %.0f %s.\n",
            byw_result_number(report, "runs"), noise[0] != '\0' ? "assignments" : "runs");
    if (noise[0] != '\0') {
        strcat(noise, ".");
        byw_text_wrap_at(out, noise, 0);
    }
}

/* --- file of advice ------------------------------------------------------------------------- */

static void file_place(FILE *out, const char *kernel, const json_t *place)
{
    const json_t *pc;
    size_t i;

    if (byw_result_number(place, "rank") == 0)
        return;
    fprintf(out, "# line %.0f: %s\n", byw_result_number(place, "line"),
            byw_result_text(place, "text"));
    json_array_foreach(json_object_get(place, "pcs"), i, pc)
        fprintf(out, "%s pc:0x%llx %s\n", kernel, (long long)json_integer_value(pc),
                byw_result_text(place, "advice"));
}

enum byw_status byw_advise_file(const json_t *report, struct byw_file *file, struct byw_diag *diag)
{
    FILE *out = byw_file_stream(file);
    const json_t *kernel, *place;
    char stopped[160];
    size_t i, j;

    fprintf(out,
            "# Advice for loads, found by `byway advise`; `byway run --advice` obeys it.\n"
            "# %s on %s with %s: %.0f cycles without it, %.0f with it",
            byw_result_text(report, "workload"), byw_result_text(report, "machine"),
            byw_result_text(report, "policy"), byw_result_number(report, "cycles"),
            byw_result_number(report, "advised_cycles"));
    if (json_object_get(report, "repeat") != NULL)
        fprintf(out, ", means of %.0f runs", byw_result_number(report, "repeat.runs"));
    fputs(".\n", out);
    byw_advise_stopped(report, stopped, sizeof(stopped));
    if (stopped[0] != '\0')
        fprintf(out, "# %s.\n", stopped);
    json_array_foreach(json_object_get(report, "kernels"), i, kernel)
    {
        if (byw_result_number(kernel, "taken") == 0)
            continue;
        if (byw_result_number(kernel, "stamp") != 0)
            fprintf(out, "%s sites %08llx\n", byw_result_text(kernel, "name"),
                    (long long)byw_result_number(kernel, "stamp"));
        json_array_foreach(json_object_get(kernel, "places"), j, place)
            file_place(out, byw_result_text(kernel, "name"), place);
    }
    return byw_file_commit(file, diag);
}
