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
#include "study/job/byw_kept.h"

enum { BATCH = 64 }; /* runs at a time: each holds a result in memory */

const struct byw_advise_try *byw_advise_find(const struct byw_advise_kernel *k, const char *key)
{
    for (size_t i = 0; i < k->count; i++)
        if (strcmp(k->tried[i].key, key) == 0)
            return &k->tried[i];
    return NULL;
}

uint64_t byw_advise_cycles(const json_t *result, const char *kernel)
{
    uint64_t cycles = 0;
    const json_t *launch;
    size_t i;

    json_array_foreach(json_object_get(result, "per_kernel"), i,
                       launch) if (strcmp(byw_result_text(launch, "name"), kernel) == 0) cycles +=
        (uint64_t)byw_result_number(launch, "cycles");
    return cycles;
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

bool byw_advise_add(struct byw_advise_kernel *k, const char *key, uint64_t cycles)
{
    if (byw_advise_find(k, key) != NULL)
        return true;
    if (!BYW_ARRAY_ROOM(k->tried, k->room, k->count + 1))
        return false;
    k->tried[k->count] = (struct byw_advise_try){strdup(key), cycles};
    return k->tried[k->count++].key != NULL;
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

/* What determines a result in addition to the job: the advice, and whether it has the members of
 * loads. */
static char *what_of(const struct byw_advise *a, const char *const *key, bool loads)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    if (out == NULL)
        return NULL;
    fprintf(out, "loads %d\n", loads);
    for (size_t i = 0; i < a->options->how->launch_ranges; i++)
        fprintf(out, "launches %u-%u\n", a->options->how->launches[i].first,
                a->options->how->launches[i].last);
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
        char *what = what_of(a, &key[i * a->kernels], loads);

        good = what != NULL && byw_kept_name(&job[i], a->config, what, id[i]);
        free(what);
    }
    return good;
}

enum byw_status byw_advise_run_on(const struct byw_advise *a, const char *trace, const char *sum,
                                  const char *const *key, size_t count, bool loads, json_t **result,
                                  struct byw_diag *diag)
{
    struct byw_store *store = sum != NULL ? a->options->store : NULL;
    struct byw_job_options how = a->how;
    struct byw_job job[BATCH] = {{.workload = NULL}};
    byw_kept_id id[BATCH];
    enum byw_status st = BYW_OK;

    how.loads = loads;
    if (store == NULL)
        how.command = NULL;
    for (size_t i = 0; i < count; i++) {
        job[i] = *a->job;
        job[i].trace = trace;
        job[i].trace_sum = sum;
        job[i].advice = byw_advise_of(a, &key[i * a->kernels]);
        if (job[i].advice == NULL)
            st = byw_no_memory(diag, "the search");
    }
    if (st == BYW_OK && store != NULL && !name_runs(a, job, key, count, loads, id))
        st = byw_no_memory(diag, "the search");
    if (st == BYW_OK)
        st = byw_kept_run(store, job, (const byw_kept_id *)id, count, a->options->workers, &how,
                          result, diag);
    for (size_t i = 0; i < count; i++)
        byw_load_advice_free(job[i].advice);
    for (size_t i = 0; st == BYW_OK && i < count; i++)
        if (byw_result_refused(result[i]) != NULL)
            st = byw_diag_set(diag, BYW_EUNSUPPORTED, "%s", byw_result_refused(result[i]));
    if (how.stop != NULL && *how.stop != 0 && store != NULL)
        st = byw_diag_set(
            diag, BYW_ESTUCK,
            "interrupted; the runs so far are stored in %s; run the same command again to resume",
            byw_store_path(store));
    else if (st == BYW_OK && how.stop != NULL && *how.stop != 0)
        st = byw_diag_set(diag, BYW_ESTUCK, "interrupted; there is no advice yet");
    return st;
}

void byw_advise_show(void *ctx, const struct byw_job_progress *progress)
{
    struct byw_advise *a = ctx;
    struct byw_job_progress all = *progress;
    double per_run = 0.0;
    const size_t known = (size_t)a->before + progress->count;

    for (uint32_t i = 0; i < a->launches; i++)
        per_run += (double)a->info.launch[a->launch[i]].counts.warp_instructions;
    a->latest = progress->warp_instructions;
    all.done += (size_t)a->before;
    all.count = a->planned > known ? (size_t)a->planned : known;
    all.warp_instructions += a->spent;
    all.expected = (double)a->spent + per_run * (double)(all.count - a->before);
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

/* Runs `count` assignments and records the cycles of each kernel. */
static enum byw_status note_some(struct byw_advise *a, const char *const *key, size_t count,
                                 struct byw_diag *diag)
{
    json_t *result[BATCH] = {NULL};
    enum byw_status st = byw_advise_run(a, key, count, false, result, diag);

    for (size_t i = 0; st == BYW_OK && i < count; i++)
        for (uint32_t k = 0; st == BYW_OK && k < a->kernels; k++)
            if (!byw_advise_add(&a->kernel[k], key[i * a->kernels + k],
                                byw_advise_cycles(result[i], a->kernel[k].name)))
                st = byw_no_memory(diag, "the search");
    for (size_t i = 0; i < count; i++)
        json_decref(result[i]);
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

/* Outcomes of the loads in the L1Ds without advice. */
static void note_stats(struct byw_advise *a)
{
    const json_t *entry;
    size_t i;

    json_array_foreach(json_object_get(a->base, "loads"), i, entry) for (uint32_t l = 0;
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
        st = byw_advise_run(a, (const char *const *)key, 1, true, &a->base, diag);
    for (uint32_t k = 0; key != NULL && k < a->kernels; k++) {
        if (st == BYW_OK &&
            !byw_advise_add(&a->kernel[k], key[k], byw_advise_cycles(a->base, a->kernel[k].name)))
            st = byw_no_memory(diag, "the search");
        a->kernel[k].complete = true;
        free(key[k]);
    }
    free(key);
    note_stats(a);
    return st;
}

/* No advice at all. */
static void drop_chosen(struct byw_advise *a)
{
    for (uint32_t k = 0; k < a->kernels; k++)
        strcpy(a->kernel[k].chosen, a->kernel[k].tried[0].key);
    for (uint32_t p = 0; p < a->places; p++)
        a->place[p].rank = 0;
    json_decref(a->advised);
    a->advised = json_incref(a->base);
}

enum byw_status byw_advise_run_chosen(struct byw_advise *a, struct byw_diag *diag)
{
    const char **key = calloc(a->kernels, sizeof(*key));
    enum byw_status st;

    for (uint32_t k = 0; key != NULL && k < a->kernels; k++)
        key[k] = a->kernel[k].chosen;
    st = key != NULL ? byw_advise_run(a, key, 1, false, &a->advised, diag)
                     : byw_no_memory(diag, "the search");
    free(key);
    /* A kernel's effect on the L2 can cost the next kernel more than its advice saves. */
    if (st == BYW_OK && a->options->mpache == NULL &&
        byw_result_number(a->advised, "cycles") >= byw_result_number(a->base, "cycles"))
        drop_chosen(a);
    return st;
}
