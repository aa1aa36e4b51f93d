/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_l2.h - one slice of the L2 cache with its queues.
 *
 *   crossbar -> rop (a delay) -> in -> tags -> out -> crossbar
 *                                       |       ^
 *                              miss -> to_dram  | ready MSHRs, acknowledgements of writes
 *                                               from_dram
 *
 * Write-back, allocate on miss, LRU, not sectored.  In an L2 cycle, in this order: one request of a
 * filled MSHR moves to out; one packet from DRAM fills its line or, an acknowledgement, moves to
 * out; one packet moves from the miss queue to to_dram; the head of in looks up the tags; one
 * packet whose delay is over moves from rop to in.
 *
 * The data port passes l2.port_bytes per cycle: a hit keeps it busy for its size, a write-back of a
 * victim for a line.  The fill port likewise.  A lookup waits while the data port is busy or out or
 * to_dram is full.
 *
 * Read hit: answered.  Read miss: takes a line, an MSHR and a place in the miss queue.  Read of a
 * pending line: merged into its MSHR.  Write hit: makes the line dirty, answered.  Write miss: the
 * write itself goes on to DRAM (its acknowledgement comes from there) and the line is fetched.
 * Write to a pending line: likewise, the fetch being merged.  Atomic: as a read, makes the line
 * dirty. Instruction fetch: as a read.  A dirty victim is written back whole.
 *
 * A lookup fails, changes nothing and is tried again in every cycle when all lines of the set are
 * pending, no MSHR is free, the MSHR has no room, or the miss queue could not take the most that
 * the request may need (2 for a read, 3 for a write; one place always stays free).
 */
#ifndef BYW_L2_H
#define BYW_L2_H

#include "sim/byw_addrmap.h"
#include "sim/byw_memsys_pool.h"

#define BYW_NO_MSHR UINT32_MAX

enum byw_l2_state { BYW_L2_INVALID, BYW_L2_PENDING, BYW_L2_CLEAN, BYW_L2_DIRTY };

/* Why a lookup failed. */
enum byw_l2_fail {
    BYW_L2_FAIL_NONE,
    BYW_L2_FAIL_LINE,
    BYW_L2_FAIL_QUEUE,
    BYW_L2_FAIL_MSHR,
    BYW_L2_FAIL_MERGE,
};

struct byw_l2_mshr {
    struct byw_fifo merged; /* requests after the first; once filled, all */
    uint32_t way; /* index of the line */
    uint32_t next; /* in the list of free or of filled ones */
    uint16_t count; /* requests, the first included */
    bool dirty; /* an atomic is among them */
};

struct byw_l2 {
    /* fixed */
    const struct byw_addrmap *map;
    struct byw_packet_pool *pool;
    struct byw_mem_stats *stats;
    uint32_t number, sets, ways, mshrs, merges, miss_limit, in_limit, out_limit, dram_limit;
    uint32_t line_cycles; /* a port is busy with a line */
    uint32_t line_bytes, line_atoms, atom_bytes, port_bytes, rop_latency;

    /* lines, sets * ways */
    uint64_t *tag; /* line address */
    uint64_t *used; /* tick of the last access */
    uint32_t *owner; /* MSHR of a pending line */
    uint8_t *state; /* enum byw_l2_state */
    uint8_t *bypass_bit; /* l2/byw_bypass_bit.h; NULL without */
    uint64_t tick; /* lookups that touched a line */

    struct byw_l2_mshr *mshr;
    uint32_t mshr_free, mshr_in_use;
    uint32_t filled_head, filled_tail; /* MSHRs being answered, oldest first */

    struct byw_fifo rop, in, miss, to_dram, from_dram, out;
    uint64_t data_free, fill_free; /* L2 cycles from which the ports are free */
    enum byw_l2_fail blocked; /* the head of in failed for this and nothing has changed since */
    bool probed; /* its line was looked for, with this result: */
    uint8_t found;
    uint32_t found_at;
};

enum byw_status byw_l2_init(struct byw_l2 *l2, uint32_t number, const struct byw_config *config,
                            const struct byw_addrmap *map, struct byw_packet_pool *pool,
                            struct byw_mem_stats *stats);
void byw_l2_free(struct byw_l2 *l2);

/* Whether the slice takes a packet from the crossbar in this cycle. */
bool byw_l2_ready(const struct byw_l2 *l2);
void byw_l2_push(struct byw_l2 *l2, uint32_t packet, uint64_t core_now);

/* One L2 cycle. */
void byw_l2_cycle(struct byw_l2 *l2, uint64_t core_now, uint64_t now);

/* The core cycle in which byw_l2_cycle() next has something to do; UINT64_MAX: not before a push.
 */
static inline uint64_t byw_l2_wake(const struct byw_l2 *l2, uint64_t core_now)
{
    if (l2->in.count + l2->miss.count + l2->from_dram.count > 0 || l2->filled_head != BYW_NO_MSHR)
        return core_now;
    return l2->rop.count > 0 ? l2->pool->packet[l2->rop.head].ready : UINT64_MAX;
}

/* Nothing waits in the slice, MSHRs included. */
bool byw_l2_empty(const struct byw_l2 *l2);

#endif
