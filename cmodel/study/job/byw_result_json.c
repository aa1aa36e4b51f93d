/* SPDX-License-Identifier: Apache-2.0 */
#include "study/job/byw_result_json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/byw_input.h"
#include "common/byw_text.h"

enum { REAL_DIGITS = 10, PART_ROOM = 64 };

/* The member `name[len]` of an object, created if missing. */
static json_t *child(json_t *object, const char *name, size_t len)
{
    char part[PART_ROOM];
    json_t *found;

    snprintf(part, sizeof(part), "%.*s", (int)len, name);
    found = json_object_get(object, part);
    if (found == NULL) {
        json_object_set_new(object, part, json_object());
        found = json_object_get(object, part);
    }
    return found;
}

/* Sets the value at a dotted path below root. */
static bool put(json_t *root, const char *path, json_t *value)
{
    const char *dot;

    while (root != NULL && (dot = strchr(path, '.')) != NULL) {
        root = child(root, path, (size_t)(dot - path));
        path = dot + 1;
    }
    return json_object_set_new(root, path, value) == 0;
}

static json_t *value_json(const struct byw_counter_value *value)
{
    return value->real ? json_real(value->ratio) : json_integer((json_int_t)value->count);
}

bool byw_result_counters(json_t *object, const struct byw_counter_source *source)
{
    struct byw_counter_value *values = calloc(byw_counter_count(), sizeof(*values));
    bool ok = values != NULL;

    if (ok)
        byw_counters_read(source, values);
    for (size_t i = 0; ok && i < byw_counter_count(); i++) {
        struct byw_counter about = byw_counter(i);
        const char *path = strstr(about.path, "[].");

        if (values[i].set)
            ok = put(object, path != NULL ? path + 3 : about.path, value_json(&values[i]));
    }
    free(values);
    return ok;
}

json_t *byw_config_json(const struct byw_config *config)
{
    json_t *object = json_object();
    bool ok = object != NULL;

    for (size_t i = 0; ok && i < byw_param_count(); i++) {
        const struct byw_param *p = byw_param(i);
        char text[BYW_CONFIG_TEXT];
        json_t *value;

        byw_config_text(config, i, text, sizeof(text));
        value =
            p->kind == BYW_PARAM_U32 ? json_integer(strtoll(text, NULL, 10)) : json_string(text);
        ok = json_object_set_new(object, p->key, value) == 0;
    }
    if (!ok)
        json_decref(object);
    return ok ? object : NULL;
}

static json_t *sm_list(const struct byw_config *config, const struct byw_gpu_result *result)
{
    json_t *list = json_array();

    for (uint32_t i = 0; i < result->sm_count; i++) {
        const struct byw_gpu_sm *sm = &result->sm[i];
        struct byw_counter_source source = {.sm = sm, .l1 = &sm->l1, .config = config};
        json_t *entry = json_pack("{s:I}", "sm", (json_int_t)i);

        if (entry == NULL || !byw_result_counters(entry, &source) ||
            json_array_append_new(list, entry) != 0) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

static json_t *kernel_list(const struct byw_config *config, const struct byw_gpu_result *result)
{
    json_t *list = json_array();

    for (uint32_t i = 0; i < result->kernel_count; i++) {
        const struct byw_gpu_kernel *k = &result->kernel[i];
        const struct byw_gpu_result during = {.cycles = k->cycles, .l1 = k->l1, .mem = k->mem};
        struct byw_energy energy;
        struct byw_counter_source source = {
            .kernel = k, .l1 = &k->l1, .energy = &energy, .config = config};
        char name[BYW_TEXT_GROWTH * sizeof(k->name)];
        json_t *entry;

        byw_energy_of(config, &during, &energy);
        byw_text_printable(k->name, name, sizeof(name));
        entry = json_pack("{s:s}", "name", name);
        if (entry == NULL || !byw_result_counters(entry, &source) ||
            json_array_append_new(list, entry) != 0) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

/* The parts of the trace that a partial run skipped. */
static json_t *sampled_json(const struct byw_gpu_result *r)
{
    static const char estimates[] =
        "the run's figures are estimates of the whole trace, its cycles with a 95 % interval; "
        "per_sm and per_kernel are of what was simulated";
    static const char whole[] = "nothing was left out: the run's figures are exact";
    const struct byw_gpu_sampled *s = &r->sampled;
    double cycles = (double)r->cycles;

    return json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:f, s:f, s:s}", "period",
                     (json_int_t)s->period, "launches", (json_int_t)s->launches,
                     "launches_left_out", (json_int_t)s->launches_left_out, "ctas",
                     (json_int_t)s->ctas, "ctas_left_out", (json_int_t)s->ctas_left_out,
                     "cycles_simulated", (json_int_t)s->cycles_simulated, "cycles_low",
                     cycles - s->cycles_bar, "cycles_high", cycles + s->cycles_bar, "meaning",
                     s->launches_left_out + s->ctas_left_out > 0 ? estimates : whole);
}

json_t *byw_result_json(const struct byw_run_names *names, const struct byw_config *config,
                        const struct byw_gpu_result *result, const struct byw_cost *cost)
{
    struct byw_energy energy;
    struct byw_counter_source source = {
        .run = result, .l1 = &result->l1, .energy = &energy, .cost = cost, .config = config};
    json_t *root = json_pack("{s:s, s:s, s:s, s:s, s:s, s:b, s:o}", "schema", BYW_RESULT_SCHEMA,
                             "workload", names->workload, "machine", names->machine, "policy",
                             names->policy, "trace_format", names->trace_format, "partial",
                             result->partial, "config", byw_config_json(config));

    byw_energy_of(config, result, &energy);
    if (root == NULL)
        return NULL;
    if (names->advice != NULL)
        json_object_set_new(root, "advice", json_string(names->advice));
    if (result->sampled.period != 0)
        json_object_set_new(root, "sampled", sampled_json(result));
    if (!byw_result_counters(root, &source) ||
        (names->lists == BYW_LISTS_ALL &&
         json_object_set_new(root, "per_sm", sm_list(config, result)) != 0) ||
        (names->lists != BYW_LISTS_NONE &&
         json_object_set_new(root, "per_kernel", kernel_list(config, result)) != 0)) {
        json_decref(root);
        return NULL;
    }
    return root;
}

json_t *byw_result_refusal(const struct byw_run_names *names, const struct byw_config *config,
                           const char *why)
{
    char text[BYW_TEXT_GROWTH * sizeof(((struct byw_diag *)0)->text)];

    byw_text_printable(why, text, sizeof(text)); /* the reason may contain a kernel's name */
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:o}", "schema", BYW_RESULT_SCHEMA, "workload",
                     names->workload, "machine", names->machine, "policy", names->policy, "refused",
                     text, "config", byw_config_json(config));
}

const char *byw_result_refused(const json_t *result)
{
    return json_string_value(json_object_get(result, "refused"));
}

static const json_t *member(const json_t *object, const char *path)
{
    const char *dot;

    while (object != NULL && (dot = strchr(path, '.')) != NULL) {
        char part[PART_ROOM];

        snprintf(part, sizeof(part), "%.*s", (int)(dot - path), path);
        object = json_object_get(object, part);
        path = dot + 1;
    }
    return object == NULL ? NULL : json_object_get(object, path);
}

double byw_result_number(const json_t *result, const char *path)
{
    return json_number_value(member(result, path));
}

bool byw_result_has(const json_t *result, const char *path)
{
    return json_is_number(member(result, path));
}

const char *byw_result_text(const json_t *result, const char *path)
{
    const char *text = json_string_value(member(result, path));

    return text != NULL ? text : "";
}

char *byw_json_text(const json_t *json)
{
    char *text = json_dumps(json, JSON_INDENT(1) | JSON_REAL_PRECISION(REAL_DIGITS));
    char *grown;
    size_t len;

    if (text == NULL)
        return NULL;
    len = strlen(text);
    grown = realloc(text, len + 2);
    if (grown == NULL) {
        free(text);
        return NULL;
    }
    grown[len] = '\n';
    grown[len + 1] = '\0';
    return grown;
}

json_t *byw_json_read(const char *path, const char *expected, struct byw_diag *diag)
{
    json_error_t error;
    json_t *json;
    FILE *in;

    if (byw_input_open(path, BYW_INPUT_FILE, expected, &in, diag) != BYW_OK)
        return NULL;
    json = json_loadf(in, 0, &error);
    fclose(in);
    if (json == NULL)
        byw_diag_set(diag, BYW_EFORMAT, "%s:%d: %s; expected %s", path,
                     error.line > 0 ? error.line : 0, error.text, expected);
    return json;
}

enum byw_status byw_json_write(const json_t *json, struct byw_file *file, struct byw_diag *diag)
{
    char *text = byw_json_text(json);

    if (text == NULL) {
        byw_file_discard(file);
        return byw_no_memory(diag, "the JSON text");
    }
    fputs(text, byw_file_stream(file));
    free(text);
    return byw_file_commit(file, diag);
}
