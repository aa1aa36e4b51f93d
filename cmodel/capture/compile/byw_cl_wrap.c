/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernel arguments as the host sees them, the entries, and the export table.
 */
#include <stdlib.h>
#include <string.h>

#include "capture/compile/byw_cl_transform.h"

/* Operands of a kernel's metadata node; 0 if there is none. *operand is malloced. */
static unsigned metadata(struct byw_cl_module *m, LLVMValueRef function, const char *name,
                         LLVMValueRef **operand)
{
    unsigned kind = LLVMGetMDKindIDInContext(m->context, name, (unsigned)strlen(name)), count = 0;
    size_t entries;
    LLVMValueMetadataEntry *list = LLVMGlobalCopyAllMetadata(function, &entries);

    *operand = NULL;
    for (unsigned i = 0; i < entries; i++) {
        LLVMValueRef node;

        if (LLVMValueMetadataEntriesGetKind(list, i) != kind)
            continue;
        node = LLVMMetadataAsValue(m->context, LLVMValueMetadataEntriesGetMetadata(list, i));
        count = LLVMGetMDNodeNumOperands(node);
        *operand = calloc(count + 1u, sizeof(LLVMValueRef));
        if (*operand == NULL)
            count = 0;
        else
            LLVMGetMDNodeOperands(node, *operand);
    }
    LLVMDisposeValueMetadataEntries(list);
    return count;
}

static void read_strings(struct byw_cl_module *m, struct byw_cl_unit *unit, const char *name,
                         size_t field, unsigned room)
{
    LLVMValueRef *operand;
    unsigned count = metadata(m, unit->function, name, &operand);

    for (unsigned i = 0; i < count && i < unit->args; i++) {
        unsigned length;
        const char *text = LLVMGetMDString(operand[i], &length);

        if (text != NULL)
            memcpy((char *)&unit->arg[i] + field, text, length < room ? length : room - 1);
    }
    free(operand);
}

static unsigned byval_kind(void)
{
    return LLVMGetEnumAttributeKindForName("byval", 5);
}

/* Type of a struct passed by value (a pointer in the IR), NULL for all others. */
static LLVMTypeRef byval_type(LLVMValueRef function, unsigned param)
{
    LLVMAttributeRef attribute = LLVMGetEnumAttributeAtIndex(function, param + 1, byval_kind());

    return attribute == NULL ? NULL : LLVMGetTypeAttributeValue(attribute);
}

/* Recognises handles (images and samplers) by the name of their type, with typedefs resolved,
 * because programs define structs named image_something. */
static bool read_handle(LLVMValueRef base_type, struct byw_cl_arg *arg)
{
    static const struct {
        const char *type;
        enum byw_cl_arg_kind kind;
    } handles[] = {{"image1d_t", BYW_CL_ARG_IMAGE},       {"image1d_buffer_t", BYW_CL_ARG_IMAGE},
                   {"image1d_array_t", BYW_CL_ARG_IMAGE}, {"image2d_t", BYW_CL_ARG_IMAGE},
                   {"image2d_array_t", BYW_CL_ARG_IMAGE}, {"image3d_t", BYW_CL_ARG_IMAGE},
                   {"sampler_t", BYW_CL_ARG_SAMPLER},     {"event_t", BYW_CL_ARG_OTHER}};
    unsigned length;
    const char *text = LLVMGetMDString(base_type, &length);

    for (size_t i = 0; text != NULL && i < sizeof(handles) / sizeof(handles[0]); i++)
        if (strlen(handles[i].type) == length && memcmp(text, handles[i].type, length) == 0) {
            arg->kind = handles[i].kind;
            return true;
        }
    return false;
}

static void read_kind(struct byw_cl_module *m, struct byw_cl_unit *unit, unsigned param)
{
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(m->module);
    LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(unit->function, param));
    struct byw_cl_arg *arg = &unit->arg[param];

    arg->kind = BYW_CL_ARG_VALUE;
    if (LLVMGetTypeKind(type) == LLVMPointerTypeKind) {
        static const uint8_t kinds[] = {BYW_CL_ARG_VALUE, BYW_CL_ARG_GLOBAL, BYW_CL_ARG_OTHER,
                                        BYW_CL_ARG_LOCAL, BYW_CL_ARG_CONSTANT};
        unsigned space = LLVMGetPointerAddressSpace(type);

        arg->kind = space < sizeof(kinds) ? kinds[space] : BYW_CL_ARG_OTHER;
        type = byval_type(unit->function, param);
    }
    if (arg->kind != BYW_CL_ARG_VALUE || type == NULL)
        return;
    arg->size = (uint32_t)LLVMABISizeOfType(layout, type);
    arg->least = LLVMGetTypeKind(type) == LLVMStructTypeKind ? 0 : arg->size;
    if (LLVMGetTypeKind(type) == LLVMVectorTypeKind && LLVMGetVectorSize(type) == 3)
        arg->least = arg->size / 4 * 3;
}

enum byw_status byw_cl_read_args(struct byw_cl_module *m, struct byw_cl_unit *unit)
{
    LLVMValueRef *operand;
    unsigned count;

    unit->args = LLVMCountParams(unit->function);
    unit->arg = calloc(unit->args + 1u, sizeof(*unit->arg));
    if (unit->arg == NULL)
        return BYW_ENOMEM;
    read_strings(m, unit, "kernel_arg_name", offsetof(struct byw_cl_arg, name), 64);
    read_strings(m, unit, "kernel_arg_type", offsetof(struct byw_cl_arg, type), 64);
    read_strings(m, unit, "kernel_arg_access_qual", offsetof(struct byw_cl_arg, access), 16);
    read_strings(m, unit, "kernel_arg_type_qual", offsetof(struct byw_cl_arg, qualifier), 40);
    count = metadata(m, unit->function, "kernel_arg_base_type", &operand);
    for (unsigned i = 0; i < unit->args; i++)
        if (i >= count || !read_handle(operand[i], &unit->arg[i]))
            read_kind(m, unit, i);
    free(operand);
    count = metadata(m, unit->function, "reqd_work_group_size", &operand);
    for (unsigned i = 0; i < count && i < 3; i++)
        unit->required[i] = (uint32_t)LLVMConstIntGetZExtValue(operand[i]);
    free(operand);
    return BYW_OK;
}

/* The callee receives its own copy of a struct, aligned as it expects. */
static void pass_by_value(struct byw_cl_module *m, LLVMValueRef function, LLVMValueRef call,
                          unsigned param)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("align", 5);
    LLVMAttributeRef align = LLVMGetEnumAttributeAtIndex(function, param + 1, kind);

    LLVMAddCallSiteAttribute(
        call, param + 1,
        LLVMCreateTypeAttribute(m->context, byval_kind(), byval_type(function, param)));
    if (align != NULL)
        LLVMAddCallSiteAttribute(call, param + 1, align);
}

/* void run(void *const *args): loads the arguments and calls the kernel for one work-item. */
static LLVMValueRef build_entry(struct byw_cl_module *m, struct byw_cl_unit *unit)
{
    LLVMTypeRef byte = LLVMPointerType(LLVMInt8TypeInContext(m->context), 0);
    LLVMTypeRef list = LLVMPointerType(byte, 0);
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(m->context), &list, 1, 0);
    LLVMValueRef entry = LLVMAddFunction(m->module, "", type), call;
    LLVMBuilderRef b = LLVMCreateBuilderInContext(m->context);
    LLVMValueRef *value = calloc(unit->args + 1u, sizeof(LLVMValueRef));

    LLVMSetLinkage(entry, LLVMInternalLinkage);
    LLVMPositionBuilderAtEnd(b, LLVMAppendBasicBlockInContext(m->context, entry, ""));
    for (unsigned i = 0; i < unit->args && value != NULL; i++) {
        LLVMTypeRef param = LLVMTypeOf(LLVMGetParam(unit->function, i));
        LLVMValueRef index = LLVMConstInt(m->word, i, 0), at;

        at = LLVMBuildInBoundsGEP2(b, byte, LLVMGetParam(entry, 0), &index, 1, "");
        at = LLVMBuildLoad2(b, byte, at, "");
        if (byval_type(unit->function, i) != NULL) {
            value[i] = LLVMBuildBitCast(b, at, param, "");
        } else {
            at = LLVMBuildBitCast(b, at, LLVMPointerType(param, 0), "");
            value[i] = LLVMBuildLoad2(b, param, at, "");
            LLVMSetAlignment(value[i], 1);
        }
    }
    call = LLVMBuildCall2(b, LLVMGlobalGetValueType(unit->function), unit->function, value,
                          unit->args, "");
    for (unsigned i = 0; i < unit->args; i++)
        if (byval_type(unit->function, i) != NULL)
            pass_by_value(m, unit->function, call, i);
    LLVMBuildRetVoid(b);
    LLVMDisposeBuilder(b);
    free(value);
    return entry;
}

/* A constant with the blob's bytes, 8-byte aligned. */
static LLVMValueRef build_blob(struct byw_cl_module *m, const struct byw_cl_unit *unit)
{
    LLVMValueRef bytes =
        LLVMConstStringInContext(m->context, unit->blob, (unsigned)unit->blob_size, 1);
    LLVMValueRef global = LLVMAddGlobal(m->module, LLVMTypeOf(bytes), "");

    LLVMSetInitializer(global, bytes);
    LLVMSetGlobalConstant(global, 1);
    LLVMSetLinkage(global, LLVMInternalLinkage);
    LLVMSetAlignment(global, 16);
    return global;
}

/* Keeps a kernel out of its entry, which has no debug information: an inlined kernel would lose its
 * own. */
static void keep_apart(struct byw_cl_module *m, LLVMValueRef function)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("noinline", 8);
    unsigned always = LLVMGetEnumAttributeKindForName("alwaysinline", 12);

    /* A kernel that others call has already been inlined into them. */
    LLVMRemoveEnumAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                   always);
    LLVMAddAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                            LLVMCreateEnumAttribute(m->context, kind, 0));
}

void byw_cl_wrap(struct byw_cl_module *m)
{
    LLVMTypeRef byte = LLVMPointerType(LLVMInt8TypeInContext(m->context), 0), type;
    LLVMValueRef *word = calloc(2 * (size_t)m->units + 2, sizeof(LLVMValueRef)), table, global;

    if (word == NULL)
        return;
    word[0] = LLVMConstBitCast(m->record, byte);
    word[1] = LLVMConstIntToPtr(LLVMConstInt(m->word, m->units, 0), byte);
    for (uint32_t k = 0; k < m->units; k++) {
        LLVMSetLinkage(m->unit[k].function, LLVMInternalLinkage);
        keep_apart(m, m->unit[k].function);
        word[2 + 2 * k] = LLVMConstBitCast(build_blob(m, &m->unit[k]), byte);
        word[3 + 2 * k] = LLVMConstBitCast(build_entry(m, &m->unit[k]), byte);
    }
    table = LLVMConstArray(byte, word, 2 * m->units + 2);
    type = LLVMTypeOf(table);
    global = LLVMAddGlobal(m->module, type, BYW_CL_EXPORT);
    LLVMSetInitializer(global, table);
    LLVMSetGlobalConstant(global, 1);
    free(word);
}
