/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_advise_mpache.c - Mpache on a program: graphs, affinities by simulation, its choice and the
 * paper's alternatives, each simulated.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/byw_array.h"
#include "study/advise/byw_advise_state.h"
#include "trace/byw_kernel_name.h"

/* A kernel's interaction graph; loads in the order of the code. */
struct graph {
    uint32_t loads, groups;
    uint32_t *place; /* index of a load's place in the kernel */
    struct byw_mpache_load *load;
    uint32_t *group;
    double (*load_affinity)[BYW_MPACHE_MODES], (*group_affinity)[BYW_MPACHE_MODES];
    uint32_t *barrier, barriers; /* PCs of barriers */
    size_t room;
    int8_t *policy;
    char *key;
};

enum kind { KIND_SELECT, KIND_PASS, KIND_LIANG };

/* The schemes that the paper compares; modes: those that a scheme may use. The result is the choice
 * of the last scheme. */
static const struct scheme {
    const char *name;
    enum kind kind;
    bool mode[BYW_MPACHE_MODES];
    bool as_printed; /* the paper's algorithm without byw_mpache_params.guard */
} schemes[] = {
    {"PassL2", KIND_PASS, {true, false}, false},
    {"PassL0/1", KIND_PASS, {false, true}, false},
    {"Liang", KIND_LIANG, {false, true}, false},
    {"SelectL2", KIND_SELECT, {true, false}, false},
    {"SelectL0/1", KIND_SELECT, {false, true}, false},
    {"as printed", KIND_SELECT, {true, true}, true},
    {"Mpache", KIND_SELECT, {true, true}, false},
};

enum { SCHEMES = sizeof(schemes) / sizeof(schemes[0]), MPACHE = SCHEMES - 1 };

static void release(struct graph *g)
{
    free(g->place);
    free(g->load);
    free(g->group);
    free(g->load_affinity);
    free(g->group_affinity);
    free(g->barrier);
    free(g->policy);
    free(g->key);
}

/* --- graphs --------------------------------------------------------------------------------- */

static bool add_barrier(struct graph *g, uint32_t pc)
{
    for (uint32_t i = 0; i < g->barriers; i++)
        if (g->barrier[i] == pc)
            return true;
    if (!BYW_ARRAY_ROOM(g->barrier, g->room, g->barriers + 1))
        return false;
    g->barrier[g->barriers++] = pc;
    return true;
}

static struct graph *graph_of(const struct byw_advise *a, struct graph *graph, const char *name)
{
    for (uint32_t k = 0; k < a->kernels; k++)
        if (strcmp(a->kernel[k].name, name) == 0)
            return &graph[k];
    return NULL;
}

/* Positions of barriers. Reading the first CTA of each launch suffices: it passes every barrier
 * that CTAs of its kind pass. */
static enum byw_status find_barriers(const struct byw_advise *a, struct graph *graph,
                                     struct byw_diag *diag)
{
    const struct byw_kernel *kernel;
    struct byw_trace *trace;
    struct byw_cta cta;
    enum byw_status st = byw_trace_open(a->job->trace, &trace, diag);

    if (st != BYW_OK)
        return st;
    byw_cta_init(&cta);
    while (st == BYW_OK && (st = byw_trace_next_kernel(trace, &kernel, diag)) == BYW_OK) {
        struct graph *g = graph_of(a, graph, kernel->name);

        if (!byw_advise_wants(a, kernel))
            continue;
        st = byw_trace_next_cta(trace, &cta, diag);
        for (uint32_t i = 0; st == BYW_OK && i < cta.inst_count; i++)
            if (cta.inst[i].cls == BYW_CLASS_BARRIER && !add_barrier(g, cta.inst[i].pc))
                st = byw_no_memory(diag, "the interaction graph");
        if (st == BYW_END) /* no CTA of the kernel was traced */
            st = BYW_OK;
    }
    byw_cta_release(&cta);
    byw_trace_close(trace);
    return st == BYW_END ? BYW_OK : st;
}

/* Makes the interaction graph of the kernel's loads, by PC. A place is one load, because --mpache
 * implies --by load. */
static bool make_graph(const struct byw_advise *a, const struct byw_advise_kernel *k,
                       struct graph *g)
{
    size_t n = k->places + 1;

    g->loads = k->places;
    g->place = calloc(n, sizeof(*g->place));
    g->load = calloc(n, sizeof(*g->load));
    g->group = calloc(n, sizeof(*g->group));
    g->load_affinity = calloc(n, sizeof(*g->load_affinity));
    g->group_affinity = calloc(n, sizeof(*g->group_affinity));
    g->policy = calloc(n, 1);
    g->key = calloc(n, 1);
    if (g->place == NULL || g->load == NULL || g->group == NULL || g->load_affinity == NULL ||
        g->group_affinity == NULL || g->policy == NULL || g->key == NULL)
        return false;
    for (uint32_t p = 0; p < g->loads; p++) {
        const struct byw_advise_load *load = &a->load[a->place[k->first + p].first];
        uint32_t at = p;

        for (; at > 0 && g->load[at - 1].pc > load->pc; at--) {
            g->load[at] = g->load[at - 1];
            g->place[at] = g->place[at - 1];
        }
        g->load[at] = (struct byw_mpache_load){load->pc, load->block, load->argument};
        g->place[at] = p;
    }
    g->groups = byw_mpache_groups(g->load, g->loads, g->barrier, g->barriers, g->group);
    return true;
}

/* --- affinities ----------------------------------------------------------------------------- */

static void all_cached(struct graph *g)
{
    memset(g->key, '0', g->loads);
}

/* Key of the assignment in which one group, or one load (group: UINT32_MAX), bypasses in this
 * mode. */
static const char *passing(struct graph *g, uint32_t group, uint32_t load, int mode)
{
    all_cached(g);
    for (uint32_t v = 0; v < g->loads; v++)
        if (group == UINT32_MAX ? v == load : g->group[v] == group)
            g->key[g->place[v]] = (char)('1' + mode);
    return g->key;
}

static enum byw_status run_affinities(struct byw_advise *a, struct graph *graph,
                                      struct byw_diag *diag)
{
    for (uint32_t k = 0; k < a->kernels; k++)
        for (int m = 0; m < BYW_MPACHE_MODES; m++) {
            struct graph *g = &graph[k];
            bool good = true;

            for (uint32_t v = 0; good && v < g->loads; v++)
                good = byw_advise_propose(&a->kernel[k], passing(g, UINT32_MAX, v, m));
            for (uint32_t i = 0; good && i < g->groups; i++)
                good = byw_advise_propose(&a->kernel[k], passing(g, i, 0, m));
            if (!good)
                return byw_no_memory(diag, "the interaction graph");
        }
    return byw_advise_run_proposed(a, diag);
}

static enum byw_status spent(struct byw_diag *diag)
{
    return byw_diag_set(diag, BYW_EINVAL,
                        "--runs: too few for every load and group; expected more");
}

static double gain_of(uint64_t before, uint64_t after)
{
    return byw_advise_saved(&before, &before, &after, 1).mean;
}

static enum byw_status take_affinities(const struct byw_advise *a, struct graph *graph,
                                       struct byw_diag *diag)
{
    for (uint32_t k = 0; k < a->kernels; k++)
        for (int m = 0; m < BYW_MPACHE_MODES; m++) {
            const struct byw_advise_kernel *kernel = &a->kernel[k];
            const uint64_t base = kernel->tried[0].cycles;
            struct graph *g = &graph[k];

            for (uint32_t v = 0; v < g->loads; v++) {
                const struct byw_advise_try *of =
                    byw_advise_find(kernel, passing(g, UINT32_MAX, v, m));

                if (of == NULL)
                    return spent(diag);
                g->load_affinity[v][m] = gain_of(base, of->cycles);
            }
            for (uint32_t i = 0; i < g->groups; i++) {
                const struct byw_advise_try *of = byw_advise_find(kernel, passing(g, i, 0, m));

                if (of == NULL)
                    return spent(diag);
                g->group_affinity[i][m] = gain_of(base, of->cycles);
            }
        }
    return BYW_OK;
}

/* --- choices -------------------------------------------------------------------------------- */

/* Computes a scheme's choice: policy[] by load, and `key`, the assignment. */
static void decide(struct graph *g, const struct scheme *scheme,
                   const struct byw_mpache_params *params)
{
    const struct byw_mpache_graph graph = {g->loads, g->groups, g->group,
                                           (const double(*)[BYW_MPACHE_MODES])g->load_affinity,
                                           (const double(*)[BYW_MPACHE_MODES])g->group_affinity};
    struct byw_mpache_params own = *params;

    memcpy(own.mode, scheme->mode, sizeof(own.mode));
    own.guard = own.guard && !scheme->as_printed;
    if (scheme->kind == KIND_SELECT)
        byw_mpache_select(&graph, &own, g->policy);
    else if (scheme->kind == KIND_LIANG)
        byw_mpache_liang(&graph, 0.0, g->policy);
    else
        memset(g->policy, scheme->mode[1] ? 1 : 0, g->loads);
    all_cached(g);
    for (uint32_t v = 0; v < g->loads; v++)
        if (g->policy[v] != BYW_MPACHE_NONE)
            g->key[g->place[v]] = (char)('1' + g->policy[v]);
}

static json_t *affinity_json(const double affinity[BYW_MPACHE_MODES])
{
    return json_pack("[f,f]", affinity[0], affinity[1]);
}

static json_t *graph_json(const struct byw_advise *a, uint32_t k, struct graph *g)
{
    json_t *loads = json_array(), *groups = json_array(), *results = json_object();
    const struct byw_advise_kernel *kernel = &a->kernel[k];
    char title[BYW_KERNEL_NAME_ROOM];

    for (size_t s = 0; s < SCHEMES; s++) {
        const struct byw_advise_try *of;

        decide(g, &schemes[s], a->options->mpache);
        of = byw_advise_find(kernel, g->key);
        if (of != NULL)
            json_object_set_new(results, schemes[s].name,
                                json_pack("{s:I, s:f}", "cycles", (json_int_t)of->cycles, "speedup",
                                          (double)kernel->tried[0].cycles / (double)of->cycles));
    }
    for (uint32_t v = 0; v < g->loads; v++) { /* the policies are those of the last scheme,
                                                 Mpache's */
        const struct byw_advise_load *load = &a->load[a->place[kernel->first + g->place[v]].first];

        json_array_append_new(
            loads,
            json_pack("{s:I, s:I, s:I, s:I, s:I, s:o, s:i}", "pc", (json_int_t)load->pc, "line",
                      (json_int_t)load->line, "argument", (json_int_t)load->argument, "block",
                      (json_int_t)load->block, "group", (json_int_t)g->group[v], "affinity",
                      affinity_json(g->load_affinity[v]), "mode", (int)g->policy[v]));
    }
    for (uint32_t i = 0; i < g->groups; i++)
        json_array_append_new(groups, affinity_json(g->group_affinity[i]));
    byw_kernel_name(kernel->name, title);
    return json_pack("{s:s, s:s, s:I, s:o, s:o, s:o}", "name", kernel->name, "title", title,
                     "cycles", (json_int_t)kernel->tried[0].cycles, "loads", loads, "groups",
                     groups, "schemes", results);
}

static enum byw_status run_schemes(struct byw_advise *a, struct graph *graph, struct byw_diag *diag)
{
    enum byw_status st;

    for (uint32_t k = 0; k < a->kernels; k++)
        for (size_t s = 0; s < SCHEMES; s++) {
            decide(&graph[k], &schemes[s], a->options->mpache);
            if (!byw_advise_propose(&a->kernel[k], graph[k].key))
                return byw_no_memory(diag, "the interaction graph");
        }
    st = byw_advise_run_proposed(a, diag);
    a->mpache = json_array();
    for (uint32_t k = 0; st == BYW_OK && k < a->kernels; k++)
        if (graph[k].loads != 0 &&
            json_array_append_new(a->mpache, graph_json(a, k, &graph[k])) != 0)
            st = byw_no_memory(diag, "the interaction graph");
    return st;
}

/* --- the levels below ----------------------------------------------------------------------- */

/* Counters of the whole program with a scheme's choice in every kernel. */
static json_t *counters_json(const char *name, const json_t *result)
{
    return json_pack("{s:s, s:f, s:f, s:f}", "scheme", name, "cycles",
                     byw_result_number(result, "cycles"), "l2_hits",
                     byw_result_number(result, "l2.hits"), "dram_requests",
                     byw_result_number(result, "dram.requests"));
}

static enum byw_status run_whole(struct byw_advise *a, struct graph *graph, struct byw_diag *diag)
{
    const char **key = calloc(a->kernels, sizeof(*key));
    enum byw_status st = key != NULL ? BYW_OK : byw_no_memory(diag, "the interaction graph");

    a->schemes = json_array();
    json_array_append_new(a->schemes, counters_json("CacheAll", a->base[0]));
    for (size_t s = 0; st == BYW_OK && s < SCHEMES; s++) {
        json_t *result = NULL;

        for (uint32_t k = 0; k < a->kernels; k++) {
            decide(&graph[k], &schemes[s], a->options->mpache);
            key[k] = graph[k].key;
        }
        st = byw_advise_run(a, key, 1, false, &result, diag);
        if (st == BYW_OK)
            json_array_append_new(a->schemes, counters_json(schemes[s].name, result));
        json_decref(result);
    }
    free(key);
    return st;
}

/* --- sensitivity ---------------------------------------------------------------------------- */

static const struct knob {
    const char *name;
    double first, last, step;
} knobs[] = {{"thresh1", 1.0, 2.0, 0.1}, {"thresh2", 1.0, 2.0, 0.1}, {"weight", 0.0, 0.5, 0.1}};

static struct byw_mpache_params turned(const struct byw_advise *a, size_t knob, double value)
{
    struct byw_mpache_params p = *a->options->mpache;

    *(knob == 0 ? &p.thresh1 : knob == 1 ? &p.thresh2 : &p.weight) = value;
    return p;
}

/* Mpache with one parameter changed; adds the kernels' speedups to the list. */
static enum byw_status turn(struct byw_advise *a, struct graph *graph, size_t knob, double value,
                            bool run, struct byw_diag *diag)
{
    const struct byw_mpache_params params = turned(a, knob, value);
    json_t *kernels = json_object();

    for (uint32_t k = 0; k < a->kernels; k++) {
        const struct byw_advise_kernel *kernel = &a->kernel[k];
        const struct byw_advise_try *of;

        decide(&graph[k], &schemes[MPACHE], &params);
        of = byw_advise_find(kernel, graph[k].key);
        if (run && !byw_advise_propose(&a->kernel[k], graph[k].key))
            return byw_no_memory(diag, "the interaction graph");
        if (of != NULL && graph[k].loads != 0)
            json_object_set_new(kernels, kernel->name,
                                json_real((double)kernel->tried[0].cycles / (double)of->cycles));
    }
    if (!run)
        json_array_append_new(a->sweep, json_pack("{s:s, s:f, s:O}", "parameter", knobs[knob].name,
                                                  "value", value, "speedup", kernels));
    json_decref(kernels);
    return BYW_OK;
}

static enum byw_status sweep(struct byw_advise *a, struct graph *graph, struct byw_diag *diag)
{
    enum byw_status st = BYW_OK;

    a->sweep = json_array();
    for (int run = 1; st == BYW_OK && run >= 0; run--) {
        for (size_t i = 0; i < sizeof(knobs) / sizeof(knobs[0]); i++)
            for (int n = 0;
                 st == BYW_OK && knobs[i].first + n * knobs[i].step <= knobs[i].last + 1e-9; n++)
                st = turn(a, graph, i, knobs[i].first + n * knobs[i].step, run != 0, diag);
        if (st == BYW_OK && run != 0)
            st = byw_advise_run_proposed(a, diag);
    }
    return st;
}

/* --- the whole ------------------------------------------------------------------------------ */

static enum byw_status choose(struct byw_advise *a, struct graph *graph, struct byw_diag *diag)
{
    for (uint32_t k = 0; k < a->kernels; k++) {
        struct byw_advise_kernel *kernel = &a->kernel[k];
        const struct byw_advise_try *of;
        struct graph *g = &graph[k];
        uint32_t rank = 0;

        decide(g, &schemes[MPACHE], a->options->mpache);
        kernel->chosen = strdup(g->key);
        if (kernel->chosen == NULL)
            return byw_no_memory(diag, "the interaction graph");
        of = byw_advise_find(kernel, g->key);
        if (of == NULL)
            return spent(diag);
        for (uint32_t v = 0; v < g->loads; v++)
            if (g->policy[v] != BYW_MPACHE_NONE) {
                a->place[kernel->first + g->place[v]].rank = ++rank;
                a->place[kernel->first + g->place[v]].gain = byw_advise_saved(
                    kernel->tried[0].of_run, kernel->tried[0].of_run, of->of_run, a->repeat);
            }
    }
    return byw_advise_run_chosen(a, diag);
}

enum byw_status byw_advise_mpache(struct byw_advise *a, struct byw_diag *diag)
{
    struct graph *graph = calloc(a->kernels, sizeof(*graph));
    enum byw_status st =
        graph != NULL ? byw_advise_run_base(a, diag) : byw_no_memory(diag, "the interaction graph");

    if (st == BYW_OK)
        st = find_barriers(a, graph, diag);
    for (uint32_t k = 0; st == BYW_OK && k < a->kernels; k++)
        if (!make_graph(a, &a->kernel[k], &graph[k]))
            st = byw_no_memory(diag, "the interaction graph");
    if (st == BYW_OK)
        st = run_affinities(a, graph, diag);
    if (st == BYW_OK)
        st = take_affinities(a, graph, diag);
    if (st == BYW_OK)
        st = run_schemes(a, graph, diag);
    if (st == BYW_OK && a->options->sweep)
        st = run_whole(a, graph, diag);
    if (st == BYW_OK && a->options->sweep)
        st = sweep(a, graph, diag);
    if (st == BYW_OK)
        st = choose(a, graph, diag);
    for (uint32_t k = 0; graph != NULL && k < a->kernels; k++)
        release(&graph[k]);
    free(graph);
    return st;
}
