/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_cu_hooks.h - what the driver fills in once kernels are loaded (../byw_cu_image.h repeats it).
 */
#ifndef BYW_CU_HOOKS_H
#define BYW_CU_HOOKS_H

#include "byw_cu_arithmetic.h"

extern struct byw_cu_hooks {
    int (*print)(const char *format, const void *args);
    void (*fail)(const char *message, const char *file, unsigned line, const char *function);
    void *(*take)(u64 size);
    void (*give)(void *memory);
    u64 clock;
    u32 shared, dynamic;
    u64 workspace;
    u32 cluster[3];
    void (*overflow)(const char *function, u64 depth, u64 bytes);
    u64 (*runtime)(u32 call, u64 block, u64 thread, const u64 *word);
} byw_cu_hooks;

#endif
