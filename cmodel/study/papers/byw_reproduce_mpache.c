/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_reproduce_mpache.c - the Mpache paper's experiment: `byway advise --mpache --sweep` on its
 * nine kernels, as metrics.
 *
 *   of a kernel     CacheAll (1) PassL2 PassL01 Liang SelectL2 SelectL01 printed Mpache: speedups
 *   of a program    l2_hits.SCHEME over CacheAll's; loads.N.l2 and .l01: affinities in percent, of
 *                   the kernel of the table
 *   of ALL          atN.thresh1, .thresh2 (N: 10 ... 20), .weight (0 ... 5): mean speedup with the
 *                   parameter at N / 10
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/sm/byw_load_advice.h"
#include "study/advise/byw_advise.h"
#include "study/papers/byw_reproduce_more.h"

static const struct {
    const char *name, *workload, *kernel;
} kernels[] = {
#define X(name, workload, kernel) {name, workload, kernel},
#include "study/advise/byw_mpache_kernels.def"
#undef X
};

enum { KERNELS = sizeof(kernels) / sizeof(kernels[0]), RUNS = 4000 };

static const char *const machine = "rdna2", *const policy = "bl";

const char *byw_more_mpache_workload(size_t i)
{
    return i < KERNELS ? kernels[i].workload : NULL;
}

/* A scheme's name without characters that a metric cannot contain. */
static const char *scheme_name(const char *scheme)
{
    static const char *const other[][2] = {
        {"PassL0/1", "PassL01"}, {"SelectL0/1", "SelectL01"}, {"as printed", "printed"}};

    for (size_t i = 0; i < sizeof(other) / sizeof(other[0]); i++)
        if (strcmp(scheme, other[i][0]) == 0)
            return other[i][1];
    return scheme;
}

/* --- metrics of a report ---------------------------------------------------------------------- */

static json_t *speedups(const json_t *kernel)
{
    json_t *all = json_pack("{s:f}", "CacheAll", 1.0), *value;
    const char *name;

    json_object_foreach(json_object_get(kernel, "schemes"), name, value)
        json_object_set(all, scheme_name(name), json_object_get(value, "speedup"));
    return all;
}

static json_t *loads(const json_t *kernel)
{
    json_t *all = json_object(), *load;
    size_t i;

    json_array_foreach(json_object_get(kernel, "loads"), i, load)
    {
        const json_t *affinity = json_object_get(load, "affinity");
        char name[24];

        snprintf(name, sizeof(name), "%zu", i);
        json_object_set_new(all, name,
                            json_pack("{s:O, s:O}", "l2", json_array_get(affinity, 0), "l01",
                                      json_array_get(affinity, 1)));
    }
    return all;
}

static json_t *l2_hits(const json_t *report)
{
    const json_t *schemes = json_object_get(report, "schemes");
    double base = byw_result_number(json_array_get(schemes, 0), "l2_hits");
    json_t *all = json_object(), *scheme;
    size_t i;

    json_array_foreach(schemes, i, scheme) json_object_set_new(
        all, scheme_name(byw_result_text(scheme, "scheme")),
        json_real(base > 0.0 ? byw_result_number(scheme, "l2_hits") / base : 1.0));
    return all;
}

/* A program with several kernels has the loads of the first one. */
static void take(struct byw_reproduce *r, const char *variant, const char *workload,
                 const json_t *report)
{
    json_t *program = json_pack("{s:o}", "l2_hits", l2_hits(report)), *kernel;
    size_t i;

    json_array_foreach(json_object_get(report, "mpache"), i, kernel) for (size_t k = 0; k < KERNELS;
                                                                          k++)
    {
        if (strcmp(byw_result_text(kernel, "name"), kernels[k].kernel) != 0 ||
            strcmp(workload, kernels[k].workload) != 0)
            continue;
        byw_reproduce_put(r, variant, kernels[k].name, speedups(kernel));
        if (json_object_get(program, "loads") == NULL)
            json_object_set_new(program, "loads", loads(kernel));
    }
    byw_reproduce_put(r, variant, workload, program);
}

/* --- sensitivity ------------------------------------------------------------------------------ */

/* Adds a report's speedups to the sums over the nine kernels. */
static void add_sweep(json_t *sums, const char *workload, const json_t *report)
{
    json_t *point;
    size_t i;

    json_array_foreach(json_object_get(report, "sweep"), i, point)
    {
        const char *parameter = byw_result_text(point, "parameter");
        json_t *at;
        char name[24];

        snprintf(name, sizeof(name), "at%d", (int)lround(10.0 * byw_result_number(point, "value")));
        at = json_object_get(sums, name);
        if (at == NULL) {
            json_object_set_new(sums, name, json_object());
            at = json_object_get(sums, name);
        }
        for (size_t k = 0; k < KERNELS; k++) {
            const json_t *speedup =
                json_object_get(json_object_get(point, "speedup"), kernels[k].kernel);
            double sum = json_number_value(json_object_get(at, parameter));

            if (speedup != NULL && strcmp(workload, kernels[k].workload) == 0)
                json_object_set_new(at, parameter,
                                    json_real(sum + json_number_value(speedup) / KERNELS));
        }
    }
}

/* --- runs ------------------------------------------------------------------------------------- */

static enum byw_status study(struct byw_reproduce *r, const struct byw_reproduce_more *more,
                             const struct byw_config *config, const char *workload, json_t **report,
                             struct byw_diag *diag)
{
    const struct byw_mpache_params params = {.thresh1 = config->mpache_thresh1 / 100.0,
                                             .thresh2 = config->mpache_thresh2 / 100.0,
                                             .weight = config->mpache_weight / 100.0,
                                             .guard = config->mpache_guard != 0,
                                             .mode = {true, true}};
    const struct byw_advise_options options = {
        .hint = {BYW_ADVICE_NONTEMPORAL, BYW_HINT_VOLATILE},
        .hints = 2,
        .by_load = true,
        .mpache = &params,
        .sweep = true,
        .most_runs = RUNS,
        .workers = more->workers,
        .store = more->store,
        .how = more->how,
    };
    struct byw_reproduce_trace trace;
    struct byw_job job = {.workload = workload,
                          .trace = trace.path,
                          .machine = machine,
                          .policy = policy,
                          .config = config};
    enum byw_status st = byw_reproduce_trace(r, workload, config->sm_lanes, &trace, diag);

    return st == BYW_OK ? byw_advise(&job, &options, report, diag) : st;
}

enum byw_status byw_more_mpache(struct byw_reproduce *r, const struct byw_reproduce_more *more,
                                const char *variant, struct byw_diag *diag)
{
    char text[BYW_VARIANT_ROOM];
    const char *name[2];
    json_t *sums = json_object();
    struct byw_config config;
    enum byw_status st;

    snprintf(text, sizeof(text), "%s/%s%s", machine, policy, variant + strlen("mpache"));
    st = byw_variant_read(r, text, name, &config, diag);
    if (st == BYW_OK)
        st = byw_setup_check(&config, machine, policy, diag);
    for (size_t k = 0; st == BYW_OK && k < KERNELS; k++) {
        json_t *report = NULL;

        if (k > 0 && strcmp(kernels[k].workload, kernels[k - 1].workload) == 0)
            continue;
        if (more->say != NULL)
            more->say(k, KERNELS, "kernels of Mpache");
        st = study(r, more, &config, kernels[k].workload, &report, diag);
        if (st == BYW_OK) {
            take(r, variant, kernels[k].workload, report);
            add_sweep(sums, kernels[k].workload, report);
        }
        json_decref(report);
    }
    byw_reproduce_put(r, variant, "ALL", sums);
    return st;
}
