/* SPDX-License-Identifier: Apache-2.0
 *
 * Maps features of a GPU kernel to host memory: scratchpad variables to a fixed address range,
 * private arrays to the work-item's private memory, work-item functions to reads of the record,
 * barriers to a call of the runtime.
 */
#include <stdlib.h>
#include <string.h>

#include "capture/compile/byw_cl_transform.h"

enum { SPACE_SHARED = 3 };

static uint32_t round_up(uint32_t value, uint32_t align)
{
    return align == 0 ? value : (value + align - 1) / align * align;
}

/* Marks in used[] the kernels whose code refers to a value, directly or through constants. */
static void mark_users(const struct byw_cl_module *m, LLVMValueRef value, bool *used)
{
    for (LLVMUseRef u = LLVMGetFirstUse(value); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);

        if (LLVMIsAInstruction(user) != NULL) {
            LLVMValueRef f = LLVMGetBasicBlockParent(LLVMGetInstructionParent(user));
            for (uint32_t k = 0; k < m->units; k++)
                if (m->unit[k].function == f)
                    used[k] = true;
        } else if (LLVMIsAConstantExpr(user) != NULL) {
            mark_users(m, user, used);
        }
    }
}

/* Gives a scratchpad variable an address; `common` holds the ends of the variables that several
 * kernels use, which come first in each of these kernels. */
static void place_shared(struct byw_cl_module *m, LLVMValueRef global, uint32_t *common, bool many)
{
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(m->module);
    LLVMTypeRef type = LLVMGlobalGetValueType(global);
    uint32_t bytes = (uint32_t)LLVMABISizeOfType(layout, type), align = LLVMGetAlignment(global);
    bool *used = calloc(m->units + 1u, sizeof(*used));
    uint32_t users = 0, at = *common;
    LLVMValueRef address;

    if (used == NULL)
        return;
    mark_users(m, global, used);
    for (uint32_t k = 0; k < m->units; k++)
        users += used[k];
    if (many == (users > 1)) {
        for (uint32_t k = 0; k < m->units && !many; k++)
            if (used[k])
                at = m->unit[k].shared_bytes > at ? m->unit[k].shared_bytes : at;
        at = round_up(at, align > 16 ? align : 16);
        for (uint32_t k = 0; k < m->units; k++)
            if (used[k])
                m->unit[k].shared_bytes = at + bytes;
        if (many)
            *common = at + bytes;
        address = LLVMConstIntToPtr(LLVMConstInt(m->word, BYW_CL_SHARED_BASE + at, 0),
                                    LLVMTypeOf(global));
        LLVMReplaceAllUsesWith(global, address);
        LLVMDeleteGlobal(global);
    }
    free(used);
}

static void lower_shared(struct byw_cl_module *m)
{
    uint32_t common = 0;

    for (int pass = 0; pass < 2; pass++) {
        LLVMValueRef next;

        for (LLVMValueRef g = LLVMGetFirstGlobal(m->module); g; g = next) {
            next = LLVMGetNextGlobal(g);
            if (LLVMGetPointerAddressSpace(LLVMTypeOf(g)) == SPACE_SHARED)
                place_shared(m, g, &common, pass == 0);
        }
    }
}

uint32_t byw_cl_place_array(struct byw_cl_unit *unit, LLVMTargetDataRef layout, LLVMValueRef array)
{
    uint32_t bytes = (uint32_t)LLVMABISizeOfType(layout, LLVMGetAllocatedType(array)), at;
    uint32_t align = LLVMGetAlignment(array);
    LLVMValueRef count = LLVMGetOperand(array, 0);

    if (LLVMIsAConstantInt(count) != NULL)
        bytes *= (uint32_t)LLVMConstIntGetZExtValue(count);
    at = round_up(unit->private_bytes, align > 16 ? align : 16);
    unit->private_bytes = at + bytes;
    return at;
}

static void lower_alloca(struct byw_cl_module *m, struct byw_cl_unit *unit, LLVMBuilderRef b,
                         LLVMValueRef inst)
{
    uint32_t at = byw_cl_place_array(unit, LLVMGetModuleDataLayout(m->module), inst);
    LLVMValueRef address;

    LLVMPositionBuilderBefore(b, inst);
    address =
        LLVMBuildAdd(b, byw_cl_record_load(m, b, BYW_CL_PRIVATE), LLVMConstInt(m->word, at, 0), "");
    address = LLVMBuildIntToPtr(b, address, LLVMTypeOf(inst), "");
    LLVMReplaceAllUsesWith(inst, address);
    LLVMInstructionEraseFromParent(inst);
}

/* Work-item functions: mangled name, and the word of the record at which their values begin. */
static const struct {
    const char *name;
    unsigned word;
} queries[] = {{"_Z12get_local_idj", BYW_CL_LOCAL_ID},
               {"_Z12get_group_idj", BYW_CL_GROUP_ID},
               {"_Z14get_local_sizej", BYW_CL_LOCAL_SIZE},
               {"_Z14get_num_groupsj", BYW_CL_NUM_GROUPS},
               {"_Z17get_global_offsetj", BYW_CL_OFFSET},
               {"_Z12get_work_dimv", BYW_CL_WORK_DIM},
               {"byw_cl_own_size", BYW_CL_OWN_SIZE},
               {"byw_cl_global_size", BYW_CL_GLOBAL_SIZE},
               {"byw_cl_warp", BYW_CL_WARP},
               {"byw_cl_active", BYW_CL_ACTIVE},
               {"byw_cl_linear", BYW_CL_LINEAR},
               {"byw_cl_exchange", BYW_CL_EXCHANGE},
               {BYW_CL_GIVE_UP_CALL, BYW_CL_GIVE_UP}};

/* Markers without meaning on the host: fences (work-items run in turn), lifetimes, meeting points
 * that have been instrumented. */
static const char *const markers[] = {
    "_Z9mem_fencej",     "_Z14read_mem_fencej", "_Z15write_mem_fencej", "llvm.lifetime.start",
    "llvm.lifetime.end", BYW_CL_MEET_CALL,      BYW_CL_MARK_CALL};

static LLVMValueRef lower_query(struct byw_cl_module *m, LLVMBuilderRef b, LLVMValueRef call,
                                unsigned word)
{
    LLVMValueRef dimension, at[2], limit, value;

    if (LLVMGetNumArgOperands(call) == 0) {
        value = byw_cl_record_load(m, b, word);
        return LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMPointerTypeKind
                   ? LLVMBuildIntToPtr(b, value, LLVMTypeOf(call), "")
                   : LLVMBuildTrunc(b, value, LLVMTypeOf(call), "");
    }
    dimension = LLVMGetOperand(call, 0);
    limit = LLVMConstInt(LLVMTypeOf(dimension), 3, 0);
    value = LLVMBuildICmp(b, LLVMIntULT, dimension, limit, "");
    dimension = LLVMBuildSelect(b, value, dimension, limit, "");
    at[0] = LLVMConstInt(m->word, 0, 0);
    at[1] = LLVMBuildAdd(b, LLVMBuildZExt(b, dimension, m->word, ""),
                         LLVMConstInt(m->word, word, 0), "");
    value = LLVMBuildInBoundsGEP2(b, m->item, m->record, at, 2, "");
    return LLVMBuildIntCast2(b, LLVMBuildLoad2(b, m->word, value, ""), LLVMTypeOf(call), 0, "");
}

static bool is_marker(const char *name)
{
    for (size_t i = 0; i < sizeof(markers) / sizeof(markers[0]); i++)
        if (strncmp(name, markers[i], strlen(markers[i])) == 0)
            return true;
    return false;
}

bool byw_cl_can_lower(LLVMValueRef call)
{
    const char *name = byw_cl_callee(call);

    if (name == NULL)
        return false;
    for (size_t i = 0; i < sizeof(queries) / sizeof(queries[0]); i++)
        if (strcmp(name, queries[i].name) == 0)
            return true;
    return is_marker(name) || byw_cl_is_barrier(call) || strncmp(name, "llvm.", 5) == 0 ||
           strcmp(name, "printf") == 0 || strncmp(name, "byw_cu_at.", 10) == 0 ||
           strncmp(name, "ptx_", 4) == 0; /* CUDA: capture/cuda/byw_ptx_gen.h */
}

/* GPUs round a multiply-add of halves once. clang for a host without half arithmetic rounds twice,
 * so it is computed in double precision, in which the product is exact. */
static void fuse_halves(struct byw_cl_module *m, LLVMBuilderRef b, LLVMValueRef call)
{
    LLVMTypeRef type = LLVMTypeOf(call), wide = LLVMDoubleTypeInContext(m->context);
    LLVMValueRef value[3];

    if (LLVMGetTypeKind(type) == LLVMVectorTypeKind)
        wide = LLVMVectorType(wide, LLVMGetVectorSize(type));
    for (unsigned i = 0; i < 3; i++)
        value[i] = LLVMBuildFPExt(b, LLVMGetOperand(call, i), wide, "");
    value[0] = LLVMBuildFAdd(b, LLVMBuildFMul(b, value[0], value[1], ""), value[2], "");
    LLVMReplaceAllUsesWith(call, LLVMBuildFPTrunc(b, value[0], type, ""));
    LLVMInstructionEraseFromParent(call);
}

static bool fuses_halves(LLVMValueRef call, const char *name)
{
    LLVMTypeRef type = LLVMTypeOf(call);

    if (strncmp(name, "llvm.fmuladd.", 13) != 0)
        return false;
    if (LLVMGetTypeKind(type) == LLVMVectorTypeKind)
        type = LLVMGetElementType(type);
    return LLVMGetTypeKind(type) == LLVMHalfTypeKind;
}

/* Lowers a call of one of the prelude's functions; other intrinsics stay. */
static void lower_call(struct byw_cl_module *m, LLVMBuilderRef b, LLVMValueRef call, uint32_t part)
{
    const char *name = byw_cl_callee(call);

    LLVMPositionBuilderBefore(b, call);
    for (size_t i = 0; i < sizeof(queries) / sizeof(queries[0]); i++)
        if (strcmp(name, queries[i].name) == 0) {
            LLVMReplaceAllUsesWith(call, lower_query(m, b, call, queries[i].word));
            LLVMInstructionEraseFromParent(call);
            return;
        }
    if (is_marker(name)) {
        LLVMInstructionEraseFromParent(call);
    } else if (byw_cl_is_barrier(call)) {
        byw_cl_call_runtime(m, b, BYW_CL_BARRIER, LLVMConstInt(m->word, part, 0));
        LLVMInstructionEraseFromParent(call);
    } else if (strcmp(name, "printf") == 0) {
        byw_cl_lower_printf(m, b, call);
    } else if (fuses_halves(call, name)) {
        fuse_halves(m, b, call);
    }
}

/* Drops the nontemporal hint of an access: it is already in the tables, and on some hosts clang
 * cannot select a nontemporal load of a byte. */
static void drop_hint(struct byw_cl_module *m, LLVMValueRef access)
{
    const char *name = "nontemporal";

    LLVMSetMetadata(access, LLVMGetMDKindIDInContext(m->context, name, (unsigned)strlen(name)),
                    NULL);
}

/* A kernel that loops over work-items has no barriers or private arrays any more, and differs from
 * what was scanned. */
static void lower_looped(struct byw_cl_module *m, const struct byw_cl_unit *unit)
{
    LLVMBuilderRef b = LLVMCreateBuilderInContext(m->context);

    for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(unit->function); bb;
         bb = LLVMGetNextBasicBlock(bb)) {
        LLVMValueRef next;

        for (LLVMValueRef i = LLVMGetFirstInstruction(bb); i; i = next) {
            next = LLVMGetNextInstruction(i);
            if (LLVMIsALoadInst(i) != NULL || LLVMIsAStoreInst(i) != NULL)
                drop_hint(m, i);
            if (LLVMIsACallInst(i) != NULL && byw_cl_callee(i) != NULL)
                lower_call(m, b, i, 0);
        }
    }
    LLVMDisposeBuilder(b);
}

static void lower_unit(struct byw_cl_module *m, struct byw_cl_unit *unit)
{
    LLVMBuilderRef b = LLVMCreateBuilderInContext(m->context);

    for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(unit->function); bb;
         bb = LLVMGetNextBasicBlock(bb)) {
        LLVMValueRef next;

        for (LLVMValueRef i = LLVMGetFirstInstruction(bb); i; i = next) {
            uint32_t node = byw_cl_map_get(unit->scan.map, i);

            next = LLVMGetNextInstruction(i);
            if (node == UINT32_MAX)
                continue; /* byway's own code */
            if (LLVMIsACallInst(i) != NULL)
                lower_call(m, b, i, unit->scan.node[node].part);
            else if (LLVMIsAAllocaInst(i) != NULL)
                lower_alloca(m, unit, b, i);
            else if (LLVMIsALoadInst(i) != NULL || LLVMIsAStoreInst(i) != NULL)
                drop_hint(m, i);
        }
    }
    LLVMDisposeBuilder(b);
}

void byw_cl_lower(struct byw_cl_module *m)
{
    lower_shared(m);
    for (uint32_t k = 0; k < m->units; k++) {
        const struct byw_cl_code *code = m->unit[k].blob;

        if (code->looped)
            lower_looped(m, &m->unit[k]);
        else
            lower_unit(m, &m->unit[k]);
    }
}
