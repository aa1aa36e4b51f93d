/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_l2.h - one slice of a cache below the L1s, with its queues: of the L2 and, with other
 * parameters, of the L3 and of the GL1 that groups of SMs share.
 *
 *   above -> rop (a delay) -> in -> tags -> out (a delay) -> above
 *                                   |       ^
 *                          miss -> to_dram  | ready MSHRs, acknowledgements of writes
 *                                           from_dram
 *
 * Allocate on miss, LRU.  A line has `sectors` sectors, each with its own state.  A request for
 * more than one sector is split into one part per sector and answered with its last part.  Order
 * within a cycle: one request of a filled MSHR moves to out; one packet from below fills its sector
 * or, if it is an acknowledgement, moves to out; one packet moves from the miss queue to to_dram;
 * the head of in looks up the tags; a flush sends one dirty line; one packet whose delay has
 * expired moves from rop to in.
 *
 * The data port transfers port_bytes per cycle: a hit occupies it for its size, a write-back of a
 * victim for the written bytes.  The same applies to the fill port.  A lookup waits while the data
 * port is busy or out or to_dram is full.  With one_port, fills occupy the data port and
 * write-backs do not; a write may be slower (write_bytes).
 *
 * Read hit: answered.  Read miss: allocates a line if there is none, and takes an MSHR and a miss
 * queue entry for its sector.  Read of a pending sector: merged into its MSHR.  Atomic: as a read,
 * and makes the sector dirty.  Instruction fetch: as a read.  A dirty victim is written back, with
 * all its dirty sectors in one packet.  Writes, by enum byw_l2_write:
 *
 *   FETCH    hit: makes the sector dirty, answered.  Miss: the write itself is forwarded to the
 *            level below, which acknowledges it, and the sector is fetched.  Pending: likewise,
 *            with the fetch merged.
 *   LAZY     hit: likewise.  Miss: allocates the sector at once, dirty, with a mask of the words
 *            that are not written yet; answered.  Once all words are written, the sector is like
 *            any dirty one.  An earlier read fetches it (a miss) and keeps the written words.
 *            Pending: merged.
 *   THROUGH  always forwarded to the level below; drops the sector if it is present.  So do atomics
 *            and volatile loads.  For a pending sector, the fetch is detached: it answers its
 *            requests, a volatile load last, but its data are not kept, and later loads fetch
 *            again.
 *
 * A lookup fails if all lines of the set are pending, no MSHR is free, the MSHR has no room, or the
 * miss queue cannot take the most that the request may need (2 for a read, 3 for a write that
 * fetches, 1 for other writes).  A failed lookup changes nothing and is retried in every cycle.
 *
 * In an L2, policies may let loads and stores bypass the slice and rinse rows of dirty lines:
 * byw_l2_policy.h.
 */
#ifndef BYW_L2_H
#define BYW_L2_H

#include "sim/memory/byw_l2_join.h"
#include "sim/memory/byw_memsys_pool.h"

#define BYW_NO_MSHR UINT32_MAX
#define BYW_L2_NOWHERE UINT32_MAX /* `way` of an MSHR whose sector is not kept */

/* State of a sector. */
enum byw_l2_state {
    BYW_L2_INVALID,
    BYW_L2_PENDING,
    BYW_L2_CLEAN,
    BYW_L2_DIRTY,
    BYW_L2_WRITTEN, /* dirty, but some words are not written */
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
    BYW_L2_FAIL_RINSE, /* the operations of the dirty-block index are backed up */
};

/* Parameters of the slices of a level, in the units of the configuration keys. */
struct byw_l2_shape {
    uint32_t sets, ways, line_bytes, sectors, mshrs, merges, miss_queue, port_bytes;
    uint32_t in_queue, out_queue, down_queue, tag_latency, data_latency, atom_bytes;
    uint32_t write_bytes; /* bytes of a write that the port transfers per cycle; 0: port_bytes */
    bool one_port; /* fills occupy the data port, write-backs do not */
    enum byw_l2_write write;
    bool bypass_bits; /* l2/byw_bypass_bit.h */
    bool streams; /* lines fetched by nontemporal loads are inserted as next victims */
    bool lasting; /* such a line stays the next victim while only such loads use it */
};

struct byw_l2_mshr {
    struct byw_fifo merged; /* requests after the first; once filled, all requests */
    uint32_t way; /* index of the sector */
    uint64_t sector; /* number of the sector, if its load bypasses */
    uint32_t next; /* next MSHR in the list of free or of filled MSHRs */
    uint16_t count; /* requests, including the first */
    bool dirty; /* an atomic or a write is among them */
};

struct byw_l2 {
    /* fixed */
    struct byw_packet_pool *pool;
    struct byw_mem_stats *total;
    struct byw_level_stats *stats;
    struct byw_mem_ledger *ledger; /* NULL: accesses are not attributed to instructions */
    uint32_t number, sets, ways, mshrs, merges, miss_limit, in_limit, out_limit, dram_limit;
    uint32_t line_bytes, line_log2, line_atoms, atom_bytes, port_bytes, write_bytes;
    uint32_t sectors, sectors_log2, sector_bytes, sector_log2, sector_atoms;
    uint32_t sector_cycles; /* cycles for which a sector occupies the fill port */
    uint32_t sector_words; /* mask of the 4-byte words of a sector */
    uint32_t rop_latency, data_latency;
    enum byw_l2_write write;
    bool streams, lasting, one_port;

    /* lines, sets * ways */
    uint64_t *tag; /* line number; written only by byw_l2_name() */
    uint8_t *print; /* one byte of each tag, so that a lookup reads few tags */
    uint64_t *used; /* tick of the last access */
    /* sectors, lines * sectors */
    uint32_t *owner; /* MSHR of a pending sector */
    uint32_t *holes; /* unwritten words of a partly written sector; NULL unless LAZY */
    uint8_t *state; /* enum byw_l2_state */
    uint8_t *bypass_bit; /* l2/byw_bypass_bit.h; NULL if not used */
    uint16_t *bypass_sm; /* SM that set it; for statistics only */
    uint64_t tick; /* lookups that touched a line */

    struct byw_l2_mshr *mshr;
    uint32_t mshr_free, mshr_in_use;
    uint32_t filled_head, filled_tail; /* MSHRs being answered, oldest first */

    struct byw_fifo rop, in, miss, to_dram, from_dram, out;
    uint64_t core_now; /* core cycle of the current cycle */
    uint64_t data_free, fill_free; /* own cycles from which the ports are free */
    uint64_t answered; /* L2: crossbar cycle of its last answer */
    uint32_t flush_at; /* line that a flush examines next */
    bool flushing;
    const struct byw_l2_policy_ops *policy; /* NULL: every load and store is cached */
    void *policy_state; /* owned by the policy */
    struct byw_l2_join *join; /* NULL: no reads are shared */
    bool rinsing; /* the dirty-block index has work to do */
    enum byw_l2_fail blocked; /* why the head of `in` failed, if nothing has changed since */
    bool dozes; /* blocked until a fill or an answer; each cycle until then is a failed lookup */
    uint64_t stepped; /* the last own cycle stepped */
    bool probed; /* the head of `in` was looked up, with this result: */
    uint8_t found;
    uint32_t found_at;
};

/* The parameters of each level from the configuration. */
struct byw_l2_shape byw_l2_shape(const struct byw_config *config);
struct byw_l2_shape byw_l2_shape_l3(const struct byw_config *config);
struct byw_l2_shape byw_l2_shape_gl1(const struct byw_config *config);

enum byw_status byw_l2_init(struct byw_l2 *l2, uint32_t number, const struct byw_l2_shape *shape,
                            struct byw_packet_pool *pool, struct byw_mem_stats *total,
                            struct byw_level_stats *stats);
void byw_l2_free(struct byw_l2 *l2);

/* Whether the slice accepts a packet from above in this cycle. */
bool byw_l2_ready(const struct byw_l2 *l2);

/* Hands it a packet, with its `set`. */
void byw_l2_push(struct byw_l2 *l2, uint32_t packet, uint64_t core_now);

/* Advances the slice by one cycle.  Packets in `out` may be taken from core cycle `ready` on. */
void byw_l2_cycle(struct byw_l2 *l2, uint64_t core_now, uint64_t now);

/* Drops clean sectors; pending and dirty ones stay. */
void byw_l2_invalidate(struct byw_l2 *l2);

/* Drops dirty sectors, too, as if they had been written back before; pending ones stay. */
void byw_l2_clear(struct byw_l2 *l2);

/* Replaces the set's victim, if there is one, by a dirty line. The victim is not written back. */
void byw_l2_soil(struct byw_l2 *l2, uint32_t set, uint64_t addr);

/* Starts writing dirty lines back, at most one per cycle.  Written-back lines stay clean; partly
 * written sectors are dropped.  The flush has finished when `flushing` is false and the slice is
 * empty. */
void byw_l2_flush(struct byw_l2 *l2);

/* The core cycle in which byw_l2_cycle() next has work; UINT64_MAX: not before a push. */
static inline uint64_t byw_l2_wake(const struct byw_l2 *l2, uint64_t core_now)
{
    if (l2->in.count + l2->miss.count + l2->from_dram.count > 0 || l2->filled_head != BYW_NO_MSHR ||
        l2->flushing || l2->rinsing)
        return core_now;
    return l2->rop.count > 0 ? l2->pool->packet[l2->rop.head].ready : UINT64_MAX;
}

/* The slice's own cycle in which it next has work, after cycle `now`, for everything except the
 * head of the delay line. Cycles with a busy port or a refused request are skipped. */
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

/* Counts the cycles skipped before cycle `now`. */
void byw_l2_settle(struct byw_l2 *l2, uint64_t now);

/* Whether nothing waits in the slice or its MSHRs. */
bool byw_l2_empty(const struct byw_l2 *l2);

#endif
