/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_sweep_time.c - byw_sweep_estimate(): how long the missing runs of a sweep take.
 */
#include <stdlib.h>
#include <string.h>

#include "common/byw_array.h"
#include "policy/byw_mech_chain.h"
#include "study/job/byw_search.h"
#include "study/sweep/byw_sweep.h"
#include "trace/file/byw_trace.h"

enum { PROBE_INSTRUCTIONS = 100000, PROBES = 5 };

/* Known properties of a trace. */
struct load {
    const char *sum;
    double instructions; /* instructions of one run; 0: not yet known */
    double ran, seconds; /* instructions and time of the results in the store */
};

struct table {
    struct load *load;
    size_t count, room;
    double ran, seconds; /* totals of all rows */
};

/* The row of a trace, created if missing; NULL: out of memory. */
static struct load *row_of(struct table *t, const char *sum)
{
    for (size_t i = 0; i < t->count; i++)
        if (strcmp(t->load[i].sum, sum) == 0)
            return &t->load[i];
    if (!BYW_ARRAY_ROOM(t->load, t->room, t->count + 1))
        return NULL;
    t->load[t->count] = (struct load){.sum = sum};
    return &t->load[t->count++];
}

static enum byw_status count_trace(const char *path, double *instructions)
{
    struct byw_trace *trace = NULL;
    const struct byw_kernel *kernel;
    struct byw_cta cta;
    enum byw_status st = byw_trace_open(path, &trace, NULL);

    if (st != BYW_OK)
        return st;
    byw_cta_init(&cta);
    *instructions = 0.0;
    while ((st = byw_trace_next_kernel(trace, &kernel, NULL)) == BYW_OK) {
        while ((st = byw_trace_next_cta(trace, &cta, NULL)) == BYW_OK)
            for (uint32_t i = 0; i < cta.inst_count; i++)
                *instructions += cta.inst[i].count;
        if (st != BYW_END)
            break;
    }
    byw_cta_release(&cta);
    byw_trace_close(trace);
    return st == BYW_END ? BYW_OK : st;
}

/* How many runs the policy needs for one point (byw_job_run()). */
static double runs_of(const struct byw_point *point)
{
    uint32_t values[BYW_SEARCH_VALUES];
    size_t count = 1;

    if (byw_search_wanted(point->job.config) &&
        byw_search_list(point->job.config, values, &count, NULL) != BYW_OK)
        count = 1;
    return (double)count + (byw_mech_chain_profiles(point->job.config) ? 1.0 : 0.0);
}

static enum byw_status learn(const struct byw_plan *plan, const struct byw_store *store,
                             struct table *t, struct byw_diag *diag)
{
    for (size_t i = 0; i < byw_plan_count(plan); i++) {
        const struct byw_point *point = byw_plan_point(plan, i);
        struct load *load = row_of(t, point->job.trace_sum);
        json_t *result = NULL;
        double ran;

        if (load == NULL)
            return byw_no_memory(diag, "the estimate");
        if (!byw_store_has(store, point->id) ||
            byw_store_get(store, point->id, &result, NULL) != BYW_OK)
            continue;
        ran = byw_result_number(result, "warp_instructions");
        if (byw_result_refused(result) == NULL && ran > 0.0 && runs_of(point) < 1.5) {
            load->instructions = ran;
            load->ran += ran;
            load->seconds += byw_result_number(result, "sim.seconds");
        }
        json_decref(result);
    }
    for (size_t i = 0; i < t->count; i++) {
        t->ran += t->load[i].ran;
        t->seconds += t->load[i].seconds;
    }
    return BYW_OK;
}

/* The simulation speed, measured on the first cycles of a few missing runs. */
static void probe(const struct byw_plan *plan, const struct byw_store *store, struct table *t)
{
    size_t count = byw_plan_count(plan);

    for (size_t k = 0; k < PROBES; k++) {
        const struct byw_point *point = byw_plan_point(plan, (2 * k + 1) * count / (2 * PROBES));
        const struct byw_job_options how = {.max_instructions = PROBE_INSTRUCTIONS};
        json_t *result = NULL;

        if (point->refused != NULL || runs_of(point) > 1.5 || byw_store_has(store, point->id) ||
            byw_job_run(&point->job, &how, &result, NULL) != BYW_OK)
            continue;
        t->ran += byw_result_number(result, "warp_instructions");
        t->seconds += byw_result_number(result, "sim.seconds");
        json_decref(result);
    }
}

static bool is_missing(const struct byw_point *point, const struct byw_store *store)
{
    return point->refused == NULL && !byw_store_has(store, point->id);
}

static bool is_complete(const struct byw_plan *plan, const struct byw_store *store)
{
    for (size_t i = 0; i < byw_plan_count(plan); i++)
        if (is_missing(byw_plan_point(plan, i), store))
            return false;
    return true;
}

enum byw_status byw_sweep_estimate(const struct byw_plan *plan, const struct byw_store *store,
                                   struct byw_sweep_state *state, double *seconds,
                                   struct byw_diag *diag)
{
    struct table t = {.count = 0};
    bool complete = is_complete(plan, store); /* then results need not be read */
    enum byw_status st = complete ? BYW_OK : learn(plan, store, &t, diag);

    state->seconds = 0.0;
    state->instructions = 0.0;
    if (st == BYW_OK && !complete && t.ran <= 0.0)
        probe(plan, store, &t);
    for (size_t i = 0; st == BYW_OK && i < byw_plan_count(plan); i++) {
        const struct byw_point *point = byw_plan_point(plan, i);
        struct load *load = row_of(&t, point->job.trace_sum);
        double pace, took;

        if (seconds != NULL)
            seconds[i] = 0.0;
        if (!is_missing(point, store))
            continue;
        if (load->instructions <= 0.0 &&
            count_trace(point->job.trace, &load->instructions) != BYW_OK)
            load->instructions = 1.0; /* a damaged trace: its runs will fail soon */
        state->instructions += load->instructions;
        pace = load->ran > 0.0 ? load->seconds / load->ran : t.ran > 0.0 ? t.seconds / t.ran : 0.0;
        took = runs_of(point) * load->instructions * pace;
        state->seconds += took;
        if (seconds != NULL)
            seconds[i] = took;
    }
    free(t.load);
    return st;
}
