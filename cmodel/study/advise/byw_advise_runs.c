/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_advise_runs.c - the runs of a search: one proposal per kernel in each run.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/byw_array.h"
#include "sim/sm/byw_load_advice.h"
#include "study/advise/byw_advise_state.h"
#include "study/store/byw_kept.h"

enum { BATCH = 64 }; /* assignments at a time: each run holds a result in memory */

const struct byw_advise_try *byw_advise_find(const struct byw_advise_kernel *k, const char *key)
{
    for (size_t i = 0; i < k->count; i++)
        if (strcmp(k->tried[i].key, key) == 0)
            return &k->tried[i];
    return NULL;
}

static uint64_t cycles_of(const json_t *result, const char *kernel)
{
    uint64_t cycles = 0;
    const json_t *launch;
    size_t i;

    if (kernel == NULL)
        return (uint64_t)byw_result_number(result, "cycles");
    json_array_foreach(json_object_get(result, "per_kernel"), i,
                       launch) if (strcmp(byw_result_text(launch, "name"), kernel) == 0) cycles +=
        (uint64_t)byw_result_number(launch, "cycles");
    return cycles;
}

struct byw_advise_cycles byw_advise_cycles(json_t *const *result, uint32_t runs, const char *kernel)
{
    struct byw_advise_cycles c = {.runs = runs};
    uint64_t sum = 0;

    for (uint32_t r = 0; r < runs; r++) {
        c.of_run[r] = cycles_of(result[r], kernel);
        sum += c.of_run[r];
    }
    c.mean = (sum + runs / 2) / runs;
    return c;
}

struct byw_spread byw_advise_saved(const uint64_t *whole, const uint64_t *before,
                                   const uint64_t *after, uint32_t runs)
{
    double saved[BYW_REPEAT_MOST];

    for (uint32_t r = 0; r < runs; r++)
        saved[r] =
            whole[r] == 0 ? 0.0 : 100.0 * ((double)before[r] - (double)after[r]) / (double)whole[r];
    return byw_spread_of(saved, runs);
}

struct byw_load_advice *byw_advise_of(const struct byw_advise *a, const char *const *key)
{
    struct byw_load_advice *advice = byw_load_advice_empty();
    bool good = advice != NULL;

    for (uint32_t p = 0; good && p < a->places; p++) {
        const struct byw_advise_place *place = &a->place[p];
        const struct byw_advise_kernel *k = &a->kernel[place->kernel];
        int value = key[place->kernel][p - k->first] - '0';

        for (uint32_t i = 0; good && value != 0 && i < place->count; i++)
            good = byw_load_advice_add(advice, k->name, a->load[place->first + i].pc,
                                       a->options->hint[value - 1]);
    }
    if (!good) {
        byw_load_advice_free(advice);
        return NULL;
    }
    return advice;
}

bool byw_advise_add(struct byw_advise_kernel *k, const char *key,
                    const struct byw_advise_cycles *cycles)
{
    const size_t size = cycles->runs * sizeof(*cycles->of_run);
    struct byw_advise_try *added;

    if (byw_advise_find(k, key) != NULL)
        return true;
    if (!BYW_ARRAY_ROOM(k->tried, k->room, k->count + 1))
        return false;
    added = &k->tried[k->count++];
    *added = (struct byw_advise_try){strdup(key), cycles->mean, malloc(size)};
    if (added->of_run != NULL)
        memcpy(added->of_run, cycles->of_run, size);
    return added->key != NULL && added->of_run != NULL;
}

bool byw_advise_propose(struct byw_advise_kernel *k, const char *key)
{
    if (byw_advise_find(k, key) != NULL)
        return true;
    for (size_t i = 0; i < k->proposals; i++)
        if (strcmp(k->proposed[i], key) == 0)
            return true;
    if (!BYW_ARRAY_ROOM(k->proposed, k->proposal_room, k->proposals + 1))
        return false;
    k->proposed[k->proposals] = strdup(key);
    return k->proposed[k->proposals++] != NULL;
}

/* Text of what determines a result in addition to the job: the advice, and whether the result has
 * the members about loads. */
static char *what_of(const struct byw_advise *a, const char *const *key, bool loads)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    if (out == NULL)
        return NULL;
    fprintf(out, "loads %d\n%s", loads,
            loads && a->job->config->machine_code != 0 ? "stalls\n" : "");
    for (size_t i = 0; i < a->options->how->launch_ranges; i++)
        fprintf(out, "launches %u-%u\n", a->options->how->launches[i].first,
                a->options->how->launches[i].last);
    if (a->options->how->kernels != NULL)
        fprintf(out, "kernels %s\n", byw_kernel_pick_text(a->options->how->kernels));
    for (uint32_t p = 0; p < a->places; p++) {
        const struct byw_advise_place *place = &a->place[p];
        const struct byw_advise_kernel *k = &a->kernel[place->kernel];
        int value = key[place->kernel][p - k->first] - '0';

        for (uint32_t i = 0; value != 0 && i < place->count; i++)
            fprintf(out, "%s pc:0x%x %s\n", k->name, a->load[place->first + i].pc,
                    byw_load_hint_word(a->options->hint[value - 1]));
    }
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}

static bool name_runs(const struct byw_advise *a, const struct byw_job *job, const char *const *key,
                      size_t count, bool loads, byw_kept_id *id)
{
    bool good = true;

    for (size_t i = 0; good && i < count; i++) {
        char *what = what_of(a, &key[i / a->repeat * a->kernels], loads);
        char *config = byw_kept_config(job[i].config);

        good = what != NULL && config != NULL && byw_kept_name(&job[i], config, what, id[i]);
        free(what);
        free(config);
    }
    return good;
}

/* Jobs of one call: each assignment `repeat` times, with the seeds of byw_jobs_repeat(). */
struct batch {
    struct byw_job *job;
    byw_kept_id *id;
    struct byw_config *config; /* one configuration for each repetition */
    size_t count;
};

static bool fill(const struct byw_advise *a, const char *trace, const char *sum,
                 const char *const *key, size_t count, struct batch *b)
{
    b->count = count * a->repeat;
    b->job = calloc(b->count, sizeof(*b->job));
    b->id = calloc(b->count, sizeof(*b->id));
    b->config = calloc(a->repeat, sizeof(*b->config));
    if (b->job == NULL || b->id == NULL || b->config == NULL)
        return false;
    for (uint32_t r = 0; r < a->repeat; r++) {
        b->config[r] = *a->job->config;
        b->config[r].noise_seed += a->repeat > 1 ? r + 1 : 0;
    }
    for (size_t i = 0; i < b->count; i++) {
        b->job[i] = *a->job;
        b->job[i].trace = trace;
        b->job[i].trace_sum = sum;
        b->job[i].config = &b->config[i % a->repeat];
        b->job[i].advice = i % a->repeat != 0 ? b->job[i - 1].advice
                                              : byw_advise_of(a, &key[i / a->repeat * a->kernels]);
        if (b->job[i].advice == NULL)
            return false;
    }
    return true;
}

static void empty(const struct byw_advise *a, struct batch *b)
{
    for (size_t i = 0; b->job != NULL && i < b->count; i += a->repeat)
        byw_load_advice_free(b->job[i].advice);
    free(b->job);
    free(b->id);
    free(b->config);
}

enum byw_status byw_advise_run_on(const struct byw_advise *a, const char *trace, const char *sum,
                                  const char *const *key, size_t count, bool loads, json_t **result,
                                  struct byw_diag *diag)
{
    struct byw_store *store = sum != NULL ? a->options->store : NULL;
    struct byw_job_options how = a->how;
    struct batch b = {.job = NULL};
    enum byw_status st = BYW_OK;

    how.loads = loads;
    how.stalls = loads && a->job->config->machine_code != 0;
    how.keeps_stopped = true;
    if (store == NULL)
        how.command = NULL;
    if (!fill(a, trace, sum, key, count, &b) ||
        (store != NULL && !name_runs(a, b.job, key, b.count, loads, b.id)))
        st = byw_no_memory(diag, "the search");
    if (st == BYW_OK)
        st = byw_kept_run(store, b.job, (const byw_kept_id *)b.id, b.count, a->options->workers,
                          &how, result, diag);
    empty(a, &b);
    for (size_t i = 0; st == BYW_OK && i < b.count; i++)
        if (byw_result_refused(result[i]) != NULL)
            st = byw_diag_set(diag, BYW_EUNSUPPORTED, "%s", byw_result_refused(result[i]));
    if (how.stop == NULL || *how.stop == 0)
        return st;
    if (store != NULL)
        return byw_diag_set(
            diag, BYW_ESTUCK,
            "interrupted; the runs so far are stored in %s; run the same command again to resume",
            byw_store_path(store));
    return byw_diag_set(diag, BYW_ESTUCK,
                        "interrupted; with -d DIR, the same command would resume here");
}

void byw_advise_show(void *ctx, const struct byw_job_progress *progress)
{
    struct byw_advise *a = ctx;
    struct byw_job_progress all = *progress;
    double per_run = 0.0;
    const size_t before = (size_t)a->before * a->repeat, known = before + progress->count;
    const size_t planned = (size_t)a->planned * a->repeat;

    for (uint32_t i = 0; i < a->launches; i++)
        per_run += (double)a->info.launch[a->launch[i]].counts.warp_instructions;
    a->latest = progress->warp_instructions;
    all.done += before;
    all.count = planned > known ? planned : known;
    all.warp_instructions += a->spent;
    all.expected = (double)a->spent + per_run * (double)(all.count - before);
    a->options->how->progress(a->options->how->progress_ctx, &all);
}

enum byw_status byw_advise_run(struct byw_advise *a, const char *const *key, size_t count,
                               bool loads, json_t **result, struct byw_diag *diag)
{
    a->before = a->runs;
    a->runs += count;
    a->spent += a->latest;
    a->latest = 0;
    return byw_advise_run_on(a, a->job->trace, a->sum, key, count, loads, result, diag);
}

/* Records the cycles of each kernel in the runs of an assignment. */
static bool note_one(struct byw_advise *a, const char *const *key, json_t *const *result)
{
    for (uint32_t k = 0; k < a->kernels; k++) {
        struct byw_advise_cycles cycles = byw_advise_cycles(result, a->repeat, a->kernel[k].name);

        if (!byw_advise_add(&a->kernel[k], key[k], &cycles))
            return false;
    }
    return true;
}

/* Whether an assignment has all of its runs; after a stop some have not. */
static bool all_there(json_t *const *result, uint32_t runs)
{
    for (uint32_t r = 0; r < runs; r++)
        if (result[r] == NULL)
            return false;
    return true;
}

/* Runs `count` assignments and records their cycles. */
static enum byw_status note_some(struct byw_advise *a, const char *const *key, size_t count,
                                 struct byw_diag *diag)
{
    json_t **result = calloc(count * a->repeat, sizeof(json_t *));
    enum byw_status st = result != NULL ? byw_advise_run(a, key, count, false, result, diag)
                                        : byw_no_memory(diag, "the search");

    for (size_t i = 0; (st == BYW_OK || st == BYW_ESTUCK) && i < count; i++)
        if (all_there(&result[i * a->repeat], a->repeat) &&
            !note_one(a, &key[i * a->kernels], &result[i * a->repeat]))
            st = byw_no_memory(diag, "the search");
    for (size_t i = 0; result != NULL && i < count * a->repeat; i++)
        json_decref(result[i]);
    free(result);
    return st;
}

static void drop_proposals(struct byw_advise_kernel *k)
{
    for (size_t i = 0; i < k->proposals; i++)
        free(k->proposed[i]);
    k->proposals = 0;
}

enum byw_status byw_advise_run_proposed(struct byw_advise *a, struct byw_diag *diag)
{
    const char **key = calloc((size_t)BATCH * a->kernels, sizeof(*key));
    size_t most = 0;
    enum byw_status st = key != NULL ? BYW_OK : byw_no_memory(diag, "the search");

    for (uint32_t k = 0; k < a->kernels; k++)
        if (a->kernel[k].proposals > most)
            most = a->kernel[k].proposals;
    for (size_t at = 0; st == BYW_OK && at < most && a->runs < a->options->most_runs;) {
        size_t n = 0;

        for (; n < BATCH && at < most && a->runs + n < a->options->most_runs; n++, at++)
            for (uint32_t k = 0; k < a->kernels; k++)
                key[n * a->kernels + k] = at < a->kernel[k].proposals ? a->kernel[k].proposed[at]
                                                                      : a->kernel[k].tried[0].key;
        st = note_some(a, key, n, diag);
    }
    for (uint32_t k = 0; k < a->kernels; k++)
        drop_proposals(&a->kernel[k]);
    free(key);
    return st;
}

/* --- the first and the last run ------------------------------------------------------------- */

/* Counts, in the first run, what the L1Ds did with the loads while there was no advice. */
static void note_stats(struct byw_advise *a)
{
    const json_t *entry;
    size_t i;

    json_array_foreach(json_object_get(a->base[0], "loads"), i, entry) for (uint32_t l = 0;
                                                                            l < a->loads; l++)
    {
        struct byw_advise_load *load = &a->load[l];

        if (load->pc != (uint32_t)byw_result_number(entry, "pc") ||
            strcmp(a->kernel[load->kernel].name, byw_result_text(entry, "kernel")) != 0)
            continue;
        load->transactions += (uint64_t)byw_result_number(entry, "transactions");
        load->found +=
            (uint64_t)(byw_result_number(entry, "hits") + byw_result_number(entry, "hit_pending"));
        load->reused += (uint64_t)byw_result_number(entry, "reused");
    }
}

enum byw_status byw_advise_run_base(struct byw_advise *a, struct byw_diag *diag)
{
    char **key = calloc(a->kernels, sizeof(*key));
    enum byw_status st = key != NULL ? BYW_OK : byw_no_memory(diag, "the search");

    for (uint32_t k = 0; st == BYW_OK && k < a->kernels; k++) {
        key[k] = calloc(1, a->kernel[k].places + 1);
        if (key[k] == NULL)
            st = byw_no_memory(diag, "the search");
        else
            memset(key[k], '0', a->kernel[k].places);
    }
    if (st == BYW_OK)
        st = byw_advise_run(a, (const char *const *)key, 1, true, a->base, diag);
    if ((st == BYW_OK || st == BYW_ESTUCK) && all_there(a->base, a->repeat) &&
        !note_one(a, (const char *const *)key, a->base))
        st = byw_no_memory(diag, "the search");
    for (uint32_t k = 0; key != NULL && k < a->kernels; k++) {
        a->kernel[k].complete = true;
        free(key[k]);
    }
    free(key);
    note_stats(a);
    return st;
}

/* Clears a kernel's advice. noise: the reason is that its gain is within the noise. */
static void drop_chosen(struct byw_advise *a, bool noise)
{
    for (uint32_t p = 0; p < a->places; p++) {
        const struct byw_advise_kernel *k = &a->kernel[a->place[p].kernel];

        if (noise && a->place[p].rank != 0)
            a->place[p].noise = k->chosen[p - k->first];
        a->place[p].rank = 0;
    }
    for (uint32_t k = 0; k < a->kernels; k++)
        strcpy(a->kernel[k].chosen, a->kernel[k].tried[0].key);
    for (uint32_t r = 0; r < a->repeat; r++) {
        json_decref(a->advised[r]);
        a->advised[r] = json_incref(a->base[r]);
    }
}

/* Drops all advice if the whole program does not become faster with it: a kernel's effect on the L2
 * can cost the next kernel more than its advice saves. */
static void judge_chosen(struct byw_advise *a)
{
    const struct byw_advise_cycles base = byw_advise_cycles(a->base, a->repeat, NULL);
    const struct byw_advise_cycles with = byw_advise_cycles(a->advised, a->repeat, NULL);
    const bool noise =
        byw_spread_undecided(byw_advise_saved(base.of_run, base.of_run, with.of_run, a->repeat), 0);

    if (noise || with.mean >= base.mean)
        drop_chosen(a, noise);
}

enum byw_status byw_advise_run_chosen(struct byw_advise *a, struct byw_diag *diag)
{
    const char **key = calloc(a->kernels, sizeof(*key));
    enum byw_status st;

    for (uint32_t k = 0; key != NULL && k < a->kernels; k++)
        key[k] = a->kernel[k].chosen;
    st = key != NULL ? byw_advise_run(a, key, 1, false, a->advised, diag)
                     : byw_no_memory(diag, "the search");
    free(key);
    if (st == BYW_OK && a->options->mpache == NULL)
        judge_chosen(a);
    return st;
}
