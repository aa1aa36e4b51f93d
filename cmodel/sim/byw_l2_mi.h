/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_l2_mi.h - what an L2 slice keeps, by paper 004 (MECHANISMS 7): static policies,
 * allocation bypass, rows rinsed by the dirty-block index, PC-based bypass.  Keys l2_policy.*.
 *
 *   cached = all      loads and stores take lines (CacheRW)
 *            loads    stores are written through; a copy that is there is updated, and stays clean
 *                     (CacheR)
 *            none     neither takes a line (Uncached)
 *   allocation_bypass a load or store whose set is all pending bypasses the slice
 *   rinse             a dirty line that leaves makes the other dirty lines of its DRAM row follow;
 *                     they stay as clean (l2/byw_dbi.h).  A launch's end flushes row by row.
 *   pc_bypass         a load or store predicted dead bypasses the slice (l2/byw_l2_pc_bypass.h)
 *
 * A load that bypasses holds an MSHR without a line; loads of a sector that bypasses already join
 * it, and nothing is kept when it is answered.  A store that bypasses goes on down with its words;
 * it waits while a load of its sector is under way.  What is there is used: a load hits or merges,
 * and only a store that is not to be kept at all goes on down nevertheless.  Instructions and
 * atomics work as usual.
 *
 * With rinsing a line's bit is set exactly while it is dirty or, being fetched, will be; what
 * changes is handed to the index in order, an operation per cycle.  When two of them wait for its
 * walker, the head of the input queue waits, too (BYW_L2_FAIL_RINSE).  A line is rinsed when the
 * data port is free and the miss queue has room beyond what a request may need.
 */
#ifndef BYW_L2_MI_H
#define BYW_L2_MI_H

#include "l2/byw_dbi.h"
#include "l2/byw_l2_pc_bypass.h"
#include "sim/byw_addrmap.h"
#include "sim/byw_l2_policy.h"

enum { BYW_L2_CACHES_ALL, BYW_L2_CACHES_LOADS, BYW_L2_CACHES_NONE }; /* l2_policy.cached */

enum { BYW_L2_MI_OPS = 4 };

struct byw_l2_mi {
    bool keeps_loads, keeps_stores, allocation_bypass, rinses, predicts;
    const struct byw_addrmap *map;
    uint32_t channel, banks;
    struct byw_dbi dbi;
    struct byw_dbi_req op[BYW_L2_MI_OPS]; /* on their way to the index, the first in it */
    uint32_t ops;
    struct byw_l2_pc_bypass pc;
    uint32_t passing; /* MSHRs of loads that pass */
};

extern const struct byw_l2_policy_ops byw_l2_policy_mi;

/* Whether the index and the lines agree, as far as no operation is on its way; for tests. */
bool byw_l2_mi_agrees(const struct byw_l2 *l2);

#endif
