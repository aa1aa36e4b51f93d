/* SPDX-License-Identifier: Apache-2.0 */
#include "study/sweep/byw_plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/byw_array.h"
#include "study/job/byw_named.h"
#include "study/store/byw_kept.h"
#include "study/sweep/byw_plan_state.h"

enum { MAX_POINTS = 1000000 };

enum byw_status byw_plan_create(struct byw_plan **plan, struct byw_diag *diag)
{
    struct byw_plan *p = calloc(1, sizeof(*p));

    if (p == NULL)
        return byw_no_memory(diag, "the list of runs");
    p->machine = (struct byw_named){.noun = "machine", .most = MAX_POINTS};
    p->policy = (struct byw_named){.noun = "policy", .most = MAX_POINTS};
    p->trace = (struct byw_named){.noun = "trace", .most = MAX_POINTS};
    *plan = p;
    return byw_plan_next(p, diag);
}

void byw_plan_free(struct byw_plan *plan)
{
    if (plan == NULL)
        return;
    for (size_t i = 0; i < plan->grids; i++)
        byw_plan_grid_release(&plan->grid[i]);
    free(plan->grid);
    for (size_t i = 0; i < plan->configs; i++) {
        free(plan->config[i]->why);
        free(plan->config[i]);
    }
    free(plan->config);
    for (size_t i = 0; i < plan->sums; i++)
        free(plan->sum[i]);
    free(plan->sum);
    byw_named_release(&plan->machine);
    byw_named_release(&plan->policy);
    byw_named_release(&plan->trace);
    free(plan->point);
    free(plan->member);
    free(plan);
}

void byw_plan_watch(struct byw_plan *plan, void (*listed)(size_t points))
{
    plan->listed = listed;
}

void byw_plan_trace_folder(struct byw_plan *plan, const char *folder)
{
    plan->folder = folder;
}

/* --- configuration of a combination ---------------------------------------------------------- */

/* Adds a configuration: `base`, the values of the machine and policy files, with settings. */
static enum byw_status add_config(struct byw_plan *p, const struct byw_config *base, size_t machine,
                                  size_t policy, const char *const *settings, size_t setting_count,
                                  struct byw_plan_config **added, struct byw_diag *diag)
{
    struct byw_plan_config *c = calloc(1, sizeof(*c));
    struct byw_diag why;
    enum byw_status st;

    if (c == NULL || !BYW_ARRAY_ROOM(p->config, p->config_room, p->configs + 1)) {
        free(c);
        return byw_no_memory(diag, "the list of runs");
    }
    p->config[p->configs++] = c;
    c->machine = machine;
    c->policy = policy;
    c->config = *base;
    st = byw_setup_apply(settings, setting_count, &c->config, diag);
    if (st != BYW_OK)
        return st;
    if (byw_setup_check(&c->config, p->machine.name[machine], p->policy.name[policy], &why) !=
        BYW_OK) {
        c->why = strdup(why.text);
        if (c->why == NULL)
            return byw_no_memory(diag, "the list of runs");
    }
    *added = c;
    return BYW_OK;
}

/* --- points ---------------------------------------------------------------------------------- */

/* The checksum of a trace, computed once per trace. */
static enum byw_status sum_of(struct byw_plan *p, size_t trace, const char **sum,
                              struct byw_diag *diag)
{
    if (trace >= p->sums) {
        if (!BYW_ARRAY_ROOM(p->sum, p->sum_room, trace + 1))
            return byw_no_memory(diag, "the list of runs");
        while (p->sums <= trace)
            p->sum[p->sums++] = NULL;
    }
    if (p->sum[trace] == NULL) {
        char *made = calloc(1, BYW_TRACE_SUM_ROOM);
        enum byw_status st = made == NULL ? byw_no_memory(diag, "the list of runs")
                                          : byw_trace_sum(p->trace.given[trace], made, diag);

        p->sum[trace] = made;
        if (st != BYW_OK)
            return st == BYW_EIO ? BYW_ENOENT : st;
    }
    *sum = p->sum[trace];
    return BYW_OK;
}

/* text: every key and value of the configuration. */
static enum byw_status add_point(struct byw_plan *p, const struct byw_plan_config *config,
                                 const char *text, size_t trace, const char *workload,
                                 struct byw_diag *diag)
{
    struct byw_point *point;
    const char *sum = NULL;
    enum byw_status st = sum_of(p, trace, &sum, diag);

    if (st != BYW_OK)
        return st;
    if (p->points == MAX_POINTS)
        return byw_diag_set(diag, BYW_EINVAL, "the sweep has too many runs; expected at most %d",
                            MAX_POINTS);
    if (!BYW_ARRAY_ROOM(p->point, p->point_room, p->points + 1))
        return byw_no_memory(diag, "the list of runs");
    point = &p->point[p->points++];
    *point =
        (struct byw_point){.job = {.workload = workload != NULL ? workload : p->trace.name[trace],
                                   .trace = p->trace.given[trace],
                                   .trace_sum = sum,
                                   .machine = p->machine.name[config->machine],
                                   .policy = p->policy.name[config->policy],
                                   .config = &config->config},
                           .refused = config->why};
    return byw_kept_name(&point->job, text, "", point->id)
               ? BYW_OK
               : byw_no_memory(diag, "the list of runs");
}

/* Records the points of each grid before duplicates are removed. */
static enum byw_status note_members(struct byw_plan *p, size_t from, struct byw_diag *diag)
{
    if (!BYW_ARRAY_ROOM(p->member, p->member_room, p->members + p->points - from))
        return byw_no_memory(diag, "the list of runs");
    for (size_t i = from; i < p->points; i++) {
        struct byw_plan_member *m = &p->member[p->members++];

        m->grid = p->now;
        m->workload = p->point[i].job.workload;
        memcpy(m->id, p->point[i].id, sizeof(m->id));
    }
    return BYW_OK;
}

const char *byw_plan_id(const struct byw_plan *plan, size_t grid, const char *workload)
{
    for (size_t i = 0; i < plan->members; i++)
        if (plan->member[i].grid == grid && strcmp(plan->member[i].workload, workload) == 0)
            return plan->member[i].id;
    return NULL;
}

const char *byw_plan_nth_id(const struct byw_plan *plan, size_t grid, size_t n)
{
    for (size_t i = 0; i < plan->members; i++)
        if (plan->member[i].grid == grid && n-- == 0)
            return plan->member[i].id;
    return NULL;
}

enum byw_status byw_plan_trace(const char *folder, const struct byw_places *places,
                               const char *workload, uint32_t lanes, char path[BYW_PATH_ROOM],
                               struct byw_diag *diag)
{
    if (folder != NULL &&
        snprintf(path, BYW_PATH_ROOM, "%s/%s%s.bwt", folder, lanes == 64 ? "w64/" : "", workload) <
            BYW_PATH_ROOM &&
        access(path, R_OK) == 0)
        return BYW_OK;
    return byw_places_trace(places, workload, lanes, path, diag);
}

/* Adds a point for every trace of a grid with one configuration. */
static enum byw_status add_points(struct byw_plan *p, const struct byw_places *places,
                                  const struct byw_plan_grid *grid,
                                  const struct byw_plan_config *config, struct byw_diag *diag)
{
    char *text = byw_kept_config(&config->config);
    enum byw_status st = text != NULL ? BYW_OK : byw_no_memory(diag, "the list of runs");
    size_t place;

    for (size_t i = 0; st == BYW_OK && i < grid->workload.count; i++) {
        char path[BYW_PATH_ROOM];

        st = byw_plan_trace(p->folder, places, grid->workload.name[i], config->config.sm_lanes,
                            path, diag);
        if (st == BYW_OK)
            st = byw_named_add(&p->trace, path, &place, NULL, diag);
        if (st == BYW_OK)
            st = add_point(p, config, text, place, grid->workload.name[i], diag);
    }
    for (size_t i = 0; st == BYW_OK && i < grid->path.count; i++) {
        st = byw_named_add(&p->trace, grid->path.name[i], &place, NULL, diag);
        if (st == BYW_OK)
            st = add_point(p, config, text, place, NULL, diag);
    }
    free(text);
    return st;
}

/* --- combinations ---------------------------------------------------------------------------- */

struct combination {
    size_t at[BYW_PLAN_AXES]; /* the value of each key */
    char *setting[BYW_PLAN_AXES]; /* "key=value" */
};

static enum byw_status write_settings(const struct byw_plan_grid *grid, struct combination *c,
                                      struct byw_diag *diag)
{
    for (size_t k = 0; k < grid->keys; k++) {
        char *text = NULL;

        if (asprintf(&text, "%s=%s", grid->key[k].key, grid->key[k].value[c->at[k]]) < 0)
            return byw_no_memory(diag, "the list of runs");
        free(c->setting[k]);
        c->setting[k] = text;
    }
    return BYW_OK;
}

/* The next combination, the last key fastest; false after the last. */
static bool advance(const struct byw_plan_grid *grid, struct combination *c)
{
    for (size_t k = grid->keys; k-- > 0;) {
        if (++c->at[k] < grid->key[k].count)
            return true;
        c->at[k] = 0;
    }
    return false;
}

static enum byw_status add_pair(struct byw_plan *p, const struct byw_places *places,
                                const struct byw_plan_grid *grid, const char *machine,
                                const char *policy, struct byw_diag *diag)
{
    struct combination c = {.at = {0}};
    struct byw_config base;
    size_t m, n;
    enum byw_status st = byw_named_add(&p->machine, machine, &m, NULL, diag);

    byw_config_defaults(&base);
    if (st == BYW_OK)
        st = byw_named_add(&p->policy, policy, &n, NULL, diag);
    if (st == BYW_OK) {
        st = byw_places_read(places, BYW_PARAM_MACHINE, p->machine.given[m], &base, diag);
        st = byw_plan_at_line(&grid->machine, st, diag);
    }
    if (st == BYW_OK) {
        st = byw_places_read(places, BYW_PARAM_POLICY, p->policy.given[n], &base, diag);
        st = byw_plan_at_line(&grid->policy, st, diag);
    }
    do {
        struct byw_plan_config *config = NULL;

        if (st == BYW_OK)
            st = write_settings(grid, &c, diag);
        if (st == BYW_OK)
            st = add_config(p, &base, m, n, (const char *const *)c.setting, grid->keys, &config,
                            diag);
        if (st == BYW_OK)
            st = add_points(p, places, grid, config, diag);
        if (st == BYW_OK && p->listed != NULL)
            p->listed(p->points);
    } while (st == BYW_OK && advance(grid, &c));
    for (size_t k = 0; k < grid->keys; k++)
        free(c.setting[k]);
    return st;
}

static int by_id(const void *a, const void *b)
{
    const struct byw_point *const *x = a, *const *y = b;
    int order = strcmp((*x)->id, (*y)->id);

    return order != 0 ? order : *x < *y ? -1 : 1;
}

/* Removes all but the first of the points with the same id. */
static enum byw_status drop_doubles(struct byw_plan *p, struct byw_diag *diag)
{
    struct byw_point **sorted = calloc(p->points + 1, sizeof(*sorted));
    size_t kept = 0;

    if (sorted == NULL)
        return byw_no_memory(diag, "the list of runs");
    for (size_t i = 0; i < p->points; i++)
        sorted[i] = &p->point[i];
    qsort(sorted, p->points, sizeof(struct byw_point *), by_id);
    for (size_t i = 1; i < p->points; i++)
        if (strcmp(sorted[i]->id, sorted[i - 1]->id) == 0) {
            sorted[i]->job.trace = NULL; /* by_id() sorts duplicates after the first one */
        }
    for (size_t i = 0; i < p->points; i++)
        if (p->point[i].job.trace != NULL)
            p->point[kept++] = p->point[i];
    p->points = kept;
    free(sorted);
    return BYW_OK;
}

enum byw_status byw_plan_prepare(struct byw_plan *plan, const struct byw_places *places,
                                 struct byw_diag *diag)
{
    enum byw_status st = BYW_OK;

    for (size_t i = 0; st == BYW_OK && i < plan->grids; i++) {
        struct byw_plan_grid *grid = &plan->grid[i];
        size_t from = plan->points;

        plan->now = i;
        st = byw_plan_grid_complete(grid, places, diag);
        for (size_t m = 0; st == BYW_OK && m < grid->machine.count; m++)
            for (size_t n = 0; st == BYW_OK && n < grid->policy.count; n++)
                st = add_pair(plan, places, grid, grid->machine.value[m], grid->policy.value[n],
                              diag);
        if (st == BYW_OK)
            st = note_members(plan, from, diag);
    }
    return st == BYW_OK ? drop_doubles(plan, diag) : st;
}

size_t byw_plan_count(const struct byw_plan *plan)
{
    return plan->points;
}

const struct byw_point *byw_plan_point(const struct byw_plan *plan, size_t i)
{
    return &plan->point[i];
}
