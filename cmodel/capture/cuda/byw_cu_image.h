/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_cu_image.h - the parts of a compiled CUDA module other than its kernels: variables,
 * omitted kernels, and tables that the driver fills in.
 *
 * A shared object exports, in addition to byw_cl_export (byw_cl_code.h):
 *
 *   byw_cu_image   struct byw_cu_image, position independent
 *   byw_cu_table   one address per variable, set by the driver before a kernel runs
 *   byw_cu_hooks   struct byw_cu_hooks; absent if no kernel needs it
 */
#ifndef BYW_CU_IMAGE_H
#define BYW_CU_IMAGE_H

#include <stdint.h>

#define BYW_CU_IMAGE_NAME "byw_cu_image"
#define BYW_CU_TABLE_NAME "byw_cu_table"
#define BYW_CU_HOOKS_NAME "byw_cu_hooks"

struct byw_cu_variable {
    uint32_t name_at; /* offsets from the image's start */
    uint32_t init_at; /* initial bytes; 0: zeros */
    uint64_t size;
    uint32_t align;
    uint32_t constant; /* 1: in constant memory */
    uint32_t external; /* 1: another module may define it */
    /* index of its first address in the image's list, and their number */
    uint32_t first_address, addresses;
    uint32_t pad;
};

/* An address inside a variable's initial value. */
struct byw_cu_address {
    uint64_t offset; /* in the variable */
    int64_t add;
    uint32_t variable; /* the variable whose address it is; UINT32_MAX: none, and `add` is the
                          value */
    uint32_t bytes; /* that are written */
    uint32_t shift; /* bits by which the address is shifted right first */
    uint32_t pad;
};

/* A kernel that byway cannot run. */
struct byw_cu_missing {
    uint32_t name_at, why_at;
};

/* What the driver reports about a kernel. */
struct byw_cu_kernel {
    uint32_t name_at;
    uint32_t index; /* in byw_cl_export, which truncates names; UINT32_MAX: it cannot run */
    uint32_t most_threads; /* .maxntid, 0 none */
    uint32_t cluster[3]; /* .reqnctapercluster, 0 none */
    uint32_t clustered; /* 1: .explicitcluster */
    uint32_t most_blocks; /* .maxclusterrank, 0 none */
    uint32_t params, param_at; /* number and offset of struct byw_cu_param */
    uint64_t number; /* of its address in kernels (byw_ptx_function_number()) */
};

/* Size of a parameter, and its offset in the buffer of all parameters. */
struct byw_cu_param {
    uint32_t size, offset;
};

struct byw_cu_image {
    uint32_t variables, addresses, missing, kernels;
    uint32_t variable_at, address_at, missing_at, kernel_at;
    uint32_t dynamic_align; /* bytes, of dynamic shared memory after the static */
};

/* A call of CUDA's runtime in a kernel: its number (byw_cu_device_calls.def), who calls, arguments;
 * returns its result. */
typedef uint64_t byw_cu_runtime(uint32_t call, uint64_t block, uint64_t thread,
                                const uint64_t *word);

/* device/byw_cu_hooks.h repeats this. */
struct byw_cu_hooks {
    int (*print)(const char *format, const void *args);
    void (*fail)(const char *message, const char *file, unsigned line, const char *function);
    void *(*take)(uint64_t size);
    void (*give)(void *memory);
    uint64_t clock;
    uint32_t shared, dynamic; /* bytes of the launch's shared memory, and of its dynamic part */
    uint64_t workspace; /* of grids whose blocks wait for each other: %envreg1 and %envreg2 */
    uint32_t cluster[3]; /* blocks of a cluster of the launch; 0: it has none */
    void (*overflow)(const char *function, uint64_t depth, uint64_t bytes);
    byw_cu_runtime *runtime;
};

#endif
