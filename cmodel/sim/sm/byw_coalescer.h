/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_coalescer.h - turns a warp's addresses into memory transactions.
 *
 * coalescer.rule selects what gets one transaction:
 *   fermi   each segment, see below
 *   sector  each 32-byte sector that any active lane accesses (GPGPU-Sim from arch 4.0 on: Maxwell
 *   ...)
 *   line    each cache line that any active lane accesses; the byte mask gives the sectors (GCN)
 *
 * Fermi rule (CUDA C guide, compute capability 2.x; GPGPU-Sim arch 2.0): one transaction for each
 * segment that any active lane accesses.  A segment is 32 bytes for 1-byte accesses, 64 for 2-byte
 * accesses and `coalescer.segment_bytes` for wider ones.  As in GPGPU-Sim, transactions leave in
 * descending address order.  Atomics: lanes that hit the same bytes go into separate transactions.
 */
#ifndef BYW_COALESCER_H
#define BYW_COALESCER_H

#include "common/byw_config.h"
#include "l1d/byw_l1d_ports.h"
#include "trace/byw_inst.h"

enum { BYW_COALESCE_FERMI, BYW_COALESCE_SECTOR, BYW_COALESCE_LINE }; /* coalescer.rule */

enum { BYW_COALESCED_MAX = 192 }; /* 64 lanes, each crossing segments of 32 bytes */

struct byw_coalesced {
    uint64_t line; /* line address: byte address divided by the line size */
    struct byw_byte_mask bytes;
};

/* Writes the transactions of `inst` to out[BYW_COALESCED_MAX], in the order in which they leave.
 * Returns their number; 0 if no lane is active. */
uint32_t byw_coalesce(const struct byw_config *config, const struct byw_inst *inst,
                      const struct byw_cta *cta, struct byw_coalesced *out);

/* The smallest aligned power-of-two part of the line, at least `lowest` bytes, that contains all
 * bytes of the mask: the transaction's size on the crossbar.  Returns the size; *offset: its offset
 * in the line. */
uint32_t byw_mask_extent(const struct byw_byte_mask *bytes, uint32_t lowest, uint32_t *offset);

#endif
