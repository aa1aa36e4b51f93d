/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_mem_ledger.h - the cost of each instruction below the L1s: flits, L2 accesses and DRAM
 * commands, by the PC that its requests carry.
 *
 * The memory side updates it together with its counters (sim/memory/byw_memsys.h:
 * byw_memsys_account()); the sum of all entries equals the memory side's own counters.  It does
 * not change the result; without a ledger each update costs a single test.
 *
 * An entry belongs to a PC, including the offset by which SMs give each kernel its own PCs.  Costs
 * without an instruction are in byw_mem_ledger_rest(): instruction fetches, and dirty lines written
 * back by L1s.  The DRAM cost of a dirty line written back by the L2 belongs to its last writer, in
 * units of 32 bytes, whatever evicted it.  Its access to the L2's array belongs to the request that
 * evicted it, or to none (a flush, a rinse).
 */
#ifndef BYW_MEM_LEDGER_H
#define BYW_MEM_LEDGER_H

#include "sim/memory/byw_memsys.h"

/* Counters as of struct byw_mem_stats. */
struct byw_mem_use {
    uint64_t req_flits, rsp_flits;
    struct byw_level_stats l2;
    uint64_t dram_reads, dram_writes, dram_row_hits, dram_activates;
};

struct byw_mem_entry {
    uint32_t pc;
    uint8_t kind; /* BYW_TXN_READ, _WRITE or _ATOMIC: the kind of its instruction */
    struct byw_mem_use use;
};

struct byw_mem_ledger;

struct byw_mem_ledger *byw_mem_ledger_create(void); /* NULL: out of memory */
void byw_mem_ledger_free(struct byw_mem_ledger *ledger); /* accepts NULL */

/* Entries are in the order of their first requests. */
size_t byw_mem_ledger_count(const struct byw_mem_ledger *ledger);
const struct byw_mem_entry *byw_mem_ledger_entry(const struct byw_mem_ledger *ledger, size_t i);
const struct byw_mem_use *byw_mem_ledger_rest(const struct byw_mem_ledger *ledger);

/* Whether memory ran out, so that the ledger is incomplete. */
bool byw_mem_ledger_lost(const struct byw_mem_ledger *ledger);

/* --- the memory side ---------------------------------------------------------------------- */

/* The costs to which a transaction is charged; valid until the next call. */
struct byw_mem_use *byw_mem_ledger_of(struct byw_mem_ledger *ledger, const struct byw_txn *txn);

/* An L2 slice served a transaction; its counters before and after. */
void byw_mem_ledger_served(struct byw_mem_ledger *ledger, const struct byw_txn *txn,
                           const struct byw_level_stats *before,
                           const struct byw_level_stats *after);

/* DRAM atoms of a transaction are read or written. */
static inline void byw_mem_ledger_atoms(struct byw_mem_ledger *ledger, const struct byw_txn *txn,
                                        bool write, uint32_t atoms)
{
    struct byw_mem_use *use = byw_mem_ledger_of(ledger, txn);

    use->dram_reads += write ? 0 : atoms;
    use->dram_writes += write ? atoms : 0;
}

#endif
