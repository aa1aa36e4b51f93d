/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_dbi.h - the dirty-block index of an L2 slice: which lines of which DRAM rows are dirty (paper
 * 004, row-locality-aware rinsing; mechanisms/l2_policies.md 7.3).
 *
 * An entry is a DRAM row with one bit per block (L2 line); an entry without a set bit is free.  The
 * low bits of the row number select a set of `ways` entries.  A row without an entry takes the
 * first free one, else the least recently written one.  The blocks of a replaced entry are rinsed:
 * written back one after the other, so that the memory controller sees one row.  When a dirty line
 * is evicted from the L2, the rest of its row is rinsed, too.
 *
 *   SET     the line became dirty    bit := 1; may rinse the row that loses its entry
 *   EVICT   the line left the L2     bit := 0, rinses the rest of its row; nothing if the bit was 0
 *   CLEAN   written back otherwise   bit := 0
 *   LOOKUP                           returns the dirty blocks of a row
 *   FLUSH                            rinses every entry, set by set, way by way
 *
 * The walker rinses one row at a time.  Its blocks leave the table, and the walker offers them in
 * ascending order, one per cycle.  An offer stays until it is accepted.  The L2 then writes the
 * line back and keeps it clean, or does nothing if the line is no longer dirty.  An operation waits
 * if it needs the busy walker for another row, or if it cleans the block on offer.  While a line is
 * dirty, its bit is set in exactly one of the table, the walker and the offer.  At one clock edge,
 * an accepted offer takes effect before a new operation.
 */
#ifndef BYW_DBI_H
#define BYW_DBI_H

#include <stdbool.h>
#include <stdint.h>

#include "common/byw_status.h"

enum { BYW_DBI_BLOCKS_MAX = 64 }; /* L2 lines per row */

enum byw_dbi_op { BYW_DBI_SET, BYW_DBI_EVICT, BYW_DBI_CLEAN, BYW_DBI_LOOKUP, BYW_DBI_FLUSH };

/* The result of an operation in a cycle. */
enum byw_dbi_step {
    BYW_DBI_DONE,
    BYW_DBI_WAIT, /* nothing changed; retry in the next cycle */
    BYW_DBI_MORE, /* FLUSH: continues in the next cycle */
};

struct byw_dbi_entry {
    uint64_t row;
    uint64_t dirty; /* bit per block; 0: free */
    uint8_t rank; /* 0: most recently written; a permutation of the ways */
};

/* The row being rinsed. */
struct byw_dbi_walk {
    uint64_t row;
    uint64_t dirty; /* dirty blocks of the row that have not been offered yet */
    bool offers;
    uint8_t block; /* the dirty block offered, if `offers` */
};

struct byw_dbi_req {
    enum byw_dbi_op op;
    uint64_t row;
    uint32_t block;
};

/* The effect of an operation on a set's record and on the walker. */
struct byw_dbi_outcome {
    enum byw_dbi_step step;
    uint64_t seen; /* dirty blocks of the row before the operation, in the table, the walker or on
                    * offer */
    bool write; /* entry `way` is set to `row`, `dirty` */
    bool touch; /* entry `way` becomes the most recently written */
    uint32_t way;
    uint64_t row, dirty;
    uint64_t walk_row, walk; /* blocks given to the walker */
    uint64_t unwalk; /* blocks taken from the walker */
};

struct byw_dbi {
    uint32_t sets, ways, blocks;
    struct byw_dbi_entry *entry; /* sets * ways */
    struct byw_dbi_walk walk;
    uint32_t flush_set; /* set that a FLUSH has reached */
};

/* sets: a power of two; ways: 1..32; blocks per row: 1..64.  BYW_ENOMEM. */
enum byw_status byw_dbi_init(struct byw_dbi *dbi, uint32_t sets, uint32_t ways, uint32_t blocks);
void byw_dbi_release(struct byw_dbi *dbi);

/* Restores the state after reset. */
void byw_dbi_clear(struct byw_dbi *dbi);

/* The decision, pure: `set` has `ways` entries and is the row's set (FLUSH: the set it has
 * reached). */
struct byw_dbi_outcome byw_dbi_decide(const struct byw_dbi_entry *set, uint32_t ways,
                                      const struct byw_dbi_walk *walk,
                                      const struct byw_dbi_req *req);

/* One cycle with an operation, or NULL. taken: the block on offer is accepted. */
enum byw_dbi_step byw_dbi_tick(struct byw_dbi *dbi, const struct byw_dbi_req *req, bool taken);

/* Whether the walker has a row. */
static inline bool byw_dbi_walks(const struct byw_dbi *dbi)
{
    return dbi->walk.dirty != 0 || dbi->walk.offers;
}

/* Whether the operation would complete in this cycle. */
bool byw_dbi_ready(const struct byw_dbi *dbi, const struct byw_dbi_req *req);

/* The dirty blocks of a row. */
uint64_t byw_dbi_dirty(const struct byw_dbi *dbi, uint64_t row);

#endif
