/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/byw_report.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "capture/byw_capture.h"

/* Room for one descriptor, with the alignment that sendmsg() and recvmsg() need. */
union control {
    struct cmsghdr head;
    char bytes[CMSG_SPACE(sizeof(int))];
};

static bool send_report(int socket, struct byw_report *report, int fd)
{
    struct iovec part = {report, sizeof(*report)};
    union control control;
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    ssize_t sent;

    report->process = getpid();
    if (fd >= 0) {
        memset(&control, 0, sizeof(control));
        message.msg_control = control.bytes;
        message.msg_controllen = sizeof(control.bytes);
        control.head.cmsg_level = SOL_SOCKET;
        control.head.cmsg_type = SCM_RIGHTS;
        control.head.cmsg_len = CMSG_LEN(sizeof(fd));
        memcpy(CMSG_DATA(&control.head), &fd, sizeof(fd));
    }
    do {
        sent = sendmsg(socket, &message, MSG_NOSIGNAL);
    } while (sent < 0 && errno == EINTR);
    return sent == (ssize_t)sizeof(*report);
}

bool byw_report_send(int socket, char what, const struct byw_trace_seal *seal, int fd)
{
    struct byw_report report;

    memset(&report, 0, sizeof(report));
    report.what = what;
    if (seal != NULL)
        report.seal = *seal;
    return send_report(socket, &report, fd);
}

bool byw_report_refused(int socket, char what, const char *why)
{
    struct byw_report report;

    memset(&report, 0, sizeof(report));
    report.what = what;
    snprintf(report.why, sizeof(report.why), "%s", why);
    return send_report(socket, &report, -1);
}

int byw_report_receive(int socket, struct byw_report *report, int *fd)
{
    struct iovec part = {report, sizeof(*report)};
    union control control;
    struct msghdr message = {.msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = control.bytes,
                             .msg_controllen = sizeof(control.bytes)};
    ssize_t got = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    struct cmsghdr *head;

    *fd = -1;
    if (got == 0)
        return 0;
    if (got < 0)
        return errno == EINTR || errno == EAGAIN ? -1 : 0;
    head = CMSG_FIRSTHDR(&message);
    if (head != NULL && head->cmsg_type == SCM_RIGHTS)
        memcpy(fd, CMSG_DATA(head), sizeof(*fd));
    return got == (ssize_t)sizeof(*report) ? 1 : -1;
}
