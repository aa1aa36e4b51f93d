/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/memory/byw_l2_recent.h"

#include <stdlib.h>
#include <string.h>

enum { SECTOR_LOG2 = 5, LINE_LOG2 = 7 };

enum byw_status byw_l2_recent_init(struct byw_l2_recent *recent, uint32_t cycles, uint32_t merges)
{
    *recent = (struct byw_l2_recent){.cycles = cycles, .merges = merges};
    if (cycles == 0)
        return BYW_OK;
    recent->line = calloc(BYW_RECENT_LINES, sizeof(*recent->line));
    return recent->line != NULL ? BYW_OK : BYW_ENOMEM;
}

void byw_l2_recent_free(struct byw_l2_recent *recent)
{
    free(recent->line);
    recent->line = NULL;
}

uint32_t byw_l2_recent_read(struct byw_l2_recent *recent, uint64_t addr, uint32_t bytes,
                            uint64_t now)
{
    uint64_t number = addr >> LINE_LOG2;
    struct byw_recent_line *line =
        &recent->line[(number ^ number >> 8 ^ number >> 16) % BYW_RECENT_LINES];
    uint32_t first = (uint32_t)(addr >> SECTOR_LOG2) % BYW_RECENT_SECTORS, coalesced = 0;

    if (line->line != number + 1)
        *line = (struct byw_recent_line){.line = number + 1};
    for (uint32_t s = first; s < first + (bytes >> SECTOR_LOG2) && s < BYW_RECENT_SECTORS; s++) {
        if (line->since[s] != 0 && now + 1 - line->since[s] < recent->cycles &&
            line->merged[s] < recent->merges) {
            line->merged[s]++;
            coalesced++;
        } else {
            line->since[s] = now + 1;
            line->merged[s] = 0;
        }
    }
    return coalesced;
}
