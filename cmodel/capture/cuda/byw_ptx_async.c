/* SPDX-License-Identifier: Apache-2.0
 *
 * Barriers in shared memory (mbarrier) and bulk copies.
 *
 * A bulk copy is performed when it is issued.  Performing it later would give the same result: a
 * program may not write the source or use the destination until it has waited for the copy. So
 * groups of bulk copies are complete when they are committed, and a copy to shared memory reports
 * all its bytes to its barrier at once.
 */
#include <string.h>

#include "capture/cuda/byw_ptx_gen.h"

#define COORDINATES 5u /* of a tensor, at most */

/* An address as the parameter of a library function: a pointer into an address space, or a number.
 */
static LLVMValueRef address(struct byw_ptx_gen *g, const char *function, unsigned param,
                            const struct byw_ptx_operand *operand, enum byw_ptx_space space)
{
    LLVMValueRef pointer = byw_ptx_pointer(g, operand, space);
    LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(byw_ptx_library_function(g, function), param));

    if (pointer == NULL)
        return NULL;
    return LLVMGetTypeKind(type) == LLVMPointerTypeKind
               ? LLVMBuildBitCast(g->b, pointer, type, "")
               : LLVMBuildPtrToInt(g->b, pointer, type, "");
}

/* A change of a barrier's counts. */
struct change {
    const struct byw_ptx_operand *arrivals, *bytes;
    uint32_t delivered; /* bytes that have arrived, if `bytes` is NULL */
    bool comes, drops; /* comes: the bytes have arrived; drops: later phases need fewer arrivals */
    uint32_t arrives; /* number of arrivals, if `arrivals` is NULL */
};

/* Emits a change of a barrier. Returns the barrier's state before it; NULL: an operand has no
 * value. */
static LLVMValueRef update(struct byw_ptx_gen *g, const struct byw_ptx_operand *barrier,
                           const struct change *c)
{
    static const char function[] = "ptx_mbarrier_update";
    LLVMValueRef args[4] = {address(g, function, 0, barrier, BYW_PTX_SHARED),
                            byw_ptx_number(g, c->arrives), byw_ptx_number(g, 0 - c->delivered),
                            byw_ptx_number(g, 0)};

    if (c->arrivals != NULL)
        args[1] = byw_ptx_value_as(g, c->arrivals, g->i32, false);
    if (c->bytes != NULL)
        args[2] = byw_ptx_value_as(g, c->bytes, g->i32, false);
    if (args[0] == NULL || args[1] == NULL || args[2] == NULL)
        return NULL;
    if (c->comes)
        args[2] = LLVMBuildNeg(g->b, args[2], "");
    if (c->drops)
        args[3] = args[1];
    return byw_ptx_call_library(g, function, args, 4);
}

bool byw_ptx_deliver(struct byw_ptx_gen *g, const struct byw_ptx_operand *barrier, uint32_t bytes)
{
    const struct change c = {.delivered = bytes};

    return update(g, barrier, &c) != NULL;
}

/* mbarrier.arrive[_drop] state, [barrier] [, count]; with .expect_tx, the last operand is a number
 * of bytes, and there is one arrival. */
static bool arrive(struct byw_ptx_gen *g, const struct byw_ptx_instruction *inst)
{
    bool announces = byw_ptx_has(inst, "expect_tx");
    const struct byw_ptx_operand *more = inst->operands == 3 ? &inst->operand[2] : NULL;
    struct change c = {.arrivals = announces ? NULL : more,
                       .bytes = announces ? more : NULL,
                       .drops = strcmp(inst->part[1], "arrive_drop") == 0,
                       .arrives = 1};
    LLVMValueRef state;

    if (inst->operands < 2 || inst->operands > 3 || (announces && more == NULL))
        return false;
    state = update(g, &inst->operand[1], &c);
    return state != NULL && byw_ptx_assign(g, &inst->operand[0], state, false);
}

/* mbarrier.test_wait and try_wait: both wait until the phase is over. The wait is given up when no
 * other work-item can run.  The time limit is ignored. */
static bool wait(struct byw_ptx_gen *g, const struct byw_ptx_instruction *inst)
{
    static const char function[] = "ptx_mbarrier_wait";
    bool parity = byw_ptx_has(inst, "parity");
    LLVMValueRef args[2], state;

    if (inst->operands < 3 || inst->operands > 4)
        return false;
    args[0] = address(g, function, 0, &inst->operand[1], BYW_PTX_SHARED);
    state = byw_ptx_value_as(g, &inst->operand[2], parity ? g->i32 : g->i64, false);
    if (args[0] == NULL || state == NULL)
        return false;
    args[1] = parity ? state : byw_ptx_call_library(g, "ptx_mbarrier_parity", &state, 1);
    return byw_ptx_assign(g, &inst->operand[0], byw_ptx_call_library(g, function, args, 2), false);
}

static bool init(struct byw_ptx_gen *g, const struct byw_ptx_instruction *inst)
{
    bool ends = strcmp(inst->part[1], "inval") == 0;
    const char *function = ends ? "ptx_mbarrier_inval" : "ptx_mbarrier_init";
    LLVMValueRef args[2];

    if (inst->operands != (ends ? 1 : 2))
        return false;
    args[0] = address(g, function, 0, &inst->operand[0], BYW_PTX_SHARED);
    args[1] = ends ? args[0] : byw_ptx_value_as(g, &inst->operand[1], g->i32, false);
    if (args[0] == NULL || args[1] == NULL)
        return false;
    byw_ptx_call_library(g, function, args, ends ? 1 : 2);
    return true;
}

/* mbarrier.expect_tx, complete_tx [barrier], bytes */
static bool transact(struct byw_ptx_gen *g, const struct byw_ptx_instruction *inst)
{
    struct change c = {.bytes = &inst->operand[1],
                       .comes = strcmp(inst->part[1], "complete_tx") == 0};

    return inst->operands == 2 && update(g, &inst->operand[0], &c) != NULL;
}

static bool pending_count(struct byw_ptx_gen *g, const struct byw_ptx_instruction *inst)
{
    LLVMValueRef state =
        inst->operands == 2 ? byw_ptx_value_as(g, &inst->operand[1], g->i64, false) : NULL;

    return state != NULL &&
           byw_ptx_assign(g, &inst->operand[0],
                          byw_ptx_call_library(g, "ptx_mbarrier_pending", &state, 1), false);
}

bool byw_ptx_rule_mbarrier(struct byw_ptx_gen *g, const struct byw_ptx_instruction *inst)
{
    static const struct {
        const char *name;
        byw_ptx_rule *rule;
    } list[] = {
        {"init", init},          {"inval", init},           {"arrive", arrive},
        {"arrive_drop", arrive}, {"test_wait", wait},       {"try_wait", wait},
        {"expect_tx", transact}, {"complete_tx", transact}, {"pending_count", pending_count}};

    for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++)
        if (inst->parts > 1 && strcmp(inst->part[1], list[i].name) == 0)
            return list[i].rule(g, inst);
    return false;
}

/* cp.async.mbarrier.arrive: an arrival as soon as the thread's copies are complete, which they
 * always are. Without .noinc, the phase first needs one arrival more, so that nothing changes. */
static bool arrive_behind(struct byw_ptx_gen *g, const struct byw_ptx_instruction *inst)
{
    struct change c = {.arrives = byw_ptx_has(inst, "noinc") ? 1 : 0};

    return inst->operands == 1 && update(g, &inst->operand[0], &c) != NULL;
}

/* cp.async.bulk.TO.FROM.mbarrier::complete_tx::bytes [to], [from], size, [barrier] ...
 * cp.async.bulk.global.shared::cta.bulk_group [to], [from], size ...
 * With .multicast::cluster, the next operand is a mask of blocks.  Cache policies are ignored. */
static bool copy(struct byw_ptx_gen *g, const struct byw_ptx_instruction *inst)
{
    bool stores = strcmp(inst->part[3], "global") == 0;
    bool moves = !stores && strcmp(inst->part[4], "global") != 0;
    bool spreads = byw_ptx_has(inst, "multicast::cluster");
    const char *function = stores    ? "ptx_bulk_store"
                           : moves   ? "ptx_bulk_move"
                           : spreads ? "ptx_bulk_spread"
                                     : "ptx_bulk_load";
    uint32_t count = stores ? 3 : spreads ? 5 : 4;
    LLVMValueRef args[5];

    if (inst->operands < count || byw_ptx_has(inst, "cp_mask") ||
        byw_ptx_has(inst, "bulk_group") != stores)
        return false;
    args[0] = address(g, function, 0, &inst->operand[0], stores ? BYW_PTX_GLOBAL : BYW_PTX_SHARED);
    args[1] = address(g, function, 1, &inst->operand[1],
                      stores || moves ? BYW_PTX_SHARED : BYW_PTX_GLOBAL);
    args[2] = byw_ptx_value_as(g, &inst->operand[2], g->i32, false);
    args[3] = stores ? args[2] : address(g, function, 3, &inst->operand[3], BYW_PTX_SHARED);
    args[4] = spreads ? byw_ptx_value_as(g, &inst->operand[4], g->i32, false) : args[3];
    for (uint32_t i = 0; i < 5; i++)
        if (args[i] == NULL)
            return false;
    byw_ptx_call_library(g, function, args, count);
    return true;
}

/* The operands of a tensor's box, [map, {coordinates}], as six arguments: the map and five
 * coordinates. */
static bool box(struct byw_ptx_gen *g, const struct byw_ptx_operand *operand, LLVMValueRef *args)
{
    const struct byw_ptx_operand *at;

    if (operand->kind != BYW_PTX_OP_ADDRESS || operand->count != 2)
        return false;
    at = &operand->list[1];
    args[0] = byw_ptx_value_as(g, &operand->list[0], g->i64, false);
    for (uint32_t i = 0; i < COORDINATES; i++)
        args[1 + i] = at->kind != BYW_PTX_OP_LIST || at->count > COORDINATES ? NULL
                      : i < at->count ? byw_ptx_value_as(g, &at->list[i], g->i32, true)
                                      : byw_ptx_number(g, 0);
    for (uint32_t i = 0; i <= COORDINATES; i++)
        if (args[i] == NULL)
            return false;
    return true;
}

/* cp.async.bulk.tensor.Nd.TO.global.tile.mbarrier::complete_tx::bytes [to], [box], [barrier] ...
 * cp.async.bulk.tensor.Nd.global.shared::cta.tile.bulk_group [box], [from] ... */
static bool copy_tensor(struct byw_ptx_gen *g, const struct byw_ptx_instruction *inst)
{
    static const char *const others[] = {"im2col",         "im2col::w",     "im2col_no_offs",
                                         "im2col::w::128", "tile::gather4", "tile::scatter4"};
    bool stores = strcmp(inst->part[5], "global") == 0;
    bool spreads = byw_ptx_has(inst, "multicast::cluster");
    const char *function = stores    ? "ptx_tensor_store"
                           : spreads ? "ptx_tensor_spread"
                                     : "ptx_tensor_load";
    LLVMValueRef args[4 + COORDINATES];

    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
        if (byw_ptx_has(inst, others[i]))
            return false;
    if (inst->operands < (stores    ? 2u
                          : spreads ? 4u
                                    : 3u) ||
        byw_ptx_has(inst, "bulk_group") != stores ||
        !box(g, &inst->operand[stores ? 0 : 1], &args[stores ? 0 : 1]))
        return false;
    if (stores) {
        args[1 + COORDINATES] =
            address(g, function, 1 + COORDINATES, &inst->operand[1], BYW_PTX_SHARED);
        args[2 + COORDINATES] = args[1 + COORDINATES];
    } else {
        args[0] = address(g, function, 0, &inst->operand[0], BYW_PTX_SHARED);
        args[2 + COORDINATES] =
            address(g, function, 2 + COORDINATES, &inst->operand[2], BYW_PTX_SHARED);
    }
    args[3 + COORDINATES] =
        spreads ? byw_ptx_value_as(g, &inst->operand[3], g->i32, false) : args[2 + COORDINATES];
    if (args[0] == NULL || args[2 + COORDINATES] == NULL || args[3 + COORDINATES] == NULL)
        return false;
    byw_ptx_call_library(g, function, args, (stores ? 2u : spreads ? 4u : 3u) + COORDINATES);
    return true;
}

/* Index of the opcode's qualifier in the list, which byw_cu_tensor.c numbers alike; `count`:
 * none. */
static uint32_t number_in(const struct byw_ptx_instruction *inst, const char *const *list,
                          uint32_t count)
{
    uint32_t i = 0;

    while (i < count && !byw_ptx_has(inst, list[i]))
        i++;
    return i;
}

/* cp.reduce.async.bulk.global.shared::cta.bulk_group.OP.TYPE [to], [from], size
 * cp.reduce.async.bulk.tensor.Nd.global.shared::cta.OP.tile.bulk_group [box], [from] */
static bool reduce(struct byw_ptx_gen *g, const struct byw_ptx_instruction *inst)
{
    static const char *const operations[] = {"add", "min", "max", "inc", "dec", "and", "or", "xor"};
    static const char *const types[] = {"u8",  "u16", "u32", "s32",  "u64", "s64", "f16",
                                        "f32", "",    "f64", "bf16", "b32", "b64"};
    static const char box_function[] = "ptx_tensor_reduce", function[] = "ptx_bulk_reduce";
    uint32_t op = number_in(inst, operations, 8), type = number_in(inst, types, 13);
    LLVMValueRef args[3 + COORDINATES];

    if (op == 8 || !byw_ptx_has(inst, "bulk_group") || byw_ptx_has(inst, "im2col_no_offs"))
        return false;
    if (byw_ptx_has(inst, "tensor")) {
        if (inst->operands < 2 || !box(g, &inst->operand[0], args))
            return false;
        args[1 + COORDINATES] =
            address(g, box_function, 1 + COORDINATES, &inst->operand[1], BYW_PTX_SHARED);
        args[2 + COORDINATES] = byw_ptx_number(g, op);
        if (args[1 + COORDINATES] == NULL)
            return false;
        byw_ptx_call_library(g, box_function, args, 3 + COORDINATES);
        return true;
    }
    if (inst->operands < 3 || type == 13 || !byw_ptx_has(inst, "global"))
        return false;
    args[0] = address(g, function, 0, &inst->operand[0], BYW_PTX_GLOBAL);
    args[1] = address(g, function, 1, &inst->operand[1], BYW_PTX_SHARED);
    args[2] = byw_ptx_value_as(g, &inst->operand[2], g->i32, false);
    args[3] = byw_ptx_number(g, op);
    args[4] = byw_ptx_number(g, type == 11 ? 2 : type == 12 ? 4 : type); /* bits as unsigned */
    if (args[0] == NULL || args[1] == NULL || args[2] == NULL)
        return false;
    byw_ptx_call_library(g, function, args, 5);
    return true;
}

/* tensormap.replace.tile.FIELD.SPACE.b1024.TYPE [map], [ordinal,] value
 * tensormap.cp_fenceproxy ... [to], [from], 128 */
bool byw_ptx_rule_tensormap(struct byw_ptx_gen *g, const struct byw_ptx_instruction *inst)
{
    /* In the order of byw_cu_tensor.c. */
    static const char *const fields[] = {
        "global_address", "rank",     "box_dim",           "global_dim",   "global_stride",
        "element_stride", "elemtype", "interleave_layout", "swizzle_mode", "fill_mode"};
    bool copies = inst->parts > 1 && strcmp(inst->part[1], "cp_fenceproxy") == 0;
    const char *function = copies ? "ptx_bulk_copy" : "ptx_tensor_replace";
    uint32_t field = 0, last = inst->operands - 1;
    LLVMValueRef args[4];

    while (!copies && field < sizeof(fields) / sizeof(fields[0]) &&
           !byw_ptx_has(inst, fields[field]))
        field++;
    if (inst->operands < 2 || inst->operands > 3 || (copies && inst->operands != 3) ||
        field == sizeof(fields) / sizeof(fields[0]))
        return false;
    args[0] = address(g, function, 0, &inst->operand[0],
                      copies ? BYW_PTX_GLOBAL : byw_ptx_space_of(inst));
    args[1] = copies ? address(g, function, 1, &inst->operand[1], BYW_PTX_SHARED)
                     : byw_ptx_number(g, field);
    args[2] = copies || last == 2
                  ? byw_ptx_value_as(g, &inst->operand[copies ? 2 : 1], g->i32, false)
                  : byw_ptx_number(g, 0);
    args[3] = byw_ptx_value_as(g, &inst->operand[last], g->i64, false);
    for (uint32_t i = 0; i < 4; i++)
        if (args[i] == NULL)
            return false;
    byw_ptx_call_library(g, function, args, copies ? 3 : 4);
    return true;
}

bool byw_ptx_rule_bulk(struct byw_ptx_gen *g, const struct byw_ptx_instruction *inst)
{
    static const char *const orders[] = {"prefetch", "commit_group", "wait_group"};

    if (inst->parts > 3 && strcmp(inst->part[1], "async") == 0 &&
        strcmp(inst->part[2], "mbarrier") == 0)
        return arrive_behind(g, inst);
    if (inst->parts > 5 && strcmp(inst->part[1], "reduce") == 0)
        return reduce(g, inst);
    if (inst->parts < 4 || strcmp(inst->part[1], "async") != 0 ||
        strcmp(inst->part[2], "bulk") != 0)
        return false; /* cp.async: in the library */
    for (size_t i = 0; i < sizeof(orders) / sizeof(orders[0]); i++)
        if (strcmp(inst->part[3], orders[i]) == 0)
            return true;
    if (strcmp(inst->part[3], "tensor") == 0)
        return inst->parts > 6 && copy_tensor(g, inst);
    return inst->parts > 5 && copy(g, inst);
}
