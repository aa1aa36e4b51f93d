/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_advise_search.c - the climb, and what is taken of the best.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "study/byw_advise_state.h"

static enum byw_status no_memory(struct byw_diag *diag)
{
    return byw_diag_set(diag, BYW_ENOMEM, "no memory for the search");
}

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

/* The changes of single places that save cycles, the best of each place; returns how many. */
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

/* A kernel on its way up. */
struct climber {
    char *at, *key;
    struct turn *turn;
    uint32_t turns;
    bool climbs;
};

/* One step of all climbers; *climbs: one of them got higher. */
static enum byw_status step(struct byw_advise *a, struct climber *climber, bool *climbs,
                            struct byw_diag *diag)
{
    bool good = true;
    enum byw_status st;

    *climbs = false;
    for (uint32_t k = 0; good && k < a->kernels; k++)
        good = !climber[k].climbs || propose_turns(a, &a->kernel[k], climber[k].at);
    st = good ? byw_advise_run_proposed(a, diag) : no_memory(diag);
    for (uint32_t k = 0; good && st == BYW_OK && k < a->kernels; k++) {
        struct climber *c = &climber[k];

        c->turns = c->climbs ? good_turns(a, &a->kernel[k], c->at, c->turn) : 0;
        for (uint32_t n = c->turns; good && n != 0; n /= 2) {
            make_turns(c->key, c->at, c->turn, n);
            good = byw_advise_propose(&a->kernel[k], c->key);
        }
    }
    if (st == BYW_OK)
        st = good ? byw_advise_run_proposed(a, diag) : no_memory(diag);
    for (uint32_t k = 0; st == BYW_OK && k < a->kernels; k++) {
        struct climber *c = &climber[k];
        uint64_t least = byw_advise_find(&a->kernel[k], c->at)->cycles;
        uint32_t best = 0;

        for (uint32_t n = c->turns; n != 0; n /= 2) {
            const struct byw_advise_try *of;

            make_turns(c->key, c->at, c->turn, n);
            of = byw_advise_find(&a->kernel[k], c->key);
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

/* From `value` everywhere to the tops of the hills. */
static enum byw_status climb(struct byw_advise *a, char value, struct byw_diag *diag)
{
    struct climber *climber = calloc(a->kernels, sizeof(*climber));
    bool climbs = true, good = climber != NULL;
    enum byw_status st;

    for (uint32_t k = 0; good && k < a->kernels; k++) {
        uint32_t places = a->kernel[k].places;
        struct climber *c = &climber[k];

        c->at = calloc(2, places + 1);
        c->turn = calloc(places + 1, sizeof(*c->turn));
        good = c->at != NULL && c->turn != NULL;
        if (!good)
            break;
        memset(c->at, value, places);
        c->key = c->at + places + 1;
        c->climbs = true;
        good = byw_advise_propose(&a->kernel[k], c->at);
    }
    st = good ? byw_advise_run_proposed(a, diag) : no_memory(diag);
    for (uint32_t k = 0; st == BYW_OK && k < a->kernels; k++)
        climber[k].climbs = byw_advise_find(&a->kernel[k], climber[k].at) != NULL;
    for (uint32_t k = 0; st == BYW_OK && k < a->kernels; k++)
        if (!climber[k].climbs) /* the runs are spent */
            memset(climber[k].at, '0', a->kernel[k].places);
    while (st == BYW_OK && climbs && a->runs < a->options->most_runs)
        st = step(a, climber, &climbs, diag);
    for (uint32_t k = 0; st == BYW_OK && k < a->kernels; k++)
        a->kernel[k].complete = a->kernel[k].complete && a->runs < a->options->most_runs;
    for (uint32_t k = 0; climber != NULL && k < a->kernels; k++) {
        free(climber[k].at);
        free(climber[k].turn);
    }
    free(climber);
    return st;
}

/* Every assignment of every kernel. */
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
                return no_memory(diag);
        }
        if (key == NULL)
            return no_memory(diag);
        free(key);
    }
    return byw_advise_run_proposed(a, diag);
}

/* --- what is taken -------------------------------------------------------------------------- */

static uint32_t advised(const char *key)
{
    uint32_t n = 0;

    for (; *key != '\0'; key++)
        n += *key != '0';
    return n;
}

/* Fewest cycles, then fewest places, then first. */
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

/* A kernel's best, and the order in which its places would be missed. */
struct taking {
    char *best, *key;
    struct turn *turn; /* to none; most costly first */
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
            return no_memory(diag);
        for (uint32_t p = 0; p < kernel->places; p++) {
            strcpy(t->key, t->best);
            t->key[p] = '0';
            if (t->best[p] != '0' && !byw_advise_propose(kernel, t->key))
                return no_memory(diag);
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
            if (t->best[p] != '0') /* fewer cycles sort first: what is missed most */
                t->turn[t->turns++] = (struct turn){
                    .place = p, .cycles = of != NULL ? UINT64_MAX - of->cycles : UINT64_MAX};
        }
        qsort(t->turn, t->turns, sizeof(*t->turn), by_cycles);
        for (uint32_t n = 1; n < t->turns; n++) {
            prefix(t, n);
            if (!byw_advise_propose(kernel, t->key))
                return no_memory(diag);
        }
    }
    return byw_advise_run_proposed(a, diag);
}

static void take(struct byw_advise *a, uint32_t k, struct taking *t)
{
    struct byw_advise_kernel *kernel = &a->kernel[k];
    const uint64_t base = kernel->tried[0].cycles;
    const double worth = a->options->least * (double)base / 100.0;
    const struct byw_advise_try *best = byw_advise_find(kernel, t->best), *of = NULL;
    uint32_t taken = t->turns;

    for (uint32_t n = 0; n < t->turns && taken == t->turns; n++) {
        prefix(t, n);
        of = byw_advise_find(kernel, t->key);
        if (of != NULL && (double)of->cycles <= (double)best->cycles + worth)
            taken = n;
    }
    for (uint32_t n = 0; n < taken; n++) {
        struct byw_advise_place *place = &a->place[kernel->first + t->turn[n].place];

        prefix(t, n + 1);
        of = byw_advise_find(kernel, t->key);
        place->rank = n + 1;
        place->with_above = of != NULL ? of->cycles : 0;
    }
    prefix(t, taken);
    kernel->chosen = t->key;
    t->key = NULL;
}

static enum byw_status choose(struct byw_advise *a, struct byw_diag *diag)
{
    struct taking *taking = calloc(a->kernels, sizeof(*taking));
    enum byw_status st = taking != NULL ? propose_losses(a, taking, diag) : no_memory(diag);

    if (st == BYW_OK)
        st = propose_prefixes(a, taking, diag);
    for (uint32_t k = 0; st == BYW_OK && k < a->kernels; k++)
        take(a, k, &taking[k]);
    for (uint32_t k = 0; taking != NULL && k < a->kernels; k++) {
        free(taking[k].best);
        free(taking[k].key);
        free(taking[k].turn);
    }
    free(taking);
    return st;
}

/* --- the whole ------------------------------------------------------------------------------ */

enum byw_status byw_advise_search(struct byw_advise *a, struct byw_diag *diag)
{
    enum byw_status st = byw_advise_run_base(a, diag);

    if (st == BYW_OK && a->options->every)
        st = try_all(a, diag);
    for (size_t v = 0; st == BYW_OK && !a->options->every && v <= a->options->hints; v++)
        st = climb(a, (char)('0' + v), diag);
    if (st == BYW_OK)
        st = choose(a, diag);
    return st == BYW_OK ? byw_advise_run_chosen(a, diag) : st;
}
