/* SPDX-License-Identifier: Apache-2.0 */
#include "common/byw_input.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { LOOKS_PER_SECOND = 50 };

/* Names the kind of a file; NULL if the file is regular. */
static const char *kind_of(mode_t mode)
{
    return S_ISREG(mode)                      ? NULL
           : S_ISDIR(mode)                    ? "a folder"
           : S_ISFIFO(mode) || S_ISSOCK(mode) ? "a pipe"
                                              : "a device";
}

/* Result of checking a pipe without blocking. */
enum look { LOOK_NOBODY, LOOK_WRITER, LOOK_BYTE };

static enum look look_at(int fd, unsigned char *byte)
{
    struct pollfd poll_for = {.fd = fd, .events = POLLIN};
    ssize_t n;

    if (poll(&poll_for, 1, 0) > 0 && (poll_for.revents & POLLIN) != 0)
        return LOOK_WRITER;
    n = read(fd, byte, 1); /* without a writer it returns 0; with a writer that has sent nothing it
                              fails with EAGAIN */
    return n > 0 ? LOOK_BYTE : n < 0 && errno == EAGAIN ? LOOK_WRITER : LOOK_NOBODY;
}

/* Waits for a writer and returns the pipe opened for blocking reads; NULL if no writer came. */
static FILE *open_pipe(const char *path)
{
    const struct timespec pause = {.tv_nsec = 1000000000 / LOOKS_PER_SECOND};
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    enum look look = LOOK_NOBODY;
    unsigned char byte;
    FILE *stream;

    if (fd < 0)
        return NULL;
    for (int i = 0; i < BYW_INPUT_WAIT * LOOKS_PER_SECOND; i++) {
        look = look_at(fd, &byte);
        if (look != LOOK_NOBODY)
            break;
        nanosleep(&pause, NULL);
    }
    stream = look != LOOK_NOBODY && fcntl(fd, F_SETFL, O_RDONLY) == 0 ? fdopen(fd, "rb") : NULL;
    if (stream == NULL) {
        close(fd);
        errno = EPIPE;
        return NULL;
    }
    if (look == LOOK_BYTE)
        ungetc(byte, stream);
    return stream;
}

enum byw_status byw_input_open(const char *path, enum byw_input_kind kind, const char *expected,
                               FILE **stream, struct byw_diag *diag)
{
    struct stat info;
    bool there = stat(path, &info) == 0;
    const char *other = there ? kind_of(info.st_mode) : NULL;

    if (other != NULL && kind == BYW_INPUT_STREAM && S_ISFIFO(info.st_mode)) {
        *stream = open_pipe(path);
        if (*stream != NULL)
            return BYW_OK;
        if (errno == EPIPE)
            return byw_diag_set(diag, BYW_EIO,
                                "%s: is a pipe that no program writes to; expected %s", path,
                                expected);
    } else if (other != NULL) {
        return byw_diag_set(diag, BYW_EIO, "%s: is %s; expected %s", path, other, expected);
    } else {
        *stream = fopen(path, "rbe");
        if (*stream != NULL)
            return BYW_OK;
    }
    there = errno != ENOENT;
    byw_diag_set(diag, BYW_EIO, "%s: cannot be opened (%s); expected %s", path, strerror(errno),
                 expected);
    return there ? BYW_EIO : BYW_ENOENT;
}
