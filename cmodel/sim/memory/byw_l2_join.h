/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_l2_join.h - reads of the SMs of a GPC that share one read of the L2 (l2.join_cycles).
 *
 * A read joins the last read of the same bytes by an SM of the same GPC if that one reached the
 * slice at most l2.join_cycles core cycles earlier and fewer than l2.join_reads reads share it.
 * Measured on an H200: doc/h200.md, Shared reads.  A joined read still passes the slice's queues,
 * but takes no data port cycles and is no read of the L2 (l2.joined_sectors).
 *
 * With l2.join_misses, reads whose sector is being fetched join likewise until the fetch is
 * answered: those of the same GPC and the same bytes, l2.join_reads together.
 */
#ifndef BYW_L2_JOIN_H
#define BYW_L2_JOIN_H

#include "sim/memory/byw_gpcs.h"
#include "sim/memory/byw_memsys.h"

enum { BYW_L2_JOIN_READS = 512 }; /* reads remembered: one per cycle of the longest window */

/* The parts of a sector of 64 bytes that a read asks for: either half, or both. */
enum { BYW_L2_JOIN_PARTS = 3 };

struct byw_l2_read {
    uint64_t addr, since;
    uint16_t bytes;
    uint8_t gpc, sharers;
};

/* The latest reads of a slice. */
struct byw_l2_join {
    const struct byw_gpcs *gpcs;
    uint32_t cycles, sharers; /* l2.join_cycles, l2.join_reads */
    uint32_t last, count; /* newest entry and number of entries of the ring */
    uint8_t *flight; /* by MSHR, GPC and part: reads that share the last read; NULL: not counted */
    struct byw_l2_read read[BYW_L2_JOIN_READS];
};

/* NULL: out of memory.  The GPCs are kept by reference. */
struct byw_l2_join *byw_l2_join_create(const struct byw_config *config,
                                       const struct byw_gpcs *gpcs);
void byw_l2_join_free(struct byw_l2_join *join);

/* Whether a transaction that reaches the slice in cycle `now` joins an earlier one; otherwise later
 * ones may join it. */
bool byw_l2_joins(struct byw_l2_join *join, const struct byw_txn *txn, uint64_t now);

/* MSHR m begins to fetch the sector of a transaction. */
void byw_l2_join_fetch(struct byw_l2_join *join, uint32_t m, const struct byw_txn *txn);

/* Whether a transaction joins a read of the sector that MSHR m fetches; otherwise later ones may
 * join it. joined: byw_l2_joins() already said so. */
bool byw_l2_joins_fetch(struct byw_l2_join *join, uint32_t m, const struct byw_txn *txn,
                        bool joined);

#endif
