/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/compile/byw_cl_scan.h"

#include <stdlib.h>
#include <string.h>

#include "capture/byw_capture.h"
#include "trace/byw_inst.h"

#define LOGGED_MOST 256u /* recent addresses of a part that later ones are compared with */

/* Addresses of the part that have their own log words. */
struct logged {
    uint32_t count;
    struct {
        struct byw_cl_address address;
        uint32_t word;
        bool local; /* logged as an offset */
    } at[LOGGED_MOST];
};

uint32_t byw_cl_piece(uint32_t bytes, uint32_t align, uint32_t i, uint32_t *offset)
{
    uint32_t at = 0;

    for (uint32_t k = 0;; k++) {
        uint32_t size = 16;

        if (at >= bytes)
            return 0;
        while (size > align || at + size > bytes)
            size /= 2;
        if (k == i) {
            *offset = at;
            return size;
        }
        at += size;
    }
}

bool byw_cl_constant_is_global(void)
{
    const char *where = getenv(BYW_CAPTURE_ENV_CONSTANT);

    return where != NULL && strcmp(where, "global") == 0;
}

static uint32_t pieces(uint32_t bytes, uint32_t align)
{
    uint32_t count = 0, offset;

    while (byw_cl_piece(bytes, align, count, &offset) != 0)
        count++;
    return count;
}

bool byw_cl_reads_constant_buffer(LLVMValueRef pointer)
{
    LLVMValueRef base = byw_cl_constant_is_global() ? byw_cl_base(pointer) : NULL;

    return base != NULL && LLVMIsAArgument(base) != NULL &&
           LLVMGetPointerAddressSpace(LLVMTypeOf(base)) == BYW_CL_SPACE_CONSTANT;
}

static uint8_t access_class(LLVMValueRef pointer, bool store)
{
    switch (byw_cl_space_of(pointer)) {
    case BYW_CL_SPACE_SHARED:
        return store ? BYW_CLASS_SHARED_STORE : BYW_CLASS_SHARED_LOAD;
    case BYW_CL_SPACE_CONSTANT:
        if (!store && byw_cl_reads_constant_buffer(pointer))
            return BYW_CLASS_LOAD;
        /* stores to parameters set registers */
        return store ? BYW_CLASS_INT : BYW_CLASS_CONST_LOAD;
    case BYW_CL_SPACE_PRIVATE:
        return store ? BYW_CLASS_LOCAL_STORE : BYW_CLASS_LOCAL_LOAD;
    default:
        return store ? BYW_CLASS_STORE : BYW_CLASS_LOAD;
    }
}

static void scan_access(struct byw_cl_node *node, LLVMValueRef pointer, LLVMTypeRef type,
                        LLVMTargetDataRef layout, bool store)
{
    node->kind = BYW_CL_ACCESS;
    node->pointer = pointer;
    node->cls = access_class(pointer, store);
    node->bytes = (uint32_t)LLVMStoreSizeOfType(layout, type);
    node->align = LLVMGetAlignment(node->inst);
    if (node->align == 0)
        node->align = (uint32_t)LLVMABIAlignmentOfType(layout, type);
    node->length = pieces(node->bytes, node->align);
}

static void scan_atomic(struct byw_cl_node *node, LLVMTargetDataRef layout)
{
    LLVMValueRef value = LLVMGetOperand(node->inst, 1);

    node->pointer = LLVMGetOperand(node->inst, 0);
    node->bytes = node->align = (uint32_t)LLVMStoreSizeOfType(layout, LLVMTypeOf(value));
    if (byw_cl_space_of(node->pointer) == BYW_CL_SPACE_SHARED) {
        node->kind = BYW_CL_RMW;
        node->cls = BYW_CLASS_SHARED_LOAD;
        node->length = 3;
    } else {
        node->kind = BYW_CL_ACCESS;
        node->cls = BYW_CLASS_ATOMIC;
        node->length = 1;
    }
}

static uint32_t alignment_of(LLVMValueRef call, LLVMAttributeIndex index)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("align", 5);
    LLVMAttributeRef attribute = LLVMGetCallSiteEnumAttribute(call, index, kind);
    uint64_t align = attribute == NULL ? 1 : LLVMGetEnumAttributeValue(attribute);

    return align > 16 ? 16 : (uint32_t)align;
}

/* Struct copies and clears. Their length is constant, because kernels have no library loops. */
static bool scan_copy(struct byw_cl_node *node)
{
    const char *name = byw_cl_callee(node->inst);
    bool copy, clear;
    LLVMValueRef length;

    if (name == NULL)
        return false;
    copy = strncmp(name, "llvm.memcpy.", 12) == 0 || strncmp(name, "llvm.memmove.", 13) == 0;
    clear = strncmp(name, "llvm.memset.", 12) == 0;
    length = copy || clear ? LLVMGetOperand(node->inst, 2) : NULL;
    if (length == NULL || LLVMIsAConstantInt(length) == NULL)
        return false;
    node->pointer = LLVMGetOperand(node->inst, 0);
    node->kind = BYW_CL_COPY;
    node->bytes = (uint32_t)LLVMConstIntGetZExtValue(length);
    node->align = alignment_of(node->inst, 1);
    node->cls = access_class(node->pointer, true);
    if (copy) {
        uint32_t other = alignment_of(node->inst, 2);

        node->source = LLVMGetOperand(node->inst, 1);
        node->source_cls = access_class(node->source, false);
        if (other < node->align)
            node->align = other;
    }
    node->length = pieces(node->bytes, node->align) * (copy ? 2 : 1);
    return true;
}

/* Whether an instruction does a texture unit's work, of which only the memory accesses count. */
static bool is_hidden(LLVMValueRef inst)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(inst);
    LLVMValueRef pointer;

    if (!byw_cl_is_prelude(inst))
        return false;
    if (op != LLVMLoad && op != LLVMStore)
        return op != LLVMRet;
    pointer = LLVMGetOperand(inst, op == LLVMStore);
    return LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)) != BYW_CL_SPACE_GLOBAL;
}

static void scan_node(struct byw_cl_node *node, LLVMTargetDataRef layout)
{
    LLVMValueRef inst = node->inst;

    if (LLVMIsACallInst(inst) != NULL && byw_cl_is_barrier(inst)) {
        node->kind = BYW_CL_BARRIER_NODE;
        return;
    }
    if (is_hidden(inst)) {
        node->kind = BYW_CL_FREE;
        return;
    }
    switch (LLVMGetInstructionOpcode(inst)) {
    case LLVMLoad:
        scan_access(node, LLVMGetOperand(inst, 0), LLVMTypeOf(inst), layout, false);
        return;
    case LLVMStore:
        scan_access(node, LLVMGetOperand(inst, 1), LLVMTypeOf(LLVMGetOperand(inst, 0)), layout,
                    true);
        return;
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        scan_atomic(node, layout);
        return;
    case LLVMRet:
        node->kind = BYW_CL_EXIT_NODE;
        return;
    case LLVMCall:
        if (scan_copy(node))
            return;
        break;
    default:
        break;
    }
    node->length = byw_cl_classify(inst, &node->cls);
    node->kind = node->length == 0 ? BYW_CL_FREE : BYW_CL_RUN;
}

static bool is_logged(uint8_t cls)
{
    return cls != BYW_CLASS_CONST_LOAD && cls != BYW_CLASS_INT;
}

/* Log word of an address: a new one, or that of an address at a constant distance. */
static uint32_t log_word(struct byw_cl_span *part, struct logged *logged, LLVMValueRef pointer,
                         uint8_t cls, LLVMTargetDataRef layout, int32_t *offset)
{
    bool local = cls == BYW_CLASS_LOCAL_LOAD || cls == BYW_CLASS_LOCAL_STORE;
    struct byw_cl_address address;

    byw_cl_address_read(pointer, layout, &address);
    for (uint32_t i = 0; i < logged->count; i++)
        if (logged->at[i].local == local &&
            byw_cl_address_apart(&logged->at[i].address, &address, offset))
            return logged->at[i].word;
    if (logged->count < LOGGED_MOST) {
        logged->at[logged->count].address = address;
        logged->at[logged->count].word = part->words;
        logged->at[logged->count++].local = local;
    }
    *offset = 0;
    return part->words++;
}

static void log_node(struct byw_cl_span *part, struct byw_cl_node *node, struct logged *logged,
                     LLVMTargetDataRef layout)
{
    uint32_t words = part->words;

    if (node->source != NULL && is_logged(node->source_cls)) {
        node->source_word =
            log_word(part, logged, node->source, node->source_cls, layout, &node->source_offset);
        node->source_known = part->words == words;
    }
    words = part->words;
    if (node->pointer != NULL && is_logged(node->cls)) {
        node->word = log_word(part, logged, node->pointer, node->cls, layout, &node->offset);
        node->known = part->words == words;
    }
}

/* Places a node in its part and numbers its instructions. */
static void place(struct byw_cl_scan *scan, struct byw_cl_node *node)
{
    struct byw_cl_span *part = &scan->part[scan->parts - 1];

    node->part = scan->parts - 1;
    node->position = part->length;
    node->number = scan->instructions;
    part->length += node->length;
    part->count++;
    scan->instructions += node->length;
    if (node->kind == BYW_CL_BARRIER_NODE) {
        part->barrier = ++scan->instructions;
        part->goes_on = scan->barriers = true;
    }
}

static void open_part(struct byw_cl_scan *scan, uint32_t block, struct logged *logged)
{
    scan->part[scan->parts++] =
        (struct byw_cl_span){.first = scan->nodes, .block = block, .words = 1};
    logged->count = 0;
}

bool byw_cl_is_meeting(LLVMValueRef inst)
{
    const char *name = LLVMIsACallInst(inst) == NULL ? NULL : byw_cl_callee(inst);

    return name != NULL && strcmp(name, BYW_CL_MEET_CALL) == 0;
}

static void scan_block(struct byw_cl_scan *scan, LLVMBasicBlockRef b, uint32_t block,
                       const struct byw_cl_map *hazards, struct logged *logged,
                       LLVMTargetDataRef layout)
{
    struct byw_cl_met met = {.together = block == 0};

    byw_cl_map_set(scan->map, b, scan->parts);
    open_part(scan, block, logged);
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
        struct byw_cl_node *node = &scan->node[scan->nodes];

        node->inst = i;
        scan_node(node, layout);
        node->meets = byw_cl_is_meeting(i) || (scan->lockstep && byw_cl_meets_before(&met, node));
        node->meets |= hazards != NULL && byw_cl_map_get(hazards, i) != UINT32_MAX;
        scan->meets |= node->meets;
        if (node->meets) {
            scan->part[scan->parts - 1].goes_on = true;
            open_part(scan, block, logged);
        }
        log_node(&scan->part[scan->parts - 1], node, logged, layout);
        place(scan, node);
        byw_cl_map_set(scan->map, i, scan->nodes++);
        if (node->kind == BYW_CL_BARRIER_NODE) {
            open_part(scan, block, logged);
            met = (struct byw_cl_met){.together = true};
        }
    }
}

static void count_room(LLVMValueRef function, uint32_t *nodes, uint32_t *blocks)
{
    *nodes = *blocks = 0;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        ++*blocks;
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            ++*nodes;
    }
}

enum byw_status byw_cl_scan_function(LLVMValueRef function, LLVMTargetDataRef layout,
                                     struct byw_cl_scan *scan)
{
    struct logged *logged = malloc(sizeof(*logged));
    struct byw_cl_map *hazards;
    uint32_t nodes, blocks, block = 0;

    memset(scan, 0, sizeof(*scan));
    scan->function = function;
    count_room(function, &nodes, &blocks);
    scan->node = calloc(nodes, sizeof(*scan->node));
    scan->part = calloc((size_t)nodes + blocks, sizeof(*scan->part));
    scan->map = byw_cl_map_create((size_t)nodes + blocks);
    if (scan->node == NULL || scan->part == NULL || scan->map == NULL || logged == NULL) {
        byw_cl_scan_release(scan);
        free(logged);
        return BYW_ENOMEM;
    }
    scan->lockstep = byw_cl_must_meet(function, layout);
    hazards = byw_cl_hazards_find(function, layout);
    scan->turns = hazards != NULL;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        scan_block(scan, b, block++, hazards, logged, layout);
    byw_cl_map_free(hazards);
    free(logged);
    scan->exit = scan->instructions;
    return BYW_OK;
}

void byw_cl_scan_release(struct byw_cl_scan *scan)
{
    free(scan->node);
    free(scan->part);
    byw_cl_map_free(scan->map);
    memset(scan, 0, sizeof(*scan));
}
