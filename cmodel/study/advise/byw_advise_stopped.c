/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_advise_stopped.c - the advice of a search that was stopped: the best assignment of each
 * kernel so far, as if the kernels were independent, because nothing more is run.
 */
#include <stdlib.h>
#include <string.h>

#include "sim/sm/byw_load_advice.h"
#include "study/advise/byw_advise_state.h"

static const struct byw_advise_try *best_so_far(const struct byw_advise *a,
                                                const struct byw_advise_kernel *k)
{
    const struct byw_advise_try *none = &k->tried[0], *best = none;
    struct byw_spread gain;

    for (size_t i = 1; i < k->count; i++)
        if (k->tried[i].cycles < best->cycles)
            best = &k->tried[i];
    gain = byw_advise_saved(none->of_run, none->of_run, best->of_run, a->repeat);
    return gain.mean < a->options->least || byw_spread_undecided(gain, 0.0) ? none : best;
}

/* The places of the assignment become the advice, in the order of the code. Their single gains are
 * not known. */
static bool choose(struct byw_advise *a, struct byw_advise_kernel *k,
                   const struct byw_advise_try *best)
{
    uint32_t rank = 0;

    free(k->chosen);
    k->chosen = strdup(best->key);
    k->complete = false;
    for (uint32_t p = 0; p < k->places; p++) {
        struct byw_advise_place *place = &a->place[k->first + p];

        place->noise = 0;
        place->rank = best->key[p] != '0' ? ++rank : 0;
        place->gain = (struct byw_spread){.count = 0};
    }
    return k->chosen != NULL;
}

/* Sets the cycles of a kernel in a result: all of them in its first launch. */
static int64_t set_cycles(json_t *result, const char *kernel, uint64_t cycles)
{
    int64_t saved = -(int64_t)cycles;
    bool first = true;
    json_t *launch;
    size_t i;

    json_array_foreach(json_object_get(result, "per_kernel"), i, launch)
    {
        if (strcmp(byw_result_text(launch, "name"), kernel) != 0)
            continue;
        saved += (int64_t)byw_result_number(launch, "cycles");
        json_object_set_new(launch, "cycles", json_integer(first ? (json_int_t)cycles : 0));
        first = false;
    }
    return saved;
}

bool byw_advise_stop_here(struct byw_advise *a)
{
    a->stopped = true;
    for (uint32_t r = 0; r < a->repeat; r++) {
        json_decref(a->advised[r]);
        a->advised[r] = json_deep_copy(a->base[r]);
        if (a->advised[r] == NULL)
            return false;
    }
    for (uint32_t k = 0; k < a->kernels; k++) {
        struct byw_advise_kernel *kernel = &a->kernel[k];
        const struct byw_advise_try *best = best_so_far(a, kernel);

        if (!choose(a, kernel, best))
            return false;
        for (uint32_t r = 0; r < a->repeat; r++) {
            json_int_t all = (json_int_t)byw_result_number(a->advised[r], "cycles");

            all -= set_cycles(a->advised[r], kernel->name, best->of_run[r]);
            json_object_set_new(a->advised[r], "cycles", json_integer(all));
        }
    }
    return true;
}
