/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_pc_table.h - the table of a PC-based predictor: saturating counters by a hash of the PC, and
 * the sampling of loads predicted dead (paper 002; MECHANISMS 5.1).
 *
 * The predictors of the L1 (policy/byw_pc_pred.h) and of an L2 slice (l2/byw_l2_pc_bypass.h) are
 * built around one each.  Keys pc.entries, bits, initial, shift and sample.
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
    uint32_t shift; /* PC bits below the hash */
    uint32_t sample; /* 0: no sampling */
    uint32_t skipped; /* dead loads since the last one kept by sampling */
    uint8_t counter[BYW_PC_TABLE_MAX];
};

/* New settings; the counters stay. */
void byw_pc_table_configure(struct byw_pc_table *table, const struct byw_config *config);

/* Reset. */
void byw_pc_table_clear(struct byw_pc_table *table);

/* Three fields of index_bits PC bits from `shift` on, folded by exclusive or. */
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

/* Whether sampling keeps the dead load that asks. */
static inline bool byw_pc_table_samples(const struct byw_pc_table *table)
{
    return table->sample != 0 && table->skipped + 1 >= table->sample;
}

/* A dead load is accepted; sampled: it was kept. */
static inline void byw_pc_table_accept(struct byw_pc_table *table, bool sampled)
{
    if (table->sample != 0)
        table->skipped = sampled ? 0 : table->skipped + 1;
}

#endif
