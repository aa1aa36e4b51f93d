/* SPDX-License-Identifier: Apache-2.0
 *
 * wmma and mma.sync: fragments of matrices in all shapes and types (byw_cu_matrix.h).
 *
 * Loads and stores access what a register holds at once where it is contiguous, otherwise its
 * elements one by one.  For a product, the lanes of a warp pass their registers to the library,
 * meet, and each computes its elements of the result.
 */
#include <stdio.h>
#include <string.h>

#include "capture/cuda/byw_cu_matrix.h"
#include "capture/cuda/byw_ptx_gen.h"

static const struct {
    const char *name;
    uint32_t bits;
} types[] = {
#define X(id, name, bits) {name, bits},
    BYW_CU_MATRIX_TYPES(X)
#undef X
};

/* What an opcode says. Qualifiers may be in any order; only types and layouts have a fixed one. */
struct form {
    uint32_t m, n, k;
    uint32_t type[4], types;
    bool column[2]; /* layouts: column-major */
    uint32_t layouts;
    bool clamps, both, popc, sparse;
    char what, matrix; /* load, store, mma; a to d */
};

static bool read_part(const char *part, struct form *f)
{
    char end;

    for (uint32_t i = 0; i < BYW_CU_MATRIX_TYPE_COUNT; i++)
        if (strcmp(part, types[i].name) == 0) {
            if (f->types == 4)
                return false;
            f->type[f->types++] = i;
            return true;
        }
    if (sscanf(part, "m%3un%3uk%3u%c", &f->m, &f->n, &f->k, &end) == 3)
        return true;
    if (strcmp(part, "row") == 0 || strcmp(part, "col") == 0) {
        if (f->layouts == 2)
            return false;
        f->column[f->layouts++] = part[0] == 'c';
        return true;
    }
    if (strcmp(part, "load") == 0 || strcmp(part, "store") == 0 || strcmp(part, "mma") == 0)
        f->what = part[0];
    else if (strlen(part) == 1 && part[0] >= 'a' && part[0] <= 'd')
        f->matrix = part[0];
    f->clamps |= strcmp(part, "satfinite") == 0;
    f->both |= strcmp(part, "and") == 0;
    f->popc |= strcmp(part, "popc") == 0;
    f->sparse |= strcmp(part, "sp") == 0 || strcmp(part, "sp::ordered_metadata") == 0;
    return strncmp(part, "kind::", 6) != 0 && strncmp(part, "block_scale", 11) != 0;
}

static bool read_form(const struct byw_ptx_instruction *inst, struct form *f)
{
    memset(f, 0, sizeof(*f));
    f->what = strcmp(inst->part[0], "mma") == 0 ? 'm' : 0;
    for (uint32_t i = 1; i < inst->parts; i++)
        if (!read_part(inst->part[i], f))
            return false;
    return f->what != 0 && f->m % 8 == 0 && f->n % 8 == 0 && f->k != 0 && f->types != 0;
}

/* A fragment: `lines` groups of 8 rows (for B, columns), and along k `pieces` groups of 4
 * registers. */
struct fragment {
    uint32_t type, pack, lines, pieces;
};

static struct fragment fragment_of(const struct form *f, bool b, uint32_t type)
{
    struct fragment r = {.type = type, .pack = types[type].bits >= 32 ? 1 : 32 / types[type].bits};

    r.lines = (b ? f->n : f->m) / 8;
    r.pieces = (f->sparse && !b ? f->k / 2 : f->k) / r.pack / 4;
    return r;
}

static bool is_fragment(const struct form *f, const struct fragment *r)
{
    uint32_t k = r->pieces * r->pack * 4;

    return (k == f->k || (f->sparse && 2 * k == f->k)) && r->lines != 0 && r->pieces != 0 &&
           r->lines * r->pieces <= BYW_CU_MATRIX_REGISTERS;
}

/* Type of a register: 32 bits, or 64 for double precision. */
static LLVMTypeRef word_of(struct byw_ptx_gen *g, uint32_t type)
{
    return types[type].bits == 64 ? g->i64 : g->i32;
}

/* --- loads and stores
 * ----------------------------------------------------------------------------- */

/* A matrix in memory: element (line, k) is at index across * line + along * k, where one of the two
 * factors is the stride and the other 1. */
struct memory {
    LLVMValueRef pointer, stride; /* stride: in elements, 64 bits */
    bool lines_apart; /* the stride is between lines, not between elements of one */
    uint32_t bits;
};

static LLVMValueRef number(struct byw_ptx_gen *g, uint64_t value)
{
    return LLVMConstInt(g->i64, value, 0);
}

/* The pointer to an element; its address is not counted as an instruction. */
static LLVMValueRef element(struct byw_ptx_gen *g, const struct memory *m, LLVMValueRef line,
                            LLVMValueRef k, LLVMTypeRef access)
{
    LLVMTypeRef type = LLVMPointerType(access, LLVMGetPointerAddressSpace(LLVMTypeOf(m->pointer)));
    LLVMValueRef far = m->lines_apart ? line : k, near = m->lines_apart ? k : line, at;

    byw_ptx_hide(g, true);
    at = LLVMBuildAdd(g->b, LLVMBuildMul(g->b, far, m->stride, ""), near, "");
    at = LLVMBuildLShr(g->b, LLVMBuildMul(g->b, at, number(g, m->bits), ""), number(g, 3), "");
    at = LLVMBuildGEP2(g->b, g->i8, m->pointer, &at, 1, "");
    at = LLVMBuildBitCast(g->b, at, type, "");
    byw_ptx_hide(g, false);
    return at;
}

static LLVMValueRef load(struct byw_ptx_gen *g, LLVMValueRef pointer, LLVMTypeRef type)
{
    LLVMValueRef value = LLVMBuildLoad2(g->b, type, pointer, "");

    LLVMSetAlignment(value, LLVMGetIntTypeWidth(type) / 8);
    return value;
}

static void store(struct byw_ptx_gen *g, LLVMValueRef value, LLVMValueRef pointer)
{
    LLVMSetAlignment(LLVMBuildStore(g->b, value, pointer),
                     LLVMGetIntTypeWidth(LLVMTypeOf(value)) / 8);
}

static bool read_memory(struct byw_ptx_gen *g, const struct byw_ptx_instruction *inst,
                        const struct byw_ptx_operand *address, const struct byw_ptx_operand *stride,
                        uint32_t least, struct memory *m)
{
    m->pointer = byw_ptx_pointer(g, address, byw_ptx_space_of(inst));
    m->stride = stride != NULL ? byw_ptx_value_as(g, stride, g->i64, false) : number(g, least);
    return m->pointer != NULL && m->stride != NULL;
}

/* line_of: lane / 4 + add. place_of: lane % 4 * scale + add. */
static LLVMValueRef line_of(struct byw_ptx_gen *g, LLVMValueRef lane, uint32_t add)
{
    return LLVMBuildAdd(g->b, LLVMBuildLShr(g->b, lane, number(g, 2), ""), number(g, add), "");
}

static LLVMValueRef place_of(struct byw_ptx_gen *g, LLVMValueRef lane, uint32_t scale, uint32_t add)
{
    LLVMValueRef quarter = LLVMBuildAnd(g->b, lane, number(g, 3), "");

    return LLVMBuildAdd(g->b, LLVMBuildMul(g->b, quarter, number(g, scale), ""), number(g, add),
                        "");
}

static LLVMValueRef lane_of(struct byw_ptx_gen *g)
{
    return byw_ptx_cast(g, byw_ptx_special(g, "%laneid"), g->i64, false);
}

/* One register of A or B. */
static LLVMValueRef load_piece(struct byw_ptx_gen *g, const struct fragment *r,
                               const struct memory *m, LLVMValueRef line, LLVMValueRef k)
{
    LLVMTypeRef word = word_of(g, r->type), small;
    LLVMValueRef all = LLVMConstInt(word, 0, 0);

    if (r->pack == 1 || m->lines_apart)
        return load(g, element(g, m, line, k, word), word);
    if (m->bits < 8)
        return NULL; /* elements below 8 bits have only one layout */
    small = LLVMIntTypeInContext(g->context, m->bits);
    for (uint32_t i = 0; i < r->pack; i++) {
        LLVMValueRef at = LLVMBuildAdd(g->b, k, number(g, i), "");
        LLVMValueRef one = load(g, element(g, m, line, at, small), small);

        byw_ptx_hide(g, true);
        one = LLVMBuildShl(g->b, LLVMBuildZExt(g->b, one, word, ""),
                           LLVMConstInt(word, (uint64_t)i * m->bits, 0), "");
        all = LLVMBuildOr(g->b, all, one, "");
        byw_ptx_hide(g, false);
    }
    return all;
}

static bool load_fragment(struct byw_ptx_gen *g, const struct byw_ptx_instruction *inst,
                          const struct form *f)
{
    const struct byw_ptx_operand *to = &inst->operand[0];
    bool b = f->matrix == 'b';
    struct fragment r = fragment_of(f, b, f->type[0]);
    struct memory m = {.lines_apart = f->column[0] == b, .bits = types[r.type].bits};
    uint32_t own = r.lines * r.pieces, count = to->kind == BYW_PTX_OP_LIST ? to->count : 1;
    LLVMValueRef value[BYW_CU_MATRIX_REGISTERS], lane;

    if (!is_fragment(f, &r) || count % own != 0 ||
        !read_memory(g, inst, &inst->operand[1], inst->operands > 2 ? &inst->operand[2] : NULL,
                     m.lines_apart ? f->k
                     : b           ? f->n
                                   : f->m,
                     &m))
        return false;
    byw_ptx_hide(g, true);
    lane = lane_of(g);
    for (uint32_t i = 0; i < own; i++) {
        uint32_t line = b ? i / r.pieces : i % r.lines, piece = b ? i % r.pieces : i / r.lines;
        LLVMValueRef at = line_of(g, lane, 8 * line),
                     k = place_of(g, lane, r.pack, 4 * r.pack * piece);

        byw_ptx_hide(g, false);
        value[i] = load_piece(g, &r, &m, at, k);
        byw_ptx_hide(g, true);
        if (value[i] == NULL)
            return false;
    }
    byw_ptx_hide(g, false);
    for (uint32_t i = 0; i < count; i++) /* unused registers repeat others */
        if (!byw_ptx_assign(g, to->kind == BYW_PTX_OP_LIST ? &to->list[i] : to, value[i % own],
                            false))
            return false;
    return true;
}

/* Number of registers of a result: two elements per block, which share a register if they are
 * halves. */
static uint32_t results_of(const struct form *f, uint32_t type)
{
    return f->m / 8 * (f->n / 8) * (type == BYW_CU_MATRIX_F16 ? 1u : 2u);
}

/* Loads C from memory, or stores D to memory. */
static bool move_result(struct byw_ptx_gen *g, const struct byw_ptx_instruction *inst,
                        const struct form *f)
{
    bool loads = f->what == 'l', halves = f->type[0] == BYW_CU_MATRIX_F16;
    const struct byw_ptx_operand *list = &inst->operand[loads ? 0 : 1];
    struct memory m = {.lines_apart = !f->column[0], .bits = types[f->type[0]].bits};
    LLVMTypeRef small = LLVMIntTypeInContext(g->context, m.bits);
    uint32_t count = results_of(f, f->type[0]), rows = f->m / 8;
    LLVMValueRef lane;

    if (list->kind != BYW_PTX_OP_LIST || list->count != count ||
        !read_memory(g, inst, &inst->operand[loads ? 1 : 0],
                     inst->operands > 2 ? &inst->operand[2] : NULL, m.lines_apart ? f->n : f->m,
                     &m))
        return false;
    byw_ptx_hide(g, true);
    lane = lane_of(g);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t block = halves ? i : i / 2;
        LLVMTypeRef word = word_of(g, f->type[0]);
        LLVMValueRef all = LLVMConstInt(word, 0, 0), bits = NULL;

        if (!loads && (bits = byw_ptx_value_as(g, &list->list[i], word, false)) == NULL)
            return false;
        for (uint32_t h = 0; h < (halves ? 2u : 1u); h++) {
            LLVMValueRef row = line_of(g, lane, block % rows * 8),
                         shift = LLVMConstInt(word, 16 * h, 0);
            LLVMValueRef column = place_of(g, lane, 2, block / rows * 8 + (halves ? h : i % 2));
            LLVMValueRef at = element(g, &m, row, column, small), one;

            if (loads) {
                one = load(g, at, small);
                byw_ptx_hide(g, true);
                one = LLVMBuildShl(g->b, byw_ptx_cast(g, one, word, false), shift, "");
                all = LLVMBuildOr(g->b, all, one, "");
            } else {
                byw_ptx_hide(g, true);
                one = byw_ptx_cast(g, LLVMBuildLShr(g->b, bits, shift, ""), small, false);
                byw_ptx_hide(g, false);
                store(g, one, at);
                byw_ptx_hide(g, true);
            }
        }
        if (loads && !byw_ptx_assign(g, &list->list[i], all, false))
            return false;
    }
    byw_ptx_hide(g, false);
    return true;
}

/* --- products
 * ------------------------------------------------------------------------------------- */

/* Types of a product's D, A, B and C; wmma on halves names D and C only. */
static bool read_types(const struct byw_ptx_instruction *inst, const struct form *f,
                       uint32_t type[4])
{
    if (f->types == 4) {
        memcpy(type, f->type, sizeof(f->type));
    } else if (f->types == 2 && strcmp(inst->part[0], "wmma") == 0) {
        type[0] = f->type[0];
        type[1] = type[2] = BYW_CU_MATRIX_F16;
        type[3] = f->type[1];
    } else {
        return false;
    }
    return types[type[1]].bits == types[type[2]].bits && (type[1] == BYW_CU_MATRIX_B1) == f->popc;
}

static const struct byw_ptx_operand *register_of(const struct byw_ptx_operand *list, uint32_t i)
{
    return list->kind == BYW_PTX_OP_LIST ? &list->list[i] : list;
}

static uint32_t registers_of(const struct byw_ptx_operand *list)
{
    return list->kind == BYW_PTX_OP_LIST ? list->count : 1;
}

static bool put(struct byw_ptx_gen *g, LLVMValueRef item, const struct byw_ptx_operand *list,
                const struct fragment *r, uint32_t first)
{
    for (uint32_t i = 0; i < r->lines * r->pieces; i++) {
        LLVMValueRef bits = byw_ptx_value_as(g, register_of(list, i), word_of(g, r->type), false);
        LLVMValueRef args[3] = {item, byw_ptx_number(g, first + i), NULL};

        if (bits == NULL)
            return false;
        args[2] = byw_ptx_cast(g, bits, g->i64, false);
        byw_ptx_call_library(g, "ptx_matrix_put", args, 3);
    }
    return true;
}

static LLVMValueRef bits_at(struct byw_ptx_gen *g, const struct byw_ptx_operand *list, uint32_t i,
                            uint32_t type)
{
    LLVMValueRef bits = byw_ptx_value_as(g, register_of(list, i), word_of(g, type), false);

    return bits == NULL ? NULL : byw_ptx_cast(g, bits, g->i64, false);
}

/* The bits of C for register i of D: its element, or two where the register has two halves. */
static LLVMValueRef before(struct byw_ptx_gen *g, const struct byw_ptx_operand *c,
                           const uint32_t type[4], uint32_t i)
{
    bool halves = type[3] == BYW_CU_MATRIX_F16;
    LLVMValueRef low, high;

    if (halves == (type[0] == BYW_CU_MATRIX_F16))
        return bits_at(g, c, i, type[3]);
    if (halves) {
        low = bits_at(g, c, i / 2, type[3]);
        return low == NULL ? NULL : LLVMBuildLShr(g->b, low, number(g, i % 2 * 16), "");
    }
    low = bits_at(g, c, 2 * i, type[3]);
    high = bits_at(g, c, 2 * i + 1, type[3]);
    return low == NULL || high == NULL
               ? NULL
               : LLVMBuildOr(g->b, low, LLVMBuildShl(g->b, high, number(g, 32), ""), "");
}

/* mma.m8n8k4 of halves, whose lanes work in four groups. */
static bool multiply_quads(struct byw_ptx_gen *g, const struct byw_ptx_instruction *inst,
                           const struct form *f)
{
    const struct byw_ptx_operand *d = &inst->operand[0], *c = &inst->operand[3];
    const struct fragment two = {.type = BYW_CU_MATRIX_F16, .pack = 2, .lines = 1, .pieces = 2};
    bool halves = f->type[0] == BYW_CU_MATRIX_F16;
    uint32_t count = halves ? 4 : 8, turned = f->column[0] | (uint32_t)!f->column[1] << 1;
    LLVMValueRef item, value[8];

    if (inst->operands != 4 || f->types != 4 || f->type[0] != f->type[3] ||
        registers_of(d) != count || registers_of(c) != count ||
        registers_of(&inst->operand[1]) != 2 || registers_of(&inst->operand[2]) != 2)
        return false;
    byw_ptx_hide(g, true);
    item = byw_ptx_marker(g, "byw_cl_linear", g->i32);
    if (!put(g, item, &inst->operand[1], &two, 0) ||
        !put(g, item, &inst->operand[2], &two, BYW_CU_MATRIX_REGISTERS))
        return false;
    byw_ptx_call_named(g, "byw_cl_meet");
    for (uint32_t i = 0; i < count; i++) {
        LLVMValueRef args[] = {item, byw_ptx_number(g, halves), byw_ptx_number(g, turned),
                               byw_ptx_number(g, i), bits_at(g, c, i, f->type[3])};

        if (args[4] == NULL)
            return false;
        byw_ptx_hide(g, i != 0); /* counts as one instruction */
        value[i] = byw_ptx_call_library(g, "ptx_matrix_quad", args, 5);
    }
    byw_ptx_hide(g, true);
    byw_ptx_call_named(g, "byw_cl_meet");
    for (uint32_t i = 0; i < count; i++)
        if (!byw_ptx_assign(g, register_of(d, i), byw_ptx_cast(g, value[i], g->i32, false), false))
            return false;
    byw_ptx_hide(g, false);
    return true;
}

/* Passes the metadata of a sparse product to the library; *form gets the selector. */
static bool put_metadata(struct byw_ptx_gen *g, const struct byw_ptx_instruction *inst,
                         LLVMValueRef item, uint32_t *form)
{
    const struct byw_ptx_operand *selector = &inst->operand[5];
    LLVMValueRef args[] = {item, byw_ptx_number(g, BYW_CU_MATRIX_METADATA),
                           byw_ptx_value_as(g, &inst->operand[4], g->i64, false)};

    if (args[2] == NULL || selector->kind != BYW_PTX_OP_INTEGER || selector->value > 3)
        return false;
    byw_ptx_call_library(g, "ptx_matrix_put", args, 3);
    *form |= BYW_CU_MATRIX_SPARSE((uint32_t)selector->value);
    return true;
}

static bool multiply(struct byw_ptx_gen *g, const struct byw_ptx_instruction *inst,
                     const struct form *f)
{
    const struct byw_ptx_operand *d = &inst->operand[0], *c = &inst->operand[3];
    uint32_t type[4], count, form, shape;
    struct fragment a, b;
    LLVMValueRef item, value[32];

    if (inst->operands != (f->sparse ? 6 : 4) || !read_types(inst, f, type))
        return false;
    a = fragment_of(f, false, type[1]);
    b = fragment_of(f, true, type[2]);
    count = results_of(f, type[0]);
    if (!is_fragment(f, &a) || !is_fragment(f, &b) || registers_of(d) != count || count > 32 ||
        registers_of(c) != results_of(f, type[3]) ||
        registers_of(&inst->operand[1]) % (a.lines * a.pieces) != 0 ||
        registers_of(&inst->operand[2]) % (b.lines * b.pieces) != 0)
        return false;
    form = BYW_CU_MATRIX_FORM(type[1], type[2], type[0], type[3], (uint32_t)f->clamps,
                              (uint32_t)f->both);
    shape = BYW_CU_MATRIX_SHAPE(f->k, a.lines, b.lines);
    byw_ptx_hide(g, true);
    item = byw_ptx_marker(g, "byw_cl_linear", g->i32);
    if (!put(g, item, &inst->operand[1], &a, 0) ||
        !put(g, item, &inst->operand[2], &b, BYW_CU_MATRIX_REGISTERS) ||
        (f->sparse && !put_metadata(g, inst, item, &form)))
        return false;
    byw_ptx_call_named(g, "byw_cl_meet");
    for (uint32_t i = 0; i < count; i++) {
        LLVMValueRef args[] = {item, byw_ptx_number(g, form), byw_ptx_number(g, shape),
                               byw_ptx_number(g, i), before(g, c, type, i)};

        if (args[4] == NULL)
            return false;
        byw_ptx_hide(g, i != 0); /* counts as one instruction */
        value[i] = byw_ptx_call_library(g, "ptx_matrix_get", args, 5);
    }
    byw_ptx_hide(g, true);
    byw_ptx_call_named(g, "byw_cl_meet");
    for (uint32_t i = 0; i < count; i++)
        if (!byw_ptx_assign(g, register_of(d, i),
                            byw_ptx_cast(g, value[i], word_of(g, type[0]), false), false))
            return false;
    byw_ptx_hide(g, false);
    return true;
}

bool byw_ptx_rule_matrix(struct byw_ptx_gen *g, const struct byw_ptx_instruction *inst)
{
    struct form f;

    if (byw_ptx_rule_library(g, inst)) /* the usual forms, compiled beforehand */
        return true;
    if (!read_form(inst, &f) || inst->operands < 2)
        return false;
    if (f.what == 'm' && f.k == 4 && f.types > 1 && f.type[1] == BYW_CU_MATRIX_F16)
        return multiply_quads(g, inst, &f);
    if (f.what == 'm')
        return multiply(g, inst, &f);
    return f.matrix == 'a' || f.matrix == 'b' ? load_fragment(g, inst, &f)
                                              : move_result(g, inst, &f);
}
