/* SPDX-License-Identifier: Apache-2.0 */
#include "study/store/byw_store.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/byw_path.h"
#include "trace/file/byw_trace_sum.h"

enum { ID_LENGTH = BYW_TRACE_SUM_ROOM - 1 };

struct byw_store {
    char path[BYW_PATH_ROOM], runs[BYW_PATH_ROOM];
    enum byw_store_mode mode;
    int claims; /* the file whose bytes are locked; -1: read-only access */
};

static enum byw_status make_folder(const char *path, struct byw_diag *diag)
{
    if (mkdir(path, 0777) == 0 || errno == EEXIST)
        return BYW_OK;
    return byw_diag_set(diag, BYW_EIO, "%s: cannot create the folder (%s)", path, strerror(errno));
}

static enum byw_status open_claims(struct byw_store *s, struct byw_diag *diag)
{
    char path[BYW_PATH_ROOM];
    int n = snprintf(path, sizeof(path), "%s/claims", s->path);

    s->claims = n < (int)sizeof(path) ? open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666) : -1;
    if (s->claims < 0)
        return byw_diag_set(diag, BYW_EIO,
                            "%s: cannot be written (%s); expected a folder for the "
                            "results",
                            s->path, strerror(errno));
    return BYW_OK;
}

enum byw_status byw_store_open(const char *path, enum byw_store_mode mode, struct byw_store **store,
                               struct byw_diag *diag)
{
    struct byw_store *s = calloc(1, sizeof(*s));
    enum byw_status st = BYW_OK;

    if (s == NULL)
        return byw_no_memory(diag, "the folder of results");
    s->mode = mode;
    s->claims = -1;
    if (snprintf(s->path, sizeof(s->path), "%s", path) >= (int)sizeof(s->path) ||
        snprintf(s->runs, sizeof(s->runs), "%s/runs", path) >= (int)sizeof(s->runs))
        st = byw_diag_set(diag, BYW_EINVAL, "%.60s...: path too long", path);
    if (st == BYW_OK && mode == BYW_STORE_WRITE)
        st = make_folder(s->path, diag);
    if (st == BYW_OK && mode == BYW_STORE_WRITE)
        st = make_folder(s->runs, diag);
    if (st == BYW_OK && mode == BYW_STORE_WRITE)
        st = open_claims(s, diag);
    if (st == BYW_OK && mode != BYW_STORE_LOOK && !byw_path_is_folder(s->runs))
        st = byw_diag_set(diag, BYW_ENOENT,
                          "%s: contains no results; expected a folder made by `byway sweep`", path);
    if (st != BYW_OK) {
        byw_store_close(s);
        return st;
    }
    *store = s;
    return BYW_OK;
}

void byw_store_close(struct byw_store *store)
{
    if (store == NULL)
        return;
    if (store->claims >= 0)
        close(store->claims);
    free(store);
}

const char *byw_store_path(const struct byw_store *store)
{
    return store->path;
}

/* --- claims ---------------------------------------------------------------------------------- */

static bool lock(struct byw_store *store, const char *id, short type)
{
    char digits[16];
    struct flock range = {.l_type = type, .l_whence = SEEK_SET, .l_len = 1};

    snprintf(digits, sizeof(digits), "%.15s", id); /* 60 bits */
    range.l_start = (off_t)strtoull(digits, NULL, 16);
    /* A file system without locks: the point may be run twice, with the same result. */
    return fcntl(store->claims, F_OFD_SETLK, &range) == 0 || (errno != EAGAIN && errno != EACCES);
}

bool byw_store_claim(struct byw_store *store, const char *id)
{
    return lock(store, id, F_WRLCK);
}

void byw_store_release(struct byw_store *store, const char *id)
{
    lock(store, id, F_UNLCK);
}

/* --- results --------------------------------------------------------------------------------- */

static bool file_of(const struct byw_store *store, const char *id, char path[BYW_PATH_ROOM])
{
    return snprintf(path, BYW_PATH_ROOM, "%s/%s.json", store->runs, id) < BYW_PATH_ROOM;
}

bool byw_store_has(const struct byw_store *store, const char *id)
{
    char path[BYW_PATH_ROOM];

    return file_of(store, id, path) && access(path, F_OK) == 0;
}

enum byw_status byw_store_put(struct byw_store *store, const char *id, json_t *result,
                              struct byw_diag *diag)
{
    char path[BYW_PATH_ROOM];
    struct byw_file *file;
    enum byw_status st;

    json_object_set_new(result, "run_id", json_string(id));
    if (!file_of(store, id, path))
        return byw_diag_set(diag, BYW_EINVAL, "%.60s...: path too long", store->runs);
    st = byw_file_create(path, &file, diag);
    return st == BYW_OK ? byw_json_write(result, file, diag) : st;
}

enum byw_status byw_store_get(const struct byw_store *store, const char *id, json_t **result,
                              struct byw_diag *diag)
{
    char path[BYW_PATH_ROOM];
    json_error_t error;
    const char *schema;

    if (!file_of(store, id, path))
        return byw_diag_set(diag, BYW_EINVAL, "%.60s...: path too long", store->runs);
    *result = json_load_file(path, 0, &error);
    schema = byw_result_text(*result, "schema");
    if (*result != NULL && strcmp(schema, BYW_RESULT_SCHEMA) == 0 &&
        strcmp(byw_result_text(*result, "run_id"), id) == 0)
        return BYW_OK;
    json_decref(*result);
    *result = NULL;
    return byw_diag_set(diag, BYW_EFORMAT,
                        "%s: is damaged or was changed (%s); run `byway sweep` again", path,
                        error.line > 0 ? error.text : "other members");
}

enum byw_status byw_store_find(struct byw_store *store, const char *id, json_t **result,
                               struct byw_diag *diag)
{
    char path[BYW_PATH_ROOM];
    enum byw_status st;

    *result = NULL;
    if (!byw_store_has(store, id))
        return BYW_OK;
    st = byw_store_get(store, id, result, diag);
    if (st == BYW_EFORMAT && store->mode == BYW_STORE_LOOK)
        return BYW_OK;
    return st == BYW_EFORMAT && file_of(store, id, path) && unlink(path) == 0 ? BYW_OK : st;
}

static int is_result(const struct dirent *entry)
{
    return strlen(entry->d_name) == ID_LENGTH + 5 &&
           strspn(entry->d_name, "0123456789abcdef") == ID_LENGTH &&
           strcmp(entry->d_name + ID_LENGTH, ".json") == 0;
}

enum byw_status byw_store_list(const struct byw_store *store, struct byw_names *ids,
                               struct byw_diag *diag)
{
    struct dirent **entry = NULL;
    int count = scandir(store->runs, &entry, is_result, alphasort);
    bool good = count >= 0;

    *ids = (struct byw_names){.name = calloc((size_t)(count > 0 ? count : 0) + 1, sizeof(char *))};
    good = good && ids->name != NULL;
    for (int i = 0; i < count; i++) {
        if (good) {
            ids->name[ids->count] = strndup(entry[i]->d_name, ID_LENGTH);
            good = ids->name[ids->count] != NULL;
            ids->count += good;
        }
        free(entry[i]);
    }
    free(entry);
    if (good)
        return BYW_OK;
    byw_names_free(ids);
    return byw_diag_set(diag, BYW_EIO, "%s: cannot be read", store->runs);
}
