/* SPDX-License-Identifier: Apache-2.0
 *
 * gpu_asm_names.h - the names that a program of the soft GPU declares: labels, registers, numbers.
 * Part of gpu_asm.
 */
#ifndef GPU_ASM_NAMES_H
#define GPU_ASM_NAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "softgpu/asm/gpu_asm_text.h"

enum { GPU_NAMES = 4096 }; /* slots of the hash table; at most half are used */

enum gpu_name_kind { GPU_NAME_LABEL, GPU_NAME_REGISTER, GPU_NAME_NUMBER };

struct gpu_name {
    char text[GPU_NAME_MAX + 1]; /* empty if the slot is free */
    enum gpu_name_kind kind;
    uint32_t line; /* line of its declaration, or of its first use */
    bool declared; /* a label may be used before its declaration */
    int64_t value;
};

struct gpu_names {
    uint32_t count;
    struct gpu_name slot[GPU_NAMES];
};

/* Returns the slot of a name, or the free slot for it if the name is unknown. */
struct gpu_name *gpu_names_find(struct gpu_names *names, const char *text);

/* gpu_names_find() that also occupies the slot if it is free.  NULL if there are too many names. */
struct gpu_name *gpu_names_take(struct gpu_names *names, const char *text);

#endif
