/* SPDX-License-Identifier: Apache-2.0 */
#include "common/byw_cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/byw_array.h"
#include "common/byw_env.h"

#define MEGABYTE UINT64_C(1000000)

enum {
    LIMIT_MB = 4000,
    LIMIT_MB_MOST = 1000000000,
    NAME_DIGITS = 16, /* at least: a name is the hash, in hexadecimal, of everything that determines
                         the content */
};

/* A file of the cache. */
struct entry {
    enum byw_cache_part part;
    uint64_t bytes;
    struct timespec used;
    char name[NAME_MAX + 1];
};

struct list {
    struct entry *entry;
    size_t count, room;
};

/* --- where it is -------------------------------------------------------------------------- */

/* Whether the folder is writable or can be created in its nearest existing parent. */
static bool can_write(const char *folder)
{
    char path[BYW_CACHE_PATH];
    char *slash;

    snprintf(path, sizeof(path), "%s", folder);
    while (access(path, F_OK) != 0 && (slash = strrchr(path, '/')) != NULL && slash != path)
        *slash = '\0';
    return access(path, W_OK | X_OK) == 0;
}

/* *shared: the folder is in one that other users can write, too. */
static bool root_of(char root[BYW_CACHE_PATH], bool *shared)
{
    const char *own = getenv("BYWAY_CACHE"), *xdg = getenv("XDG_CACHE_HOME"),
               *home = getenv("HOME"), *tmp = getenv("TMPDIR");
    int n;

    *shared = false;
    if (own != NULL && own[0] != '\0')
        return snprintf(root, BYW_CACHE_PATH, "%s", own) < BYW_CACHE_PATH;
    if (xdg != NULL && xdg[0] == '/') /* the standard ignores other values */
        n = snprintf(root, BYW_CACHE_PATH, "%s/byway", xdg);
    else
        n = snprintf(root, BYW_CACHE_PATH, "%s/.cache/byway", home != NULL ? home : "");
    if (n < BYW_CACHE_PATH && can_write(root))
        return true;
    *shared = true;
    return snprintf(root, BYW_CACHE_PATH, "%s/byway-%ld",
                    tmp != NULL && *tmp == '/' ? tmp : P_tmpdir, (long)geteuid()) < BYW_CACHE_PATH;
}

static bool path_of(enum byw_cache_part part, char path[BYW_CACHE_PATH])
{
    bool shared;
    size_t n;

    if (!root_of(path, &shared))
        return false;
    n = strlen(path);
    return part != BYW_CACHE_TRACES ||
           snprintf(path + n, BYW_CACHE_PATH - n, "/traces") < (int)(BYW_CACHE_PATH - n);
}

/* Cached files are loaded as code: in a shared folder it must be this user's alone. */
static bool is_safe(void)
{
    char root[BYW_CACHE_PATH];
    struct stat about;
    bool shared;

    if (!root_of(root, &shared))
        return false;
    if (!shared)
        return true;
    mkdir(root, 0700);
    return lstat(root, &about) == 0 && S_ISDIR(about.st_mode) && about.st_uid == geteuid() &&
           (about.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

static void make_folders(char *path)
{
    for (char *c = path + 1; *c != '\0'; c++)
        if (*c == '/') {
            *c = '\0';
            mkdir(path, 0777);
            *c = '/';
        }
    mkdir(path, 0777);
}

enum byw_status byw_cache_folder(enum byw_cache_part part, bool make, char folder[BYW_CACHE_PATH],
                                 struct byw_diag *diag)
{
    if (!path_of(part, folder))
        return byw_diag_set(diag, BYW_EIO,
                            "the path of the cache is too long; expected another "
                            "folder in BYWAY_CACHE");
    if (make && !is_safe())
        return byw_diag_set(diag, BYW_EIO,
                            "%s: others may write there; expected a folder for the cache in "
                            "BYWAY_CACHE, or a home that can be written",
                            folder);
    if (make)
        make_folders(folder);
    if (make && access(folder, W_OK) != 0)
        return byw_diag_set(diag, BYW_EIO,
                            "%s: cannot be written (%s); expected a folder for the cache, or "
                            "another one in BYWAY_CACHE",
                            folder, strerror(errno));
    return BYW_OK;
}

enum byw_status byw_cache_limit(uint64_t *bytes, struct byw_diag *diag)
{
    uint64_t megabytes = LIMIT_MB;
    enum byw_status st = byw_env_number("BYWAY_CACHE_MB", 0, LIMIT_MB_MOST, &megabytes, diag);

    *bytes = megabytes * MEGABYTE;
    return st;
}

/* --- cached files ------------------------------------------------------------------------- */

static bool ends_with(const char *name, const char *ending)
{
    size_t n = strlen(name), m = strlen(ending);

    return n >= m && strcmp(name + n - m, ending) == 0;
}

static bool is_ours(enum byw_cache_part part, const char *name)
{
    if (strspn(name, "0123456789abcdef") < NAME_DIGITS)
        return false;
    return part == BYW_CACHE_KERNELS ? ends_with(name, ".so")
                                     : ends_with(name, ".kept") || ends_with(name, ".kept.bwt");
}

static bool add(struct list *list, enum byw_cache_part part, const char *name,
                const struct stat *about)
{
    struct entry *e;

    if (!BYW_ARRAY_ROOM(list->entry, list->room, list->count + 1u))
        return false;
    e = &list->entry[list->count++];
    *e = (struct entry){.part = part, .bytes = (uint64_t)about->st_size, .used = about->st_mtim};
    snprintf(e->name, sizeof(e->name), "%s", name);
    return true;
}

static bool list_part(struct list *list, enum byw_cache_part part)
{
    char folder[BYW_CACHE_PATH];
    const struct dirent *entry;
    struct stat about;
    bool good = true;
    DIR *dir = path_of(part, folder) ? opendir(folder) : NULL;

    if (dir == NULL) /* nothing has been stored yet */
        return true;
    while (good && (entry = readdir(dir)) != NULL)
        if (is_ours(part, entry->d_name) &&
            fstatat(dirfd(dir), entry->d_name, &about, AT_SYMLINK_NOFOLLOW) == 0 &&
            S_ISREG(about.st_mode))
            good = add(list, part, entry->d_name, &about);
    closedir(dir);
    return good;
}

static enum byw_status list_all(struct list *list, struct byw_diag *diag)
{
    *list = (struct list){.count = 0};
    for (int part = 0; part < BYW_CACHE_PARTS; part++)
        if (!list_part(list, (enum byw_cache_part)part)) {
            free(list->entry);
            return byw_no_memory(diag, "the list of cached files");
        }
    return BYW_OK;
}

static void count(struct byw_cache_use *use, const struct entry *e)
{
    use->files[e->part]++;
    use->bytes[e->part] += e->bytes;
}

static bool remove_entry(const struct entry *e)
{
    char path[BYW_CACHE_PATH];
    size_t n;

    if (!path_of(e->part, path))
        return false;
    n = strlen(path);
    return snprintf(path + n, sizeof(path) - n, "/%s", e->name) < (int)(sizeof(path) - n) &&
           unlink(path) == 0;
}

enum byw_status byw_cache_look(struct byw_cache_use *use, struct byw_diag *diag)
{
    struct list list;
    enum byw_status st;

    *use = (struct byw_cache_use){.limit = 0};
    st = byw_cache_limit(&use->limit, diag);
    if (st == BYW_OK)
        st = list_all(&list, diag);
    if (st != BYW_OK)
        return st;
    for (size_t i = 0; i < list.count; i++)
        count(use, &list.entry[i]);
    free(list.entry);
    return BYW_OK;
}

/* --- eviction ----------------------------------------------------------------------------- */

void byw_cache_touch(const char *path)
{
    (void)utimensat(AT_FDCWD, path, NULL,
                    0); /* fails for a file of another user, who updates its time */
}

static int by_use(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;

    if (x->used.tv_sec != y->used.tv_sec)
        return x->used.tv_sec < y->used.tv_sec ? -1 : 1;
    if (x->used.tv_nsec != y->used.tv_nsec)
        return x->used.tv_nsec < y->used.tv_nsec ? -1 : 1;
    return strcmp(x->name, y->name);
}

void byw_cache_trim(void)
{
    uint64_t limit, bytes = 0;
    struct list list;

    if (byw_cache_limit(&limit, NULL) != BYW_OK || list_all(&list, NULL) != BYW_OK)
        return;
    for (size_t i = 0; i < list.count; i++)
        bytes += list.entry[i].bytes;
    if (bytes > limit)
        qsort(list.entry, list.count, sizeof(*list.entry), by_use);
    for (size_t i = 0; i < list.count && bytes > limit; i++) {
        remove_entry(&list.entry[i]);
        bytes -= list.entry[i].bytes;
    }
    free(list.entry);
}

enum byw_status byw_cache_clear(struct byw_cache_use *use, struct byw_diag *diag)
{
    struct list list;
    enum byw_status st = list_all(&list, diag);

    *use = (struct byw_cache_use){.limit = 0};
    for (size_t i = 0; st == BYW_OK && i < list.count; i++) {
        if (remove_entry(&list.entry[i]))
            count(use, &list.entry[i]);
        else if (errno != ENOENT) /* otherwise another process has already removed it */
            st = byw_diag_set(diag, BYW_EIO, "%s: cannot be removed from the cache (%s)",
                              list.entry[i].name, strerror(errno));
    }
    if (st != BYW_ENOMEM)
        free(list.entry);
    return st;
}
