/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/byw_cli.h"
#include "common/byw_text.h"
#include "study/job/byw_repeat.h"
#include "study/store/byw_merge.h"
#include "study/sweep/byw_slurm.h"
#include "study/sweep/byw_sweep.h"

enum { LISTED_STEP = 1000 };

struct request {
    struct byw_texts grid, machines, policies, workloads, traces, settings;
    const char *dir;
    uint64_t jobs, repeat;
    struct byw_texts sbatch;
    const char *engine, *part;
    const char *command; /* for the provenance */
    const char *arguments; /* the command's arguments, for the tasks of --engine slurm */
    const struct byw_cli_sweep *caller; /* the command that runs the sweep; NULL: byway sweep */
    bool dry_run, help;
    struct byw_cli_sample sample;
};

static void help(const struct byw_option *options, size_t count)
{
    puts("usage: byway sweep [GRID.ini] [--dir D] [--machines M,N] [--policies A,B]\n"
         "                   [--workloads X,Y] [--set KEY=V1,V2]... [options]\n");
    byw_args_help(stdout, options, count);
    byw_text_wrap(stdout,
                  "\nRuns every combination and stores each result in D/runs at once. The same "
                  "command resumes where it was interrupted or killed; several processes can fill "
                  "one folder.  At the end the results are merged (byway merge).  A grid file has "
                  "lines `axis = A, B, C` with machines, policies, workloads, traces or any key; "
                  "[name] begins another grid.  Options override the file's lines.  Exit codes: 0 "
                  "all results exist; 1 a run failed or the sweep was interrupted; 2 bad usage or "
                  "input, or results could not be stored.",
                  0, "");
}

static enum byw_status parse(int argc, char **argv, struct request *r, struct byw_diag *diag)
{
    const struct byw_option options[] = {
        {"dir", 'd', "D", "folder of the results (default: sweep)", .text = &r->dir},
        {"machines", 'm', "M,N", "names or .cfg files\n(" BYW_DEFAULT_MACHINE ")",
         .list = &r->machines, .file = BYW_FILE_READ},
        {"machine", 0, "M", "the same as --machines", .list = &r->machines, .file = BYW_FILE_READ},
        {"policies", 'p', "A,B", "names or .cfg files (default: those of byway compare)",
         .list = &r->policies, .file = BYW_FILE_READ},
        {"policy", 0, "P", "the same as --policies", .list = &r->policies, .file = BYW_FILE_READ},
        {"workloads", 'w', "X,Y",
         "names, sets (@cnf ...) or all (default, unless there are traces)", .list = &r->workloads},
        {"trace", 't', "FILE", "a trace of your own, or a folder with several; may be repeated",
         .list = &r->traces, .file = BYW_FILE_READ},
        {"set", 's', "KEY=V1,V2",
         "values of a configuration key; may be repeated; repeating a key adds values",
         .list = &r->settings},
        {"sample", 0, "N", BYW_CLI_SAMPLE_HELP, .take = byw_cli_take_sample, .into = &r->sample},
        {"repeat", 0, "N", BYW_CLI_REPEAT_HELP, .number = &r->repeat, .lowest = 1,
         .highest = BYW_REPEAT_MOST},
        {"jobs", 'j', "N", "runs at a time (default: one per processor)", .number = &r->jobs,
         .lowest = 1, .highest = 256},
        {"engine", 0, "E",
         "where to run: local, or slurm (job arrays on a cluster whose nodes share the folders; "
         "there -j limits the tasks at a time, default: no limit)",
         .text = &r->engine},
        {"sbatch", 0, "OPTION",
         "an option for sbatch, e.g. --partition=long or --time=2:00:00; may be repeated",
         .list = &r->sbatch},
        {"part", 0, "FILE:N", "the runs of one task; --engine slurm uses it to start tasks",
         .text = &r->part},
        {"dry-run", 'n', NULL, "print the number of runs and the expected time, and exit",
         .flag = &r->dry_run},
        {"help", 'h', NULL, "this text", .flag = &r->help},
    };
    const size_t count = sizeof(options) / sizeof(options[0]);
    enum byw_status st = byw_args_parse(options, count, argc, argv, &r->grid, 1, NULL, diag);

    if (st == BYW_OK && r->help)
        help(options, count);
    if (st == BYW_OK && !r->help && strcmp(r->engine, "local") != 0 &&
        strcmp(r->engine, "slurm") != 0)
        st = byw_diag_set(diag, BYW_EINVAL, "--engine is '%s'; expected local or slurm", r->engine);
    if (st == BYW_OK && !r->help && r->sbatch.count != 0 && strcmp(r->engine, "slurm") != 0)
        st = byw_diag_set(diag, BYW_EINVAL,
                          "--sbatch has no effect without --engine slurm; expected both");
    return st;
}

/* Replaces the values of an axis in the plan by those of an option. */
static enum byw_status override(struct byw_plan *plan, const char *axis,
                                const struct byw_texts *given, const char *option,
                                struct byw_diag *diag)
{
    char *all = NULL;
    size_t size = 0;
    FILE *out;
    enum byw_status st;

    if (given->count == 0)
        return BYW_OK;
    out = open_memstream(&all, &size);
    for (size_t i = 0; out != NULL && i < given->count; i++)
        fprintf(out, "%s,", given->text[i]);
    if (out == NULL || fclose(out) != 0)
        return byw_no_memory(diag, "the list of runs");
    st = byw_plan_override(plan, axis, all, option, diag);
    free(all);
    return st;
}

/* Adds the axis of one key, with the values that all --set options give it. */
static enum byw_status set(struct byw_plan *plan, const struct byw_texts *settings, size_t first,
                           struct byw_diag *diag)
{
    const char *text = settings->text[first];
    size_t length = strcspn(text, "=");
    struct byw_texts values = {.count = 0};
    char *key;
    enum byw_status st;

    if (text[length] == '\0')
        return byw_diag_set(diag, BYW_EINVAL, "--set '%s' has no '='; expected KEY=V1,V2", text);
    for (size_t i = 0; i < settings->count; i++) {
        if (strncmp(settings->text[i], text, length + 1) != 0)
            continue;
        if (i < first)
            return BYW_OK; /* the option that named the key first has added this value */
        values.text[values.count++] = settings->text[i] + length + 1;
    }
    key = strndup(text, length);
    if (key == NULL)
        return byw_diag_set(diag, BYW_ENOMEM, "out of memory for the settings");
    st = override(plan, key, &values, "--set", diag);
    free(key);
    return st;
}

/* --repeat N: adds an axis of seeds, with the values 1 to N. */
static enum byw_status set_seeds(struct byw_plan *plan, uint64_t repeat, struct byw_diag *diag)
{
    char *all = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&all, &size);
    enum byw_status st;

    for (uint64_t k = 1; out != NULL && k <= repeat; k++)
        fprintf(out, "%" PRIu64 ",", k);
    if (out == NULL || fclose(out) != 0)
        return byw_no_memory(diag, "the list of runs");
    st = byw_plan_override(plan, "noise.seed", all, "--repeat", diag);
    free(all);
    return st;
}

/* Shows how many runs have been listed, because listing a large grid takes a while. */
static void say_listed(size_t points)
{
    if (points % LISTED_STEP == 0)
        fprintf(stderr, "\r%zu runs listed", points);
}

static enum byw_status make_plan(struct byw_plan *plan, const struct request *r,
                                 struct byw_diag *diag)
{
    struct byw_places places;
    enum byw_status st = byw_places_find(&places, diag);

    if (st == BYW_OK && r->grid.count > 0)
        st = byw_plan_read(plan, r->grid.text[0], diag);
    if (st == BYW_OK)
        st = override(plan, "machines", &r->machines, "--machines", diag);
    if (st == BYW_OK)
        st = override(plan, "policies", &r->policies, "--policies", diag);
    if (st == BYW_OK)
        st = override(plan, "workloads", &r->workloads, "--workloads", diag);
    if (st == BYW_OK && r->traces.count > 0)
        st = byw_plan_override_traces(plan, r->traces.text, r->traces.count, diag);
    for (size_t i = 0; st == BYW_OK && i < r->settings.count; i++) {
        if (r->repeat > 1 && strncmp(r->settings.text[i], "noise.seed=", 11) == 0)
            return byw_diag_set(diag, BYW_EINVAL,
                                "--repeat and --set noise.seed: expected one of them");
        st = set(plan, &r->settings, i, diag);
    }
    if (st == BYW_OK && r->repeat > 1)
        st = set_seeds(plan, r->repeat, diag);
    if (st != BYW_OK)
        return st;
    if (byw_cli_on_terminal())
        byw_plan_watch(plan, say_listed);
    st = byw_plan_prepare(plan, &places, diag);
    if (byw_cli_on_terminal())
        fputs("\r\033[K", stderr);
    return st;
}

/* Runs the plan on one engine: local processes or Slurm. */
typedef enum byw_status engine_fn(const struct byw_plan *plan, struct byw_store *store,
                                  const struct request *r, const size_t *order,
                                  const struct byw_job_options *how, struct byw_sweep_state *state,
                                  struct byw_diag *diag);

static enum byw_status run_local(const struct byw_plan *plan, struct byw_store *store,
                                 const struct request *r, const size_t *order,
                                 const struct byw_job_options *how, struct byw_sweep_state *state,
                                 struct byw_diag *diag)
{
    return byw_sweep_run(plan, store, order, byw_cli_workers(r->jobs), how, state, diag);
}

static void say(const char *sentence)
{
    fprintf(stderr, "slurm: %s\n", sentence);
}

static enum byw_status run_slurm(const struct byw_plan *plan, struct byw_store *store,
                                 const struct request *r, const size_t *order,
                                 const struct byw_job_options *how, struct byw_sweep_state *state,
                                 struct byw_diag *diag)
{
    const struct byw_slurm slurm = {.arguments = r->arguments,
                                    .option = r->sbatch.text,
                                    .options = r->sbatch.count,
                                    .limit = (unsigned)r->jobs,
                                    .say = say};
    struct byw_places places;
    enum byw_status st = byw_places_find(&places, diag);

    (void)order; /* Slurm tasks run in the plan's order */
    return st == BYW_OK ? byw_slurm_run(plan, store, &places, &slurm, how, state, diag) : st;
}

/* Estimates the time. *order: the order of the runs that the caller asked for, to be freed; NULL:
 * the plan's order. */
static enum byw_status estimate(const struct byw_plan *plan, const struct byw_store *store,
                                const struct byw_cli_sweep *caller, struct byw_sweep_state *state,
                                size_t **order, struct byw_diag *diag)
{
    size_t count = byw_plan_count(plan);
    double *seconds;
    enum byw_status st;

    *order = NULL;
    if (caller == NULL || caller->order == NULL)
        return byw_sweep_estimate(plan, store, state, NULL, diag);
    seconds = calloc(count + 1, sizeof(*seconds));
    *order = calloc(count + 1, sizeof(**order));
    st = seconds != NULL && *order != NULL ? byw_sweep_estimate(plan, store, state, seconds, diag)
                                           : byw_no_memory(diag, "the list of runs");
    for (size_t i = 0; st == BYW_OK && i < count; i++)
        (*order)[i] = i;
    if (st == BYW_OK)
        st = caller->order(caller->ctx, seconds, *order, diag);
    free(seconds);
    return st;
}

/* Prints the number of runs, then makes them. */
static enum byw_status sweep(const struct byw_plan *plan, const struct request *r,
                             engine_fn *engine, struct byw_sweep_state *state,
                             struct byw_diag *diag)
{
    struct byw_bar bar;
    struct byw_job_options how = {.progress = byw_bar_draw,
                                  .progress_ctx = &bar,
                                  .command = r->command,
                                  .commit = byw_cli_commit(),
                                  .lists = r->caller != NULL ? r->caller->lists : BYW_LISTS_ALL,
                                  .stop = byw_cli_stop_flag()};
    unsigned workers = byw_cli_workers(r->jobs);
    struct byw_store *store = NULL;
    size_t *order = NULL;
    enum byw_status st =
        byw_store_open(r->dir, r->dry_run ? BYW_STORE_LOOK : BYW_STORE_WRITE, &store, diag);

    if (st == BYW_OK)
        st = byw_sweep_look(plan, store, state, diag);
    if (st == BYW_OK && state->there < state->points)
        st = estimate(plan, store, r->caller, state, &order, diag);
    if (st == BYW_OK) {
        char left[32];

        byw_cli_duration(state->seconds / workers, left);
        fprintf(stderr, "%s: %zu run%s, %zu done, %zu to do: about %s with -j %u\n", r->dir,
                state->points, state->points == 1 ? "" : "s", state->there,
                state->points - state->there, left, workers);
    }
    if (st == BYW_OK && !r->dry_run && state->there < state->points) {
        how.expected = state->instructions;
        byw_bar_begin(&bar);
        st = engine(plan, store, r, order, &how, state, diag);
        byw_bar_end(&bar);
        if (st != BYW_OK && *how.stop != 0)
            st = byw_diag_set(diag, BYW_ESTUCK,
                              "interrupted; %zu of %zu runs are stored in %s; run the same command "
                              "again to resume",
                              state->there, state->points, r->dir);
    }
    free(order);
    byw_store_close(store);
    return st;
}

enum byw_status byw_cli_sweep(const struct byw_cli_sweep *what, struct byw_sweep_state *state,
                              struct byw_diag *diag)
{
    const struct request r = {.dir = what->dir,
                              .jobs = what->workers,
                              .command = what->command,
                              .dry_run = what->dry_run,
                              .caller = what};

    return sweep(what->plan, &r, run_local, state, diag);
}

/* A task of --engine slurm: no estimate, no table. */
static enum byw_status run_part(const struct byw_plan *plan, const struct request *r,
                                struct byw_diag *diag)
{
    const struct byw_job_options how = {
        .command = r->command, .commit = byw_cli_commit(), .stop = byw_cli_stop_flag()};
    struct byw_sweep_state state = {.points = 0};
    struct byw_sweep_part part = {.own = 0};
    struct byw_store *store = NULL;
    enum byw_status st = byw_store_open(r->dir, BYW_STORE_WRITE, &store, diag);

    if (st == BYW_OK)
        st = byw_slurm_part_read(r->part, r->dir, &part, diag);
    if (st == BYW_OK)
        st = byw_sweep_run_part(plan, store, &part, 1, &how, &state, diag);
    byw_slurm_part_free(&part);
    byw_store_close(store);
    return st;
}

int byw_cmd_sweep(int argc, char **argv)
{
    struct request r = {
        .dir = "sweep", .engine = "local", .repeat = 1, .sample.settings = &r.settings};
    struct byw_diag diag = {""};
    struct byw_plan *plan = NULL;
    struct byw_sweep_state state = {.points = 0};
    char *command;
    enum byw_status st = parse(argc, argv, &r, &diag);
    int code;

    if (st == BYW_OK && r.help)
        return BYW_EXIT_OK;
    if (st == BYW_OK)
        st = byw_plan_create(&plan, &diag);
    if (st == BYW_OK)
        st = make_plan(plan, &r, &diag);
    /* a task's command line has two words more than the user's */
    command = byw_cli_command(r.part != NULL ? argc - 2 : argc, argv);
    r.command = command;
    r.arguments = command != NULL ? strchr(command, ' ') : NULL; /* after "byway" */
    if (st == BYW_OK && r.arguments == NULL)
        st = byw_no_memory(&diag, "the command");
    if (st == BYW_OK && r.part != NULL) {
        st = run_part(plan, &r, &diag);
        code = st == BYW_OK ? BYW_EXIT_OK : byw_cli_fail(st, &diag);
        byw_plan_free(plan);
        free(command);
        return code;
    }
    if (st == BYW_OK)
        st = sweep(plan, &r, strcmp(r.engine, "slurm") == 0 ? run_slurm : run_local, &state, &diag);
    if (st == BYW_OK && !r.dry_run && state.failed < state.points)
        st = byw_cli_merge(r.dir, NULL, NULL, &diag);
    if (st == BYW_OK && state.failed > 0)
        st = byw_diag_set(&diag, BYW_ECHECK,
                          "%zu of %zu runs failed, the others are stored in %s; the first: %.600s",
                          state.failed, state.points, r.dir, state.failure.text);
    code = st == BYW_OK ? BYW_EXIT_OK : byw_cli_fail(st, &diag);
    byw_plan_free(plan);
    free(command);
    return code;
}
