/* SPDX-License-Identifier: Apache-2.0 */
#include "study/store/byw_merge.h"

#include <stdlib.h>
#include <string.h>

#include "common/byw_array.h"

enum { PATH_ROOM = 256 };

struct byw_merge {
    size_t count;
    json_t **result;
    size_t keys;
    const char **key; /* names in the table of parameters */
};

static const char *const lists[] = {"config", "per_sm", "per_kernel", "sim",  "provenance",
                                    "oracle", "search", "timeline",   "loads"};

/* --- collecting results ---------------------------------------------------------------------- */

static int by_names(const void *a, const void *b)
{
    static const char *const member[] = {"workload", "machine", "policy", "run_id"};
    json_t *const *x = a, *const *y = b;
    int order = 0;

    for (size_t i = 0; order == 0 && i < sizeof(member) / sizeof(member[0]); i++)
        order = strcmp(byw_result_text(*x, member[i]), byw_result_text(*y, member[i]));
    return order;
}

static bool same_text(const json_t *a, const json_t *b, const char *member)
{
    return strcmp(byw_result_text(a, member), byw_result_text(b, member)) == 0;
}

/* Whether two runs of one machine and policy have different values of a key: compares each run with
 * the first of its kind. */
static bool varies(const struct byw_merge *m, const size_t *first, const char *key)
{
    for (size_t i = 0; i < m->count; i++)
        if (!json_equal(json_object_get(json_object_get(m->result[i], "config"), key),
                        json_object_get(json_object_get(m->result[first[i]], "config"), key)))
            return true;
    return false;
}

static bool find_keys(struct byw_merge *m)
{
    size_t *first = calloc(m->count + 1, sizeof(*first));
    size_t kinds = 0;
    size_t *kind = calloc(m->count + 1, sizeof(*kind));

    m->key = calloc(byw_param_count() + 1, sizeof(*m->key));
    for (size_t i = 0; first != NULL && kind != NULL && i < m->count; i++) {
        size_t k = 0;

        while (k < kinds && !(same_text(m->result[i], m->result[kind[k]], "machine") &&
                              same_text(m->result[i], m->result[kind[k]], "policy")))
            k++;
        if (k == kinds)
            kind[kinds++] = i;
        first[i] = kind[k];
    }
    for (size_t i = 0; first != NULL && kind != NULL && m->key != NULL && i < byw_param_count();
         i++)
        if (varies(m, first, byw_param(i)->key))
            m->key[m->keys++] = byw_param(i)->key;
    free(first);
    free(kind);
    return first != NULL && kind != NULL && m->key != NULL;
}

enum byw_status byw_merge_create(const struct byw_store *store, struct byw_merge **merge,
                                 struct byw_diag *diag)
{
    struct byw_merge *m = calloc(1, sizeof(*m));
    struct byw_names ids;
    enum byw_status st = byw_store_list(store, &ids, diag);

    if (st != BYW_OK) {
        free(m);
        return st;
    }
    if (m != NULL)
        m->result = calloc(ids.count + 1, sizeof(*m->result));
    if (m == NULL || m->result == NULL)
        st = byw_no_memory(diag, "the results");
    for (size_t i = 0; st == BYW_OK && i < ids.count; i++) {
        st = byw_store_get(store, ids.name[i], &m->result[i], diag);
        m->count += st == BYW_OK;
    }
    byw_names_free(&ids);
    if (st == BYW_OK) {
        qsort(m->result, m->count, sizeof(json_t *), by_names);
        if (!find_keys(m))
            st = byw_no_memory(diag, "the results");
    }
    if (st != BYW_OK)
        byw_merge_free(m);
    else
        *merge = m;
    return st;
}

void byw_merge_free(struct byw_merge *merge)
{
    if (merge == NULL)
        return;
    for (size_t i = 0; i < merge->count; i++)
        json_decref(merge->result[i]);
    free(merge->result);
    free(merge->key);
    free(merge);
}

size_t byw_merge_count(const struct byw_merge *merge)
{
    return merge->count;
}

json_t *byw_merge_result(const struct byw_merge *merge, size_t i)
{
    return merge->result[i];
}

size_t byw_merge_keys(const struct byw_merge *merge)
{
    return merge->keys;
}

const char *byw_merge_key(const struct byw_merge *merge, size_t k)
{
    return merge->key[k];
}

/* --- numbers --------------------------------------------------------------------------------- */

static bool is_list(const char *name)
{
    for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
        if (strcmp(lists[i], name) == 0)
            return true;
    return false;
}

static void walk(const json_t *object, const char *prefix,
                 void (*use)(void *ctx, const char *path, double value), void *ctx)
{
    const char *name;
    json_t *value;

    json_object_foreach((json_t *)object, name, value)
    {
        char path[PATH_ROOM];

        if (*prefix == '\0' && is_list(name))
            continue;
        snprintf(path, sizeof(path), "%s%s%s", prefix, *prefix != '\0' ? "." : "", name);
        if (json_is_object(value))
            walk(value, path, use, ctx);
        else if (json_is_number(value))
            use(ctx, path, json_number_value(value));
    }
}

void byw_result_numbers(const json_t *result,
                        void (*use)(void *ctx, const char *path, double value), void *ctx)
{
    walk(result, "", use, ctx);
}

/* --- CSV ------------------------------------------------------------------------------------- */

/* The columns: every path that some result has, in the order of their first appearance. */
struct columns {
    char **path;
    size_t count, room;
    bool short_of_memory;
};

static void add_column(void *ctx, const char *path, double value)
{
    struct columns *c = ctx;
    (void)value;
    for (size_t i = 0; i < c->count; i++)
        if (strcmp(c->path[i], path) == 0)
            return;
    if (!BYW_ARRAY_ROOM(c->path, c->room, c->count + 1)) {
        c->short_of_memory = true;
        return;
    }
    c->path[c->count] = strdup(path);
    if (c->path[c->count] == NULL)
        c->short_of_memory = true;
    else
        c->count++;
}

/* A spreadsheet executes a text that begins like this as a formula. */
static bool is_formula(const char *text)
{
    char *end;

    if (*text == '\0' || strchr("=+-@\t\r", *text) == NULL)
        return false;
    (void)strtod(text, &end);
    return *end != '\0'; /* not a number */
}

static void put_field(FILE *out, const char *text)
{
    const char *mark = is_formula(text) ? "'" : ""; /* makes a spreadsheet treat it as text */

    if (text[strcspn(text, ",\"\r\n")] == '\0') {
        fprintf(out, "%s%s", mark, text);
        return;
    }
    fprintf(out, "\"%s", mark);
    for (; *text != '\0'; text++)
        fputs(*text == '"' ? "\"\"" : (const char[2]){*text, '\0'}, out);
    fputc('"', out);
}

static void put_value(FILE *out, const json_t *value)
{
    if (json_is_string(value))
        put_field(out, json_string_value(value));
    else if (json_is_integer(value))
        fprintf(out, "%lld", (long long)json_integer_value(value));
}

static void put_line(FILE *out, const struct byw_merge *m, const struct columns *c,
                     const json_t *result)
{
    static const char *const names[] = {"run_id", "workload", "machine", "policy"};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        put_field(out, byw_result_text(result, names[i]));
        fputc(',', out);
    }
    for (size_t k = 0; k < m->keys; k++) {
        put_value(out, json_object_get(json_object_get(result, "config"), m->key[k]));
        fputc(',', out);
    }
    fputs(byw_result_refused(result) != NULL ? "refused" : "ok", out);
    for (size_t i = 0; i < c->count; i++) {
        fputc(',', out);
        if (byw_result_refused(result) == NULL && byw_result_has(result, c->path[i]))
            fprintf(out, "%.12g", byw_result_number(result, c->path[i]));
    }
    fputc('\n', out);
}

enum byw_status byw_merge_csv(const struct byw_merge *merge, struct byw_file *file,
                              struct byw_diag *diag)
{
    FILE *out = byw_file_stream(file);
    struct columns c = {.count = 0};
    enum byw_status st;

    for (size_t i = 0; i < merge->count; i++)
        byw_result_numbers(merge->result[i], add_column, &c);
    fputs("run_id,workload,machine,policy,", out);
    for (size_t k = 0; k < merge->keys; k++)
        fprintf(out, "%s,", merge->key[k]);
    fputs("status", out);
    for (size_t i = 0; i < c.count; i++)
        fprintf(out, ",%s", c.path[i]);
    fputc('\n', out);
    for (size_t i = 0; i < merge->count; i++)
        put_line(out, merge, &c, merge->result[i]);
    if (c.short_of_memory) {
        byw_file_discard(file);
        st = byw_no_memory(diag, "the table");
    } else {
        st = byw_file_commit(file, diag);
    }
    for (size_t i = 0; i < c.count; i++)
        free(c.path[i]);
    free(c.path);
    return st;
}
