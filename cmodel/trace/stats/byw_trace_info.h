/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_trace_info.h - the contents of a trace, found in one pass over it, for `byway trace info` and
 * `check`.
 *
 * Cache accesses, their lines (128 bytes) and sectors (32 bytes) are defined in byw_access.h.  The
 * footprint is the number of distinct lines in the whole trace.
 *
 * Reuse is counted in each SM's own stream of line references (byw_sm_stream.h defines its CTAs and
 * their order) and summed over the SMs.  It continues from launch to launch, because launches do
 * not clear the L1s here.
 *
 * Memory grows with the footprint (16 bytes per line), the distinct lines of each SM (up to 100
 * bytes per line), and the number of launches and static accesses.  byw_sm_stream.h adds at most 64
 * MB and the needs of one CTA.  Memory does not grow with the number of accesses.
 */
#ifndef BYW_TRACE_INFO_H
#define BYW_TRACE_INFO_H

#include <stdio.h>

#include "trace/file/byw_trace.h"
#include "trace/stats/byw_reuse.h"
#include "trace/stats/byw_sites.h"
#include "trace/stats/byw_sm_stream.h"

struct byw_trace_counts {
    uint64_t ctas, warps;
    uint64_t warp_instructions, thread_instructions;
    uint64_t mix[BYW_CLASS_COUNT]; /* warp instructions by class */
    uint64_t accesses; /* cache accesses */
    uint64_t lanes; /* active lanes, summed over the accesses */
    uint64_t lines, sectors; /* summed over the accesses */
    uint64_t shared_accesses; /* scratchpad accesses */
    uint64_t shared_passes; /* sum of their conflict degrees */
};

struct byw_trace_launch {
    struct byw_kernel kernel; /* site and the like are NULL */
    struct byw_trace_counts counts;
    uint32_t machine; /* instructions of its machine code; 0: it has none */
    char machine_why[256]; /* why not; empty: it was not asked for */
    uint64_t walks[BYW_PATH_WHYS]; /* warps by enum byw_path_why */
};

struct byw_trace_info {
    char path[1024]; /* truncated if longer */
    char format[16];
    struct byw_trace_note note;
    uint32_t kernels; /* number of distinct kernel codes */
    uint32_t launch_count;
    size_t launch_room;
    struct byw_trace_launch *launch;
    struct byw_trace_counts total;
    uint64_t footprint_lines;
    struct byw_sm_stream_options streams; /* stream options as requested */
    struct byw_reuse_counts reuse; /* reuse summed over all SMs */
    struct byw_sites sites; /* counts of each static memory access, sorted */
};

/* Reads the whole trace.  `streams` = NULL leaves `reuse` 0 and saves much of the time.  On success
 * call _release on the result.  BYW_EINVAL: `streams` is out of range. */
enum byw_status byw_trace_info_read(const char *path, const struct byw_sm_stream_options *streams,
                                    struct byw_trace_info *info, struct byw_diag *diag);
void byw_trace_info_release(struct byw_trace_info *info);

/* Bytes of the trace's files per access (cache and scratchpad); 0 without accesses. */
double byw_trace_info_bytes_per_access(const struct byw_trace_info *info);

/* What the lists show; the sums are always of the whole trace. */
struct byw_trace_shown {
    uint32_t rows; /* launches beyond these are summed in a last line; 0: all rows */
    const struct byw_launch_ranges *launches; /* NULL: all */
    const struct byw_kernel_pick *kernels; /* NULL: all */
};
/* Whether the lists show a launch. */
bool byw_shows_launch(const struct byw_trace_shown *shown, const struct byw_kernel *kernel);

/* Prints text. */
void byw_trace_info_print(const struct byw_trace_info *info, const struct byw_trace_shown *shown,
                          FILE *out);
/* Prints the static accesses of the kernels as a table. */
void byw_trace_info_print_sites(const struct byw_trace_info *info,
                                const struct byw_trace_shown *shown, FILE *out);
/* Writes everything as JSON; `rows` is ignored.  BYW_ENOMEM, or BYW_EIO if `out` cannot be
 * written. */
enum byw_status byw_trace_info_json(const struct byw_trace_info *info,
                                    const struct byw_trace_shown *shown, FILE *out);

/* Reads everything and checks what can be checked (checksums, record rules, totals).  Fills in
 * `total` unless NULL. */
enum byw_status byw_trace_check(const char *path, struct byw_trace_counts *total,
                                struct byw_diag *diag);

#endif
