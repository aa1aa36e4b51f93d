/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_memsys.h - everything below the L1s: request and reply crossbar, L2 slices, DRAM channels.
 *
 * The SMs push requests and pop replies.  One call of byw_memsys_tick() is one SM clock cycle, in
 * which the crossbar, L2 and DRAM clocks advance at their own frequencies.  A request keeps its id.
 * Every request except WRITEBACK is answered (writes by an acknowledgement).
 */
#ifndef BYW_MEMSYS_H
#define BYW_MEMSYS_H

#include <stdbool.h>

#include "common/byw_config.h"

enum byw_txn_kind { BYW_TXN_READ, BYW_TXN_WRITE, BYW_TXN_ATOMIC, BYW_TXN_INST, BYW_TXN_WRITEBACK };

struct byw_txn {
    uint64_t addr; /* byte address, aligned to `bytes` */
    uint32_t id; /* set by the SM; returned unchanged */
    uint32_t pc; /* PC of the instruction; loads, stores and atomics only */
    uint16_t bytes; /* 32, 64 or 128: size requested or written */
    uint16_t sm;
    uint8_t kind; /* enum byw_txn_kind */
    uint8_t port; /* set by the SM; returned unchanged */
    bool bypass; /* L1 bypass flag for L2 policies */
    bool predicted; /* a bypass by the L1's PC predictor (paper 002) */
    bool is_volatile, nontemporal; /* flags of a load, from hint.loads or its own advice */
    bool mispredict; /* in a reply: result of paper 002's BypassBit */
    bool fetched; /* in a reply: the L2, or a level above it, had to fetch the sector from below */
    uint32_t holes; /* of a write of at most 128 bytes: bit i = no byte of the i-th 4 bytes is
                     * written (a partly written word counts as written); 0: all are written */
};

/* Counters of one cache level, summed over its slices.  An access counts once, when its lookup
 * succeeds.  Fail cycles count every cycle in which a lookup fails.  A request for several sectors
 * counts as one access per sector. */
struct byw_level_stats {
    uint64_t requests; /* requests from above */
    uint64_t parts; /* accesses beyond the first, for requests of several sectors */
    uint64_t reads, writes, atomics, insts; /* accesses by kind */
    uint64_t hits, pending, misses;
    uint64_t sector_misses; /* misses whose line was present */
    /* total, and by reason */
    uint64_t fail_cycles, fail_line, fail_queue, fail_mshr, fail_merge, fail_rinse;
    uint64_t write_hits, write_misses; /* writes that hit; that miss, or whose sector is pending */
    uint64_t write_atoms; /* DRAM atoms of forwarded writes */
    uint64_t write_fetches; /* fetches because of a write miss */
    uint64_t full_set_passes; /* passed_loads and passed_stores whose whole set was pending */
    uint64_t mispredicts; /* loads that found a line marked by BypassBit */
    uint64_t mispredicts_own; /* of `mispredicts`: those whose own SM had marked the line */
    uint64_t fetched, unfetched; /* misses that fetch a sector; that do not */
    uint64_t sent_on; /* writes (in a write-through level also atomics and volatile loads) forwarded
                       * to the level below */
    uint64_t writebacks; /* dirty lines sent to the level below */
    uint64_t writeback_atoms; /* DRAM atoms of `writebacks` */
    uint64_t flushed; /* writebacks caused by a flush */
    uint64_t rinsed; /* writebacks caused by the eviction of another line of the DRAM row */
    uint64_t passed_loads, passed_stores; /* bypassing loads; bypassing stores */
    uint64_t joined_bytes; /* bytes of reads that shared another answer (byw_l2_join.h) */
    uint64_t dropped; /* clean sectors dropped by an invalidation */
};

/* Counters of everything below the L1s. */
struct byw_mem_stats {
    uint64_t requests, replies; /* pushed by the SMs; put on their reply crossbar */
    uint64_t posted; /* finished write-backs of L1s, which have no reply */
    struct byw_level_stats l2, l3, gl1; /* counters of disabled levels are 0 */
    uint64_t dram_reads, dram_writes; /* atoms, counted at their column command */
    uint64_t dram_requests; /* requests handed to a bank */
    uint64_t dram_row_hits; /* requests that found their row open */
    uint64_t dram_activates, dram_precharges;
    uint64_t dram_refreshes; /* refreshes of a channel's banks; an idle channel catches up when it
                              * has work again */
    uint64_t dram_busy; /* busy data bus cycles in DRAM clocks, summed over channels */
    uint64_t icnt_req_flits, icnt_rsp_flits; /* on the crossbar to the L2 */
};

/* Sees every request that enters a DRAM scheduler, in order of time: fetches of the L2, forwarded
 * writes and dirty lines.  It does not change the results. */
struct byw_mem_observer {
    /* `addr` is aligned to `bytes`, a multiple of dram.atom_bytes; cycles of the DRAM clock. */
    void (*request)(void *ctx, uint64_t dram_cycle, uint64_t addr, uint32_t bytes, bool write);
    void *ctx;
};

struct byw_memsys;

enum byw_status byw_memsys_create(const struct byw_config *config, struct byw_memsys **memsys,
                                  struct byw_diag *diag);
void byw_memsys_free(struct byw_memsys *memsys);

/* Sets the only observer.  Call before the first cycle. */
void byw_memsys_observe(struct byw_memsys *memsys, const struct byw_mem_observer *observer);

/* Records the cost of each instruction (byw_mem_ledger.h).  Call before the first cycle. */
struct byw_mem_ledger;
void byw_memsys_account(struct byw_memsys *memsys, struct byw_mem_ledger *ledger);

/* Whether SM sm's injection port accepts a packet in this cycle (one per port and crossbar
 * cycle). */
bool byw_memsys_ready(const struct byw_memsys *memsys, uint32_t sm);
void byw_memsys_push(struct byw_memsys *memsys, const struct byw_txn *txn);

/* The SMs with a visible reply, as a set: SM sm is bit sm % 64 of word sm / 64. */
const uint64_t *byw_memsys_replies(const struct byw_memsys *memsys);

/* The reply waiting at SM sm, or NULL; valid until _pop removes it.  A reply becomes visible
 * icnt.eject_latency core cycles after it has crossed.  The crossbar delivers one reply per SM and
 * cycle.  If an SM does not take its replies, later ones are held back once icnt.out_packets are
 * waiting. */
const struct byw_txn *byw_memsys_reply(const struct byw_memsys *memsys, uint32_t sm);
void byw_memsys_pop(struct byw_memsys *memsys, uint32_t sm);

/* Advances the memory system by one SM clock cycle. */
void byw_memsys_tick(struct byw_memsys *memsys);

/* Number of SM cycles that can be skipped because nothing changes in the memory system (0: tick
 * now; UINT64_MAX: nothing changes without a push or a pop).  Replies that are already visible are
 * ignored; the SMs handle them.  _skip advances time by at most that many cycles and leaves the
 * same state as ticking. */
uint64_t byw_memsys_quiet(const struct byw_memsys *memsys);
void byw_memsys_skip(struct byw_memsys *memsys, uint64_t cycles);

/* --- SMs ahead of the memory side ---------------------------------------------------------
 *
 * After byw_memsys_part() the SMs no longer run in lock step with the memory side.  SM sm steps
 * cycle `cycle` after byw_memsys_at(), and its pushes and pops in that cycle are recorded.
 * byw_memsys_run() advances the memory side with these records and leaves the same state as
 * ticking.  An SM must finish a cycle before the request crossbar reaches it, and may step the
 * cycles before byw_memsys_reach(), in which it sees all possible replies.  After the request
 * crossbar, a request is in flight for l2.rop_latency cycles, so slices, DRAM and replies can be
 * ahead of the SMs by that many.  _run may work in one thread while others step SMs; the caller
 * publishes _reach() and the SMs' progress with release and acquire.  BYW_ENOMEM. */
enum { BYW_AHEAD_MAX = 256 }; /* largest distance between parts, in cycles */

enum byw_status byw_memsys_lookahead(struct byw_memsys *memsys); /* call before any _part() */
void byw_memsys_part(struct byw_memsys *memsys);
void byw_memsys_join(struct byw_memsys *memsys); /* call when all have stepped the same cycles */

/* SM sm reaches a cycle, in which it pops at most l1d.rate replies.  Returns false if it must wait
 * for the memory side, because its buffer to the crossbar may be full in that cycle, or because
 * replies may wait that have not been delivered to it. */
bool byw_memsys_at(struct byw_memsys *memsys, uint32_t sm, uint64_t cycle);

/* The cycle in which SM sm sees its oldest reply; UINT64_MAX: none before _reach(); 0: not known
 * until the memory side has reached the SM's pops, so that _at() returns false. */
uint64_t byw_memsys_reply_at(struct byw_memsys *memsys, uint32_t sm);

/* The reply `behind` places after SM sm's oldest one, whether the SM sees it yet or not, for
 * prefetching only: its id and kind (enum byw_mem_kind, or BYW_PORT_INST).  Returns false if none
 * is known. */
bool byw_memsys_coming(const struct byw_memsys *memsys, uint32_t sm, uint32_t behind, uint32_t *id,
                       uint8_t *kind);

/* Advances the memory side to cycle `known`, before which all SMs have finished, and on to `until`
 * if that is later. Without l2.rop_latency it stops after `known` as soon as it announces a reply
 * to an SM; the SMs must then do nothing before `until`. */
void byw_memsys_run(struct byw_memsys *memsys, uint64_t known, uint64_t until);
uint64_t byw_memsys_reach(const struct byw_memsys *memsys);
uint64_t byw_memsys_cycle(const struct byw_memsys *memsys); /* next cycle of the request crossbar */
uint64_t byw_memsys_first(const struct byw_memsys *memsys); /* next cycle of the part that is
                                                             * ahead */

/* Whether slices may be ahead of the request crossbar. */
bool byw_memsys_leads(const struct byw_memsys *memsys);

/* Whether fewer packets are free than SMs that run ahead could need, so that they must run in lock
 * step. */
bool byw_memsys_tight(const struct byw_memsys *memsys);

/* Whether no request is inside and no flush is in progress. */
bool byw_memsys_empty(const struct byw_memsys *memsys);

/* Actions at kernel boundaries (paper 004).  The first two drop all clean lines of the L2, or of
 * the GL1s, at once; _clear_l2 also drops the dirty lines of the L2, as if they had been written
 * back before.  _flush starts writing dirty L2 lines back (to the L3 if there is one).  It
 * takes time and has finished when byw_memsys_empty().  Lines made dirty in the meantime may stay
 * dirty. */
void byw_memsys_invalidate_l2(struct byw_memsys *memsys);
void byw_memsys_invalidate_gl1(struct byw_memsys *memsys);
void byw_memsys_clear_l2(struct byw_memsys *memsys);

/* Fills the L2 with dirty lines, as a program does that has just written a buffer of several times
 * its size, from its first to its last byte. No trace uses the buffer's addresses. The L2 must be
 * empty. */
void byw_memsys_soil_l2(struct byw_memsys *memsys);
void byw_memsys_flush(struct byw_memsys *memsys);

/* Counters up to this cycle, including what sleeping slices have not counted yet. */
const struct byw_mem_stats *byw_memsys_stats(struct byw_memsys *memsys);

/* Checks the laws of conservation.  In each level every access is a hit, pending or a miss, and
 * every miss fetches or needs no fetch.  Every request inside is in one place and is answered at
 * most once.  A level receives what the level above sent; DRAM reads what the lowest level fetched
 * and writes what it sent (the last two only when nothing is inside).  BYW_ECHECK names the broken
 * law. */
enum byw_status byw_memsys_check(const struct byw_memsys *memsys, struct byw_diag *diag);

/* Describes the oldest request inside, for the watchdog: kind, address, and where it waits. */
void byw_memsys_describe(const struct byw_memsys *memsys, char *text, size_t room);

#endif
