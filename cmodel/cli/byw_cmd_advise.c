/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/byw_cli.h"
#include "cli/byw_given.h"
#include "cli/byw_pick.h"
#include "common/byw_text.h"
#include "sim/sm/byw_load_advice.h"
#include "study/advise/byw_advise.h"
#include "study/advise/byw_advise_report.h"
#include "study/advise/byw_mpache_report.h"
#include "study/job/byw_repeat.h"

struct request {
    struct byw_given_words from;
    const char *json, *html, *advice, *source, *dot, *patch;
    struct byw_texts also;
    uint64_t jobs, runs, repeat;
    struct byw_advise_options how;
    struct byw_mpache_params params;
    double thresh1, thresh2, weight; /* -1: use the configuration keys */
    const char *dir;
    struct byw_cli_pick pick;
    char *command; /* for the provenance */
    bool mpache, no_guard, help;
};

static enum byw_status take_hints(const char *value, void *options, struct byw_diag *diag)
{
    struct byw_advise_options *o = options;
    char text[128], *save = NULL;

    snprintf(text, sizeof(text), "%s", value);
    o->hints = 0;
    for (char *word = strtok_r(text, ",", &save); word != NULL; word = strtok_r(NULL, ",", &save)) {
        uint8_t hint;

        if (!byw_load_hint_read(word, &hint) || hint == 0 || o->hints == BYW_ADVISE_HINTS)
            return byw_diag_set(diag, BYW_EINVAL,
                                "--hints is '%s'; expected up to %d of bypass, stream, cache, "
                                "volatile and nontemporal, separated by commas",
                                value, BYW_ADVISE_HINTS);
        o->hint[o->hints++] = hint;
    }
    return o->hints != 0 ? BYW_OK
                         : byw_diag_set(diag, BYW_EINVAL,
                                        "--hints is empty; expected bypass, stream, cache, "
                                        "volatile or nontemporal");
}

static enum byw_status take_by(const char *value, void *by_load, struct byw_diag *diag)
{
    *(bool *)by_load = strcmp(value, "load") == 0;
    if (*(bool *)by_load || strcmp(value, "line") == 0)
        return BYW_OK;
    return byw_diag_set(diag, BYW_EINVAL, "--by is '%s'; expected line or load", value);
}

static enum byw_status take_number(const char *value, void *number, struct byw_diag *diag)
{
    char *end;

    *(double *)number = strtod(value, &end);
    if (end != value && *end == '\0' && *(double *)number >= 0 && *(double *)number <= 100)
        return BYW_OK;
    return byw_diag_set(diag, BYW_EINVAL,
                        "a threshold or weight of Mpache is '%s'; expected a number, 0 to 100",
                        value);
}

static enum byw_status take_least(const char *value, void *least, struct byw_diag *diag)
{
    char *end;

    *(double *)least = strtod(value, &end);
    if (end != value && *end == '\0' && *(double *)least >= 0 && *(double *)least <= 100)
        return BYW_OK;
    return byw_diag_set(diag, BYW_EINVAL, "--least is '%s'; expected percent, 0 to 100", value);
}

static void help(const struct byw_option *options, size_t count)
{
    puts("usage: byway advise (TRACE | WORKLOAD) [--machine M] [options]\n"
         "       byway advise [options] -- PROGRAM [ARGS]\n");
    byw_args_help(stdout, options, count);
    byw_text_wrap(
        stdout,
        "\nFinds the loads of a program that should carry a cache hint.  It simulates each load "
        "with each hint alone, then with others, and prints the hints that pay off, in OpenCL C, "
        "CUDA and HIP.  A place in the table is a source line and the "
        "array that it reads; savings are in cycles of its kernel.  `byway run --advice F` applies "
        "the file that --advice F writes here.",
        0, "");
}

static enum byw_status parse(int argc, char **argv, struct request *r, struct byw_diag *diag)
{
    const struct byw_option options[] = {
        {"machine", 'm', "M", "name or .cfg file (default: " BYW_CLI_GPU "; rdna2 for --mpache)",
         .text = &r->from.machine, .file = BYW_FILE_READ},
        {"policy", 'p', "P", "name or .cfg file (default: bl)", .text = &r->from.policy,
         .file = BYW_FILE_READ},
        {"advice", 'a', "F", "write the advice as a file for `byway run --advice`",
         .text = &r->advice, .file = BYW_FILE_WRITTEN},
        {"html", 0, "F", "write it as a page", .text = &r->html, .file = BYW_FILE_WRITTEN},
        {"json", 'o', "F", "write it as JSON; - is stdout, without the table", .text = &r->json,
         .file = BYW_FILE_WRITTEN},
        {"source", 0, "F",
         "the kernels' source, to show the text of lines (default: that of a shipped workload)",
         .text = &r->source, .file = BYW_FILE_READ},
        {"patch", 0, "F",
         "write the advice into the kernels of PROGRAM and the diff to F; capture and simulate the "
         "changed program and print its gain",
         .text = &r->patch, .file = BYW_FILE_WRITTEN},
        {"hints", 0, "LIST",
         "hints to try: bypass, stream, cache, volatile, nontemporal (default:\nbypass,stream)",
         .take = take_hints, .into = &r->how},
        {"by", 0, "line|load",
         "assign hints to all loads of an array on a line (default), or to each load in the code",
         .take = take_by, .into = &r->how.by_load},
        {"least", 0, "P",
         "smallest gain worth a hint, in percent of a kernel's cycles (default: 0.5)",
         .take = take_least, .into = &r->how.least},
        {"every", 0, NULL, "try every assignment of hints (possible only for few places)",
         .flag = &r->how.every},
        {"also", 0, "FILE",
         "try the advice on this trace of the program with another input, too; may be repeated",
         .list = &r->also, .file = BYW_FILE_READ},
        {"mpache", 0, NULL,
         "choose by Mpache's algorithm, load by load, and compare it with\nthe other schemes of "
         "its paper "
         "(machine: rdna2)",
         .flag = &r->mpache},
        {"thresh1", 0, "T",
         "Mpache: gain per load, in percent of the kernel's time, from which a group of loads "
         "bypasses (default: mpache.thresh1)",
         .take = take_number, .into = &r->thresh1, .with = "mpache"},
        {"thresh2", 0, "T",
         "Mpache: gain, in percent of the kernel's time, from which a single load bypasses "
         "(default: mpache.thresh2)",
         .take = take_number, .into = &r->thresh2, .with = "mpache"},
        {"weight", 0, "W",
         "Mpache: weight of a group in its loads' scores (default: mpache.weight)",
         .take = take_number, .into = &r->weight, .with = "mpache"},
        {"no-guard", 0, NULL, "Mpache: a group may bypass a level even if it loses as a whole",
         .flag = &r->no_guard, .with = "mpache"},
        {"sweep", 0, NULL, "Mpache: also try thresholds and weight over the paper's ranges",
         .flag = &r->how.sweep, .with = "mpache"},
        {"dot", 0, "F", "Mpache: write the interaction graph for Graphviz", .text = &r->dot,
         .file = BYW_FILE_WRITTEN, .with = "mpache"},
        BYW_CLI_PICK_OPTIONS(&r->pick),
        {"dir", 'd', "D",
         "store every run in this folder, as byway sweep does: the same command resumes after a "
         "kill, and other searches reuse its runs",
         .text = &r->dir},
        {"runs", 0, "N",
         "largest number of assignments that the search runs (default: 1000); the chosen advice is "
         "run after it",
         .number = &r->runs, .lowest = 2, .highest = 1000000},
        {"repeat", 0, "N", BYW_CLI_REPEAT_HELP "; what is\nwithin the noise is not advised",
         .number = &r->repeat, .lowest = 1, .highest = BYW_REPEAT_MOST},
        {"jobs", 'j', "N", "runs at a time (default: one per processor)", .number = &r->jobs,
         .lowest = 1, .highest = 256},
        {"set", 's', "KEY=VALUE", "change one configuration key; may be repeated",
         .list = &r->from.settings, .keyed = true},
        {"help", 'h', NULL, "this text", .flag = &r->help},
    };
    const size_t count = sizeof(options) / sizeof(options[0]);
    enum byw_status st =
        byw_args_parse(options, count, argc, argv, &r->from.words, 1, &r->from.program, diag);

    if (st == BYW_OK && r->help) {
        help(options, count);
        return st;
    }
    if (st == BYW_OK)
        st = byw_given_check("advise", &r->from, diag);
    if (st == BYW_OK && r->mpache && r->how.every)
        st = byw_diag_set(diag, BYW_EINVAL, "--mpache and --every: expected one of them");
    else if (st == BYW_OK && r->mpache && r->repeat > 1)
        st = byw_diag_set(
            diag, BYW_EINVAL,
            "--mpache and --repeat: expected one of them; byway reproduce 003 --repeat "
            "repeats Mpache's runs");
    else if (st == BYW_OK && r->patch != NULL &&
             (r->from.program == NULL || r->how.by_load || r->mpache))
        st = byw_diag_set(
            diag, BYW_EINVAL,
            "--patch changes lines of a program's source; expected a program after --, and "
            "neither --by load nor --mpache");
    return st;
}

/* --- input ---------------------------------------------------------------------------------- */

struct work {
    struct byw_given given;
    const char *sources[1];
};

/* Mpache's parameters: options replace the configuration keys. The keys have no effect on a run, so
 * runs use their defaults: stored runs can then be reused with any values. */
static void use_mpache_keys(struct work *work, struct request *r)
{
    struct byw_config *c = &work->given.config;
    struct byw_config usual;

    r->params.thresh1 = r->thresh1 >= 0 ? r->thresh1 : c->mpache_thresh1 / 100.0;
    r->params.thresh2 = r->thresh2 >= 0 ? r->thresh2 : c->mpache_thresh2 / 100.0;
    r->params.weight = r->weight >= 0 ? r->weight : c->mpache_weight / 100.0;
    r->params.guard = !r->no_guard && c->mpache_guard != 0;
    byw_config_defaults(&usual);
    c->mpache_thresh1 = usual.mpache_thresh1;
    c->mpache_thresh2 = usual.mpache_thresh2;
    c->mpache_weight = usual.mpache_weight;
    c->mpache_guard = usual.mpache_guard;
}

/* Finds the kernels' source: the one given, a captured program's own, or a shipped workload's. */
static void use_sources(struct work *work, struct request *r)
{
    work->sources[0] = r->source != NULL ? r->source : work->given.source;
    if (work->sources[0][0] != '\0') {
        r->how.source = work->sources;
        r->how.sources = 1;
    } else {
        r->how.source = work->given.program.sources;
        r->how.sources = work->given.program.source_count;
    }
}

/* The names of the hints in the program's language, by their effect on the machine. */
static void use_hints(struct work *work, struct request *r)
{
    bool own = r->how.hints != 0;

    if (r->mpache) {
        use_mpache_keys(work, r);
        r->how.mpache = &r->params;
        r->how.by_load = true;
        r->how.hint[0] = BYW_ADVICE_NONTEMPORAL; /* Mpache's modes 0 and 1 */
        r->how.hint[1] = BYW_HINT_VOLATILE;
    } else if (!own && r->patch != NULL && !work->given.program.cuda) {
        r->how.hint[0] = BYW_HINT_VOLATILE;
        r->how.hint[1] = work->given.config.gl1_on != 0 ? BYW_ADVICE_NONTEMPORAL : BYW_HINT_STREAM;
    } else if (!own) {
        r->how.hint[0] = BYW_HINT_BYPASS;
        r->how.hint[1] = BYW_HINT_STREAM;
    }
    if (r->mpache || !own)
        r->how.hints = 2;
}

/* Additional output files. */
struct files {
    struct byw_file *advice, *dot, *diff;
};

static enum byw_status open_files(const struct request *r, struct files *files,
                                  struct byw_diag *diag)
{
    enum byw_status st = BYW_OK;

    if (r->advice != NULL)
        st = byw_file_create(r->advice, &files->advice, diag);
    if (st == BYW_OK && r->dot != NULL)
        st = byw_file_create(r->dot, &files->dot, diag);
    if (st == BYW_OK && r->patch != NULL)
        st = byw_file_create(r->patch, &files->diff, diag);
    return st;
}

static enum byw_status output(const struct request *r, const json_t *report,
                              struct byw_outputs *out, struct files *files, struct byw_diag *diag)
{
    enum byw_status st = BYW_OK;

    if (out->table != NULL) {
        (r->mpache ? byw_mpache_table : byw_advise_table)(byw_file_stream(out->table), report);
        st = byw_file_commit(byw_cli_take(&out->table), diag);
    }
    if (st == BYW_OK && out->json != NULL)
        st = byw_json_write(report, byw_cli_take(&out->json), diag);
    if (st == BYW_OK && out->html != NULL)
        st = byw_advise_page(report, byw_cli_take(&out->html), diag);
    if (st == BYW_OK && files->advice != NULL)
        st = byw_advise_file(report, byw_cli_take(&files->advice), diag);
    if (st == BYW_OK && files->dot != NULL) {
        byw_mpache_dot(byw_file_stream(files->dot), report);
        st = byw_file_commit(byw_cli_take(&files->dot), diag);
    }
    return st;
}

static unsigned workers_of(const struct request *r)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);

    return r->jobs != 0 ? (unsigned)r->jobs : processors > 0 ? (unsigned)processors : 1;
}

static enum byw_status advise(struct request *r, struct work *work, struct byw_diag *diag)
{
    struct byw_bar bar;
    struct byw_outputs out = {.table = NULL};
    struct files files = {.advice = NULL};
    struct byw_job_options how = {.progress = byw_bar_draw,
                                  .progress_ctx = &bar,
                                  .command = r->command,
                                  .commit = byw_cli_commit(),
                                  .stop = byw_cli_stop_flag()};
    json_t *report = NULL;
    enum byw_status st = byw_given_open(&work->given, &r->from, diag);

    byw_cli_pick_apply(&r->pick, &how);
    if (st == BYW_OK)
        st = byw_cli_outputs(r->json, r->html, &out, diag);
    if (st == BYW_OK)
        st = open_files(r, &files, diag);
    if (st == BYW_OK && r->dir != NULL)
        st = byw_store_open(r->dir, BYW_STORE_WRITE, &r->how.store, diag);
    if (st == BYW_OK)
        st = byw_given_trace(&work->given, &r->from, diag);
    if (st == BYW_OK) {
        use_sources(work, r);
        use_hints(work, r);
    }
    r->how.most_runs = r->runs;
    r->how.repeat = (uint32_t)r->repeat;
    r->how.workers = workers_of(r);
    r->how.also = r->also.text;
    r->how.also_count = r->also.count;
    r->how.how = &how;
    byw_bar_begin(&bar);
    if (st == BYW_OK)
        st = byw_advise(&work->given.job, &r->how, &report, diag);
    if (st == BYW_OK && r->patch != NULL)
        st = byw_program_patch(&work->given.program, &work->given.job, &r->how, report, &files.diff,
                               diag);
    byw_bar_end(&bar);
    if (st == BYW_OK) {
        st = output(r, report, &out, &files, diag);
    } else if (report != NULL) { /* stopped, or only the patch failed: the advice is valid */
        struct byw_diag other;

        (void)output(r, report, &out, &files, &other);
    }
    byw_cli_discard(&out);
    byw_file_discard(files.advice);
    byw_file_discard(files.dot);
    byw_file_discard(files.diff);
    byw_program_remove(&work->given.program);
    byw_store_close(r->how.store);
    json_decref(report);
    return st;
}

int byw_cmd_advise(int argc, char **argv)
{
    struct request r = {.from.policy = "bl",
                        .runs = 1000,
                        .repeat = 1,
                        .params = {.mode = {true, true}},
                        .thresh1 = -1,
                        .thresh2 = -1,
                        .weight = -1,
                        .how = {.least = 0.5}};
    struct byw_diag diag = {""};
    struct work *work;
    enum byw_status st = parse(argc, argv, &r, &diag);

    if (st == BYW_OK && r.help)
        return BYW_EXIT_OK;
    if (r.from.machine == NULL)
        r.from.machine = r.mpache ? "rdna2" : BYW_CLI_GPU;
    r.command = byw_cli_command(argc, argv);
    work = st == BYW_OK ? calloc(1, sizeof(*work)) : NULL;
    if (st == BYW_OK)
        st = work != NULL ? advise(&r, work, &diag) : byw_no_memory(&diag, "the advice");
    free(work);
    free(r.command);
    byw_cli_pick_release(&r.pick);
    return st == BYW_OK ? BYW_EXIT_OK : byw_cli_fail(st, &diag);
}
