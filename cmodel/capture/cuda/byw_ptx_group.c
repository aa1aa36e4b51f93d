/* SPDX-License-Identifier: Apache-2.0
 *
 * wgmma: matrix products of warpgroups.
 *
 * A product is computed when it is issued, by each lane for its own elements.  This is equivalent
 * to computing it later, because a program must not change operands of a product before it has
 * waited for it.  The lanes of a warp meet before the product, so that all registers of A are
 * available, and after it.  Fences and groups of products do nothing.
 */
#include <stdio.h>
#include <string.h>

#include "capture/cuda/byw_ptx_gen.h"
#include "capture/run/byw_cl_code.h"

#define COLUMNS_MOST 256u
#define REGISTERS_OF_A 4u

/* A product as described by its opcode and operands; byw_cu_tile.c reads `form`. */
struct product {
    uint32_t columns, depth, registers, form;
    const struct byw_ptx_operand *d, *a, *b, *keep;
};

enum { F16, BF16, TF32, E4M3, E5M2, S8, U8, TYPES };
static const struct {
    const char *name;
    uint32_t depth; /* columns of A in elements of that type */
    const char *results;
} types[TYPES] = {{"f16", 16, "f32 f16"},  {"bf16", 16, "f32"},     {"tf32", 8, "f32"},
                  {"e4m3", 32, "f32 f16"}, {"e5m2", 32, "f32 f16"}, {"s8", 32, "s32"},
                  {"u8", 32, "s32"}};
static const char *const results[] = {"f32", "f16", "s32"};

static uint32_t type_of(const char *name)
{
    uint32_t i = 0;

    while (i < TYPES && strcmp(types[i].name, name) != 0)
        i++;
    return i;
}

/* Shape and types: wgmma.mma_async.sync.aligned.m64nNkK[.satfinite].d.a.b */
static bool read_opcode(const struct byw_ptx_instruction *inst, struct product *p)
{
    const char *const *last = &inst->part[inst->parts - 1];
    uint32_t a, b, d = 0;
    char end;

    if (strcmp(last[0], "satfinite") == 0) /* before or after the types */
        last--;
    if (inst->parts < 8 || inst->parts > 9 || strcmp(inst->part[1], "mma_async") != 0 ||
        sscanf(inst->part[4], "m64n%3uk%2u%c", &p->columns, &p->depth, &end) != 2)
        return false;
    a = type_of(last[-1]);
    b = type_of(last[0]);
    while (d < 3 && strcmp(results[d], last[-2]) != 0)
        d++;
    if (a == TYPES || b == TYPES || d == 3 || strstr(types[a].results, results[d]) == NULL ||
        strcmp(types[a].results, types[b].results) != 0 || types[a].depth != types[b].depth ||
        (types[a].depth < 32 && a != b) || p->depth != types[a].depth || p->columns % 8 != 0 ||
        p->columns == 0 || p->columns > COLUMNS_MOST)
        return false;
    p->registers = d == 1 ? p->columns / 4 : p->columns / 2;
    p->form = a | b << 3 | d << 6 | (uint32_t)byw_ptx_has(inst, "satfinite") << 12;
    return inst->parts == 8 || byw_ptx_has(inst, "satfinite");
}

/* Sets bits of the form from constant operands: scales 1 or -1, transpositions 0 or 1. */
static bool read_constants(const struct byw_ptx_instruction *inst, struct product *p)
{
    bool registers = p->a->kind == BYW_PTX_OP_LIST;
    const struct byw_ptx_operand *more = &inst->operand[4];
    uint32_t count = inst->operands - 4, negated = 0;

    for (uint32_t i = 0; i < count; i++)
        if (more[i].kind != BYW_PTX_OP_INTEGER ||
            (i < 2 ? more[i].value != 1 && more[i].value != UINT64_MAX : more[i].value > 1))
            return false;
    for (uint32_t i = 0; i < count && i < 2; i++)
        negated ^= more[i].value != 1;
    p->form |= negated << 11 | (uint32_t)registers << 10;
    if (count > 2 && !registers)
        p->form |= (uint32_t)more[2].value << 8;
    if (count == (registers ? 3 : 4))
        p->form |= (uint32_t)more[count - 1].value << 9;
    return count == 0 || count == 2 || count == (registers ? 3 : 4);
}

static bool read_product(const struct byw_ptx_instruction *inst, struct product *p)
{
    if (inst->operands < 4 || !read_opcode(inst, p))
        return false;
    p->d = &inst->operand[0];
    p->a = &inst->operand[1];
    p->b = &inst->operand[2];
    p->keep = &inst->operand[3];
    if (p->d->kind != BYW_PTX_OP_LIST || p->d->count != p->registers ||
        (p->a->kind == BYW_PTX_OP_LIST && p->a->count != REGISTERS_OF_A))
        return false;
    return read_constants(inst, p);
}

/* Passes the lane's registers to the library; false: an operand is not a register. */
static bool put_registers(struct byw_ptx_gen *g, const struct product *p, LLVMValueRef item)
{
    LLVMValueRef args[1 + REGISTERS_OF_A] = {item};

    for (uint32_t i = 0; i < p->registers; i++) {
        args[1] = byw_ptx_number(g, i);
        args[2] = byw_ptx_value_as(g, &p->d->list[i], g->i32, false);
        if (args[2] == NULL)
            return false;
        byw_ptx_call_library(g, "ptx_group_put", args, 3);
    }
    if (p->a->kind != BYW_PTX_OP_LIST)
        return true;
    for (uint32_t i = 0; i < REGISTERS_OF_A; i++) {
        args[1 + i] = byw_ptx_value_as(g, &p->a->list[i], g->i32, false);
        if (args[1 + i] == NULL)
            return false;
    }
    byw_ptx_call_library(g, "ptx_tile_put_a", args, 1 + REGISTERS_OF_A);
    return true;
}

static bool multiply(struct byw_ptx_gen *g, const struct product *p, LLVMValueRef item)
{
    bool registers = p->a->kind == BYW_PTX_OP_LIST;
    LLVMValueRef args[] = {item,
                           LLVMConstInt(g->i64, BYW_CL_SHARED_BASE, 0),
                           registers ? LLVMConstInt(g->i64, 0, 0)
                                     : byw_ptx_value_as(g, p->a, g->i64, false),
                           byw_ptx_value_as(g, p->b, g->i64, false),
                           byw_ptx_number(g, p->columns),
                           byw_ptx_number(g, p->form),
                           byw_ptx_value_as(g, p->keep, g->i1, false)};

    if (args[2] == NULL || args[3] == NULL || args[6] == NULL)
        return false;
    byw_ptx_hide(g, false);
    byw_ptx_call_library(g, "ptx_group_multiply", args, sizeof(args) / sizeof(args[0]));
    byw_ptx_hide(g, true);
    return true;
}

bool byw_ptx_rule_group(struct byw_ptx_gen *g, const struct byw_ptx_instruction *inst)
{
    static const char *const orders[] = {"fence", "commit_group", "wait_group"};
    LLVMValueRef item, args[2];
    struct product p;

    for (size_t i = 0; i < sizeof(orders) / sizeof(orders[0]); i++)
        if (inst->parts > 1 && strcmp(inst->part[1], orders[i]) == 0)
            return true;
    if (!read_product(inst, &p))
        return false;
    byw_ptx_hide(g, true);
    item = byw_ptx_marker(g, "byw_cl_linear", g->i32);
    if (!put_registers(g, &p, item))
        return false;
    byw_ptx_call_named(g, "byw_cl_meet");
    if (!multiply(g, &p, item))
        return false;
    byw_ptx_call_named(g, "byw_cl_meet");
    args[0] = item;
    for (uint32_t i = 0; i < p.registers; i++) {
        args[1] = byw_ptx_number(g, i);
        if (!byw_ptx_assign(g, &p.d->list[i], byw_ptx_call_library(g, "ptx_group_get", args, 2),
                            false))
            return false;
    }
    return true;
}
