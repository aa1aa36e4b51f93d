/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/byw_cl_sweeper.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { TRIES = 500, NAP_NS = 20000000, DEPTH = 2 };

/* A directory entry as getdents64 writes it. */
struct entry {
    uint64_t inode;
    int64_t offset;
    unsigned short length;
    unsigned char type;
    char name[];
};

/* Removes the files of a folder, and of folders in it. After a fork of a threaded program only
 * system calls are safe; opendir() allocates, so it is not. */
static void remove_files(int folder, int depth)
{
    _Alignas(struct entry) char room[4096];
    long got;

    lseek(folder, 0, SEEK_SET);
    while ((got = syscall(SYS_getdents64, folder, room, sizeof(room))) > 0)
        for (long at = 0; at < got;) {
            const struct entry *entry = (const void *)(room + at);
            const bool dots =
                entry->name[0] == '.' &&
                (entry->name[1] == '\0' || (entry->name[1] == '.' && entry->name[2] == '\0'));
            int inner = -1;

            if (!dots && unlinkat(folder, entry->name, 0) != 0 && depth > 0)
                inner = openat(folder, entry->name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
            if (inner >= 0) {
                remove_files(inner, depth - 1);
                close(inner);
                unlinkat(folder, entry->name, AT_REMOVEDIR);
            }
            at += entry->length;
        }
}

/* A compiler that is still running may create a file: retries until the folder is gone. */
static void sweep(const char *path, int folder)
{
    const struct timespec nap = {.tv_nsec = NAP_NS};

    for (int i = 0; i < TRIES; i++) {
        remove_files(folder, DEPTH);
        if (rmdir(path) == 0 || errno == ENOENT)
            return;
        nanosleep(&nap, NULL);
    }
}

static void wait_and_sweep(const char *path, int folder, int leash)
{
    sigset_t all;
    char byte;

    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    folder = fcntl(folder, F_DUPFD, 2); /* not 0 or 1, which are overwritten next */
    leash = fcntl(leash, F_DUPFD, 2);
    dup2(folder, 0); /* from here on, only these two files stay open */
    dup2(leash, 1);
    syscall(SYS_close_range, 2u, UINT_MAX, 0u);
    while (read(1, &byte, 1) < 0 && errno == EINTR)
        continue;
    sweep(path, 0);
    _exit(0);
}

struct byw_cl_sweeper byw_cl_sweeper_start(const char *folder)
{
    struct byw_cl_sweeper sweeper = {.leash = -1};
    int ends[2], fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    if (fd < 0)
        return sweeper;
    if (pipe2(ends, O_CLOEXEC) == 0) {
        sweeper.process = (pid_t)syscall(SYS_clone, 0, NULL, NULL, NULL, NULL); /* no SIGCHLD */
        if (sweeper.process == 0)
            wait_and_sweep(folder, fd, ends[0]);
        close(ends[0]);
        sweeper.leash = ends[1];
    }
    if (sweeper.leash >= 0 && sweeper.process < 0) {
        close(sweeper.leash);
        sweeper.leash = -1;
    }
    close(fd);
    return sweeper;
}

void byw_cl_sweeper_end(struct byw_cl_sweeper sweeper)
{
    if (sweeper.leash < 0)
        return;
    close(sweeper.leash);
    while (waitpid(sweeper.process, NULL, __WALL) < 0 && errno == EINTR)
        continue;
}
