/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_trace_bwt_machine.h - machine code in BWT files of version 3: a launch's table, and the walks
 * of a block's warps (FORMAT.md).
 */
#ifndef BYW_TRACE_BWT_MACHINE_H
#define BYW_TRACE_BWT_MACHINE_H

#include "trace/bwt/byw_trace_bwt.h"
#include "trace/bwt/byw_trace_bwt_pack.h"
#include "trace/bwt/byw_trace_bwt_unpack.h"
#include "trace/byw_machine.h"

#define BYW_BWT_MACHINE_MAX (1u << 20) /* instructions kept, over all tables of a file */
#define BYW_BWT_WHY_MAX 255u /* bytes of the reason why there is no machine code */

/* A table in memory; each part has its own allocation. */
struct byw_bwt_machine {
    struct byw_machine machine;
    struct byw_machine_inst *inst;
    uint32_t *number; /* numbers of the sites' PTX instructions */
    uint32_t numbers;
};
void byw_bwt_machine_release(struct byw_bwt_machine *machine);

/* The bytes of a launch's table. */
void byw_bwt_machine_put(struct byw_bytes *out, const struct byw_kernel *kernel);
/* most: limit on the number of instructions. BYW_EFORMAT, BYW_ENOMEM. */
enum byw_status byw_bwt_machine_read(struct byw_cursor *c, uint32_t most,
                                     struct byw_bwt_machine *machine);

/* Adds the walks of a CTA's warps to the columns; false if out of memory. */
bool byw_bwt_pack_paths(struct byw_bwt_pack *pack, const struct byw_cta *cta);
/* NULL or the fault in a CTA's walks. */
const char *byw_bwt_paths_fault(const struct byw_cta *cta, uint32_t warp_size);

/* Reads the walks of a block. Returns NULL or the fault; *no_memory: memory ran out. */
const char *byw_bwt_unpack_paths(struct byw_bwt_unpack *u, bool *no_memory);
/* Reads the walks of the last warp of a CTA. BYW_EFORMAT, BYW_ENOMEM. */
enum byw_status byw_bwt_unpack_lanes(struct byw_bwt_unpack *u, struct byw_cta *cta);

#endif
