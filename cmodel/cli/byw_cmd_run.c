/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "cli/byw_cli.h"
#include "cli/byw_pick.h"
#include "common/byw_text.h"
#include "sim/sm/byw_load_advice.h"
#include "study/compare/byw_table.h"
#include "study/job/byw_repeat.h"
#include "study/job/byw_timeline.h"
#include "trace/file/byw_trace.h"

#define MAX_COUNT UINT64_C(1000000000000000)

struct request {
    const char *machine, *policy, *trace, *workload, *json, *advice;
    struct byw_texts settings;
    uint64_t max_cycles, max_insts, timeline, threads, repeat;
    bool loads, stalls;
    struct byw_cli_pick pick;
    bool rtl; /* use the Verilated caches */
    char *command; /* for the provenance */
    struct byw_waves_window waves;
    uint64_t waves_sm, waves_set;
    bool help;
    struct byw_cli_sample sample;
};

static enum byw_status take_l1d(const char *value, void *rtl, struct byw_diag *diag)
{
    *(bool *)rtl = strcmp(value, "rtl") == 0;
    if (*(bool *)rtl || strcmp(value, "c") == 0)
        return BYW_OK;
    return byw_diag_set(diag, BYW_EINVAL, "--l1d is '%s'; expected c or rtl", value);
}

static enum byw_status parse(int argc, char **argv, struct request *r, struct byw_diag *diag)
{
    const struct byw_option options[] = {
        {"machine", 'm', "M", "name or .cfg file (" BYW_DEFAULT_MACHINE ")", .text = &r->machine,
         .file = BYW_FILE_READ},
        {"policy", 'p', "P", "name or .cfg file (default: bl)", .text = &r->policy,
         .file = BYW_FILE_READ},
        {"trace", 't', "FILE",
         "a .bwt trace, or an Accel-Sim trace: its folder,\n"
         "kernelslist.g or one .traceg (plain, .xz, .zst); decoded text is stored in the cache "
         "(byway cache)",
         .text = &r->trace, .file = BYW_FILE_READ},
        {"workload", 'w', "W", "a shipped trace (byway list workloads)", .text = &r->workload},
        {"json", 'o', "F", "write the result as JSON; - is stdout, without the summary",
         .text = &r->json, .file = BYW_FILE_WRITTEN},
        {"set", 's', "KEY=VALUE", "change one configuration key; may be repeated",
         .list = &r->settings, .keyed = true},
        {"sample", 0, "N", BYW_CLI_SAMPLE_HELP, .take = byw_cli_take_sample, .into = &r->sample},
        {"advice", 'a', "F",
         "file of hints for loads, from byway advise or by hand: lines KERNEL PLACE HINT. KERNEL "
         "is a name or *, PLACE is pc:0x60, line:15 or *, HINT is none, bypass, stream, cache, "
         "volatile or nontemporal (byway trace info --sites lists the places)",
         .text = &r->advice, .file = BYW_FILE_READ},
        {"l1d", 0, "c|rtl", "simulate the L1 data caches with the C model (default) or the RTL",
         .take = take_l1d, .into = &r->rtl},
        BYW_CLI_PICK_OPTIONS(&r->pick),
        {"jobs", 'j', "N",
         "simulation threads; with --repeat, runs at a time (default: 1); the result does not "
         "depend on it",
         .number = &r->threads, .lowest = 1, .highest = BYW_THREADS_MAX},
        {"repeat", 0, "N", BYW_CLI_REPEAT_HELP, .number = &r->repeat, .lowest = 1,
         .highest = BYW_REPEAT_MOST},
        {"max-cycles", 0, "N", "stop after N cycles with a partial result",
         .number = &r->max_cycles, .lowest = 1, .highest = MAX_COUNT},
        {"max-insts", 0, "N",
         "stop after N warp instructions (or a little later) with a\npartial result",
         .number = &r->max_insts, .lowest = 1, .highest = MAX_COUNT},
        {"timeline", 0, "N",
         "record counters over time, in at most N intervals (8 to 4096), and the contents of the "
         "caches: member timeline of --json, for byway report",
         .number = &r->timeline, .lowest = BYW_TIMELINE_LEAST, .highest = BYW_TIMELINE_MOST,
         .with = "json"},
        {"loads", 0, NULL,
         "record the outcomes of each load in the code, and its cost below the L1s: members loads, "
         "other_accesses, rest_accesses of --json",
         .flag = &r->loads, .with = "json"},
        {"stalls", 0, NULL,
         "record what each machine instruction waits for, and what the L1D makes of its accesses: "
         "member stalls of --json (byway source shows it as a page)",
         .flag = &r->stalls, .with = "json"},
        {"waves", 0, "F",
         "write an L1D's signals as waveforms (F.vcd or F.fst), or a page that shows one set step "
         "by step (F.html)",
         .text = &r->waves.path, .file = BYW_FILE_WRITTEN},
        {"waves-sm", 0, "N", "the SM to record (default: 0)", .number = &r->waves_sm,
         .highest = 511, .with = "waves"},
        {"waves-set", 0, "N", "the set that the page shows (default: 0)", .number = &r->waves_set,
         .highest = 65535, .with = "waves"},
        {"waves-at", 0, "N", "the first cycle to record (default: 0)", .number = &r->waves.first,
         .highest = MAX_COUNT, .with = "waves"},
        {"waves-cycles", 0, "N", "the number of cycles to record (default: 10000)",
         .number = &r->waves.cycles, .lowest = 1, .highest = 1000000000, .with = "waves"},
        {"help", 'h', NULL, "this text", .flag = &r->help},
    };
    const size_t count = sizeof(options) / sizeof(options[0]);
    enum byw_status st = byw_args_parse(options, count, argc, argv, NULL, 0, NULL, diag);

    if (st == BYW_OK && r->help) {
        puts("usage: byway run [--machine M] [--policy P] (--trace FILE | --workload W)\n"
             "                 [options]\n");
        byw_args_help(stdout, options, count);
    } else if (st == BYW_OK && (r->trace == NULL) == (r->workload == NULL)) {
        st = byw_diag_set(diag, BYW_EINVAL,
                          "expected one of --trace FILE and --workload W (byway list workloads)");
    } else if (st == BYW_OK && r->repeat > 1 && (r->waves.path != NULL || r->rtl)) {
        st = byw_diag_set(diag, BYW_EINVAL,
                          "--repeat and %s: expected one of them, because the latter shows a "
                          "single run; --set noise.seed=K shows another",
                          r->rtl ? "--l1d rtl" : "--waves");
    }
    return st;
}

static enum byw_status put_out(const json_t *result, struct byw_outputs *out, struct byw_diag *diag)
{
    enum byw_status st = BYW_OK;

    if (out->json != NULL)
        st = byw_json_write(result, byw_cli_take(&out->json), diag);
    if (st != BYW_OK || out->table == NULL)
        return st;
    byw_table_run(byw_file_stream(out->table), result);
    return byw_file_commit(byw_cli_take(&out->table), diag);
}

/* Marks the entries of the advice that match a kernel of the trace. This process must do so,
 * because each run of --repeat is a process and marks only its copy. */
static enum byw_status mark_used(struct byw_load_advice *advice, const char *path,
                                 struct byw_diag *diag)
{
    struct byw_load_hints hints = {.count = 0};
    const struct byw_kernel *kernel;
    struct byw_trace *trace;
    enum byw_status st = byw_trace_open(path, &trace, diag);

    if (st != BYW_OK)
        return st;
    while (byw_load_advice_unused(advice) != 0 &&
           (st = byw_trace_next_kernel(trace, &kernel, diag)) == BYW_OK)
        if ((st = byw_load_advice_for(advice, kernel, &hints, diag)) != BYW_OK)
            break;
    byw_load_hints_release(&hints);
    byw_trace_close(trace);
    return st == BYW_END ? BYW_OK : st;
}

/* Reports advice that matched no load of a whole run: it has a typo, or belongs to another
 * program. */
static enum byw_status check_used(const struct request *r, const struct byw_load_advice *advice,
                                  const json_t *result, struct byw_diag *diag)
{
    uint32_t line = advice != NULL ? byw_load_advice_unused(advice) : 0;

    if (line == 0 || byw_cli_pick_any(&r->pick) || json_is_true(json_object_get(result, "partial")))
        return BYW_OK;
    return byw_diag_set(
        diag, BYW_EFORMAT,
        "%s:%u: matches no load of the trace; expected one that byway trace info --sites shows",
        r->advice, line);
}

/* Runs the job --repeat times, each in its own single-threaded process. */
static enum byw_status repeat_runs(const struct request *r, const struct byw_job *job,
                                   struct byw_job_options how, json_t **result,
                                   struct byw_diag *diag)
{
    enum byw_status st;

    how.repeat = (uint32_t)r->repeat;
    how.threads = 1;
    st = byw_jobs_repeat(job, 1, r->threads != 0 ? (unsigned)r->threads : 1, &how, result, diag);
    if (st != BYW_OK || byw_result_refused(*result) == NULL)
        return st;
    return byw_diag_set(diag, BYW_EINVAL, "%s", byw_result_refused(*result));
}

static int run(const struct request *r, const struct byw_job *job, struct byw_load_advice *advice,
               struct byw_outputs *out)
{
    struct byw_diag diag = {""};
    char name[256] = "";
    struct byw_waves_window waves = r->waves;
    char pages[512];
    struct byw_bar bar;
    struct byw_job_options how = {.progress = byw_bar_draw,
                                  .progress_ctx = &bar,
                                  .max_cycles = r->max_cycles,
                                  .max_instructions = r->max_insts,
                                  .threads = (uint32_t)r->threads,
                                  .lists = r->json == NULL ? BYW_LISTS_NONE : BYW_LISTS_ALL,
                                  .timeline = (uint32_t)r->timeline,
                                  .loads = r->loads,
                                  .stalls = r->stalls,
                                  .advice = advice,
                                  .advice_name = r->advice != NULL ? name : NULL,
                                  .command = r->command,
                                  .commit = byw_cli_commit(),
                                  .l1d = r->rtl ? byw_cli_rtl_l1d() : NULL,
                                  .waves = r->waves.path != NULL ? &waves : NULL,
                                  .stop = byw_cli_stop_flag()};
    json_t *result = NULL;
    enum byw_status st;
    bool interrupted;

    byw_cli_pick_apply(&r->pick, &how);
    waves.sm = (uint32_t)r->waves_sm;
    waves.set = (uint32_t)r->waves_set;
    waves.pages = byw_cli_repository("cmodel/doc/mechanisms", pages, sizeof(pages)) ? pages : NULL;
    waves.commit = byw_cli_commit();
    waves.workload = job->workload;
    waves.machine = job->machine;
    waves.policy = job->policy;
    waves.command = r->command;
    if (r->advice != NULL)
        byw_setup_name(r->advice, name, sizeof(name));
    byw_bar_begin(&bar);
    st = r->repeat > 1 ? repeat_runs(r, job, how, &result, &diag)
                       : byw_job_run(job, &how, &result, &diag);
    byw_bar_end(&bar);
    if (st == BYW_OK && advice != NULL && r->repeat > 1)
        st = mark_used(advice, job->trace, &diag);
    if (st == BYW_OK)
        st = check_used(r, advice, result, &diag);
    if (st == BYW_OK)
        st = put_out(result, out, &diag);
    byw_cli_discard(out);
    json_decref(result);
    if (st != BYW_OK)
        return byw_cli_fail(st, &diag);
    interrupted = *how.stop != 0;
    if (interrupted)
        fputs("byway: interrupted; the result is partial\n", stderr);
    return interrupted ? BYW_EXIT_FAILED : BYW_EXIT_OK;
}

int byw_cmd_run(int argc, char **argv)
{
    struct request r = {.policy = "bl", .waves.cycles = 10000, .sample.settings = &r.settings};
    struct byw_diag diag = {""};
    struct byw_places places;
    struct byw_config config;
    struct byw_outputs out;
    struct byw_load_advice *advice = NULL;
    int code;
    char path[BYW_PATH_ROOM];
    char names[3][256];
    struct byw_job job = {.trace = path, .config = &config};
    enum byw_status st = parse(argc, argv, &r, &diag);

    if (st == BYW_OK && r.help)
        return BYW_EXIT_OK;
    if (r.machine == NULL)
        r.machine = r.trace != NULL ? BYW_OWN_MACHINE : BYW_PAPER_MACHINE;
    if (st == BYW_OK && r.rtl && byw_cli_rtl_l1d() == NULL)
        st = byw_cli_start_rtl(argc, argv, &diag);
    if (st == BYW_OK)
        st = byw_places_find(&places, &diag);
    if (st == BYW_OK)
        st = byw_setup_config(&places, r.machine, r.policy, r.settings.text, r.settings.count,
                              &config, &diag);
    if (st == BYW_OK && r.workload != NULL)
        st = byw_places_trace(&places, r.workload, config.sm_lanes, path, &diag);
    if (st == BYW_OK && r.advice != NULL)
        st = byw_load_advice_read(r.advice, &advice, &diag);
    if (st == BYW_OK)
        st = byw_cli_outputs(r.json, NULL, &out, &diag);
    if (st != BYW_OK) {
        byw_load_advice_free(advice);
        return byw_cli_fail(st, &diag);
    }
    if (r.trace != NULL)
        job.trace = r.trace;
    byw_setup_name(r.trace != NULL ? r.trace : r.workload, names[0], sizeof(names[0]));
    byw_setup_name(r.machine, names[1], sizeof(names[1]));
    byw_setup_name(r.policy, names[2], sizeof(names[2]));
    job.workload = names[0];
    job.machine = names[1];
    job.policy = names[2];
    r.command = byw_cli_command(argc, argv);
    code = run(&r, &job, advice, &out);
    free(r.command);
    byw_load_advice_free(advice);
    byw_cli_pick_release(&r.pick);
    return code;
}
