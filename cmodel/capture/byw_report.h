/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_report.h - what a captured program tells the command that started it.
 *
 * Both ends of a socket of sequenced packets.  The program's end is inherited by all it starts, so
 * that the socket closes with the last of them.  Beside milestones (byw_capture.h) it carries the
 * descriptor of the trace being written and, whenever that file could be ended, how: the command
 * ends it if the program cannot, because it is killed.
 */
#ifndef BYW_REPORT_H
#define BYW_REPORT_H

#include <stdbool.h>
#include <sys/types.h>

#include "trace/byw_trace.h"

struct byw_report {
    char what; /* enum byw_capture_note */
    pid_t process; /* the sender */
    struct byw_trace_seal seal; /* of BYW_CAPTURE_SEALED */
};

/* seal may be NULL; fd: a descriptor to pass on, -1 none.  False: the command is gone. */
bool byw_report_send(int socket, char what, const struct byw_trace_seal *seal, int fd);

/* 1: *report, and in *fd the descriptor that came with it (the caller's to close) or -1; 0: all
 * ends are closed; -1: nothing, try again. */
int byw_report_receive(int socket, struct byw_report *report, int *fd);

#endif
