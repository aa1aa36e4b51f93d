/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/cuda/byw_cu_opencl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/cuda/byw_cu_job.h"
#include "capture/cuda/byw_cu_machine.h"
#include "capture/cuda/byw_ptx_gen.h"

/* Initial bytes of a variable; NULL: they contain an address, or do not fit its type. */
static LLVMValueRef start_of(struct byw_cu_job *job, const struct byw_ptx_symbol *v,
                             LLVMTypeRef type)
{
    uint32_t each = (v->type.bits + 7u) / 8u, size = (uint32_t)(v->count * v->vector) * each;
    unsigned char *bytes = calloc(size + 1u, 1);
    LLVMValueRef value = NULL;
    bool good = bytes != NULL;

    for (uint32_t i = 0; i < v->inits && good; i++) {
        uint64_t bits = byw_cu_bits_of(&v->init[i], v->type);

        good = v->init[i].symbol == NULL && (i + 1) * each <= size;
        if (good)
            memcpy(bytes + i * each, &bits, each < 8 ? each : 8);
    }
    if (good)
        value = LLVMConstStringInContext(job->m.context, (char *)bytes, size, 1);
    if (good && LLVMTypeOf(value) != type)
        value = NULL;
    free(bytes);
    return value;
}

/* Turns the calls that stand for a variable's address into the address of a variable of the IR. */
static bool place_variable(struct byw_cu_job *job, const struct byw_ptx_symbol *v)
{
    char name[8320];
    LLVMValueRef call, variable, start;
    LLVMTypeRef type;

    snprintf(name, sizeof(name), BYW_PTX_VARIABLE_PREFIX "%.8192s", v->name);
    call = LLVMGetNamedFunction(job->m.module, name);
    if (v->space == BYW_PTX_SHARED || call == NULL)
        return true;
    type = LLVMArrayType(LLVMInt8TypeInContext(job->m.context),
                         (unsigned)(v->count * v->vector * ((v->type.bits + 7u) / 8u)));
    start = start_of(job, v, type);
    if (start == NULL || v->external)
        return false;
    variable = LLVMAddGlobalInAddressSpace(job->m.module, type, v->name,
                                           v->space == BYW_PTX_CONST ? BYW_CL_SPACE_CONSTANT
                                                                     : BYW_CL_SPACE_GLOBAL);
    LLVMSetInitializer(variable, start);
    LLVMSetLinkage(variable, LLVMInternalLinkage);
    LLVMSetAlignment(variable, v->align > 16 ? v->align : 16);
    for (LLVMUseRef u = LLVMGetFirstUse(call), next; u != NULL; u = next) {
        LLVMValueRef user = LLVMGetUser(u);

        next = LLVMGetNextUse(u);
        if (LLVMIsACallInst(user) == NULL)
            return false;
        LLVMReplaceAllUsesWith(user, variable);
        LLVMInstructionEraseFromParent(user);
    }
    LLVMDeleteFunction(call);
    return true;
}

static bool place_variables(struct byw_cu_job *job)
{
    for (uint32_t i = 0; i < job->ptx.variables; i++)
        if (!place_variable(job, job->ptx.variable[i]))
            return false;
    return LLVMGetNamedFunction(job->m.module, BYW_PTX_DYNAMIC) == NULL;
}

/* Whether an argument is a vector of bytes, for which clang 19 makes wrong PTX: it reads the second
 * byte of a char2 argument at offset 2. */
static bool takes_bytes(LLVMValueRef kernel)
{
    for (unsigned i = 0; i < LLVMCountParams(kernel); i++) {
        LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(kernel, i));

        if (LLVMGetTypeKind(type) == LLVMVectorTypeKind &&
            LLVMGetTypeKind(LLVMGetElementType(type)) == LLVMIntegerTypeKind &&
            LLVMGetIntTypeWidth(LLVMGetElementType(type)) == 8)
            return true;
    }
    return false;
}

/* The host's view of the arguments, as clang describes it in the bitcode.  False: the program has a
 * kernel there that the PTX lacks. */
static enum byw_status take_args(struct byw_cu_job *job, const char *bitcode, struct byw_diag *diag)
{
    struct byw_cl_module other = {.context = job->m.context};
    enum byw_status status = byw_cl_load_module(&other, bitcode, diag);
    size_t length;

    for (uint32_t k = 0; k < job->m.units && status == BYW_OK; k++) {
        struct byw_cl_unit *unit = &job->m.unit[k], model = {.arg = NULL};

        model.function =
            LLVMGetNamedFunction(other.module, LLVMGetValueName2(unit->function, &length));
        if (model.function == NULL ||
            LLVMCountParams(model.function) != LLVMCountParams(unit->function)) {
            status =
                byw_diag_set(diag, BYW_EUNSUPPORTED,
                             "a kernel has other arguments in clang's PTX than in its bitcode");
            break;
        }
        if (takes_bytes(model.function)) {
            status =
                byw_diag_set(diag, BYW_EUNSUPPORTED,
                             "an argument is a vector of bytes, which clang's PTX reads wrongly");
            break;
        }
        status = byw_cl_read_args(&other, &model);
        unit->arg = model.arg;
        unit->args = model.args;
        memcpy(unit->required, model.required, sizeof(unit->required));
    }
    if (other.module != NULL)
        LLVMDisposeModule(other.module);
    return status;
}

/* Why a program's PTX would not mean the same here as on a GPU; NULL: it does. */
static const char *obstacle(const struct byw_cu_job *job, const char *text)
{
    if (job->lefts != 0)
        return job->left[0].why;
    if (strstr(text, "vprintf") != NULL)
        return "it prints";
    return job->m.units == 0 ? "its PTX has no kernel" : NULL;
}

static enum byw_status make(struct byw_cu_job *job, struct byw_cl_workshop *w, const char *text,
                            size_t length, uint64_t *instructions, struct byw_diag *diag)
{
    const char *fault;
    enum byw_status status = byw_ptx_parse(text, length, &job->ptx, diag);

    if (status == BYW_OK)
        status = byw_ptx_find_marks(&job->ptx, &job->marks);
    if (status == BYW_OK) {
        byw_cu_machine_read(job, text, length, NULL, w->folder);
        status =
            job->why[0] != '\0' ? byw_diag_set(diag, BYW_EUNSUPPORTED, "%s", job->why) : BYW_OK;
    }
    if (status == BYW_OK)
        status = byw_cu_generate(job, diag);
    if (status == BYW_OK)
        status = byw_cu_prepare(job, diag);
    if (status != BYW_OK)
        return status;
    fault = obstacle(job, text);
    if (fault != NULL)
        return byw_diag_set(diag, BYW_EUNSUPPORTED, "%s", fault);
    if (!place_variables(job))
        return byw_diag_set(diag, BYW_EUNSUPPORTED, "its variables are initialized with addresses");
    status = take_args(job, w->bitcode, diag);
    if (status == BYW_OK)
        status = byw_cu_machine_give(job);
    job->m.lenient = false;
    job->m.lowered = NULL;
    job->m.targeted = byw_cu_link_arithmetic;
    if (status == BYW_OK)
        status = byw_cl_transform_module(&job->m, w->host, true, instructions, diag);
    return status;
}

enum byw_status byw_cu_from_opencl(struct byw_cl_workshop *w, const char *report,
                                   uint64_t *instructions, struct byw_diag *diag)
{
    struct byw_cu_job *job = calloc(1, sizeof(*job));
    size_t length;
    char *text = byw_cl_read_file(w->ptx, &length);
    enum byw_status status = BYW_ENOMEM;

    if (job != NULL && text != NULL) {
        job->m.report = report;
        job->opencl = true;
        status = make(job, w, text, length, instructions, diag);
        byw_cu_job_release(job);
    }
    free(job);
    free(text);
    return status;
}
