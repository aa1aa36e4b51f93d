/* SPDX-License-Identifier: Apache-2.0
 *
 * timing_rows.h - the rows of timing_keys.def as a table: which keys have a probe.
 */
#ifndef TIMING_ROWS_H
#define TIMING_ROWS_H

#include <stdbool.h>

#include "common/byw_config.h"

static const struct timing_row {
    size_t offset; /* offset of the key's field in struct byw_config */
    bool probed; /* else the key has no timing */
} timing_row[] = {
#define TIMING_ROW(field, probe) {offsetof(struct byw_config, field), true},
#define TIMING_NO_ROW(name, probe)
#define DRAM TIMING_ROW
#define GPCS TIMING_ROW
#define ICNT TIMING_ROW
#define L1D TIMING_ROW
#define L1D_BOUND TIMING_NO_ROW
#define LEVEL TIMING_ROW
#define MEMSYS TIMING_ROW
#define MEMSYS_BOUND TIMING_NO_ROW
#define POLICY TIMING_ROW
#define SM TIMING_ROW
#define SM_BOUND TIMING_NO_ROW
#define SCHEDULE TIMING_ROW
#define STAGE TIMING_ROW
#define STAGE_BOUND TIMING_NO_ROW
#define WARP TIMING_ROW
#define WARP_BOUND TIMING_NO_ROW
#define NO_TIME(field, why) {offsetof(struct byw_config, field), false},
#include "sim/timing_keys.def"
#undef DRAM
#undef GPCS
#undef ICNT
#undef L1D
#undef L1D_BOUND
#undef LEVEL
#undef MEMSYS
#undef MEMSYS_BOUND
#undef POLICY
#undef SM
#undef SM_BOUND
#undef SCHEDULE
#undef STAGE
#undef STAGE_BOUND
#undef WARP
#undef WARP_BOUND
#undef NO_TIME
};

enum { TIMING_ROWS = sizeof(timing_row) / sizeof(timing_row[0]) };

/* The row of a key, with or without a probe. */
static inline uint32_t timing_rows(size_t offset, bool probed)
{
    uint32_t count = 0;

    for (size_t r = 0; r < TIMING_ROWS; r++)
        count += timing_row[r].offset == offset && timing_row[r].probed == probed;
    return count;
}

#endif
