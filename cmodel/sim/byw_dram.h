/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_dram.h - one DRAM channel: banks, command bus, data bus and the request scheduler.
 *
 * FR-FCFS: a bank without a request gets the oldest waiting one to the row it used last, else the
 * oldest to the bank; one request is handed to a bank per cycle, banks taken in turn.  There is no
 * cap on row hits: a request waits as long as hits to the bank's row arrive (dram.queue bounds
 * how many can be there).  FCFS: requests go to their banks strictly in order of arrival;
 * dram.fcfs_queue bounds those that wait.
 *
 * Rows stay open until another is needed.  In a cycle the banks are examined in turn; the first
 * that may send a column command does, and the first before it that may send an activate or a
 * precharge does; with dram.dual_bus the first that may send a row command does, wherever it
 * stands. A request needs a column command per atom (dram.atom_bytes).  Distances in command
 * clocks:
 *
 *   column   -> column           t_ccd, in one bank group t_ccdl
 *   activate -> activate         t_rrd, in one bank t_rc
 *   activate -> read             t_rcd          activate -> write      t_rcd - (t_wl + 1)
 *   activate -> precharge        t_ras          precharge -> activate  t_rp
 *   read     -> write            t_cl + burst + 2 - t_wl
 *   write    -> read             t_wl + burst + t_cdlr
 *   write    -> precharge        t_wl + burst + t_wr, in the bank
 *   read     -> precharge        burst in the bank, t_rtpl in the bank group
 *   read     -> packet returned  t_cl           write -> packet returned  t_wl
 *
 * `burst` is dram.burst_cycles.  dram.group_index says which banks are a group.  With
 * dram.group_timing = off, t_ccd holds everywhere and t_rtpl in the bank only.
 *
 * Refresh: every t_refi command clocks no more commands are sent to the open rows, all banks are
 * precharged as soon as the last one may be, and t_rfc (after t_rp, if a row was open) later rows
 * may be activated again.  What a channel without requests has missed it makes up for when the next
 * one comes, as if it had been done in time.
 *
 * Nothing is examined in cycles in which no distance runs out: `wake` says when the next one may.
 * Banks whose own distances have run out are in `due` by the command they need; the others in
 * `armed`.
 */
#ifndef BYW_DRAM_H
#define BYW_DRAM_H

#include "sim/byw_memsys_pool.h"

enum { BYW_DRAM_BANKS_MAX = 64 };

enum { BYW_DRAM_FCFS, BYW_DRAM_FRFCFS }; /* dram.scheduler */
enum { BYW_GROUP_HIGH, BYW_GROUP_LOW }; /* dram.group_index */

struct byw_dram_timing {
    uint32_t ccd, ccdl, rrd, rc, rcd, rcdwr, ras, rp, rtw, wtr, wtp, rtp, rtpl, cl, wl, burst, rfc;
};

/* What a bank's request needs next. */
enum byw_dram_command {
    BYW_DRAM_READ,
    BYW_DRAM_WRITE,
    BYW_DRAM_ACTIVATE,
    BYW_DRAM_PRECHARGE,
    BYW_DRAM_COMMANDS
};

struct byw_dram_bank {
    uint64_t row; /* open, or the last that was */
    uint64_t activate_at, precharge_at, read_at, write_at; /* earliest times, bank's own reasons */
    uint64_t armed_until; /* of an armed bank: when its own distances have run out */
    struct byw_fifo waiting; /* in order of arrival */
    uint32_t request; /* being served; BYW_NO_PACKET: none */
    uint8_t command; /* enum byw_dram_command, for that request */
    bool open;
};

struct byw_dram {
    struct byw_packet_pool *pool;
    struct byw_mem_stats *stats;
    struct byw_mem_ledger *ledger; /* NULL: nobody asks whose its commands are */
    struct byw_dram_timing t;
    uint32_t banks, groups, queue_limit, return_limit;
    uint32_t refresh_interval; /* 0: none */
    bool in_order; /* FCFS */
    bool dual_bus;
    uint8_t group_of[BYW_DRAM_BANKS_MAX];

    struct byw_dram_bank bank[BYW_DRAM_BANKS_MAX];
    uint64_t group_column_at[BYW_DRAM_BANKS_MAX], group_precharge_at[BYW_DRAM_BANKS_MAX];
    uint64_t column_at, activate_at, read_at, write_at; /* earliest times, channel's reasons */
    uint64_t group_banks[BYW_DRAM_BANKS_MAX]; /* the banks of a group, as a set */
    uint64_t serving, waiting; /* banks with a request, with a queue */
    uint64_t due[BYW_DRAM_COMMANDS], armed;
    uint64_t armed_next; /* the earliest armed_until */
    uint64_t refresh_at; /* UINT64_MAX: never */
    uint32_t turn; /* the bank examined first */
    uint32_t queued; /* requests not yet handed to a bank */

    struct byw_fifo arrived; /* FCFS: the whole queue */
    struct byw_fifo data; /* all column commands sent, data under way */
    struct byw_fifo returned;
    uint64_t data_at; /* when the first of `data` has arrived; UINT64_MAX: there is none */
    uint64_t wake; /* nothing happens in byw_dram_cycle() before; UINT64_MAX: not before a push */
};

void byw_dram_init(struct byw_dram *dram, const struct byw_config *config,
                   struct byw_packet_pool *pool, struct byw_mem_stats *stats);

/* Whether the scheduler takes no more requests. */
static inline bool byw_dram_full(const struct byw_dram *dram)
{
    return dram->queued >= dram->queue_limit;
}

/* Gives the channel a packet with its bank, row and atoms; it is seen in the next cycle. */
void byw_dram_push(struct byw_dram *dram, uint32_t packet, uint64_t now);

/* One command clock cycle, the now-th.  Packets that come back to the L2 end up in `returned`; one
 * that does not (a write-back) is handed to the caller when it is done, else BYW_NO_PACKET. */
uint32_t byw_dram_cycle(struct byw_dram *dram, uint64_t now);

/* No packet is inside. */
bool byw_dram_empty(const struct byw_dram *dram);

#endif
