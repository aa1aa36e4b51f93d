/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_stall_book.h - what the machine instructions of each kernel of a run waited for, summed over
 * its launches and SMs (sim/sm/byw_stalls.h).
 *
 * Launches without machine code are listed, too, with `machine.count` 0.
 */
#ifndef BYW_STALL_BOOK_H
#define BYW_STALL_BOOK_H

#include "common/byw_config.h"
#include "sim/gpu/byw_gpu.h"
#include "sim/sm/byw_stalls.h"
#include "trace/byw_inst.h"
#include "trace/byw_kernel_name.h"

/* What limits the CTAs that an SM holds at once. */
enum byw_limit {
    BYW_LIMIT_CTAS,
    BYW_LIMIT_WARPS,
    BYW_LIMIT_REGISTERS,
    BYW_LIMIT_SHARED,
    BYW_LIMIT_GRID, /* the grid gives each SM fewer */
};

struct byw_stall_kernel {
    char name[BYW_KERNEL_NAME_ROOM];
    uint32_t code; /* identifies the kernel's code */
    uint32_t first; /* number of its first launch in the trace */
    uint32_t launches;
    uint64_t cycles, warp_instructions, machine_instructions; /* summed over all launches */
    /* values of the first launch */
    uint32_t grid[3], block[3], warp_size, shared_bytes, registers;
    uint32_t ctas; /* CTAs of the kernel that an SM holds at once */
    uint32_t warps_most; /* warps that an SM can hold at once, of any kernel */
    enum byw_limit limit;
    struct byw_machine machine; /* this copy owns its instructions */
    struct byw_stall_sums sums;
};

struct byw_stall_book;

struct byw_stall_book *byw_stall_book_create(void); /* NULL: out of memory */
void byw_stall_book_free(struct byw_stall_book *book); /* accepts NULL */

/* _launch: books a launch that has ended with these counters. _sm: adds the counts of one of its
 * SMs. If memory runs out, the kernel's `lost` is set; BYW_ENOMEM: not even the kernel could be
 * added. */
enum byw_status byw_stall_book_launch(struct byw_stall_book *book, const struct byw_config *config,
                                      const struct byw_kernel *kernel,
                                      const struct byw_gpu_kernel *counters);
void byw_stall_book_sm(struct byw_stall_book *book, const struct byw_stall_sums *sums);

/* Kernels in the order of their first launches. */
size_t byw_stall_book_count(const struct byw_stall_book *book);
const struct byw_stall_kernel *byw_stall_book_kernel(const struct byw_stall_book *book, size_t i);
const char *byw_limit_name(enum byw_limit limit);

#endif
