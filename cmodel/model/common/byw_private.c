/* SPDX-License-Identifier: Apache-2.0 */
#include "common/byw_private.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LINKS_MOST = 40 };
#define OTHERS_WRITE (S_IWGRP | S_IWOTH)

/* A path that is followed from the root, one name at a time. */
struct walk {
    char done[PATH_MAX]; /* checked, without links; empty: the root */
    char rest[2 * PATH_MAX]; /* not yet checked */
    int links;
};

static enum byw_status unsafe(struct byw_diag *diag, const char *path, const char *why,
                              const char *remedy)
{
    return byw_diag_set(diag, BYW_ECHECK, "%s: %s; %s", path, why, remedy);
}

/* Checks the folder itself. */
static enum byw_status check_own(const char *path, const struct stat *about, struct byw_diag *diag)
{
    if (S_ISLNK(about->st_mode))
        return unsafe(diag, path, "is a symbolic link", "name the folder that it points to");
    if (!S_ISDIR(about->st_mode))
        return byw_diag_set(diag, BYW_EIO, "%s: is not a folder", path);
    if (about->st_uid != geteuid())
        return unsafe(diag, path, "belongs to another user", "name a folder of your own");
    if ((about->st_mode & OTHERS_WRITE) != 0)
        return unsafe(diag, path, "others can write there", "remove that permission (chmod go-w)");
    return BYW_OK;
}

/* Checks a folder or link above the private folder. */
static enum byw_status check_above(const char *path, const struct stat *about,
                                   struct byw_diag *diag)
{
    if (about->st_uid != geteuid() && about->st_uid != 0)
        return unsafe(diag, path, "belongs to another user, who can replace what is in it",
                      "name a folder elsewhere");
    if (S_ISLNK(about->st_mode))
        return BYW_OK;
    if ((about->st_mode & OTHERS_WRITE) != 0 && (about->st_mode & S_ISVTX) == 0)
        return unsafe(diag, path, "others can replace what is in it", "chmod go-w, or chmod +t");
    return BYW_OK;
}

/* Replaces a link by its target: the target's names are followed before those of `rest`. */
static bool follow(struct walk *w, const char *link)
{
    char target[PATH_MAX], rest[2 * PATH_MAX];
    ssize_t n = readlink(link, target, sizeof(target) - 1);

    if (n <= 0 || ++w->links > LINKS_MOST)
        return false;
    target[n] = '\0';
    if (target[0] == '/')
        w->done[0] = '\0';
    snprintf(rest, sizeof(rest), "%s", w->rest);
    return snprintf(w->rest, sizeof(w->rest), "%s/%s", target, rest) < (int)sizeof(w->rest);
}

/* Removes the next name from `rest`; false: none remains. */
static bool next_name(struct walk *w, char name[NAME_MAX + 1])
{
    const char *from = w->rest + strspn(w->rest, "/");
    size_t n = strcspn(from, "/");

    if (n == 0 || n > NAME_MAX)
        return false;
    memcpy(name, from, n);
    name[n] = '\0';
    memmove(w->rest, from + n, strlen(from + n) + 1);
    return true;
}

static bool is_last(const struct walk *w)
{
    return w->rest[strspn(w->rest, "/")] == '\0';
}

/* Creates a folder; also BYW_OK if another process has just created it. */
static enum byw_status make_one(const char *path, struct stat *about, struct byw_diag *diag)
{
    if ((mkdir(path, 0700) != 0 && errno != EEXIST) || lstat(path, about) != 0)
        return byw_diag_set(diag, BYW_EIO, "%s: cannot be created (%s)", path, strerror(errno));
    if (about->st_uid == geteuid() && (about->st_mode & S_IRWXU) != S_IRWXU &&
        chmod(path, 0700) == 0 && lstat(path, about) != 0)
        return byw_diag_set(diag, BYW_EIO, "%s: %s", path, strerror(errno));
    return BYW_OK;
}

/* Appends a name to the path and checks it. *end: the folder does not exist. */
static enum byw_status step(struct walk *w, const char *name, bool make, bool *end,
                            struct byw_diag *diag)
{
    char path[PATH_MAX + NAME_MAX + 2];
    struct stat about;
    bool last = is_last(w);
    enum byw_status st = BYW_OK;

    if (strcmp(name, ".") == 0)
        return BYW_OK;
    if (strcmp(name, "..") == 0) {
        char *slash = strrchr(w->done, '/');

        if (slash != NULL)
            *slash = '\0';
        return BYW_OK;
    }
    if (snprintf(path, sizeof(path), "%s/%s", w->done, name) >= PATH_MAX)
        return byw_diag_set(diag, BYW_EIO, "%s: path too long", w->done);
    if (lstat(path, &about) != 0) {
        if (!make && (errno == ENOENT || errno == ENOTDIR)) {
            *end = true;
            return BYW_OK;
        }
        st = errno == ENOENT
                 ? make_one(path, &about, diag)
                 : byw_diag_set(diag, BYW_EIO, "%s: cannot be written (%s)", path, strerror(errno));
    }
    if (st == BYW_OK)
        st = last ? check_own(path, &about, diag) : check_above(path, &about, diag);
    if (st == BYW_OK && S_ISLNK(about.st_mode) && !follow(w, path))
        return byw_diag_set(diag, BYW_EIO, "%s: too many symbolic links", path);
    if (st == BYW_OK && !S_ISLNK(about.st_mode))
        strcpy(w->done, path);
    return st;
}

static enum byw_status walk(const char *given, bool make, struct byw_diag *diag)
{
    struct walk w = {.links = 0};
    char name[NAME_MAX + 1], here[PATH_MAX] = "";
    struct stat root;
    enum byw_status st;
    bool end = false;

    if (given[0] != '/' && getcwd(here, sizeof(here)) == NULL)
        return byw_diag_set(diag, BYW_EIO, "the working folder: %s", strerror(errno));
    if (snprintf(w.rest, sizeof(w.rest), "%s/%s", here, given) >= (int)sizeof(w.rest))
        return byw_diag_set(diag, BYW_EIO, "%s: path too long", given);
    if (stat("/", &root) != 0)
        return byw_diag_set(diag, BYW_EIO, "/: %s", strerror(errno));
    st = check_above("/", &root, diag);
    while (st == BYW_OK && !end && next_name(&w, name))
        st = step(&w, name, make, &end, diag);
    if (st == BYW_OK && !end && make && access(given, W_OK | X_OK) != 0)
        return byw_diag_set(diag, BYW_EIO, "%s: cannot be written (%s)", given, strerror(errno));
    return st;
}

enum byw_status byw_private_folder(const char *path, struct byw_diag *diag)
{
    return walk(path, true, diag);
}

enum byw_status byw_private_look(const char *path, struct byw_diag *diag)
{
    return walk(path, false, diag);
}

int byw_private_open(const char *folder, const char *name, bool *foreign)
{
    int at = open(folder, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), fd;
    struct stat about;
    bool good;

    *foreign = false;
    if (at < 0)
        return -1;
    fd = openat(at, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    good = fd >= 0 && fstat(fd, &about) == 0 && S_ISREG(about.st_mode) &&
           about.st_uid == geteuid() && (about.st_mode & OTHERS_WRITE) == 0;
    if (!good && (fd >= 0 || errno != ENOENT)) {
        *foreign = true;
        unlinkat(at, name, 0);
        if (fd >= 0)
            close(fd);
        fd = -1;
    }
    close(at);
    return fd;
}

enum byw_status byw_private_temporary(char *path, unsigned room, struct byw_diag *diag)
{
    const char *own = getenv("TMPDIR"), *const parents[] = {own, "/tmp", "/var/tmp"};

    for (size_t i = 0; i < sizeof(parents) / sizeof(parents[0]); i++) {
        struct stat about;

        if (parents[i] == NULL || parents[i][0] != '/' || stat(parents[i], &about) != 0 ||
            check_above(parents[i], &about, NULL) != BYW_OK)
            continue;
        if (snprintf(path, room, "%s/byway.XXXXXX", parents[i]) >= (int)room ||
            mkdtemp(path) == NULL)
            continue;
        if (byw_private_look(path, NULL) == BYW_OK)
            return BYW_OK;
        rmdir(path);
    }
    return byw_diag_set(diag, BYW_EIO,
                        "no private folder can be made in $TMPDIR, /tmp or /var/tmp; name one of "
                        "your own in BYWAY_CACHE");
}
