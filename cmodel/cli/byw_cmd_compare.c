/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/byw_cli.h"
#include "study/byw_report.h"
#include "study/byw_table.h"

enum { MAX_POLICIES = 16, NAME_ROOM = 256 };

struct request {
    const char *machine, *policies, *workloads, *json, *html;
    struct byw_texts settings;
    uint64_t jobs;
    bool all_tables, help;
};

/* Everything a comparison owns. */
struct work {
    struct byw_places places;
    char *policy_text; /* the names, cut apart */
    char policy_name[MAX_POLICIES][NAME_ROOM];
    char machine_name[NAME_ROOM];
    size_t policy_count;
    struct byw_config config[MAX_POLICIES];
    struct byw_names workloads;
    char (*path)[BYW_PATH_ROOM]; /* of each workload's trace */
    struct byw_job *job;
    json_t **result;
    size_t job_count;
};

static enum byw_status parse(int argc, char **argv, struct request *r, struct byw_diag *diag)
{
    const struct byw_option options[] = {
        {"machine", 'm', "M", "name or .cfg file (default: fermi)", .text = &r->machine},
        {"policies", 'p', "A,B,C",
         "names or .cfg files; the first one is the reference\n"
         "(default: bl,ball,decoupled,decoupled_duel)",
         .text = &r->policies},
        {"workloads", 'w', "X,Y", "names, sets (@cnf, @cf, @ci ...) or all (default)",
         .text = &r->workloads},
        {"jobs", 'j', "N", "runs at a time (default: one per processor)", .number = &r->jobs,
         .lowest = 1, .highest = 256},
        {"json", 'o', "F", "write every result as JSON; - is stdout, without the table",
         .text = &r->json},
        {"html", 0, "F", "write a self-contained page with charts; - likewise", .text = &r->html},
        {"set", 's', "KEY=VALUE", "change one key in every run; may be repeated",
         .list = &r->settings},
        {"all-tables", 'a', NULL, "print the cached hit rate and the energy, too",
         .flag = &r->all_tables},
        {"help", 'h', NULL, "this text", .flag = &r->help},
    };
    const size_t count = sizeof(options) / sizeof(options[0]);
    enum byw_status st = byw_args_parse(options, count, argc, argv, NULL, 0, NULL, diag);

    if (st == BYW_OK && r->help) {
        puts("usage: byway compare [--machine M] [--policies A,B,C] [--workloads X,Y] [options]\n");
        byw_args_help(stdout, options, count);
    }
    return st;
}

/* Cuts the list of policies apart and builds the configuration of each. */
static enum byw_status read_policies(struct work *w, const struct request *r, struct byw_diag *diag)
{
    char *rest;
    char *item;

    w->policy_text = strdup(r->policies);
    if (w->policy_text == NULL)
        return byw_diag_set(diag, BYW_ENOMEM, "no memory for the policies");
    rest = w->policy_text;
    while ((item = strsep(&rest, ",")) != NULL) {
        size_t p = w->policy_count;
        enum byw_status st;

        if (*item == '\0')
            continue;
        if (p == MAX_POLICIES)
            return byw_diag_set(diag, BYW_EINVAL, "--policies: expected at most %d of them",
                                MAX_POLICIES);
        st = byw_setup_config(&w->places, r->machine, item, r->settings.text, r->settings.count,
                              &w->config[p], diag);
        if (st != BYW_OK)
            return st;
        byw_setup_name(item, w->policy_name[p], NAME_ROOM);
        w->policy_count++;
    }
    if (w->policy_count == 0)
        return byw_diag_set(diag, BYW_EINVAL, "--policies '%s' names none; expected A,B,C",
                            r->policies);
    return BYW_OK;
}

static enum byw_status make_jobs(struct work *w, struct byw_diag *diag)
{
    size_t n = w->workloads.count;

    w->job_count = n * w->policy_count;
    w->path = calloc(n, sizeof(*w->path));
    w->job = calloc(w->job_count, sizeof(*w->job));
    w->result = calloc(w->job_count, sizeof(*w->result));
    if (w->path == NULL || w->job == NULL || w->result == NULL)
        return byw_diag_set(diag, BYW_ENOMEM, "no memory for %zu runs", w->job_count);
    for (size_t i = 0; i < n; i++) {
        enum byw_status st = byw_places_trace(&w->places, w->workloads.name[i],
                                              w->config[0].sm_lanes, w->path[i], diag);

        if (st != BYW_OK)
            return st;
        for (size_t p = 0; p < w->policy_count; p++)
            w->job[i * w->policy_count + p] = (struct byw_job){.workload = w->workloads.name[i],
                                                               .trace = w->path[i],
                                                               .machine = w->machine_name,
                                                               .policy = w->policy_name[p],
                                                               .config = &w->config[p]};
    }
    return BYW_OK;
}

static enum byw_status output(const struct work *w, const struct request *r,
                              struct byw_outputs *out, struct byw_diag *diag)
{
    struct byw_compare *compare = NULL;
    enum byw_status st =
        byw_compare_create(w->result, w->workloads.count, w->policy_count, &compare, diag);

    if (st == BYW_OK && out->table != NULL) {
        byw_table_compare(byw_file_stream(out->table), compare, r->all_tables);
        st = byw_file_commit(byw_cli_take(&out->table), diag);
    }
    if (st == BYW_OK && out->json != NULL) {
        json_t *json = byw_compare_json(compare);

        st = byw_json_write(json, byw_cli_take(&out->json), diag);
        json_decref(json);
    }
    if (st == BYW_OK && out->html != NULL) {
        st = byw_report_write(compare, byw_cli_take(&out->html), diag);
        if (st == BYW_OK && strcmp(r->html, "-") != 0)
            fprintf(stderr, "charts: %s\n", r->html);
    }
    byw_compare_free(compare);
    return st;
}

static enum byw_status compare_all(struct work *w, const struct request *r, struct byw_diag *diag)
{
    struct byw_bar bar;
    struct byw_outputs out;
    struct byw_job_options how = {
        .progress = byw_bar_draw, .progress_ctx = &bar, .stop = byw_cli_stop_flag()};
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    unsigned workers = r->jobs != 0 ? (unsigned)r->jobs : processors > 0 ? (unsigned)processors : 1;
    enum byw_status st = byw_places_find(&w->places, diag);

    if (st == BYW_OK)
        st = read_policies(w, r, diag);
    if (st == BYW_OK)
        st = byw_workloads_select(&w->places, r->workloads, &w->workloads, diag);
    byw_setup_name(r->machine, w->machine_name, NAME_ROOM);
    if (st == BYW_OK)
        st = make_jobs(w, diag);
    if (st == BYW_OK)
        st = byw_cli_outputs(r->json, r->html, &out, diag);
    if (st != BYW_OK)
        return st;
    byw_bar_begin(&bar);
    st = byw_jobs_run(w->job, w->job_count, workers, &how, w->result, diag);
    byw_bar_end(&bar);
    if (st == BYW_OK)
        st = output(w, r, &out, diag);
    byw_cli_discard(&out);
    return st;
}

static void release(struct work *w)
{
    for (size_t i = 0; w->result != NULL && i < w->job_count; i++)
        json_decref(w->result[i]);
    byw_names_free(&w->workloads);
    free(w->policy_text);
    free(w->path);
    free(w->job);
    free(w->result);
    free(w);
}

int byw_cmd_compare(int argc, char **argv)
{
    struct request r = {
        .machine = "fermi", .policies = "bl,ball,decoupled,decoupled_duel", .workloads = "all"};
    struct byw_diag diag = {""};
    struct work *w;
    enum byw_status st = parse(argc, argv, &r, &diag);

    if (st != BYW_OK)
        return byw_cli_fail(st, &diag);
    if (r.help)
        return BYW_EXIT_OK;
    w = calloc(1, sizeof(*w));
    if (w == NULL)
        return byw_cli_fail(BYW_ENOMEM, &diag);
    st = compare_all(w, &r, &diag);
    release(w);
    return st == BYW_OK ? BYW_EXIT_OK : byw_cli_fail(st, &diag);
}
