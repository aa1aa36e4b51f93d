/* SPDX-License-Identifier: Apache-2.0 */
#include "study/tune/byw_tune.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/byw_array.h"
#include "study/job/byw_workload.h"
#include "study/tune/byw_tune_state.h"

/* --- workloads ------------------------------------------------------------------------------- */

static bool has_load(const struct byw_tune *t, const char *name)
{
    for (size_t i = 0; i < t->loads; i++)
        if (strcmp(t->load[i].name, name) == 0)
            return true;
    return false;
}

static enum byw_status add_loads(struct byw_tune *t, struct byw_names *names, bool own, bool held,
                                 struct byw_diag *diag)
{
    if (!BYW_ARRAY_ROOM(t->load, t->load_room, t->loads + names->count))
        return byw_no_memory(diag, "the search");
    for (size_t i = 0; i < names->count; i++) {
        if (has_load(t, names->name[i]))
            continue;
        t->load[t->loads] = (struct byw_tune_load){
            .name = strdup(names->name[i]), .own = own, .held = held, .ipc = {NAN, NAN}};
        if (t->load[t->loads++].name == NULL)
            return byw_no_memory(diag, "the search");
    }
    return BYW_OK;
}

static enum byw_status select_loads(struct byw_tune *t, const char *selection, bool held,
                                    struct byw_diag *diag)
{
    struct byw_names names = {.count = 0};
    enum byw_status st = byw_workloads_select(t->places, selection, &names, diag);

    if (st == BYW_OK)
        st = add_loads(t, &names, false, held, diag);
    byw_names_free(&names);
    return st;
}

static void shuffle(struct byw_tune *t, size_t count)
{
    for (size_t i = count; i > 1; i--) {
        size_t j = byw_halving_random(&t->random) % i;
        struct byw_tune_load other = t->load[i - 1];

        t->load[i - 1] = t->load[j];
        t->load[j] = other;
    }
}

static enum byw_status find_loads(struct byw_tune *t, struct byw_diag *diag)
{
    const struct byw_tune_options *o = &t->options;
    enum byw_status st = BYW_OK;

    if (o->workloads != NULL)
        st = select_loads(t, o->workloads, false, diag);
    for (size_t i = 0; st == BYW_OK && i < o->trace_count; i++) {
        struct byw_names paths = {.count = 0};

        st = byw_traces_at(o->traces[i], &paths, diag);
        if (st == BYW_OK)
            st = add_loads(t, &paths, true, false, diag);
        byw_names_free(&paths);
    }
    if (st == BYW_OK && t->loads == 0)
        st = byw_diag_set(diag, BYW_EINVAL,
                          "no workload or trace to tune with; expected --workloads or --trace");
    if (st != BYW_OK)
        return st;
    shuffle(t, t->loads);
    t->tuning = t->loads;
    if (o->held != NULL)
        return select_loads(t, o->held, true, diag); /* skips those selected for tuning */
    t->tuning -= t->loads / 3;
    for (size_t i = t->tuning; i < t->loads; i++)
        t->load[i].held = true;
    return BYW_OK;
}

/* --- runs ------------------------------------------------------------------------------------ */

/* The workloads from..to of one candidate as a grid. */
static enum byw_status add_grid(const struct byw_tune *t, struct byw_plan *plan,
                                const struct byw_tune_candidate *c, size_t from, size_t to,
                                struct byw_diag *diag)
{
    enum byw_status st = byw_plan_add(plan, "machines", t->options.machine, "--machine", diag);

    if (st == BYW_OK)
        st = byw_plan_add(plan, "policies", t->options.policy, "--policy", diag);
    for (size_t i = from; st == BYW_OK && i < to; i++)
        st = t->load[i].own ? byw_plan_add_trace(plan, t->load[i].name, diag)
                            : byw_plan_add(plan, "workloads", t->load[i].name, "--workloads", diag);
    for (size_t i = 0; st == BYW_OK && i < c->settings; i++) {
        char key[BYW_CONFIG_TEXT];
        const char *equals = strchr(c->setting[i], '=');

        snprintf(key, sizeof(key), "%.*s", (int)(equals - c->setting[i]), c->setting[i]);
        st = byw_plan_add(plan, key, equals + 1, "--set", diag);
    }
    return st;
}

/* Runs these candidates on the workloads from..to. */
static enum byw_status make_runs(struct byw_tune *t, const size_t *which, size_t count, size_t from,
                                 size_t to, struct byw_plan **plan, struct byw_diag *diag)
{
    enum byw_status st = byw_plan_create(plan, diag);

    for (size_t i = 0; st == BYW_OK && i < count; i++) {
        if (i > 0)
            st = byw_plan_next(*plan, diag);
        if (st == BYW_OK)
            st = add_grid(t, *plan, &t->candidate[which[i]], from, to, diag);
    }
    if (st == BYW_OK)
        st = byw_plan_prepare(*plan, t->places, diag);
    return st == BYW_OK ? t->options.run(t->options.ctx, *plan, diag) : st;
}

/* IPC of a workload in a grid of such a plan; NaN: the machine refuses it. */
static enum byw_status read_ipc(const struct byw_tune *t, const struct byw_store *store,
                                const struct byw_plan *plan, size_t grid, size_t from, size_t to,
                                size_t load, double *ipc, struct byw_diag *diag)
{
    size_t n = 0;
    const char *id;
    json_t *result = NULL;
    enum byw_status st;

    for (size_t i = from; i < to; i++) /* a grid lists its workloads before its traces */
        if (t->load[i].own == t->load[load].own ? i < load : !t->load[i].own)
            n++;
    id = byw_plan_nth_id(plan, grid, n);
    if (id == NULL)
        return byw_diag_set(diag, BYW_ECHECK, "a run is missing from the plan of the search");
    st = byw_store_get(store, id, &result, diag);
    if (st != BYW_OK)
        return st;
    *ipc = byw_result_refused(result) == NULL ? byw_result_number(result, "ipc") : NAN;
    json_decref(result);
    return BYW_OK;
}

/* Scores of candidates 1.. of the plan relative to its first grid, the policy file's values. */
static enum byw_status score(struct byw_tune *t, const struct byw_store *store,
                             const struct byw_plan *plan, const size_t *which, size_t count,
                             size_t to, struct byw_diag *diag)
{
    enum byw_status st = BYW_OK;

    for (size_t i = 0; st == BYW_OK && i < count; i++) {
        struct byw_tune_candidate *c = &t->candidate[which[i]];
        double sum = 0.0;
        size_t known = 0;

        for (size_t w = 0; st == BYW_OK && w < to; w++) {
            double own = NAN, its = NAN;

            st = read_ipc(t, store, plan, 0, 0, to, w, &own, diag);
            if (st == BYW_OK)
                st = read_ipc(t, store, plan, i, 0, to, w, &its, diag);
            if (isnan(own) || own <= 0.0)
                continue;
            if (isnan(its) || its <= 0.0)
                its = own * 1e-6; /* the candidate cannot run */
            sum += log(its / own);
            known++;
        }
        c->score = known > 0 ? sum / (double)known : NAN;
        c->workloads = to;
    }
    return st;
}

/* --- the search ------------------------------------------------------------------------------ */

static enum byw_status run_round(struct byw_tune *t, const struct byw_store *store,
                                 const struct byw_halving_round *round, size_t keep,
                                 struct byw_diag *diag)
{
    struct byw_plan *plan = NULL;
    size_t *which = calloc(t->left + 1, sizeof(*which)), count = 1;
    double *scores = calloc(t->candidates, sizeof(*scores));
    enum byw_status st = BYW_OK;

    if (which == NULL || scores == NULL)
        st = byw_no_memory(diag, "the search");
    for (size_t i = 0; st == BYW_OK && i < t->left; i++)
        if (t->alive[i] != 0) /* the policy file's values are the first grid */
            which[count++] = t->alive[i];
    if (st == BYW_OK)
        st = make_runs(t, which, count, 0, round->workloads, &plan, diag);
    if (st == BYW_OK)
        st = score(t, store, plan, which, count, round->workloads, diag);
    for (size_t i = 0; st == BYW_OK && i < t->candidates; i++)
        scores[i] = t->candidate[i].score;
    if (st == BYW_OK) {
        byw_halving_keep(scores, t->alive, t->left, t->left); /* ranks all that are left */
        t->left = keep < t->left ? keep : t->left;
    }
    byw_plan_free(plan);
    free(which);
    free(scores);
    return st;
}

/* IPC with the file's values and with the best ones, on every workload. */
static enum byw_status judge(struct byw_tune *t, const struct byw_store *store,
                             struct byw_diag *diag)
{
    const size_t which[2] = {0, t->alive[0]};
    size_t count = which[1] == 0 ? 1 : 2;
    struct byw_plan *plan = NULL;
    enum byw_status st = make_runs(t, which, count, 0, t->loads, &plan, diag);

    for (size_t i = 0; st == BYW_OK && i < t->loads; i++)
        for (size_t c = 0; st == BYW_OK && c < 2; c++)
            st = read_ipc(t, store, plan, c < count ? c : 0, 0, t->loads, i, &t->load[i].ipc[c],
                          diag);
    byw_plan_free(plan);
    return st;
}

enum byw_status byw_tune_run(struct byw_tune *t, const struct byw_store *store,
                             struct byw_diag *diag)
{
    enum byw_status st = BYW_OK;

    for (size_t r = 0; st == BYW_OK && r < t->rounds; r++) {
        if (t->options.say != NULL)
            t->options.say(r + 1, t->rounds, t->left, t->round[r].workloads);
        st = run_round(t, store, &t->round[r],
                       r + 1 < t->rounds ? t->round[r + 1].candidates : t->left, diag);
    }
    return st == BYW_OK ? judge(t, store, diag) : st;
}

const struct byw_tune_candidate *byw_tune_best(const struct byw_tune *t)
{
    return &t->candidate[t->alive[0]];
}

double byw_tune_mean(const struct byw_tune *t, bool held)
{
    double sum = 0.0;
    size_t known = 0;

    for (size_t i = 0; i < t->loads; i++) {
        double ratio = t->load[i].ipc[1] / t->load[i].ipc[0];

        if (t->load[i].held == held && isfinite(ratio) && ratio > 0.0) {
            sum += log(ratio);
            known++;
        }
    }
    return known > 0 ? exp(sum / (double)known) : NAN;
}

enum byw_status byw_tune_create(const struct byw_places *places,
                                const struct byw_tune_options *options, struct byw_tune **tune,
                                struct byw_diag *diag)
{
    struct byw_tune *t = calloc(1, sizeof(*t));
    enum byw_status st;

    if (t == NULL)
        return byw_no_memory(diag, "the search");
    t->options = *options;
    t->places = places;
    t->random = options->seed;
    st = byw_setup_read(places, options->machine, options->policy, NULL, 0, &t->config, diag);
    if (st == BYW_OK)
        st = find_loads(t, diag);
    if (st == BYW_OK)
        st = byw_tune_space(t, diag);
    if (st == BYW_OK) {
        t->alive = calloc(t->candidates, sizeof(*t->alive));
        st = t->alive == NULL ? byw_no_memory(diag, "the search") : BYW_OK;
    }
    for (size_t i = 0; st == BYW_OK && i < t->candidates; i++)
        if (i > 0 || options->bits == 0 || t->candidate[0].bits <= options->bits)
            t->alive[t->left++] = i;
    if (st == BYW_OK)
        t->rounds = byw_halving_rounds(t->left, t->tuning, (unsigned)options->eta, t->round);
    if (st != BYW_OK) {
        byw_tune_free(t);
        return st;
    }
    *tune = t;
    return BYW_OK;
}

void byw_tune_free(struct byw_tune *t)
{
    if (t == NULL)
        return;
    byw_tune_space_release(t);
    for (size_t i = 0; i < t->loads; i++)
        free(t->load[i].name);
    free(t->load);
    free(t->alive);
    free(t);
}
