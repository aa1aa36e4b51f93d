/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/byw_ready.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "capture/byw_capture.h"
#include "capture/byw_cl_device.h"
#include "capture/byw_clang.h"
#include "common/byw_cache.h"
#include "common/byw_path.h"
#include "common/byw_private.h"

#define SHARED "libbyway-capture.so" /* which byway's libOpenCL.so.1 and libcuda.so.1 need */
#define ROOM_MB 8 /* space that compiling a kernel may need temporarily */
#define ROOM (ROOM_MB * 1000000L)

/* --- the libraries ------------------------------------------------------------------------- */

/* Whether the folder has a file of this name that contains the text; a file without it may be
 * another vendor's library. */
static bool contains(const char *folder, const char *name, const char *mark)
{
    char path[PATH_MAX + 32];
    struct stat about;
    void *text = MAP_FAILED;
    bool found = false;
    int fd;

    snprintf(path, sizeof(path), "%s/%s", folder, name);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd >= 0 && fstat(fd, &about) == 0 && about.st_size > 0)
        text = mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (text != MAP_FAILED) {
        found = memmem(text, (size_t)about.st_size, mark, strlen(mark)) != NULL;
        munmap(text, (size_t)about.st_size);
    }
    if (fd >= 0)
        close(fd);
    return found;
}

/* The name of a library that is missing from the folder; NULL: none is. */
static const char *lacks(const char *folder)
{
    return !contains(folder, BYW_READY_OPENCL, SHARED)        ? BYW_READY_OPENCL
           : !contains(folder, "libcuda.so.1", SHARED)        ? "libcuda.so.1"
           : !contains(folder, SHARED, BYW_CAPTURE_ENV_LEASH) ? SHARED
                                                              : NULL;
}

void byw_ready_self(char binary[PATH_MAX - 32])
{
    if (!byw_path_own_folder(binary, PATH_MAX - 32))
        binary[0] = '\0';
}

enum byw_status byw_ready_runtime(char folder[PATH_MAX], struct byw_diag *diag)
{
    static const char *const beside[] = {"lib", "../lib/byway", "../lib"};
    const char *own = getenv("BYWAY_LIB"), *missing;
    char binary[PATH_MAX - 32], path[PATH_MAX];

    if (own != NULL && *own != '\0') {
        missing = lacks(own);
        if (missing == NULL && realpath(own, folder) != NULL)
            return BYW_OK;
        return byw_diag_set(diag, BYW_ENOENT, "%s: does not contain byway's %s (BYWAY_LIB)", own,
                            missing != NULL ? missing : "libraries");
    }
    byw_ready_self(binary);
    for (size_t i = 0; i < sizeof(beside) / sizeof(beside[0]); i++) {
        snprintf(path, sizeof(path), "%s/%s", binary, beside[i]);
        if (lacks(path) == NULL && realpath(path, folder) != NULL)
            return BYW_OK;
    }
    snprintf(path, sizeof(path), "%s/lib", binary);
    missing = lacks(path);
    return byw_diag_set(diag, BYW_ENOENT,
                        "%s/%s: the tracing runtime is not built: `make deps-all && make` in the "
                        "checkout gets clang, llvm-dev and libclc and builds it; then `make "
                        "install` if byway is installed",
                        path, missing);
}

/* Makes the path of the libraries' folder usable in the dynamic loader's lists. The loader splits
 * them at colons and semicolons and expands $, so a folder with one of these characters in its path
 * is named by a descriptor. It stays open until this process ends. */
static enum byw_status make_listable(struct byw_ready *ready, struct byw_diag *diag)
{
    if (strpbrk(ready->folder, ":;$") == NULL)
        return BYW_OK;
    ready->fd = open(ready->folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (ready->fd < 0)
        return byw_diag_set(diag, BYW_EIO, "%s: %s", ready->folder, strerror(errno));
    snprintf(ready->folder, sizeof(ready->folder), "/proc/%ld/fd/%d", (long)getpid(), ready->fd);
    return BYW_OK;
}

/* --- the cache ----------------------------------------------------------------------------- */

/* Checks with an unnamed file that the disk is not full and the user's quota is not used up. */
static enum byw_status check_room(const char *folder, struct byw_diag *diag)
{
    struct statvfs about;
    int fd = open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
    int error = fd >= 0 && fallocate(fd, 0, 0, ROOM) != 0 ? errno : 0;

    if (fd >= 0)
        close(fd);
    if (error != ENOSPC && error != EDQUOT && statvfs(folder, &about) == 0 &&
        about.f_bavail * about.f_frsize < ROOM)
        error = ENOSPC;
    if (error != ENOSPC && error != EDQUOT)
        return BYW_OK;
    return byw_diag_set(diag, BYW_EIO,
                        "%s: %s; compiling kernels needs %d MB there: make room, or name another "
                        "folder for the cache in BYWAY_CACHE",
                        folder, strerror(error), ROOM_MB);
}

enum byw_status byw_ready_cache(struct byw_diag *diag)
{
    char folder[BYW_CACHE_PATH];
    enum byw_status st = byw_cache_folder(BYW_CACHE_KERNELS, true, folder, diag);

    return st == BYW_OK ? check_room(folder, diag) : st;
}

/* Gives the program, and all programs that it starts, one private folder instead of the cache. */
static enum byw_status replace_cache(struct byw_ready *ready, const char *why,
                                     struct byw_diag *remark, struct byw_diag *diag)
{
    enum byw_status st = byw_private_temporary(ready->cache, sizeof(ready->cache), diag);

    if (st != BYW_OK) {
        ready->cache[0] = '\0';
        return st;
    }
    ready->sweeper = byw_cl_sweeper_start(ready->cache);
    byw_diag_set(remark, BYW_OK,
                 "the cache is not used, and kernels are compiled in a private folder: %.900s",
                 why);
    return check_room(ready->cache, diag);
}

static void remove_files(const char *folder)
{
    DIR *dir = opendir(folder);
    const struct dirent *entry;

    while (dir != NULL && (entry = readdir(dir)) != NULL)
        if (entry->d_name[0] != '.')
            unlinkat(dirfd(dir), entry->d_name, 0);
    if (dir != NULL)
        closedir(dir);
    rmdir(folder);
}

/* --- the whole check ------------------------------------------------------------------------- */

static enum byw_status check_device(struct byw_diag *diag)
{
    struct byw_cl_device device;

    byw_cl_device_read(getenv(BYW_CL_ENV_DEVICE), &device);
    return device.complaint[0] == '\0' ? BYW_OK
                                       : byw_diag_set(diag, BYW_EINVAL, "%s", device.complaint);
}

enum byw_status byw_ready_open(struct byw_ready *ready, struct byw_diag *remark,
                               struct byw_diag *diag)
{
    struct byw_diag why = {""};
    enum byw_status st;

    *ready = (struct byw_ready){.fd = -1, .sweeper = {.leash = -1}};
    remark->text[0] = '\0';
    st = check_device(diag);
    if (st == BYW_OK)
        st = byw_ready_runtime(ready->folder, diag);
    if (st == BYW_OK)
        st = make_listable(ready, diag);
    if (st == BYW_OK)
        st = byw_clang_check(NULL, diag);
    if (st == BYW_OK) {
        st = byw_ready_cache(&why);
        if (st == BYW_ECHECK)
            st = replace_cache(ready, why.text, remark, diag);
        else if (st != BYW_OK)
            byw_diag_set(diag, st, "%s", why.text);
    }
    if (st != BYW_OK)
        byw_ready_close(ready);
    return st;
}

void byw_ready_close(struct byw_ready *ready)
{
    if (ready->cache[0] != '\0')
        remove_files(ready->cache);
    byw_cl_sweeper_end(ready->sweeper);
    if (ready->fd >= 0)
        close(ready->fd);
}
