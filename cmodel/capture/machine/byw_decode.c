/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/machine/byw_decode.h"

#include <stddef.h>

#include "trace/byw_inst.h"

#define OPCODES 512
#define ALWAYS 7u /* predicate */

/* Opcodes with their form whose distance is in the instruction. */
enum { RELATIVE_CALL = 0x944, RELATIVE_BRANCH = 0x947 };

/* Modes of a branch, bits 32-33. */
enum { BRANCH_PLAIN, BRANCH_UNIFORM, BRANCH_DIVERGED, BRANCH_CONVERGED };
/* Scopes of loads (bits 77-80) that no L1 serves, because other SMs may write the memory. */
enum {
    SCOPE_GPU_PRIVATE = 6,
    SCOPE_GPU,
    SCOPE_MMIO_GPU,
    SCOPE_SYSTEM = 10,
    SCOPE_MMIO_SYSTEM = 12
};
/* Eviction hints, bits 84-86. */
enum { EVICT_FIRST, EVICT_NORMAL, EVICT_LAST, EVICT_LAST_USE, EVICT_UNCHANGED, EVICT_NO_ALLOCATE };

static const struct byw_opcode table[OPCODES] = {
#define X(number, mnemonic, kind, predicate, width)                                                \
    [number] = {mnemonic, BYW_MACHINE_##kind, PREDICATE_##predicate, BYW_WIDTH_##width},
#define PREDICATE_LANE false
#define PREDICATE_WARP true
#include "capture/machine/byw_opcodes.def"
#undef X
};

static unsigned field(const uint64_t word[2], unsigned low, unsigned bits)
{
    return (unsigned)(word[low / 64] >> (low % 64)) & ((1u << bits) - 1);
}

const struct byw_opcode *byw_opcode_of(uint64_t word)
{
    return &table[word % OPCODES];
}

static uint8_t width_of(const uint64_t word[2], enum byw_decode_width rule, uint32_t arch)
{
    static const uint8_t size[8] = {1, 1, 2, 2, 4, 8, 16, 16};
    static const uint8_t atomic80[8] = {4, 4, 8, 4, 4, 8, 8, 0};
    static const uint8_t atomic[8] = {4, 4, 8, 8, 16};
    static const uint8_t real[16] = {4, 8, 16, 4, 8, 16, 0, 0, 0, 4, 8, 16, 4, 8, 16, 8};
    static const uint8_t matrix[4] = {4, 8, 16, 0};

    switch (rule) {
    case BYW_WIDTH_SIZE:
        return size[field(word, 73, 3)];
    case BYW_WIDTH_ATOMIC:
        return (arch < 90 ? atomic80 : atomic)[field(word, 73, 3)];
    case BYW_WIDTH_REAL:
        return real[field(word, 73, 4)];
    case BYW_WIDTH_MATRIX:
        return matrix[field(word, 72, 2)];
    default:
        return 0;
    }
}

/* Sign-extended distance of a branch in bytes, from the next instruction. */
static int64_t distance(const uint64_t word[2], uint32_t arch)
{
    uint64_t high = word[0] >> 34 | (word[1] & 0x3ffff) << 30; /* 48 bits */
    int64_t words = (int64_t)(high << 16) >> 16;

    return (arch < 90 ? words : words * 256 + (int64_t)field(word, 16, 8)) * 4;
}

static uint32_t target_of(int64_t bytes, uint32_t at, uint32_t count)
{
    int64_t index = (int64_t)at + 1 + bytes / BYW_MACHINE_INST_BYTES;

    return bytes % BYW_MACHINE_INST_BYTES == 0 && index >= 0 && index < count
               ? (uint32_t)index
               : BYW_MACHINE_NO_TARGET;
}

static uint8_t hint_of(const uint64_t word[2])
{
    unsigned scope = field(word, 77, 4), evict = field(word, 84, 3);

    if (scope == SCOPE_GPU_PRIVATE || scope == SCOPE_GPU || scope == SCOPE_MMIO_GPU ||
        scope == SCOPE_SYSTEM || scope == SCOPE_MMIO_SYSTEM)
        return BYW_SITE_VOLATILE;
    if (evict == EVICT_NO_ALLOCATE)
        return BYW_SITE_NO_ALLOCATE;
    return evict == EVICT_FIRST || evict == EVICT_LAST_USE ? BYW_SITE_NONTEMPORAL : 0;
}

/* Flags and target of instructions that change the flow. */
static void decode_flow(const uint64_t word[2], struct byw_machine_inst *inst, uint32_t at,
                        uint32_t count, uint32_t arch)
{
    unsigned opcode = field(word, 0, 12), mode = field(word, 32, 2);
    bool conditional = (inst->flags & BYW_MACHINE_PREDICATED) != 0;

    switch (inst->op) {
    case BYW_MACHINE_DIVERGE:
        inst->target = target_of((int32_t)(word[0] >> 32) & ~3, at, count);
        return;
    case BYW_MACHINE_BRANCH:
        conditional |= mode == BRANCH_DIVERGED || mode == BRANCH_CONVERGED;
        inst->flags |= mode == BRANCH_DIVERGED ? BYW_MACHINE_IF_DIVERGED : 0;
        break;
    case BYW_MACHINE_CALL:
    case BYW_MACHINE_RETURN:
    case BYW_MACHINE_INDIRECT:
    case BYW_MACHINE_EXIT:
        break;
    default:
        return;
    }
    if (opcode == RELATIVE_BRANCH || opcode == RELATIVE_CALL)
        inst->target = target_of(distance(word, arch), at, count);
    if (conditional || field(word, 87, 4) != ALWAYS)
        inst->flags |= BYW_MACHINE_CONDITIONAL;
}

struct byw_machine_inst byw_decode(uint64_t first, uint64_t second, uint32_t at, uint32_t count,
                                   uint32_t arch)
{
    const uint64_t word[2] = {first, second};
    const struct byw_opcode *opcode = byw_opcode_of(first);
    struct byw_machine_inst inst = {.op = opcode->kind,
                                    .stall = (uint8_t)field(word, 105, 4),
                                    .yield = (uint8_t)field(word, 109, 1),
                                    .write_barrier = (uint8_t)field(word, 110, 3),
                                    .read_barrier = (uint8_t)field(word, 113, 3),
                                    .wait = (uint8_t)field(word, 116, 6),
                                    .target = BYW_MACHINE_NO_TARGET};
    unsigned predicate = field(word, 12, 4);

    if (predicate != ALWAYS)
        inst.flags |= BYW_MACHINE_PREDICATED | (opcode->warp ? BYW_MACHINE_WARP_PREDICATE : 0);
    if (predicate == (ALWAYS | 8u))
        inst.flags |= BYW_MACHINE_NEVER;
    inst.width = width_of(word, opcode->width, arch);
    if (byw_machine_op_has_barrier(inst.op))
        inst.width = (uint8_t)field(word, 16, 4);
    if (inst.op == BYW_MACHINE_LOAD || inst.op == BYW_MACHINE_ASYNC_COPY)
        inst.flags |= (uint8_t)(hint_of(word) << BYW_MACHINE_HINT_SHIFT);
    decode_flow(word, &inst, at, count, arch);
    return inst;
}
