/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_report.h - messages of a captured program to the command that started it.
 *
 * The program and the command hold the two ends of a SOCK_SEQPACKET socket. All processes that the
 * program starts inherit the program's end, so the socket closes when the last of them ends. It
 * carries milestones (byw_capture.h), the descriptor of the trace being written and, whenever the
 * file could be completed, how to complete it: if the program is killed, the command does so.
 */
#ifndef BYW_REPORT_H
#define BYW_REPORT_H

#include <stdbool.h>
#include <sys/types.h>

#include "trace/bwt/byw_trace_writer.h"

enum { BYW_REPORT_WHY = 400 };

struct byw_report {
    char what; /* enum byw_capture_note */
    pid_t process; /* the sender */
    struct byw_trace_seal seal; /* of BYW_CAPTURE_SEALED */
    char why[BYW_REPORT_WHY]; /* of BYW_CAPTURE_REFUSED and _SKIPPED */
};

/* seal may be NULL; fd: a descriptor to pass on, or -1. False: the command has ended. */
bool byw_report_send(int socket, char what, const struct byw_trace_seal *seal, int fd);

/* Sends BYW_CAPTURE_REFUSED or BYW_CAPTURE_SKIPPED with the reason. */
bool byw_report_refused(int socket, char what, const char *why);

/* 1: *report is set, and *fd is the received descriptor (owned by the caller) or -1; 0: all
 * other ends are closed; -1: nothing received, try again. */
int byw_report_receive(int socket, struct byw_report *report, int *fd);

#endif
