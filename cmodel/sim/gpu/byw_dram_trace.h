/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_dram_trace.h - exports the DRAM requests of a simulated run for DRAM simulators.
 *
 *   ramulator  Ramulator 2's LoadStoreTrace: "LD 0x40" or "ST 0x40", one request per line, no time
 *   dramsim    DRAMsim3's trace: "0x40 READ 17" or "0x40 WRITE 17"; 17 is the DRAM clock cycle in
 *              which the request reached the memory controller, never descending
 *
 * A request of several dram.atom_bytes becomes one line per atom, lowest address first, so that a
 * line is one burst.  Addresses are those of the trace.  The cycles include this simulator's
 * back-pressure: a controller here accepts a request only if it has room.
 */
#ifndef BYW_DRAM_TRACE_H
#define BYW_DRAM_TRACE_H

#include "sim/gpu/byw_gpu.h"

/* Format names, NULL-terminated. */
const char *const *byw_dram_trace_formats(void);

struct byw_dram_trace_options {
    const struct byw_config *config;
    void (*progress)(void *ctx, uint64_t cycles, uint64_t warp_instructions, uint32_t launches);
    void *progress_ctx;
    const volatile sig_atomic_t *stop; /* NULL, or: a non-zero value stops the run */
};

/* Simulates the trace `from` and writes the requests to the file `to`, which appears complete or
 * not at all.  BYW_ENOENT: unknown format.  BYW_EINVAL: stopped.  Other errors as for byw_gpu_run()
 * and byw_file_commit(). */
enum byw_status byw_dram_trace_write(const char *from, const char *to, const char *format,
                                     const struct byw_dram_trace_options *options,
                                     struct byw_diag *diag);

#endif
