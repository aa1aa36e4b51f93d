/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_merge_sqlite.c - byw_merge_sqlite(): the database, built in memory and written as one file.
 */
#include <stdlib.h>

#include "study/store/byw_merge.h"

#ifdef HAVE_SQLITE3
#include <sqlite3.h>

enum statement { RUN, SETTING, METRIC, PROVENANCE, STATEMENTS };

static const char *const schema =
    "PRAGMA page_size = 4096;"
    "CREATE TABLE run(run_id TEXT PRIMARY KEY, workload TEXT, machine TEXT, policy TEXT, status "
    "TEXT, doc TEXT) WITHOUT ROWID;"
    "CREATE TABLE setting(run_id TEXT, key TEXT, value, PRIMARY KEY(run_id, key)) WITHOUT ROWID;"
    "CREATE TABLE metric(run_id TEXT, name TEXT, value REAL, PRIMARY KEY(run_id, name)) WITHOUT "
    "ROWID;"
    "CREATE TABLE provenance(run_id TEXT PRIMARY KEY, doc TEXT) WITHOUT ROWID;"
    "BEGIN;";

static const char *const inserts[STATEMENTS] = {
    [RUN] = "INSERT INTO run VALUES(?,?,?,?,?,?)",
    [SETTING] = "INSERT INTO setting VALUES(?,?,?)",
    [METRIC] = "INSERT INTO metric VALUES(?,?,?)",
    [PROVENANCE] = "INSERT INTO provenance VALUES(?,?)",
};

struct writer {
    sqlite3 *db;
    sqlite3_stmt *insert[STATEMENTS];
    const char *id;
    bool good;
};

static void bind_text(sqlite3_stmt *s, int place, const char *text)
{
    sqlite3_bind_text(s, place, text, -1, SQLITE_TRANSIENT);
}

static void step(struct writer *w, enum statement which)
{
    if (sqlite3_step(w->insert[which]) != SQLITE_DONE)
        w->good = false;
    sqlite3_reset(w->insert[which]);
    sqlite3_clear_bindings(w->insert[which]);
}

static void add_metric(void *ctx, const char *path, double value)
{
    struct writer *w = ctx;

    bind_text(w->insert[METRIC], 1, w->id);
    bind_text(w->insert[METRIC], 2, path);
    sqlite3_bind_double(w->insert[METRIC], 3, value);
    step(w, METRIC);
}

static void add_doc(struct writer *w, enum statement which, int place, const json_t *doc)
{
    char *text = json_dumps(doc, JSON_COMPACT | JSON_REAL_PRECISION(12));

    if (text == NULL)
        w->good = false;
    else
        bind_text(w->insert[which], place, text);
    free(text);
    step(w, which);
}

static void add_run(struct writer *w, const json_t *result)
{
    static const char *const names[] = {"run_id", "workload", "machine", "policy"};
    json_t *doc = json_copy((json_t *)result);
    json_t *from = json_pack("{s:O?, s:O?}", "sim", json_object_get(result, "sim"), "provenance",
                             json_object_get(result, "provenance"));

    if (doc == NULL || from == NULL) {
        w->good = false;
    } else {
        json_object_del(doc, "sim");
        json_object_del(doc, "provenance");
        for (int i = 0; i < 4; i++)
            bind_text(w->insert[RUN], i + 1, byw_result_text(result, names[i]));
        bind_text(w->insert[RUN], 5, byw_result_refused(result) != NULL ? "refused" : "ok");
        add_doc(w, RUN, 6, doc);
        bind_text(w->insert[PROVENANCE], 1, w->id);
        add_doc(w, PROVENANCE, 2, from);
    }
    json_decref(doc);
    json_decref(from);
}

static void add_settings(struct writer *w, const struct byw_merge *merge, const json_t *result)
{
    for (size_t k = 0; k < byw_merge_keys(merge); k++) {
        const char *key = byw_merge_key(merge, k);
        const json_t *value = json_object_get(json_object_get(result, "config"), key);

        bind_text(w->insert[SETTING], 1, w->id);
        bind_text(w->insert[SETTING], 2, key);
        if (json_is_string(value))
            bind_text(w->insert[SETTING], 3, json_string_value(value));
        else
            sqlite3_bind_int64(w->insert[SETTING], 3, json_integer_value(value));
        step(w, SETTING);
    }
}

static void fill(struct writer *w, const struct byw_merge *merge)
{
    for (size_t i = 0; w->good && i < byw_merge_count(merge); i++) {
        const json_t *result = byw_merge_result(merge, i);

        w->id = byw_result_text(result, "run_id");
        add_run(w, result);
        add_settings(w, merge, result);
        byw_result_numbers(result, add_metric, w);
    }
}

enum byw_status byw_merge_sqlite(const struct byw_merge *merge, struct byw_file *file,
                                 struct byw_diag *diag)
{
    struct writer w = {.good = true};
    unsigned char *image = NULL;
    sqlite3_int64 size = 0;
    enum byw_status st;

    w.good = sqlite3_open(":memory:", &w.db) == SQLITE_OK &&
             sqlite3_exec(w.db, schema, NULL, NULL, NULL) == SQLITE_OK;
    for (int i = 0; w.good && i < STATEMENTS; i++)
        w.good = sqlite3_prepare_v2(w.db, inserts[i], -1, &w.insert[i], NULL) == SQLITE_OK;
    if (w.good)
        fill(&w, merge);
    w.good = w.good && sqlite3_exec(w.db, "COMMIT", NULL, NULL, NULL) == SQLITE_OK;
    if (w.good)
        image = sqlite3_serialize(w.db, "main", &size, 0);
    if (image == NULL) {
        st = byw_diag_set(diag, BYW_ENOMEM, "cannot create the database (%s)",
                          w.db != NULL ? sqlite3_errmsg(w.db) : "no memory");
        byw_file_discard(file);
    } else {
        fwrite(image, 1, (size_t)size, byw_file_stream(file));
        st = byw_file_commit(file, diag);
    }
    sqlite3_free(image);
    for (int i = 0; i < STATEMENTS; i++)
        sqlite3_finalize(w.insert[i]);
    sqlite3_close(w.db);
    return st;
}

bool byw_merge_has_sqlite(void)
{
    return true;
}
#else
enum byw_status byw_merge_sqlite(const struct byw_merge *merge, struct byw_file *file,
                                 struct byw_diag *diag)
{
    (void)merge;
    byw_file_discard(file);
    return byw_diag_set(diag, BYW_EUNSUPPORTED,
                        "this byway was built without libsqlite3; install libsqlite3-dev and build "
                        "again, or use --csv");
}

bool byw_merge_has_sqlite(void)
{
    return false;
}
#endif
