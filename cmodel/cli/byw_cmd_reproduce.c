/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "cli/byw_cli.h"
#include "study/byw_reproduce.h"

struct request {
    struct byw_texts paper;
    const char *figure, *dir, *json, *html, *traces;
    uint64_t jobs;
    char *command; /* for the provenance */
    bool dry_run, help;
};

static void help(const struct byw_option *options, size_t count)
{
    puts("usage: byway reproduce 000|001|002|003|004|all [--figure ID] [options]\n");
    byw_args_help(stdout, options, count);
    puts(
        "\nMakes the runs that the papers' claims and figures need, as a sweep that goes on where\n"
        "it was interrupted, and judges each claim: the paper's number beside ours.  Figures:\n");
    for (size_t i = 0; i < byw_figure_count(); i++)
        printf("  %-9s %s\n", byw_figure(i)->id, byw_figure(i)->title);
    puts("\nExit codes: 0 done, whatever the verdicts, 1 a run failed or it was interrupted, 2 "
         "wrong\nusage or input.");
}

static enum byw_status parse(int argc, char **argv, struct request *r, struct byw_diag *diag)
{
    const struct byw_option options[] = {
        {"figure", 'f', "ID", "this figure alone, without the claims", .text = &r->figure},
        {"dir", 'd', "D", "folder of the results (default: reproduce)", .text = &r->dir},
        {"traces", 't', "D",
         "folder with NAME.bwt of other inputs (make workloads-paper,\n"
         "make traces-large); what is not there is the shipped one",
         .text = &r->traces},
        {"jobs", 'j', "N", "runs at a time (default: one per processor)", .number = &r->jobs,
         .lowest = 1, .highest = 256},
        {"json", 'o', "F", "write claims, numbers and verdicts as JSON; - is stdout",
         .text = &r->json},
        {"html", 0, "F", "write a page with claims and charts (default: DIR/index.html)",
         .text = &r->html},
        {"dry-run", 'n', NULL, "say how much there is to run and how long it takes, and end",
         .flag = &r->dry_run},
        {"help", 'h', NULL, "this text", .flag = &r->help},
    };
    const size_t count = sizeof(options) / sizeof(options[0]);
    enum byw_status st = byw_args_parse(options, count, argc, argv, &r->paper, 1, NULL, diag);

    if (st == BYW_OK && r->help)
        help(options, count);
    else if (st == BYW_OK && r->paper.count == 0)
        st = byw_diag_set(diag, BYW_EINVAL, "reproduce: expected a paper (000 ... 004) or all");
    return st;
}

static enum byw_status output(struct byw_reproduce *reproduce, struct byw_outputs *out,
                              struct byw_diag *diag)
{
    enum byw_status st = BYW_OK;

    if (out->table != NULL) {
        byw_reproduce_table(byw_file_stream(out->table), reproduce);
        st = byw_file_commit(byw_cli_take(&out->table), diag);
    }
    if (st == BYW_OK && out->json != NULL) {
        json_t *json = byw_reproduce_json(reproduce);

        st = byw_json_write(json, byw_cli_take(&out->json), diag);
        json_decref(json);
    }
    if (st == BYW_OK && out->html != NULL)
        st = byw_reproduce_page(reproduce, byw_cli_take(&out->html), diag);
    return st;
}

static enum byw_status run_all(struct byw_reproduce *reproduce, const struct request *r,
                               struct byw_diag *diag)
{
    struct byw_sweep_state state = {.points = 0};
    struct byw_store *store = NULL;
    struct byw_outputs out = {.table = NULL};
    char page[BYW_PATH_ROOM];
    enum byw_status st =
        byw_cli_sweep(byw_reproduce_plan(reproduce), r->dir, byw_cli_workers(r->jobs), r->command,
                      r->dry_run, &state, diag);

    if (st != BYW_OK || r->dry_run)
        return st;
    if (state.failed > 0)
        return byw_diag_set(diag, BYW_ECHECK, "%zu of %zu runs failed; the first: %.800s",
                            state.failed, state.points, state.failure.text);
    if (snprintf(page, sizeof(page), "%s/index.html", r->dir) >= (int)sizeof(page))
        return byw_diag_set(diag, BYW_EINVAL, "%.60s...: path too long", r->dir);
    st = byw_store_open(r->dir, false, &store, diag);
    if (st == BYW_OK)
        st = byw_reproduce_load(reproduce, store, diag);
    byw_store_close(store);
    if (st == BYW_OK)
        st = byw_cli_outputs(r->json, r->html != NULL ? r->html : page, &out, diag);
    if (st == BYW_OK)
        st = output(reproduce, &out, diag);
    byw_cli_discard(&out);
    if (st == BYW_OK && r->html == NULL)
        fprintf(stderr, "charts: %s\n", page);
    return st;
}

int byw_cmd_reproduce(int argc, char **argv)
{
    struct request r = {.dir = "reproduce"};
    struct byw_diag diag = {""};
    struct byw_places places;
    struct byw_reproduce *reproduce = NULL;
    enum byw_status st = parse(argc, argv, &r, &diag);
    int code;

    if (st == BYW_OK && r.help)
        return BYW_EXIT_OK;
    if (st == BYW_OK)
        st = byw_places_find(&places, &diag);
    if (st == BYW_OK)
        st = byw_reproduce_create(&places, r.paper.text[0], r.figure, r.traces, &reproduce, &diag);
    r.command = byw_cli_command(argc, argv);
    if (st == BYW_OK)
        st = run_all(reproduce, &r, &diag);
    code = st == BYW_OK ? BYW_EXIT_OK : byw_cli_fail(st, &diag);
    byw_reproduce_free(reproduce);
    free(r.command);
    return code;
}
