/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/byw_cli.h"
#include "cli/byw_oracle_page.h"
#include "common/byw_text.h"
#include "study/advise/byw_bound.h"
#include "study/compare/byw_oracle_report.h"
#include "study/job/byw_workload.h"

enum { WORKLOADS_MAX = 256 };

/* Give BYW_OWN_MACHINE the L1D that the oracle needs: of fixed size, filled only by loads. */
static const char *const fixed_l1d[] = {"sm.unified_kb=0", "l1d.store_miss=through"};

struct request {
    const char *machine, *policy, *json, *html, *search;
    struct byw_texts workloads, traces, settings;
    uint64_t jobs, runs;
    char *command; /* for the provenance */
    bool fixed; /* apply fixed_l1d */
    bool help;
};

static void help(const struct byw_option *options, size_t count)
{
    puts("usage: byway oracle [--machine M] [--policy P] [--workloads X,Y] [--trace FILE]\n"
         "                    [options]\n");
    byw_args_help(stdout, options, count);
    byw_text_wrap(
        stdout,
        "\nRuns each workload, records what each L1D accepts, and counts the loads that "
        "find their line, present or in flight: in the run; with LRU; with the best use of the "
        "same lines that hindsight allows (Belady's MIN with bypass); in an unlimited cache.  The "
        "policy influences the order of the accesses.  `byway compare --oracle "
        "F` reads the JSON.",
        0, "");
}

static enum byw_status parse(int argc, char **argv, struct request *r, struct byw_diag *diag)
{
    const struct byw_option options[] = {
        {"machine", 'm', "M", "name or .cfg file (" BYW_DEFAULT_MACHINE ")", .text = &r->machine,
         .file = BYW_FILE_READ},
        {"policy", 'p', "P", "name or .cfg file (default: bl)", .text = &r->policy,
         .file = BYW_FILE_READ},
        {"workloads", 'w', "X,Y", "names, sets (@cnf, @cf, @ci ...) or all", .list = &r->workloads},
        {"trace", 't', "FILE",
         "a trace of your own, as in `byway run`, or a folder with\n"
         "several; may be repeated",
         .list = &r->traces, .file = BYW_FILE_READ},
        {"search", 0, "DIR",
         "search for the advice per load with the fewest cycles (a bound) and write it to "
         "DIR/WORKLOAD.advice, for `byway run --advice`; the same command resumes",
         .text = &r->search},
        {"runs", 0, "N", "largest number of runs per workload (default: 1000)", .number = &r->runs,
         .lowest = 2, .highest = 1000000, .with = "search"},
        {"jobs", 'j', "N", "runs at a time (default: one per processor)", .number = &r->jobs,
         .lowest = 1, .highest = 256},
        {"json", 'o', "F", "write the result as JSON; - is stdout, without the table",
         .text = &r->json, .file = BYW_FILE_WRITTEN},
        {"html", 0, "F", "write it as a page; - is stdout", .text = &r->html,
         .file = BYW_FILE_WRITTEN},
        {"set", 's', "KEY=VALUE", "change one configuration key; may be repeated",
         .list = &r->settings, .keyed = true},
        {"help", 'h', NULL, "this text", .flag = &r->help},
    };
    const size_t count = sizeof(options) / sizeof(options[0]);
    enum byw_status st = byw_args_parse(options, count, argc, argv, NULL, 0, NULL, diag);

    if (st == BYW_OK && r->help)
        help(options, count);
    else if (st == BYW_OK && r->workloads.count + r->traces.count == 0)
        st = byw_diag_set(diag, BYW_EINVAL,
                          "oracle: nothing to run; expected --workloads X or --trace FILE");
    return st;
}

/* --- input ---------------------------------------------------------------------------------- */

struct work {
    struct byw_config config;
    char machine[256], policy[256];
    struct byw_job job[WORKLOADS_MAX];
    char *trace[WORKLOADS_MAX], *name[WORKLOADS_MAX];
    json_t *result[WORKLOADS_MAX];
    size_t count;
};

static void work_free(struct work *work)
{
    for (size_t i = 0; work != NULL && i < work->count; i++) {
        free(work->trace[i]);
        free(work->name[i]);
        json_decref(work->result[i]);
    }
    free(work);
}

static enum byw_status add(struct work *work, const char *trace, const char *shown,
                           struct byw_diag *diag)
{
    size_t n = work->count;
    char name[256];

    byw_setup_name(shown, name, sizeof(name));
    if (n == WORKLOADS_MAX)
        return byw_diag_set(diag, BYW_EINVAL, "trace '%s' is one too many; expected at most %d",
                            name, WORKLOADS_MAX);
    work->trace[n] = strdup(trace);
    work->name[n] = strdup(name);
    work->count++;
    if (work->trace[n] == NULL || work->name[n] == NULL)
        return byw_no_memory(diag, "the list of traces");
    work->job[n] = (struct byw_job){.workload = work->name[n],
                                    .trace = work->trace[n],
                                    .machine = work->machine,
                                    .policy = work->policy,
                                    .config = &work->config};
    return BYW_OK;
}

static enum byw_status add_workloads(struct work *work, const struct byw_places *places,
                                     const char *selection, struct byw_diag *diag)
{
    struct byw_names names;
    char path[BYW_PATH_ROOM];
    enum byw_status st = byw_workloads_select(places, selection, &names, diag);

    if (st != BYW_OK)
        return st;
    for (size_t i = 0; st == BYW_OK && i < names.count; i++) {
        st = byw_places_trace(places, names.name[i], work->config.sm_lanes, path, diag);
        if (st == BYW_OK)
            st = add(work, path, names.name[i], diag);
    }
    byw_names_free(&names);
    return st;
}

static enum byw_status add_traces(struct work *work, const char *given, struct byw_diag *diag)
{
    struct byw_names paths;
    enum byw_status st = byw_traces_at(given, &paths, diag);

    if (st != BYW_OK)
        return st;
    for (size_t i = 0; st == BYW_OK && i < paths.count; i++)
        st = add(work, paths.name[i], paths.name[i], diag);
    byw_names_free(&paths);
    return st;
}

static enum byw_status set_up(struct work *work, const struct request *r, struct byw_diag *diag)
{
    struct byw_places places;
    enum byw_status st = byw_places_find(&places, diag);

    byw_setup_name(r->machine, work->machine, sizeof(work->machine));
    byw_setup_name(r->policy, work->policy, sizeof(work->policy));
    if (st == BYW_OK)
        st = byw_setup_config(&places, r->machine, r->policy, r->settings.text, r->settings.count,
                              &work->config, diag);
    for (size_t i = 0; st == BYW_OK && i < r->workloads.count; i++)
        st = add_workloads(work, &places, r->workloads.text[i], diag);
    for (size_t i = 0; st == BYW_OK && i < r->traces.count; i++)
        st = add_traces(work, r->traces.text[i], diag);
    return st;
}

static enum byw_status output(struct work *work, const struct request *r, struct byw_outputs *out,
                              struct byw_diag *diag)
{
    json_t *report = byw_oracle_report(work->result, work->count);
    enum byw_status st = report != NULL ? BYW_OK : byw_no_memory(diag, "the result");

    if (st == BYW_OK && out->table != NULL) {
        byw_oracle_table(byw_file_stream(out->table), report);
        if (r->fixed)
            fprintf(byw_file_stream(out->table),
                    "Hindsight needs an L1D of fixed size: %s has %s, %s.\n", r->machine,
                    fixed_l1d[0], fixed_l1d[1]);
        st = byw_file_commit(byw_cli_take(&out->table), diag);
    }
    if (st == BYW_OK && out->html != NULL) {
        byw_oracle_page(byw_file_stream(out->html), report);
        st = byw_file_commit(byw_cli_take(&out->html), diag);
    }
    if (st == BYW_OK && out->json != NULL)
        st = byw_json_write(report, byw_cli_take(&out->json), diag);
    json_decref(report);
    return st;
}

static enum byw_status search_one(struct work *work, size_t i, const struct request *r,
                                  const struct byw_job_options *how, struct byw_diag *diag)
{
    char path[BYW_PATH_ROOM];
    const struct byw_bound_options options = {
        .path = path, .most_runs = r->runs, .workers = byw_cli_workers(r->jobs), .how = how};
    json_t *bound;
    enum byw_status st;

    if (snprintf(path, sizeof(path), "%s/%s.advice", r->search, work->name[i]) >= (int)sizeof(path))
        return byw_diag_set(diag, BYW_EINVAL, "--search: path too long");
    st = byw_bound_search(&work->job[i], &options, &bound, diag);
    if (st == BYW_OK)
        json_object_set_new(work->result[i], "bound", bound);
    return st;
}

static enum byw_status search_all(struct work *work, const struct request *r,
                                  struct byw_job_options how, struct byw_diag *diag)
{
    enum byw_status st = BYW_OK;

    how.oracle = false;
    how.command = NULL;
    for (size_t i = 0; st == BYW_OK && r->search != NULL && i < work->count; i++)
        if (byw_result_refused(work->result[i]) == NULL)
            st = search_one(work, i, r, &how, diag);
    return st;
}

static enum byw_status make_folder(const struct request *r, struct byw_diag *diag)
{
    if (r->search == NULL || mkdir(r->search, 0777) == 0 || errno == EEXIST)
        return BYW_OK;
    return byw_diag_set(diag, BYW_EIO, "--search %s: cannot create the folder (%s)", r->search,
                        strerror(errno));
}

/* If every run was refused, reports the reason for the first one. */
static enum byw_status check_any(const struct work *work, struct byw_diag *diag)
{
    for (size_t i = 0; i < work->count; i++)
        if (byw_result_refused(work->result[i]) == NULL)
            return BYW_OK;
    return byw_diag_set(diag, BYW_EINVAL, "%s", byw_result_refused(work->result[0]));
}

static enum byw_status run_all(struct work *work, const struct request *r, struct byw_diag *diag)
{
    struct byw_bar bar;
    struct byw_outputs out;
    struct byw_job_options how = {.progress = byw_bar_draw,
                                  .progress_ctx = &bar,
                                  .gaps = true,
                                  .oracle = true,
                                  .command = r->command,
                                  .commit = byw_cli_commit(),
                                  .stop = byw_cli_stop_flag()};
    enum byw_status st = set_up(work, r, diag);

    if (st == BYW_OK)
        st = make_folder(r, diag);
    if (st == BYW_OK)
        st = byw_cli_outputs(r->json, r->html, &out, diag);
    if (st != BYW_OK)
        return st;
    byw_bar_begin(&bar);
    st = byw_jobs_run(work->job, work->count, byw_cli_workers(r->jobs), &how, work->result, diag);
    if (st == BYW_OK)
        st = check_any(work, diag);
    if (st == BYW_OK)
        st = search_all(work, r, how, diag);
    byw_bar_end(&bar);
    if (st == BYW_OK)
        st = output(work, r, &out, diag);
    byw_cli_discard(&out);
    return st;
}

/* Returns the exit code and reports workloads that could not run. */
static int code_of(const struct work *work)
{
    int code = BYW_EXIT_OK;

    for (size_t i = 0; i < work->count; i++) {
        const char *why = byw_result_refused(work->result[i]);

        if (why == NULL)
            continue;
        fprintf(stderr, "byway: %s\n", why);
        code = BYW_EXIT_FAILED;
    }
    return code;
}

/* Chooses the default machine.  The oracle needs a cache of fixed size that only loads fill, so for
 * a user's own traces that machine's L1D is changed to such a cache; --set overrides this. */
static enum byw_status choose_machine(struct request *r, struct byw_diag *diag)
{
    const size_t more = sizeof(fixed_l1d) / sizeof(fixed_l1d[0]);

    r->machine = r->traces.count != 0 ? BYW_OWN_MACHINE : BYW_PAPER_MACHINE;
    if (r->traces.count == 0)
        return BYW_OK;
    if (r->settings.count + more > BYW_TEXTS_MAX)
        return byw_diag_set(diag, BYW_EINVAL, "--set: too many settings; expected at most %d",
                            (int)(BYW_TEXTS_MAX - more));
    memmove(&r->settings.text[more], r->settings.text,
            r->settings.count * sizeof(r->settings.text[0]));
    memcpy(r->settings.text, fixed_l1d, sizeof(fixed_l1d));
    r->settings.count += more;
    r->fixed = true;
    return BYW_OK;
}

int byw_cmd_oracle(int argc, char **argv)
{
    struct request r = {.policy = "bl", .runs = 1000};
    struct byw_diag diag = {""};
    struct work *work = NULL;
    enum byw_status st = parse(argc, argv, &r, &diag);
    int code;

    if (st == BYW_OK && r.help)
        return BYW_EXIT_OK;
    if (st == BYW_OK && r.machine == NULL)
        st = choose_machine(&r, &diag);
    r.command = byw_cli_command(argc, argv);
    if (st == BYW_OK) {
        work = calloc(1, sizeof(*work));
        st = work != NULL ? run_all(work, &r, &diag) : byw_no_memory(&diag, "the list of traces");
    }
    code = st == BYW_OK ? code_of(work) : byw_cli_fail(st, &diag);
    work_free(work);
    free(r.command);
    return code;
}
