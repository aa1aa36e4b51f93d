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

enum { GPU_NAMES = 4096 }; /* slots; half as many names */

enum gpu_name_kind { GPU_NAME_LABEL, GPU_NAME_REGISTER, GPU_NAME_NUMBER };

struct gpu_name {
    char text[GPU_NAME_MAX + 1]; /* empty: a free slot */
    enum gpu_name_kind kind;
    uint32_t line; /* where it is declared, or used first */
    bool declared; /* a label may be used before */
    int64_t value;
};

struct gpu_names {
    uint32_t count;
    struct gpu_name slot[GPU_NAMES];
};

/* The slot of a name, a free one if there is none such. */
struct gpu_name *gpu_names_find(struct gpu_names *names, const char *text);

/* The same; a free one is taken.  NULL when there are too many. */
struct gpu_name *gpu_names_take(struct gpu_names *names, const char *text);

#endif
