/* SPDX-License-Identifier: Apache-2.0 */
#include "study/compare/byw_grid.h"

#include <stdlib.h>
#include <string.h>

#include "study/job/byw_named.h"
#include "study/job/byw_repeat.h"

enum { MAX_MACHINES = 16, MAX_POLICIES = 16, MAX_TRACES = 1024 };

struct byw_grid {
    struct byw_named machine, policy, workload;
    bool *shipped; /* per workload: whether it is a shipped one */
    char (*path)[BYW_PATH_ROOM]; /* path of the trace, [machine * workloads + workload] */
    struct byw_config *config; /* [machine * policies + policy] */
    struct byw_diag *why; /* reason of a refusal, indexed as config; empty: not refused */
    struct byw_job *job; /* [(machine * workloads + workload) * policies + policy] */
    json_t **result; /* indexed as job */
};

enum byw_status byw_grid_create(struct byw_grid **grid, struct byw_diag *diag)
{
    struct byw_grid *g = calloc(1, sizeof(*g));

    if (g == NULL)
        return byw_no_memory(diag, "the comparison");
    g->machine = (struct byw_named){.noun = "machine", .most = MAX_MACHINES};
    g->policy = (struct byw_named){.noun = "policy", .most = MAX_POLICIES};
    g->workload = (struct byw_named){.noun = "trace", .most = MAX_TRACES};
    g->shipped = calloc(MAX_TRACES, sizeof(*g->shipped));
    if (g->shipped == NULL) {
        free(g);
        return byw_no_memory(diag, "the comparison");
    }
    *grid = g;
    return BYW_OK;
}

enum byw_status byw_grid_add_machine(struct byw_grid *grid, const char *given,
                                     struct byw_diag *diag)
{
    size_t place;

    return byw_named_add(&grid->machine, given, &place, NULL, diag);
}

enum byw_status byw_grid_add_policy(struct byw_grid *grid, const char *given, struct byw_diag *diag)
{
    size_t place;

    return byw_named_add(&grid->policy, given, &place, NULL, diag);
}

enum byw_status byw_grid_add_shipped(struct byw_grid *grid, const char *name, struct byw_diag *diag)
{
    size_t place;
    bool added;
    enum byw_status st = byw_named_add(&grid->workload, name, &place, &added, diag);

    if (st == BYW_OK && added)
        grid->shipped[place] = true;
    return st;
}

enum byw_status byw_grid_add_trace(struct byw_grid *grid, const char *path, struct byw_diag *diag)
{
    size_t place;

    return byw_named_add(&grid->workload, path, &place, NULL, diag);
}

/* --- configurations and runs -------------------------------------------------------------- */

static enum byw_status allocate(struct byw_grid *g, struct byw_diag *diag)
{
    size_t pairs = g->machine.count * g->policy.count;
    size_t runs = pairs * g->workload.count;

    g->path = calloc(g->machine.count * g->workload.count, sizeof(*g->path));
    g->config = calloc(pairs, sizeof(*g->config));
    g->why = calloc(pairs, sizeof(*g->why));
    g->job = calloc(runs, sizeof(*g->job));
    g->result = calloc(runs, sizeof(*g->result));
    return g->path != NULL && g->config != NULL && g->why != NULL && g->job != NULL &&
                   g->result != NULL
               ? BYW_OK
               : byw_no_memory(diag, "the comparison");
}

static enum byw_status find_traces(struct byw_grid *g, const struct byw_places *places,
                                   struct byw_diag *diag)
{
    size_t n = g->workload.count;
    enum byw_status st = BYW_OK;

    for (size_t i = 0; st == BYW_OK && i < g->machine.count * n; i++) {
        const struct byw_config *config = &g->config[i / n * g->policy.count];
        const char *given = g->workload.given[i % n];

        if (g->shipped[i % n])
            st = byw_places_trace(places, given, config->sm_lanes, g->path[i], diag);
        else
            snprintf(g->path[i], BYW_PATH_ROOM, "%s", given);
    }
    return st;
}

enum byw_status byw_grid_prepare(struct byw_grid *grid, const struct byw_places *places,
                                 const char *const *settings, size_t setting_count,
                                 struct byw_diag *diag)
{
    struct byw_grid *g = grid;
    size_t policies = g->policy.count, refused = 0;
    enum byw_status st = allocate(g, diag);

    for (size_t i = 0; st == BYW_OK && i < g->machine.count * policies; i++) {
        size_t m = i / policies, p = i % policies;

        st = byw_setup_read(places, g->machine.given[m], g->policy.given[p], settings,
                            setting_count, &g->config[i], diag);
        if (st == BYW_OK && byw_setup_check(&g->config[i], g->machine.name[m], g->policy.name[p],
                                            &g->why[i]) != BYW_OK)
            refused++;
    }
    if (st == BYW_OK && refused == g->machine.count * policies)
        return byw_diag_set(diag, BYW_EINVAL, "%s", g->why[0].text);
    return st == BYW_OK ? find_traces(g, places, diag) : st;
}

static struct byw_job job_of(const struct byw_grid *g, size_t run)
{
    size_t p = run % g->policy.count, rest = run / g->policy.count;
    size_t w = rest % g->workload.count, m = rest / g->workload.count;

    return (struct byw_job){.workload = g->workload.name[w],
                            .trace = g->path[m * g->workload.count + w],
                            .machine = g->machine.name[m],
                            .policy = g->policy.name[p],
                            .config = &g->config[m * g->policy.count + p]};
}

static size_t runs_of(const struct byw_grid *g)
{
    return g->machine.count * g->workload.count * g->policy.count;
}

/* Moves the results of the accepted runs, which are at the front, to their places, and fills all
 * others with a refusal. */
static bool spread(struct byw_grid *g, const size_t *place, size_t accepted)
{
    while (accepted > 0) {
        json_t *result = g->result[--accepted];

        g->result[accepted] = NULL;
        g->result[place[accepted]] = result;
    }
    for (size_t i = 0; i < runs_of(g); i++) {
        const struct byw_job job = job_of(g, i);
        const struct byw_run_names names = {
            .workload = job.workload, .machine = job.machine, .policy = job.policy};

        if (g->result[i] == NULL)
            g->result[i] =
                byw_result_refusal(&names, job.config, g->why[job.config - g->config].text);
        if (g->result[i] == NULL)
            return false;
    }
    return true;
}

enum byw_status byw_grid_run(struct byw_grid *grid, unsigned workers,
                             const struct byw_job_options *options, struct byw_diag *diag)
{
    struct byw_grid *g = grid;
    size_t *place = calloc(runs_of(g), sizeof(*place));
    size_t accepted = 0, runs;
    enum byw_status st;

    if (place == NULL)
        return byw_no_memory(diag, "the comparison");
    for (size_t i = 0; i < runs_of(g); i++) {
        g->job[accepted] = job_of(g, i);
        place[accepted] = i;
        accepted += g->why[g->job[accepted].config - g->config].text[0] == '\0';
    }
    st = byw_jobs_repeat(g->job, accepted, workers, options, g->result, diag);
    if (st == BYW_OK && !spread(g, place, accepted))
        st = byw_no_memory(diag, "the comparison");
    free(place);
    if (st == BYW_OK && byw_grid_gaps(g, &runs) == runs)
        st = byw_diag_set(diag, BYW_EINVAL, "%s", byw_result_refused(g->result[0]));
    return st;
}

/* --- results ------------------------------------------------------------------------------ */

size_t byw_grid_machines(const struct byw_grid *grid)
{
    return grid->machine.count;
}

enum byw_status byw_grid_compare(const struct byw_grid *grid, size_t machine,
                                 struct byw_compare **compare, struct byw_diag *diag)
{
    size_t runs = grid->workload.count * grid->policy.count;

    return byw_compare_create(grid->result + machine * runs, grid->workload.count,
                              grid->policy.count, compare, diag);
}

size_t byw_grid_gaps(const struct byw_grid *grid, size_t *runs)
{
    size_t gaps = 0;

    *runs = runs_of(grid);
    for (size_t i = 0; i < *runs; i++)
        gaps += byw_result_refused(grid->result[i]) != NULL;
    return gaps;
}

void byw_grid_free(struct byw_grid *grid)
{
    if (grid == NULL)
        return;
    for (size_t i = 0; grid->result != NULL && i < runs_of(grid); i++)
        json_decref(grid->result[i]);
    byw_named_release(&grid->machine);
    byw_named_release(&grid->policy);
    byw_named_release(&grid->workload);
    free(grid->shipped);
    free(grid->path);
    free(grid->config);
    free(grid->why);
    free(grid->job);
    free(grid->result);
    free(grid);
}
