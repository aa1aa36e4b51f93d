/* SPDX-License-Identifier: Apache-2.0 */
#include "study/store/byw_kept.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "study/job/byw_provenance.h"

/* --- ids ------------------------------------------------------------------------------------- */

char *byw_kept_config(const struct byw_config *config)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    for (size_t i = 0; out != NULL && i < byw_param_count(); i++) {
        char value[BYW_CONFIG_TEXT];

        byw_config_text(config, i, value, sizeof(value));
        fprintf(out, "%s=%s\n", byw_param(i)->key, value);
    }
    if (out == NULL || fclose(out) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

bool byw_kept_name(const struct byw_job *job, const char *config, const char *more, byw_kept_id id)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    bool good;

    if (out == NULL)
        return false;
    fprintf(out, "%s\n%s\n%s\n%s\n%s\n%s%s", byw_provenance_build(), job->workload, job->machine,
            job->policy, job->trace_sum, config, more);
    good = fclose(out) == 0;
    if (good)
        byw_text_sum(text, size, id);
    free(text);
    return good;
}

/* --- runs ------------------------------------------------------------------------------------ */

/* A pass over the missing runs. */
struct pass {
    struct byw_store *store;
    const byw_kept_id *id;
    const size_t *at; /* index of each job in the caller's list */
    json_t **results;
};

static bool wants(void *ctx, size_t job)
{
    const struct pass *pass = ctx;
    const char *id = pass->id[pass->at[job]];

    if (!byw_store_claim(pass->store, id))
        return false;
    if (!byw_store_has(pass->store, id))
        return true;
    byw_store_release(pass->store, id); /* another process has stored the result meanwhile */
    return false;
}

static enum byw_status take(void *ctx, size_t job, enum byw_status how, json_t *result,
                            const struct byw_diag *why, struct byw_diag *diag)
{
    const struct pass *pass = ctx;
    size_t i = pass->at[job];
    enum byw_status st;

    if (how == BYW_OK) {
        st = byw_store_put(pass->store, pass->id[i], result, diag);
        if (st == BYW_OK)
            pass->results[i] = json_incref(result);
    } else {
        st = byw_diag_set(diag, how, "%s", why->text);
    }
    byw_store_release(pass->store, pass->id[i]);
    return st;
}

/* Loads the stored results. *count: the number of missing ones, listed in job and at. */
static enum byw_status list_missing(struct pass *pass, const struct byw_job *jobs, size_t all,
                                    struct byw_job *job, size_t *at, size_t *count,
                                    struct byw_diag *diag)
{
    enum byw_status st = BYW_OK;

    *count = 0;
    for (size_t i = 0; st == BYW_OK && i < all; i++) {
        if (pass->results[i] != NULL)
            continue;
        st = byw_store_find(pass->store, pass->id[i], &pass->results[i], diag);
        if (st == BYW_OK && pass->results[i] == NULL) {
            job[*count] = jobs[i];
            at[(*count)++] = i;
        }
    }
    return st;
}

static enum byw_status run_passes(struct pass *pass, const struct byw_job *jobs, size_t all,
                                  unsigned workers, struct byw_job_options how, struct byw_job *job,
                                  size_t *at, struct byw_diag *diag)
{
    const struct timespec nap = {.tv_nsec = 200000000};
    struct byw_job_sink sink = {.ctx = pass, .wants = wants, .take = take};
    size_t count;
    enum byw_status st = list_missing(pass, jobs, all, job, at, &count, diag);

    how.sink = &sink;
    pass->at = at;
    while (st == BYW_OK && count > 0) {
        size_t left;

        st = byw_jobs_run(job, count, workers, &how, NULL, diag);
        if (st == BYW_OK)
            st = list_missing(pass, jobs, all, job, at, &left, diag);
        if (st == BYW_OK && left == count)
            nanosleep(&nap, NULL); /* other processes run all the missing ones */
        count = left;
    }
    return st;
}

enum byw_status byw_kept_run(struct byw_store *store, const struct byw_job *jobs,
                             const byw_kept_id *id, size_t count, unsigned workers,
                             const struct byw_job_options *how, json_t **results,
                             struct byw_diag *diag)
{
    struct pass pass = {.store = store, .id = id, .results = results};
    struct byw_job *job;
    size_t *at;
    enum byw_status st;

    if (store == NULL)
        return byw_jobs_run(jobs, count, workers, how, results, diag);
    memset(results, 0, count * sizeof(*results));
    job = calloc(count + 1, sizeof(*job));
    at = calloc(count + 1, sizeof(*at));
    st = job != NULL && at != NULL ? run_passes(&pass, jobs, count, workers, *how, job, at, diag)
                                   : byw_no_memory(diag, "the runs");
    for (size_t i = 0; st != BYW_OK && i < count && !(how->keeps_stopped && *how->stop != 0); i++) {
        json_decref(results[i]);
        results[i] = NULL;
    }
    free(job);
    free(at);
    return st;
}
