/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "cli/byw_cli.h"
#include "common/byw_text.h"
#include "study/tune/byw_tune.h"

#define OWN_POLICY "pc" /* a mechanism that runs on BYW_OWN_MACHINE */

struct request {
    const char *machine, *policy, *workloads, *held, *keys, *dir, *json, *html;
    struct byw_texts words, traces, settings;
    uint64_t jobs, bits, candidates, eta, seed;
    char *command; /* for the provenance */
    bool help;
};

static void help(const struct byw_option *options, size_t count)
{
    puts("usage: byway tune -p POLICY [-w TUNING] [--held OTHERS] [options]\n");
    byw_args_help(stdout, options, count);
    byw_text_wrap(
        stdout,
        "\nSearches the values of a policy's keys that give the highest IPC: it runs candidates "
        "from the keys' ranges on few workloads first and the better ones on more (successive "
        "halving).  Compares the best with the policy file's values, on the "
        "tuning workloads and on others.  The runs are stored in D as in a sweep; the "
        "same command resumes.  Exit codes: 0 done; 1 a run failed or was interrupted; 2 bad usage "
        "or input.",
        0, "");
}

static enum byw_status parse(int argc, char **argv, struct request *r, struct byw_diag *diag)
{
    const struct byw_option options[] = {
        {"policy", 'p', "P",
         "name or .cfg file (default: " OWN_POLICY " for traces, decoupled for workloads)",
         .text = &r->policy, .file = BYW_FILE_READ},
        {"machine", 'm', "M", "name or .cfg file (" BYW_DEFAULT_MACHINE ")", .text = &r->machine,
         .file = BYW_FILE_READ},
        {"workloads", 'w', "X,Y", "workloads or sets to tune with (default: @cnf)",
         .text = &r->workloads},
        {"trace", 't', "FILE", "a trace of your own, or a folder with several; may be repeated",
         .list = &r->traces, .file = BYW_FILE_READ},
        {"held", 0, "X,Y", "held-out workloads (default: a third of the chosen ones)",
         .text = &r->held},
        {"keys", 'k', "A,B", "keys to search (default: all of the policy's mechanisms)",
         .text = &r->keys},
        {"set", 's', "KEY=V1,V2", "search only these values of a key; may be repeated",
         .list = &r->settings},
        {"bits", 'b', "N",
         "storage limit: bits that mechanisms and replacement may add to an SM's L1 (byway list "
         "policies shows those of the files)",
         .number = &r->bits, .lowest = 1, .highest = 1ULL << 40},
        {"candidates", 'n', "N", "settings to try (default: 27)", .number = &r->candidates,
         .lowest = 1, .highest = 100000},
        {"eta", 0, "N", "keep one N-th of the settings after each round (default: 3)",
         .number = &r->eta, .lowest = 2, .highest = 16},
        {"seed", 0, "N", "random seed for the settings and the order of workloads (default: 1)",
         .number = &r->seed, .lowest = 0, .highest = UINT32_MAX},
        {"dir", 'd', "D", "folder of the runs (default: tune)", .text = &r->dir},
        {"jobs", 'j', "N", "runs at a time (default: one per processor)", .number = &r->jobs,
         .lowest = 1, .highest = 256},
        {"json", 'o', "F", "write everything as JSON; - is stdout", .text = &r->json,
         .file = BYW_FILE_WRITTEN},
        {"html", 0, "F", "write it as a page; - is stdout", .text = &r->html,
         .file = BYW_FILE_WRITTEN},
        {"help", 'h', NULL, "this text", .flag = &r->help},
    };
    const size_t count = sizeof(options) / sizeof(options[0]);
    enum byw_status st = byw_args_parse(options, count, argc, argv, &r->words, 0, NULL, diag);

    if (st == BYW_OK && r->help)
        help(options, count);
    if (st == BYW_OK && r->workloads == NULL && r->traces.count == 0)
        r->workloads = "@cnf";
    return st;
}

static void say(size_t round, size_t rounds, size_t candidates, size_t workloads)
{
    fprintf(stderr, "round %zu of %zu: %zu settings on %zu workloads\n", round, rounds, candidates,
            workloads);
}

static enum byw_status run(void *ctx, const struct byw_plan *plan, struct byw_diag *diag)
{
    const struct request *r = ctx;
    struct byw_sweep_state state = {.points = 0};
    const struct byw_cli_sweep what = {
        .plan = plan, .dir = r->dir, .command = r->command, .workers = byw_cli_workers(r->jobs)};
    enum byw_status st = byw_cli_sweep(&what, &state, diag);

    if (st == BYW_OK && state.failed > 0)
        st = byw_diag_set(diag, BYW_ECHECK,
                          "%zu of %zu runs failed, the others are stored in %s; the first: %.600s",
                          state.failed, state.points, r->dir, state.failure.text);
    return st;
}

static enum byw_status write_out(const struct byw_tune *tune, struct byw_outputs *out,
                                 struct byw_diag *diag)
{
    enum byw_status st = BYW_OK;

    if (out->json != NULL) {
        json_t *all = byw_tune_json(tune);

        st = all != NULL ? byw_json_write(all, byw_cli_take(&out->json), diag)
                         : byw_no_memory(diag, "the JSON");
        json_decref(all);
    }
    if (st == BYW_OK && out->html != NULL) {
        byw_tune_page(byw_file_stream(out->html), tune);
        st = byw_file_commit(byw_cli_take(&out->html), diag);
    }
    if (st == BYW_OK && out->table != NULL) {
        byw_tune_table(byw_file_stream(out->table), tune);
        st = byw_file_commit(byw_cli_take(&out->table), diag);
    }
    return st;
}

static enum byw_status tune(struct request *r, struct byw_diag *diag)
{
    const struct byw_tune_options options = {.machine = r->machine,
                                             .policy = r->policy,
                                             .workloads = r->workloads,
                                             .traces = r->traces.text,
                                             .trace_count = r->traces.count,
                                             .held = r->held,
                                             .keys = r->keys,
                                             .settings = r->settings.text,
                                             .setting_count = r->settings.count,
                                             .bits = r->bits,
                                             .candidates = r->candidates,
                                             .eta = r->eta,
                                             .seed = r->seed,
                                             .run = run,
                                             .ctx = r,
                                             .say = say};
    struct byw_outputs out = {.table = NULL};
    struct byw_places places;
    struct byw_store *store = NULL;
    struct byw_tune *search = NULL;
    enum byw_status st = byw_places_find(&places, diag);

    if (st == BYW_OK)
        st = byw_tune_create(&places, &options, &search, diag);
    if (st == BYW_OK)
        st = byw_cli_outputs(r->json, r->html, &out, diag);
    if (st == BYW_OK)
        st = byw_store_open(r->dir, BYW_STORE_WRITE, &store, diag);
    if (st == BYW_OK)
        st = byw_tune_run(search, store, diag);
    if (st == BYW_OK)
        st = write_out(search, &out, diag);
    byw_cli_discard(&out);
    byw_store_close(store);
    byw_tune_free(search);
    return st;
}

int byw_cmd_tune(int argc, char **argv)
{
    struct request r = {.dir = "tune", .candidates = 27, .eta = 3, .seed = 1};
    struct byw_diag diag = {""};
    enum byw_status st = parse(argc, argv, &r, &diag);

    if (st == BYW_OK && r.help)
        return BYW_EXIT_OK;
    if (r.machine == NULL)
        r.machine = r.traces.count != 0 ? BYW_OWN_MACHINE : BYW_PAPER_MACHINE;
    if (r.policy == NULL)
        r.policy = r.traces.count != 0 ? OWN_POLICY : "decoupled";
    r.command = byw_cli_command(argc, argv);
    if (st == BYW_OK)
        st = tune(&r, &diag);
    free(r.command);
    return st == BYW_OK ? BYW_EXIT_OK : byw_cli_fail(st, &diag);
}
