/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_reproduce_more.c - what claims and figures need in addition to runs of the sweep: reuse in
 * traces and in streams of runs. Each is an object whose members are metrics.
 */
#include <stdlib.h>
#include <string.h>

#include "study/job/byw_reuse_stats.h"
#include "study/job/byw_workload.h"
#include "study/papers/byw_originals.h"
#include "study/papers/byw_reproduce_more.h"
#include "study/store/byw_kept.h"
#include "trace/stats/byw_trace_info.h"

/* --- reuse in traces -------------------------------------------------------------------------- */

static enum byw_status reuse_of(const char *path, json_t **json, struct byw_diag *diag)
{
    const struct byw_sm_stream_options streams = {BYW_STREAM_SMS, BYW_STREAM_CTAS};
    struct byw_trace_info info;
    enum byw_status st = byw_trace_info_read(path, &streams, &info, diag);

    if (st != BYW_OK)
        return st;
    *json = byw_reuse_stats_json(&info.reuse);
    if (*json != NULL)
        json_object_set_new(*json, "thread_instructions",
                            json_integer((json_int_t)info.total.thread_instructions));
    byw_trace_info_release(&info);
    return *json != NULL ? BYW_OK : byw_no_memory(diag, "the figures");
}

static enum byw_status write_reuse(const char *path, const json_t *json, struct byw_diag *diag)
{
    struct byw_file *file = NULL;
    enum byw_status st = byw_file_create(path, &file, diag);

    return st == BYW_OK ? byw_json_write(json, file, diag) : st;
}

/* If the trace is a part of a run of one of the papers' own programs, the instructions are those of
 * the whole run. */
static void set_whole(json_t *json, const char *sum)
{
    uint64_t whole = byw_originals_whole(byw_original(0), byw_original_count(), sum);

    if (whole != 0)
        json_object_set_new(json, "thread_instructions", json_integer((json_int_t)whole));
}

static enum byw_status stopped(const struct byw_reproduce_more *more, struct byw_diag *diag)
{
    if (more->how->stop == NULL || *more->how->stop == 0)
        return BYW_OK;
    return byw_diag_set(diag, BYW_ESTUCK,
                        "interrupted; the finished runs are kept in %s; run the same command "
                        "again to resume",
                        byw_store_path(more->store));
}

/* Reads or makes the reuse of a trace, which DIR has as reuse-SUM.json. */
static enum byw_status trace_reuse(struct byw_reproduce *r, const struct byw_reproduce_more *more,
                                   const char *workload, struct byw_diag *diag)
{
    struct byw_reproduce_trace trace;
    char kept[BYW_PATH_ROOM + BYW_TRACE_SUM_ROOM];
    json_t *json = NULL;
    enum byw_status st = byw_reproduce_trace(r, workload, 32, &trace, diag);

    if (st != BYW_OK)
        return st;
    snprintf(kept, sizeof(kept), "%s/reuse-%s.json", byw_store_path(more->store), trace.sum);
    json = json_load_file(kept, 0, NULL);
    if (json == NULL) {
        st = stopped(more, diag);
        if (st == BYW_OK)
            st = reuse_of(trace.path, &json, diag);
        if (st == BYW_OK)
            st = write_reuse(kept, json, diag);
    }
    if (st == BYW_OK) {
        set_whole(json, trace.sum);
        byw_reproduce_put(r, "trace", workload, json_incref(json));
    }
    json_decref(json);
    return st;
}

/* --- reuse in the streams of runs ------------------------------------------------------------- */

static enum byw_status stream_reuse(struct byw_reproduce *r, const struct byw_reproduce_more *more,
                                    const char *variant, const char *workload,
                                    struct byw_diag *diag)
{
    char text[BYW_VARIANT_ROOM];
    const char *name[2];
    struct byw_config config;
    struct byw_reproduce_trace trace;
    struct byw_job job = {.workload = workload, .config = &config};
    struct byw_job_options how = *more->how;
    byw_kept_id id;
    json_t *result = NULL;
    char *keys = NULL;
    enum byw_status st;

    snprintf(text, sizeof(text), "%s", variant + strcspn(variant, " ") + 1);
    st = byw_variant_read(r, text, name, &config, diag);
    if (st == BYW_OK)
        st = byw_setup_check(&config, name[0], name[1], diag);
    if (st == BYW_OK)
        st = byw_reproduce_trace(r, workload, config.sm_lanes, &trace, diag);
    if (st != BYW_OK)
        return st;
    job.machine = name[0];
    job.policy = name[1];
    job.trace = trace.path;
    job.trace_sum = trace.sum;
    how.reuse = true;
    keys = byw_kept_config(&config);
    if (keys == NULL || !byw_kept_name(&job, keys, "reuse 2\n", id))
        st = byw_no_memory(diag, "the figures");
    else
        st = byw_kept_run(more->store, &job, (const byw_kept_id *)&id, 1, 1, &how, &result, diag);
    if (st == BYW_OK && result != NULL && byw_result_refused(result) == NULL)
        byw_reproduce_put(r, variant, workload, json_incref(json_object_get(result, "reuse")));
    json_decref(result);
    free(keys);
    return st;
}

/* --- all of it -------------------------------------------------------------------------------- */

static bool has(const struct byw_reproduce *r, const char *variant, const char *name)
{
    return json_object_get(json_object_get(r->made, variant), name) != NULL;
}

/* Collects a source's result for each workload.  After a stop, stored results are still read. */
static enum byw_status make_list(struct byw_reproduce *r, const struct byw_reproduce_more *more,
                                 const struct byw_variant *v, struct byw_diag *diag)
{
    struct byw_names names;
    enum byw_status st = byw_workloads_select(r->places, v->workloads, &names, diag);
    bool stuck = false;

    for (size_t i = 0; st == BYW_OK && i < names.count; i++) {
        if (has(r, v->text, names.name[i]))
            continue;
        if (more->say != NULL)
            more->say(i, names.count, v->text);
        st = strcmp(v->text, "trace") == 0 ? trace_reuse(r, more, names.name[i], diag)
                                           : stream_reuse(r, more, v->text, names.name[i], diag);
        if (st == BYW_ESTUCK) {
            stuck = true;
            st = BYW_OK;
        }
    }
    byw_names_free(&names);
    return st == BYW_OK && stuck ? stopped(more, diag) : st;
}

static bool is_mpache(const char *variant)
{
    return strncmp(variant, "mpache", strcspn(variant, " ")) == 0;
}

static bool takes_no_run(const char *variant)
{
    return strcmp(variant, "costs") == 0 || strcmp(variant, "trace") == 0;
}

enum byw_status byw_reproduce_make(struct byw_reproduce *reproduce,
                                   const struct byw_reproduce_more *more, struct byw_diag *diag)
{
    enum byw_status st = BYW_OK;
    bool stuck = false;

    for (size_t i = 0; st == BYW_OK && i < reproduce->others.count; i++) {
        const struct byw_variant *v = &reproduce->others.item[i];

        if (more->soon && !takes_no_run(v->text))
            continue;
        if (strcmp(v->text, "costs") == 0)
            byw_reproduce_put(reproduce, "costs", "ALL", byw_more_costs());
        else if (is_mpache(v->text))
            st = byw_more_mpache(reproduce, more, v->text, diag);
        else
            st = make_list(reproduce, more, v, diag);
        if (st == BYW_ESTUCK) {
            stuck = true;
            st = BYW_OK;
        }
    }
    if (st == BYW_OK && stuck)
        st = stopped(more, diag);
    reproduce->cut = reproduce->cut || stuck;
    return st;
}

/* --- the traces that are needed ------------------------------------------------------------------
 */

static enum byw_status list_add(struct byw_names *names, const char *name, struct byw_diag *diag)
{
    return byw_names_have(names, name) || byw_names_add(names, name, strlen(name))
               ? BYW_OK
               : byw_no_memory(diag, "the workloads");
}

/* Lists the workloads of a source that is not a run of the plan; their traces have warps of 32. */
static enum byw_status list_other(const struct byw_reproduce *r, const struct byw_variant *v,
                                  struct byw_names *names, struct byw_diag *diag)
{
    struct byw_names more;
    const char *name;
    enum byw_status st = BYW_OK;

    if (strcmp(v->text, "costs") == 0)
        return BYW_OK;
    if (is_mpache(v->text)) {
        for (size_t i = 0; st == BYW_OK && (name = byw_more_mpache_workload(i)) != NULL; i++)
            st = list_add(names, name, diag);
        return st;
    }
    st = byw_workloads_select(r->places, v->workloads, &more, diag);
    for (size_t i = 0; st == BYW_OK && i < more.count; i++)
        st = list_add(names, more.name[i], diag);
    byw_names_free(&more);
    return st;
}

enum byw_status byw_reproduce_workloads(const struct byw_reproduce *reproduce, uint32_t lanes,
                                        struct byw_names *names, struct byw_diag *diag)
{
    size_t count = reproduce->plan != NULL ? byw_plan_count(reproduce->plan) : 0;
    enum byw_status st = BYW_OK;

    *names = (struct byw_names){.count = 0};
    for (size_t i = 0; st == BYW_OK && i < count; i++) {
        const struct byw_job *job = &byw_plan_point(reproduce->plan, i)->job;

        if (job->config->sm_lanes == lanes)
            st = list_add(names, job->workload, diag);
    }
    for (size_t i = 0; st == BYW_OK && lanes == 32 && i < reproduce->others.count; i++)
        st = list_other(reproduce, &reproduce->others.item[i], names, diag);
    if (st != BYW_OK)
        byw_names_free(names);
    return st;
}
