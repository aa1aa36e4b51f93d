/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_memsys.h - everything below the L1s: request and reply crossbar, L2 slices, DRAM channels.
 *
 * The SMs push requests and pop replies; one call of byw_memsys_tick() is one SM clock cycle,
 * inside which the crossbar, L2 and DRAM clocks advance by their own frequencies.  A request keeps
 * its id; every request is answered (writes by an acknowledgement) except WRITEBACKs.
 */
#ifndef BYW_MEMSYS_H
#define BYW_MEMSYS_H

#include <stdbool.h>

#include "common/byw_config.h"

enum byw_txn_kind { BYW_TXN_READ, BYW_TXN_WRITE, BYW_TXN_ATOMIC, BYW_TXN_INST, BYW_TXN_WRITEBACK };

struct byw_txn {
    uint64_t addr; /* byte address, aligned to `bytes` */
    uint32_t id; /* the SM's; comes back unchanged */
    uint32_t pc; /* of the instruction; loads, stores and atomics */
    uint16_t bytes; /* 32, 64 or 128: size asked for or written */
    uint16_t sm;
    uint8_t kind; /* enum byw_txn_kind */
    uint8_t port; /* the SM's own mark; comes back unchanged */
    bool bypass; /* L1 bypass flag for L2 policies */
    bool predicted; /* a bypass by the L1's PC predictor (paper 002) */
    bool is_volatile, nontemporal; /* of a load: hint.loads, or its own advice */
    bool mispredict; /* in a reply: paper 002's BypassBit answer */
    uint32_t holes; /* of a write of 128 bytes or fewer: bit i = no byte of its i-th 4 bytes is
                       written (a word written in part counts as written); 0: all are */
};

/* Counters of one cache level, summed over its slices.  An access counts once, when its lookup
 * succeeds; fail cycles count every cycle in which one fails.  A request for several sectors is as
 * many accesses. */
struct byw_level_stats {
    uint64_t requests; /* that came from above */
    uint64_t parts; /* accesses beyond the first of requests for several sectors */
    uint64_t reads, writes, atomics, insts; /* accesses by kind */
    uint64_t hits, pending, misses;
    uint64_t sector_misses; /* of the misses: the line was there */
    /* all, by reason */
    uint64_t fail_cycles, fail_line, fail_queue, fail_mshr, fail_merge, fail_rinse;
    uint64_t write_hits, write_misses; /* of writes; pending ones are among the misses */
    uint64_t write_atoms; /* DRAM atoms of what is sent on */
    uint64_t write_fetches; /* fetches because of a write miss */
    uint64_t
        full_set_passes; /* of passed_loads and passed_stores, those whose set was all pending */
    uint64_t mispredicts; /* loads that found a line marked by BypassBit */
    uint64_t mispredicts_own; /* of these, by an SM that had marked it itself */
    uint64_t fetched, unfetched; /* misses that fetch a sector, that do not */
    uint64_t sent_on; /* writes (of a write-through level, atomics and volatile loads too) sent to
                         the level below */
    uint64_t writebacks; /* dirty lines sent to the level below */
    uint64_t writeback_atoms; /* their DRAM atoms */
    uint64_t flushed; /* of the write-backs: because of a flush */
    uint64_t rinsed; /* of the write-backs: because another line of the DRAM row left */
    uint64_t passed_loads, passed_stores; /* fetched for, sent on, without keeping a line */
    uint64_t dropped; /* clean sectors dropped by an invalidation */
};

/* Counters of everything below the L1s. */
struct byw_mem_stats {
    uint64_t requests, replies; /* pushed by the SMs; put on their reply crossbar */
    uint64_t posted; /* write-backs of L1s that ended: they have no reply */
    struct byw_level_stats l2, l3, gl1; /* levels that are off stay 0 */
    uint64_t dram_reads, dram_writes; /* atoms, counted at their column command */
    uint64_t dram_requests; /* requests handed to a bank */
    uint64_t dram_row_hits; /* of these, those that found their row open */
    uint64_t dram_activates, dram_precharges;
    uint64_t dram_refreshes; /* of all banks of a channel; an idle one catches up when it works */
    uint64_t dram_busy; /* data bus cycles, DRAM clock, summed over channels */
    uint64_t icnt_req_flits, icnt_rsp_flits; /* of the crossbar to the L2 */
};

/* Sees every request that enters a DRAM scheduler, in the order of time: what the L2 fetches, the
 * writes it passes on and the dirty lines it sends.  It changes nothing in the results. */
struct byw_mem_observer {
    /* `addr` is aligned to `bytes`, a multiple of dram.atom_bytes; cycles of the DRAM clock. */
    void (*request)(void *ctx, uint64_t dram_cycle, uint64_t addr, uint32_t bytes, bool write);
    void *ctx;
};

struct byw_memsys;

enum byw_status byw_memsys_create(const struct byw_config *config, struct byw_memsys **memsys,
                                  struct byw_diag *diag);
void byw_memsys_free(struct byw_memsys *memsys);

/* Before the first cycle; one observer. */
void byw_memsys_observe(struct byw_memsys *memsys, const struct byw_mem_observer *observer);

/* Before the first cycle: what each instruction costs is written down here (byw_mem_ledger.h). */
struct byw_mem_ledger;
void byw_memsys_account(struct byw_memsys *memsys, struct byw_mem_ledger *ledger);

/* Whether SM sm's injection port takes a packet in this cycle (one per port and crossbar cycle). */
bool byw_memsys_ready(const struct byw_memsys *memsys, uint32_t sm);
void byw_memsys_push(struct byw_memsys *memsys, const struct byw_txn *txn);

/* The SMs with a reply to see, as a set: bit sm % 64 of word sm / 64. */
const uint64_t *byw_memsys_replies(const struct byw_memsys *memsys);

/* The reply waiting at SM sm, NULL if none; _pop removes it.  The pointer holds until then.  A
 * reply is seen icnt.eject_latency core cycles after it has crossed; the crossbar brings one per SM
 * and cycle, and an SM that does not take them holds up those behind once icnt.out_packets wait. */
const struct byw_txn *byw_memsys_reply(const struct byw_memsys *memsys, uint32_t sm);
void byw_memsys_pop(struct byw_memsys *memsys, uint32_t sm);

/* One SM clock cycle. */
void byw_memsys_tick(struct byw_memsys *memsys);

/* Number of SM cycles that may be skipped because nothing in here changes in them (0: tick now;
 * UINT64_MAX: nothing will ever happen without a push or a pop).  Replies that can be seen already
 * are the SMs' business and not looked at.  _skip advances time by that many cycles or fewer and
 * leaves exactly what ticking would have left. */
uint64_t byw_memsys_quiet(const struct byw_memsys *memsys);
void byw_memsys_skip(struct byw_memsys *memsys, uint64_t cycles);

/* --- SMs ahead of the memory side ---------------------------------------------------------
 *
 * After byw_memsys_part() the SMs no longer keep step: SM sm steps its cycle `cycle` after
 * byw_memsys_at(), and what it pushes and pops in it is written down; byw_memsys_run() goes through
 * the memory side's cycles with what the SMs have written down for them, and leaves what ticking
 * would have left.  An SM must be through a cycle before the request crossbar is, and may step the
 * cycles before byw_memsys_reach(): those in which it sees all replies there can be.  Behind the
 * request crossbar a request is l2.rop_latency cycles on its way, so that slices, DRAM and replies
 * can be ahead of the SMs by as much.  _run may work in one thread while others step SMs; the
 * caller hands on _reach() and the SMs' progress with release and acquire.  BYW_ENOMEM. */
enum { BYW_AHEAD_MAX = 256 }; /* cycles between the first and the last of all */

enum byw_status byw_memsys_lookahead(struct byw_memsys *memsys); /* before any _part() */
void byw_memsys_part(struct byw_memsys *memsys);
void byw_memsys_join(struct byw_memsys *memsys); /* when all have stepped the same cycles */

/* SM sm comes to a cycle; false: it must wait for the memory side, its buffer to the crossbar may
 * be full in that cycle. */
bool byw_memsys_at(struct byw_memsys *memsys, uint32_t sm, uint64_t cycle);

/* The cycle in which SM sm sees its oldest reply; UINT64_MAX: there is none before _reach(). */
uint64_t byw_memsys_reply_at(struct byw_memsys *memsys, uint32_t sm);

/* The memory side works with the SMs through all cycles before `known`, and goes no further than
 * `until`, or `known` if that is more.  Where it is in step with the SMs (no l2.rop_latency), it
 * goes beyond `known` only up to a reply that SMs see; SMs do nothing before `until` then. */
void byw_memsys_run(struct byw_memsys *memsys, uint64_t known, uint64_t until);
uint64_t byw_memsys_reach(const struct byw_memsys *memsys);
uint64_t byw_memsys_cycle(const struct byw_memsys *memsys); /* the request crossbar's next */
uint64_t byw_memsys_first(const struct byw_memsys *memsys); /* that of the part that is ahead */

/* Whether slices may be ahead of the request crossbar. */
bool byw_memsys_leads(const struct byw_memsys *memsys);

/* Fewer packets are free than could be needed while SMs are ahead: they must keep step. */
bool byw_memsys_tight(const struct byw_memsys *memsys);

/* True when no request is anywhere inside and no flush is under way. */
bool byw_memsys_empty(const struct byw_memsys *memsys);

/* What paper 004 does at the boundaries of kernels.  The first two drop, at once, what is clean in
 * the L2, or in the GL1s.  _flush starts writing back what is dirty in the L2 (to the L3 if there
 * is one); it takes its time, and is over when byw_memsys_empty().  Lines made dirty meanwhile may
 * stay dirty. */
void byw_memsys_invalidate_l2(struct byw_memsys *memsys);
void byw_memsys_invalidate_gl1(struct byw_memsys *memsys);
void byw_memsys_flush(struct byw_memsys *memsys);

/* Up to this cycle: what sleeping slices have not counted yet is counted now. */
const struct byw_mem_stats *byw_memsys_stats(struct byw_memsys *memsys);

/* The laws of conservation: in each level every access is a hit, pending or a miss, and every miss
 * fetches or need not; every request inside is in one place and is answered at most once; a level
 * gets what the one above sent, and DRAM reads what the lowest fetched and writes what it sent (the
 * last ones only when nothing is inside).  BYW_ECHECK names the law that does not
 * hold. */
enum byw_status byw_memsys_check(const struct byw_memsys *memsys, struct byw_diag *diag);

/* Describes the oldest request inside, for the watchdog: kind, address, where it waits. */
void byw_memsys_describe(const struct byw_memsys *memsys, char *text, size_t room);

#endif
