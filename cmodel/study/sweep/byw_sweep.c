/* SPDX-License-Identifier: Apache-2.0 */
#include "study/sweep/byw_sweep.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "study/job/byw_provenance.h"

/* One pass over the missing runs. */
struct pass {
    const struct byw_plan *plan;
    struct byw_store *store;
    const size_t *order; /* order of the points; NULL: the plan's */
    const size_t *point; /* point of each job */
    bool *failed; /* per point: whether its run failed */
    struct byw_sweep_state *state;
    const struct byw_sweep_part *part; /* the part to run; NULL: the whole sweep */
    size_t most, started; /* limit and number of points started, of the task's own part or of other
                             parts */
};

/* --- stored results -------------------------------------------------------------------------- */

static enum byw_status look_at(const struct byw_plan *plan, struct byw_store *store, size_t i,
                               struct byw_sweep_state *state, struct byw_diag *diag)
{
    const struct byw_point *point = byw_plan_point(plan, i);
    json_t *result;
    enum byw_status st = byw_store_find(store, point->id, &result, diag);

    if (st != BYW_OK || result == NULL)
        return st;
    state->there++;
    state->refused += byw_result_refused(result) != NULL;
    json_decref(result);
    return BYW_OK;
}

enum byw_status byw_sweep_look(const struct byw_plan *plan, struct byw_store *store,
                               struct byw_sweep_state *state, struct byw_diag *diag)
{
    enum byw_status st = BYW_OK;

    *state = (struct byw_sweep_state){.points = byw_plan_count(plan)};
    for (size_t i = 0; st == BYW_OK && i < state->points; i++)
        st = look_at(plan, store, i, state, diag);
    return st;
}

/* --- runs ------------------------------------------------------------------------------------ */

/* The file that says why a point failed; false: the path is too long. */
static bool failure_path(const struct pass *pass, const char *id, char path[BYW_PATH_ROOM])
{
    return snprintf(path, BYW_PATH_ROOM, "%s/%s", pass->part->failures, id) < BYW_PATH_ROOM;
}

static bool has_failed(const struct pass *pass, const char *id)
{
    char path[BYW_PATH_ROOM];

    return pass->part != NULL && failure_path(pass, id, path) && access(path, F_OK) == 0;
}

static enum byw_status note_failure(const struct pass *pass, const char *id, const char *sentence,
                                    struct byw_diag *diag)
{
    char path[BYW_PATH_ROOM];
    struct byw_file *file = NULL;
    enum byw_status st = BYW_OK;

    if (pass->part == NULL || !failure_path(pass, id, path))
        return BYW_OK;
    st = byw_file_create(path, &file, diag);
    if (st != BYW_OK)
        return st;
    fprintf(byw_file_stream(file), "%s\n", sentence);
    return byw_file_commit(file, diag);
}

static bool wants(void *ctx, size_t job)
{
    struct pass *pass = ctx;
    const char *id = byw_plan_point(pass->plan, pass->point[job])->id;

    if (pass->started == pass->most || !byw_store_claim(pass->store, id))
        return false;
    if (!byw_store_has(pass->store, id) && !has_failed(pass, id)) {
        pass->started++;
        return true;
    }
    byw_store_release(pass->store, id); /* another process has stored the result meanwhile */
    return false;
}

static enum byw_status take(void *ctx, size_t job, enum byw_status how, json_t *result,
                            const struct byw_diag *why, struct byw_diag *diag)
{
    struct pass *pass = ctx;
    size_t i = pass->point[job];
    const char *id = byw_plan_point(pass->plan, i)->id;
    enum byw_status st = BYW_OK;

    if (how == BYW_OK) {
        st = byw_store_put(pass->store, id, result, diag);
    } else {
        if (pass->state->failed++ == 0)
            pass->state->failure = *why;
        pass->failed[i] = true;
        st = note_failure(pass, id, why->text, diag);
    }
    byw_store_release(pass->store, id);
    return st;
}

/* Stores a result that says that the machine or the policy refuses the point. */
enum byw_status byw_sweep_put_refusal(const struct byw_point *point, struct byw_store *store,
                                      const struct byw_job_options *how, struct byw_diag *diag)
{
    const struct byw_run_names names = {.workload = point->job.workload,
                                        .machine = point->job.machine,
                                        .policy = point->job.policy};
    json_t *result = point->refused != NULL
                         ? byw_result_refusal(&names, point->job.config, point->refused)
                         : NULL;
    enum byw_status st;

    if (point->refused == NULL)
        return BYW_OK;
    if (result == NULL)
        return byw_no_memory(diag, "the sweep");
    if (how->command != NULL)
        json_object_set_new(
            result, "provenance",
            byw_provenance_json(how->command, how->commit, point->job.trace, point->job.trace_sum));
    st = byw_store_put(store, point->id, result, diag);
    json_decref(result);
    return st;
}

/* Lists the missing runs, and stores results that need no run. */
static enum byw_status list_missing(struct pass *pass, const struct byw_job_options *how,
                                    struct byw_job *job, size_t *point, size_t *count,
                                    struct byw_diag *diag)
{
    enum byw_status st = BYW_OK;

    *count = 0;
    for (size_t k = 0; st == BYW_OK && k < byw_plan_count(pass->plan); k++) {
        size_t i = pass->order != NULL ? pass->order[k] : k;
        const struct byw_point *p = byw_plan_point(pass->plan, i);

        if (pass->failed[i] || byw_store_has(pass->store, p->id))
            continue;
        if (p->refused != NULL) {
            st = byw_sweep_put_refusal(p, pass->store, how, diag);
            continue;
        }
        job[*count] = p->job;
        point[(*count)++] = i;
    }
    return st;
}

static bool stopped(const struct byw_job_options *how)
{
    return how->stop != NULL && *how->stop != 0;
}

static enum byw_status run_passes(struct pass *pass, unsigned workers, struct byw_job_options how,
                                  struct byw_job *job, size_t *point, struct byw_diag *diag)
{
    const struct timespec nap = {.tv_nsec = 200000000};
    struct byw_job_sink sink = {.ctx = pass, .wants = wants, .take = take};
    size_t count;
    enum byw_status st = list_missing(pass, &how, job, point, &count, diag);

    how.sink = &sink;
    pass->point = point;
    while (st == BYW_OK && count > 0) {
        size_t left;

        st = byw_jobs_run(job, count, workers, &how, NULL, diag);
        if (st == BYW_OK)
            st = list_missing(pass, &how, job, point, &left, diag);
        if (st == BYW_OK && stopped(&how))
            st = byw_diag_set(diag, BYW_ESTUCK, "interrupted");
        if (st == BYW_OK && left == count)
            nanosleep(&nap, NULL); /* other processes are working on all of them */
        count = left;
    }
    return st;
}

/* --- a part ---------------------------------------------------------------------------------- */

static int by_id(const void *a, const void *b)
{
    const struct byw_point *const *x = a, *const *y = b;

    return strcmp((*x)->id, (*y)->id);
}

/* Jobs of the part's ids in [from, to), in that order. */
static enum byw_status list_part(const struct pass *pass, struct byw_point *const *sorted,
                                 size_t from, size_t to, struct byw_job *job, size_t *point,
                                 struct byw_diag *diag)
{
    for (size_t i = from; i < to; i++) {
        struct byw_point key, *wanted = &key, *const * found;

        snprintf(key.id, sizeof(key.id), "%s", pass->part->id->name[i]);
        found = bsearch(&wanted, sorted, byw_plan_count(pass->plan), sizeof(wanted), by_id);
        if (found == NULL)
            return byw_diag_set(diag, BYW_EINVAL,
                                "run %s does not belong to this sweep; expected the traces and "
                                "settings with which it was submitted",
                                key.id);
        job[i - from] = (*found)->job;
        point[i - from] = (size_t)(*found - byw_plan_point(pass->plan, 0));
    }
    return BYW_OK;
}

static enum byw_status run_part(struct pass *pass, unsigned workers, struct byw_job_options how,
                                struct byw_job *job, size_t *point, struct byw_diag *diag)
{
    const struct byw_sweep_part *part = pass->part;
    struct byw_job_sink sink = {.ctx = pass, .wants = wants, .take = take};
    size_t points = byw_plan_count(pass->plan);
    struct byw_point **sorted = calloc(points + 1, sizeof(*sorted));
    enum byw_status st = sorted == NULL ? byw_no_memory(diag, "the sweep") : BYW_OK;

    for (size_t i = 0; st == BYW_OK && i < points; i++)
        sorted[i] = (struct byw_point *)byw_plan_point(pass->plan, i);
    if (st == BYW_OK)
        qsort(sorted, points, sizeof(struct byw_point *), by_id);
    how.sink = &sink;
    pass->point = point;
    pass->most = part->own;
    for (int helping = 0; st == BYW_OK && helping < 2; helping++) {
        size_t from = helping ? part->own : 0, to = helping ? part->id->count : part->own;

        pass->started = 0;
        st = list_part(pass, sorted, from, to, job, point, diag);
        if (st == BYW_OK && to > from)
            st = byw_jobs_run(job, to - from, workers, &how, NULL, diag);
    }
    free(sorted);
    return st;
}

static enum byw_status sweep(const struct byw_plan *plan, struct byw_store *store,
                             const struct byw_sweep_part *part, const size_t *order,
                             unsigned workers, const struct byw_job_options *how,
                             struct byw_sweep_state *state, struct byw_diag *diag)
{
    size_t count = byw_plan_count(plan);
    struct byw_job *job = calloc(count + 1, sizeof(*job));
    size_t *point = calloc(count + 1, sizeof(*point));
    struct pass pass = {.plan = plan,
                        .store = store,
                        .failed = calloc(count + 1, sizeof(*pass.failed)),
                        .state = state,
                        .part = part,
                        .order = order,
                        .most = SIZE_MAX};
    struct byw_sweep_state after;
    enum byw_status st = BYW_OK;

    if (job == NULL || point == NULL || pass.failed == NULL)
        st = byw_no_memory(diag, "the sweep");
    else if (part != NULL)
        st = run_part(&pass, workers, *how, job, point, diag);
    else
        st = run_passes(&pass, workers, *how, job, point, diag);
    if (part != NULL) {
        /* counted by the task to which it was assigned */
    } else if (byw_sweep_look(plan, store, &after, st == BYW_OK ? diag : NULL) == BYW_OK) {
        state->there = after.there;
        state->refused = after.refused;
    } else if (st == BYW_OK) {
        st = BYW_EIO;
    }
    free(job);
    free(point);
    free(pass.failed);
    return st;
}

enum byw_status byw_sweep_run_part(const struct byw_plan *plan, struct byw_store *store,
                                   const struct byw_sweep_part *part, unsigned workers,
                                   const struct byw_job_options *how, struct byw_sweep_state *state,
                                   struct byw_diag *diag)
{
    return sweep(plan, store, part, NULL, workers, how, state, diag);
}

enum byw_status byw_sweep_run(const struct byw_plan *plan, struct byw_store *store,
                              const size_t *order, unsigned workers,
                              const struct byw_job_options *how, struct byw_sweep_state *state,
                              struct byw_diag *diag)
{
    return sweep(plan, store, NULL, order, workers, how, state, diag);
}
