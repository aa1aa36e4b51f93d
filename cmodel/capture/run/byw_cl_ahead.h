/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_cl_ahead.h - logs of a lane that runs ahead of its warp.
 *
 * A lane that has paused continues when the merger has read its log.  If other lanes wait for what
 * it does next, it must continue before that: its further logs are kept, in order, until the merger
 * needs them. Each ends like the lane's other logs, except the last one while the lane waits.
 */
#ifndef BYW_CL_AHEAD_H
#define BYW_CL_AHEAD_H

#include <stdbool.h>
#include <stdint.h>

struct byw_cl_ahead_log;

/* The kept logs of one lane, in order; all members zero: no log is kept. */
struct byw_cl_ahead {
    struct byw_cl_ahead_log *first, *last;
    struct byw_cl_ahead_log *taken; /* the merger may be reading it */
    bool open; /* the lane has not finished the last log */
};

/* Adds an open log of that many words; NULL: out of memory. */
uint64_t *byw_cl_ahead_add(struct byw_cl_ahead *ahead, uint64_t words);

/* Removes the first log, which is valid until the next call; NULL: none.  *open: the lane must
 * finish it. */
uint64_t *byw_cl_ahead_take(struct byw_cl_ahead *ahead, bool *open);

void byw_cl_ahead_clear(struct byw_cl_ahead *ahead);

#endif
