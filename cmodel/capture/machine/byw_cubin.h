/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_cubin.h - the machine code of a cubin, NVIDIA's ELF file of GPU code, as tables of numbers.
 *
 * Reads what the assembler writes for compute capability 8.0 to 9.0.  The file may be damaged: what
 * cannot be read is refused with BYW_EFORMAT.  Needs libelf; without it, BYW_EUNSUPPORTED.
 */
#ifndef BYW_CUBIN_H
#define BYW_CUBIN_H

#include <stdbool.h>
#include <stddef.h>

#include "common/byw_status.h"
#include "trace/byw_machine.h"

/* One section of code: a kernel followed by the functions that the assembler appended to it, or a
 * function in a section of its own. */
struct byw_cubin_code {
    char *name;
    bool kernel;
    struct byw_machine machine; /* inst[].source is 0 */
    uint32_t first_unknown; /* number of the first unknown opcode; only if machine.unknown > 0 */
};

struct byw_cubin {
    uint32_t count;
    struct byw_cubin_code *code; /* in the order of the file */
};

enum byw_status byw_cubin_read(const void *file, size_t size, struct byw_cubin *cubin,
                               struct byw_diag *diag);
void byw_cubin_free(struct byw_cubin *cubin);

/* A kernel by name; NULL: the file has none. */
struct byw_cubin_code *byw_cubin_kernel(const struct byw_cubin *cubin, const char *name);

#endif
