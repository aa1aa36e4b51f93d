/* SPDX-License-Identifier: Apache-2.0
 *
 * Loops that count to a bound are finite, so their iterations need not be counted.
 */
#include "capture/compile/byw_cl_loops.h"
#include "capture/run/byw_cl_code.h"

struct loop {
    const struct byw_cl_scan *scan;
    const struct byw_cl_part *part;
    uint32_t first, last; /* merge orders of its parts */
    LLVMBasicBlockRef head;
};

static bool has_part(const struct loop *l, uint32_t part)
{
    return part != UINT32_MAX && l->part[part].order >= l->first && l->part[part].order <= l->last;
}

/* Some part of the block; UINT32_MAX: the block is empty because its code was split off. */
static uint32_t part_of(const struct loop *l, LLVMBasicBlockRef block)
{
    uint32_t part = byw_cl_map_get(l->scan->map, block);
    uint32_t node = byw_cl_map_get(l->scan->map, LLVMGetFirstInstruction(block));

    return part != UINT32_MAX || node == UINT32_MAX ? part : l->scan->node[node].part;
}

static bool has_block(const struct loop *l, LLVMBasicBlockRef block)
{
    return has_part(l, part_of(l, block));
}

static bool has_value(const struct loop *l, LLVMValueRef value)
{
    uint32_t node = byw_cl_map_get(l->scan->map, value);

    return LLVMIsAInstruction(value) != NULL &&
           (node == UINT32_MAX || has_part(l, l->scan->node[node].part));
}

/* Width of a counter in bits; even 2^32 iterations take only seconds. */
static unsigned bits_of(LLVMValueRef value)
{
    LLVMOpcode op = LLVMIsAInstruction(value) != NULL ? LLVMGetInstructionOpcode(value) : LLVMRet;

    if (LLVMIsAConstantInt(value) != NULL)
        return 0;
    if (op == LLVMZExt || op == LLVMSExt)
        value = LLVMGetOperand(value, 0);
    return LLVMGetIntTypeWidth(LLVMTypeOf(value));
}

/* The step by which a phi of the loop's head changes; 0: the phi is not a counter. */
static int64_t step_of(const struct loop *l, LLVMValueRef phi, LLVMValueRef *next)
{
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMValueRef value = LLVMGetIncomingValue(phi, i);

        if (!has_block(l, LLVMGetIncomingBlock(phi, i)))
            continue;
        if (LLVMIsAInstruction(value) == NULL || LLVMGetInstructionOpcode(value) != LLVMAdd ||
            LLVMGetOperand(value, 0) != phi || LLVMIsAConstantInt(LLVMGetOperand(value, 1)) == NULL)
            return 0;
        *next = value;
        return LLVMConstIntGetSExtValue(LLVMGetOperand(value, 1));
    }
    return 0;
}

/* Whether the loop continues while the comparison holds (negated: while it does not), and cannot do
 * so forever. */
static bool is_finite(LLVMIntPredicate predicate, bool negated, int64_t step)
{
    switch (predicate) {
    case LLVMIntNE:
        return !negated && (step == 1 || step == -1);
    case LLVMIntEQ:
        return negated && (step == 1 || step == -1);
    case LLVMIntULT:
    case LLVMIntSLT:
        return !negated && step > 0;
    case LLVMIntUGT:
    case LLVMIntSGT:
        return !negated && step < 0;
    case LLVMIntUGE:
    case LLVMIntSGE:
        return negated && step > 0;
    case LLVMIntULE:
    case LLVMIntSLE:
        return negated && step < 0;
    default:
        return false;
    }
}

/* Whether a branch leaves the loop when the counter reaches a bound. */
static bool is_bound(const struct loop *l, LLVMValueRef end, LLVMValueRef phi)
{
    LLVMValueRef test, next = NULL;
    int64_t step = step_of(l, phi, &next);
    bool stays[2];

    if (step == 0 || LLVMIsABranchInst(end) == NULL || !LLVMIsConditional(end))
        return false;
    test = LLVMGetCondition(end);
    for (unsigned s = 0; s < 2; s++) {
        if (part_of(l, LLVMGetSuccessor(end, s)) == UINT32_MAX)
            return false;
        stays[s] = has_block(l, LLVMGetSuccessor(end, s));
    }
    return stays[0] != stays[1] && LLVMIsAICmpInst(test) != NULL &&
           (LLVMGetOperand(test, 0) == phi || LLVMGetOperand(test, 0) == next) &&
           !has_value(l, LLVMGetOperand(test, 1)) && bits_of(LLVMGetOperand(test, 1)) <= 32 &&
           is_finite(LLVMGetICmpPredicate(test), stays[1], step);
}

/* Whether a counter bounds the loop.  Its test must run in every iteration: in the loop's head or
 * at its latch. */
static bool is_bounded_by(const struct loop *l, LLVMValueRef phi)
{
    uint32_t backs = 0;
    bool good = is_bound(l, LLVMGetBasicBlockTerminator(l->head), phi);

    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, i);

        if (!has_block(l, from))
            continue;
        backs++;
        good |= is_bound(l, LLVMGetBasicBlockTerminator(from), phi);
    }
    return good && backs == 1;
}

bool byw_cl_counts(const struct byw_cl_scan *scan, const struct byw_cl_part *part, uint32_t head)
{
    LLVMValueRef first = scan->node[scan->part[head].first].inst;
    struct loop l = {.scan = scan,
                     .part = part,
                     .first = part[head].order,
                     .last = part[head].latch,
                     .head = LLVMGetInstructionParent(first)};

    for (LLVMValueRef i = LLVMGetFirstInstruction(l.head); i && LLVMIsAPHINode(i) != NULL;
         i = LLVMGetNextInstruction(i))
        if (LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMIntegerTypeKind && is_bounded_by(&l, i))
            return true;
    return false;
}
