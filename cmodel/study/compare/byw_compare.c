/* SPDX-License-Identifier: Apache-2.0 */
#include "study/compare/byw_compare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "study/compare/byw_compare_oracle.h"

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

/* Number of repeated runs that every policy of a row has. */
static size_t repeats_of(json_t *const *row, size_t policies)
{
    size_t least = SIZE_MAX;

    for (size_t p = 0; p < policies; p++)
        if (byw_result_refused(row[p]) == NULL && byw_repeat_count(row[p]) < least)
            least = byw_repeat_count(row[p]);
    if (least == SIZE_MAX)
        return 1;
    return least < BYW_REPEAT_MOST ? least : BYW_REPEAT_MOST;
}

/* Quotient of run k's values in two results; 1 if the divisor is zero. */
static double ratio_of(const json_t *result, const json_t *by, const char *path, size_t k)
{
    double base = byw_result_number(byw_repeat_run(by, k), path);

    return base > 0.0 ? byw_result_number(byw_repeat_run(result, k), path) / base : 1.0;
}

enum byw_wclass byw_class_of(double ratio)
{
    if (!isfinite(ratio))
        return BYW_WCLASS_NONE;
    if (ratio > BYW_CNF_ABOVE)
        return BYW_WCLASS_CNF;
    return ratio < BYW_CF_BELOW ? BYW_WCLASS_CF : BYW_WCLASS_CI;
}

const char *byw_class_basis(bool measured)
{
    return measured ? "measured here" : "in the paper";
}

/* The class of the row by IPC(BALL) / IPC(BL); BYW_WCLASS_NONE if BALL or BL was not run. */
static enum byw_wclass measured_class(json_t *const *row, size_t policies)
{
    int bl = policy_with_mode(row, policies, "base");
    int ball = policy_with_mode(row, policies, "bypass_all");
    double ratio[BYW_REPEAT_MOST];
    size_t count;

    if (bl == NOT_THERE || ball == NOT_THERE || byw_result_refused(row[bl]) != NULL ||
        byw_result_refused(row[ball]) != NULL)
        return BYW_WCLASS_NONE;
    count = repeats_of(row, policies);
    for (size_t k = 0; k < count; k++)
        ratio[k] = ratio_of(row[ball], row[bl], "ipc", k);
    return byw_class_of(byw_spread_of(ratio, count).mean);
}

enum byw_wclass byw_compare_class(const struct byw_compare *compare, size_t row)
{
    return compare->measured ? compare->row[row].here : compare->row[row].paper;
}

/* A row, and the class by which it is sorted. */
struct ordered {
    enum byw_wclass cls;
    struct byw_compare_row row;
};

static int by_class_and_name(const void *a, const void *b)
{
    const struct ordered *x = a, *y = b;

    return x->cls != y->cls ? (int)x->cls - (int)y->cls : strcmp(x->row.workload, y->row.workload);
}

/* Determines the basis of the classes, and groups the rows by class. */
static bool sort_rows(struct byw_compare *c)
{
    struct ordered *all = calloc(c->row_count + 1, sizeof(*all));

    if (all == NULL)
        return false;
    for (size_t w = 0; w < c->row_count; w++)
        c->measured = c->measured || c->row[w].here != BYW_WCLASS_NONE;
    for (size_t w = 0; w < c->row_count; w++)
        all[w] = (struct ordered){byw_compare_class(c, w), c->row[w]};
    qsort(all, c->row_count, sizeof(*all), by_class_and_name);
    for (size_t w = 0; w < c->row_count; w++)
        c->row[w] = all[w].row;
    free(all);
    return true;
}

static const char *config_text(const json_t *result, const char *key)
{
    const char *text = json_string_value(json_object_get(json_object_get(result, "config"), key));

    return text != NULL ? text : "?";
}

/* A policy's title; its name if two policies have the same title, as a file and its copy. */
static const char *title_of(json_t *const *results, size_t policies, size_t policy)
{
    const char *title = config_text(results[policy], "policy.title");

    for (size_t p = 0; p < policies; p++)
        if (p != policy && strcmp(config_text(results[p], "policy.title"), title) == 0)
            return byw_result_text(results[policy], "policy");
    return title;
}

bool byw_compare_ran(const struct byw_compare *compare, size_t policy)
{
    for (size_t w = 0; w < compare->row_count; w++)
        if (byw_result_refused(compare->row[w].result[policy]) == NULL)
            return true;
    return false;
}

/* Stores each reason once, and decides which rows can be averaged. */
static void note_gaps(struct byw_compare *c)
{
    for (size_t w = 0; w < c->row_count; w++)
        c->row[w].complete = true;
    for (size_t p = 0; p < c->policy_count; p++) {
        bool ran = byw_compare_ran(c, p);

        for (size_t w = 0; w < c->row_count; w++) {
            const char *why = byw_result_refused(c->row[w].result[p]);

            if (why == NULL)
                continue;
            if (ran)
                c->row[w].complete = false;
            if (byw_compare_note(c, w, p, BYW_METRIC_HIT_ALL) == 0)
                c->note[c->note_count++] = why;
        }
    }
}

static void fill_row(struct byw_compare_row *row, json_t *const *results, size_t policies)
{
    struct byw_workload known;

    memcpy(row->result, results, policies * sizeof(*row->result));
    row->workload = byw_result_text(row->result[0], "workload");
    row->paper = BYW_WCLASS_NONE;
    if (byw_workload_find(row->workload, &known)) {
        row->paper = known.cls;
        row->paper_n_ipc = known.n_ipc;
    }
    row->here = measured_class(row->result, policies);
}

enum byw_status byw_compare_create(json_t *const *results, size_t workloads, size_t policies,
                                   struct byw_compare **compare, struct byw_diag *diag)
{
    struct byw_compare *c = calloc(1, sizeof(*c));
    bool there = c != NULL;

    if (there) {
        c->row = calloc(workloads + 1, sizeof(*c->row));
        c->policy = calloc(policies + 1, sizeof(*c->policy));
        c->note = calloc(workloads * policies + 1, sizeof(*c->note));
        there = c->row != NULL && c->policy != NULL && c->note != NULL;
    }
    for (size_t w = 0; there && w < workloads; w++) {
        c->row[w].result = calloc(policies, sizeof(*c->row[w].result));
        there = c->row[w].result != NULL;
        c->row_count++;
        if (there)
            fill_row(&c->row[w], results + w * policies, policies);
    }
    if (!there) {
        byw_compare_free(c);
        return byw_no_memory(diag, "the comparison");
    }
    c->repeats = repeats_of(results, workloads * policies);
    c->machine = config_text(results[0], "machine.title");
    c->machine_name = byw_result_text(results[0], "machine");
    c->policy_count = policies;
    for (size_t p = 0; p < policies; p++)
        c->policy[p] = title_of(results, policies, p);
    if (!sort_rows(c)) {
        byw_compare_free(c);
        return byw_diag_set(diag, BYW_ENOMEM, "out of memory for the comparison");
    }
    note_gaps(c);
    *compare = c;
    return BYW_OK;
}

void byw_compare_free(struct byw_compare *compare)
{
    if (compare == NULL)
        return;
    for (size_t w = 0; w < compare->row_count; w++) {
        free(compare->row[w].result);
        json_decref(compare->row[w].oracle);
    }
    free(compare->row);
    free(compare->policy);
    free(compare->note);
    free(compare);
}

bool byw_metric_is_relative(enum byw_metric metric)
{
    return metric == BYW_METRIC_IPC || metric == BYW_METRIC_ENERGY;
}

/* The reason why a value is missing; NULL: it is not. */
static const char *reason(const struct byw_compare_row *row, size_t policy, enum byw_metric metric)
{
    const char *why = byw_result_refused(row->result[policy]);

    if (why == NULL && byw_metric_is_relative(metric))
        why = byw_result_refused(row->result[0]);
    return why;
}

size_t byw_compare_note(const struct byw_compare *compare, size_t row, size_t policy,
                        enum byw_metric metric)
{
    const char *why = reason(&compare->row[row], policy, metric);

    for (size_t i = 0; why != NULL && i < compare->note_count; i++)
        if (strcmp(compare->note[i], why) == 0)
            return i + 1;
    return 0;
}

/* The value in repetition k. */
static double value_in(const struct byw_compare *compare, size_t row, size_t policy,
                       enum byw_metric metric, size_t k)
{
    const struct byw_compare_row *r = &compare->row[row];
    const json_t *result = byw_repeat_run(r->result[policy], k);
    double instructions;

    if (reason(r, policy, metric) != NULL)
        return NAN;
    switch (metric) {
    case BYW_METRIC_IPC:
        return ratio_of(r->result[policy], r->result[0], "ipc", k);
    case BYW_METRIC_HIT_ALL:
        return byw_result_number(result, "l1d.hit_rate_all");
    case BYW_METRIC_HIT_CACHED:
        return byw_result_number(result, "l1d.hit_rate_cached");
    case BYW_METRIC_L2:
        instructions = byw_result_number(result, "thread_instructions");
        return instructions > 0.0 ? 1000.0 * byw_result_number(result, "l2.reads") / instructions
                                  : 0.0;
    case BYW_METRIC_ENERGY:
        return ratio_of(r->result[policy], r->result[0], "energy.total_nj", k);
    case BYW_METRIC_COUNT:
        break;
    }
    return 0.0;
}

struct byw_spread byw_compare_spread(const struct byw_compare *compare, size_t row, size_t policy,
                                     enum byw_metric metric)
{
    double value[BYW_REPEAT_MOST];

    for (size_t k = 0; k < compare->repeats; k++)
        value[k] = value_in(compare, row, policy, metric, k);
    return byw_spread_of(value, compare->repeats);
}

double byw_compare_value(const struct byw_compare *compare, size_t row, size_t policy,
                         enum byw_metric metric)
{
    return byw_compare_spread(compare, row, policy, metric).mean;
}

static double mean_in(const struct byw_compare *compare, size_t policy, enum byw_metric metric,
                      enum byw_wclass cls, bool measured, size_t k, size_t *members)
{
    bool geometric = byw_metric_is_relative(metric);
    double sum = 0.0;
    size_t n = 0;

    for (size_t w = 0; w < compare->row_count; w++) {
        enum byw_wclass own = measured ? compare->row[w].here : compare->row[w].paper;
        double value = value_in(compare, w, policy, metric, k);

        if (!compare->row[w].complete || (cls != BYW_WCLASS_NONE && own != cls))
            continue;
        sum += geometric ? log(value) : value;
        n++;
    }
    *members = n;
    if (n == 0)
        return NAN;
    return geometric ? exp(sum / (double)n) : sum / (double)n;
}

struct byw_spread byw_compare_mean_spread(const struct byw_compare *compare, size_t policy,
                                          enum byw_metric metric, enum byw_wclass cls,
                                          bool measured, size_t *members)
{
    double mean[BYW_REPEAT_MOST];

    for (size_t k = 0; k < compare->repeats; k++)
        mean[k] = mean_in(compare, policy, metric, cls, measured, k, members);
    return byw_spread_of(mean, compare->repeats);
}

double byw_compare_mean(const struct byw_compare *compare, size_t policy, enum byw_metric metric,
                        enum byw_wclass cls, bool measured, size_t *members)
{
    return byw_compare_mean_spread(compare, policy, metric, cls, measured, members).mean;
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

static json_t *number_json(double value)
{
    return isnan(value) ? json_null() : json_real(value);
}

/* The deviations of a metric, as the member NAME_sd. */
static void add_deviations(const struct byw_compare *compare, size_t w, enum byw_metric metric,
                           json_t *object)
{
    json_t *values = json_object();
    char name[64];

    for (size_t p = 0; p < compare->policy_count; p++)
        json_object_set_new(values, byw_result_text(compare->row[w].result[p], "policy"),
                            number_json(byw_compare_spread(compare, w, p, metric).sd));
    snprintf(name, sizeof(name), "%s_sd", metric_name(metric));
    json_object_set_new(object, name, values);
}

/* The row's shares of the possible; nothing without an oracle. */
static void add_shares(const struct byw_compare *compare, size_t w, json_t *object)
{
    for (int s = 0; s < BYW_SHARE_COUNT && compare->row[w].oracle != NULL; s++) {
        json_t *values = json_object();

        for (size_t p = 0; p < compare->policy_count; p++)
            json_object_set_new(values, byw_result_text(compare->row[w].result[p], "policy"),
                                number_json(byw_compare_share(compare, w, p, (enum byw_share)s)));
        json_object_set_new(object, byw_share_name((enum byw_share)s), values);
    }
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
                                number_json(byw_compare_value(compare, w, p, (enum byw_metric)m)));
        json_object_set_new(object, metric_name((enum byw_metric)m), values);
        if (compare->repeats > 1)
            add_deviations(compare, w, (enum byw_metric)m, object);
    }
    if (object != NULL)
        add_shares(compare, w, object);
    return object;
}

static json_t *means_json(const struct byw_compare *compare, bool measured)
{
    json_t *object = json_object();

    for (int cls = BYW_WCLASS_CNF; cls <= BYW_WCLASS_NONE; cls++) {
        json_t *values = json_object(), *deviations = json_object();
        size_t n = 0;

        for (size_t p = 0; p < compare->policy_count; p++) {
            const char *policy = byw_result_text(compare->row[0].result[p], "policy");
            struct byw_spread mean = byw_compare_mean_spread(compare, p, BYW_METRIC_IPC,
                                                             (enum byw_wclass)cls, measured, &n);

            if (n > 0) {
                json_object_set_new(values, policy, number_json(mean.mean));
                json_object_set_new(deviations, policy, number_json(mean.sd));
            }
        }
        json_object_set_new(values, "workloads", json_integer((json_int_t)n));
        if (compare->repeats > 1)
            json_object_set(values, "sd", deviations);
        json_decref(deviations);
        json_object_set_new(
            object, cls == BYW_WCLASS_NONE ? "all" : byw_wclass_name((enum byw_wclass)cls), values);
    }
    return object;
}

static json_t *machine_json(const struct byw_compare *compare)
{
    json_t *rows = json_array();
    json_t *runs = json_array();
    json_t *refused = json_array();
    json_t *policies = json_array();

    for (size_t p = 0; p < compare->policy_count; p++)
        json_array_append_new(policies,
                              json_string(byw_result_text(compare->row[0].result[p], "policy")));
    for (size_t w = 0; w < compare->row_count; w++) {
        json_array_append_new(rows, row_json(compare, w));
        for (size_t p = 0; p < compare->policy_count; p++) {
            json_t *run = compare->row[w].result[p];
            const char *why = byw_result_refused(run);

            if (why == NULL)
                json_array_append(runs, run);
            else
                json_array_append_new(refused,
                                      json_pack("{s:s, s:s, s:s}", "workload",
                                                byw_result_text(run, "workload"), "policy",
                                                byw_result_text(run, "policy"), "why", why));
        }
    }
    return json_pack("{s:s, s:s, s:I, s:o, s:o, s:o, s:o, s:o, s:o}", "schema", BYW_COMPARE_SCHEMA,
                     "machine", byw_result_text(compare->row[0].result[0], "machine"), "repeats",
                     (json_int_t)compare->repeats, "policies", policies, "workloads", rows,
                     "geomean_ipc_by_paper_class", means_json(compare, false),
                     "geomean_ipc_by_measured_class", means_json(compare, true), "refused", refused,
                     "runs", runs);
}

json_t *byw_compare_json(struct byw_compare *const *compare, size_t count)
{
    json_t *machines;

    if (count == 1)
        return machine_json(compare[0]);
    machines = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(machines, machine_json(compare[i]));
    return json_pack("{s:s, s:o}", "schema", BYW_MACHINES_SCHEMA, "machines", machines);
}
