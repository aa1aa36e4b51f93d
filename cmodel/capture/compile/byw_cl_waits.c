/* SPDX-License-Identifier: Apache-2.0
 *
 * Loops in which a work-item may wait for others: those that read memory that others write, by
 * volatile accesses or atomics.
 *
 * A loop that does nothing else is known to wait as soon as it repeats: its next iteration is the
 * same unless another work-item has run. It stores nothing, carries nothing from iteration to
 * iteration except an unused counter, and its atomics change nothing after the first time.  If it
 * reads only scratchpad, it waits for its own group.
 */
#include "capture/compile/byw_cl_scan.h"
#include "capture/run/byw_cl_code.h"

struct loop {
    const struct byw_cl_scan *scan;
    const struct byw_cl_part *part;
    uint32_t first, last; /* merge orders of its parts: the head's order and latch */
};

static bool has_part(const struct loop *l, uint32_t part)
{
    return l->part[part].order >= l->first && l->part[part].order <= l->last;
}

static bool has_value(const struct loop *l, LLVMValueRef value)
{
    uint32_t n = byw_cl_map_get(l->scan->map, value);

    return LLVMIsAInstruction(value) != NULL && n != UINT32_MAX &&
           has_part(l, l->scan->node[n].part);
}

/* Whether repeating the operation with the same operand has no further effect. */
static bool is_idempotent(const struct loop *l, LLVMValueRef inst)
{
    LLVMValueRef operand = LLVMGetOperand(inst, 1);

    if (LLVMGetInstructionOpcode(inst) == LLVMAtomicCmpXchg)
        return !has_value(l, operand) && !has_value(l, LLVMGetOperand(inst, 2));
    switch (LLVMGetAtomicRMWBinOp(inst)) {
    case LLVMAtomicRMWBinOpXchg:
    case LLVMAtomicRMWBinOpAnd:
    case LLVMAtomicRMWBinOpOr:
    case LLVMAtomicRMWBinOpMax:
    case LLVMAtomicRMWBinOpMin:
    case LLVMAtomicRMWBinOpUMax:
    case LLVMAtomicRMWBinOpUMin:
        return !has_value(l, operand);
    case LLVMAtomicRMWBinOpAdd:
    case LLVMAtomicRMWBinOpSub:
    case LLVMAtomicRMWBinOpXor:
        return LLVMIsNull(operand);
    default:
        return false;
    }
}

/* Whether `only` is the only user of a value in the loop. */
static bool feeds_only(const struct loop *l, LLVMValueRef value, LLVMValueRef only)
{
    for (LLVMUseRef u = LLVMGetFirstUse(value); u; u = LLVMGetNextUse(u))
        if (LLVMGetUser(u) != only && has_value(l, LLVMGetUser(u)))
            return false;
    return true;
}

/* Whether a phi at the head is a count that nothing in the loop depends on. */
static bool is_idle(const struct loop *l, LLVMValueRef phi)
{
    for (LLVMUseRef u = LLVMGetFirstUse(phi); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);

        if (has_value(l, user) &&
            (LLVMIsABinaryOperator(user) == NULL || !feeds_only(l, user, phi)))
            return false;
    }
    return true;
}

/* What a loop does. */
struct verdict {
    bool shares; /* reads memory that others write */
    bool idle; /* does nothing else */
    bool abroad; /* some of that memory is not scratchpad */
};

static void judge_access(const struct byw_cl_node *node, LLVMValueRef pointer, struct verdict *v)
{
    if (!LLVMGetVolatile(node->inst) && LLVMGetOrdering(node->inst) == LLVMAtomicOrderingNotAtomic)
        return;
    v->shares = true;
    v->abroad |= byw_cl_space_of(pointer) == BYW_CL_SPACE_GLOBAL;
}

/* Effect of an instruction on the verdict on its loop. */
static void judge(const struct loop *l, const struct byw_cl_node *node, bool head,
                  struct verdict *v)
{
    switch (LLVMGetInstructionOpcode(node->inst)) {
    case LLVMLoad:
        judge_access(node, LLVMGetOperand(node->inst, 0), v);
        return;
    case LLVMStore:
        judge_access(node, LLVMGetOperand(node->inst, 1), v);
        v->idle = false;
        return;
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        v->shares = v->abroad = true;
        v->idle &= is_idempotent(l, node->inst);
        return;
    case LLVMPHI:
        v->idle &= !head || is_idle(l, node->inst);
        return;
    case LLVMCall: {
        const char *name = byw_cl_callee(node->inst);

        v->idle &= node->kind != BYW_CL_BARRIER_NODE && node->kind != BYW_CL_COPY && name != NULL &&
                   name[0] != 'p'; /* printf */
        return;
    }
    default:
        return;
    }
}

bool byw_cl_find_waits(const struct byw_cl_scan *scan, struct byw_cl_part *part)
{
    bool found = false;

    for (uint32_t h = 0; h < scan->parts; h++) {
        struct loop l = {scan, part, part[h].order, part[h].latch};
        struct verdict v = {.idle = true};

        if (l.first == l.last)
            continue;
        for (uint32_t p = 0; p < scan->parts; p++) {
            const struct byw_cl_span *span = &scan->part[p];

            if (!has_part(&l, p))
                continue;
            v.idle &= p == h || part[p].latch == part[p].order; /* no loop inside */
            for (uint32_t i = span->first; i < span->first + span->count; i++)
                judge(&l, &scan->node[i], p == h, &v);
        }
        part[h].waits = !v.shares  ? BYW_CL_WAITS_NEVER
                        : !v.idle  ? BYW_CL_WAITS_MAYBE
                        : v.abroad ? BYW_CL_WAITS_IDLY
                                   : BYW_CL_WAITS_GROUP;
        found |= part[h].waits >= BYW_CL_WAITS_IDLY;
    }
    return found;
}
