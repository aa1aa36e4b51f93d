/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_reproduce_metrics.c - every metric of a record must exist: those of runs are known before
 * they are made, those of other sources once they are.
 */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "study/job/byw_counters.h"
#include "study/job/byw_result_json.h"
#include "study/papers/byw_reproduce_state.h"

enum { METRIC_ROOM = 2 * BYW_VARIANT_ROOM, PATHS_MAX = 1024 };

/* Whether a member exists: of every run, or of one result. */
typedef bool has_fn(const void *ctx, const char *path);

static bool is_number(const char *text)
{
    char *end;

    return isdigit((unsigned char)text[0]) && isfinite(strtod(text, &end)) && *end == '\0';
}

/* The first term of a metric that is neither a number nor a member; false: there is none. */
static bool unknown_term(const char *metric, has_fn *has, const void *ctx, char term[METRIC_ROOM])
{
    for (const char *at = metric;; at++) {
        size_t length = strcspn(at, "+-*/");

        snprintf(term, METRIC_ROOM, "%.*s", (int)length, at);
        if (!is_number(term) && !has(ctx, term))
            return true;
        at += length;
        if (*at == '\0')
            return false;
    }
}

/* --- runs ------------------------------------------------------------------------------------- */

/* The members that a run may have, without those of its SMs, launches and loads. */
static size_t run_paths(const char *path[PATHS_MAX])
{
    size_t count = 0;

    for (size_t i = 0; i < byw_counter_count() && count < PATHS_MAX; i++)
        if (strchr(byw_counter(i).path, '[') == NULL)
            path[count++] = byw_counter(i).path;
    return count;
}

static bool runs_have(const void *ctx, const char *path)
{
    (void)ctx;
    for (size_t i = 0; i < byw_counter_count(); i++)
        if (strcmp(byw_counter(i).path, path) == 0)
            return true;
    return false;
}

static enum byw_status check_of_run(const struct byw_source *source, const char *metric,
                                    struct byw_diag *diag)
{
    const char *path[PATHS_MAX], *near;
    char text[METRIC_ROOM], term[METRIC_ROOM];

    if (source->run == NULL || metric == NULL || !byw_source_is_run(source))
        return BYW_OK;
    byw_source_metric(source, metric, text, sizeof(text));
    if (!unknown_term(text, runs_have, NULL, term))
        return BYW_OK;
    near = byw_nearest(term, path, run_paths(path));
    return byw_diag_set(diag, BYW_EFORMAT,
                        "%s: metric '%.200s': a run has no '%.100s'%s%s%s; expected one of `byway "
                        "list counters`",
                        source->where, text, term, near != NULL ? "; did you mean '" : "",
                        near != NULL ? near : "", near != NULL ? "'?" : "");
}

static enum byw_status check_number(const struct byw_claim_number *n, struct byw_diag *diag)
{
    enum byw_status st = check_of_run(&n->source, n->metric, diag);

    if (st == BYW_OK)
        st = check_of_run(&n->reference, n->metric, diag);
    return st == BYW_OK ? check_of_run(&n->reference, n->acts, diag) : st;
}

static enum byw_status check_figure(const struct byw_figure *f, struct byw_diag *diag)
{
    enum byw_status st = BYW_OK;

    for (size_t c = 0; st == BYW_OK && c < f->columns; c++) {
        for (size_t i = 0; st == BYW_OK && i < f->rows; i++)
            st = check_of_run(&f->column[c].source, f->row[i].metric, diag);
        if (f->rows == 0)
            st = check_of_run(&f->column[c].source, f->metric, diag);
    }
    return st;
}

enum byw_status byw_reproduce_check_runs(const struct byw_papers *papers, struct byw_diag *diag)
{
    enum byw_status st = BYW_OK;

    for (size_t i = 0; st == BYW_OK && i < papers->claims; i++)
        for (size_t k = 0; st == BYW_OK && k < papers->claim[i].numbers; k++)
            st = check_number(&papers->claim[i].number[k], diag);
    for (size_t i = 0; st == BYW_OK && i < papers->figures; i++)
        st = check_figure(&papers->figure[i], diag);
    return st;
}

/* --- other sources ---------------------------------------------------------------------------- */

/* Whether the result has the member, or could have it with another trace: numbered members, as
 * those of loads, depend on it. */
static bool result_has(const void *ctx, const char *path)
{
    const json_t *at = ctx;

    while (*path != '\0') {
        char name[METRIC_ROOM];
        size_t length = strcspn(path, ".");

        snprintf(name, sizeof(name), "%.*s", (int)length, path);
        if (json_object_get(at, name) == NULL)
            return is_number(name) && json_is_object(at);
        at = json_object_get(at, name);
        path += length + (path[length] == '.');
    }
    return true;
}

/* Reports a metric that none of the rows' results has; there may be no result yet. */
static enum byw_status check_of_made(const struct byw_reproduce *r, const struct byw_source *source,
                                     const char *metric, const struct byw_names *rows,
                                     struct byw_diag *diag)
{
    char text[METRIC_ROOM], term[METRIC_ROOM];
    size_t results = 0;

    if (source->run == NULL || metric == NULL || byw_source_is_run(source))
        return BYW_OK;
    byw_source_metric(source, metric, text, sizeof(text));
    for (size_t i = 0; i < rows->count; i++) {
        const json_t *result = byw_reproduce_result(r, source, rows->name[i], 0);

        if (result != NULL && !unknown_term(text, result_has, result, term))
            return BYW_OK;
        results += result != NULL;
    }
    return results == 0 ? BYW_OK
                        : byw_diag_set(diag, BYW_EFORMAT,
                                       "%s: metric '%.200s': '%s' has no '%.100s'; expected a "
                                       "member of its results (--json shows them)",
                                       source->where, text, source->run, term);
}

enum byw_status byw_reproduce_check(const struct byw_reproduce *r, struct byw_diag *diag)
{
    enum byw_status st = BYW_OK;

    for (size_t i = 0; st == BYW_OK && i < r->papers->claims; i++) {
        const struct byw_claim *claim = &r->papers->claim[i];

        for (size_t k = 0; st == BYW_OK && k < claim->numbers; k++) {
            const struct byw_claim_number *n = &claim->number[k];
            struct byw_names rows = {0};

            st = byw_reproduce_names(r, &n->of, &rows, diag);
            if (st == BYW_OK)
                st = check_of_made(r, &n->source, n->metric, &rows, diag);
            if (st == BYW_OK)
                st = check_of_made(r, &n->reference, n->metric, &rows, diag);
            byw_names_free(&rows);
        }
    }
    return st;
}
