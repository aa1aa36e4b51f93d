/* SPDX-License-Identifier: Apache-2.0 */
#include "study/byw_compare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NOT_THERE = -1 };

static int policy_with_mode(json_t *const *row, size_t policies, const char *mode)
{
    for (size_t p = 0; p < policies; p++) {
        const json_t *config = json_object_get(row[p], "config");
        const char *text = json_string_value(json_object_get(config, "policy.mode"));

        if (text != NULL && strcmp(text, mode) == 0)
            return (int)p;
    }
    return NOT_THERE;
}

/* Class by IPC(BALL) / IPC(BL); NONE when one of them was not run. */
static enum byw_wclass measured_class(json_t *const *row, size_t policies)
{
    int bl = policy_with_mode(row, policies, "base");
    int ball = policy_with_mode(row, policies, "bypass_all");
    double base, ratio;

    if (bl == NOT_THERE || ball == NOT_THERE)
        return BYW_WCLASS_NONE;
    base = byw_result_number(row[bl], "ipc");
    ratio = base > 0.0 ? byw_result_number(row[ball], "ipc") / base : 1.0;
    if (ratio > BYW_CNF_ABOVE)
        return BYW_WCLASS_CNF;
    return ratio < BYW_CF_BELOW ? BYW_WCLASS_CF : BYW_WCLASS_CI;
}

static int by_class_and_name(const void *a, const void *b)
{
    const struct byw_compare_row *x = a;
    const struct byw_compare_row *y = b;

    if (x->paper != y->paper)
        return x->paper < y->paper ? -1 : 1;
    return strcmp(x->workload, y->workload);
}

static const char *config_text(const json_t *result, const char *key)
{
    const char *text = json_string_value(json_object_get(json_object_get(result, "config"), key));

    return text != NULL ? text : "?";
}

enum byw_status byw_compare_create(json_t *const *results, size_t workloads, size_t policies,
                                   struct byw_compare **compare, struct byw_diag *diag)
{
    struct byw_compare *c = calloc(1, sizeof(*c));

    if (c != NULL) {
        c->row = calloc(workloads + 1, sizeof(*c->row));
        c->policy = calloc(policies + 1, sizeof(*c->policy));
    }
    if (c == NULL || c->row == NULL || c->policy == NULL) {
        byw_compare_free(c);
        return byw_diag_set(diag, BYW_ENOMEM, "no memory for the comparison");
    }
    c->machine = config_text(results[0], "machine.title");
    for (size_t p = 0; p < policies; p++)
        c->policy[p] = config_text(results[p], "policy.title");
    c->policy_count = policies;
    for (size_t w = 0; w < workloads; w++) {
        struct byw_compare_row *row = &c->row[w];
        struct byw_workload known;

        row->result = calloc(policies, sizeof(*row->result));
        if (row->result == NULL) {
            byw_compare_free(c);
            return byw_diag_set(diag, BYW_ENOMEM, "no memory for the comparison");
        }
        memcpy(row->result, results + w * policies, policies * sizeof(*row->result));
        row->workload = byw_result_text(row->result[0], "workload");
        row->paper = BYW_WCLASS_NONE;
        if (byw_workload_find(row->workload, &known)) {
            row->paper = known.cls;
            row->paper_n_ipc = known.n_ipc;
        }
        row->here = measured_class(row->result, policies);
        c->row_count++;
    }
    qsort(c->row, c->row_count, sizeof(*c->row), by_class_and_name);
    *compare = c;
    return BYW_OK;
}

void byw_compare_free(struct byw_compare *compare)
{
    if (compare == NULL)
        return;
    for (size_t w = 0; w < compare->row_count; w++)
        free(compare->row[w].result);
    free(compare->row);
    free(compare->policy);
    free(compare);
}

/* value / the first policy's, 1 when that is zero. */
static double relative(const struct byw_compare_row *row, size_t policy, const char *path)
{
    double base = byw_result_number(row->result[0], path);

    return base > 0.0 ? byw_result_number(row->result[policy], path) / base : 1.0;
}

double byw_compare_value(const struct byw_compare *compare, size_t row, size_t policy,
                         enum byw_metric metric)
{
    const struct byw_compare_row *r = &compare->row[row];
    const json_t *result = r->result[policy];
    double instructions;

    switch (metric) {
    case BYW_METRIC_IPC:
        return relative(r, policy, "ipc");
    case BYW_METRIC_HIT_ALL:
        return byw_result_number(result, "l1d.hit_rate_all");
    case BYW_METRIC_HIT_CACHED:
        return byw_result_number(result, "l1d.hit_rate_cached");
    case BYW_METRIC_L2:
        instructions = byw_result_number(result, "thread_instructions");
        return instructions > 0.0 ? 1000.0 * byw_result_number(result, "l2.reads") / instructions
                                  : 0.0;
    case BYW_METRIC_ENERGY:
        return relative(r, policy, "energy.total_nj");
    case BYW_METRIC_COUNT:
        break;
    }
    return 0.0;
}

double byw_compare_mean(const struct byw_compare *compare, size_t policy, enum byw_metric metric,
                        enum byw_wclass cls, bool measured, size_t *members)
{
    bool geometric = metric == BYW_METRIC_IPC || metric == BYW_METRIC_ENERGY;
    double sum = 0.0;
    size_t n = 0;

    for (size_t w = 0; w < compare->row_count; w++) {
        enum byw_wclass own = measured ? compare->row[w].here : compare->row[w].paper;
        double value = byw_compare_value(compare, w, policy, metric);

        if (cls != BYW_WCLASS_NONE && own != cls)
            continue;
        sum += geometric ? log(value) : value;
        n++;
    }
    *members = n;
    if (n == 0)
        return NAN;
    return geometric ? exp(sum / (double)n) : sum / (double)n;
}

void byw_compare_heading(const struct byw_compare *compare, enum byw_metric metric, char *text,
                         size_t room)
{
    const char *first = compare->policy[0];

    switch (metric) {
#define X(code, name, heading)                                                                     \
    case code:                                                                                     \
        snprintf(text, room, "%s", heading);                                                       \
        break;
        BYW_METRIC_LIST(X)
#undef X
    case BYW_METRIC_COUNT:
        text[0] = '\0';
        break;
    }
    if (strlen(text) > 2 && strcmp(text + strlen(text) - 2, "%s") == 0)
        snprintf(text + strlen(text) - 2, room - strlen(text) + 2, "%s", first);
}

/* --- JSON ------------------------------------------------------------------------------------- */

static const char *metric_name(enum byw_metric metric)
{
    static const char *const names[] = {
#define X(code, name, heading) [code] = name,
        BYW_METRIC_LIST(X)
#undef X
    };

    return names[metric];
}

static json_t *row_json(const struct byw_compare *compare, size_t w)
{
    const struct byw_compare_row *row = &compare->row[w];
    json_t *object =
        json_pack("{s:s, s:s, s:s}", "workload", row->workload, "class_in_paper",
                  byw_wclass_name(row->paper), "class_here", byw_wclass_name(row->here));

    for (int m = 0; object != NULL && m < BYW_METRIC_COUNT; m++) {
        json_t *values = json_object();

        for (size_t p = 0; p < compare->policy_count; p++)
            json_object_set_new(values, byw_result_text(row->result[p], "policy"),
                                json_real(byw_compare_value(compare, w, p, (enum byw_metric)m)));
        json_object_set_new(object, metric_name((enum byw_metric)m), values);
    }
    return object;
}

static json_t *means_json(const struct byw_compare *compare, bool measured)
{
    json_t *object = json_object();

    for (int cls = BYW_WCLASS_CNF; cls <= BYW_WCLASS_NONE; cls++) {
        json_t *values = json_object();
        size_t n = 0;

        for (size_t p = 0; p < compare->policy_count; p++) {
            double mean =
                byw_compare_mean(compare, p, BYW_METRIC_IPC, (enum byw_wclass)cls, measured, &n);

            if (n > 0)
                json_object_set_new(values, byw_result_text(compare->row[0].result[p], "policy"),
                                    json_real(mean));
        }
        json_object_set_new(values, "workloads", json_integer((json_int_t)n));
        json_object_set_new(
            object, cls == BYW_WCLASS_NONE ? "all" : byw_wclass_name((enum byw_wclass)cls), values);
    }
    return object;
}

json_t *byw_compare_json(const struct byw_compare *compare)
{
    json_t *rows = json_array();
    json_t *runs = json_array();
    json_t *policies = json_array();

    for (size_t p = 0; p < compare->policy_count; p++)
        json_array_append_new(policies,
                              json_string(byw_result_text(compare->row[0].result[p], "policy")));
    for (size_t w = 0; w < compare->row_count; w++) {
        json_array_append_new(rows, row_json(compare, w));
        for (size_t p = 0; p < compare->policy_count; p++)
            json_array_append(runs, compare->row[w].result[p]);
    }
    return json_pack("{s:s, s:s, s:o, s:o, s:o, s:o, s:o}", "schema", BYW_COMPARE_SCHEMA, "machine",
                     byw_result_text(compare->row[0].result[0], "machine"), "policies", policies,
                     "workloads", rows, "geomean_ipc_by_paper_class", means_json(compare, false),
                     "geomean_ipc_by_measured_class", means_json(compare, true), "runs", runs);
}
