/* SPDX-License-Identifier: Apache-2.0 */
#include "study/advise/byw_bound.h"

#include <stdlib.h>
#include <string.h>

#include "common/byw_file.h"
#include "record/byw_request.h"
#include "study/advise/byw_bound_state.h"

enum { BATCH_MAX = 256 };

static enum byw_status no_memory(struct byw_diag *diag)
{
    return byw_diag_set(diag, BYW_ENOMEM, "no memory for the search");
}

static const struct byw_bound_try *find(const struct byw_bound *b, const char *key)
{
    for (size_t i = 0; i < b->count; i++)
        if (strcmp(b->tried[i].key, key) == 0)
            return &b->tried[i];
    return NULL;
}

bool byw_bound_add(struct byw_bound *b, char *key, uint64_t cycles)
{
    if (b->count == b->room) {
        size_t room = b->room == 0 ? 64 : 2 * b->room;
        struct byw_bound_try *grown = realloc(b->tried, room * sizeof(*grown));

        if (grown == NULL) {
            free(key);
            return false;
        }
        b->tried = grown;
        b->room = room;
    }
    b->tried[b->count++] = (struct byw_bound_try){key, cycles};
    if (b->best == NULL || cycles < b->cycles ||
        (cycles == b->cycles && byw_bound_bypassed(b, key) < byw_bound_bypassed(b, b->best))) {
        b->best = key;
        b->cycles = cycles;
    }
    return true;
}

/* --- runs ----------------------------------------------------------------------------------- */

/* Assignments to be tried; NULL where none is. */
struct batch {
    char **key;
    size_t count;
};

static struct byw_load_advice *advice_of(const struct byw_bound *b, const char *key)
{
    struct byw_load_advice *advice = byw_load_advice_empty();

    for (uint32_t i = 0; advice != NULL && i < b->loads; i++) {
        uint8_t hint = byw_bound_bit(key, i) ? BYW_HINT_BYPASS : BYW_HINT_NONE;

        if (!byw_load_advice_add(advice, b->load[i].kernel, b->load[i].pc, hint)) {
            byw_load_advice_free(advice);
            return NULL;
        }
    }
    return advice;
}

/* Runs `count` assignments at once, at most BATCH_MAX. */
static enum byw_status run_some(struct byw_bound *b, char *const *key, size_t count,
                                struct byw_diag *diag)
{
    struct byw_job job[BATCH_MAX];
    json_t *result[BATCH_MAX] = {NULL};
    enum byw_status st = BYW_OK;
    size_t made = 0;

    for (; made < count && st == BYW_OK; made++) {
        job[made] = *b->job;
        job[made].advice = advice_of(b, key[made]);
        if (job[made].advice == NULL)
            st = no_memory(diag);
    }
    if (st == BYW_OK)
        st = byw_jobs_run(job, count, b->options->workers, b->options->how, result, diag);
    for (size_t i = 0; i < made; i++)
        byw_load_advice_free(job[i].advice);
    for (size_t i = 0; st == BYW_OK && i < count; i++) {
        const char *why = byw_result_refused(result[i]);
        char *own = strdup(key[i]);

        if (why != NULL)
            st = byw_diag_set(diag, BYW_EUNSUPPORTED, "%s", why);
        else if (own == NULL ||
                 !byw_bound_add(b, own, (uint64_t)byw_result_number(result[i], "cycles")))
            st = no_memory(diag);
    }
    for (size_t i = 0; i < count; i++)
        json_decref(result[i]);
    return st == BYW_OK ? byw_bound_write(b, diag) : st;
}

/* Runs what has not been tried yet, in their order, as many as may be. */
static enum byw_status run_batch(struct byw_bound *b, const struct batch *batch,
                                 struct byw_diag *diag)
{
    size_t most = b->options->workers < BATCH_MAX ? b->options->workers : BATCH_MAX;
    enum byw_status st = BYW_OK;
    size_t i = 0;

    while (st == BYW_OK && i < batch->count && b->count < b->options->most_runs) {
        char *some[BATCH_MAX];
        size_t n = 0;

        for (; i < batch->count && n < most && b->count + n < b->options->most_runs; i++)
            if (find(b, batch->key[i]) == NULL)
                some[n++] = batch->key[i];
        if (n != 0)
            st = run_some(b, some, n, diag);
    }
    return st;
}

static bool batch_init(struct batch *batch, size_t room)
{
    *batch = (struct batch){.key = calloc(room, sizeof(*batch->key))};
    return batch->key != NULL;
}

static void batch_free(struct batch *batch)
{
    for (size_t i = 0; i < batch->count; i++)
        free(batch->key[i]);
    free(batch->key);
}

/* Adds a copy of an assignment; returns it. */
static char *batch_add(struct batch *batch, const char *key)
{
    char *copy = strdup(key);

    if (copy != NULL)
        batch->key[batch->count++] = copy;
    return copy;
}

/* --- the search ----------------------------------------------------------------------------- */

struct turn {
    uint32_t load;
    uint64_t cycles;
};

static int by_cycles(const void *a, const void *b)
{
    const struct turn *x = a, *y = b;

    if (x->cycles != y->cycles)
        return x->cycles < y->cycles ? -1 : 1;
    return x->load < y->load ? -1 : x->load > y->load;
}

/* Tries every single turn of `at`; the ones that save cycles, the best first. */
static enum byw_status try_turns(struct byw_bound *b, const struct byw_bound_try *at,
                                 struct turn *turn, uint32_t *turns, struct byw_diag *diag)
{
    struct batch batch;
    uint64_t cycles = at->cycles;
    enum byw_status st = BYW_OK;

    *turns = 0;
    if (!batch_init(&batch, b->loads))
        return no_memory(diag);
    for (uint32_t i = 0; st == BYW_OK && i < b->loads; i++) {
        char *key = batch_add(&batch, at->key);

        if (key == NULL)
            st = no_memory(diag);
        else
            byw_bound_turn(key, i);
    }
    if (st == BYW_OK)
        st = run_batch(b, &batch, diag);
    for (uint32_t i = 0; st == BYW_OK && i < b->loads; i++) {
        const struct byw_bound_try *of = find(b, batch.key[i]);

        if (of != NULL && of->cycles < cycles)
            turn[(*turns)++] = (struct turn){i, of->cycles};
    }
    qsort(turn, *turns, sizeof(*turn), by_cycles);
    batch_free(&batch);
    return st;
}

/* Makes all of these turns of `from` together, then the better half of them, and so on; *next: the
 * fastest of those and of the best single turn. */
static enum byw_status try_together(struct byw_bound *b, const char *from, const struct turn *turn,
                                    uint32_t turns, char **next, struct byw_diag *diag)
{
    struct batch batch;
    uint64_t least = UINT64_MAX;
    enum byw_status st = BYW_OK;

    if (!batch_init(&batch, 64))
        return no_memory(diag);
    for (uint32_t n = turns; st == BYW_OK && n != 0; n /= 2) {
        char *key = batch_add(&batch, from);

        if (key == NULL)
            st = no_memory(diag);
        for (uint32_t i = 0; st == BYW_OK && i < n; i++)
            byw_bound_turn(key, turn[i].load);
    }
    if (st == BYW_OK)
        st = run_batch(b, &batch, diag);
    *next = NULL;
    for (size_t i = 0; st == BYW_OK && i < batch.count; i++) {
        const struct byw_bound_try *of = find(b, batch.key[i]);

        if (of != NULL && of->cycles < least) {
            least = of->cycles;
            free(*next);
            *next = strdup(of->key);
            if (*next == NULL)
                st = no_memory(diag);
        }
    }
    batch_free(&batch);
    return st;
}

/* From one assignment to the top of its hill; *top: it got there within the runs allowed. */
static enum byw_status climb(struct byw_bound *b, const char *start, bool *top,
                             struct byw_diag *diag)
{
    struct turn *turn = calloc(b->loads, sizeof(*turn));
    char *key = strdup(start);
    enum byw_status st = turn != NULL && key != NULL ? BYW_OK : no_memory(diag);

    *top = false;
    while (st == BYW_OK && b->count < b->options->most_runs) {
        const struct byw_bound_try at = {key, find(b, key)->cycles};
        uint32_t turns;
        char *next = NULL;

        st = try_turns(b, &at, turn, &turns, diag);
        if (st != BYW_OK || turns == 0)
            break;
        st = try_together(b, key, turn, turns, &next, diag);
        free(key);
        key = next;
    }
    if (st == BYW_OK) { /* on the top every turn has been tried, and none helps */
        uint64_t cycles = find(b, key)->cycles;

        *top = true;
        for (uint32_t i = 0; *top && i < b->loads; i++) {
            const struct byw_bound_try *of;

            byw_bound_turn(key, i);
            of = find(b, key);
            *top = of != NULL && of->cycles >= cycles;
            byw_bound_turn(key, i);
        }
    }
    free(turn);
    free(key);
    return st;
}

static enum byw_status search(struct byw_bound *b, struct byw_diag *diag)
{
    struct batch ends;
    bool top[2] = {false, false};
    enum byw_status st;

    if (!batch_init(&ends, 2))
        return no_memory(diag);
    for (uint32_t end = 0; end < 2; end++) {
        char *key = calloc(1, b->digits + 1);

        if (key == NULL) {
            batch_free(&ends);
            return no_memory(diag);
        }
        memset(key, '0', b->digits);
        for (uint32_t i = 0; end == 1 && i < b->loads; i++)
            byw_bound_turn(key, i);
        ends.key[ends.count++] = key;
    }
    st = run_batch(b, &ends, diag);
    for (uint32_t end = 0; end < 2 && st == BYW_OK && find(b, ends.key[end]) != NULL; end++)
        st = climb(b, ends.key[end], &top[end], diag);
    b->complete = top[0] && top[1];
    batch_free(&ends);
    return st == BYW_OK ? byw_bound_write(b, diag) : st;
}

/* --- the result ----------------------------------------------------------------------------- */

static uint64_t cycles_of_all(const struct byw_bound *b, bool bypass)
{
    for (size_t i = 0; i < b->count; i++)
        if (byw_bound_bypassed(b, b->tried[i].key) == (bypass ? b->loads : 0))
            return b->tried[i].cycles;
    return 0;
}

static json_t *result_of(const struct byw_bound *b)
{
    return json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:b}", "cycles", (json_int_t)b->cycles,
                     "keep_all", (json_int_t)cycles_of_all(b, false), "bypass_all",
                     (json_int_t)cycles_of_all(b, true), "loads", (json_int_t)b->loads, "bypassed",
                     (json_int_t)byw_bound_bypassed(b, b->best), "runs", (json_int_t)b->count,
                     "complete", b->complete);
}

enum byw_status byw_bound_search(const struct byw_job *job, const struct byw_bound_options *options,
                                 json_t **json, struct byw_diag *diag)
{
    struct byw_bound b = {.job = job, .options = options};
    enum byw_status st = byw_bound_loads(&b, diag);

    *json = NULL;
    b.digits = (b.loads + 3) / 4;
    if (st == BYW_OK)
        st = byw_bound_read(&b, diag);
    if (st == BYW_OK)
        st = search(&b, diag);
    if (st == BYW_ESTUCK)
        byw_diag_set(diag, BYW_ESTUCK,
                     "interrupted; %s has what was tried, the same command goes on", options->path);
    if (st == BYW_OK) {
        *json = result_of(&b);
        if (*json == NULL)
            st = no_memory(diag);
    }
    for (size_t i = 0; i < b.count; i++)
        free(b.tried[i].key);
    free(b.tried);
    free(b.load);
    return st;
}
