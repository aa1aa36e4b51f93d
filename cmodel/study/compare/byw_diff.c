/* SPDX-License-Identifier: Apache-2.0 */
#include "study/compare/byw_diff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "study/store/byw_results.h"

struct set {
    const char *name;
    struct byw_results all;
    size_t count; /* number of runs to compare */
    json_t **run;
    bool *paired;
};

/* One pair's comparison. */
struct pair {
    const struct byw_diff_options *options;
    const json_t *a, *b;
    FILE *out;
    bool turned; /* searching for members that only b has */
    size_t wanted, differences;
};

/* --- reading --------------------------------------------------------------------------------- */

static enum byw_status read_set(struct set *set, const char *name, struct byw_diag *diag)
{
    enum byw_status st;

    *set = (struct set){.name = name};
    st = byw_results_read(&set->all, name, diag);
    set->count = set->all.count;
    set->run = set->all.run;
    set->paired = calloc(set->count + 1, sizeof(*set->paired));
    if (st == BYW_OK && set->paired == NULL)
        st = byw_no_memory(diag, "the results");
    return st;
}

static void release(struct set *set)
{
    byw_results_release(&set->all);
    free(set->paired);
}

/* --- differences ----------------------------------------------------------------------------- */

static bool wanted(const struct pair *p, const char *path)
{
    return p->options->only == NULL ||
           strncmp(path, p->options->only, strlen(p->options->only)) == 0;
}

static void begin(struct pair *p)
{
    if (p->differences++ == 0)
        fprintf(p->out, "%s on %s with %s\n", byw_result_text(p->a, "workload"),
                byw_result_text(p->a, "machine"), byw_result_text(p->a, "policy"));
}

static void look(void *ctx, const char *path, double value)
{
    struct pair *p = ctx;
    double other = byw_result_number(p->b, path);

    if (!wanted(p, path))
        return;
    p->wanted++;
    if (p->turned) {
        if (byw_result_has(p->a, path))
            return;
        begin(p);
        fprintf(p->out, "  %-44s %16s %16.10g\n", path, "-", value);
        return;
    }
    if (!byw_result_has(p->b, path)) {
        begin(p);
        fprintf(p->out, "  %-44s %16.10g %16s\n", path, value, "-");
    } else if (value != other && fabs(value - other) > p->options->tolerance * fabs(value)) {
        begin(p);
        fprintf(p->out, "  %-44s %16.10g %16.10g", path, value, other);
        if (value != 0.0)
            fprintf(p->out, "  %+.2f %%", 100.0 * (other - value) / fabs(value));
        fputc('\n', p->out);
    }
}

static void look_at_config(struct pair *p)
{
    const json_t *a = json_object_get(p->a, "config");
    const json_t *b = json_object_get(p->b, "config");

    for (size_t i = 0; i < byw_param_count() && p->options->only == NULL; i++) {
        const char *key = byw_param(i)->key;
        char *x, *y;

        if (json_equal(json_object_get(a, key), json_object_get(b, key)))
            continue;
        x = json_dumps(json_object_get(a, key), JSON_ENCODE_ANY);
        y = json_dumps(json_object_get(b, key), JSON_ENCODE_ANY);
        begin(p);
        fprintf(p->out, "  config %-37s %16s %16s\n", key, x != NULL ? x : "-",
                y != NULL ? y : "-");
        free(x);
        free(y);
    }
}

/* Whether the results differ; *wanted: some member was compared. */
static bool compare(const struct byw_diff_options *options, const json_t *a, const json_t *b,
                    FILE *out, bool *wanted)
{
    struct pair p = {.options = options, .a = a, .b = b, .out = out};
    bool x = byw_result_refused(a) != NULL, y = byw_result_refused(b) != NULL;

    if (x || y)
        *wanted = true;
    if (x != y) {
        begin(&p);
        fprintf(out, "  refused in %s only\n", x ? "A" : "B");
        return true;
    }
    look_at_config(&p);
    byw_result_numbers(a, look, &p);
    p.turned = true;
    byw_result_numbers(b, look, &p);
    *wanted = *wanted || p.wanted > 0;
    return p.differences > 0;
}

/* --- pairs ----------------------------------------------------------------------------------- */

static bool same(const json_t *a, const json_t *b, const char *member)
{
    return strcmp(byw_result_text(a, member), byw_result_text(b, member)) == 0;
}

/* The run of b that corresponds to a run of a: among the candidates the one with the same
 * configuration, otherwise the first; b's count if there is none. */
static size_t partner(const struct byw_diff_options *options, const struct set *b,
                      const json_t *run)
{
    size_t found = b->count;

    for (size_t i = 0; i < b->count; i++) {
        if (b->paired[i] || !same(run, b->run[i], "workload") || !same(run, b->run[i], "machine") ||
            (!options->any_policy && !same(run, b->run[i], "policy")))
            continue;
        if (json_equal(json_object_get(run, "config"), json_object_get(b->run[i], "config")))
            return i;
        if (found == b->count)
            found = i;
    }
    return found;
}

static size_t alone(FILE *out, const struct set *set, const char *which)
{
    size_t count = 0;

    for (size_t i = 0; i < set->count; i++) {
        if (set->paired[i])
            continue;
        count++;
        fprintf(out, "%s on %s with %s: in %s only\n", byw_result_text(set->run[i], "workload"),
                byw_result_text(set->run[i], "machine"), byw_result_text(set->run[i], "policy"),
                which);
    }
    return count;
}

/* Pairs with the same configuration come first, so that no other run takes their partner. */
static void pair_up(const struct byw_diff_options *options, struct set *a, struct set *b,
                    size_t *of)
{
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < a->count; i++) {
            size_t j = a->paired[i] ? b->count : partner(options, b, a->run[i]);

            if (j == b->count || (pass == 0 && !json_equal(json_object_get(a->run[i], "config"),
                                                           json_object_get(b->run[j], "config"))))
                continue;
            of[i] = j;
            a->paired[i] = true;
            b->paired[j] = true;
        }
}

enum byw_status byw_diff(const char *a, const char *b, const struct byw_diff_options *options,
                         FILE *out, bool *equal, struct byw_diag *diag)
{
    struct set x = {.count = 0}, y = {.count = 0};
    size_t *of = NULL, differ = 0, pairs = 0;
    bool wanted = false;
    enum byw_status st = read_set(&x, a, diag);

    if (st == BYW_OK)
        st = read_set(&y, b, diag);
    if (st == BYW_OK) {
        of = calloc(x.count + 1, sizeof(*of));
        st = of != NULL ? BYW_OK : byw_no_memory(diag, "the results");
    }
    if (st == BYW_OK) {
        pair_up(options, &x, &y, of);
        for (size_t i = 0; i < x.count; i++) {
            pairs += x.paired[i];
            differ += x.paired[i] && compare(options, x.run[i], y.run[of[i]], out, &wanted);
        }
        if (options->only != NULL && pairs > 0 && !wanted)
            st = byw_diag_set(diag, BYW_EINVAL,
                              "--only: no member begins with '%s'; expected the beginning of one "
                              "that byway list counters shows",
                              options->only);
    }
    if (st == BYW_OK) {
        differ += alone(out, &x, "A");
        differ += alone(out, &y, "B");
        fprintf(out, "%zu run%s in both, %zu differ%s\n", pairs, pairs == 1 ? "" : "s", differ,
                differ == 0 ? ": they are the same" : "");
        *equal = differ == 0;
    }
    free(of);
    release(&x);
    release(&y);
    return st;
}
