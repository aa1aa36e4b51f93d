/* SPDX-License-Identifier: Apache-2.0 */
#include "common/byw_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAME_TRIES 1000

struct byw_file {
    FILE *stream;
    char *path; /* the target, symbolic links resolved */
    char *temp; /* NULL when the target is written directly */
};

static void file_free(struct byw_file *file)
{
    free(file->path);
    free(file->temp);
    free(file);
}

/* Opens PATH.tmp-PID-N for the first N that is free.  The process number keeps two programs that
 * write the same target apart, without a random name. */
static int open_temp(struct byw_file *file)
{
    size_t room = strlen(file->path) + 48;

    file->temp = malloc(room);
    if (file->temp == NULL)
        return -1;
    for (int n = 0; n < NAME_TRIES; n++) {
        int fd;

        snprintf(file->temp, room, "%s.tmp-%ld-%d", file->path, (long)getpid(), n);
        fd = open(file->temp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0 || errno != EEXIST)
            return fd;
    }
    return -1;
}

static int open_target(struct byw_file *file)
{
    struct stat st;

    if (stat(file->path, &st) == 0 && !S_ISREG(st.st_mode))
        return open(file->path, O_WRONLY | O_CLOEXEC);
    return open_temp(file);
}

enum byw_status byw_file_create(const char *path, struct byw_file **file, struct byw_diag *diag)
{
    struct byw_file *f = calloc(1, sizeof(*f));
    int fd;

    if (f == NULL)
        return byw_diag_set(diag, BYW_ENOMEM, "%s: no memory to open the output file", path);
    f->path = realpath(path, NULL);
    if (f->path == NULL)
        f->path = strdup(path);
    if (f->path == NULL) {
        file_free(f);
        return byw_diag_set(diag, BYW_ENOMEM, "%s: no memory to open the output file", path);
    }
    fd = open_target(f);
    if (fd >= 0)
        f->stream = fdopen(fd, "wb");
    if (f->stream == NULL) {
        byw_diag_set(diag, BYW_EIO,
                     "%s: cannot be written (%s); expected a file in a writable folder", path,
                     strerror(errno));
        if (fd >= 0)
            close(fd);
        if (fd >= 0 && f->temp != NULL)
            unlink(f->temp);
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

/* The rename is durable only when the folder's entry is on disk too; a file system that cannot
 * sync a folder is no reason to fail. */
static void sync_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *folder = (slash == NULL)   ? strdup(".")
                   : (slash == path) ? strdup("/")
                                     : strndup(path, (size_t)(slash - path));
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

enum byw_status byw_file_commit(struct byw_file *file, struct byw_diag *diag)
{
    bool ok = fflush(file->stream) == 0 && ferror(file->stream) == 0;
    enum byw_status st = BYW_OK;
    int why = ok ? 0 : errno;

    if (ok && file->temp != NULL && fsync(fileno(file->stream)) != 0) {
        why = errno;
        ok = false;
    }
    if (fclose(file->stream) != 0 && ok) {
        why = errno;
        ok = false;
    }
    if (ok && file->temp != NULL) {
        if (rename(file->temp, file->path) != 0) {
            why = errno;
            ok = false;
        } else {
            sync_folder(file->path);
        }
    }
    if (!ok) {
        st = byw_diag_set(diag, BYW_EIO, "%s: writing failed (%s); nothing was changed", file->path,
                          why != 0 ? strerror(why) : "stream error");
        if (file->temp != NULL)
            unlink(file->temp);
    }
    file_free(file);
    return st;
}

void byw_file_discard(struct byw_file *file)
{
    if (file == NULL)
        return;
    fclose(file->stream);
    if (file->temp != NULL)
        unlink(file->temp);
    file_free(file);
}
