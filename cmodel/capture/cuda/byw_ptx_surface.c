/* SPDX-License-Identifier: Apache-2.0
 *
 * Surfaces: suld.b and sust.b of one, two or four elements in one to three dimensions and layers.
 */
#include <stdio.h>
#include <string.h>

#include "capture/cuda/byw_ptx_gen.h"

/* Operands with the coordinates x, y and z, counted from 1; 0: no such operand, the coordinate is
 * 0. Layers are along z. */
static const struct {
    const char *name;
    uint32_t x, y, z;
} shapes[] = {
    {"1d", 1, 0, 0}, {"2d", 1, 2, 0}, {"3d", 1, 2, 3}, {"a1d", 2, 0, 1}, {"a2d", 2, 3, 1}};

static LLVMValueRef coordinate(struct byw_ptx_gen *g, const struct byw_ptx_operand *list,
                               uint32_t number)
{
    if (number == 0)
        return byw_ptx_number(g, 0);
    if (list->kind != BYW_PTX_OP_LIST)
        return number == 1 ? byw_ptx_value_as(g, list, g->i32, true) : NULL;
    return number <= list->count ? byw_ptx_value_as(g, &list->list[number - 1], g->i32, true)
                                 : NULL;
}

/* The address of the bytes, 0 outside of the surface; NULL: unknown form. */
static LLVMValueRef place(struct byw_ptx_gen *g, const struct byw_ptx_instruction *inst,
                          const struct byw_ptx_operand *at, uint32_t bytes)
{
    LLVMValueRef args[6] = {NULL};
    size_t s = 0;

    while (s < sizeof(shapes) / sizeof(shapes[0]) && !byw_ptx_has(inst, shapes[s].name))
        s++;
    if (s == sizeof(shapes) / sizeof(shapes[0]) || at->kind != BYW_PTX_OP_ADDRESS || at->count != 2)
        return NULL;
    args[0] = byw_ptx_value_as(g, &at->list[0], g->i64, false);
    args[1] = coordinate(g, &at->list[1], shapes[s].x);
    args[2] = coordinate(g, &at->list[1], shapes[s].y);
    args[3] = coordinate(g, &at->list[1], shapes[s].z);
    args[4] = byw_ptx_number(g, bytes);
    args[5] = byw_ptx_number(g, byw_ptx_has(inst, "clamp"));
    for (int i = 0; i < 6; i++)
        if (args[i] == NULL)
            return NULL;
    return byw_ptx_call_library(g, "ptx_surface_place", args, 6);
}

/* suld.b.SHAPE[.vN].bB.MODE value, [surface, {x ...}]; sust.b with its operands exchanged. */
bool byw_ptx_rule_surface(struct byw_ptx_gen *g, const struct byw_ptx_instruction *inst)
{
    bool stores = strcmp(inst->part[0], "sust") == 0;
    const struct byw_ptx_operand *list = &inst->operand[stores ? 1 : 0];
    uint32_t count = byw_ptx_has(inst, "v4") ? 4 : byw_ptx_has(inst, "v2") ? 2 : 1;
    uint32_t bits = byw_ptx_type_at(inst, 0).bits;
    LLVMValueRef args[5], value;
    char name[32];

    snprintf(name, sizeof(name), "ptx_surface_%s_%u_%u", stores ? "put" : "get", bits, count);
    if (!byw_ptx_has(inst, "b") || inst->operands != 2 || byw_ptx_library_function(g, name) == NULL)
        return false;
    if (list->kind == BYW_PTX_OP_LIST ? list->count != count : count != 1)
        return false;
    args[0] = place(g, inst, &inst->operand[stores ? 0 : 1], count * bits / 8);
    if (args[0] == NULL)
        return false;
    for (uint32_t i = 0; i < count && stores; i++) {
        args[1 + i] =
            byw_ptx_value_as(g, list->kind == BYW_PTX_OP_LIST ? &list->list[i] : list,
                             LLVMIntTypeInContext(g->context, bits < 16 ? 16 : bits), false);
        if (args[1 + i] == NULL)
            return false;
    }
    value = byw_ptx_call_library(g, name, args, stores ? 1 + count : 1);
    for (uint32_t i = 0; i < count && !stores; i++) {
        LLVMValueRef one =
            count == 1 ? value : LLVMBuildExtractElement(g->b, value, byw_ptx_number(g, i), "");

        if (!byw_ptx_assign(g, list->kind == BYW_PTX_OP_LIST ? &list->list[i] : list, one, false))
            return false;
    }
    return true;
}
