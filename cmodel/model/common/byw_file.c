/* SPDX-License-Identifier: Apache-2.0 */
#include "common/byw_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NAME_TRIES = 1000, OWN_PATH_ROOM = 40, TEMP_ROOM = 48 };

struct byw_file {
    FILE *stream;
    char *path; /* target, symbolic links resolved */
    char *temp; /* buffer for the name of a temporary file next to it; NULL: write the target
                 * directly */
    bool named; /* the temporary file has that name */
    bool standard; /* writes to standard output */
};

static void file_free(struct byw_file *file)
{
    free(file->path);
    free(file->temp);
    free(file);
}

/* The folder of a path; the caller frees it. */
static char *folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');

    return (slash == NULL)   ? strdup(".")
           : (slash == path) ? strdup("/")
                             : strndup(path, (size_t)(slash - path));
}

/* Calls `give` with PATH.tmp-PID-N for the first N that is free.  The process ID keeps two programs
 * that write the same target apart; no random name is needed. */
static int with_temp_name(struct byw_file *file, int (*give)(const char *name, int fd), int fd)
{
    int got = -1;

    for (int n = 0; n < NAME_TRIES; n++) {
        sprintf(file->temp, "%s.tmp-%ld-%d", file->path, (long)getpid(), n);
        got = give(file->temp, fd);
        if (got >= 0 || errno != EEXIST)
            break;
    }
    file->named = got >= 0;
    return got;
}

static int create_at(const char *name, int fd)
{
    (void)fd;
    return open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
}

static void own_path(int fd, char path[OWN_PATH_ROOM])
{
    snprintf(path, OWN_PATH_ROOM, "/proc/self/fd/%d", fd);
}

static int link_at(const char *name, int fd)
{
    char own[OWN_PATH_ROOM];

    own_path(fd, own);
    return linkat(AT_FDCWD, own, AT_FDCWD, name, AT_SYMLINK_FOLLOW);
}

/* Opens an unnamed file in the target's folder. Returns -1 if the file system or the container does
 * not support unnamed files, or cannot name such a file later. */
static int open_unnamed(const char *path)
{
    char *folder = folder_of(path);
    char own[OWN_PATH_ROOM];
    int fd;

    if (folder == NULL)
        return -1;
    fd = open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
    free(folder);
    if (fd < 0)
        return -1;
    own_path(fd, own);
    if (access(own, F_OK) == 0)
        return fd;
    close(fd);
    return -1;
}

static int open_target(struct byw_file *file)
{
    struct stat st;
    int fd;

    if (stat(file->path, &st) == 0 && !S_ISREG(st.st_mode))
        return open(file->path, O_WRONLY | O_CLOEXEC);
    file->temp = malloc(strlen(file->path) + TEMP_ROOM);
    if (file->temp == NULL)
        return -1;
    fd = open_unnamed(file->path);
    return fd >= 0 ? fd : with_temp_name(file, create_at, -1);
}

/* Whether standard output is open for writing. */
static bool stdout_is_open(void)
{
    int flags = fcntl(STDOUT_FILENO, F_GETFL);

    if (flags >= 0 && (flags & O_ACCMODE) == O_RDONLY)
        errno = EBADF;
    return flags >= 0 && (flags & O_ACCMODE) != O_RDONLY;
}

static void open_stream(struct byw_file *file)
{
    int fd;

    if (file->standard) {
        file->stream = stdout_is_open() ? stdout : NULL;
        return;
    }
    fd = open_target(file);
    if (fd < 0)
        return;
    file->stream = fdopen(fd, "wb");
    if (file->stream != NULL)
        return;
    close(fd);
    if (file->named)
        unlink(file->temp);
}

/* Creates the record of a file whose stream is not open yet; NULL if out of memory. */
static struct byw_file *file_of(const char *path, struct byw_diag *diag)
{
    struct byw_file *f = calloc(1, sizeof(*f));

    if (f != NULL) {
        f->standard = strcmp(path, "-") == 0;
        f->path = f->standard ? strdup("standard output") : realpath(path, NULL);
        if (f->path == NULL)
            f->path = strdup(path);
    }
    if (f == NULL || f->path == NULL) {
        free(f);
        byw_diag_set(diag, BYW_ENOMEM, "%s: out of memory while opening the output file", path);
        return NULL;
    }
    return f;
}

/* Finds the name of an open file in the folder of its target; false: it has none. */
static bool name_of(struct byw_file *file, int fd)
{
    char own[OWN_PATH_ROOM];
    size_t room = strlen(file->path) + TEMP_ROOM;
    ssize_t length;
    struct stat st;

    if (fstat(fd, &st) != 0 || st.st_nlink == 0)
        return false;
    own_path(fd, own);
    length = readlink(own, file->temp, room - 1);
    if (length < 0 || (size_t)length == room - 1)
        return false;
    file->temp[length] = '\0';
    return strncmp(file->temp, file->path, strlen(file->path)) == 0;
}

enum byw_status byw_file_adopt(const char *path, int fd, struct byw_file **file,
                               struct byw_diag *diag)
{
    struct byw_file *f = file_of(path, diag);

    if (f == NULL)
        return BYW_ENOMEM;
    f->temp = malloc(strlen(f->path) + TEMP_ROOM);
    f->stream = f->temp == NULL ? NULL : fdopen(fd, "wb");
    if (f->stream == NULL) {
        file_free(f);
        return byw_diag_set(diag, BYW_ENOMEM, "%s: out of memory while opening the output file",
                            path);
    }
    f->named = name_of(f, fd);
    *file = f;
    return BYW_OK;
}

enum byw_status byw_file_create(const char *path, struct byw_file **file, struct byw_diag *diag)
{
    struct byw_file *f;

    if (path[0] == '\0')
        return byw_diag_set(diag, BYW_EINVAL,
                            "the name of an output file is empty; expected a file, or - for "
                            "standard output");
    f = file_of(path, diag);
    if (f == NULL)
        return BYW_ENOMEM;
    open_stream(f);
    if (f->stream == NULL) {
        byw_diag_set(diag, BYW_EIO, "%s: cannot be written (%s); expected %s",
                     f->standard ? f->path : path, strerror(errno),
                     f->standard ? "it to be open" : "a file in a writable folder");
        file_free(f);
        return BYW_EIO;
    }
    *file = f;
    return BYW_OK;
}

FILE *byw_file_stream(struct byw_file *file)
{
    return file->stream;
}

/* The new name is durable only once the folder is on disk too.  A file system that cannot sync a
 * folder is not an error. */
static void sync_folder(const char *path)
{
    char *folder = folder_of(path);
    int fd;

    if (folder == NULL)
        return;
    fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    free(folder);
    if (fd < 0)
        return;
    (void)fsync(fd);
    close(fd);
}

/* Syncs the file and gives it the target's name.  A link cannot replace an existing target, so the
 * file gets a temporary name and is renamed.  A killed program can leave only that temporary name
 * behind. */
static bool place(struct byw_file *file)
{
    int fd = fileno(file->stream);

    if (fsync(fd) != 0)
        return false;
    if (!file->named && link_at(file->path, fd) == 0)
        return true;
    if (!file->named && (errno != EEXIST || with_temp_name(file, link_at, fd) < 0))
        return false;
    return rename(file->temp, file->path) == 0;
}

enum byw_status byw_file_commit(struct byw_file *file, struct byw_diag *diag)
{
    bool direct = file->temp == NULL;
    bool ok = fflush(file->stream) == 0 && ferror(file->stream) == 0;
    enum byw_status st = BYW_OK;
    int why = ok ? 0 : errno;

    if (ok && !direct && !place(file)) {
        why = errno;
        ok = false;
    }
    if (!file->standard && fclose(file->stream) != 0 && ok && direct) {
        why = errno;
        ok = false;
    }
    if (!ok) {
        st = byw_diag_set(diag, BYW_EIO, "%s: writing failed (%s)%s", file->path,
                          why != 0 ? strerror(why) : "stream error",
                          direct ? "" : "; nothing was changed");
        if (file->named)
            unlink(file->temp);
    } else if (!direct) {
        sync_folder(file->path);
    }
    file_free(file);
    return st;
}

void byw_file_discard(struct byw_file *file)
{
    if (file == NULL)
        return;
    if (!file->standard)
        fclose(file->stream);
    if (file->named)
        unlink(file->temp);
    file_free(file);
}
