/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/byw_cli.h"
#include "cli/byw_inputs.h"
#include "cli/byw_program.h"
#include "common/byw_text.h"
#include "study/correlate/byw_correlate_report.h"

struct request {
    struct byw_texts tables, settings;
    const char *machine, *policy, *size, *workloads, *variants, *traces, *trace, *programs, *dir;
    const char *json, *html, *markdown;
    uint64_t jobs;
    bool metrics, both, help;
    char **program; /* after --; NULL: none */
    char *command; /* for the provenance */
};

static void help(const struct byw_option *options, size_t count)
{
    puts("usage: byway correlate TABLE.csv... [-m MACHINE] [options]\n"
         "                       [-- PROGRAM ARGUMENTS]\n");
    byw_args_help(stdout, options, count);
    byw_text_wrap(
        stdout,
        "\nTABLE.csv has counters of kernel launches on a real GPU: an export of Nsight Compute "
        "(ncu --csv --page raw), byway's own table, or times (cmodel/doc/correlate.md).  Each "
        "launch is simulated alone with empty caches, as `ncu --cache-control all` measures.  Its "
        "trace is SIZE/PROGRAM.bwt of --traces; without --traces, byway's own workloads are "
        "captured into DIR/traces, and PROGRAM after -- is captured for all rows.  Runs are kept "
        "in DIR: the same command resumes there.  Exit codes: 0 done, however large the errors; 1 "
        "a run failed or was interrupted; 2 bad usage or input.",
        0, "");
}

static enum byw_status parse(int argc, char **argv, struct request *r, struct byw_diag *diag)
{
    const struct byw_option options[] = {
        {"machine", 'm', "M", "name or .cfg file (default: " BYW_CLI_GPU ")", .text = &r->machine,
         .file = BYW_FILE_READ},
        {"policy", 'p', "P", "name or .cfg file (default: bl)", .text = &r->policy,
         .file = BYW_FILE_READ},
        {"set", 's', "KEY=VALUE", "change one key; may be repeated", .list = &r->settings,
         .keyed = true},
        {"size", 0, "S",
         "inputs of byway's workloads: small, large or paper (default: the column\n"
         "size, else the word in the table's file name, else small)",
         .text = &r->size},
        {"workloads", 'w', "X,Y", "programs of the table (default: all)", .text = &r->workloads},
        {"variants", 'v', "A,B",
         "variants to compare: ca (as compiled), cg (loads past the L1), na (loads allocate no "
         "line); default: all",
         .text = &r->variants},
        {"both", 0, NULL, "simulate each launch by its machine code and by its PTX, and show both",
         .flag = &r->both},
        {"traces", 't', "D",
         "use traces SIZE/PROGRAM.bwt or PROGRAM.bwt of this folder instead of capturing",
         .text = &r->traces},
        {"trace", 0, "FILE", "use this trace for all rows", .text = &r->trace,
         .file = BYW_FILE_READ},
        {"programs", 0, "D", "folder of the workloads' programs (default: workloads next to byway)",
         .text = &r->programs},
        {"dir", 'd', "D", "folder of the runs and traces (default: correlate)", .text = &r->dir},
        {"jobs", 'j', "N", "runs at a time (default: one per processor)", .number = &r->jobs,
         .lowest = 1, .highest = 256},
        {"json", 'o', "F", "write everything as JSON; - is stdout, without the table",
         .text = &r->json, .file = BYW_FILE_WRITTEN},
        {"html", 0, "F", "write a page with scatter plots; - is stdout", .text = &r->html,
         .file = BYW_FILE_WRITTEN},
        {"markdown", 0, "F", "write the figures as a table in Markdown", .text = &r->markdown,
         .file = BYW_FILE_WRITTEN},
        {"metrics", 0, NULL, "print the counters to measure, as ncu --metrics takes them",
         .flag = &r->metrics},
        {"help", 'h', NULL, "this text", .flag = &r->help},
    };
    const size_t count = sizeof(options) / sizeof(options[0]);
    enum byw_status st =
        byw_args_parse(options, count, argc, argv, &r->tables, BYW_TEXTS_MAX, &r->program, diag);

    if (st == BYW_OK && r->help)
        help(options, count);
    else if (st == BYW_OK && !r->metrics && r->tables.count == 0)
        st = byw_diag_set(diag, BYW_EINVAL, "correlate: expected a table of counters (.csv)");
    if (st == BYW_OK && (r->traces != NULL) + (r->trace != NULL) + (r->program != NULL) > 1)
        st = byw_diag_set(diag, BYW_EINVAL,
                          "--traces, --trace and a program after --: expected one of them");
    return st;
}

static void print_metrics(void)
{
    char name[96];

    for (unsigned m = 0; m < BYW_GPU_METRICS; m++) {
        byw_gpu_metric_source((enum byw_gpu_metric)m, name, sizeof(name));
        printf("%s%s", m == 0 ? "" : ",", name);
    }
    putchar('\n');
}

static enum byw_status take_variants(const char *text, bool variant[BYW_GPU_VARIANTS],
                                     struct byw_diag *diag)
{
    char *words = strdup(text != NULL ? text : "ca,cg,na"), *rest = words, *word;
    enum byw_status st = BYW_OK;

    if (words == NULL)
        return byw_diag_set(diag, BYW_ENOMEM, "out of memory for the variants");
    while (st == BYW_OK && (word = strsep(&rest, ",")) != NULL) {
        unsigned v = 0;

        while (v < BYW_GPU_VARIANTS && strcmp(word, byw_gpu_variant_name(v)) != 0)
            v++;
        if (v == BYW_GPU_VARIANTS)
            st = byw_diag_set(diag, BYW_EINVAL, "--variants: '%.20s'; expected ca, cg or na", word);
        else
            variant[v] = true;
    }
    free(words);
    return st;
}

/* --- traces ----------------------------------------------------------------------------------- */

/* Captures the traces that the table needs and the folder lacks; failed captures are
 * reported, and their rows have no trace. */
static enum byw_status capture_workloads(const struct request *r, const struct byw_correlate *c)
{
    struct byw_correlate_want want;
    const volatile sig_atomic_t *stop = byw_cli_stop_flag();

    for (size_t i = 0; *stop == 0 && byw_correlate_wants(c, i, &want); i++) {
        struct byw_diag why = {""};

        if (access(want.path, R_OK) == 0)
            continue;
        if (byw_cli_on_terminal())
            fprintf(stderr, "\rcapture %s, %s\033[K\n", want.workload, want.size);
        if (byw_inputs_capture_workload(r->programs, &want, &why) != BYW_OK)
            fprintf(stderr, "byway: no trace of %s: %s\n", want.workload, why.text);
    }
    return *stop == 0 ? BYW_OK : BYW_ESTUCK;
}

/* --- outputs ---------------------------------------------------------------------------------- */

struct results {
    struct byw_outputs out;
    struct byw_file *markdown;
};

/* Opens all output files, so that a path that cannot be written is reported before the runs. */
static enum byw_status open_results(const struct request *r, struct results *results,
                                    struct byw_diag *diag)
{
    enum byw_status st = byw_cli_outputs(r->json, r->html, &results->out, diag);

    if (st == BYW_OK && r->markdown != NULL)
        st = byw_file_create(r->markdown, &results->markdown, diag);
    return st;
}

static enum byw_status write_all(struct byw_correlate *c, struct results *results,
                                 struct byw_diag *diag)
{
    struct byw_outputs *out = &results->out;
    json_t *json = byw_correlate_json(c);
    enum byw_status st =
        json != NULL ? BYW_OK : byw_diag_set(diag, BYW_ENOMEM, "out of memory for the JSON");

    if (st == BYW_OK && out->table != NULL) {
        byw_correlate_print(byw_file_stream(out->table), c);
        st = byw_file_commit(byw_cli_take(&out->table), diag);
    }
    if (st == BYW_OK && out->json != NULL)
        st = byw_json_write(json, byw_cli_take(&out->json), diag);
    if (st == BYW_OK && results->markdown != NULL) {
        byw_correlate_markdown(byw_file_stream(results->markdown), c);
        st = byw_file_commit(byw_cli_take(&results->markdown), diag);
    }
    if (st == BYW_OK && out->html != NULL)
        st = byw_correlate_page(c, json, byw_cli_take(&out->html), diag);
    json_decref(json);
    return st;
}

/* --- the command ------------------------------------------------------------------------------ */

static enum byw_status simulate(struct byw_correlate *c, const struct request *r,
                                struct byw_store *store, struct byw_diag *diag)
{
    struct byw_bar bar;
    const struct byw_job_options how = {.progress = byw_bar_draw,
                                        .progress_ctx = &bar,
                                        .command = r->command,
                                        .commit = byw_cli_commit(),
                                        .stop = byw_cli_stop_flag()};
    enum byw_status st;

    byw_bar_begin(&bar);
    st = byw_correlate_run(c, store, byw_cli_workers(r->jobs), &how, diag);
    byw_bar_end(&bar);
    return st;
}

static enum byw_status correlate_table(const struct request *r,
                                       const struct byw_correlate_options *options,
                                       const struct byw_gpu_table *table, struct byw_store *store,
                                       struct results *results, struct byw_diag *diag)
{
    struct byw_correlate *c = NULL;
    bool stopped = false;
    enum byw_status st = byw_correlate_create(options, table, &c, diag);

    if (st == BYW_OK && options->trace == NULL && r->traces == NULL &&
        (st = capture_workloads(r, c)) != BYW_OK)
        byw_diag_set(diag, st, "interrupted; run the same command again to resume");
    if (st == BYW_OK)
        st = byw_correlate_prepare(c, diag);
    if (st == BYW_OK) {
        st = simulate(c, r, store, diag);
        stopped = st != BYW_OK && *byw_cli_stop_flag() != 0;
    }
    if (st == BYW_OK || stopped)
        st = write_all(c, results, diag);
    if (st == BYW_OK && stopped) /* the results so far have been printed */
        st = byw_diag_set(diag, BYW_ESTUCK,
                          "interrupted; the figures are of the launches simulated so far; run the "
                          "same command again to resume");
    byw_correlate_free(c);
    return st;
}

static enum byw_status correlate(const struct request *r, struct byw_diag *diag)
{
    char folder[BYW_PATH_ROOM], program[BYW_PATH_ROOM];
    struct byw_places places;
    struct byw_correlate_options options = {.places = &places,
                                            .machine = r->machine,
                                            .policy = r->policy,
                                            .settings = r->settings.text,
                                            .setting_count = r->settings.count,
                                            .size = r->size,
                                            .programs = r->workloads,
                                            .both = r->both,
                                            .trace = r->trace,
                                            .folder = r->traces != NULL ? r->traces : folder};
    struct byw_gpu_table table = {.count = 0};
    struct byw_store *store = NULL;
    struct results results = {.markdown = NULL};
    enum byw_status st = byw_places_find(&places, diag);

    snprintf(folder, sizeof(folder), "%.*s/traces", BYW_PATH_ROOM - 16, r->dir);
    if (st == BYW_OK)
        st = take_variants(r->variants, options.variant, diag);
    for (size_t i = 0; st == BYW_OK && i < r->tables.count; i++)
        st = byw_gpu_table_read(r->tables.text[i], &table, diag);
    if (st == BYW_OK)
        st = open_results(r, &results, diag);
    if (st == BYW_OK)
        st = byw_store_open(r->dir, BYW_STORE_WRITE, &store, diag);
    if (st == BYW_OK && r->program != NULL) {
        snprintf(program, sizeof(program), "%.*s/program.bwt", BYW_PATH_ROOM - 32, r->dir);
        st = byw_program_run(r->program, 32, program, diag);
        options.trace = program;
    }
    if (st == BYW_OK)
        st = correlate_table(r, &options, &table, store, &results, diag);
    byw_cli_discard(&results.out);
    byw_file_discard(results.markdown);
    byw_store_close(store);
    byw_gpu_table_release(&table);
    return st;
}

int byw_cmd_correlate(int argc, char **argv)
{
    struct request r = {.machine = BYW_CLI_GPU, .policy = "bl", .dir = "correlate"};
    struct byw_diag diag = {""};
    enum byw_status st = parse(argc, argv, &r, &diag);

    if (st == BYW_OK && r.metrics && !r.help)
        print_metrics();
    if (st == BYW_OK && (r.help || r.metrics))
        return BYW_EXIT_OK;
    r.command = byw_cli_command(argc, argv);
    if (st == BYW_OK)
        st = correlate(&r, &diag);
    free(r.command);
    return st == BYW_OK ? BYW_EXIT_OK : byw_cli_fail(st, &diag);
}
