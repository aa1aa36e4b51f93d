/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_trace_info.h - what a trace holds: one pass over it, for `byway trace info` and `check`.
 *
 * Cache accesses are the warp instructions of classes load, store, atomic, local_load and
 * local_store that have at least one active lane; their lines (128 bytes) and sectors (32 bytes)
 * are those that the lanes' bytes touch, distinct per access.  The footprint is the number of
 * distinct lines in the whole trace.  Memory grows with the footprint (16 bytes per line) and the
 * number of launches.
 */
#ifndef BYW_TRACE_INFO_H
#define BYW_TRACE_INFO_H

#include <stdio.h>

#include "trace/byw_trace.h"

#define BYW_TRACE_LINE_BYTES 128
#define BYW_TRACE_SECTOR_BYTES 32

struct byw_trace_counts {
    uint64_t ctas, warps;
    uint64_t warp_instructions, thread_instructions;
    uint64_t mix[BYW_CLASS_COUNT]; /* warp instructions by class */
    uint64_t accesses; /* cache accesses */
    uint64_t lanes; /* active lanes of them, summed */
    uint64_t lines, sectors; /* of each access, summed */
    uint64_t shared_accesses; /* scratchpad accesses */
    uint64_t shared_passes; /* their conflict degrees, summed */
};

struct byw_trace_launch {
    struct byw_kernel kernel; /* site is NULL */
    struct byw_trace_counts counts;
};

struct byw_trace_info {
    char path[1024]; /* cut if longer */
    char format[16];
    struct byw_trace_note note;
    uint32_t kernels; /* distinct codes */
    uint32_t launch_count, launch_room;
    struct byw_trace_launch *launch;
    struct byw_trace_counts total;
    uint64_t footprint_lines;
};

/* Reads the whole trace.  On success release the result with _release. */
enum byw_status byw_trace_info_read(const char *path, struct byw_trace_info *info,
                                    struct byw_diag *diag);
void byw_trace_info_release(struct byw_trace_info *info);

/* Bytes of the trace's files per access (cache and scratchpad); 0 without accesses. */
double byw_trace_info_bytes_per_access(const struct byw_trace_info *info);

/* Text for people; launches beyond `rows` are summed up in a last line (0: all rows). */
void byw_trace_info_print(const struct byw_trace_info *info, uint32_t rows, FILE *out);
/* The same as JSON, all launches.  BYW_ENOMEM, or BYW_EIO when `out` refuses it. */
enum byw_status byw_trace_info_json(const struct byw_trace_info *info, FILE *out);

/* Reads everything and checks what can be checked (checksums, record rules, totals).  Fills
 * `total` unless NULL. */
enum byw_status byw_trace_check(const char *path, struct byw_trace_counts *total,
                                struct byw_diag *diag);

#endif
