/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls of the warp library and of the arithmetic library (byw_ptx_gen.h): their function for an
 * instruction is found by the qualifiers of its opcode, in any order.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/cuda/byw_ptx_gen.h"
#include "common/byw_array.h"

#define LIBRARY_ARGS 24u
#define NAME_ROOM 192u
#define NAME_PARTS 32u

/* Parts of opcodes that do not affect the result. */
static bool is_silent(const struct byw_ptx_instruction *inst, uint32_t part)
{
    static const char *const words[] = {"uni", "aligned", "noftz", "L2::cache_hint"};
    static const char *const rounds[] = {"add", "sub", "mul", "fma", "mad"};

    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (strcmp(inst->part[part], words[i]) == 0)
            return strcmp(inst->part[0], "vote") != 0; /* vote.uni */
    if (strncmp(inst->part[0], "bar", 3) == 0 && strcmp(inst->part[part], "cta") == 0)
        return true;
    for (size_t i = 0; i < sizeof(rounds) / sizeof(rounds[0]); i++)
        if (strcmp(inst->part[0], rounds[i]) == 0 && strcmp(inst->part[part], "rn") == 0)
            return true;
    return false;
}

static void library_name(const struct byw_ptx_instruction *inst, char *name, size_t room)
{
    size_t used = (size_t)snprintf(name, room, BYW_PTX_LIBRARY_PREFIX "%s", inst->part[0]);

    for (uint32_t i = 1; i < inst->parts && used < room; i++)
        if (!is_silent(inst, i))
            used += (size_t)snprintf(name + used, room - used, "_%s",
                                     strcmp(inst->part[i], "shared::cta") == 0 ? "shared"
                                                                               : inst->part[i]);
    if (byw_ptx_space_of(inst) == BYW_PTX_GENERIC && strstr(inst->part[0], "matrix") != NULL &&
        strcmp(inst->part[0], "movmatrix") != 0 &&
        used < room) /* ldmatrix, stmatrix: a generic address is one in shared memory, too */
        snprintf(name + used, room - used, "_shared");
    for (char *c = name; *c != '\0'; c++)
        *c = *c == ':' ? '_' : *c;
}

static bool add_argument(struct byw_ptx_gen *g, LLVMValueRef function,
                         const struct byw_ptx_operand *operand, LLVMValueRef *args, unsigned *count)
{
    static const enum byw_ptx_space spaces[] = {BYW_PTX_LOCAL, BYW_PTX_GLOBAL, BYW_PTX_GENERIC,
                                                BYW_PTX_SHARED, BYW_PTX_CONST};
    LLVMTypeRef type;

    if (operand->kind == BYW_PTX_OP_LIST ||
        (operand->kind == BYW_PTX_OP_ADDRESS && operand->count > 1)) { /* [texture, {x, y}] */
        for (uint32_t i = 0; i < operand->count; i++)
            if (!add_argument(g, function, &operand->list[i], args, count))
                return false;
        return true;
    }
    if (*count >= LLVMCountParams(function) || *count >= LIBRARY_ARGS)
        return false;
    type = LLVMTypeOf(LLVMGetParam(function, *count));
    args[*count] = operand->kind == BYW_PTX_OP_ADDRESS
                       ? LLVMGetTypeKind(type) == LLVMPointerTypeKind
                             ? byw_ptx_pointer(g, operand, spaces[LLVMGetPointerAddressSpace(type)])
                             : NULL
                       : byw_ptx_value_as(g, operand, type, true);
    return args[(*count)++] != NULL;
}

/* Assigns the elements of a vector result to a list or pair, or a scalar result to a register. */
static bool take_result(struct byw_ptx_gen *g, const struct byw_ptx_operand *to, LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value);

    if (to->kind == BYW_PTX_OP_LIST && to->count == 1)
        to = to->list;
    if (LLVMGetTypeKind(type) != LLVMVectorTypeKind)
        return byw_ptx_assign(g, to, value, false);
    if (to->kind != BYW_PTX_OP_LIST && to->kind != BYW_PTX_OP_PAIR)
        return byw_ptx_assign(
            g, to, LLVMBuildExtractElement(g->b, value, LLVMConstInt(g->i32, 0, 0), ""), false);
    for (uint32_t i = 0; i < to->count; i++)
        if (i >= LLVMGetVectorSize(type) ||
            !byw_ptx_assign(g, &to->list[i],
                            LLVMBuildExtractElement(g->b, value, LLVMConstInt(g->i32, i, 0), ""),
                            false))
            return false;
    return true;
}

static unsigned operands_of(const struct byw_ptx_operand *operand, uint32_t count)
{
    unsigned all = 0;

    for (uint32_t i = 0; i < count; i++)
        all += operand[i].kind == BYW_PTX_OP_LIST || operand[i].count > 1
                   ? operands_of(operand[i].list, operand[i].count)
                   : 1;
    return all;
}

/* Whether the meaning of a part of an opcode depends on its position: types, layouts of
 * matrices. */
static bool is_placed(const char *part, size_t length)
{
    static const char *const layouts[] = {"row", "col"};
    size_t kind = length > 2 && (part[1] == 'f' || part[1] == 'e') ? 2 : 1; /* bf16, tf32, ue8m0 */

    for (size_t i = 0; i < sizeof(layouts) / sizeof(layouts[0]); i++)
        if (strlen(layouts[i]) == length && memcmp(part, layouts[i], length) == 0)
            return true;
    return length > kind && strchr("usbfegt", part[0]) != NULL && part[kind] >= '0' &&
           part[kind] <= '9';
}

/* Sorts the parts of a function's name, which are separated by '_' ("__" is inside a part), because
 * ptxas accepts qualifiers in any order. Parts for which is_placed() is true follow the others, in
 * their order. */
static void sort_parts(const char *name, char *out, size_t room)
{
    const char *part[NAME_PARTS];
    size_t length[NAME_PARTS], parts = 0, used = 0;

    for (const char *at = name; *at != '\0' && parts < NAME_PARTS; parts++) {
        const char *end = at;

        while (*end != '\0' && (*end != '_' || end[1] == '_' || (end > at && end[-1] == '_')))
            end++;
        part[parts] = at;
        length[parts] = (size_t)(end - at);
        at = *end == '\0' ? end : end + 1;
    }
    for (size_t i = 1; i < parts; i++)
        for (size_t k = i; k > 0; k--) {
            bool placed = is_placed(part[k], length[k]),
                 before = is_placed(part[k - 1], length[k - 1]);
            size_t least = length[k] < length[k - 1] ? length[k] : length[k - 1], size = length[k];
            int order = memcmp(part[k], part[k - 1], least);
            const char *text = part[k];

            if (placed || (!before && (order > 0 || (order == 0 && size >= length[k - 1]))))
                break;
            part[k] = part[k - 1];
            length[k] = length[k - 1];
            part[k - 1] = text;
            length[k - 1] = size;
        }
    out[0] = '\0';
    for (size_t i = 0; i < parts && used < room; i++)
        used += (size_t)snprintf(out + used, room - used, "_%.*s", (int)length[i], part[i]);
}

struct byw_ptx_index {
    size_t count, room;
    struct indexed {
        char sorted[NAME_ROOM];
        const char *name;
    } * entry;
};

static int by_sorted(const void *a, const void *b)
{
    return strcmp(((const struct indexed *)a)->sorted, ((const struct indexed *)b)->sorted);
}

static void add_module(struct byw_ptx_index *index, LLVMModuleRef module)
{
    size_t length;

    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        const char *name = LLVMGetValueName2(f, &length);

        if (LLVMIsDeclaration(f) || strncmp(name, BYW_PTX_LIBRARY_PREFIX, 4) != 0 ||
            !BYW_ARRAY_ROOM(index->entry, index->room, index->count + 1))
            continue;
        index->entry[index->count].name = name;
        sort_parts(name, index->entry[index->count++].sorted, NAME_ROOM);
    }
}

/* The library's function whose name has the same parts in another order; NULL: none. */
static LLVMValueRef find_sorted(struct byw_ptx_gen *g, const char *name)
{
    struct indexed wanted, *found = NULL;

    if (g->index == NULL) {
        g->index = calloc(1, sizeof(*g->index));
        if (g->index == NULL)
            return NULL;
        add_module(g->index, g->warp);
        add_module(g->index, g->arithmetic);
        if (g->index->count != 0)
            qsort(g->index->entry, g->index->count, sizeof(wanted), by_sorted);
    }
    sort_parts(name, wanted.sorted, sizeof(wanted.sorted));
    if (g->index->count != 0)
        found = bsearch(&wanted, g->index->entry, g->index->count, sizeof(wanted), by_sorted);
    return found == NULL ? NULL : byw_ptx_library_function(g, found->name);
}

void byw_ptx_index_free(struct byw_ptx_index *index)
{
    if (index != NULL)
        free(index->entry);
    free(index);
}

/* The function for an opcode. The number of optional operands is part of its name:
 * cp.async with four operands is ptx_cp_async_..._of_4. */
static LLVMValueRef find_library(struct byw_ptx_gen *g, const struct byw_ptx_instruction *inst,
                                 uint32_t operands)
{
    char name[NAME_ROOM], longer[NAME_ROOM + 16];
    LLVMValueRef function;

    library_name(inst, name, sizeof(name));
    snprintf(longer, sizeof(longer), "%s_of_%u", name, operands_of(inst->operand, operands));
    function = byw_ptx_library_function(g, longer);
    if (function == NULL)
        function = byw_ptx_library_function(g, name);
    if (function == NULL)
        function = find_sorted(g, longer);
    return function != NULL ? function : find_sorted(g, name);
}

bool byw_ptx_rule_library(struct byw_ptx_gen *g, const struct byw_ptx_instruction *inst)
{
    /* The last operand of an instruction with .L2::cache_hint is a policy. */
    uint32_t operands =
        inst->operands - (inst->operands != 0 && byw_ptx_has(inst, "L2::cache_hint"));
    LLVMValueRef function = find_library(g, inst, operands), args[LIBRARY_ARGS], value;
    unsigned count = 0;
    uint32_t first;

    if (function == NULL)
        return false;
    first = LLVMGetReturnType(LLVMGlobalGetValueType(function)) != g->none;
    for (uint32_t i = first; i < operands; i++)
        if (!add_argument(g, function, &inst->operand[i], args, &count))
            return false;
    if (count != LLVMCountParams(function) || operands < first)
        return false;
    value = byw_ptx_call_function(g, function, args, count);
    return first == 0 || take_result(g, &inst->operand[0], value);
}
