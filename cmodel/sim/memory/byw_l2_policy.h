/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_l2_policy.h - policies of an L2 slice: which accesses it caches, which bypass it, which
 * lines it writes back early.
 *
 * A policy is a table of functions in its own file and a row of byw_l2_policy.c.  A slice has the
 * first policy that the configuration enables, or none: then it caches every load and store.  The
 * policy owns its state, one per slice (struct byw_l2, policy_state).
 */
#ifndef BYW_L2_POLICY_H
#define BYW_L2_POLICY_H

#include "sim/memory/byw_addrmap.h"
#include "sim/memory/byw_l2_lines.h"

struct byw_l2_policy_ops {
    bool (*in_use)(const struct byw_config *config);
    /* The caller owns the map.  BYW_ENOMEM: release() must be called. */
    enum byw_status (*create)(struct byw_l2 *l2, const struct byw_config *config,
                              const struct byw_addrmap *map);
    void (*release)(struct byw_l2 *l2);
    /* Called for the head of the input queue with its lookup result.  Returns true if the slice
     * must not serve it: it has bypassed or, if *fail is set, could not. */
    bool (*serve)(struct byw_l2 *l2, enum byw_l2_found found, uint32_t at, uint64_t now,
                  enum byw_l2_fail *fail);
    /* The access is accepted and cached; called before the line changes. */
    void (*kept)(struct byw_l2 *l2, enum byw_l2_found found, uint32_t at);
    /* _dirtied: the line of an address became dirty, or will be with its fill.  _evicted: a dirty
     * line was evicted. */
    void (*dirtied)(struct byw_l2 *l2, uint64_t addr);
    void (*evicted)(struct byw_l2 *l2, uint64_t addr);
    /* A load with MSHR m and no line is answered, together with the loads merged into it. */
    void (*answered)(struct byw_l2 *l2, uint32_t m);
    /* One cycle, before the head of the input queue is served. */
    void (*step)(struct byw_l2 *l2, uint64_t now);
    /* Whether the flush at the end of a launch uses flush_step(), once per cycle. */
    bool (*flushes)(const struct byw_l2 *l2);
    void (*flush_step)(struct byw_l2 *l2);
};

/* Creates the slice's policy from the configuration.  BYW_ENOMEM. */
enum byw_status byw_l2_policy_init(struct byw_l2 *l2, const struct byw_config *config,
                                   const struct byw_addrmap *map);
void byw_l2_policy_free(struct byw_l2 *l2);

#endif
