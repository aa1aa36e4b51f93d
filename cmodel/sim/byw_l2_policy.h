/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_l2_policy.h - policies of an L2 slice: what it keeps, what passes it, what else it writes
 * back.
 *
 * A policy is a table of functions in its own file and a row of byw_l2_policy.c; a slice has the
 * first one that the configuration puts to use, or none: then it keeps every load and store.  State
 * is the policy's, one per slice (struct byw_l2, policy_state).
 */
#ifndef BYW_L2_POLICY_H
#define BYW_L2_POLICY_H

#include "sim/byw_addrmap.h"
#include "sim/byw_l2_lines.h"

struct byw_l2_policy_ops {
    bool (*in_use)(const struct byw_config *config);
    /* The map stays the caller's.  BYW_ENOMEM: release() is to follow. */
    enum byw_status (*create)(struct byw_l2 *l2, const struct byw_config *config,
                              const struct byw_addrmap *map);
    void (*release)(struct byw_l2 *l2);
    /* The head of the input queue and what it found: true when it does not take the slice's usual
     * course, having passed or, *fail says why, not been able to. */
    bool (*serve)(struct byw_l2 *l2, enum byw_l2_found found, uint32_t at, uint64_t now,
                  enum byw_l2_fail *fail);
    /* It is accepted and kept; before anything of the line changes. */
    void (*kept)(struct byw_l2 *l2, enum byw_l2_found found, uint32_t at);
    /* The line of an address became dirty, or will be with its fill; a dirty line left. */
    void (*dirtied)(struct byw_l2 *l2, uint64_t addr);
    void (*evicted)(struct byw_l2 *l2, uint64_t addr);
    /* The load that MSHR m was taken for without a line is answered, and those that joined it. */
    void (*answered)(struct byw_l2 *l2, uint32_t m);
    /* A cycle, before the head of the input queue is served. */
    void (*step)(struct byw_l2 *l2, uint64_t now);
    /* Whether a launch's end flushes by flush_step(), a cycle at a time. */
    bool (*flushes)(const struct byw_l2 *l2);
    void (*flush_step)(struct byw_l2 *l2);
};

/* Gives the slice the policy of the configuration.  BYW_ENOMEM. */
enum byw_status byw_l2_policy_init(struct byw_l2 *l2, const struct byw_config *config,
                                   const struct byw_addrmap *map);
void byw_l2_policy_free(struct byw_l2 *l2);

#endif
