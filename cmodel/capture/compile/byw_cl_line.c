/* SPDX-License-Identifier: Apache-2.0 */
#include <llvm-c/DebugInfo.h>
#include <string.h>

#include "capture/compile/byw_cl_scan.h"
#include "capture/run/byw_cl_code.h"

#define PRELUDE "byw_cl_prelude.cl"
#define PROGRAM "<stdin>" /* clang's name for a source that it reads from a pipe */

static bool is_file(LLVMMetadataRef location, const char *name)
{
    LLVMMetadataRef scope = LLVMDILocationGetScope(location);
    LLVMMetadataRef file = scope == NULL ? NULL : LLVMDIScopeGetFile(scope);
    size_t want = strlen(name);
    unsigned length = 0;
    const char *text = file == NULL ? NULL : LLVMDIFileGetFilename(file, &length);

    return text != NULL && length >= want && memcmp(text + length - want, name, want) == 0;
}

bool byw_cl_is_prelude(LLVMValueRef inst)
{
    LLVMMetadataRef location = LLVMInstructionGetDebugLoc(inst);

    return location != NULL && is_file(location, PRELUDE);
}

uint32_t byw_cl_line(LLVMValueRef inst)
{
    uint32_t line = 0;

    for (LLVMMetadataRef at = LLVMInstructionGetDebugLoc(inst); at != NULL;
         at = LLVMDILocationGetInlinedAt(at)) {
        if (is_file(at, PROGRAM))
            return LLVMDILocationGetLine(at);
        if (line == 0 && !is_file(at, PRELUDE))
            line = LLVMDILocationGetLine(at);
    }
    return line;
}

/* An instruction that comes from a function of the PTX has that function's position. One that comes
 * from a library function has the position of the call in the PTX. */
uint32_t byw_cl_number(LLVMValueRef inst)
{
    for (LLVMMetadataRef at = LLVMInstructionGetDebugLoc(inst); at != NULL;
         at = LLVMDILocationGetInlinedAt(at))
        if (is_file(at, PROGRAM) || is_file(at, PRELUDE))
            return LLVMDILocationGetColumn(at);
    return 0;
}

bool byw_cl_read_mark(LLVMValueRef inst, uint32_t *mark)
{
    const char *name = LLVMIsACallInst(inst) == NULL ? NULL : byw_cl_callee(inst);

    if (name == NULL || strcmp(name, BYW_CL_MARK_CALL) != 0)
        return false;
    *mark = (uint32_t)LLVMConstIntGetZExtValue(LLVMGetOperand(inst, 0));
    return true;
}
