/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_launch_counts.h - what one launch of a trace asks of the memory, as a profiler counts it.
 *
 * The counts do not depend on a machine.  A sector (byw_access.h) is counted once per warp
 * instruction.  Instructions whose lanes are all predicated off count as instructions and request
 * no sector.
 */
#ifndef BYW_LAUNCH_COUNTS_H
#define BYW_LAUNCH_COUNTS_H

#include "trace/file/byw_trace.h"

struct byw_launch_counts {
    uint64_t warp_instructions, thread_instructions;
    uint64_t instructions[BYW_CLASS_COUNT]; /* warp instructions by class */
    uint64_t sectors[BYW_CLASS_COUNT]; /* sectors of global and local accesses, by class */
};

/* Counts launch number `launch` (from 0) of the trace at `path`.  BYW_EFORMAT: the trace is
 * damaged, or has no such launch. */
enum byw_status byw_launch_counts_read(const char *path, uint32_t launch,
                                       struct byw_launch_counts *counts, struct byw_diag *diag);

#endif
