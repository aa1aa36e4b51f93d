/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_advise_search.c - the hill climbing, and the choice among the best assignments.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/sm/byw_load_advice.h"
#include "study/advise/byw_advise_state.h"

/* --- the climb ------------------------------------------------------------------------------ */

struct turn {
    uint32_t place;
    char value;
    uint64_t cycles;
};

static int by_cycles(const void *a, const void *b)
{
    const struct turn *x = a, *y = b;

    if (x->cycles != y->cycles)
        return x->cycles < y->cycles ? -1 : 1;
    return x->place < y->place ? -1 : x->place > y->place;
}

static bool propose_turns(const struct byw_advise *a, struct byw_advise_kernel *k, char *at)
{
    bool good = true;

    for (uint32_t p = 0; good && p < k->places; p++) {
        char own = at[p];

        for (size_t v = 0; good && v <= a->options->hints; v++) {
            at[p] = (char)('0' + v);
            good = byw_advise_propose(k, at);
        }
        at[p] = own;
    }
    return good;
}

/* Finds the changes of single places that save cycles, at most one per place; returns their
 * number. */
static uint32_t good_turns(const struct byw_advise *a, const struct byw_advise_kernel *k, char *at,
                           struct turn *turn)
{
    uint64_t cycles = byw_advise_find(k, at)->cycles;
    uint32_t turns = 0;

    for (uint32_t p = 0; p < k->places; p++) {
        struct turn best = {.place = p, .cycles = cycles};
        char own = at[p];

        for (size_t v = 0; v <= a->options->hints; v++) {
            const struct byw_advise_try *of;

            at[p] = (char)('0' + v);
            of = byw_advise_find(k, at);
            if (of != NULL && of->cycles < best.cycles)
                best = (struct turn){p, at[p], of->cycles};
        }
        at[p] = own;
        if (best.cycles < cycles)
            turn[turns++] = best;
    }
    qsort(turn, turns, sizeof(*turn), by_cycles);
    return turns;
}

static void make_turns(char *key, const char *at, const struct turn *turn, uint32_t turns)
{
    strcpy(key, at);
    for (uint32_t i = 0; i < turns; i++)
        key[turn[i].place] = turn[i].value;
}

/* State of the climb from one start in one kernel. */
struct climber {
    uint32_t kernel;
    char *at, *key;
    struct turn *turn;
    uint32_t turns;
    bool climbs;
};

static uint64_t height(const struct byw_advise *a, const struct climber *c)
{
    return byw_advise_find(&a->kernel[c->kernel], c->at)->cycles;
}

/* If two climbers reach the same assignment, only one continues. */
static void unite(struct climber *climber, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < i; j++)
            if (climber[j].kernel == climber[i].kernel && strcmp(climber[j].at, climber[i].at) == 0)
                climber[i].climbs = false;
}

/* One step of the climbers from one start; *climbs: one of them improved. */
static enum byw_status step(struct byw_advise *a, struct climber *climber, bool *climbs,
                            struct byw_diag *diag)
{
    const uint32_t count = a->kernels;
    bool good = true;
    enum byw_status st;

    for (size_t i = 0; good && i < count; i++)
        good = !climber[i].climbs || propose_turns(a, &a->kernel[climber[i].kernel], climber[i].at);
    st = good ? byw_advise_run_proposed(a, diag) : byw_no_memory(diag, "the search");
    for (size_t i = 0; good && st == BYW_OK && i < count; i++) {
        struct climber *c = &climber[i];

        c->turns = c->climbs ? good_turns(a, &a->kernel[c->kernel], c->at, c->turn) : 0;
        for (uint32_t n = c->turns; good && n != 0; n /= 2) {
            make_turns(c->key, c->at, c->turn, n);
            good = byw_advise_propose(&a->kernel[c->kernel], c->key);
        }
    }
    if (st == BYW_OK)
        st = good ? byw_advise_run_proposed(a, diag) : byw_no_memory(diag, "the search");
    for (size_t i = 0; st == BYW_OK && i < count; i++) {
        struct climber *c = &climber[i];
        uint64_t least = c->climbs ? height(a, c) : 0;
        uint32_t best = 0;

        for (uint32_t n = c->turns; n != 0; n /= 2) {
            const struct byw_advise_try *of;

            make_turns(c->key, c->at, c->turn, n);
            of = byw_advise_find(&a->kernel[c->kernel], c->key);
            if (of != NULL && of->cycles < least) {
                least = of->cycles;
                best = n;
            }
        }
        c->climbs = best != 0;
        *climbs = *climbs || c->climbs;
        make_turns(c->key, c->at, c->turn, best);
        strcpy(c->at, c->key);
    }
    return st;
}

/* Places climbers at their starts: each hint (or none) everywhere. */
static bool make_climbers(const struct byw_advise *a, struct climber *climber, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct climber *c = &climber[i];
        uint32_t places;

        c->kernel = (uint32_t)(i % a->kernels);
        places = a->kernel[c->kernel].places;
        c->at = calloc(2, places + 1);
        c->turn = calloc(places + 1, sizeof(*c->turn));
        if (c->at == NULL || c->turn == NULL)
            return false;
        memset(c->at, '0' + (int)(i / a->kernels), places);
        c->key = c->at + places + 1;
    }
    return true;
}

/* Runs the start of the climbers from one start. */
static enum byw_status begin(struct byw_advise *a, struct climber *climber, struct byw_diag *diag)
{
    bool good = true;
    enum byw_status st;

    for (uint32_t k = 0; good && k < a->kernels; k++)
        good = byw_advise_propose(&a->kernel[k], climber[k].at);
    st = good ? byw_advise_run_proposed(a, diag) : byw_no_memory(diag, "the search");
    for (uint32_t k = 0; st == BYW_OK && k < a->kernels; k++) /* stops early if the limit of runs is
                                                                 reached */
        climber[k].climbs = byw_advise_find(&a->kernel[k], climber[k].at) != NULL;
    return st;
}

/* Climbs from every start to a local optimum, one step of each in turn, because --runs may end
 * the search early. */
static enum byw_status climb(struct byw_advise *a, struct byw_diag *diag)
{
    const size_t count = (a->options->hints + 1) * a->kernels;
    struct climber *climber = calloc(count, sizeof(*climber));
    bool climbs = true, first = true;
    enum byw_status st = climber != NULL && make_climbers(a, climber, count)
                             ? BYW_OK
                             : byw_no_memory(diag, "the search");

    while (st == BYW_OK && climbs) {
        climbs = false;
        for (size_t i = 0; st == BYW_OK && i < count && a->runs < a->options->most_runs;
             i += a->kernels) {
            if (first)
                st = begin(a, climber + i, diag);
            if (st == BYW_OK)
                st = step(a, climber + i, &climbs, diag);
        }
        first = false;
        if (st == BYW_OK)
            unite(climber, count);
    }
    for (uint32_t k = 0; st == BYW_OK && k < a->kernels; k++)
        a->kernel[k].complete = a->runs < a->options->most_runs;
    for (size_t i = 0; climber != NULL && i < count; i++) {
        free(climber[i].at);
        free(climber[i].turn);
    }
    free(climber);
    return st;
}

/* Tries every assignment of every kernel. */
static enum byw_status try_all(struct byw_advise *a, struct byw_diag *diag)
{
    for (uint32_t k = 0; k < a->kernels; k++) {
        struct byw_advise_kernel *kernel = &a->kernel[k];
        double count = pow((double)a->options->hints + 1, kernel->places);
        char *key;

        if (count > BYW_ADVISE_EVERY)
            return byw_diag_set(diag, BYW_EINVAL,
                                "--every: kernel %s has %u places, %.0f assignments; expected at "
                                "most %d",
                                kernel->name, kernel->places, count, BYW_ADVISE_EVERY);
        key = strdup(kernel->tried[0].key);
        for (uint32_t n = 1; key != NULL && n < (uint32_t)count; n++) {
            for (uint32_t p = 0; ++key[p] > '0' + (char)a->options->hints; p++)
                key[p] = '0';
            if (!byw_advise_propose(kernel, key))
                return byw_no_memory(diag, "the search");
        }
        if (key == NULL)
            return byw_no_memory(diag, "the search");
        free(key);
    }
    return byw_advise_run_proposed(a, diag);
}

/* --- the advice ----------------------------------------------------------------------------- */

static uint32_t advised(const char *key)
{
    uint32_t n = 0;

    for (; *key != '\0'; key++)
        n += *key != '0';
    return n;
}

/* Orders by cycles, then by number of places, then by age. */
static const struct byw_advise_try *best_of(const struct byw_advise_kernel *k)
{
    const struct byw_advise_try *best = &k->tried[0];

    for (size_t i = 1; i < k->count; i++) {
        const struct byw_advise_try *of = &k->tried[i];

        if (of->cycles < best->cycles ||
            (of->cycles == best->cycles && advised(of->key) < advised(best->key)))
            best = of;
    }
    return best;
}

/* A kernel's best assignment, and its places in order of the loss without them. */
struct taking {
    char *best, *key;
    struct turn *turn; /* changes to no hint, the most costly first */
    uint32_t turns;
};

static void prefix(const struct taking *t, uint32_t n)
{
    memset(t->key, '0', strlen(t->best));
    for (uint32_t i = 0; i < n; i++)
        t->key[t->turn[i].place] = t->best[t->turn[i].place];
}

static enum byw_status propose_losses(struct byw_advise *a, struct taking *taking,
                                      struct byw_diag *diag)
{
    for (uint32_t k = 0; k < a->kernels; k++) {
        struct byw_advise_kernel *kernel = &a->kernel[k];
        struct taking *t = &taking[k];

        t->best = strdup(best_of(kernel)->key);
        t->key = strdup(kernel->tried[0].key);
        t->turn = calloc(kernel->places + 1, sizeof(*t->turn));
        if (t->best == NULL || t->key == NULL || t->turn == NULL)
            return byw_no_memory(diag, "the search");
        for (uint32_t p = 0; p < kernel->places; p++) {
            strcpy(t->key, t->best);
            t->key[p] = '0';
            if (t->best[p] != '0' && !byw_advise_propose(kernel, t->key))
                return byw_no_memory(diag, "the search");
        }
    }
    return byw_advise_run_proposed(a, diag);
}

static enum byw_status propose_prefixes(struct byw_advise *a, struct taking *taking,
                                        struct byw_diag *diag)
{
    for (uint32_t k = 0; k < a->kernels; k++) {
        struct byw_advise_kernel *kernel = &a->kernel[k];
        struct taking *t = &taking[k];

        for (uint32_t p = 0; p < kernel->places; p++) {
            const struct byw_advise_try *of;

            strcpy(t->key, t->best);
            t->key[p] = '0';
            of = byw_advise_find(kernel, t->key);
            if (t->best[p] != '0') /* turns with the fewest cycles sort first: here the most
                                      valuable place */
                t->turn[t->turns++] = (struct turn){
                    .place = p, .cycles = of != NULL ? UINT64_MAX - of->cycles : UINT64_MAX};
        }
        qsort(t->turn, t->turns, sizeof(*t->turn), by_cycles);
        for (uint32_t n = 1; n < t->turns; n++) {
            prefix(t, n);
            if (!byw_advise_propose(kernel, t->key))
                return byw_no_memory(diag, "the search");
        }
    }
    return byw_advise_run_proposed(a, diag);
}

/* Smallest saving, in cycles, that is worth a hint. */
static uint64_t worth_of(const struct byw_advise *a, uint32_t k)
{
    return (uint64_t)(a->options->least * (double)a->kernel[k].tried[0].cycles / 100.0);
}

/* Percent of the kernel's cycles that one assignment saves compared with another. */
static struct byw_spread saved(const struct byw_advise *a, uint32_t k,
                               const struct byw_advise_try *before,
                               const struct byw_advise_try *after)
{
    return byw_advise_saved(a->kernel[k].tried[0].of_run, before->of_run, after->of_run, a->repeat);
}

/* The number of places in the shortest prefix of the best assignment whose cycles are within the
 * limit of those of all its places, or differ from them only by noise. */
static uint32_t fewest(const struct byw_advise *a, uint32_t k, struct taking *t)
{
    const struct byw_advise_try *best = byw_advise_find(&a->kernel[k], t->best);

    for (uint32_t n = 0; n < t->turns; n++) {
        const struct byw_advise_try *of;

        prefix(t, n);
        of = byw_advise_find(&a->kernel[k], t->key);
        if (of != NULL && (of->cycles <= best->cycles + worth_of(a, k) ||
                           byw_spread_undecided(saved(a, k, of, best), 0.0)))
            return n;
    }
    return t->turns;
}

/* The first `taken` places of the best assignment become the advice. */
static void take(struct byw_advise *a, uint32_t k, struct taking *t, uint32_t taken)
{
    struct byw_advise_kernel *kernel = &a->kernel[k];

    for (uint32_t n = 0; n < t->turns; n++) {
        struct byw_advise_place *place = &a->place[kernel->first + t->turn[n].place];
        const struct byw_advise_try *of, *above;

        prefix(t, n);
        above = n < taken ? &kernel->tried[0] : byw_advise_find(kernel, t->key);
        prefix(t, n + 1);
        of = byw_advise_find(kernel, t->key);
        place->rank = n < taken ? n + 1 : 0;
        if (of != NULL && above != NULL)
            place->gain = saved(a, k, above, of);
        place->noise =
            n >= taken && place->gain.mean > 0.0 && byw_spread_undecided(place->gain, 0.0)
                ? t->best[t->turn[n].place]
                : 0;
    }
    prefix(t, taken);
    strcpy(kernel->chosen, t->key);
}

/* Runs all kernels with the chosen places, and with all places of the best assignments: so far each
 * kernel was run while the others had arbitrary assignments. Takes all places if the chosen ones
 * cost more than is allowed, and more than noise. */
static enum byw_status settle(struct byw_advise *a, struct taking *taking, struct byw_diag *diag)
{
    const char **key = calloc(2 * (size_t)a->kernels, sizeof(*key));
    json_t *result[2 * BYW_REPEAT_MOST] = {NULL};
    struct byw_advise_cycles fewer, all;
    uint64_t worth = 0;
    enum byw_status st;

    for (uint32_t k = 0; key != NULL && k < a->kernels; k++) {
        key[k] = a->kernel[k].chosen;
        key[a->kernels + k] = taking[k].best;
    }
    st = key != NULL ? byw_advise_run(a, key, 2, false, result, diag)
                     : byw_no_memory(diag, "the search");
    for (uint32_t k = 0; k < a->kernels; k++)
        worth += worth_of(a, k);
    if (st == BYW_OK) {
        fewer = byw_advise_cycles(result, a->repeat, NULL);
        all = byw_advise_cycles(result + a->repeat, a->repeat, NULL);
        if (fewer.mean > all.mean + worth &&
            !byw_spread_undecided(
                byw_advise_saved(fewer.of_run, fewer.of_run, all.of_run, a->repeat), 0.0))
            for (uint32_t k = 0; k < a->kernels; k++)
                take(a, k, &taking[k], taking[k].turns);
    }
    for (uint32_t r = 0; r < 2 * a->repeat; r++)
        json_decref(result[r]);
    free(key);
    return st;
}

static enum byw_status choose(struct byw_advise *a, struct byw_diag *diag)
{
    struct taking *taking = calloc(a->kernels, sizeof(*taking));
    enum byw_status st =
        taking != NULL ? propose_losses(a, taking, diag) : byw_no_memory(diag, "the search");
    bool fewer = false;

    if (st == BYW_OK)
        st = propose_prefixes(a, taking, diag);
    for (uint32_t k = 0; st == BYW_OK && k < a->kernels; k++) {
        uint32_t taken = fewest(a, k, &taking[k]);

        a->kernel[k].chosen = strdup(a->kernel[k].tried[0].key);
        if (a->kernel[k].chosen == NULL)
            st = byw_no_memory(diag, "the search");
        else
            take(a, k, &taking[k], taken);
        fewer = fewer || taken < taking[k].turns;
    }
    if (st == BYW_OK && fewer && a->kernels > 1)
        st = settle(a, taking, diag);
    for (uint32_t k = 0; taking != NULL && k < a->kernels; k++) {
        free(taking[k].best);
        free(taking[k].key);
        free(taking[k].turn);
    }
    free(taking);
    return st;
}

/* --- the whole ------------------------------------------------------------------------------ */

/* Expected runs of the search: a step from each start, then the losses and the prefixes. */
static uint64_t plan(const struct byw_advise *a)
{
    double places = 0, runs;

    for (uint32_t k = 0; k < a->kernels; k++)
        places = fmax(places, a->kernel[k].places);
    if (a->options->every)
        runs = 2 + pow((double)a->options->hints + 1, places);
    else
        runs = 4 +
               (double)(a->options->hints + 1) *
                   (1 + places * (double)a->options->hints + log2(places + 1)) +
               2 * places;
    return (uint64_t)fmin(runs, (double)a->options->most_runs + 1);
}

enum byw_status byw_advise_search(struct byw_advise *a, struct byw_diag *diag)
{
    enum byw_status st;

    a->planned = plan(a);
    st = byw_advise_run_base(a, diag);

    if (st == BYW_OK && a->options->every)
        st = try_all(a, diag);
    else if (st == BYW_OK)
        st = climb(a, diag);
    if (st == BYW_OK)
        st = choose(a, diag);
    if (st == BYW_OK)
        st = byw_advise_run_chosen(a, diag);
    if (st == BYW_ESTUCK && a->kernel[0].count != 0 && !byw_advise_stop_here(a))
        st = byw_no_memory(diag, "the advice");
    return st;
}
