/* SPDX-License-Identifier: Apache-2.0
 *
 * t_figures - a dozen shipped traces under their policies on four machines give exactly the figures
 * in verif/sim/figures.tsv; a change that moves results shows as changed lines in review. `make
 * figures` (BYWAY_FIGURES=write) rewrites that file.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <unistd.h>

#include "study/job/byw_job.h"
#include "study/job/byw_setup.h"

#define FILE_NAME "verif/sim/figures.tsv"

enum { MOST = 12, LINE = 400 };

/* Each machine's policies and workloads; NULL ends a list. */
static const struct {
    const char *machine, *policy[MOST], *workload[MOST];
} plan[] = {
    {"fermi", {"bl", "decoupled", "decoupled_duel"}, {"backprop", "hotspot", "spmv"}},
    {"fermi_linear",
     {"bl", "ball", "decoupled", "decoupled_duel", "pc"},
     {"backprop", "btree", "fwpool", "hotspot", "pathfinder", "spmv"}},
    {"pascal_gpgpusim",
     {"bl", "ball", "two_level", "threshold", "stall", "pc"},
     {"bfs", "gaussian", "jacobi1d"}},
    {"gcn_ml",
     {"mi_uncached", "mi_cacher", "mi_cacherw", "mi_cacherw_ab", "mi_cacherw_cr",
      "mi_cacherw_pcby"},
     {"bwpool", "fwpool", "fwsoft"}},
    {"h200", {"bl", "ball"}, {"btree", "fwpool", "heartwall", "hotspot", "kmeans", "spmv"}},
};

/* Columns: heading, and member of the result. */
static const char *const column[][2] = {
    {"cycles", "cycles"},           {"warp_instructions", "warp_instructions"},
    {"loads", "l1d.loads"},         {"hits", "l1d.hits"},
    {"pending", "l1d.hit_pending"}, {"misses", "l1d.misses"},
    {"bypasses", "l1d.bypasses"},   {"stalls", "l1d.stall_cycles"},
    {"l2_reads", "l2.reads"},       {"dram_reads", "dram.reads"},
    {"dram_writes", "dram.writes"},
};

enum { PLANS = sizeof(plan) / sizeof(plan[0]), COLUMNS = sizeof(column) / sizeof(column[0]) };
enum { JOBS = PLANS * MOST * MOST };

struct table {
    struct byw_job job[JOBS];
    struct byw_config config[JOBS];
    char trace[JOBS][BYW_PATH_ROOM];
    json_t *result[JOBS];
    size_t jobs;
};

static enum byw_status add(struct table *t, const struct byw_places *places, const char *machine,
                           const char *policy, const char *workload, struct byw_diag *diag)
{
    size_t n = t->jobs++;
    enum byw_status status =
        byw_setup_config(places, machine, policy, NULL, 0, &t->config[n], diag);

    t->job[n] = (struct byw_job){.workload = workload,
                                 .trace = t->trace[n],
                                 .machine = machine,
                                 .policy = policy,
                                 .config = &t->config[n]};
    if (status != BYW_OK)
        return status;
    return byw_places_trace(places, workload, t->config[n].sm_lanes, t->trace[n], diag);
}

static enum byw_status run_all(struct table *t, struct byw_diag *diag)
{
    const struct byw_job_options options = {.progress = NULL};
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    struct byw_places places;
    enum byw_status status = byw_places_find(&places, diag);

    for (size_t i = 0; i < PLANS; i++)
        for (size_t w = 0; plan[i].workload[w] != NULL; w++)
            for (size_t p = 0; plan[i].policy[p] != NULL && status == BYW_OK; p++)
                status =
                    add(t, &places, plan[i].machine, plan[i].policy[p], plan[i].workload[w], diag);
    if (status != BYW_OK)
        return status;
    return byw_jobs_run(t->job, t->jobs, cores < 1 ? 1 : (unsigned)cores, &options, t->result,
                        diag);
}

static void print_heading(FILE *out)
{
    fputs("# Figures of shipped traces, compared exactly by verif/sim/t_figures.c; written by "
          "`make figures`.\nmachine\tpolicy\tworkload",
          out);
    for (size_t c = 0; c < COLUMNS; c++)
        fprintf(out, "\t%s", column[c][0]);
    fputc('\n', out);
}

static void row_text(const struct table *t, size_t n, char text[LINE])
{
    const struct byw_job *job = &t->job[n];
    size_t at =
        (size_t)snprintf(text, LINE, "%s\t%s\t%s", job->machine, job->policy, job->workload);

    for (size_t c = 0; c < COLUMNS; c++)
        at += (size_t)snprintf(text + at, LINE - at, "\t%.0f",
                               byw_result_number(t->result[n], column[c][1]));
}

static int write_figures(const struct table *t)
{
    FILE *out = fopen(FILE_NAME, "w");
    char row[LINE];

    if (out == NULL) {
        perror(FILE_NAME);
        return 1;
    }
    print_heading(out);
    for (size_t n = 0; n < t->jobs; n++) {
        row_text(t, n, row);
        fprintf(out, "%s\n", row);
    }
    return fclose(out) != 0;
}

/* One check per line of the file, in the order of the plan. */
static int compare_figures(const struct table *t)
{
    FILE *in = fopen(FILE_NAME, "r");
    char row[LINE], want[LINE];
    int bad = 0;

    if (in == NULL) {
        perror(FILE_NAME);
        return 1;
    }
    for (int i = 0; i < 2; i++) /* the heading */
        if (fgets(want, sizeof(want), in) == NULL)
            want[0] = '\0';
    for (size_t n = 0; n < t->jobs; n++) {
        bool same;

        row_text(t, n, row);
        if (fgets(want, sizeof(want), in) == NULL)
            want[0] = '\0';
        want[strcspn(want, "\n")] = '\0';
        same = strcmp(want, row) == 0;
        printf("%s %zu - %s %s %s\n", same ? "ok" : "not ok", n + 1, t->job[n].machine,
               t->job[n].policy, t->job[n].workload);
        if (!same)
            printf("# was %s\n# is  %s\n", want, row);
        bad += !same;
    }
    fclose(in);
    if (bad != 0)
        printf("# if the change is meant to move results: make figures\n");
    return bad != 0;
}

int main(void)
{
    static struct table table;
    const char *mode = getenv("BYWAY_FIGURES");
    struct byw_diag diag;
    int status;

    if (run_all(&table, &diag) != BYW_OK) {
        printf("not ok 1 - %s\n", diag.text);
        return 1;
    }
    status = mode != NULL && strcmp(mode, "write") == 0 ? write_figures(&table)
                                                        : compare_figures(&table);
    for (size_t n = 0; n < table.jobs; n++)
        json_decref(table.result[n]);
    return status;
}
