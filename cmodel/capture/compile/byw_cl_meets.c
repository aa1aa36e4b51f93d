/* SPDX-License-Identifier: Apache-2.0
 *
 * Warp-synchronous code: lanes that exchange values through local memory without a barrier, because
 * a GPU executes a warp in lock step.
 *
 * In a kernel that does this, lanes meet before accesses to local memory and before volatile ones.
 * A meeting point separates a store from the accesses before and after it; consecutive loads need
 * none between them. A block starts with one, because lanes reach it from different places.
 */
#include <stdlib.h>
#include <string.h>

#include "capture/compile/byw_cl_scan.h"
#include "trace/byw_inst.h"

#define DEPTH 8 /* limits on following an index: operations, and blocks back to a branch */
#define TERMS 8 /* of an address */

static bool is_volatile(LLVMValueRef inst)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(inst);

    return (op == LLVMLoad || op == LLVMStore) && LLVMGetVolatile(inst);
}

static bool is_shared(uint8_t cls)
{
    return cls == BYW_CLASS_SHARED_LOAD || cls == BYW_CLASS_SHARED_STORE;
}

bool byw_cl_meets_before(struct byw_cl_met *met, const struct byw_cl_node *node)
{
    bool direct = node->pointer != NULL && (is_shared(node->cls) || is_volatile(node->inst));
    bool loads = node->source != NULL && is_shared(node->source_cls), stores = false, meets;

    if (node->kind == BYW_CL_RMW)
        loads = stores = true;
    else if (direct && node->cls != BYW_CLASS_STORE && node->cls != BYW_CLASS_SHARED_STORE)
        loads = true;
    else if (direct)
        stores = true;
    if (!loads && !stores)
        return false;
    meets = !met->together || met->stores || (stores && met->loads);
    if (meets)
        met->loads = met->stores = false;
    met->together = true;
    met->loads |= loads;
    met->stores |= stores;
    return meets;
}

/* An address in local memory as base + sum of scale * index + offset.  Extensions and truncations
 * of indices are looked through: arrays are small. */
struct place {
    LLVMValueRef base; /* NULL: unknown */
    LLVMValueRef index[TERMS];
    int64_t scale[TERMS], offset;
    uint32_t terms;
    bool read; /* false: unknown */
};

/* A load or store of local memory. */
struct access {
    struct place at;
    int64_t bytes;
    bool store;
};

struct search {
    LLVMTargetDataRef layout;
    struct access *store; /* all stores, in IR order */
    uint32_t stores;
    size_t words; /* 64-bit words of a bit set with a bit for each store */
    uint64_t *in; /* per block: the stores whose value may still be unread on entry */
    uint64_t *live;
    LLVMBasicBlockRef *before; /* per block, its only predecessor; NULL if there are several */
    struct byw_cl_map *number; /* of blocks; of stores */
};

static LLVMOpcode operation(LLVMValueRef value)
{
    return LLVMIsAInstruction(value) == NULL ? LLVMRet : LLVMGetInstructionOpcode(value);
}

static bool is_local_id(LLVMValueRef value)
{
    const char *name = operation(value) == LLVMCall ? byw_cl_callee(value) : NULL;

    return name != NULL && strcmp(name, "_Z12get_local_idj") == 0;
}

/* The value that `value` extends or truncates; NULL: `value` is another operation. */
static LLVMValueRef narrowed(LLVMValueRef value)
{
    LLVMOpcode op = operation(value);
    LLVMValueRef from;

    if (op == LLVMZExt || op == LLVMSExt || op == LLVMTrunc || op == LLVMFreeze)
        return LLVMGetOperand(value, 0);
    if (op == LLVMAnd && LLVMIsAConstantInt(LLVMGetOperand(value, 1)) != NULL &&
        (uint32_t)LLVMConstIntGetZExtValue(LLVMGetOperand(value, 1)) == UINT32_MAX)
        return LLVMGetOperand(value, 0);
    if (op != LLVMAShr && op != LLVMLShr)
        return NULL;
    from = LLVMGetOperand(value, 0); /* sign extension as a pair of shifts */
    return operation(from) == LLVMShl && LLVMGetOperand(from, 1) == LLVMGetOperand(value, 1)
               ? LLVMGetOperand(from, 0)
               : NULL;
}

/* Whether a value differs between lanes whenever their local IDs do: sums and multiples of the
 * ID. */
static bool is_own(LLVMValueRef value, int depth)
{
    LLVMValueRef from = narrowed(value);

    if (depth == 0 || is_local_id(value))
        return depth != 0;
    if (from != NULL)
        return is_own(from, depth - 1);
    switch (operation(value)) {
    case LLVMAdd:
    case LLVMOr:
    case LLVMMul:
        return is_own(LLVMGetOperand(value, 0), depth - 1) ||
               is_own(LLVMGetOperand(value, 1), depth - 1);
    case LLVMSub:
    case LLVMShl:
        return is_own(LLVMGetOperand(value, 0), depth - 1);
    case LLVMPHI: /* a loop that starts at the work-item's number and steps equally in all lanes */
        return is_own(LLVMGetIncomingValue(value, 0), depth - 1);
    default:
        return false;
    }
}

static bool add_term(struct place *at, LLVMValueRef index, int64_t scale)
{
    uint32_t i = 0;

    while (i < at->terms && at->index[i] != index &&
           !(is_local_id(index) && is_local_id(at->index[i]) &&
             LLVMGetOperand(index, 0) == LLVMGetOperand(at->index[i], 0)))
        i++;
    if (i == TERMS)
        return false;
    if (i == at->terms) {
        at->index[at->terms] = index;
        at->scale[at->terms++] = 0;
    }
    at->scale[i] += scale;
    return true;
}

static bool add_index(struct place *at, LLVMValueRef index, int64_t scale, int depth)
{
    LLVMValueRef other, from = narrowed(index);
    int64_t factor;

    if (LLVMIsAConstantInt(index) != NULL) {
        at->offset += scale * LLVMConstIntGetSExtValue(index);
        return true;
    }
    if (from != NULL && depth != 0)
        return add_index(at, from, scale, depth - 1);
    if (depth == 0 || LLVMIsAInstruction(index) == NULL || LLVMGetNumOperands(index) < 2)
        return add_term(at, index, scale);
    other = LLVMGetOperand(index, 1);
    factor = LLVMIsAConstantInt(other) != NULL ? LLVMConstIntGetSExtValue(other) : 0;
    switch (operation(index)) {
    case LLVMAdd:
    case LLVMOr: /* how LLVM writes a sum without carries */
        return add_index(at, LLVMGetOperand(index, 0), scale, depth - 1) &&
               add_index(at, other, scale, depth - 1);
    case LLVMSub:
        return add_index(at, LLVMGetOperand(index, 0), scale, depth - 1) &&
               add_index(at, other, -scale, depth - 1);
    case LLVMMul:
        return factor != 0 ? add_index(at, LLVMGetOperand(index, 0), scale * factor, depth - 1)
                           : add_term(at, index, scale);
    case LLVMShl:
        return factor > 0 && factor < 32
                   ? add_index(at, LLVMGetOperand(index, 0), scale << factor, depth - 1)
                   : add_term(at, index, scale);
    default:
        return add_term(at, index, scale);
    }
}

static void read_place(LLVMValueRef pointer, LLVMTargetDataRef layout, struct place *at)
{
    struct byw_cl_address address;

    byw_cl_address_read(pointer, layout, &address);
    memset(at, 0, sizeof(*at));
    at->base = byw_cl_base(pointer);
    at->offset = (int64_t)address.offset;
    at->read = address.root == at->base;
    for (uint32_t i = 0; i < address.terms && at->read; i++)
        at->read = add_index(at, address.index[i], (int64_t)address.scale[i], DEPTH);
}

/* Subtracts `b` from `a`; false unless they are known to have the same base. */
static bool subtract(struct place *a, const struct place *b)
{
    a->offset -= b->offset;
    for (uint32_t i = 0; i < b->terms; i++)
        if (!add_term(a, b->index[i], -b->scale[i]))
            return false;
    return a->read && b->read;
}

/* Size in bytes of the shortest row longer than `step`, from the array's type or its indices. */
static int64_t row_of(const struct search *s, const struct place *at, int64_t step)
{
    LLVMTypeRef type =
        LLVMIsAGlobalVariable(at->base) == NULL ? NULL : LLVMGlobalGetValueType(at->base);
    int64_t row = INT64_MAX;

    for (uint32_t i = 0; i < at->terms; i++)
        if (llabs(at->scale[i]) > step && llabs(at->scale[i]) < row)
            row = llabs(at->scale[i]);
    while (type != NULL && LLVMGetTypeKind(type) == LLVMArrayTypeKind) {
        type = LLVMGetElementType(type);
        if ((int64_t)LLVMABISizeOfType(s->layout, type) > step &&
            (int64_t)LLVMABISizeOfType(s->layout, type) < row)
            row = (int64_t)LLVMABISizeOfType(s->layout, type);
    }
    return row;
}

/* Whether a lane can only load values that it stored itself. Both addresses grow by the same
 * `step` from lane to lane; their difference must be less than a step (an index inside the
 * lane's slice) or a multiple of whole rows. Indices are assumed to be within their ranges. */
static bool is_in_slice(const struct search *s, const struct place *between,
                        const struct place *load, int64_t bytes)
{
    int64_t step = 0, row;

    for (uint32_t i = 0; i < load->terms; i++)
        if (is_own(load->index[i], DEPTH) && (step == 0 || llabs(load->scale[i]) < step))
            step = llabs(load->scale[i]);
    for (uint32_t i = 0; i < between->terms; i++) {
        int64_t scale = llabs(between->scale[i]);

        if (scale != 0 && (scale == step || is_own(between->index[i], DEPTH)))
            return false;
    }
    row = row_of(s, load, step);
    return step != 0 && llabs(between->offset % row) + bytes <= step;
}

/* Whether two addresses are in different rows of an array, as constant indices show. */
static bool is_in_other_row(const struct search *s, const struct place *store,
                            const struct place *load, int64_t bytes)
{
    int64_t row = row_of(s, load, bytes);

    for (uint32_t i = 0; i < store->terms; i++)
        if (llabs(store->scale[i]) >= row)
            return false;
    for (uint32_t i = 0; i < load->terms; i++)
        if (llabs(load->scale[i]) >= row)
            return false;
    return row != INT64_MAX && store->read && load->read &&
           store->offset / row != load->offset / row;
}

/* Whether only the work-item with *id == *value runs a block. */
static bool is_single(const struct search *s, LLVMBasicBlockRef block, LLVMValueRef *id,
                      int64_t *value)
{
    for (int i = 0; i < DEPTH; i++) {
        LLVMBasicBlockRef before = s->before[byw_cl_map_get(s->number, block)];
        LLVMValueRef end, test;
        struct place at = {.read = true};

        if (before == NULL)
            return false;
        end = LLVMGetBasicBlockTerminator(before);
        test =
            LLVMIsABranchInst(end) != NULL && LLVMIsConditional(end) ? LLVMGetCondition(end) : end;
        if (operation(test) == LLVMICmp && LLVMIsAConstantInt(LLVMGetOperand(test, 1)) != NULL &&
            LLVMGetICmpPredicate(test) ==
                (LLVMGetSuccessor(end, 0) == block ? LLVMIntEQ : LLVMIntNE) &&
            add_index(&at, LLVMGetOperand(test, 0), 1, DEPTH) && at.terms == 1 &&
            at.scale[0] == 1 && is_local_id(at.index[0])) {
            *id = at.index[0];
            *value = LLVMConstIntGetSExtValue(LLVMGetOperand(test, 1)) - at.offset;
            return true;
        }
        block = before;
    }
    return false;
}

/* Substitutes a work-item's number in an address. */
static void insert(struct place *at, LLVMValueRef id, int64_t value)
{
    for (uint32_t i = 0; i < at->terms; i++)
        if (is_local_id(at->index[i]) && LLVMGetOperand(at->index[i], 0) == LLVMGetOperand(id, 0)) {
            at->offset += at->scale[i] * value;
            at->scale[i] = 0;
        }
}

static bool is_private(const struct search *s, const struct access *store,
                       const struct access *load, LLVMBasicBlockRef block)
{
    struct place between = store->at;
    int64_t bytes = store->bytes > load->bytes ? store->bytes : load->bytes, value;
    LLVMValueRef id;

    if (is_in_other_row(s, &store->at, &load->at, bytes))
        return true;
    if (subtract(&between, &load->at) && is_in_slice(s, &between, &load->at, bytes))
        return true;
    if (!is_single(s, block, &id, &value))
        return false;
    between = store->at;
    if (!subtract(&between, &load->at))
        return false;
    insert(&between, id, value);
    for (uint32_t i = 0; i < between.terms; i++)
        if (between.scale[i] != 0)
            return false;
    return between.offset == 0;
}

/* Two different arguments, or variables, are different memory. */
static bool may_alias(const struct access *a, const struct access *b)
{
    return a->at.base == NULL || b->at.base == NULL || a->at.base == b->at.base;
}

static bool read_access(const struct search *s, LLVMValueRef inst, struct access *access)
{
    LLVMValueRef pointer = byw_cl_scratchpad_access(inst, s->layout, &access->bytes);

    if (pointer == NULL)
        return false;
    access->store = LLVMGetInstructionOpcode(inst) == LLVMStore;
    read_place(pointer, s->layout, &access->at);
    return true;
}

/* Whether a load may read another lane's value from one of the stores in s->live. */
static bool is_fed(const struct search *s, const struct access *load, LLVMBasicBlockRef block)
{
    for (uint32_t i = 0; i < s->stores; i++)
        if ((s->live[i / 64] >> (i % 64) & 1) && may_alias(&s->store[i], load) &&
            !is_private(s, &s->store[i], load, block))
            return true;
    return false;
}

/* Propagates s->live through a block.  Returns whether it reaches a load in the block. */
static bool walk(const struct search *s, LLVMBasicBlockRef block)
{
    struct access access;

    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        if (byw_cl_is_ordering(i))
            memset(s->live, 0, s->words * sizeof(*s->live));
        if (!read_access(s, i, &access))
            continue;
        if (access.store) {
            uint32_t n = byw_cl_map_get(s->number, i);
            s->live[n / 64] |= 1ull << (n % 64);
        } else if (is_fed(s, &access, block)) {
            return true;
        }
    }
    return false;
}

/* Adds the stores live at the end of each block to the entry of its successors, until nothing
 * changes. */
static bool flow(const struct search *s, LLVMValueRef function)
{
    size_t bytes = s->words * sizeof(*s->live);

    for (bool changed = true; changed;) {
        changed = false;
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b;
             b = LLVMGetNextBasicBlock(b)) {
            memcpy(s->live, s->in + byw_cl_map_get(s->number, b) * s->words, bytes);
            if (walk(s, b))
                return true;
            changed |= byw_cl_flow_on(b, s->number, s->live, s->in, s->words);
        }
    }
    return false;
}

/* Finds and numbers the stores. */
static void collect(struct search *s, LLVMValueRef function)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (LLVMGetInstructionOpcode(i) == LLVMStore && read_access(s, i, &s->store[s->stores]))
                byw_cl_map_set(s->number, i, s->stores++);
}

/* Numbers the blocks and finds those with a single predecessor. */
static void number_blocks(struct search *s, LLVMValueRef function)
{
    uint32_t blocks = 0;

    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        byw_cl_map_set(s->number, b, blocks++);
    byw_cl_find_before(function, s->number, false, s->before);
}

bool byw_cl_must_meet(LLVMValueRef function, LLVMTargetDataRef layout)
{
    struct search s = {.layout = layout};
    uint32_t blocks = LLVMCountBasicBlocks(function), stores = 0;
    bool found = false;

    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            stores += LLVMGetInstructionOpcode(i) == LLVMStore;
    s.store = malloc((stores + (size_t)1) * sizeof(*s.store));
    s.number = byw_cl_map_create((size_t)stores + blocks);
    s.before = calloc(blocks + (size_t)1, sizeof(LLVMBasicBlockRef));
    if (s.store != NULL && s.number != NULL && s.before != NULL)
        collect(&s, function);
    if (s.stores != 0) {
        number_blocks(&s, function);
        s.words = (s.stores + 63u) / 64u;
        s.in = calloc((blocks + (size_t)1) * s.words, sizeof(*s.in));
        s.live = s.in == NULL ? NULL : s.in + blocks * s.words;
        found = s.in != NULL && flow(&s, function);
    }
    free(s.in);
    free(s.store);
    free(s.before);
    byw_cl_map_free(s.number);
    return found;
}
