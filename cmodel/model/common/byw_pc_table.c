/* SPDX-License-Identifier: Apache-2.0 */
#include "common/byw_pc_table.h"

#include <string.h>

void byw_pc_table_configure(struct byw_pc_table *table, const struct byw_config *config)
{
    table->max = (uint8_t)byw_mask64(config->pc_bits);
    table->initial = (uint8_t)config->pc_init;
    table->index_bits = byw_clog2(config->pc_entries);
    table->shift = config->pc_shift;
    table->sample = config->pc_sample;
}

void byw_pc_table_clear(struct byw_pc_table *table)
{
    memset(table->counter, table->initial, sizeof(table->counter));
    table->skipped = 0;
}
