/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture/byw_capture.h"
#include "cli/byw_cli.h"
#include "cli/byw_given.h"
#include "cli/byw_pick.h"
#include "cli/byw_source_data.h"
#include "common/byw_text.h"
#include "study/job/byw_hot_lines.h"
#include "study/page/byw_page.h"

enum { PTX_MOST = 1000, LINES = 12 /* of a kernel in the table */ };

struct request {
    struct byw_given_words from;
    struct byw_texts sources, ptx;
    const char *html, *json;
    uint64_t threads;
    struct byw_cli_pick pick;
    bool help;
    char *command;
};

static void help(const struct byw_option *options, size_t count)
{
    puts("usage: byway source (TRACE | WORKLOAD) [options]\n"
         "       byway source [options] -- PROGRAM [ARGS]\n");
    byw_args_help(stdout, options, count);
    byw_text_wrap(
        stdout,
        "\nShows where the cycles of each kernel go: what each line of the source, each PTX "
        "instruction and each machine instruction waits for, and what the caches make of its "
        "accesses.  --html writes source, PTX and machine code side by side.  The trace needs "
        "machine code: NVIDIA's assembler must be installed when it is captured (byway doctor).  A "
        "trace holds neither source nor PTX: a PROGRAM after -- gives both; for a TRACE, --source "
        "and --ptx name them (BYWAY_PTX=DIR byway trace capture ... stores the PTX).",
        0, "");
}

static enum byw_status parse(int argc, char **argv, struct request *r, struct byw_diag *diag)
{
    const struct byw_option options[] = {
        {"machine", 'm', "M", "name or .cfg file (default: " BYW_CLI_GPU ")",
         .text = &r->from.machine, .file = BYW_FILE_READ},
        {"policy", 'p', "P", "name or .cfg file (default: bl)", .text = &r->from.policy,
         .file = BYW_FILE_READ},
        {"set", 's', "KEY=VALUE", "change one configuration key; may be repeated",
         .list = &r->from.settings, .keyed = true},
        BYW_CLI_PICK_OPTIONS(&r->pick),
        {"html", 0, "F", "write a page with source, PTX and machine code", .text = &r->html,
         .file = BYW_FILE_WRITTEN},
        {"json", 'o', "F", "write the result, with source and PTX, as JSON; - is stdout",
         .text = &r->json, .file = BYW_FILE_WRITTEN},
        {"source", 0, "F", "the kernels' source (OpenCL C, .cu); may be repeated",
         .list = &r->sources, .file = BYW_FILE_READ},
        {"ptx", 0, "F", "the kernels' PTX; may be repeated", .list = &r->ptx,
         .file = BYW_FILE_READ},
        {"jobs", 'j', "N", "simulation threads (default: 1); the result does not depend on it",
         .number = &r->threads, .lowest = 1, .highest = BYW_THREADS_MAX},
        {"help", 'h', NULL, "this text", .flag = &r->help},
    };
    const size_t count = sizeof(options) / sizeof(options[0]);
    enum byw_status st =
        byw_args_parse(options, count, argc, argv, &r->from.words, 1, &r->from.program, diag);

    if (st == BYW_OK && r->help)
        help(options, count);
    else if (st == BYW_OK)
        st = byw_given_check("source", &r->from, diag);
    return st;
}

/* --- input ------------------------------------------------------------------------------------ */

struct work {
    struct byw_given given;
    const char *ptx[PTX_MOST], *source[BYW_ADVISE_TEXTS + BYW_TEXTS_MAX];
    char *found[PTX_MOST]; /* paths of a program's PTX */
    size_t ptxs, sources, founds;
};

/* The PTX that the capture has stored, in the order of its numbers. */
static void find_ptx(struct work *work)
{
    for (size_t n = 1; n <= PTX_MOST && work->ptxs < PTX_MOST; n++) {
        char path[BYW_PATH_ROOM + 32];

        snprintf(path, sizeof(path), "%s/%zu.ptx", work->given.program.folder, n);
        if (access(path, R_OK) != 0 || (work->found[work->founds] = strdup(path)) == NULL)
            return;
        work->ptx[work->ptxs++] = work->found[work->founds++];
    }
}

/* Finds the trace, or captures it, with the PTX and the sources that belong to it. */
static enum byw_status find_input(struct work *work, const struct request *r, struct byw_diag *diag)
{
    struct byw_given *given = &work->given;
    const bool program = r->from.words.count == 0;
    enum byw_status st;

    if (program && setenv(BYW_CAPTURE_ENV_PTX, given->program.folder, 1) != 0)
        return byw_no_memory(diag, "the environment");
    st = byw_given_trace(given, &r->from, diag);
    if (program)
        unsetenv(BYW_CAPTURE_ENV_PTX);
    if (st != BYW_OK)
        return st;
    for (size_t i = 0; i < r->ptx.count && work->ptxs < PTX_MOST; i++)
        work->ptx[work->ptxs++] = r->ptx.text[i];
    for (size_t i = 0; i < r->sources.count; i++)
        work->source[work->sources++] = r->sources.text[i];
    if (program)
        find_ptx(work);
    for (size_t i = 0; i < given->program.source_count; i++)
        work->source[work->sources++] = given->program.sources[i];
    if (work->sources == 0 && given->source[0] != '\0')
        work->source[work->sources++] = given->source;
    return BYW_OK;
}

/* --- the table -------------------------------------------------------------------------------- */

static uint64_t number_of(const json_t *object, const char *name)
{
    return (uint64_t)json_integer_value(json_object_get(object, name));
}

/* Text of a source or PTX line; NULL: not known. */
static const char *text_of(const json_t *kernel, enum byw_hot_kind kind, uint32_t line)
{
    const json_t *texts = json_object_get(kernel, "texts"), *ptx = json_object_get(kernel, "ptx");

    if (kind == BYW_HOT_SOURCE) {
        const json_t *text = json_array_get(texts, 0);
        uint64_t first = number_of(text, "first");

        return line < first ? NULL
                            : json_string_value(json_array_get(json_object_get(text, "lines"),
                                                               (size_t)(line - first)));
    }
    for (size_t i = 0; kind == BYW_HOT_PTX && i < json_array_size(ptx); i++)
        if (number_of(json_array_get(ptx, i), "number") == line)
            return json_string_value(json_object_get(json_array_get(ptx, i), "text"));
    return NULL;
}

static void put_line(FILE *out, const json_t *kernel, const struct byw_hot_lines *lines,
                     const struct byw_hot_line *line)
{
    const double all = (double)lines->warp_cycles / 100.0;
    const char *text = text_of(kernel, lines->kind, line->line);

    if (line->line != 0)
        fprintf(out, "  %6u", line->line);
    else
        fprintf(out, "  %6s", "-");
    fprintf(out, " %5.1f %%  %-12s %5.1f %%", (double)line->cycles / all,
            byw_stall_name(line->cause), (double)line->cause_cycles / all);
    if (line->on_cycles != 0 && line->on_line != 0)
        fprintf(out, "  %s of %u", line->on_op, line->on_line);
    if (text != NULL)
        fprintf(out, "  | %.60s", text + strspn(text, " "));
    fputc('\n', out);
}

static enum byw_status put_kernel(FILE *out, const json_t *kernel, struct byw_diag *diag)
{
    struct byw_hot_lines lines;
    const uint64_t warp = number_of(kernel, "warp_instructions");

    fprintf(out,
            "%s: %llu cycles in %llu launch%s, %llu registers, %llu of %llu warps per SM (limit: "
            "%s)\n",
            json_string_value(json_object_get(kernel, "title")),
            (unsigned long long)number_of(kernel, "cycles"),
            (unsigned long long)number_of(kernel, "launches"),
            number_of(kernel, "launches") == 1 ? "" : "es",
            (unsigned long long)number_of(kernel, "registers"),
            (unsigned long long)number_of(kernel, "warps_per_sm"),
            (unsigned long long)number_of(kernel, "warps_most"),
            json_string_value(json_object_get(kernel, "limit")));
    if (number_of(kernel, "machine_instructions") == 0) {
        fputs("  no machine code: timed by its PTX, whose instructions are not counted\n", out);
        return BYW_OK;
    }
    if (number_of(kernel, "machine_instructions") < warp)
        fprintf(out, "  of %.1f %% of its warp instructions, which machine code times:\n",
                100.0 * (double)number_of(kernel, "machine_instructions") / (double)warp);
    if (byw_hot_lines_find(kernel, &lines) != BYW_OK)
        return byw_no_memory(diag, "the lines");
    fprintf(out, "  %6s %7s  %-20s  %s\n",
            lines.kind == BYW_HOT_SOURCE ? "line"
            : lines.kind == BYW_HOT_PTX  ? "PTX"
                                         : "index",
            "waits", "most of it", "for");
    for (size_t i = 0; i < lines.count && i < LINES; i++)
        put_line(out, kernel, &lines, &lines.line[i]);
    byw_hot_lines_release(&lines);
    return BYW_OK;
}

/* --- the command ------------------------------------------------------------------------------ */

static enum byw_status output(json_t *result, struct byw_outputs *out, const struct work *work,
                              struct byw_diag *diag)
{
    const json_t *kernels = json_object_get(json_object_get(result, "stalls"), "kernels");
    char title[512];
    enum byw_status st = BYW_OK;

    if (out->table != NULL) {
        for (size_t i = 0; st == BYW_OK && i < json_array_size(kernels); i++) {
            fputs(i > 0 ? "\n" : "", byw_file_stream(out->table));
            st = put_kernel(byw_file_stream(out->table), json_array_get(kernels, i), diag);
        }
        if (st == BYW_OK)
            st = byw_file_commit(byw_cli_take(&out->table), diag);
    }
    if (st == BYW_OK && out->json != NULL)
        st = byw_json_write(result, byw_cli_take(&out->json), diag);
    snprintf(title, sizeof(title), "Where the cycles of %s go", work->given.names[0]);
    if (st == BYW_OK && out->html != NULL)
        st = byw_page_source(result, title, byw_cli_take(&out->html), diag);
    return st;
}

static enum byw_status add_texts(const struct work *work, const json_t *result,
                                 struct byw_diag *diag)
{
    const json_t *kernels = json_object_get(json_object_get(result, "stalls"), "kernels");
    struct byw_source_texts *texts = NULL;
    enum byw_status st =
        byw_source_texts_read(work->ptx, work->ptxs, work->source, work->sources, &texts, diag);

    for (size_t i = 0; st == BYW_OK && i < json_array_size(kernels); i++)
        st = byw_source_texts_add(texts, json_array_get(kernels, i), diag);
    byw_source_texts_free(texts);
    return st;
}

static enum byw_status check_machine(const struct byw_given *given, struct byw_diag *diag)
{
    if (given->config.machine_code != 0)
        return BYW_OK;
    return byw_diag_set(diag, BYW_EINVAL,
                        "machine %s does not time machine code; expected one with "
                        "sm.machine_code = on, such as h200",
                        given->names[1]);
}

/* A trace without any machine code is refused: there would be nothing to show. */
static enum byw_status check(const struct byw_given *given, const json_t *result,
                             struct byw_diag *diag)
{
    if (json_integer_value(json_object_get(result, "machine_instructions")) != 0)
        return BYW_OK;
    return byw_diag_set(diag, BYW_EINVAL,
                        "%s: no warp of it has machine code (byway trace info says why); expected "
                        "a trace captured where byway doctor finds ptxas",
                        given->names[0]);
}

static enum byw_status source(const struct request *r, struct work *work, struct byw_diag *diag)
{
    struct byw_bar bar;
    struct byw_outputs out = {.table = NULL};
    struct byw_job_options how = {.progress = byw_bar_draw,
                                  .progress_ctx = &bar,
                                  .threads = (uint32_t)r->threads,
                                  .lists = BYW_LISTS_NONE,
                                  .stalls = true,
                                  .command = r->command,
                                  .commit = byw_cli_commit(),
                                  .stop = byw_cli_stop_flag()};
    json_t *result = NULL;
    enum byw_status st = byw_given_open(&work->given, &r->from, diag);

    byw_cli_pick_apply(&r->pick, &how);
    if (st == BYW_OK)
        st = check_machine(&work->given, diag);
    if (st == BYW_OK)
        st = byw_cli_outputs(r->json, r->html, &out, diag);
    if (st == BYW_OK)
        st = find_input(work, r, diag);
    byw_bar_begin(&bar);
    if (st == BYW_OK)
        st = byw_job_run(&work->given.job, &how, &result, diag);
    byw_bar_end(&bar);
    if (st == BYW_OK)
        st = check(&work->given, result, diag);
    if (st == BYW_OK)
        st = add_texts(work, result, diag);
    if (st == BYW_OK)
        st = output(result, &out, work, diag);
    byw_cli_discard(&out);
    byw_program_remove(&work->given.program);
    for (size_t i = 0; i < work->founds; i++)
        free(work->found[i]);
    json_decref(result);
    return st;
}

int byw_cmd_source(int argc, char **argv)
{
    struct request r = {.from = {.policy = "bl", .machine = BYW_CLI_GPU}};
    struct byw_diag diag = {""};
    struct work *work;
    enum byw_status st = parse(argc, argv, &r, &diag);

    if (st == BYW_OK && r.help)
        return BYW_EXIT_OK;
    r.command = byw_cli_command(argc, argv);
    work = st == BYW_OK ? calloc(1, sizeof(*work)) : NULL;
    if (st == BYW_OK)
        st = work != NULL ? source(&r, work, &diag) : byw_no_memory(&diag, "the command");
    free(work);
    free(r.command);
    byw_cli_pick_release(&r.pick);
    return st == BYW_OK ? BYW_EXIT_OK : byw_cli_fail(st, &diag);
}
