/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>

#include "cli/byw_cli.h"
#include "cli/byw_inputs.h"
#include "common/byw_path.h"
#include "common/byw_text.h"
#include "common/byw_version.h"
#include "study/page/byw_pages.h"
#include "study/papers/byw_originals.h"
#include "study/papers/byw_reproduce.h"

struct request {
    struct byw_texts paper;
    const char *figure, *claim, *dir, *json, *html, *traces, *markdown, *size, *programs;
    struct byw_texts beside, add, settings;
    struct byw_papers *papers; /* the shipped claims and figures, and those of the files `add` */
    uint64_t jobs, patience, repeat;
    double budget; /* seconds; 0: none */
    json_t *other; /* content of the files `beside` */
    char *command; /* for the provenance */
    bool claims, dry_run, help;
};

static void help(const struct byw_option *options, size_t count, const struct byw_papers *papers)
{
    puts("usage: byway reproduce 000[,001...]|all [--figure ID] [options]\n");
    byw_args_help(stdout, options, count);
    byw_text_wrap(
        stdout,
        "\nMakes the runs that the papers' claims and figures need, as a sweep that resumes where "
        "it was interrupted, and compares the paper's number of each claim with ours.  Figures:",
        0, "");
    putchar('\n');
    for (size_t i = 0; i < papers->figures; i++) {
        printf("  %-9s ", papers->figure[i].id);
        byw_text_wrap_at(stdout, papers->figure[i].title, 12);
    }
    byw_text_wrap(stdout,
                  "\nExit codes: 0 done, whatever the verdicts; 1 a run failed or was interrupted; "
                  "2 bad usage or input.",
                  0, "");
}

static enum byw_status take_budget(const char *value, void *into, struct byw_diag *diag)
{
    char *end;
    double minutes = strtod(value, &end);

    if (end == value || *end != '\0' || !(minutes > 0.0 && minutes <= 100000.0))
        return byw_diag_set(diag, BYW_EINVAL,
                            "--budget is '%s'; expected minutes: more than 0, at most 100000",
                            value);
    *(double *)into = 60.0 * minutes;
    return BYW_OK;
}

static enum byw_status parse(int argc, char **argv, struct request *r, struct byw_diag *diag)
{
    const struct byw_option options[] = {
        {"figure", 'f', "ID", "only this figure", .text = &r->figure},
        {"claim", 0, "ID", "only this claim", .text = &r->claim},
        {"claims", 'c', NULL, "only the claims, without the figures: half of the runs",
         .flag = &r->claims},
        {"add", 'a', "F",
         "also use your own claims and figures (cmodel/doc/add_a_claim.md); may be repeated",
         .list = &r->add, .file = BYW_FILE_READ},
        {"dir", 'd', "D", "folder of the results (default: reproduce)", .text = &r->dir},
        {"traces", 't', "D",
         "folder with NAME.bwt of other inputs (make workloads-paper, make traces-large) or of the "
         "papers' own programs (byway list programs).  Programs that are missing or differ are "
         "reported; the shipped trace replaces a missing one",
         .text = &r->traces},
        {"jobs", 'j', "N", "runs at a time (default: one per processor)", .number = &r->jobs,
         .lowest = 1, .highest = 256},
        {"repeat", 0, "N", BYW_CLI_REPEAT_HELP, .number = &r->repeat, .lowest = 1,
         .highest = BYW_REPEAT_MOST},
        {"set", 0, "KEY=VALUE", "change one key in every run, e.g. l1d.index=fold; may be repeated",
         .list = &r->settings, .keyed = true},
        {"json", 'o', "F", "write claims, numbers and verdicts as JSON; - is stdout",
         .text = &r->json, .file = BYW_FILE_WRITTEN},
        {"html", 0, "F", "write a page with claims and charts (default: DIR/index.html)",
         .text = &r->html, .file = BYW_FILE_WRITTEN},
        {"markdown", 0, "D", "write README.md and a picture per chart into this folder",
         .text = &r->markdown},
        {"beside", 0, "F",
         "in README.md, also show the claims of this file (from -o with another --size or --set); "
         "may be repeated; files of the same size and --set share a column, where the last file "
         "that has a claim wins",
         .list = &r->beside, .file = BYW_FILE_READ, .with = "markdown"},
        {"size", 's', "test|small|paper",
         "inputs: the shipped traces (test, the default), four to ten times larger (small), or the "
         "papers' (paper); the last two are captured into DIR/traces, which needs the OpenCL "
         "runtime and the workloads",
         .text = &r->size},
        {"programs", 0, "D", "folder of the workloads' programs (default: workloads next to byway)",
         .text = &r->programs, .with = "size"},
        {"patience", 0, "MIN",
         "give up a capture after MIN minutes; that workload uses the shipped trace",
         .number = &r->patience, .lowest = 1, .highest = 100000, .with = "size"},
        {"budget", 0, "MIN",
         "stop after MIN minutes, at most half of them for captures, and judge the runs made so "
         "far; claims with missing runs say so; run the same command again to resume",
         .take = take_budget, .into = &r->budget},
        {"dry-run", 'n', NULL, "print the number of runs and the expected time, and exit",
         .flag = &r->dry_run},
        {"help", 'h', NULL, "this text", .flag = &r->help},
    };
    const size_t count = sizeof(options) / sizeof(options[0]);
    enum byw_status st = byw_args_parse(options, count, argc, argv, &r->paper, 1, NULL, diag);

    if (st == BYW_OK)
        st = byw_papers_load(r->add.text, r->add.count, &r->papers, diag);
    if (st == BYW_OK)
        st = byw_reproduce_check_runs(r->papers, diag);
    if (st == BYW_OK && r->figure != NULL && r->claim != NULL)
        st = byw_diag_set(diag, BYW_EINVAL, "--figure and --claim: expected one of them");
    if (st == BYW_OK && r->help)
        help(options, count, r->papers);
    else if (st == BYW_OK && r->paper.count == 0)
        st = byw_diag_set(diag, BYW_EINVAL, "reproduce: expected a paper (000 ... 004) or all");
    return st;
}

/* Finds the folder of the file of --html (empty for standard output), and the path from that folder
 * to the folder of the runs. */
static enum byw_status page_folder(const struct request *r, char folder[BYW_PATH_ROOM],
                                   char link[BYW_PATH_ROOM + 1], struct byw_diag *diag)
{
    const char *slash = r->html != NULL ? strrchr(r->html, '/') : NULL;
    char here[PATH_MAX], runs[PATH_MAX];

    link[0] = '\0';
    snprintf(folder, BYW_PATH_ROOM, "%s", r->html == NULL ? r->dir : slash != NULL ? r->html : ".");
    if (slash != NULL)
        folder[slash == r->html ? 1 : slash - r->html] = '\0';
    if (r->html != NULL && strcmp(r->html, "-") == 0)
        folder[0] = '\0';
    if (r->html == NULL || realpath(r->dir, runs) == NULL ||
        (folder[0] != '\0' && realpath(folder, here) != NULL && strcmp(here, runs) == 0))
        return BYW_OK;
    if (snprintf(link, BYW_PATH_ROOM + 1, "%s/", runs) > BYW_PATH_ROOM)
        return byw_diag_set(diag, BYW_EINVAL, "%.60s...: path too long", runs);
    return BYW_OK;
}

/* Writes the page of all papers, and next to it a page per paper. */
static enum byw_status pages(const json_t *claims, const struct request *r, struct byw_file *file,
                             struct byw_diag *diag)
{
    char folder[BYW_PATH_ROOM], link[BYW_PATH_ROOM + 1];
    struct byw_pages_runs runs = {r->dir, link, r->command};
    enum byw_status st = page_folder(r, folder, link, diag);

    if (st != BYW_OK) {
        byw_file_discard(file);
        return st;
    }
    st = byw_pages_all_papers(claims, folder[0] != '\0', &runs, file, diag);
    if (st != BYW_OK || folder[0] == '\0')
        return st;
    st = byw_pages_papers(claims, folder, &runs, diag);
    if (st == BYW_OK)
        fprintf(stderr, "charts: %s%s, and a page per paper next to it\n",
                r->html != NULL ? r->html : r->dir, r->html != NULL ? "" : "/index.html");
    return st;
}

static enum byw_status output(const struct byw_reproduce *reproduce, const struct request *r,
                              struct byw_outputs *out, struct byw_diag *diag)
{
    json_t *json = byw_reproduce_json(reproduce);
    enum byw_status st = json != NULL ? BYW_OK : byw_no_memory(diag, "the result");

    if (st == BYW_OK && out->table != NULL) {
        byw_reproduce_table(byw_file_stream(out->table), reproduce);
        st = byw_file_commit(byw_cli_take(&out->table), diag);
    }
    if (st == BYW_OK && out->json != NULL)
        st = byw_json_write(json, byw_cli_take(&out->json), diag);
    if (st == BYW_OK && out->html != NULL)
        st = pages(json, r, byw_cli_take(&out->html), diag);
    json_decref(json);
    return st;
}

/* Shows the start of a step that is not a run of the sweep. */
static void say(size_t done, size_t count, const char *what)
{
    if (byw_cli_on_terminal())
        fprintf(stderr, "\r%s: %zu of %zu\033[K%s", what, done + 1, count,
                done + 1 == count ? "\n" : "");
}

/* Moves the claims of `more` into `into`, where they replace those with the same id. */
static void merge_claims(json_t *into, json_t *more)
{
    json_t *claims = json_object_get(into, "claims"), *claim;
    size_t i;

    json_array_foreach(json_object_get(more, "claims"), i, claim)
    {
        size_t at = 0;

        while (at < json_array_size(claims) &&
               strcmp(byw_result_text(json_array_get(claims, at), "id"),
                      byw_result_text(claim, "id")) != 0)
            at++;
        if (at < json_array_size(claims))
            json_array_set(claims, at, claim);
        else
            json_array_append(claims, claim);
    }
}

static bool same_text(const json_t *a, const json_t *b, const char *key)
{
    return strcmp(byw_result_text(a, key), byw_result_text(b, key)) == 0;
}

/* Adds the claims of a file to those with the same size and settings, if any; takes ownership of
 * `one`.
 */
static void add_beside(json_t *all, json_t *one)
{
    json_t *other;
    size_t i;

    json_array_foreach(all, i, other)
    {
        if (same_text(other, one, "inputs") && same_text(other, one, "settings")) {
            merge_claims(other, one);
            json_decref(one);
            return;
        }
    }
    json_array_append_new(all, one);
}

static enum byw_status read_beside(struct request *r, struct byw_diag *diag)
{
    r->other = json_array();
    for (size_t i = 0; i < r->beside.count; i++) {
        json_t *one = byw_json_read(r->beside.text[i], "a result of reproduce --json", diag);

        if (one != NULL && json_object_get(one, "claims") == NULL)
            byw_diag_set(diag, BYW_EINVAL,
                         "%s: has no claims; expected a result of reproduce --json",
                         r->beside.text[i]);
        if (json_object_get(one, "claims") == NULL) {
            json_decref(one);
            return BYW_EINVAL;
        }
        add_beside(r->other, one);
    }
    return BYW_OK;
}

/* Writes the results as Markdown, with machine, version, date, and the command that repeats
 * them. */
static enum byw_status markdown(const struct byw_reproduce *reproduce, const struct request *r,
                                const char *source, struct byw_diag *diag)
{
    char about[BYW_PATH_ROOM + 1024], date[32];
    struct utsname host;
    time_t now = time(NULL);

    if (uname(&host) != 0)
        strcpy(host.machine, "?");
    strftime(date, sizeof(date), "%Y-%m-%d", gmtime(&now));
    snprintf(about, sizeof(about),
             "Made by `%s` on %s, by byway %s (%s), on %ld processors (%s).\nInputs: %s. Each "
             "figure names the command that makes it alone; `-d` keeps its runs, with their "
             "configuration, trace checksum and host.",
             r->command, date, BYW_VERSION, byw_cli_commit(), sysconf(_SC_NPROCESSORS_ONLN),
             host.machine, source);
    return byw_reproduce_markdown(reproduce, r->markdown, about, r->other, diag);
}

/* Reaching the time limit is no error: the existing runs are judged. */
static enum byw_status go_on(enum byw_status st)
{
    return st == BYW_ESTUCK && *byw_cli_stop_flag() == BYW_CLI_TIME_IS_UP ? BYW_OK : st;
}

/* soon: only results that need no run of a sweep. */
static enum byw_status make_more(struct byw_reproduce *reproduce, const struct request *r,
                                 bool soon, struct byw_diag *diag)
{
    const struct byw_job_options how = {
        .command = r->command, .commit = byw_cli_commit(), .stop = byw_cli_stop_flag()};
    struct byw_reproduce_more more = {
        .workers = byw_cli_workers(r->jobs), .how = &how, .say = say, .soon = soon};
    enum byw_status st = byw_store_open(r->dir, BYW_STORE_WRITE, &more.store, diag);

    if (st == BYW_OK && !soon && byw_reproduce_plan(reproduce) != NULL)
        st = byw_reproduce_load(reproduce, more.store, diag);
    if (st == BYW_OK)
        st = go_on(byw_reproduce_make(reproduce, &more, diag));
    byw_store_close(more.store);
    return st;
}

static enum byw_status put_order(const void *reproduce, const double *seconds, size_t *point,
                                 struct byw_diag *diag)
{
    return byw_reproduce_order(reproduce, seconds, point, diag);
}

static enum byw_status run_sweep(const struct byw_reproduce *reproduce, const struct request *r,
                                 struct byw_diag *diag)
{
    const struct byw_cli_sweep what = {.plan = byw_reproduce_plan(reproduce),
                                       .dir = r->dir,
                                       .command = r->command,
                                       .workers = byw_cli_workers(r->jobs),
                                       .dry_run = r->dry_run,
                                       .lists = BYW_LISTS_KERNELS, /* no claim reads an SM */
                                       .order = put_order,
                                       .ctx = reproduce};
    struct byw_sweep_state state = {.points = 0};
    enum byw_status st = byw_cli_sweep(&what, &state, diag);

    if (st == BYW_ESTUCK && go_on(st) == BYW_OK) {
        fprintf(stderr, "time limit reached: %zu of %zu runs are done\n", state.there,
                state.points);
        st = BYW_OK;
    }
    if (st == BYW_OK && !r->dry_run && state.failed > 0)
        st = byw_diag_set(diag, BYW_ECHECK, "%zu of %zu runs failed; the first: %.800s",
                          state.failed, state.points, state.failure.text);
    return st;
}

static enum byw_status open_results(const struct request *r, const char *page,
                                    struct byw_outputs *out, struct byw_diag *diag)
{
    if (r->markdown != NULL && mkdir(r->markdown, 0777) != 0 && errno != EEXIST)
        return byw_diag_set(diag, BYW_EIO,
                            "--markdown %s: %s; expected a folder that can be created", r->markdown,
                            strerror(errno));
    return byw_cli_outputs(r->json, r->html != NULL ? r->html : page, out, diag);
}

static enum byw_status run_all(struct byw_reproduce *reproduce, const struct request *r,
                               const char *source, struct byw_diag *diag)
{
    struct byw_outputs out = {.table = NULL};
    char page[BYW_PATH_ROOM];
    enum byw_status st = BYW_OK;

    if (snprintf(page, sizeof(page), "%s/index.html", r->dir) >= (int)sizeof(page))
        return byw_diag_set(diag, BYW_EINVAL, "%.60s...: path too long", r->dir);
    if (!r->dry_run)
        st = make_more(reproduce, r, true, diag);
    if (!r->dry_run && st == BYW_OK) /* check the paths before anything takes time */
        st = open_results(r, page, &out, diag);
    if (st == BYW_OK && byw_reproduce_plan(reproduce) != NULL)
        st = run_sweep(reproduce, r, diag);
    if (r->dry_run)
        return st;
    if (st == BYW_OK)
        st = make_more(reproduce, r, false, diag);
    if (st == BYW_OK)
        st = byw_reproduce_check(reproduce, diag);
    if (st == BYW_OK)
        st = output(reproduce, r, &out, diag);
    byw_cli_discard(&out);
    if (st == BYW_OK && r->markdown != NULL)
        st = markdown(reproduce, r, source, diag);
    return st;
}

/* Captures the missing inputs of --size. traces: gets their folder; empty: the shipped traces. */
static enum byw_status take_size(const struct request *r, const struct byw_reproduce *asked,
                                 char traces[BYW_PATH_ROOM], struct byw_diag *diag)
{
    struct byw_inputs inputs = {.folder = traces,
                                .programs = r->programs,
                                .seconds = 60 * (unsigned)r->patience,
                                .budget = r->budget / 2.0,
                                .say = say,
                                .stop = byw_cli_stop_flag()};
    enum byw_status st = byw_inputs_size(r->size, &inputs.size, diag);

    traces[0] = '\0';
    if (r->traces != NULL && !byw_path_is_folder(r->traces))
        return byw_diag_set(diag, BYW_ENOENT, "--traces %.900s: no such folder", r->traces);
    if (st != BYW_OK || inputs.size == BYW_SIZE_TEST)
        return st;
    if (r->traces != NULL)
        return byw_diag_set(diag, BYW_EINVAL, "--size and --traces: expected one of them");
    if (snprintf(traces, BYW_PATH_ROOM, "%s/traces/%s", r->dir, r->size) >= BYW_PATH_ROOM)
        return byw_diag_set(diag, BYW_EINVAL, "%.60s...: path too long", r->dir);
    return r->dry_run ? BYW_OK : byw_inputs_capture(asked, &inputs, diag);
}

static void say_names(const char *what, const struct byw_names *names)
{
    for (size_t i = 0; i < names->count; i++)
        fprintf(stderr, "%s%s", i == 0 ? what : ", ", names->name[i]);
}

/* If a folder has traces of the papers' own programs, reports which are missing or differ. *own:
 * set if some match. */
static enum byw_status check_originals(const char *folder, bool *own, struct byw_diag *diag)
{
    struct byw_originals_found found;
    enum byw_status st =
        byw_originals_check(byw_original(0), byw_original_count(), folder, &found, diag);

    *own = st == BYW_OK && found.equal > 0;
    if (!*own) {
        if (st == BYW_OK)
            byw_originals_release(&found);
        return st;
    }
    fprintf(stderr, "%s: %zu of the %zu traces of the papers' own programs", folder, found.equal,
            found.expected);
    say_names("; missing: ", &found.missing);
    say_names("; different: ", &found.differ);
    fputs("\n", stderr);
    byw_originals_release(&found);
    return BYW_OK;
}

static enum byw_status reproduce(const struct request *r, struct byw_diag *diag)
{
    struct byw_reproduce_request asked = {.papers = r->papers,
                                          .paper = r->paper.text[0],
                                          .figure = r->figure,
                                          .claim = r->claim,
                                          .traces = r->traces,
                                          .size = r->size,
                                          .claims = r->claims,
                                          .repeat = (unsigned)r->repeat,
                                          .setting = r->settings.text,
                                          .settings = r->settings.count};
    struct byw_places places;
    struct byw_reproduce *what = NULL;
    char traces[BYW_PATH_ROOM] = "", source[BYW_PATH_ROOM + 64];
    bool own = false;
    enum byw_status st = byw_places_find(&places, diag);

    if (st == BYW_OK && r->traces != NULL && byw_path_is_folder(r->traces))
        st = check_originals(r->traces, &own, diag);
    if (r->traces != NULL)
        asked.size = own ? BYW_REPRODUCE_OWN : BYW_REPRODUCE_TRACES;
    if (r->budget > 0.0 && !r->dry_run) {
        byw_cli_stop_flag();
        byw_cli_stop_after(r->budget);
    }
    if (st == BYW_OK)
        st = byw_reproduce_create(&places, &asked, &what, diag);
    if (st == BYW_OK)
        st = take_size(r, what, traces, diag);
    if (st == BYW_OK && traces[0] != '\0') { /* again, with the inputs of that size */
        byw_reproduce_free(what);
        what = NULL;
        asked.traces = traces;
        st = byw_reproduce_create(&places, &asked, &what, diag);
    }
    snprintf(source, sizeof(source), "%s",
             own                            ? "traces of the papers' own programs"
             : r->traces != NULL            ? r->traces
             : strcmp(r->size, "test") == 0 ? "the shipped traces (size test)"
                                            : r->size);
    if (st == BYW_OK)
        st = run_all(what, r, source, diag);
    byw_reproduce_free(what);
    return st;
}

int byw_cmd_reproduce(int argc, char **argv)
{
    struct request r = {.dir = "reproduce", .size = "test", .repeat = 1, .paper.plain = 1};
    struct byw_diag diag = {""};
    enum byw_status st = parse(argc, argv, &r, &diag);
    int code;

    r.command = byw_cli_command(argc, argv);
    if (st == BYW_OK && !r.help)
        st = read_beside(&r, &diag);
    if (st == BYW_OK && !r.help)
        st = reproduce(&r, &diag);
    json_decref(r.other);
    byw_papers_free(r.papers);
    code = st == BYW_OK ? BYW_EXIT_OK : byw_cli_fail(st, &diag);
    free(r.command);
    return code;
}
