/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/compile/byw_cl_transform.h"
#include "capture/compile/byw_cl_loops.h"
#include "capture/machine/byw_ptxas.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/BitWriter.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/byw_cache.h"

#define MALFORMED "malformed.ll" /* in the cache */
#define FNV_BASIS 2166136261u
#define FNV_PRIME 16777619u

static uint32_t mix(uint32_t hash, uint64_t value)
{
    for (int i = 0; i < 8; i++)
        hash = (hash ^ (uint32_t)(value >> (8 * i) & 0xff)) * FNV_PRIME;
    return hash;
}

/* Identity of a kernel's code: its name, and each instruction's operation and constants. Source
 * positions, value names and meeting points do not count. */
static uint32_t identity(const struct byw_cl_unit *unit)
{
    uint32_t hash = FNV_BASIS, meets = 0;

    for (const char *c = unit->name; *c != '\0'; c++)
        hash = mix(hash, (unsigned char)*c);
    for (uint32_t i = 0; i < unit->scan.nodes; i++) {
        const struct byw_cl_node *node = &unit->scan.node[i];
        LLVMOpcode op = LLVMGetInstructionOpcode(node->inst);
        int operands = LLVMGetNumOperands(node->inst);

        meets += node->meets;
        hash = mix(hash, (uint64_t)op << 32 | (node->part - meets));
        hash = mix(hash, (uint64_t)node->bytes << 32 | node->length);
        if (op == LLVMICmp)
            hash = mix(hash, (uint64_t)LLVMGetICmpPredicate(node->inst));
        for (int k = 0; k < operands; k++) {
            LLVMValueRef operand = LLVMGetOperand(node->inst, (unsigned)k);
            uint32_t other = byw_cl_map_get(unit->scan.map, operand);

            if (LLVMIsAConstantInt(operand) != NULL &&
                LLVMGetIntTypeWidth(LLVMTypeOf(operand)) <= 64)
                hash = mix(hash, LLVMConstIntGetZExtValue(operand));
            else if (other != UINT32_MAX)
                hash = mix(hash, other);
        }
    }
    return hash;
}

/* Declares the work-item record, and makes the host the target. */
static enum byw_status retarget(struct byw_cl_module *m, struct byw_diag *diag)
{
    char *triple = LLVMGetDefaultTargetTriple(), *message = NULL, *text;
    LLVMTargetRef target;
    LLVMTargetMachineRef machine;
    LLVMTargetDataRef layout;

    LLVMInitializeNativeTarget();
    if (LLVMGetTargetFromTriple(triple, &target, &message)) {
        byw_diag_set(diag, BYW_EUNSUPPORTED, "LLVM cannot compile for this host: %s", message);
        LLVMDisposeMessage(message);
        LLVMDisposeMessage(triple);
        return BYW_EUNSUPPORTED;
    }
    machine = LLVMCreateTargetMachine(target, triple, "", "", LLVMCodeGenLevelDefault, LLVMRelocPIC,
                                      LLVMCodeModelDefault);
    layout = LLVMCreateTargetDataLayout(machine);
    text = LLVMCopyStringRepOfTargetData(layout);
    LLVMSetDataLayout(m->module, text);
    LLVMSetTarget(m->module, triple);
    LLVMDisposeMessage(text);
    LLVMDisposeTargetData(layout);
    LLVMDisposeTargetMachine(machine);
    LLVMDisposeMessage(triple);
    return BYW_OK;
}

/* Makes functions with a frame of more than a page touch each of its pages in order, so that none
 * can skip the guard page below a stack. */
static void probe_stacks(struct byw_cl_module *m)
{
    LLVMAttributeRef probe =
        LLVMCreateStringAttribute(m->context, "probe-stack", 11, "inline-asm", 10);

    for (LLVMValueRef f = LLVMGetFirstFunction(m->module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f))
            LLVMAddAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, probe);
}

static void add_record(struct byw_cl_module *m)
{
    m->word = LLVMInt64TypeInContext(m->context);
    m->item = LLVMArrayType(m->word, BYW_CL_ITEM_WORDS);
    m->record = LLVMAddGlobal(m->module, m->item, "");
    LLVMSetInitializer(m->record, LLVMConstNull(m->item));
    LLVMSetLinkage(m->record, LLVMInternalLinkage);
    LLVMSetAlignment(m->record, 64);
}

static enum byw_status build_table(struct byw_cl_unit *unit, uint32_t code, const char *why)
{
    const struct byw_cl_marks none = {.why = why};
    struct byw_cl_table_params params = {.name = unit->name,
                                         .identity = code,
                                         .shared_bytes = unit->shared_bytes,
                                         .private_bytes = unit->private_bytes,
                                         .registers = unit->registers,
                                         .compiled_registers = unit->compiled_registers,
                                         .args = unit->args,
                                         .arg = unit->arg,
                                         .marks = unit->marks != NULL ? unit->marks
                                                  : why != NULL       ? &none
                                                                      : NULL};

    memcpy(params.required, unit->required, sizeof(params.required));
    return byw_cl_table_build(&unit->scan, &params, &unit->blob, &unit->blob_size);
}

/* Writes sizes into the tables. They are known only after lowering, but the tables are built from
 * the IR before it. */
static void patch_sizes(const struct byw_cl_module *m, struct byw_cl_unit *unit)
{
    struct byw_cl_code *code = unit->blob;

    code->shared_bytes = unit->shared_bytes;
    code->private_bytes = unit->private_bytes;
    code->lenient = m->lenient;
}

/* An untraced kernel becomes a loop over work-items if possible. */
static enum byw_status instrument(struct byw_cl_module *m, struct byw_cl_unit *unit, bool traced)
{
    struct byw_cl_plan *plan = traced ? NULL : byw_cl_loops_plan(unit);
    enum byw_status status = BYW_OK;

    if (plan == NULL) {
        byw_cl_instrument(m, unit, traced);
    } else {
        byw_cl_instrument_loops(m, unit, plan);
        status = byw_cl_loops_build(m, unit, plan);
    }
    byw_cl_plan_free(plan);
    return status;
}

static enum byw_status transform_units(struct byw_cl_module *m, bool traced, struct byw_diag *diag)
{
    /* Loops must have one entry and one latch, because regions start and end there
     * (byw_cl_regions.c). */
    enum byw_status status =
        traced ? BYW_OK : byw_cl_run_passes(m, "function(loop-simplify)", NULL, diag);

    for (uint32_t k = 0; k < m->units && status == BYW_OK; k++) {
        struct byw_cl_unit *unit = &m->unit[k];
        LLVMTargetDataRef layout = LLVMGetModuleDataLayout(m->module);

        status = byw_cl_scan_function(unit->function, layout, &unit->scan);
        if (status == BYW_OK && unit->arg == NULL)
            status = byw_cl_read_args(m, unit);
        if (status == BYW_OK) {
            unit->registers = byw_cl_registers(&unit->scan, layout);
            unit->compiled_registers =
                unit->marks != NULL && unit->marks->registers != 0
                    ? unit->marks->registers
                    : byw_ptxas_registers(m->report, LLVMGetValueName(unit->function));
            status = build_table(unit, identity(unit), m->machine_why);
        }
    }
    if (status != BYW_OK)
        return byw_diag_set(diag, status, "out of memory");
    add_record(m);
    for (uint32_t k = 0; k < m->units && status == BYW_OK; k++)
        status = instrument(m, &m->unit[k], traced);
    if (status != BYW_OK)
        return byw_diag_set(diag, status, "out of memory");
    byw_cl_lower(m);
    if (m->lowered != NULL)
        m->lowered(m);
    for (uint32_t k = 0; k < m->units; k++)
        patch_sizes(m, &m->unit[k]);
    return m->lowered == NULL ? byw_cl_lower_variables(m, diag) : BYW_OK;
}

/* Writes malformed code to a file next to the compiled kernels, and names it. This is a fault of
 * byway; the text does not belong on the user's terminal. */
static enum byw_status keep_malformed(struct byw_cl_module *m, const char *why,
                                      struct byw_diag *diag)
{
    char folder[BYW_CACHE_PATH], path[BYW_CACHE_PATH + sizeof(MALFORMED)];
    char *text = LLVMPrintModuleToString(m->module);
    FILE *file = NULL;
    bool kept = false;

    if (byw_cache_folder(BYW_CACHE_KERNELS, true, folder, NULL) == BYW_OK) {
        snprintf(path, sizeof(path), "%s/%s", folder, MALFORMED);
        file = fopen(path, "w");
    }
    if (file != NULL) {
        fprintf(file, "%s\n; ", text);
        for (; *why != '\0'; why++)
            fprintf(file, *why == '\n' ? "\n; " : "%c", *why);
        kept = fclose(file) == 0;
    }
    LLVMDisposeMessage(text);
    return byw_diag_set(diag, BYW_EUNSUPPORTED,
                        "byway generated malformed code for this program, which is a bug in byway; "
                        "the code is in %s",
                        kept ? path : "no file, because the cache cannot be written");
}

static enum byw_status save(struct byw_cl_module *m, const char *output, struct byw_diag *diag)
{
    char *message = NULL;
    enum byw_status status = BYW_OK;

    if (LLVMVerifyModule(m->module, LLVMReturnStatusAction, &message))
        status = keep_malformed(m, message, diag);
    else if (LLVMWriteBitcodeToFile(m->module, output) != 0)
        status = byw_diag_set(diag, BYW_EIO, "%s: cannot write", output);
    LLVMDisposeMessage(message);
    return status;
}

enum byw_status byw_cl_transform_module(struct byw_cl_module *m, const char *output, bool traced,
                                        uint64_t *instructions, struct byw_diag *diag)
{
    enum byw_status status = transform_units(m, traced, diag);

    if (status == BYW_OK) {
        byw_cl_make_private(m);
        byw_cl_wrap(m);
        byw_cl_list_variables(m);
        status = retarget(m, diag);
    }
    if (status == BYW_OK && m->targeted != NULL)
        status = m->targeted(m, diag);
    probe_stacks(m);
    if (status == BYW_OK)
        status = save(m, output, diag);
    *instructions = 0;
    for (uint32_t k = 0; k < m->units; k++)
        *instructions += m->unit[k].scan.nodes;
    return status;
}

enum byw_status byw_cl_transform(const char *input, const char *unrolled, const char *report,
                                 const char *machine_why, const char *output, bool traced,
                                 uint64_t *instructions, struct byw_diag *diag)
{
    struct byw_cl_module m = {
        .context = LLVMContextCreate(), .report = report, .machine_why = machine_why};
    enum byw_status status = byw_cl_load_module(&m, input, diag);

    if (status == BYW_OK)
        status = byw_cl_prepare(&m, diag);
    if (status == BYW_OK && unrolled != NULL)
        status = byw_cl_take_unrolled(&m, unrolled, diag);
    if (status == BYW_OK)
        status = byw_cl_transform_module(&m, output, traced, instructions, diag);
    byw_cl_module_release(&m);
    return status;
}
