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
    uint16_t bytes; /* 32, 64 or 128: size asked for or written */
    uint16_t sm;
    uint8_t kind; /* enum byw_txn_kind */
    uint8_t port; /* the SM's own mark; comes back unchanged */
    bool bypass; /* L1 bypass flag for L2 policies */
    bool predicted; /* a bypass by the L1's PC predictor (paper 002) */
    bool mispredict; /* in a reply: paper 002's BypassBit answer */
};

/* Counters of L2 and DRAM, summed over slices and channels.  An access to the L2 counts once, when
 * its lookup succeeds; fail cycles count every cycle in which one fails. */
struct byw_mem_stats {
    uint64_t requests, replies; /* pushed by the SMs; put on the reply crossbar */
    uint64_t posted; /* write-backs of L1s that ended: they have no reply */
    uint64_t l2_reads, l2_writes, l2_atomics, l2_insts; /* accepted requests by kind */
    uint64_t l2_hits, l2_pending, l2_misses, l2_fail_cycles;
    uint64_t l2_fail_line, l2_fail_queue, l2_fail_mshr, l2_fail_merge; /* fail cycles by reason */
    uint64_t l2_write_hits, l2_write_misses; /* of writes; pending ones are among the misses */
    uint64_t l2_write_atoms; /* DRAM atoms of writes that missed */
    uint64_t l2_fetches; /* lines fetched because of a write miss */
    uint64_t l2_mispredicts; /* loads that found a line marked by BypassBit */
    uint64_t l2_writebacks; /* dirty lines sent to DRAM */
    uint64_t dram_reads, dram_writes; /* atoms, counted at their column command */
    uint64_t dram_requests; /* requests handed to a bank */
    uint64_t dram_row_hits; /* of these, those that found their row open */
    uint64_t dram_activates, dram_precharges;
    uint64_t dram_busy; /* data bus cycles, DRAM clock, summed over channels */
    uint64_t icnt_req_flits, icnt_rsp_flits;
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

/* Whether SM sm's injection port takes a packet in this cycle (one per port and crossbar cycle). */
bool byw_memsys_ready(const struct byw_memsys *memsys, uint32_t sm);
void byw_memsys_push(struct byw_memsys *memsys, const struct byw_txn *txn);

/* The reply waiting at SM sm, NULL if none; _pop removes it.  The pointer holds until then.  A
 * reply is seen icnt.eject_latency core cycles after it has crossed; the crossbar brings one per SM
 * and cycle, and an SM that does not take them holds up those behind once icnt.out_flits wait. */
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

/* True when no request is anywhere inside. */
bool byw_memsys_empty(const struct byw_memsys *memsys);

const struct byw_mem_stats *byw_memsys_stats(const struct byw_memsys *memsys);

/* The laws of conservation: every accepted request is a hit, pending or a miss; every request
 * inside is in one place and is answered at most once; DRAM reads what the L2 fetched and writes
 * what it sent (the last two only when nothing is inside).  BYW_ECHECK names the law that does not
 * hold. */
enum byw_status byw_memsys_check(const struct byw_memsys *memsys, struct byw_diag *diag);

/* Describes the oldest request inside, for the watchdog: kind, address, where it waits. */
void byw_memsys_describe(const struct byw_memsys *memsys, char *text, size_t room);

#endif
