/* SPDX-License-Identifier: Apache-2.0 */
#include "study/job/byw_repeat.h"

#include <math.h>
#include <stdlib.h>

/* --- statistics --------------------------------------------------------------------------- */

/* 97.5 % points of Student's t for 1, 2, ... degrees of freedom (Abramowitz and Stegun, table
 * 26.10); from 30 on that of the normal distribution, which is 4 % less at most. */
static double student(size_t freedom)
{
    static const double t[] = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306,
                               2.262,  2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120,
                               2.110,  2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064,
                               2.060,  2.056, 2.052, 2.048, 2.045};
    const size_t count = sizeof(t) / sizeof(t[0]);

    return freedom <= count ? t[freedom - 1] : 1.96;
}

struct byw_spread byw_spread_given(double mean, double sd, size_t count)
{
    struct byw_spread s = {.count = count, .mean = mean};

    if (count > 1) {
        s.sd = sd;
        s.half = student(count - 1) * sd / sqrt((double)count);
    }
    return s;
}

struct byw_spread byw_spread_of(const double *value, size_t count)
{
    struct byw_spread s = {.count = count};
    double squares = 0.0;

    for (size_t i = 0; i < count; i++)
        s.mean += value[i] / (double)count;
    for (size_t i = 0; i < count; i++)
        squares += (value[i] - s.mean) * (value[i] - s.mean);
    return byw_spread_given(s.mean, count > 1 ? sqrt(squares / (double)(count - 1)) : 0.0, count);
}

bool byw_spread_undecided(struct byw_spread spread, double reference)
{
    return spread.sd > 0.0 && fabs(spread.mean - reference) <= 2.0 * spread.sd;
}

/* --- results ------------------------------------------------------------------------------ */

static const json_t *others(const json_t *result)
{
    return json_object_get(json_object_get(result, "repeat"), "others");
}

size_t byw_repeat_count(const json_t *result)
{
    return 1 + json_array_size(others(result));
}

const json_t *byw_repeat_run(const json_t *result, size_t k)
{
    return k == 0 ? result : json_array_get(others(result), k - 1);
}

struct byw_spread byw_repeat_spread(const json_t *result, const char *path)
{
    double value[BYW_REPEAT_MOST];
    size_t count = byw_repeat_count(result);

    if (count > BYW_REPEAT_MOST)
        count = BYW_REPEAT_MOST;
    for (size_t k = 0; k < count; k++)
        value[k] = byw_result_number(byw_repeat_run(result, k), path);
    return byw_spread_of(value, count);
}

static json_t *spread_json(const json_t *result, const char *path)
{
    struct byw_spread s = byw_repeat_spread(result, path);

    return json_pack("{s:f, s:f, s:f, s:f}", "mean", s.mean, "sd", s.sd, "low", s.mean - s.half,
                     "high", s.mean + s.half);
}

/* Removes everything except the sums from a repeated run's result. */
static void strip(json_t *run)
{
    static const char *const lists[] = {"schema", "config",   "per_sm", "per_kernel", "loads",
                                        "sim",    "timeline", "reuse",  "provenance", "oracle"};

    for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
        json_object_del(run, lists[i]);
}

/* --- running ------------------------------------------------------------------------------ */

struct group {
    json_t *first, *others; /* the result of run 0; the results of the other runs, by number */
    size_t open; /* runs without an outcome yet */
    enum byw_status how; /* status of the first run that failed */
    struct byw_diag why;
    json_t *refused; /* record of a run that was refused */
};

struct repeat {
    const struct byw_job *job; /* the jobs that the caller gave */
    const struct byw_job_options *options;
    size_t count;
    uint32_t runs; /* number of runs of each job */
    struct group *group;
    struct byw_job *all; /* count * runs */
    struct byw_config *config;
    json_t **results;
};

static bool wants(void *ctx, size_t job)
{
    const struct repeat *r = ctx;
    const struct byw_job_sink *sink = r->options->sink;

    return sink == NULL || sink->wants(sink->ctx, job / r->runs);
}

static bool finish(const struct repeat *r, size_t index, struct group *g)
{
    uint32_t seed = r->job[index].config->noise_seed;
    json_t *member = json_object(), *seeds = json_array();

    for (uint32_t k = 0; k < r->runs; k++)
        json_array_append_new(seeds, json_integer(seed + k + 1));
    json_object_set_new(member, "runs", json_integer(r->runs));
    json_object_set_new(member, "seeds", seeds);
    json_object_set_new(g->first, "repeat", member);
    json_object_set(member, "others", g->others);
    json_object_set_new(member, "cycles", spread_json(g->first, "cycles"));
    return json_object_set_new(member, "ipc", spread_json(g->first, "ipc")) == 0;
}

/* Passes on the outcome of a job. */
static enum byw_status deliver(struct repeat *r, size_t index, struct byw_diag *diag)
{
    const struct byw_job_sink *sink = r->options->sink;
    struct group *g = &r->group[index];
    json_t *result = g->refused != NULL ? g->refused : g->first;

    if (g->how == BYW_OK && g->refused == NULL && !finish(r, index, g))
        return byw_diag_set(diag, BYW_ENOMEM, "out of memory for the result of repeated runs");
    if (sink != NULL)
        return sink->take(sink->ctx, index, g->how, g->how == BYW_OK ? result : NULL, &g->why,
                          diag);
    if (g->how != BYW_OK)
        return byw_diag_set(diag, g->how, "%s", g->why.text);
    r->results[index] = json_incref(result);
    return BYW_OK;
}

static enum byw_status take(void *ctx, size_t job, enum byw_status how, json_t *result,
                            const struct byw_diag *why, struct byw_diag *diag)
{
    struct repeat *r = ctx;
    struct group *g = &r->group[job / r->runs];
    size_t k = job % r->runs;

    if (how != BYW_OK && g->how == BYW_OK) {
        g->how = how;
        g->why = *why;
    } else if (how == BYW_OK && byw_result_refused(result) != NULL) {
        if (g->refused == NULL)
            g->refused = json_incref(result);
    } else if (how == BYW_OK && k == 0) {
        g->first = json_incref(result);
    } else if (how == BYW_OK) {
        strip(result);
        json_array_set(g->others, k - 1, result);
    }
    return --g->open == 0 ? deliver(r, job / r->runs, diag) : BYW_OK;
}

static bool set_up(struct repeat *r)
{
    size_t total = r->count * r->runs;

    r->group = calloc(r->count + 1, sizeof(*r->group));
    r->all = calloc(total + 1, sizeof(*r->all));
    r->config = calloc(total + 1, sizeof(*r->config));
    if (r->group == NULL || r->all == NULL || r->config == NULL)
        return false;
    for (size_t i = 0; i < r->count; i++) {
        r->group[i].open = r->runs;
        r->group[i].others = json_array();
        for (uint32_t k = 1; k < r->runs; k++)
            json_array_append_new(r->group[i].others, json_null());
    }
    for (size_t i = 0; i < total; i++) {
        r->all[i] = r->job[i / r->runs];
        r->config[i] = *r->all[i].config;
        r->config[i].noise_seed += (uint32_t)(i % r->runs) + 1;
        r->all[i].config = &r->config[i];
    }
    return true;
}

static void release(struct repeat *r)
{
    for (size_t i = 0; r->group != NULL && i < r->count; i++) {
        json_decref(r->group[i].first);
        json_decref(r->group[i].others);
        json_decref(r->group[i].refused);
    }
    free(r->group);
    free(r->all);
    free(r->config);
}

enum byw_status byw_jobs_repeat(const struct byw_job *jobs, size_t count, unsigned workers,
                                const struct byw_job_options *options, json_t **results,
                                struct byw_diag *diag)
{
    struct repeat r = {.job = jobs,
                       .options = options,
                       .count = count,
                       .runs = options->repeat,
                       .results = results};
    struct byw_job_sink sink = {.ctx = &r, .wants = wants, .take = take};
    struct byw_job_options all = *options;
    enum byw_status st = BYW_ENOMEM;

    if (options->repeat <= 1)
        return byw_jobs_run(jobs, count, workers, options, results, diag);
    for (size_t i = 0; results != NULL && i < count; i++)
        results[i] = NULL;
    all.sink = &sink;
    all.expected *= options->repeat;
    if (set_up(&r))
        st = byw_jobs_run(r.all, count * r.runs, workers, &all, NULL, diag);
    else
        byw_diag_set(diag, BYW_ENOMEM, "out of memory for %zu jobs of %u runs", count, r.runs);
    for (size_t i = 0; st != BYW_OK && results != NULL && i < count; i++) {
        json_decref(results[i]);
        results[i] = NULL;
    }
    release(&r);
    return st;
}
