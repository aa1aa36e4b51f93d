/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/cuda/byw_cu_compile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "capture/compile/byw_cl_store.h"
#include "capture/compile/byw_cl_workshop.h"
#include "capture/cuda/byw_cu_job.h"
#include "capture/cuda/byw_cu_machine.h"
#include "capture/cuda/byw_ptx_gen.h"
#include "capture/cuda/byw_ptx_slice.h"
#include "capture/machine/byw_ptxas.h"

#define STACK_LEAST 65536u
#define STACK_MOST 524288u /* local memory of a thread on a GPU */
#define GPU_LAYOUT "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"

static size_t stack_bytes = 1024; /* a GPU's default */

bool byw_cu_set_stack(size_t bytes)
{
    if (bytes <= STACK_MOST)
        stack_bytes = bytes;
    return bytes <= STACK_MOST;
}

size_t byw_cu_stack(void)
{
    return stack_bytes;
}

/* Stack bytes of a thread in kernels that are compiled from now on. */
static size_t stack_room(void)
{
    return stack_bytes < STACK_LEAST ? STACK_LEAST : stack_bytes / 128 * 128;
}

void byw_cu_job_release(struct byw_cu_job *job)
{
    if (job->warp != NULL)
        LLVMDisposeModule(job->warp);
    if (job->arithmetic != NULL)
        LLVMDisposeModule(job->arithmetic);
    byw_cl_module_release(&job->m);
    byw_ptx_module_release(&job->ptx);
    free(job->left);
    free(job->marks.mark);
    free(job->unit_marks);
    byw_cubin_free(&job->machines);
}

enum byw_status byw_cu_generate(struct byw_cu_job *job, struct byw_diag *diag)
{
    struct byw_ptx_gen gen = {.ptx = &job->ptx,
                              .diag = diag,
                              .marks = job->marks.first,
                              .opencl = job->opencl,
                              .stack_room = stack_room()};
    enum byw_status status;

    job->m.context = LLVMContextCreate();
    job->m.module = LLVMModuleCreateWithNameInContext("ptx", job->m.context);
    job->m.word = LLVMInt64TypeInContext(job->m.context);
    job->m.lenient = true;
    job->m.lowered = byw_cu_lowered;
    job->m.targeted = byw_cu_targeted;
    LLVMSetDataLayout(job->m.module, GPU_LAYOUT);
    LLVMSetTarget(job->m.module, "nvptx64--");
    status = byw_cu_libraries(job, diag);
    gen.context = job->m.context;
    gen.module = job->m.module;
    gen.warp = job->warp;
    gen.arithmetic = job->arithmetic;
    return status == BYW_OK ? byw_ptx_generate(&gen) : status;
}

/* Report of NVIDIA's assembler on the kernels to compile; NULL if there is none. */
static char *assemble(const struct byw_cl_workshop *w, const char *text, size_t length,
                      const char *kernel)
{
    if ((kernel != NULL && *kernel == '\0') ||
        byw_cl_write_file(w->ptx, text, length, NULL) != BYW_OK)
        return NULL;
    return byw_cl_workshop_assemble(
        w, strstr(text, ".target sm_90a") != NULL ? "sm_90a" : BYW_CL_WORKSHOP_ARCH, kernel);
}

/* Marks the kernels that are not to be compiled. */
static void choose(struct byw_ptx_module *ptx, const char *kernel)
{
    for (uint32_t i = 0; i < ptx->functions && kernel != NULL; i++)
        ptx->function[i]->unwanted =
            ptx->function[i]->entry && strcmp(ptx->function[i]->name, kernel) != 0;
}

static enum byw_status build(struct byw_cl_workshop *w, const char *text, size_t length,
                             const char *kernel, bool traced, struct byw_diag *diag)
{
    struct byw_cu_job *job = calloc(1, sizeof(*job));
    bool wanted = traced && (kernel == NULL || *kernel != '\0') && byw_ptxas_wants_machine();
    char *report = NULL;
    uint64_t instructions = 0;
    enum byw_status status;

    if (job == NULL)
        return byw_diag_set(diag, BYW_ENOMEM, "out of memory for PTX");
    status = byw_ptx_parse(text, length, &job->ptx, diag);
    choose(&job->ptx, kernel);
    if (status == BYW_OK && wanted)
        status = byw_ptx_find_marks(&job->ptx, &job->marks);
    if (status == BYW_OK && wanted)
        byw_cu_machine_read(job, text, length, kernel, w->folder);
    if (status == BYW_OK && traced &&
        job->machines.count == 0) /* machine code includes the registers */
        job->m.report = report = assemble(w, text, length, kernel);
    if (status == BYW_OK)
        status = byw_cu_generate(job, diag);
    if (status == BYW_OK)
        status = byw_cu_prepare(job, diag);
    if (status == BYW_OK && wanted)
        status = byw_cu_machine_give(job);
    if (status == BYW_OK)
        status = byw_cl_transform_module(&job->m, w->host, traced, &instructions, diag);
    byw_cu_job_release(job);
    free(job);
    free(report);
    return status == BYW_OK ? byw_cl_workshop_host(w, instructions, traced, diag) : status;
}

/* Finds what every compiled module exports. */
static enum byw_status look_up(struct byw_cu_binary *b, struct byw_diag *diag)
{
    b->image = byw_cl_binary_symbol(b->binary, BYW_CU_IMAGE_NAME);
    b->table = byw_cl_binary_symbol(b->binary, BYW_CU_TABLE_NAME);
    b->hooks = byw_cl_binary_symbol(b->binary, BYW_CU_HOOKS_NAME);
    return b->image != NULL && b->table != NULL
               ? BYW_OK
               : byw_diag_set(diag, BYW_EFORMAT, "not a compiled CUDA module");
}

static enum byw_status compile(const char *text, size_t length, const char *kernel, bool traced,
                               struct byw_cu_binary *binary, struct byw_diag *diag)
{
    struct byw_cl_workshop w;
    struct byw_cl_store store;
    char name[32];
    enum byw_status status = byw_cl_store_open(&store, diag);
    uint64_t hash;

    if (status != BYW_OK)
        return status;
    hash = XXH64(text, length, byw_cl_hash_tools(traced));
    if (stack_room() != STACK_LEAST)
        hash += stack_room();
    if (kernel != NULL)
        hash = XXH64(kernel, strlen(kernel), hash);
    snprintf(name, sizeof(name), "%016llx.so", (unsigned long long)hash);
    if (!byw_cl_store_take(&store, name, &binary->binary)) {
        status = byw_cl_workshop_open(&w, store.folder, diag);
        if (status != BYW_OK)
            return status;
        status = build(&w, text, length, kernel, traced, diag);
        if (status == BYW_OK)
            status = byw_cl_store_put(&store, w.object, name, &binary->binary, diag);
        byw_cl_workshop_close(&w);
    }
    return status == BYW_OK ? look_up(binary, diag) : status;
}

enum byw_status byw_cu_compile(const char *text, size_t length, const char *kernel, bool traced,
                               struct byw_cu_binary *binary, struct byw_diag *diag)
{
    char *slice = NULL;
    enum byw_status status;

    memset(binary, 0, sizeof(*binary));
    if (kernel != NULL && *kernel != '\0')
        slice = byw_ptx_slice(text, length, kernel, &length);
    status = compile(slice != NULL ? slice : text, length, kernel, traced, binary, diag);
    free(slice);
    return status;
}

void byw_cu_binary_free(struct byw_cu_binary *binary)
{
    byw_cl_binary_free(binary->binary);
    memset(binary, 0, sizeof(*binary));
}
