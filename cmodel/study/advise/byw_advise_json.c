/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_advise_json.c - the report as JSON; table, page and advice file are generated from it.
 */
#include <stdlib.h>
#include <string.h>

#include "common/byw_text.h"
#include "sim/sm/byw_load_advice.h"
#include "study/advise/byw_advise_state.h"
#include "study/advise/byw_advise_waits.h"
#include "trace/byw_kernel_name.h"

static double share(uint64_t part, uint64_t whole)
{
    return whole == 0 ? 0.0 : (double)part / (double)whole;
}

/* Sets a member to text that may hold any bytes. */
static bool put_text(json_t *object, const char *name, const char *text)
{
    char printable[BYW_TEXT_GROWTH * BYW_SOURCE_LINE];

    byw_text_printable(text, printable, sizeof(printable));
    return json_object_set_new(object, name, json_string(printable)) == 0;
}

/* Sets the member NAME to a gain; for repeated runs also its deviation and whether it is within the
 * noise. */
static void put_gain(json_t *object, const char *name, struct byw_spread gain)
{
    char more[64];

    json_object_set_new(object, name, json_real(gain.mean));
    if (gain.count < 2)
        return;
    snprintf(more, sizeof(more), "%s_sd", name);
    json_object_set_new(object, more, json_real(gain.sd));
    json_object_set_new(object, "within_noise", json_boolean(byw_spread_undecided(gain, 0.0)));
}

/* Sets cycles before and with the advice, and the gain. */
static void put_pair(json_t *object, const struct byw_advise_cycles *before,
                     const struct byw_advise_cycles *after)
{
    json_object_set_new(object, "cycles", json_integer((json_int_t)before->mean));
    json_object_set_new(object, "advised_cycles", json_integer((json_int_t)after->mean));
    put_gain(object, "gain",
             byw_advise_saved(before->of_run, before->of_run, after->of_run, before->runs));
}

void byw_advise_put_cycles(json_t *object, json_t *const *before, json_t *const *after,
                           uint32_t runs, const char *kernel)
{
    const struct byw_advise_cycles without = byw_advise_cycles(before, runs, kernel);
    const struct byw_advise_cycles with = byw_advise_cycles(after, runs, kernel);

    put_pair(object, &without, &with);
}

/* --- a place -------------------------------------------------------------------------------- */

/* Sums over the loads of a place. */
struct sums {
    uint64_t accesses, lanes, lines, transactions, found, reused;
};

static struct sums sums_of(const struct byw_advise *a, const struct byw_advise_place *p)
{
    struct sums s = {0};

    for (uint32_t i = 0; i < p->count; i++) {
        const struct byw_advise_load *l = &a->load[p->first + i];

        s.accesses += l->accesses;
        s.lanes += l->lanes;
        s.lines += l->lines;
        s.transactions += l->transactions;
        s.found += l->found;
        s.reused += l->reused;
    }
    return s;
}

/* Text of the source, and its replacement or the reason why there is none. */
static bool put_source(const struct byw_advise *a, const struct byw_advise_place *p, uint8_t hint,
                       bool last, json_t *json)
{
    const struct byw_advise_load *load = &a->load[p->first];
    const char *kernel = a->kernel[p->kernel].name;
    char text[BYW_SOURCE_LINE], name[BYW_SOURCE_NAME], type[BYW_SOURCE_NAME];
    char expression[BYW_SOURCE_LINE], written[2 * BYW_SOURCE_LINE], why[BYW_SOURCE_LINE];
    bool has_line = byw_advise_line(&a->source, kernel, load->line, text), good = true;
    bool has_name = byw_advise_parameter(&a->source, kernel, load->argument, name, type);
    const uint32_t compute = a->job->config->machine_compute;
    size_t at, length, sign;

    if (has_line)
        good = put_text(json, "text", text);
    if (has_name)
        good = good && put_text(json, "name", name);
    if (hint != BYW_HINT_NONE &&
        byw_advise_written(BYW_ADVISE_PTX, hint, compute, last, "", "", written, sizeof(written)))
        good = good && put_text(json, byw_advise_language(BYW_ADVISE_PTX), written);
    if (byw_advise_obstacle(&a->source, kernel, load->line, load->argument, why))
        return good && put_text(json, "obstacle", why);
    if (!byw_advise_expression(text, name, type, 0, &at, &length))
        byw_advise_update(text, name, &at, &length, &sign);
    snprintf(expression, sizeof(expression), "%.*s", (int)length, text + at);
    good = good && put_text(json, "expression", expression) && put_text(json, "type", type);
    for (int l = 0; good && hint != BYW_HINT_NONE && l < BYW_ADVISE_LANGUAGES; l++)
        if (l != BYW_ADVISE_PTX &&
            byw_advise_written((enum byw_advise_language)l, hint, compute, last, expression, type,
                               written, sizeof(written)))
            good = put_text(json, byw_advise_language((enum byw_advise_language)l), written);
    return good;
}

/* The saving of an assignment compared with no advice, in percent of the kernel's cycles. */
static struct byw_spread saved(const struct byw_advise *a, const struct byw_advise_kernel *k,
                               const struct byw_advise_try *of)
{
    return byw_advise_saved(k->tried[0].of_run, k->tried[0].of_run, of->of_run, a->repeat);
}

/* The effect of each hint alone on the kernel. */
static json_t *effects(const struct byw_advise *a, uint32_t index)
{
    const struct byw_advise_kernel *k = &a->kernel[a->place[index].kernel];
    char *key = strdup(k->tried[0].key);
    json_t *json = json_object();

    for (size_t v = 0; json != NULL && key != NULL && v < a->options->hints; v++) {
        const struct byw_advise_try *of;

        key[index - k->first] = (char)('1' + v);
        of = byw_advise_find(k, key);
        if (of != NULL) {
            json_t *effect = json_pack("{s:I}", "cycles", (json_int_t)of->cycles);

            put_gain(effect, "gain", saved(a, k, of));
            json_object_set_new(json, byw_load_hint_word(a->options->hint[v]), effect);
        }
    }
    free(key);
    return json;
}

static const char *hint_of(const struct byw_advise *a, char value)
{
    return byw_load_hint_word(value == '0' ? (uint8_t)BYW_HINT_NONE
                                           : a->options->hint[value - '1']);
}

/* Rank, hint and gain of an advised place; hint and gain of a place whose gain is within the
 * noise. */
static void put_advice(const struct byw_advise *a, const struct byw_advise_place *p, char value,
                       json_t *json)
{
    if (p->rank != 0) {
        json_object_set_new(json, "rank", json_integer(p->rank));
        json_object_set_new(json, "advice", json_string(hint_of(a, value)));
        if (p->gain.count != 0)
            put_gain(json, "gain_with_above", p->gain);
        else
            json_object_set_new(json, "gain_with_above", json_null());
    }
    if (p->noise != 0)
        json_object_set_new(json, "noise",
                            json_pack("{s:s, s:f, s:f}", "hint", hint_of(a, p->noise), "gain",
                                      p->gain.mean, "gain_sd", p->gain.sd));
}

static json_t *place_json(const struct byw_advise *a, uint32_t index)
{
    const struct byw_advise_place *p = &a->place[index];
    const struct byw_advise_kernel *k = &a->kernel[p->kernel];
    const struct byw_advise_load *load = &a->load[p->first];
    const struct sums s = sums_of(a, p);
    const char value = k->chosen[index - k->first];
    uint8_t hint = value == '0' ? (uint8_t)BYW_HINT_NONE : a->options->hint[value - '1'];
    json_t *pcs = json_array(), *json;
    bool last = s.reused == 0;

    for (uint32_t i = 0; i < p->count; i++)
        json_array_append_new(pcs, json_integer(a->load[p->first + i].pc));
    json = json_pack("{s:I, s:I, s:I, s:o, s:I, s:f, s:f, s:I, s:f, s:f, s:o}", "line",
                     (json_int_t)load->line, "argument", (json_int_t)load->argument, "width",
                     (json_int_t)load->width, "pcs", pcs, "accesses", (json_int_t)s.accesses,
                     "lanes_per_access", share(s.lanes, s.accesses), "lines_per_access",
                     share(s.lines, s.accesses), "transactions", (json_int_t)s.transactions,
                     "hit_rate", share(s.found, s.transactions), "reuse",
                     share(s.reused, s.transactions), "alone", effects(a, index));
    if (json == NULL)
        return NULL;
    put_advice(a, p, value, json);
    if (!put_source(a, p, hint, last, json)) {
        json_decref(json);
        return NULL;
    }
    return json;
}

/* --- a kernel ------------------------------------------------------------------------------- */

static uint64_t ctas_of(const struct byw_kernel *k)
{
    return (uint64_t)k->grid[0] * k->grid[1] * k->grid[2];
}

/* Launches whose CTAs have the same shape and whose number differs by less than a factor of two. */
static bool same_class(const struct byw_kernel *a, const struct byw_kernel *b)
{
    return memcmp(a->block, b->block, sizeof(a->block)) == 0 &&
           63 - __builtin_clzll(ctas_of(a)) == 63 - __builtin_clzll(ctas_of(b));
}

static const struct byw_kernel *launch_of(const struct byw_advise *a, uint32_t i)
{
    return &a->info.launch[a->launch[i]].kernel;
}

/* Adds a launch to the cycles of each run. */
static void add_launch(struct byw_advise_cycles *cycles, json_t *const *result, uint32_t launch)
{
    uint64_t sum = 0;

    for (uint32_t r = 0; r < cycles->runs; r++) {
        cycles->of_run[r] += (uint64_t)byw_result_number(
            json_array_get(json_object_get(result[r], "per_kernel"), launch), "cycles");
        sum += cycles->of_run[r];
    }
    cycles->mean = (sum + cycles->runs / 2) / cycles->runs;
}

static json_t *class_json(const struct byw_advise *a, uint32_t first)
{
    const struct byw_kernel *kernel = launch_of(a, first);
    struct byw_advise_cycles before = {.runs = a->repeat}, after = before;
    uint64_t least = UINT64_MAX, most = 0;
    uint32_t launches = 0;
    json_t *json;

    for (uint32_t i = first; i < a->launches; i++) {
        const struct byw_kernel *other = launch_of(a, i);
        uint64_t ctas = ctas_of(other);

        if (strcmp(other->name, kernel->name) != 0 || !same_class(kernel, other))
            continue;
        launches++;
        least = ctas < least ? ctas : least;
        most = ctas > most ? ctas : most;
        add_launch(&before, a->base, i);
        add_launch(&after, a->advised, i);
    }
    json = json_pack("{s:I, s:I, s:I, s:[I,I,I]}", "launches", (json_int_t)launches, "least_ctas",
                     (json_int_t)least, "most_ctas", (json_int_t)most, "block",
                     (json_int_t)kernel->block[0], (json_int_t)kernel->block[1],
                     (json_int_t)kernel->block[2]);
    put_pair(json, &before, &after);
    return json;
}

static json_t *classes_json(const struct byw_advise *a, const char *kernel)
{
    json_t *list = json_array();

    for (uint32_t i = 0; list != NULL && i < a->launches && !a->stopped; i++) {
        const struct byw_kernel *own = launch_of(a, i);
        bool seen = strcmp(own->name, kernel) != 0;

        for (uint32_t j = 0; j < i && !seen; j++)
            seen = strcmp(launch_of(a, j)->name, kernel) == 0 && same_class(own, launch_of(a, j));
        if (!seen)
            json_array_append_new(list, class_json(a, i));
    }
    return list;
}

static json_t *places_json(const struct byw_advise *a, const struct byw_advise_kernel *k)
{
    json_t *list = json_array();

    for (uint32_t rank = 1; list != NULL && rank <= k->places; rank++)
        for (uint32_t p = 0; p < k->places; p++)
            if (a->place[k->first + p].rank == rank)
                json_array_append_new(list, place_json(a, k->first + p));
    for (uint32_t p = 0; list != NULL && p < k->places; p++)
        if (a->place[k->first + p].rank == 0)
            json_array_append_new(list, place_json(a, k->first + p));
    return list;
}

/* The assignment with the fewest cycles. */
static const struct byw_advise_try *best_of(const struct byw_advise_kernel *k)
{
    const struct byw_advise_try *best = &k->tried[0];

    for (size_t i = 1; i < k->count; i++)
        best = k->tried[i].cycles < best->cycles ? &k->tried[i] : best;
    return best;
}

static json_t *kernel_json(const struct byw_advise *a, const struct byw_advise_kernel *k)
{
    const struct byw_advise_try *best = best_of(k);
    uint64_t before = k->tried[0].cycles;
    char title[BYW_KERNEL_NAME_ROOM];
    uint32_t taken = 0;
    json_t *json, *waits;

    for (uint32_t p = 0; p < k->places; p++)
        taken += k->chosen[p] != '0';
    byw_kernel_name(k->name, title);
    json = json_pack("{s:s, s:s, s:I, s:I, s:f, s:I}", "name", k->name, "title", title, "stamp",
                     (json_int_t)k->stamp, "launches", (json_int_t)k->launches, "share",
                     share(before, byw_advise_cycles(a->base, a->repeat, NULL).mean), "best_cycles",
                     (json_int_t)best->cycles);
    if (a->repeat > 1)
        put_gain(json, "best_gain", saved(a, k, best));
    byw_advise_put_cycles(json, a->base, a->advised, a->repeat, k->name);
    json_object_update_new(json,
                           json_pack("{s:I, s:b, s:I, s:o, s:o}", "tried", (json_int_t)k->count,
                                     "complete", k->complete, "taken", (json_int_t)taken, "classes",
                                     classes_json(a, k->name), "places", places_json(a, k)));
    waits = byw_advise_waits(a->base[0], k->name);
    if (waits != NULL)
        json_object_set_new(json, "waits", waits);
    return json;
}

/* A kernel and the cycles that its advice saves. */
struct saving {
    uint32_t kernel;
    int64_t cycles;
};

/* Largest saving first, then in the order of launches. */
static int by_saving(const void *a, const void *b)
{
    const struct saving *x = a, *y = b;

    if (x->cycles != y->cycles)
        return x->cycles > y->cycles ? -1 : 1;
    return x->kernel < y->kernel ? -1 : 1;
}

/* NULL: no memory. */
static json_t *kernels_json(const struct byw_advise *a)
{
    struct saving *saving = calloc(a->kernels, sizeof(*saving));
    json_t *list = saving != NULL ? json_array() : NULL;

    for (uint32_t k = 0; list != NULL && k < a->kernels; k++)
        saving[k] = (struct saving){
            k, (int64_t)a->kernel[k].tried[0].cycles -
                   (int64_t)byw_advise_cycles(a->advised, a->repeat, a->kernel[k].name).mean};
    if (list != NULL)
        qsort(saving, a->kernels, sizeof(*saving), by_saving);
    for (uint32_t k = 0; list != NULL && k < a->kernels; k++)
        if (json_array_append_new(list, kernel_json(a, &a->kernel[saving[k].kernel])) != 0) {
            json_decref(list);
            list = NULL;
        }
    free(saving);
    return list;
}

/* How reliable a predicted gain is on the machine: the model's error, the gain's interval, and
 * whether that is above 0. */
static json_t *promise_json(const struct byw_advise *a, double gain)
{
    const struct byw_config *config = a->job->config;
    double error = (double)config->machine_gain_error;

    if (error <= 0.0)
        return json_pack("{s:s, s:n, s:n, s:n, s:b}", "title", config->machine_title, "error",
                         "low", "high", "holds", 0);
    return json_pack("{s:s, s:f, s:f, s:f, s:b}", "title", config->machine_title, "error", error,
                     "low", gain - error, "high", gain + error, "holds", gain > error);
}

/* The runs of each assignment, as in a repeated result (study/job/byw_repeat.h), with the program's
 * cycles in each. */
static json_t *repeat_json(const struct byw_advise *a)
{
    const struct byw_advise_cycles base = byw_advise_cycles(a->base, a->repeat, NULL);
    const struct byw_advise_cycles with = byw_advise_cycles(a->advised, a->repeat, NULL);
    json_t *seeds = json_array(), *before = json_array(), *after = json_array();

    for (uint32_t r = 0; r < a->repeat; r++) {
        json_array_append_new(seeds, json_integer(a->job->config->noise_seed + r + 1));
        json_array_append_new(before, json_integer((json_int_t)base.of_run[r]));
        json_array_append_new(after, json_integer((json_int_t)with.of_run[r]));
    }
    return json_pack("{s:I, s:o, s:o, s:o}", "runs", (json_int_t)a->repeat, "seeds", seeds,
                     "cycles", before, "advised_cycles", after);
}

/* How far a stopped search was, in assignments. */
static json_t *stopped_json(const struct byw_advise *a)
{
    size_t done = 0;

    for (uint32_t k = 0; k < a->kernels; k++)
        done = a->kernel[k].count > done ? a->kernel[k].count : done;
    return json_pack("{s:I, s:I}", "done", (json_int_t)done, "planned", (json_int_t)a->planned);
}

json_t *byw_advise_json(const struct byw_advise *a)
{
    json_t *json, *hints = json_array();

    for (size_t v = 0; v < a->options->hints; v++)
        json_array_append_new(hints, json_string(byw_load_hint_word(a->options->hint[v])));
    json = json_pack("{s:s, s:s, s:s, s:s, s:o, s:s, s:f, s:I}", "schema", BYW_ADVISE_SCHEMA,
                     "workload", a->job->workload, "machine", a->job->machine, "policy",
                     a->job->policy, "hints", hints, "by", a->options->by_load ? "load" : "line",
                     "least", a->options->least, "runs", (json_int_t)a->runs);
    if (a->stopped)
        json_object_set_new(json, "stopped", stopped_json(a));
    if (a->repeat > 1)
        json_object_set_new(json, "repeat", repeat_json(a));
    byw_advise_put_cycles(json, a->base, a->advised, a->repeat, NULL);
    json_object_set_new(json, "promise", promise_json(a, byw_result_number(json, "gain")));
    if (json_object_set_new(json, "kernels", kernels_json(a)) == 0)
        return json;
    json_decref(json);
    return NULL;
}
