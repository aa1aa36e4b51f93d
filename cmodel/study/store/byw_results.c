/* SPDX-License-Identifier: Apache-2.0 */
#include "study/store/byw_results.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/byw_array.h"
#include "study/store/byw_merge.h"

static enum byw_status add(struct byw_results *set, json_t *run, struct byw_diag *diag)
{
    if (!BYW_ARRAY_ROOM(set->run, set->room, set->count + 1))
        return byw_no_memory(diag, "the results");
    set->run[set->count++] = json_incref(run);
    return BYW_OK;
}

static enum byw_status add_folder(struct byw_results *set, const char *name, struct byw_diag *diag)
{
    struct byw_store *store = NULL;
    struct byw_merge *merge = NULL;
    enum byw_status st = byw_store_open(name, BYW_STORE_READ, &store, diag);

    if (st == BYW_OK)
        st = byw_merge_create(store, &merge, diag);
    for (size_t i = 0; st == BYW_OK && i < byw_merge_count(merge); i++)
        st = add(set, byw_merge_result(merge, i), diag);
    byw_merge_free(merge);
    byw_store_close(store);
    return st;
}

static enum byw_status add_comparison(struct byw_results *set, const json_t *comparison,
                                      struct byw_diag *diag)
{
    enum byw_status st = BYW_OK;
    json_t *run;
    size_t i;

    json_array_foreach(json_object_get(comparison, "runs"), i, run) if (st == BYW_OK) st =
        add(set, run, diag);
    return st;
}

static enum byw_status add_file(struct byw_results *set, const char *name, struct byw_diag *diag)
{
    json_t *json =
        byw_json_read(name, "JSON of `byway run`, `compare` or the folder of a sweep", diag);
    json_t *one;
    const char *schema = byw_result_text(json, "schema");
    enum byw_status st = BYW_OK;
    size_t i;

    if (json == NULL)
        return BYW_EFORMAT;
    if (strcmp(schema, BYW_RESULT_SCHEMA) == 0)
        st = add(set, json, diag);
    else if (strcmp(schema, BYW_COMPARE_SCHEMA) == 0)
        st = add_comparison(set, json, diag);
    else if (strcmp(schema, BYW_MACHINES_SCHEMA) == 0)
        json_array_foreach(json_object_get(json, "machines"), i, one)
        {
            if (st == BYW_OK)
                st = add_comparison(set, one, diag);
        }
    else
        st = byw_diag_set(diag, BYW_EFORMAT,
                          "%s: its schema is '%.40s'; expected a result of "
                          "`byway run`, `compare` or `sweep`",
                          name, schema);
    json_decref(json);
    return st;
}

enum byw_status byw_results_read(struct byw_results *results, const char *name,
                                 struct byw_diag *diag)
{
    struct stat about;

    *results = (struct byw_results){.count = 0};
    if (stat(name, &about) != 0)
        return byw_diag_set(diag, BYW_ENOENT, "%s: no such file or folder", name);
    return S_ISDIR(about.st_mode) ? add_folder(results, name, diag) : add_file(results, name, diag);
}

void byw_results_release(struct byw_results *results)
{
    for (size_t i = 0; i < results->count; i++)
        json_decref(results->run[i]);
    free(results->run);
    *results = (struct byw_results){.count = 0};
}
