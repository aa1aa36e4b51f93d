/* SPDX-License-Identifier: Apache-2.0 */
#include <llvm-c/DebugInfo.h>
#include <string.h>

#include "capture/compile/byw_cl_scan.h"

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
