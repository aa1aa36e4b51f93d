/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_pc_table.h - the table of a PC-based predictor: saturating counters indexed by a hash of the
 * PC, and sampling of loads predicted dead (paper 002; mechanisms/pc_pred.md 5.1).
 *
 * The predictors of the L1 (policy/byw_pc_pred.h) and of an L2 slice (l2/byw_l2_pc_bypass.h) each
 * contain one table.  Keys pc.entries, bits, initial, shift and sample.
 */
#ifndef BYW_PC_TABLE_H
#define BYW_PC_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/byw_bits.h"
#include "common/byw_config.h"

enum { BYW_PC_TABLE_MAX = 1024 };

struct byw_pc_table {
    uint8_t max; /* counters saturate here */
    uint8_t initial;
    uint32_t index_bits; /* log2 of the entries */
    uint32_t shift; /* number of lowest PC bits that are not hashed */
    uint32_t sample; /* 0: no sampling */
    uint32_t skipped; /* dead loads bypassed since sampling last kept one */
    uint8_t counter[BYW_PC_TABLE_MAX];
};

/* Applies new settings and keeps the counters. */
void byw_pc_table_configure(struct byw_pc_table *table, const struct byw_config *config);

/* Sets all counters to pc.initial. */
void byw_pc_table_clear(struct byw_pc_table *table);

/* XOR of three fields of index_bits PC bits, the first at bit `shift`. */
static inline uint16_t byw_pc_table_hash(const struct byw_pc_table *table, uint32_t pc)
{
    uint64_t bits = (uint64_t)pc >> table->shift;
    uint32_t n = table->index_bits;

    return (uint16_t)((bits ^ bits >> n ^ bits >> 2 * n) & byw_mask64(n));
}

static inline void byw_pc_table_more(struct byw_pc_table *table, uint16_t hash)
{
    if (table->counter[hash] < table->max)
        table->counter[hash]++;
}

static inline void byw_pc_table_less(struct byw_pc_table *table, uint16_t hash)
{
    if (table->counter[hash] > 0)
        table->counter[hash]--;
}

/* Whether sampling caches the next load predicted dead. */
static inline bool byw_pc_table_samples(const struct byw_pc_table *table)
{
    return table->sample != 0 && table->skipped + 1 >= table->sample;
}

/* Call when a load predicted dead is accepted. sampled: the load was cached. */
static inline void byw_pc_table_accept(struct byw_pc_table *table, bool sampled)
{
    if (table->sample != 0)
        table->skipped = sampled ? 0 : table->skipped + 1;
}

#endif
