/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_cu_compile.h - from PTX to a loaded shared object.
 *
 * PTX is turned into LLVM IR (byw_ptx_gen.h), instrumented like OpenCL C's, compiled for the host,
 * and kept in the cache of compiled kernels (byw_cl_compile.h).
 */
#ifndef BYW_CU_COMPILE_H
#define BYW_CU_COMPILE_H

#include <stdbool.h>
#include <stddef.h>

#include "capture/compile/byw_cl_compile.h"
#include "capture/cuda/byw_cu_image.h"
#include "common/byw_status.h"

struct byw_cu_binary {
    struct byw_cl_binary *binary;
    const struct byw_cu_image *image;
    uint64_t *table; /* byw_cu_table */
    struct byw_cu_hooks *hooks; /* NULL: none needed */
};

/* kernel: the kernel to compile; NULL: all; "": none, only the image, which lists the names of all.
 * BYW_EFORMAT: not PTX; diag names the line. Kernels that cannot run are listed in the image. */
enum byw_status byw_cu_compile(const char *text, size_t length, const char *kernel, bool traced,
                               struct byw_cu_binary *binary, struct byw_diag *diag);
/* Sets the limit of a thread's stack in bytes, for recursive functions. Kernels that are compiled
 * later have that much, but at least 64 KB. False: more than a GPU offers. */
bool byw_cu_set_stack(size_t bytes);
size_t byw_cu_stack(void);

void byw_cu_binary_free(struct byw_cu_binary *binary);

#endif
