/* SPDX-License-Identifier: Apache-2.0 */
#include "study/job/byw_job.h"

#include <stdlib.h>
#include <sys/resource.h>

#include "policy/byw_mech_chain.h"
#include "study/job/byw_load_stats.h"
#include "study/job/byw_oracle.h"
#include "study/job/byw_provenance.h"
#include "study/job/byw_reuse_stats.h"
#include "study/job/byw_search.h"
#include "study/job/byw_stall_json.h"
#include "study/job/byw_timeline.h"
#include "trace/file/byw_trace_ahead.h"
#include "trace/file/byw_trace_kept.h"
#include "trace/stats/byw_launch_counts.h"

struct bridge {
    const struct byw_job_options *options;
};

static double user_seconds(void)
{
    struct rusage usage;

    if (getrusage(RUSAGE_SELF, &usage) != 0)
        return 0.0;
    return (double)usage.ru_utime.tv_sec + (double)usage.ru_utime.tv_usec * 1e-6;
}

static double peak_mb(void)
{
    struct rusage usage;

    return getrusage(RUSAGE_SELF, &usage) == 0 ? (double)usage.ru_maxrss / 1024.0 : 0.0;
}

static void pass_on(void *ctx, uint64_t cycles, uint64_t warp_instructions, uint32_t launches)
{
    const struct bridge *bridge = ctx;
    struct byw_job_progress progress = {
        .count = 1, .cycles = cycles, .warp_instructions = warp_instructions};

    (void)launches;
    bridge->options->progress(bridge->options->progress_ctx, &progress);
}

/* --- the records of the L1Ds ------------------------------------------------------------------ */

static void free_recorders(struct byw_recorder *recorders, uint32_t count)
{
    for (uint32_t i = 0; recorders != NULL && i < count; i++)
        byw_recorder_release(&recorders[i]);
    free(recorders);
}

static enum byw_status make_recorders(const struct byw_config *config,
                                      struct byw_recorder **recorders, struct byw_diag *diag)
{
    bool good;

    *recorders = calloc(config->sm_count, sizeof(**recorders));
    good = *recorders != NULL;
    for (uint32_t i = 0; good && i < config->sm_count; i++)
        good = byw_recorder_init(&(*recorders)[i], config) == BYW_OK;
    if (good)
        return BYW_OK;
    free_recorders(*recorders, config->sm_count);
    *recorders = NULL;
    return byw_diag_set(diag, BYW_ENOMEM, "out of memory for the records of %u SMs",
                        config->sm_count);
}

/* The members derived from the records. */
static enum byw_status add_records(const struct byw_job *job, const struct byw_job_options *options,
                                   const struct byw_gpu_options *gpu,
                                   const struct byw_gpu_result *counters, json_t *result,
                                   struct byw_diag *diag)
{
    json_t *oracle = NULL, *reuse = NULL;
    enum byw_status st = BYW_OK;

    if (options->oracle)
        st = byw_oracle_json(job->config, gpu->recorders, gpu->advice != NULL, &oracle, diag);
    if (oracle != NULL)
        json_object_set_new(result, "oracle", oracle);
    if (st == BYW_OK && options->loads &&
        byw_load_stats_add(result, job->config, counters, gpu->recorders, gpu->ledger) != BYW_OK)
        st = byw_diag_set(diag, BYW_ENOMEM, "%s: out of memory for the accesses of its loads",
                          job->trace);
    if (st == BYW_OK && options->reuse &&
        byw_reuse_stats_run(gpu->recorders, job->config->sm_count, &reuse) != BYW_OK)
        st = byw_diag_set(diag, BYW_ENOMEM, "%s: out of memory for its reuse", job->trace);
    if (reuse != NULL)
        json_object_set_new(result, "reuse", reuse);
    return st;
}

static enum byw_status add_timeline(const struct byw_timeline *timeline, json_t *result,
                                    struct byw_diag *diag)
{
    json_t *json = timeline != NULL ? byw_timeline_json(timeline) : NULL;

    if (timeline == NULL || json_object_set_new(result, "timeline", json) == 0)
        return BYW_OK;
    return byw_no_memory(diag, "the timeline");
}

static enum byw_status add_stalls(const struct byw_job *job, const struct byw_job_options *options,
                                  const struct byw_stall_book *book, json_t *result,
                                  struct byw_diag *diag)
{
    bool good = true;

    if (options->stalls)
        good = json_object_set_new(result, "stalls", byw_stall_json(book)) == 0;
    if (options->stall_sums)
        good = good && json_object_set_new(result, "stall_sums", byw_stall_sums_json(book)) == 0;
    if (good)
        return BYW_OK;
    return byw_diag_set(diag, BYW_ENOMEM, "%s: out of memory for the counts of stalls", job->trace);
}

/* The launch's instructions, by class. */
static enum byw_status add_counts(const struct byw_job *job, json_t *result, struct byw_diag *diag)
{
    struct byw_launch_counts counts;
    json_t *json = json_object();
    enum byw_status st = byw_launch_counts_read(job->trace, job->only->first, &counts, diag);

    json_object_set_new(json, "warp_instructions",
                        json_integer((json_int_t)counts.warp_instructions));
    json_object_set_new(json, "thread_instructions",
                        json_integer((json_int_t)counts.thread_instructions));
    for (unsigned c = 0; c < BYW_CLASS_COUNT; c++)
        json_object_set_new(json, byw_class_name((enum byw_class)c),
                            json_pack("{s:I, s:I}", "instructions",
                                      (json_int_t)counts.instructions[c], "sectors",
                                      (json_int_t)counts.sectors[c]));
    if (json_object_set_new(result, "counts", json) != 0 && st == BYW_OK)
        st = byw_diag_set(diag, BYW_ENOMEM, "%s: out of memory for its counts", job->trace);
    return st;
}

/* One run; profile: for mechanisms that need one, otherwise NULL. */
static enum byw_status run_once(const struct byw_job *job, const struct byw_job_options *options,
                                struct byw_profile *profile, json_t **result, struct byw_diag *diag)
{
    struct bridge bridge = {options};
    struct byw_gpu_options gpu = {
        .progress = options->progress != NULL ? pass_on : NULL,
        .progress_ctx = &bridge,
        .max_cycles = options->max_cycles,
        .max_instructions = options->max_instructions,
        .threads = options->threads,
        .launches = job->only != NULL ? job->only : options->launches,
        .launch_ranges = job->only != NULL ? 1 : options->launch_ranges,
        .kernels = job->only != NULL ? NULL : options->kernels,
        .advice = job->advice != NULL ? job->advice : options->advice,
        .l1d = options->l1d,
        .waves = options->waves,
        .profile = profile,
        .stop = options->stop,
    };
    struct byw_gpu_result *counters = NULL;
    struct byw_trace *trace = NULL;
    struct byw_timeline *timeline = NULL;
    struct byw_run_names names = {.workload = job->workload,
                                  .machine = job->machine,
                                  .policy = job->policy,
                                  .advice = options->advice_name,
                                  .lists = options->lists};
    struct byw_cost cost = {.seconds = -user_seconds()};
    enum byw_status st = byw_trace_open(job->trace, &trace, diag);

    *result = NULL;
    if (st != BYW_OK)
        return st;
    if (options->oracle && (job->config->sm_unified != 0 || job->config->l1d_store_miss != 0)) {
        byw_trace_close(trace);
        return byw_diag_set(diag, BYW_EUNSUPPORTED,
                            "the oracle needs an L1D of fixed size that only loads fill; expected "
                            "sm.unified_kb = 0, with the size in l1d.sets and l1d.ways, "
                            "and l1d.store_miss = through");
    }
    trace = byw_trace_kept(trace, byw_provenance_build());
    byw_trace_use_windows(trace);
    if (job->config->machine_code != 0) /* before byw_trace_ahead() splits CTAs into PTX windows */
        byw_trace_use_machine(trace);
    if (job->config->sample_period == 0) /* decoding ahead would decode skipped launches */
        trace = byw_trace_ahead(trace);
    names.trace_format = byw_trace_format(trace);
    if (options->oracle || options->loads || options->reuse ||
        (options->waves != NULL && byw_waves_is_scope(options->waves)))
        st = make_recorders(job->config, &gpu.recorders, diag);
    if (st == BYW_OK && options->loads) {
        gpu.ledger = byw_mem_ledger_create();
        if (gpu.ledger == NULL)
            st = byw_diag_set(diag, BYW_ENOMEM, "%s: out of memory for its loads", job->trace);
    }
    if (st == BYW_OK && (options->stalls || options->stall_sums)) {
        gpu.stalls = byw_stall_book_create();
        if (gpu.stalls == NULL)
            st = byw_diag_set(diag, BYW_ENOMEM, "%s: out of memory for the counts of stalls",
                              job->trace);
    }
    if (st == BYW_OK && options->timeline != 0 &&
        byw_timeline_create(job->config, options->timeline, &timeline) != BYW_OK)
        st = byw_diag_set(diag, BYW_ENOMEM, "%s: out of memory for the timeline", job->trace);
    if (timeline != NULL)
        gpu.watch = byw_timeline_watch(timeline);
    if (st == BYW_OK)
        st = byw_gpu_run(job->config, trace, &gpu, &counters, diag);
    cost.seconds += user_seconds();
    cost.peak_rss_mb = peak_mb();
    if (st == BYW_OK) {
        *result = byw_result_json(&names, job->config, counters, &cost);
        if (*result == NULL)
            st = byw_diag_set(diag, BYW_ENOMEM, "%s: out of memory for the result", job->trace);
    }
    if (st == BYW_OK)
        st = add_records(job, options, &gpu, counters, *result, diag);
    if (st == BYW_OK && gpu.stalls != NULL)
        st = add_stalls(job, options, gpu.stalls, *result, diag);
    if (st == BYW_OK)
        st = add_timeline(timeline, *result, diag);
    if (st == BYW_OK && job->counts)
        st = add_counts(job, *result, diag);
    if (st != BYW_OK) {
        json_decref(*result);
        *result = NULL;
    }
    free_recorders(gpu.recorders, job->config->sm_count);
    byw_mem_ledger_free(gpu.ledger);
    byw_stall_book_free(gpu.stalls);
    byw_timeline_free(timeline);
    byw_gpu_result_free(counters);
    byw_trace_close(trace);
    return st;
}
/* Runs once to collect the profile and discards the result. */
static enum byw_status make_profile(const struct byw_job *job,
                                    const struct byw_job_options *options,
                                    struct byw_profile **profile, struct byw_diag *diag)
{
    struct byw_job_options plain = *options;
    json_t *result = NULL;
    enum byw_status st;

    plain.oracle = plain.loads = plain.reuse = plain.stalls = plain.stall_sums = false;
    plain.timeline = 0;
    plain.waves = NULL;
    *profile = byw_profile_create();
    if (*profile == NULL)
        return byw_diag_set(diag, BYW_ENOMEM, "%s: out of memory for a profile", job->trace);
    st = run_once(job, &plain, *profile, &result, diag);
    json_decref(result);
    if (st == BYW_OK && byw_profile_finish(*profile) != BYW_OK)
        st = byw_diag_set(diag, BYW_ENOMEM, "%s: out of memory for a profile", job->trace);
    return st;
}

/* Runs with each value of search.key; the best run is the result. */
static enum byw_status search(const struct byw_job *job, const struct byw_job_options *options,
                              struct byw_profile *profile, json_t **result, struct byw_diag *diag)
{
    struct byw_config config = *job->config;
    struct byw_job one = *job;
    uint32_t values[BYW_SEARCH_VALUES], chosen = 0;
    json_t *tried = json_array();
    size_t count;
    double best = -1;
    enum byw_status st = byw_search_list(&config, values, &count, diag);

    one.config = &config;
    for (size_t i = 0; st == BYW_OK && i < count; i++) {
        json_t *now = NULL;
        double ipc;

        st = byw_search_set(&config, values[i], diag);
        if (st == BYW_OK)
            st = run_once(&one, options, profile, &now, diag);
        if (st != BYW_OK)
            break;
        ipc = byw_result_number(now, "ipc");
        json_array_append_new(tried,
                              json_pack("{s:i, s:f, s:f}", "value", (int)values[i], "ipc", ipc,
                                        "hit_rate", byw_result_number(now, "l1d.hit_rate_all")));
        if (ipc > best) {
            best = ipc;
            chosen = values[i];
            json_decref(*result);
            *result = json_incref(now);
        }
        json_decref(now);
        if (options->stop != NULL && *options->stop != 0)
            break;
    }
    if (st == BYW_OK)
        json_object_set_new(*result, "search",
                            json_pack("{s:s, s:i, s:O}", "key", config.search_key, "value",
                                      (int)chosen, "tried", tried));
    json_decref(tried);
    return st;
}

enum byw_status byw_job_run(const struct byw_job *job, const struct byw_job_options *options,
                            json_t **result, struct byw_diag *diag)
{
    struct byw_profile *profile = NULL;
    json_t *provenance =
        options->command != NULL
            ? byw_provenance_json(options->command, options->commit, job->trace, job->trace_sum)
            : NULL;
    enum byw_status st = BYW_OK;

    *result = NULL;
    if (byw_mech_chain_profiles(job->config))
        st = make_profile(job, options, &profile, diag);
    if (st == BYW_OK)
        st = byw_search_wanted(job->config) ? search(job, options, profile, result, diag)
                                            : run_once(job, options, profile, result, diag);
    byw_profile_free(profile);
    if (st == BYW_OK && options->command != NULL)
        json_object_set_new(*result, "provenance", provenance);
    else
        json_decref(provenance);
    if (st != BYW_OK) {
        json_decref(*result);
        *result = NULL;
    }
    return st;
}
