/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/byw_machine.h"

#include <stddef.h>

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
