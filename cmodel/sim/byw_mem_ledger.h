/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_mem_ledger.h - what each instruction costs below the L1s: flits, L2 accesses and DRAM
 * commands, by the PC that its requests carry.
 *
 * The memory side writes into it where it counts (sim/byw_memsys.h: byw_memsys_account()), the sum
 * of all entries is what it counts itself.  It changes no result; without one each place takes a
 * single test.
 *
 * An entry belongs to a PC, with the SMs' offset that gives each kernel its own.  What no
 * instruction asked for is in byw_mem_ledger_rest(): instruction fetches, and dirty lines that L1s
 * write back.  A dirty line that the L2 sends is its last writer's, in units of 32 bytes, whatever
 * pushed it out, in DRAM; its access to the L2's array is of the request that pushed it out, or of
 * nobody (a flush, a rinse).
 */
#ifndef BYW_MEM_LEDGER_H
#define BYW_MEM_LEDGER_H

#include "sim/byw_memsys.h"

/* Counters as of struct byw_mem_stats. */
struct byw_mem_use {
    uint64_t req_flits, rsp_flits;
    struct byw_level_stats l2;
    uint64_t dram_reads, dram_writes, dram_row_hits, dram_activates;
};

struct byw_mem_entry {
    uint32_t pc;
    uint8_t kind; /* BYW_TXN_READ, _WRITE or _ATOMIC: what its instruction does */
    struct byw_mem_use use;
};

struct byw_mem_ledger;

struct byw_mem_ledger *byw_mem_ledger_create(void); /* NULL: no memory */
void byw_mem_ledger_free(struct byw_mem_ledger *ledger); /* NULL is allowed */

/* In the order of their first requests. */
size_t byw_mem_ledger_count(const struct byw_mem_ledger *ledger);
const struct byw_mem_entry *byw_mem_ledger_entry(const struct byw_mem_ledger *ledger, size_t i);
const struct byw_mem_use *byw_mem_ledger_rest(const struct byw_mem_ledger *ledger);

/* Memory was short: the ledger is not whole. */
bool byw_mem_ledger_lost(const struct byw_mem_ledger *ledger);

/* --- the memory side ---------------------------------------------------------------------- */

/* Whose a transaction is; holds until the next call. */
struct byw_mem_use *byw_mem_ledger_of(struct byw_mem_ledger *ledger, const struct byw_txn *txn);

/* An L2 slice served a transaction, between two states of its counters. */
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
