/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/run/byw_cl_leash.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* A thread that watches the pipe would not survive a fork, so the kernel sends the signal. Owner
 * and signal belong to the open file description, which forked processes share. Therefore each
 * process reopens the pipe. */
void byw_cl_leash(int fd)
{
    struct pollfd gone = {.events = POLLIN};
    char path[40];

    snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
    gone.fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (gone.fd < 0)
        return;
    fcntl(gone.fd, F_SETSIG, SIGKILL);
    fcntl(gone.fd, F_SETOWN, getpid());
    fcntl(gone.fd, F_SETFL, O_ASYNC | O_NONBLOCK);
    if (poll(&gone, 1, 0) > 0)
        kill(getpid(), SIGKILL);
}
