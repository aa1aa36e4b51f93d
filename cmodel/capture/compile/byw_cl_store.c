/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/compile/byw_cl_store.h"
#include "capture/byw_capture.h"

#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/byw_cache.h"
#include "common/byw_private.h"

/* Prints each sentence once per process, because a program may build many times. */
static void say_once(atomic_flag *said, const char *format, const char *text)
{
    if (!atomic_flag_test_and_set(said))
        fprintf(stderr, format, text);
}

/* Compiles in a temporary folder, which is removed once the object is loaded. */
static enum byw_status without_cache(struct byw_cl_store *store, const char *why,
                                     struct byw_diag *diag)
{
    static atomic_flag said = ATOMIC_FLAG_INIT;
    char path[BYW_CL_PATH];
    char *slash;
    enum byw_status st = byw_private_temporary(path, sizeof(path) - 64, diag);

    if (st != BYW_OK)
        return st;
    rmdir(path); /* the workshop creates another private folder in the same parent */
    slash = strrchr(path, '/');
    *slash = '\0';
    store->keeps = false;
    snprintf(store->folder, sizeof(store->folder), "%s", path);
    say_once(&said,
             "byway: the cache is not used, and kernels are compiled in a private folder: %s\n",
             why);
    return BYW_OK;
}

enum byw_status byw_cl_store_open(struct byw_cl_store *store, struct byw_diag *diag)
{
    char path[BYW_CACHE_PATH];
    struct byw_diag why = {""};
    enum byw_status st = byw_cache_folder(BYW_CACHE_KERNELS, true, path, &why);

    if (st == BYW_ECHECK)
        return without_cache(store, why.text, diag);
    if (st != BYW_OK)
        return byw_diag_set(diag, st, "%s", why.text);
    store->keeps = true;
    if (snprintf(store->folder, sizeof(store->folder), "%s", path) >= (int)sizeof(store->folder))
        return byw_diag_set(diag, BYW_EIO, "%s: path too long", path);
    return BYW_OK;
}

/* Loads through the folder's descriptor, so that the object comes from the folder that was checked.
 * The loader identifies objects by name, so each needs a different name. */
static enum byw_status load_from(const char *folder, const char *name,
                                 struct byw_cl_binary **binary)
{
    int at = open(folder, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    char path[64 + NAME_MAX];
    enum byw_status st;

    if (at < 0)
        return BYW_EIO;
    snprintf(path, sizeof(path), "/proc/self/fd/%d/%.*s", at, NAME_MAX, name);
    if (access(path, R_OK) != 0) /* no /proc */
        snprintf(path, sizeof(path), "%.*s/%s", (int)(sizeof(path) - strlen(name) - 2), folder,
                 name);
    st = byw_cl_load(path, binary, NULL);
    close(at);
    return st;
}

bool byw_cl_store_take(const struct byw_cl_store *store, const char *name,
                       struct byw_cl_binary **binary)
{
    static atomic_flag said = ATOMIC_FLAG_INIT;
    char path[2 * BYW_CL_PATH];
    bool foreign, good;
    int fd;

    if (!store->keeps || getenv(BYW_CAPTURE_ENV_PTX) != NULL) /* a cached kernel has no PTX */
        return false;
    snprintf(path, sizeof(path), "%s/%s", store->folder, name);
    fd = byw_private_open(store->folder, name, &foreign);
    if (foreign)
        say_once(&said,
                 "byway: %s: not a file that only this user can write; it was removed, and the "
                 "kernel is compiled again\n",
                 path);
    if (fd < 0)
        return false;
    good = byw_cl_is_sealed(fd, name) && load_from(store->folder, name, binary) == BYW_OK;
    close(fd);
    if (good)
        byw_cache_touch(path);
    else
        unlink(path);
    return good;
}

enum byw_status byw_cl_store_put(const struct byw_cl_store *store, const char *object,
                                 const char *name, struct byw_cl_binary **binary,
                                 struct byw_diag *diag)
{
    char path[2 * BYW_CL_PATH];
    enum byw_status st = byw_cl_load(object, binary, diag);

    if (st != BYW_OK || !store->keeps)
        return st;
    snprintf(path, sizeof(path), "%s/%s", store->folder, name);
    if (byw_cl_seal(object, name) && rename(object, path) == 0)
        byw_cache_trim();
    return BYW_OK;
}
