/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_cu_job.h - state of compiling one PTX module to host code; private to byw_cu_*.c.
 */
#ifndef BYW_CU_JOB_H
#define BYW_CU_JOB_H

#include "capture/compile/byw_cl_transform.h"
#include "capture/cuda/byw_ptx.h"
#include "capture/cuda/byw_ptx_gen.h"
#include "capture/machine/byw_cubin.h"

struct byw_cu_left {
    const char *name;
    char why[256];
};

struct byw_cu_job {
    struct byw_cl_module m; /* first: the hooks get its address */
    struct byw_ptx_module ptx;
    LLVMModuleRef warp, arithmetic;
    struct byw_cu_left *left; /* kernels that cannot run */
    uint32_t lefts;
    size_t left_room;
    bool opencl; /* the PTX is clang's, of OpenCL C */
    struct byw_ptx_marks marks;
    struct byw_cl_marks *unit_marks; /* of m.unit */
    struct byw_cubin machines;
    char why[256]; /* why there is no machine code */
};

/* Generates the IR of job->ptx. */
enum byw_status byw_cu_generate(struct byw_cu_job *job, struct byw_diag *diag);
void byw_cu_job_release(struct byw_cu_job *job);

/* Reads the warp and arithmetic libraries, whose bitcode is embedded in this library. */
enum byw_status byw_cu_libraries(struct byw_cu_job *job, struct byw_diag *diag);

/* Prepares the generated IR for the scan: inlines the warp library and functions, turns
 * addresses into pointers, and removes kernels that cannot run. BYW_EUNSUPPORTED: no kernel
 * remains. */
enum byw_status byw_cu_prepare(struct byw_cu_job *job, struct byw_diag *diag);

/* _recurses says whether a kernel reaches recursive functions. _share_stacks gives all places where
 * it calls the same functions one stack (byw_ptx_recursion.h). */
bool byw_cu_recurses(LLVMValueRef kernel);
void byw_cu_share_stacks(LLVMValueRef kernel);

/* In one kernel, turns address arithmetic on integers into arithmetic on pointers. */
void byw_cu_pointers(LLVMModuleRef module, LLVMValueRef function);

/* Hooks of byw_cl_transform_module(). */
void byw_cu_lowered(struct byw_cl_module *m);
enum byw_status byw_cu_targeted(struct byw_cl_module *m, struct byw_diag *diag);
/* The part of byw_cu_prepare() that links the arithmetic library. */
enum byw_status byw_cu_link_arithmetic(struct byw_cl_module *m, struct byw_diag *diag);
/* Bits of an initial value in its variable's type. */
uint64_t byw_cu_bits_of(const struct byw_ptx_operand *value, struct byw_ptx_type type);

/* Adds the image of byw_cu_image.h to the module and makes the table of addresses visible. */
void byw_cu_add_image(struct byw_cu_job *job);

#endif
