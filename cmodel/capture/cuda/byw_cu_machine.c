/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/cuda/byw_cu_machine.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture/byw_capture.h"
#include "capture/compile/byw_cl_workshop.h"
#include "capture/machine/byw_ptxas.h"
#include "capture/run/byw_cl_process.h"

#define ARCH 90u /* of the GPU whose machine code traces have */

/* Stores the text in the folder of BYWAY_PTX, unless it is there already. */
static void keep_ptx(const char *text, size_t length)
{
    enum { MOST = 1000 };
    const char *folder = getenv(BYW_CAPTURE_ENV_PTX);
    struct byw_diag diag = {""};
    char path[PATH_MAX];

    for (int n = 1; folder != NULL && *folder != '\0' && n <= MOST; n++) {
        size_t size;
        char *kept;
        bool same;

        snprintf(path, sizeof(path), "%.4000s/%d.ptx", folder, n);
        kept = access(path, F_OK) == 0 ? byw_cl_read_file(path, &size) : NULL;
        if (kept == NULL) {
            if (byw_cl_write_file(path, text, length, &diag) != BYW_OK)
                byw_cl_say("%s", diag.text);
            return;
        }
        same = size == length && memcmp(kept, text, length) == 0;
        free(kept);
        if (same)
            return;
    }
}

/* The assembler wants all functions, but libcudadevrt's are the driver's: a copy of the text in
 * which they are defined, at its end, so that numbers of instructions stay. NULL: it names none. */
static char *with_runtime(const char *text, size_t *length)
{
    static const char external[] = ".extern .func", body[] = "{ ret; }\n";
    size_t linkage = strlen(".extern"), used = *length;
    char *all = strstr(text, "__cudaCDP2") != NULL ? malloc(2 * (*length + 1) + *length) : NULL;

    if (all == NULL)
        return NULL;
    memcpy(all, text, *length);
    for (const char *at = text; (at = strstr(at, external)) != NULL;) {
        const char *end = strchr(at, ';'), *name = strstr(at, "__cudaCDP2");
        size_t size;

        if (end == NULL || name == NULL)
            break;
        if (name < end) {
            size = (size_t)(end - at) - linkage;
            memset(all + (at - text), ' ', linkage);
            memcpy(all + used, at + linkage, size);
            memcpy(all + used + size, body, strlen(body));
            used += size + strlen(body);
        }
        at = end;
    }
    all[used] = '\0';
    *length = used;
    return all;
}

/* Whether a text has several units. */
static bool is_linked(const char *text)
{
    const char *first = strstr(text, ".version ");

    return first != NULL && strstr(first + 1, "\n.version ") != NULL;
}

void byw_cu_machine_read(struct byw_cu_job *job, const char *text, size_t length,
                         const char *kernel, const char *folder)
{
    struct byw_numbering numbered = {0};
    struct byw_diag diag = {""};
    enum byw_status status;
    char *whole;

    keep_ptx(text, length);
    if (is_linked(text)) {
        snprintf(job->why, sizeof(job->why), "its program links several units of PTX");
        return;
    }
    whole = with_runtime(text, &length);
    status = byw_numbering_make(whole != NULL ? whole : text, length, ARCH, &numbered, &diag);
    if (status == BYW_OK)
        status = byw_ptxas_machine(&numbered, kernel, folder, &job->machines, &diag);
    if (status != BYW_OK)
        snprintf(job->why, sizeof(job->why), "%.200s", diag.text);
    byw_numbering_free(&numbered);
    free(whole);
}

static bool calls_runtime(LLVMValueRef kernel)
{
    for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(kernel); bb; bb = LLVMGetNextBasicBlock(bb))
        for (LLVMValueRef i = LLVMGetFirstInstruction(bb); i; i = LLVMGetNextInstruction(i)) {
            const char *callee = LLVMIsACallInst(i) != NULL ? byw_cl_callee(i) : NULL;

            if (callee != NULL && strcmp(callee, BYW_PTX_RUNTIME) == 0)
                return true;
        }
    return false;
}

enum byw_status byw_cu_machine_give(struct byw_cu_job *job)
{
    size_t length;

    job->unit_marks = calloc(job->m.units + 1u, sizeof(*job->unit_marks));
    if (job->unit_marks == NULL)
        return BYW_ENOMEM;
    for (uint32_t k = 0; k < job->m.units; k++) {
        struct byw_cl_marks *marks = &job->unit_marks[k];
        const struct byw_cubin_code *code =
            byw_cubin_kernel(&job->machines, LLVMGetValueName2(job->m.unit[k].function, &length));

        *marks = (struct byw_cl_marks){.base = job->marks.first,
                                       .known = job->marks.mark,
                                       .count = job->marks.count,
                                       .machine = code == NULL ? NULL : &code->machine,
                                       .registers = code == NULL ? 0 : code->machine.registers,
                                       .why = job->why};
        if (code != NULL && job->marks.last - job->marks.first >= BYW_CL_MARKS) {
            marks->machine = NULL;
            marks->why = "its PTX has more than 65,535 instructions";
        } else if (byw_cu_recurses(job->m.unit[k].function)) {
            marks->machine = NULL;
            marks->why = "it reaches a function that calls itself";
        } else if (code != NULL && calls_runtime(job->m.unit[k].function)) {
            marks->machine = NULL;
            marks->why = "it calls CUDA's runtime (dynamic parallelism)";
        } else if (code == NULL && job->why[0] == '\0') {
            marks->why = "the assembler made no code of that name";
        }
        job->m.unit[k].marks = marks;
    }
    return BYW_OK;
}
