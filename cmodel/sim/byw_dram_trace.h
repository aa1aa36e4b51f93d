/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_dram_trace.h - what the L2 asks of DRAM in a simulated run, for DRAM simulators.
 *
 *   ramulator  Ramulator 2's LoadStoreTrace: "LD 0x40" or "ST 0x40", one request per line, no time
 *   dramsim    DRAMsim3's trace: "0x40 READ 17" or "0x40 WRITE 17", the cycle of the DRAM clock at
 *              which the request reached the memory controller, never descending
 *
 * A request of several dram.atom_bytes becomes as many lines, lowest address first, so that a line
 * is one burst.  Addresses are the trace's.  The cycles contain this simulator's back-pressure: a
 * controller here takes a request only when it has room.
 */
#ifndef BYW_DRAM_TRACE_H
#define BYW_DRAM_TRACE_H

#include "sim/byw_gpu.h"

/* Format names, NULL at the end. */
const char *const *byw_dram_trace_formats(void);

struct byw_dram_trace_options {
    const struct byw_config *config;
    void (*progress)(void *ctx, uint64_t cycles, uint64_t warp_instructions, uint32_t launches);
    void *progress_ctx;
    const volatile sig_atomic_t *stop; /* NULL, or: non-zero gives the run up */
};

/* Runs the trace `from` and writes the requests to the file `to`, which appears whole or not at
 * all. BYW_ENOENT: no such format.  BYW_EINVAL: stopped.  The others are those of byw_gpu_run() and
 * byw_file_commit(). */
enum byw_status byw_dram_trace_write(const char *from, const char *to, const char *format,
                                     const struct byw_dram_trace_options *options,
                                     struct byw_diag *diag);

#endif
