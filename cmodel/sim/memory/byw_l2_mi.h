/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_l2_mi.h - the caching policies of an L2 slice in paper 004 (mechanisms/l2_policies.md 7):
 * static policies, allocation bypass, rows rinsed by the dirty-block index, PC-based bypass.  Keys
 * l2_policy.*.
 *
 *   cached = all       loads and stores allocate lines (CacheRW)
 *            loads     stores are written through; a present copy is updated and stays clean
 *                      (CacheR)
 *            none      neither allocates a line (Uncached)
 *   allocation_bypass  a load or store bypasses the slice if its whole set is pending
 *   rinse              when a dirty line is evicted, the other dirty lines of its DRAM row are
 *                      written back, too, and stay clean (l2/byw_dbi.h).  The flush at the end of a
 *                      launch goes row by row.
 *   pc_bypass          a load or store predicted dead bypasses the slice (l2/byw_l2_pc_bypass.h)
 *
 * A bypassing load holds an MSHR without a line.  Later loads of the same sector merge into it, and
 * nothing is cached when it is answered.  A bypassing store is forwarded with its words; it waits
 * while a load of its sector is in flight.  Present lines are used: a load hits or merges, and only
 * a store that is never cached is forwarded nevertheless.  Instructions and atomics work as usual.
 *
 * With rinsing, a line's bit is set exactly while the line is dirty or, being fetched, will be
 * dirty. Changes are reported to the index in order, one operation per cycle. If two operations
 * wait for the index's walker, the head of the input queue waits, too (BYW_L2_FAIL_RINSE). A line
 * is rinsed when the data port is free and the miss queue has room beyond what a request may need.
 */
#ifndef BYW_L2_MI_H
#define BYW_L2_MI_H

#include "l2/byw_dbi.h"
#include "l2/byw_l2_pc_bypass.h"
#include "sim/memory/byw_addrmap.h"
#include "sim/memory/byw_l2_policy.h"

enum { BYW_L2_CACHES_ALL, BYW_L2_CACHES_LOADS, BYW_L2_CACHES_NONE }; /* l2_policy.cached */

enum { BYW_L2_MI_OPS = 4 };

struct byw_l2_mi {
    bool keeps_loads, keeps_stores, allocation_bypass, rinses, predicts;
    const struct byw_addrmap *map;
    uint32_t channel, banks;
    struct byw_dbi dbi;
    struct byw_dbi_req op[BYW_L2_MI_OPS]; /* queued operations for the index; the first is in
                                           * progress */
    uint32_t ops;
    struct byw_l2_pc_bypass pc;
    uint32_t passing; /* MSHRs of bypassing loads */
};

extern const struct byw_l2_policy_ops byw_l2_policy_mi;

/* Whether index and lines agree, apart from queued operations; for tests. */
bool byw_l2_mi_agrees(const struct byw_l2 *l2);

#endif
