/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/byw_cli.h"
#include "common/byw_text.h"
#include "study/compare/byw_compare_oracle.h"
#include "study/compare/byw_grid.h"
#include "study/compare/byw_table.h"
#include "study/page/byw_pages.h"
#include "study/page/byw_report.h"

enum { INTERVALS = 200 }; /* largest number of intervals in a page's timeline */

struct request {
    struct byw_texts machines, policies, workloads, traces, settings, oracles;
    json_t *oracle[BYW_TEXTS_MAX]; /* contents of the files `oracles` */
    const char *json, *html, *pages;
    uint64_t jobs, repeat;
    bool all_tables, help;
    char *command; /* for the provenance */
    struct byw_cli_sample sample;
};

static void help(const struct byw_option *options, size_t count)
{
    puts("usage: byway compare [--machines M,N] [--policies A,B,C] [--workloads X,Y]\n"
         "                     [--trace FILE] [options]\n");
    byw_args_help(stdout, options, count);
    byw_text_wrap(stdout,
                  "\nIf a machine rejects a policy, or a kernel does not fit on it, the run is a "
                  "gap: \"-\" in the tables, with a footnote that says why, and null in the JSON.  "
                  "Exit codes: 0 all runs done; 1 there are gaps, or a run failed; 2 bad usage or "
                  "input, or nothing could be run.",
                  0, "");
}

static enum byw_status parse(int argc, char **argv, struct request *r, struct byw_diag *diag)
{
    const struct byw_option options[] = {
        {"machines", 'm', "M,N",
         "names or .cfg files; one comparison each\n(" BYW_DEFAULT_MACHINE ")",
         .list = &r->machines, .file = BYW_FILE_READ},
        {"machine", 0, "M", "the same as --machines", .list = &r->machines, .file = BYW_FILE_READ},
        {"policies", 'p', "A,B,C",
         "names or .cfg files; the first one is the reference\n"
         "(default: " BYW_OWN_POLICIES " for traces,\n" BYW_PAPER_POLICIES " for workloads)",
         .list = &r->policies, .file = BYW_FILE_READ},
        {"workloads", 'w', "X,Y",
         "names, sets (@cnf, @cf, @ci ...) or all (default, unless\nthere are traces)",
         .list = &r->workloads},
        {"trace", 't', "FILE",
         "a trace of your own, as in `byway run`, or a folder with\n"
         "several; may be repeated",
         .list = &r->traces, .file = BYW_FILE_READ},
        {"jobs", 'j', "N", "runs at a time (default: one per processor)", .number = &r->jobs,
         .lowest = 1, .highest = 256},
        {"json", 'o', "F", "write every result as JSON; - is stdout, without the table",
         .text = &r->json, .file = BYW_FILE_WRITTEN},
        {"html", 0, "F", "write a self-contained page with charts; - is stdout", .text = &r->html,
         .file = BYW_FILE_WRITTEN},
        {"pages", 0, "DIR",
         "write a page per workload (over time, by load and kernel, reuse in\n"
         "its trace) and DIR/index.html, which links to them",
         .text = &r->pages, .file = BYW_FILE_PAGES},
        {"oracle", 0, "F",
         "a JSON file of `byway oracle` for these machines: also show each policy as a fraction of "
         "the best possible; may be repeated",
         .list = &r->oracles, .file = BYW_FILE_READ},
        {"set", 's', "KEY=VALUE", "change one key in every run; may be repeated",
         .list = &r->settings, .keyed = true},
        {"sample", 0, "N", BYW_CLI_SAMPLE_HELP, .take = byw_cli_take_sample, .into = &r->sample},
        {"repeat", 0, "N", BYW_CLI_REPEAT_HELP, .number = &r->repeat, .lowest = 1,
         .highest = BYW_REPEAT_MOST},
        {"all-tables", 'a', NULL, "also print the cached hit rate and the energy",
         .flag = &r->all_tables},
        {"help", 'h', NULL, "this text", .flag = &r->help},
    };
    const size_t count = sizeof(options) / sizeof(options[0]);
    enum byw_status st = byw_args_parse(options, count, argc, argv, NULL, 0, NULL, diag);

    if (st == BYW_OK && r->help)
        help(options, count);
    return st;
}

/* --- the runs to compare ------------------------------------------------------------------ */

static enum byw_status add_each(struct byw_grid *grid, const char *option,
                                const struct byw_texts *given, const char *usual,
                                enum byw_status (*add)(struct byw_grid *, const char *,
                                                       struct byw_diag *),
                                struct byw_diag *diag)
{
    enum byw_status st = BYW_OK;
    bool any = false;

    for (size_t i = 0; st == BYW_OK && i < (given->count != 0 ? given->count : 1); i++) {
        char *text = strdup(given->count != 0 ? given->text[i] : usual), *rest = text, *item;

        if (text == NULL)
            return byw_no_memory(diag, "the comparison");
        while (st == BYW_OK && (item = strsep(&rest, ",")) != NULL)
            if (*item != '\0') {
                st = add(grid, item, diag);
                any = true;
            }
        free(text);
    }
    if (st == BYW_OK && !any)
        st = byw_diag_set(diag, BYW_EINVAL, "%s is empty; expected A,B,C", option);
    return st;
}

static enum byw_status add_workloads(struct byw_grid *grid, const struct byw_places *places,
                                     const char *selection, struct byw_diag *diag)
{
    struct byw_names names;
    enum byw_status st = byw_workloads_select(places, selection, &names, diag);

    if (st != BYW_OK)
        return st;
    for (size_t i = 0; st == BYW_OK && i < names.count; i++)
        st = byw_grid_add_shipped(grid, names.name[i], diag);
    byw_names_free(&names);
    return st;
}

static enum byw_status add_traces(struct byw_grid *grid, const char *given, bool pages,
                                  struct byw_diag *diag)
{
    struct byw_names paths;
    enum byw_status st = byw_traces_at(given, &paths, diag);

    if (st != BYW_OK)
        return st;
    for (size_t i = 0; st == BYW_OK && i < paths.count; i++) {
        if (pages)
            st = byw_pages_check(paths.name[i], diag);
        if (st == BYW_OK)
            st = byw_grid_add_trace(grid, paths.name[i], diag);
    }
    byw_names_free(&paths);
    return st;
}

static enum byw_status set_up(struct byw_grid *grid, const struct request *r, struct byw_diag *diag)
{
    const bool own = r->traces.count != 0;
    struct byw_places places;
    enum byw_status st = byw_places_find(&places, diag);

    if (st == BYW_OK)
        st = add_each(grid, "--machines", &r->machines, own ? BYW_OWN_MACHINE : BYW_PAPER_MACHINE,
                      byw_grid_add_machine, diag);
    if (st == BYW_OK)
        st = add_each(grid, "--policies", &r->policies, own ? BYW_OWN_POLICIES : BYW_PAPER_POLICIES,
                      byw_grid_add_policy, diag);
    for (size_t i = 0; st == BYW_OK && i < r->workloads.count; i++)
        st = add_workloads(grid, &places, r->workloads.text[i], diag);
    for (size_t i = 0; st == BYW_OK && i < r->traces.count; i++)
        st = add_traces(grid, r->traces.text[i], r->pages != NULL, diag);
    if (st == BYW_OK && r->workloads.count + r->traces.count == 0)
        st = add_workloads(grid, &places, "all", diag);
    return st == BYW_OK ? byw_grid_prepare(grid, &places, r->settings.text, r->settings.count, diag)
                        : st;
}

/* --- output ------------------------------------------------------------------------------- */

static void print_tables(FILE *out, struct byw_compare *const *compare, size_t count, bool all)
{
    for (size_t i = 0; i < count; i++) {
        byw_table_compare(out, compare[i], all);
        fputc('\n', out);
    }
    if (count > 1) {
        byw_table_machines(out, compare, count);
        fputc('\n', out);
    }
    byw_table_legend(out);
}

static enum byw_status write_all(struct byw_compare *const *compare, size_t count,
                                 const struct request *r, struct byw_outputs *out,
                                 struct byw_diag *diag)
{
    enum byw_status st = BYW_OK;

    if (out->table != NULL) {
        print_tables(byw_file_stream(out->table), compare, count, r->all_tables);
        st = byw_file_commit(byw_cli_take(&out->table), diag);
    }
    if (st == BYW_OK && out->json != NULL) {
        json_t *json = byw_compare_json(compare, count);

        st = byw_json_write(json, byw_cli_take(&out->json), diag);
        json_decref(json);
    }
    if (st == BYW_OK && out->html != NULL) {
        st = byw_report_write(compare, count, byw_cli_take(&out->html), diag);
        if (st == BYW_OK && strcmp(r->html, "-") != 0)
            fprintf(stderr, "charts: %s\n", r->html);
    }
    if (st == BYW_OK && r->pages != NULL) {
        st = byw_pages_workloads(compare, count, r->pages, diag);
        if (st == BYW_OK)
            fprintf(stderr, "charts: %s/index.html\n", r->pages);
    }
    return st;
}

static enum byw_status output(const struct byw_grid *grid, const struct request *r,
                              struct byw_outputs *out, struct byw_diag *diag)
{
    size_t count = byw_grid_machines(grid);
    struct byw_compare **compare = calloc(count, sizeof(*compare));
    enum byw_status st = compare != NULL ? BYW_OK : byw_no_memory(diag, "the comparison");

    for (size_t i = 0; st == BYW_OK && i < count; i++) {
        st = byw_grid_compare(grid, i, &compare[i], diag);
        for (size_t o = 0; st == BYW_OK && o < r->oracles.count; o++)
            byw_compare_use_oracle(compare[i], r->oracle[o]);
    }
    if (st == BYW_OK)
        st = write_all(compare, count, r, out, diag);
    for (size_t i = 0; compare != NULL && i < count; i++)
        byw_compare_free(compare[i]);
    free(compare);
    return st;
}

static enum byw_status compare_all(struct byw_grid *grid, struct request *r, struct byw_diag *diag)
{
    struct byw_bar bar;
    struct byw_outputs out;
    struct byw_job_options how = {.progress = byw_bar_draw,
                                  .progress_ctx = &bar,
                                  .gaps = true,
                                  .repeat = (uint32_t)r->repeat,
                                  .command = r->command,
                                  .commit = byw_cli_commit(),
                                  .timeline = r->pages != NULL ? INTERVALS : 0,
                                  .loads = r->pages != NULL,
                                  .stop = byw_cli_stop_flag()};
    enum byw_status st = set_up(grid, r, diag);

    for (size_t i = 0; st == BYW_OK && i < r->oracles.count; i++)
        st = byw_oracle_load(r->oracles.text[i], &r->oracle[i], diag);
    if (st == BYW_OK && r->pages != NULL)
        st = byw_pages_folder(r->pages, diag);
    if (st == BYW_OK)
        st = byw_cli_outputs(r->json, r->html, &out, diag);
    if (st != BYW_OK)
        return st;
    byw_bar_begin(&bar);
    st = byw_grid_run(grid, byw_cli_workers(r->jobs), &how, diag);
    byw_bar_end(&bar);
    if (st == BYW_OK)
        st = output(grid, r, &out, diag);
    byw_cli_discard(&out);
    return st;
}

/* Exit code of a completed comparison; reports the missing results. */
static int code_of(const struct byw_grid *grid)
{
    size_t runs, gaps = byw_grid_gaps(grid, &runs);

    if (gaps == 0)
        return BYW_EXIT_OK;
    fprintf(stderr, "byway: %zu of %zu runs were refused or failed; footnotes say why\n", gaps,
            runs);
    return BYW_EXIT_FAILED;
}

int byw_cmd_compare(int argc, char **argv)
{
    struct request r = {.jobs = 0, .sample.settings = &r.settings};
    struct byw_diag diag = {""};
    struct byw_grid *grid = NULL;
    enum byw_status st = parse(argc, argv, &r, &diag);
    int code;

    if (st == BYW_OK && r.help)
        return BYW_EXIT_OK;
    if (st == BYW_OK)
        st = byw_grid_create(&grid, &diag);
    r.command = byw_cli_command(argc, argv);
    if (st == BYW_OK)
        st = compare_all(grid, &r, &diag);
    code = st == BYW_OK ? code_of(grid) : byw_cli_fail(st, &diag);
    byw_grid_free(grid);
    free(r.command);
    for (size_t i = 0; i < r.oracles.count; i++)
        json_decref(r.oracle[i]);
    return code;
}
