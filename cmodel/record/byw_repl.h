/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_repl.h - replacement of data lines inside a set: a table of functions per policy.
 *
 * A policy keeps one small number per data way (struct byw_way, `rank`).  victim() only looks;
 * the state changes when the decision is accepted (a refused request changes nothing): evicted(),
 * if a victim gives way, then inserted() for the new line.  A free way is always taken before a
 * victim is asked for, so `eligible` (used, not pending) is never empty.  inserted() writes the
 * number of a way before anything reads it; only LRU cares what an empty set starts with (0, 1, 2
 * ...).
 */
#ifndef BYW_REPL_H
#define BYW_REPL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record/byw_set.h"

struct byw_repl_ops {
    const char *name; /* value of l1d.replacement */
    const char *paper; /* where the rule comes from */
    uint32_t (*victim)(const struct byw_set *set, uint32_t ways, uint64_t eligible);
    void (*evicted)(struct byw_set *set, uint32_t ways, uint64_t eligible);
    /* last: place the line so that it is the first to go (streaming hint). */
    void (*inserted)(struct byw_set *set, uint32_t ways, uint32_t way, bool last);
    void (*touched)(struct byw_set *set, uint32_t ways, uint32_t way);
};

extern const struct byw_repl_ops byw_repl_lru;
extern const struct byw_repl_ops byw_repl_srrip;

/* The registry, in the order of BYW_REPL_*; NULL past its end. */
const struct byw_repl_ops *byw_repl(uint32_t kind);

#endif
