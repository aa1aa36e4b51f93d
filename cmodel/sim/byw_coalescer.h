/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_coalescer.h - makes memory transactions of a warp's addresses.
 *
 * By coalescer.rule, one transaction for each of the
 *   fermi   segments below
 *   sector  32-byte sectors that any active lane touches (GPGPU-Sim from arch 4.0 on: Maxwell ...)
 *   line    cache lines that any active lane touches; the byte mask says which sectors (GCN)
 *
 * Fermi rule (CUDA C guide, compute capability 2.x; GPGPU-Sim arch 2.0): one transaction for each
 * segment that any active lane touches; a segment is 32 bytes for 1-byte accesses, 64 for 2-byte
 * and `coalescer.segment_bytes` for wider ones.  Transactions leave in descending address order, as
 * in the reference.  Atomics: lanes that hit the same bytes go into different transactions.
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

/* Transactions of `inst` into out[BYW_COALESCED_MAX], in the order in which they leave.
 * Returns their number; 0 when no lane is active. */
uint32_t byw_coalesce(const struct byw_config *config, const struct byw_inst *inst,
                      const struct byw_cta *cta, struct byw_coalesced *out);

/* The smallest aligned power-of-two piece of the line, `lowest` bytes at least, that holds all
 * bytes of the mask: the transaction's size on the crossbar.  Returns the size; *offset its place
 * in the line. */
uint32_t byw_mask_extent(const struct byw_byte_mask *bytes, uint32_t lowest, uint32_t *offset);

#endif
