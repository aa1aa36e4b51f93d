/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/byw_named_files.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/byw_text.h"
#include "study/job/byw_setup.h"
#include "trace/bwt/byw_trace_bwt.h"

enum { LINKS_MOST = 40 };

/* The file that a path names. */
struct place {
    bool exists;
    struct stat status; /* if it exists */
    char path[PATH_MAX]; /* with symbolic links resolved */
};

static bool folder_of(const char *path, char folder[PATH_MAX])
{
    const char *slash = strrchr(path, '/');
    size_t length = slash == NULL ? 0 : slash == path ? 1 : (size_t)(slash - path);

    return snprintf(folder, PATH_MAX, "%.*s", (int)length, path) < PATH_MAX &&
           (length != 0 || snprintf(folder, PATH_MAX, ".") > 0);
}

static const char *last_of(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash != NULL ? slash + 1 : path;
}

/* Path of a file that does not exist yet, with symbolic links resolved. */
static bool future_path(const char *given, char path[PATH_MAX])
{
    char at[PATH_MAX], folder[PATH_MAX], target[PATH_MAX], real[PATH_MAX];

    if (snprintf(at, sizeof(at), "%s", given) >= PATH_MAX)
        return false;
    for (int links = 0; links < LINKS_MOST; links++) {
        ssize_t n = readlink(at, target, sizeof(target) - 1);

        if (!folder_of(at, folder) || realpath(folder, real) == NULL)
            return false;
        if (n < 0)
            return snprintf(path, PATH_MAX, "%s/%s", real, last_of(at)) < PATH_MAX;
        target[n] = '\0';
        if (target[0] == '/')
            memcpy(at, target, (size_t)n + 1);
        else if (snprintf(at, sizeof(at), "%s/%s", real, target) >= PATH_MAX)
            return false;
    }
    return false;
}

/* Returns false if the path cannot be resolved; opening it reports the error. */
static bool find_place(const char *path, struct place *place)
{
    place->exists = stat(path, &place->status) == 0;
    if (path[0] == '\0' || strcmp(path, "-") == 0)
        return false;
    return place->exists ? realpath(path, place->path) != NULL : future_path(path, place->path);
}

/* If neither file exists, the paths are compared. */
static bool same_place(const struct place *a, const struct place *b)
{
    if (a->exists && b->exists)
        return a->status.st_dev == b->status.st_dev && a->status.st_ino == b->status.st_ino;
    return a->exists == b->exists && strcmp(a->path, b->path) == 0;
}

/* Whether the file is directly in the folder. */
static bool is_in(const struct place *file, const struct place *folder)
{
    char parent[PATH_MAX];
    struct place at;

    return folder->exists && S_ISDIR(folder->status.st_mode) && folder_of(file->path, parent) &&
           find_place(parent, &at) && same_place(&at, folder);
}

/* --- inputs ------------------------------------------------------------------------------- */

/* Whether the file is part of an Accel-Sim trace, which is named by its folder or its list. */
static bool is_text_trace(const char *name)
{
    static const char *const endings[] = {".g", ".traceg", ".traceg.xz", ".traceg.zst"};

    for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++)
        if (byw_text_ends(name, endings[i]))
            return true;
    return false;
}

/* Whether reading `input` reads the output file. */
static bool reads_place(const struct place *written, const struct place *input)
{
    char parent[PATH_MAX];
    struct place folder;

    if (input->exists && same_place(written, input))
        return true;
    if (!written->exists || !is_text_trace(written->path))
        return false;
    if (is_in(written, input))
        return true;
    return byw_text_ends(input->path, ".g") && folder_of(input->path, parent) &&
           find_place(parent, &folder) && is_in(written, &folder);
}

/* The name of a machine or policy stands for its shipped file. */
static bool reads_shipped(const struct place *written, const char *name)
{
    static const char *const kinds[] = {"machines", "policies"};
    struct byw_places places;
    struct byw_diag diag;

    if (strchr(name, '/') != NULL || byw_places_find(&places, &diag) != BYW_OK)
        return false;
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        char path[PATH_MAX];
        struct place shipped;

        if (snprintf(path, sizeof(path), "%s/%s/%s.cfg", places.configs, kinds[i], name) <
                PATH_MAX &&
            find_place(path, &shipped) && same_place(written, &shipped))
            return true;
    }
    return false;
}

/* Whether one value of an input, which may be a list, is the output file. */
static bool reads(const struct place *written, const char *values)
{
    char *copy = strdup(values), *rest = copy, *value;
    struct place input;
    bool found = find_place(values, &input) && reads_place(written, &input);

    while (!found && (value = strsep(&rest, ",")) != NULL)
        found = (find_place(value, &input) && reads_place(written, &input)) ||
                reads_shipped(written, value);
    free(copy);
    return found;
}

/* --- outputs ------------------------------------------------------------------------------ */

static bool is_output(const struct byw_named_file *file)
{
    return file->use == BYW_FILE_WRITTEN || file->use == BYW_FILE_TRACE;
}

static enum byw_status refuse(const struct byw_named_file *output,
                              const struct byw_named_file *other, struct byw_diag *diag)
{
    return byw_diag_set(diag, BYW_EINVAL,
                        "%s would replace '%s', which %s %s; expected another file for %s",
                        output->what, output->path, other->what,
                        other->use == BYW_FILE_READ ? "reads" : "writes", output->what);
}

static bool holds_trace(const char *path)
{
    char head[BYW_BWT_MAGIC_BYTES];
    FILE *file = fopen(path, "rbe");
    bool is;

    if (file == NULL)
        return false;
    is = fread(head, 1, sizeof(head), file) == sizeof(head) &&
         memcmp(head, BYW_BWT_MAGIC, sizeof(head)) == 0;
    fclose(file);
    return is;
}

/* A run in the store of a sweep (store/byw_store.h): runs/ID.json. */
static bool is_stored_run(const struct place *file)
{
    enum { ID = 32 };
    const char *name = last_of(file->path);
    char parent[PATH_MAX];

    return strspn(name, "0123456789abcdef") == ID && strcmp(name + ID, ".json") == 0 &&
           folder_of(file->path, parent) && strcmp(last_of(parent), "runs") == 0;
}

static bool collide(const struct byw_named_file *output, const struct place *written,
                    const struct byw_named_file *other)
{
    struct place place;

    switch (other->use) {
    case BYW_FILE_READ:
        if (reads(written, other->path))
            return true;
        /* A text trace would be written into the folder from which it is read. */
        return output->use == BYW_FILE_TRACE && find_place(other->path, &place) &&
               is_text_trace(place.path) && is_in(&place, written);
    case BYW_FILE_WRITTEN:
    case BYW_FILE_TRACE:
        return find_place(other->path, &place) && same_place(written, &place);
    case BYW_FILE_PAGES:
        return find_place(other->path, &place) && is_in(written, &place) &&
               strcmp(last_of(written->path), "index.html") == 0;
    case BYW_FILE_NONE:
        break;
    }
    return false;
}

enum byw_status byw_named_files_check(const struct byw_named_file *file, size_t count,
                                      struct byw_diag *diag)
{
    for (size_t i = 0; i < count; i++) {
        struct place written;

        if (!is_output(&file[i]) || !find_place(file[i].path, &written))
            continue;
        if (written.exists && !S_ISREG(written.status.st_mode) && !S_ISDIR(written.status.st_mode))
            continue;
        for (size_t k = 0; k < count; k++)
            if (k != i && collide(&file[i], &written, &file[k]))
                return refuse(&file[i], &file[k], diag);
        if (file[i].use == BYW_FILE_WRITTEN && written.exists && holds_trace(file[i].path))
            return byw_diag_set(diag, BYW_EINVAL,
                                "%s would replace '%s', which is a trace; expected another file",
                                file[i].what, file[i].path);
        if (written.exists && is_stored_run(&written))
            return byw_diag_set(
                diag, BYW_EINVAL,
                "%s would replace '%s', which is a run of a sweep; expected another file",
                file[i].what, file[i].path);
    }
    return BYW_OK;
}
