/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_access.h - the lines and sectors that one warp access touches.
 *
 * A cache access is a warp instruction of class load, store, atomic, local_load or local_store with
 * at least one active lane.  Its lines (128 bytes) and sectors (32 bytes) are those that contain a
 * byte of any active lane, each counted once.  For accesses of at least 4 bytes per lane the
 * coalescer gives the same, except that colliding atomics need one transaction each.
 */
#ifndef BYW_ACCESS_H
#define BYW_ACCESS_H

#include "trace/byw_inst.h"

#define BYW_TRACE_LINE_BYTES 128
#define BYW_TRACE_SECTOR_BYTES 32

enum { BYW_ACCESS_UNITS = 128 }; /* 64 lanes whose bytes may straddle two units */

struct byw_access {
    uint32_t lanes; /* number of active lanes */
    uint32_t lines, sectors;
    uint64_t line[BYW_ACCESS_UNITS]; /* line numbers: address / 128, in the order of the lanes */
    uint64_t sector[BYW_ACCESS_UNITS];
};

bool byw_access_is_cached(const struct byw_inst *inst);

/* Only for instructions for which byw_access_is_cached() is true. */
void byw_access_of(const struct byw_inst *inst, const struct byw_cta *cta,
                   struct byw_access *access);

#endif
