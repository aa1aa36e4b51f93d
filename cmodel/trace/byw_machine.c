/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/byw_machine.h"

#include <stdlib.h>

static const struct {
    const char *name;
    uint8_t unit;
    bool memory;
} ops[] = {
#define X(code, name, unit, memory) {name, BYW_MACHINE_UNIT_##unit, memory},
#include "trace/byw_machine_ops.def"
#undef X
};

const char *byw_machine_op_name(enum byw_machine_op op)
{
    return ops[op].name;
}

const char *byw_machine_unit_name(enum byw_machine_unit unit)
{
    static const char *const names[] = {
#define X(code, name) name,
        BYW_MACHINE_UNITS(X)
#undef X
    };

    return names[unit];
}

enum byw_machine_unit byw_machine_op_unit(enum byw_machine_op op)
{
    return ops[op].unit;
}

bool byw_machine_op_is_memory(enum byw_machine_op op)
{
    return ops[op].memory;
}

bool byw_machine_op_has_barrier(enum byw_machine_op op)
{
    return op == BYW_MACHINE_DIVERGE || op == BYW_MACHINE_CONVERGE || op == BYW_MACHINE_LEAVE;
}

static bool is_barrier(uint8_t barrier)
{
    return barrier < BYW_MACHINE_BARRIERS || barrier == BYW_MACHINE_NO_BARRIER;
}

static const char *inst_fault(const struct byw_machine *machine, const struct byw_machine_inst *i)
{
    if (i->op >= BYW_MACHINE_OPS)
        return "a machine instruction has no valid kind";
    if (i->stall > 15 || i->yield > 1 || i->wait >= 1u << BYW_MACHINE_BARRIERS)
        return "a machine instruction has a field out of range";
    if (!is_barrier(i->write_barrier) || !is_barrier(i->read_barrier))
        return "a machine instruction sets a barrier that does not exist; expected 0 to 5, or 7";
    if (byw_machine_op_has_barrier(i->op) ? i->width > 15 : (i->width & (i->width - 1)) != 0)
        return "the width of a machine instruction is not a power of two, or not a barrier of 16";
    if (i->target != BYW_MACHINE_NO_TARGET && i->target >= machine->count)
        return "a machine instruction branches to outside of its kernel";
    return NULL;
}

const char *byw_machine_fault(const struct byw_machine *machine)
{
    const char *fault = NULL;

    if (machine->count == 0 || machine->inst == NULL)
        return "a kernel's machine code has no instruction";
    for (uint32_t i = 0; fault == NULL && i < machine->count; i++)
        fault = inst_fault(machine, &machine->inst[i]);
    return fault;
}

bool byw_machine_decides(const struct byw_machine_inst *inst)
{
    if ((inst->flags & (BYW_MACHINE_NEVER | BYW_MACHINE_IF_DIVERGED)) != 0)
        return false;
    if (inst->op == BYW_MACHINE_BRANCH || inst->op == BYW_MACHINE_EXIT)
        return (inst->flags & (BYW_MACHINE_CONDITIONAL | BYW_MACHINE_PREDICATED |
                               BYW_MACHINE_WARP_PREDICATE)) != 0;
    return byw_machine_op_is_memory((enum byw_machine_op)inst->op) &&
           (inst->flags & (BYW_MACHINE_PREDICATED | BYW_MACHINE_WARP_PREDICATE)) != 0;
}

uint32_t byw_machine_used(const struct byw_machine *m)
{
    uint32_t count = m->count;

    while (count > 0 && m->inst[count - 1].op == BYW_MACHINE_NOP)
        count--;
    if (count > 0 && m->inst[count - 1].target == count - 1)
        count--;
    return count;
}

static uint32_t more(const struct byw_machine *m, const uint32_t *left, uint32_t at)
{
    return at >= m->count || left[at] == UINT32_MAX ? UINT32_MAX : left[at] + 1;
}

static uint32_t left_from(const struct byw_machine *m, const uint32_t *left, uint32_t at)
{
    const struct byw_machine_inst *inst = &m->inst[at];
    uint32_t on = more(m, left, at + 1), taken;

    if ((inst->flags & (BYW_MACHINE_NEVER | BYW_MACHINE_IF_DIVERGED)) != 0)
        return on;
    switch ((enum byw_machine_op)inst->op) {
    case BYW_MACHINE_RETURN:
        return (inst->flags & (BYW_MACHINE_CONDITIONAL | BYW_MACHINE_PREDICATED)) == 0 ? 1
                                                                                       : UINT32_MAX;
    case BYW_MACHINE_BRANCH:
        taken = more(m, left, inst->target);
        return !byw_machine_decides(inst) || taken < on ? taken : on;
    case BYW_MACHINE_EXIT:
    case BYW_MACHINE_CALL:
    case BYW_MACHINE_INDIRECT:
    case BYW_MACHINE_BARRIER:
        return UINT32_MAX;
    default:
        return byw_machine_decides(inst) ? UINT32_MAX : on;
    }
}

void byw_machine_find_returns(const struct byw_machine *m, uint32_t *left)
{
    enum { PASSES = 64 }; /* each pass finds the paths with one more jump back */
    bool changed = true;

    for (uint32_t i = 0; i < m->count; i++)
        left[i] = UINT32_MAX;
    for (int pass = 0; pass < PASSES && changed; pass++) {
        changed = false;
        for (uint32_t i = m->count; i-- > 0;) {
            uint32_t now = left_from(m, left, i);

            changed |= now != left[i];
            left[i] = now;
        }
    }
}

bool byw_machine_follow(struct byw_machine_inst *inst, uint32_t count)
{
    const struct byw_machine machine = {.count = count, .inst = inst};
    uint32_t *left = malloc((count + (size_t)1) * sizeof(*left));

    if (left == NULL)
        return false;
    byw_machine_find_returns(&machine, left);
    for (uint32_t i = 0; i < count; i++)
        if (inst[i].op == BYW_MACHINE_CALL && inst[i].target < count &&
            left[inst[i].target] != UINT32_MAX && i + 1 < count &&
            (inst[i].flags & (BYW_MACHINE_NEVER | BYW_MACHINE_CONDITIONAL | BYW_MACHINE_PREDICATED |
                              BYW_MACHINE_WARP_PREDICATE)) == 0)
            inst[i].flags |= BYW_MACHINE_FOLLOWED;
    free(left);
    return true;
}
