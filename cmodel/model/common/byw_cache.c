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
#include "common/byw_private.h"
#include "common/byw_text.h"

#define MEGABYTE UINT64_C(1000000)

enum {
    LIMIT_MB = 4000,
    LIMIT_MB_MOST = 1000000000,
    NAME_DIGITS = 16, /* least number of hexadecimal digits in a file's name, which is a hash of
                         everything that determines its content */
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

/* --- location ------------------------------------------------------------------------------- */

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

static bool root_of(char root[BYW_CACHE_PATH])
{
    const char *own = getenv("BYWAY_CACHE"), *xdg = getenv("XDG_CACHE_HOME"),
               *home = getenv("HOME"), *tmp = getenv("TMPDIR");
    int n;

    if (own != NULL && own[0] != '\0')
        return snprintf(root, BYW_CACHE_PATH, "%s", own) < BYW_CACHE_PATH;
    if (xdg != NULL && xdg[0] == '/') /* the XDG specification says to ignore relative paths */
        n = snprintf(root, BYW_CACHE_PATH, "%s/byway", xdg);
    else
        n = snprintf(root, BYW_CACHE_PATH, "%s/.cache/byway", home != NULL ? home : "");
    if (n < BYW_CACHE_PATH && can_write(root))
        return true;
    return snprintf(root, BYW_CACHE_PATH, "%s/byway-%ld",
                    tmp != NULL && *tmp == '/' ? tmp : P_tmpdir, (long)geteuid()) < BYW_CACHE_PATH;
}

static bool path_of(enum byw_cache_part part, char path[BYW_CACHE_PATH])
{
    size_t n;

    if (!root_of(path))
        return false;
    n = strlen(path);
    return part != BYW_CACHE_TRACES ||
           snprintf(path + n, BYW_CACHE_PATH - n, "/traces") < (int)(BYW_CACHE_PATH - n);
}

enum byw_status byw_cache_folder(enum byw_cache_part part, bool make, char folder[BYW_CACHE_PATH],
                                 struct byw_diag *diag)
{
    struct byw_diag why = {""};
    enum byw_status st;

    if (!path_of(part, folder))
        return byw_diag_set(diag, BYW_EIO,
                            "the path of the cache is too long; expected another "
                            "folder in BYWAY_CACHE");
    st = make ? byw_private_folder(folder, &why) : BYW_OK;
    if (st == BYW_EIO)
        return byw_diag_set(diag, BYW_EIO,
                            "%s; make it writable, or name another folder for the cache in "
                            "BYWAY_CACHE",
                            why.text);
    return st == BYW_OK ? BYW_OK : byw_diag_set(diag, st, "%s", why.text);
}

enum byw_status byw_cache_limit(uint64_t *bytes, struct byw_diag *diag)
{
    uint64_t megabytes = LIMIT_MB;
    enum byw_status st = byw_env_number("BYWAY_CACHE_MB", 0, LIMIT_MB_MOST, &megabytes, diag);

    *bytes = megabytes * MEGABYTE;
    return st;
}

/* --- cached files ------------------------------------------------------------------------- */

static bool is_ours(enum byw_cache_part part, const char *name)
{
    if (strspn(name, "0123456789abcdef") < NAME_DIGITS)
        return false;
    return part == BYW_CACHE_KERNELS
               ? byw_text_ends(name, ".so")
               : byw_text_ends(name, ".kept") || byw_text_ends(name, ".kept.bwt");
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
                    0); /* fails harmlessly if the file belongs to another user */
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
