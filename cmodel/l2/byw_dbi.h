/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_dbi.h - the dirty-block index of an L2 slice: which lines of which DRAM rows are dirty (paper
 * 004, row-locality-aware rinsing; MECHANISMS 7.3).
 *
 * An entry is a DRAM row and one bit per block (L2 line) of it; an entry without a bit is free.
 * Sets by the low bits of the row's number, `ways` entries each; a row without an entry takes the
 * first free one, else the one written least recently, whose blocks are rinsed: written back one
 * after the other, so that the memory controller sees one row.  A dirty line that leaves the L2
 * does the same to the rest of its row.
 *
 *   SET     the line became dirty    bit := 1; may rinse the row that gives its entry
 *   EVICT   the line left the L2     bit := 0, its row mates are rinsed; nothing if the bit was 0
 *   CLEAN   written back otherwise   bit := 0
 *   LOOKUP                           says which blocks of a row are dirty
 *   FLUSH                            rinses every entry, set by set, way by way
 *
 * One row is rinsed at a time, by the walker: its blocks leave the table for it, and it offers them
 * from the lowest up, one per cycle.  An offer stands until it is taken; the L2 then writes the
 * line back, which stays as clean, or does nothing if it is not dirty any more.  An operation that
 * needs the walker for another row while it is busy waits, and so does one that cleans the block on
 * offer.  A bit is set in the table, in the walker or on offer, never in two of them, and it is set
 * as long as the line is dirty, from the operation that says so on.  At one clock edge an offer
 * that is taken comes before an operation that is handed in.
 */
#ifndef BYW_DBI_H
#define BYW_DBI_H

#include <stdbool.h>
#include <stdint.h>

#include "common/byw_status.h"

enum { BYW_DBI_BLOCKS_MAX = 64 }; /* L2 lines of a row */

enum byw_dbi_op { BYW_DBI_SET, BYW_DBI_EVICT, BYW_DBI_CLEAN, BYW_DBI_LOOKUP, BYW_DBI_FLUSH };

/* What became of an operation in a cycle. */
enum byw_dbi_step {
    BYW_DBI_DONE,
    BYW_DBI_WAIT, /* nothing changed; again in the next cycle */
    BYW_DBI_MORE, /* FLUSH: goes on in the next cycle */
};

struct byw_dbi_entry {
    uint64_t row;
    uint64_t dirty; /* by block; 0: free */
    uint8_t rank; /* 0: written last; a permutation of the ways */
};

/* The row that is being rinsed. */
struct byw_dbi_walk {
    uint64_t row;
    uint64_t dirty; /* not offered yet */
    bool offers;
    uint8_t block; /* on offer */
};

struct byw_dbi_req {
    enum byw_dbi_op op;
    uint64_t row;
    uint32_t block;
};

/* What an operation does to a set's record and to the walker. */
struct byw_dbi_outcome {
    enum byw_dbi_step step;
    uint64_t seen; /* dirty blocks of the row before it, wherever their bits are */
    bool write; /* entry `way` becomes row, dirty */
    bool touch; /* and the one written last */
    uint32_t way;
    uint64_t row, dirty;
    uint64_t walk_row, walk; /* blocks the walker gets */
    uint64_t unwalk; /* blocks it loses */
};

struct byw_dbi {
    uint32_t sets, ways, blocks;
    struct byw_dbi_entry *entry; /* sets * ways */
    struct byw_dbi_walk walk;
    uint32_t flush_set; /* a FLUSH is at this set */
};

/* sets: a power of two; ways: 1..32; blocks of a row: 1..64.  BYW_ENOMEM. */
enum byw_status byw_dbi_init(struct byw_dbi *dbi, uint32_t sets, uint32_t ways, uint32_t blocks);
void byw_dbi_release(struct byw_dbi *dbi);

/* Reset. */
void byw_dbi_clear(struct byw_dbi *dbi);

/* The decision, pure: `set` has `ways` entries and is the row's (FLUSH: the one it is at). */
struct byw_dbi_outcome byw_dbi_decide(const struct byw_dbi_entry *set, uint32_t ways,
                                      const struct byw_dbi_walk *walk,
                                      const struct byw_dbi_req *req);

/* A cycle: an operation, or NULL, and whether what is offered is taken. */
enum byw_dbi_step byw_dbi_tick(struct byw_dbi *dbi, const struct byw_dbi_req *req, bool taken);

/* Whether the walker has a row. */
static inline bool byw_dbi_walks(const struct byw_dbi *dbi)
{
    return dbi->walk.dirty != 0 || dbi->walk.offers;
}

/* Whether the operation would be done in this cycle. */
bool byw_dbi_ready(const struct byw_dbi *dbi, const struct byw_dbi_req *req);

/* The dirty blocks of a row. */
uint64_t byw_dbi_dirty(const struct byw_dbi *dbi, uint64_t row);

#endif
