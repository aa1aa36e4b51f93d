/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_l2.h - one slice of a cache below the L1s, with its queues: of the L2, and with other
 * parameters of the L3 and of the GL1, which groups of SMs share.
 *
 *   above -> rop (a delay) -> in -> tags -> out (a delay) -> above
 *                                   |       ^
 *                          miss -> to_dram  | ready MSHRs, acknowledgements of writes
 *                                           from_dram
 *
 * Allocate on miss, LRU.  A line has `sectors` sectors, each with a state of its own; a request for
 * more than one sector is cut into one part per sector, and answered when the last part is.  In a
 * cycle, in this order: one request of a filled MSHR moves to out; one packet from below fills its
 * sector or, an acknowledgement, moves to out; one packet moves from the miss queue to to_dram; the
 * head of in looks up the tags; a flush sends one dirty line; one packet whose delay is over moves
 * from rop to in.
 *
 * The data port passes port_bytes per cycle: a hit keeps it busy for its size, a write-back of a
 * victim for what is written.  The same holds for the fill port.  A lookup waits while the data
 * port is busy or out or to_dram is full.
 *
 * Read hit: answered.  Read miss: takes a line if there is none, an MSHR and a place in the miss
 * queue for its sector.  Read of a pending sector: merged into its MSHR.  Atomic: as a read, makes
 * the sector dirty.  Instruction fetch: as a read.  A dirty victim is written back, its dirty
 * sectors in one packet.  Writes, by enum byw_l2_write:
 *
 *   FETCH    hit: makes the sector dirty, answered.  Miss: the write itself goes on down (its
 *            acknowledgement comes from there) and the sector is fetched.  Pending: likewise, the
 *            fetch being merged.
 *   LAZY     hit: likewise.  Miss: takes the sector at once, dirty, with a mask of the words not
 *            written yet; answered.  Once all are written the sector is like any dirty one; a read
 *            before that fetches it (a miss), the written words stay.  Pending: merged.
 *   THROUGH  always goes on down and drops the sector if it is there; so do atomics and volatile
 *            loads.  Of a pending sector the fetch is given up: it answers the requests that it
 *            has, a volatile load last, but is not kept, and later loads fetch again.
 *
 * A lookup fails, changes nothing and is tried again in every cycle when all lines of the set are
 * pending, no MSHR is free, the MSHR has no room, or the miss queue could not take the most that
 * the request may need (2 for a read, 3 for a write that fetches, 1 for other writes).
 *
 * In an L2, policies may let loads and stores bypass the slice, and rinse rows of dirty lines:
 * byw_l2_policy.h.
 */
#ifndef BYW_L2_H
#define BYW_L2_H

#include "sim/byw_memsys_pool.h"

#define BYW_NO_MSHR UINT32_MAX
#define BYW_L2_NOWHERE UINT32_MAX /* `way` of an MSHR whose sector is not kept */

/* Of a sector. */
enum byw_l2_state {
    BYW_L2_INVALID,
    BYW_L2_PENDING,
    BYW_L2_CLEAN,
    BYW_L2_DIRTY,
    BYW_L2_WRITTEN, /* dirty, but not all words are there */
};

enum { BYW_WRITE_MISS_FETCH, BYW_WRITE_MISS_LAZY }; /* l2.write_miss */

enum byw_l2_write { BYW_L2_FETCH, BYW_L2_LAZY, BYW_L2_THROUGH };

/* Why a lookup failed. */
enum byw_l2_fail {
    BYW_L2_FAIL_NONE,
    BYW_L2_FAIL_LINE,
    BYW_L2_FAIL_QUEUE,
    BYW_L2_FAIL_MSHR,
    BYW_L2_FAIL_MERGE,
    BYW_L2_FAIL_RINSE, /* the dirty-block index is behind */
};

/* What a level's slices are like; units as of the configuration keys. */
struct byw_l2_shape {
    uint32_t sets, ways, line_bytes, sectors, mshrs, merges, miss_queue, port_bytes;
    uint32_t in_queue, out_queue, down_queue, tag_latency, data_latency, atom_bytes;
    enum byw_l2_write write;
    bool bypass_bits; /* l2/byw_bypass_bit.h */
    bool streams; /* lines that nontemporal loads bring are the next to go */
};

struct byw_l2_mshr {
    struct byw_fifo merged; /* requests after the first; once filled, all */
    uint32_t way; /* index of the sector */
    uint64_t sector; /* its number, if it passes */
    uint32_t next; /* in the list of free or of filled ones */
    uint16_t count; /* requests, the first included */
    bool dirty; /* an atomic or a write is among them */
};

struct byw_l2 {
    /* fixed */
    struct byw_packet_pool *pool;
    struct byw_mem_stats *total;
    struct byw_level_stats *stats;
    struct byw_mem_ledger *ledger; /* NULL: nobody asks whose its accesses are */
    uint32_t number, sets, ways, mshrs, merges, miss_limit, in_limit, out_limit, dram_limit;
    uint32_t line_bytes, line_log2, line_atoms, atom_bytes, port_bytes;
    uint32_t sectors, sectors_log2, sector_bytes, sector_log2, sector_atoms;
    uint32_t sector_cycles; /* the fill port is busy with a sector */
    uint32_t sector_words; /* mask of the 4-byte words of a sector */
    uint32_t rop_latency, data_latency;
    enum byw_l2_write write;
    bool streams;

    /* lines, sets * ways */
    uint64_t *tag; /* line number; byw_l2_name() writes it */
    uint8_t *print; /* a byte of each tag, so that a lookup reads few of them */
    uint64_t *used; /* tick of the last access */
    /* sectors, lines * sectors */
    uint32_t *owner; /* MSHR of a pending one */
    uint32_t *holes; /* words not written, of a written one; NULL unless LAZY */
    uint8_t *state; /* enum byw_l2_state */
    uint8_t *bypass_bit; /* l2/byw_bypass_bit.h; NULL without */
    uint16_t *bypass_sm; /* who set it; for the statistics only */
    uint64_t tick; /* lookups that touched a line */

    struct byw_l2_mshr *mshr;
    uint32_t mshr_free, mshr_in_use;
    uint32_t filled_head, filled_tail; /* MSHRs being answered, oldest first */

    struct byw_fifo rop, in, miss, to_dram, from_dram, out;
    uint64_t core_now; /* of this cycle */
    uint64_t data_free, fill_free; /* own cycles from which the ports are free */
    uint64_t answered; /* of an L2: crossbar cycle of its last answer */
    uint32_t flush_at; /* the line a flush looks at next */
    bool flushing;
    const struct byw_l2_policy_ops *policy; /* NULL: every load and store is kept */
    void *policy_state; /* the policy's */
    bool rinsing; /* its dirty-block index has something to do */
    enum byw_l2_fail blocked; /* the head of in failed for this and nothing has changed since */
    bool dozes; /* blocked until something is filled or answered: each cycle until then is a fail */
    uint64_t stepped; /* own cycle that was taken last */
    bool probed; /* its line was looked for, with this result: */
    uint8_t found;
    uint32_t found_at;
};

/* The shapes the configuration gives the levels. */
struct byw_l2_shape byw_l2_shape(const struct byw_config *config);
struct byw_l2_shape byw_l2_shape_l3(const struct byw_config *config);
struct byw_l2_shape byw_l2_shape_gl1(const struct byw_config *config);

enum byw_status byw_l2_init(struct byw_l2 *l2, uint32_t number, const struct byw_l2_shape *shape,
                            struct byw_packet_pool *pool, struct byw_mem_stats *total,
                            struct byw_level_stats *stats);
void byw_l2_free(struct byw_l2 *l2);

/* Whether the slice takes a packet from above in this cycle. */
bool byw_l2_ready(const struct byw_l2 *l2);

/* Gives it one, with its `set`. */
void byw_l2_push(struct byw_l2 *l2, uint32_t packet, uint64_t core_now);

/* One cycle.  Packets in `out` may be taken from core cycle `ready` on. */
void byw_l2_cycle(struct byw_l2 *l2, uint64_t core_now, uint64_t now);

/* Drops what is clean; pending and dirty sectors stay. */
void byw_l2_invalidate(struct byw_l2 *l2);

/* Starts writing back what is dirty, a line per cycle at most, which stays as clean (what was only
 * partly written goes).  Over when `flushing` is false and the slice is empty. */
void byw_l2_flush(struct byw_l2 *l2);

/* The core cycle in which byw_l2_cycle() next has something to do; UINT64_MAX: not before a push.
 */
static inline uint64_t byw_l2_wake(const struct byw_l2 *l2, uint64_t core_now)
{
    if (l2->in.count + l2->miss.count + l2->from_dram.count > 0 || l2->filled_head != BYW_NO_MSHR ||
        l2->flushing || l2->rinsing)
        return core_now;
    return l2->rop.count > 0 ? l2->pool->packet[l2->rop.head].ready : UINT64_MAX;
}

/* The same in own cycles, after the now-th, and of all but the delay line's head.  A port that is
 * busy and a request that is refused are slept through. */
static inline uint64_t byw_l2_next(const struct byw_l2 *l2, uint64_t now)
{
    uint64_t next = UINT64_MAX, fill = now + 1;

    if (l2->filled_head != BYW_NO_MSHR || l2->miss.count > 0 || l2->flushing || l2->rinsing)
        return now + 1;
    if (l2->in.count > 0 && !l2->dozes)
        next = l2->data_free > now ? l2->data_free : now + 1;
    if (l2->from_dram.count == 0)
        return next;
    if (l2->pool->packet[l2->from_dram.head].fills && l2->fill_free > fill)
        fill = l2->fill_free;
    return fill < next ? fill : next;
}

/* Counts what was slept through before the now-th cycle. */
void byw_l2_settle(struct byw_l2 *l2, uint64_t now);

/* Nothing waits in the slice, MSHRs included. */
bool byw_l2_empty(const struct byw_l2 *l2);

#endif
