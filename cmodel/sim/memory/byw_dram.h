/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_dram.h - one DRAM channel: banks, command bus, data bus and the request scheduler.
 *
 * FR-FCFS: an idle bank gets the oldest waiting request to the row it used last, otherwise its
 * oldest request.  One request is handed to a bank per cycle, in round-robin order of the banks.
 * Row hits are not capped: a request waits while hits to the bank's open row arrive (dram.queue
 * bounds their number).  FCFS: requests go to their banks strictly in order of arrival;
 * dram.fcfs_queue bounds the waiting ones.
 *
 * Rows stay open until another row is needed.  In each cycle the banks are examined in round-robin
 * order.  The first bank that can send a column command sends it.  The first bank before it that
 * can send an activate or precharge does so.  With dram.dual_bus, the first bank that can send a
 * row command does so, regardless of its place in the order.  A request needs one column command
 * per atom (dram.atom_bytes).  Minimum distances in command clocks:
 *
 *   column   -> column           t_ccd, within a bank group t_ccdl
 *   activate -> activate         t_rrd, within a bank t_rc
 *   activate -> read             t_rcd          activate -> write      t_rcd - (t_wl + 1)
 *   activate -> precharge        t_ras          precharge -> activate  t_rp
 *   read     -> write            t_cl + burst + 2 - t_wl
 *   write    -> read             t_wl + burst + t_cdlr
 *   write    -> precharge        t_wl + burst + t_wr, within the bank
 *   read     -> precharge        burst within the bank, t_rtpl within the bank group
 *   read     -> packet returned  t_cl           write -> packet returned  t_wl
 *
 * `burst` is dram.burst_cycles. dram.group_index defines the bank groups.  With dram.group_timing =
 * off, t_ccd applies everywhere and t_rtpl only within the bank.
 *
 * Refresh: every t_refi command clocks, no more commands are sent to the open rows, and all banks
 * are precharged as soon as every bank allows it. Rows can be activated again t_rfc later (after
 * t_rp, if a row was open).  A channel without requests catches up on missed refreshes when the
 * next request arrives, as if they had been done in time.
 *
 * Cycles in which no distance expires are skipped: `wake` is the next cycle in which one may.
 * Banks whose own distances have expired are in `due`, by the command they need; the others are in
 * `armed`.
 */
#ifndef BYW_DRAM_H
#define BYW_DRAM_H

#include "sim/memory/byw_memsys_pool.h"

enum { BYW_DRAM_BANKS_MAX = 64 };

enum { BYW_DRAM_FCFS, BYW_DRAM_FRFCFS }; /* dram.scheduler */
enum { BYW_GROUP_HIGH, BYW_GROUP_LOW }; /* dram.group_index */

struct byw_dram_timing {
    uint32_t ccd, ccdl, rrd, rc, rcd, rcdwr, ras, rp, rtw, wtr, wtp, rtp, rtpl, cl, wl, burst, rfc;
};

/* The next command for a bank's request. */
enum byw_dram_command {
    BYW_DRAM_READ,
    BYW_DRAM_WRITE,
    BYW_DRAM_ACTIVATE,
    BYW_DRAM_PRECHARGE,
    BYW_DRAM_COMMANDS
};

struct byw_dram_bank {
    uint64_t row; /* open row, or the last open one */
    uint64_t activate_at, precharge_at, read_at, write_at; /* earliest times allowed by the bank */
    uint64_t armed_until; /* armed bank: when its own distances expire */
    struct byw_fifo waiting; /* requests that wait for the bank, in order of arrival */
    uint32_t request; /* request being served; BYW_NO_PACKET: none */
    uint8_t command; /* enum byw_dram_command, for that request */
    bool open;
};

struct byw_dram {
    struct byw_packet_pool *pool;
    struct byw_mem_stats *stats;
    struct byw_mem_ledger *ledger; /* NULL: commands are not attributed to instructions */
    struct byw_dram_timing t;
    uint32_t banks, groups, queue_limit, return_limit;
    uint32_t refresh_interval; /* 0: none */
    bool in_order; /* FCFS */
    bool dual_bus;
    uint8_t group_of[BYW_DRAM_BANKS_MAX];

    struct byw_dram_bank bank[BYW_DRAM_BANKS_MAX];
    uint64_t group_column_at[BYW_DRAM_BANKS_MAX], group_precharge_at[BYW_DRAM_BANKS_MAX];
    uint64_t column_at, activate_at, read_at, write_at; /* earliest times allowed by the channel */
    uint64_t group_banks[BYW_DRAM_BANKS_MAX]; /* the banks of each group, as a set */
    uint64_t serving, waiting; /* banks with a request; banks with a queue */
    uint64_t due[BYW_DRAM_COMMANDS], armed;
    uint64_t armed_next; /* the earliest armed_until */
    uint64_t refresh_at; /* UINT64_MAX: never */
    uint32_t turn; /* the bank that is examined first */
    uint32_t queued; /* requests not yet handed to a bank */

    struct byw_fifo arrived; /* FCFS: the whole queue */
    struct byw_fifo data; /* all column commands are sent, data are still in flight */
    struct byw_fifo returned;
    uint64_t data_at; /* when the first packet of `data` arrives; UINT64_MAX: there is none */
    uint64_t wake; /* byw_dram_cycle() has no work before this cycle; UINT64_MAX: not before a
                    * push */
};

void byw_dram_init(struct byw_dram *dram, const struct byw_config *config,
                   struct byw_packet_pool *pool, struct byw_mem_stats *stats);

/* Whether the scheduler accepts no more requests. */
static inline bool byw_dram_full(const struct byw_dram *dram)
{
    return dram->queued >= dram->queue_limit;
}

/* Hands the channel a packet with its bank, row and atoms; it is visible in the next cycle. */
void byw_dram_push(struct byw_dram *dram, uint32_t packet, uint64_t now);

/* Command clock cycle `now`.  Packets that return to the L2 end up in `returned`.  A packet that
 * does not (a write-back) is returned to the caller when it is done; otherwise BYW_NO_PACKET. */
uint32_t byw_dram_cycle(struct byw_dram *dram, uint64_t now);

/* Whether the channel holds no packet. */
bool byw_dram_empty(const struct byw_dram *dram);

#endif
