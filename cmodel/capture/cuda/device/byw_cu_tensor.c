/* SPDX-License-Identifier: Apache-2.0
 *
 * Bulk copies of boxes of tensors.  In shared memory a box is contiguous, with its rows in order;
 * in swizzled boxes the 16-byte pieces of a row are permuted by address bits.
 */
#include "capture/cuda/byw_cu_tensor.h"
#include "byw_cu_arithmetic.h"

u16 ptx_cvt_rn_f16_f32(f32 a);
u16 ptx_cvt_rn_g16_f32(f32 a);
f32 ptx_cvt_x_f32_f16(u16 a);
f32 ptx_cvt_x_f32_g16(u16 a);

#define PIECE 16u

/* A row of a box: `first` is the address that its element 0 would have; elements below `from` and
 * from `to` on are outside of the tensor. */
struct row {
    u64 first;
    u32 from, to;
};

static u32 extent(const struct byw_cu_tensor *m, u32 d)
{
    u32 step = m->step[d] == 0 ? 1 : m->step[d];

    return d > m->rank ? 1 : (m->box[d] + step - 1) / step;
}

static struct row find_row(const struct byw_cu_tensor *m, const s32 *at, u32 number)
{
    s64 last = (s64)m->size[0] - at[0];
    struct row row = {m->address + (u64)((s64)at[0] * byw_cu_tensor_element(m->type)), 0,
                      m->box[0]};

    row.from = at[0] < 0 ? (u32)-at[0] : 0;
    row.from = row.from < row.to ? row.from : row.to;
    row.to = last < (s64)row.to ? (u32)(last < (s64)row.from ? row.from : last) : row.to;
    for (u32 d = 1; d <= m->rank; d++) {
        s64 here = at[d] + (s64)(number % extent(m, d)) * (m->step[d] == 0 ? 1 : m->step[d]);

        number /= extent(m, d);
        row.first += (u64)here * m->stride[d - 1];
        if (here < 0 || here >= m->size[d])
            row.to = row.from;
    }
    return row;
}

PTX_CALL u32 ptx_tensor_rows(u64 map)
{
    const struct byw_cu_tensor *m = (const struct byw_cu_tensor *)map;
    u32 rows = 1;

    for (u32 d = 1; d < BYW_CU_TENSOR_RANK; d++)
        rows *= extent(m, d);
    return rows;
}
PTX_CALL u32 ptx_tensor_bytes(u64 map)
{
    const struct byw_cu_tensor *m = (const struct byw_cu_tensor *)map;

    return ptx_tensor_rows(map) * m->box[0] * byw_cu_tensor_element(m->type);
}

/* Where the bytes of a row that are inside of the tensor begin (`end` 0) or end (`end` 1). */
PTX_CALL u64 ptx_tensor_edge(u64 map, s32 c0, s32 c1, s32 c2, s32 c3, s32 c4, u32 row, u32 end)
{
    const struct byw_cu_tensor *m = (const struct byw_cu_tensor *)map;
    const s32 at[BYW_CU_TENSOR_RANK] = {c0, c1, c2, c3, c4};
    struct row r = find_row(m, at, row);

    return r.first + (u64)(end ? r.to : r.from) * byw_cu_tensor_element(m->type);
}

/* The offset in shared memory of a byte of the box. */
static u8 *swizzled(const struct byw_cu_tensor *m, u64 at)
{
    return (u8 *)(at ^ (at >> 3 & ((1u << m->swizzle) - 1) * PIECE));
}

/* Writes an element that is outside of the tensor. */
static void fill(const struct byw_cu_tensor *m, u8 *to, u32 bytes)
{
    static const u64 nans[] = {
        [6] = 0x7fff,  [7] = 0x7fffffff,  [8] = 0x7fffffff, [9] = 0x7fffffffffffffff,
        [10] = 0x7fff, [11] = 0x7fffffff, [12] = 0x7fffffff};
    u64 bits = m->nan ? nans[m->type] : 0;

    __builtin_memcpy(to, &bits, bytes);
}

/* Copies one row, to shared memory or from there. */
static void copy_row(const struct byw_cu_tensor *m, u64 shared, struct row row, bool load)
{
    u32 bytes = byw_cu_tensor_element(m->type), per = PIECE / bytes;

    for (u32 k = 0; k < m->box[0]; k++) {
        u8 *own = swizzled(m, shared + (u64)k * bytes), *other = (u8 *)(row.first + (u64)k * bytes);
        bool inside = k >= row.from && k < row.to;
        u32 size = bytes;

        if (k % per == 0 && k >= row.from && k + per <= row.to) {
            size = PIECE;
            k += per - 1;
        }
        if (load && inside)
            __builtin_memcpy(own, other, size);
        else if (load)
            fill(m, own, bytes);
        else if (inside)
            __builtin_memcpy(other, own, size);
    }
}

PTX_CALL void ptx_tensor_copy(u64 shared, u64 map, s32 c0, s32 c1, s32 c2, s32 c3, s32 c4,
                              bool load)
{
    const struct byw_cu_tensor *m = (const struct byw_cu_tensor *)map;
    const s32 at[BYW_CU_TENSOR_RANK] = {c0, c1, c2, c3, c4};
    u32 rows = byw_cu_tensor_element(m->type) == 0 ? 0 : ptx_tensor_rows(map);

    for (u32 i = 0; i < rows; i++)
        copy_row(m, shared + (u64)i * m->box[0] * byw_cu_tensor_element(m->type),
                 find_row(m, at, i), load);
}

u64 ptx_cluster_map(u64 address, u32 rank, u32 own);
u64 ptx_mbarrier_update(u64 barrier, u32 arrivals, u32 bytes, u32 dropped);
/* As ptx_bulk_copies(). */
PTX_CALL void ptx_tensor_copies(u64 shared, u64 map, s32 c0, s32 c1, s32 c2, s32 c3, s32 c4,
                                u64 barrier, u32 blocks, u32 own)
{
    for (u32 rank = 0; blocks >> rank != 0; rank++)
        if (blocks >> rank & 1) {
            ptx_tensor_copy(ptx_cluster_map(shared, rank, own), map, c0, c1, c2, c3, c4, true);
            ptx_mbarrier_update(ptx_cluster_map(barrier, rank, own), 0, 0 - ptx_tensor_bytes(map),
                                0);
        }
}

/* The bytes that a copy has written, for the stores of the trace. */
PTX_CALL v4 ptx_tensor_piece(u64 at)
{
    return *(const v4 *)at;
}
PTX_CALL u32 ptx_tensor_byte(u64 at)
{
    return *(const u8 *)at;
}

/* cp.reduce: byw_ptx_async.c numbers the operations. */
enum { ADD, MIN, MAX, INC, DEC, AND, OR, XOR };
enum { U32 = 2, S32, U64, S64, HALF, SINGLE, SINGLE_FTZ, DOUBLE, BFLOAT };

static f64 real_of(u32 type, u64 bits)
{
    return type == HALF     ? ptx_cvt_x_f32_f16((u16)bits)
           : type == BFLOAT ? ptx_cvt_x_f32_g16((u16)bits)
           : type == DOUBLE ? double_of(bits)
                            : float_of((u32)bits);
}

static u64 bits_of_real(u32 type, f64 value)
{
    return type == HALF     ? ptx_cvt_rn_f16_f32((f32)value)
           : type == BFLOAT ? ptx_cvt_rn_g16_f32((f32)value)
           : type == DOUBLE ? bits_of_double(value)
                            : bits_of((f32)value);
}

static u64 combined_reals(u32 type, u32 op, u64 old, u64 bits)
{
    f64 a = real_of(type, old), b = real_of(type, bits);

    if (op == ADD)
        return bits_of_real(type, a + b);
    if (a != a || b != b)
        return a != a ? bits : old;
    return (op == MIN ? a < b : a > b) ? old : bits;
}

static u64 combined(u32 type, u32 op, u64 old, u64 bits)
{
    bool is_signed = type == S32 || type == S64;
    s64 a = type == S32 ? (s32)(u32)old : (s64)old, b = type == S32 ? (s32)(u32)bits : (s64)bits;

    if (type >= HALF)
        return combined_reals(type, op, old, bits);
    switch (op) {
    case ADD:
        return old + bits;
    case MIN:
        return (is_signed ? a < b : old < bits) ? old : bits;
    case MAX:
        return (is_signed ? a > b : old > bits) ? old : bits;
    case INC:
        return old >= bits ? 0 : old + 1;
    case DEC:
        return old == 0 || old > bits ? bits : old - 1;
    case AND:
        return old & bits;
    case OR:
        return old | bits;
    default:
        return old ^ bits;
    }
}

static void combine(u8 *to, const u8 *from, u32 bytes, u32 type, u32 op)
{
    u64 old = 0, bits = 0;

    __builtin_memcpy(&old, to, bytes);
    __builtin_memcpy(&bits, from, bytes);
    old = combined(type, op, old, bits);
    __builtin_memcpy(to, &old, bytes);
}

PTX_CALL void ptx_bulk_combine(u64 to, u64 from, u32 size, u32 op, u32 type)
{
    u32 bytes = byw_cu_tensor_element((u8)type);

    for (u32 i = 0; i + bytes <= size; i += bytes)
        combine((u8 *)(to + i), (const u8 *)(from + i), bytes, type, op);
}

PTX_CALL void ptx_tensor_combine(u64 shared, u64 map, s32 c0, s32 c1, s32 c2, s32 c3, s32 c4,
                                 u32 op)
{
    const struct byw_cu_tensor *m = (const struct byw_cu_tensor *)map;
    const s32 at[BYW_CU_TENSOR_RANK] = {c0, c1, c2, c3, c4};
    u32 bytes = byw_cu_tensor_element(m->type), rows = bytes == 0 ? 0 : ptx_tensor_rows(map);

    for (u32 i = 0; i < rows; i++) {
        struct row row = find_row(m, at, i);
        u64 own = shared + (u64)i * m->box[0] * bytes;

        for (u32 k = row.from; k < row.to; k++)
            combine((u8 *)(row.first + (u64)k * bytes), swizzled(m, own + (u64)k * bytes), bytes,
                    m->type, op);
    }
}

/* tensormap.replace; byw_ptx_async.c numbers the fields. */
enum { ADDRESS, RANK, BOX, SIZE, STRIDE, STEP, TYPE, INTERLEAVE, SWIZZLE, FILL };
PTX_CALL void ptx_tensor_replace(u64 map, u32 field, u32 ordinal, u64 value)
{
    struct byw_cu_tensor *m = (struct byw_cu_tensor *)map;

    if (ordinal >= BYW_CU_TENSOR_RANK)
        return;
    switch (field) {
    case ADDRESS:
        m->address = value;
        break;
    case RANK:
        m->rank = value < BYW_CU_TENSOR_RANK ? (u8)value : BYW_CU_TENSOR_RANK - 1;
        break;
    case BOX:
        m->box[ordinal] = (u16)value;
        break;
    case SIZE:
        m->size[ordinal] = (u32)value;
        break;
    case STRIDE:
        m->stride[ordinal] = value;
        break;
    case STEP:
        m->step[ordinal] = (u8)value;
        break;
    case TYPE:
        m->type = (u8)value;
        break;
    case INTERLEAVE:
        m->interleave = (u8)value;
        break;
    case SWIZZLE:
        m->swizzle = value <= 3 ? (u8)value : 0;
        break;
    case FILL:
        m->nan = (u8)value;
        break;
    default:
        break;
    }
}
