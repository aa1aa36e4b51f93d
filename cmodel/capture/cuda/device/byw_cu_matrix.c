/* SPDX-License-Identifier: Apache-2.0
 *
 * Products of matrices in the registers of a warp (byw_cu_matrix.h).
 */
#include "capture/cuda/byw_cu_matrix.h"
#include "byw_cu_arithmetic.h"

u16 ptx_cvt_rn_f16_f32(f32 a);
f32 ptx_cvt_x_f32_f16(u16 a);
f32 ptx_cvt_x_f32_g16(u16 a);

#define ITEMS 1024u
static u64 matrix[ITEMS][2 * BYW_CU_MATRIX_REGISTERS]; /* of A, then of B */

PTX_CALL void ptx_matrix_put(u32 item, u32 i, u64 bits)
{
    matrix[item][i] = bits;
}

static u32 pack_of(u32 type)
{
    static const u8 bits[] = {
#define X(id, name, size) size,
        BYW_CU_MATRIX_TYPES(X)
#undef X
    };

    return bits[type] >= 32 ? 1 : 32u / bits[type];
}

/* Element k of a line of A or, if `b`, of B. */
static u64 element(u32 warp, u32 line, u32 k, u32 type, u32 lines, u32 pieces, bool b)
{
    u32 pack = pack_of(type), piece = k / pack;
    u32 i = b ? line / 8 * pieces + piece / 4 : piece / 4 * lines + line / 8;
    u64 word = matrix[warp + line % 8 * 4 + piece % 4][i + (b ? BYW_CU_MATRIX_REGISTERS : 0)];

    return word >> k % pack * (32 / pack);
}

static f64 real_of(u32 type, u64 bits)
{
    switch (type) {
    case BYW_CU_MATRIX_F16:
        return ptx_cvt_x_f32_f16((u16)bits);
    case BYW_CU_MATRIX_BF16:
        return ptx_cvt_x_f32_g16((u16)bits);
    case BYW_CU_MATRIX_TF32:
        return float_of((u32)bits & 0xffffe000u);
    case BYW_CU_MATRIX_F64:
        return double_of(bits);
    case BYW_CU_MATRIX_E4M3:
        return real_e4m3((u32)bits);
    default:
        return ptx_cvt_x_f32_f16((u16)(bits << 8)); /* e5m2 */
    }
}

static s64 whole_of(u32 type, u64 bits)
{
    switch (type) {
    case BYW_CU_MATRIX_S8:
        return (s8)bits;
    case BYW_CU_MATRIX_U8:
        return (u8)bits;
    case BYW_CU_MATRIX_S4:
        return (s32)((u32)bits << 28) >> 28;
    default:
        return (s32)(bits & 15u); /* u4 */
    }
}

/* Where the elements of one result are. */
struct line {
    u32 warp, row, column, k, a, b, rows, columns, pieces_a, pieces_b;
    u32 stored; /* elements of A along k: k, or half of it in sparse products */
    u32 selector;
};

static u64 of_a(const struct line *l, u32 k)
{
    return element(l->warp, l->row, k, l->a, l->rows, l->pieces_a, false);
}
static u64 of_b(const struct line *l, u32 k)
{
    return element(l->warp, l->column, k, l->b, l->columns, l->pieces_b, true);
}

static u32 bits_of_type(u32 type)
{
    return pack_of(type) == 1 ? 32 : 32 / pack_of(type);
}

/* Four bits of a row's metadata, beginning at bit `at`. The metadata of two rows are in the lanes
 * of a quad: in one lane if a row has 16 bits, otherwise in two or all four. */
static u32 metadata(const struct line *l, u32 at)
{
    u32 upper = l->row / 8, all = bits_of_type(l->a) == 32 ? 2 * l->k : l->k, lane;

    if (bits_of_type(l->a) == 4)
        all = l->k / 2;
    if (bits_of_type(l->a) >= 16) {
        lane = l->selector * (all / 16) + at / 16;
        at = at % 16 + upper * 16;
    } else {
        lane = (all == 32 ? 2 * l->selector : at / 32 * 2) + upper;
        at %= 32;
    }
    return (u32)(matrix[l->warp + l->row % 8 * 4 + lane][BYW_CU_MATRIX_METADATA] >> at) & 15u;
}

/* The column of a stored element of A. */
static u32 column_of(const struct line *l, u32 i)
{
    u32 bits = bits_of_type(l->a), unit = bits == 4 ? i / 2 : i;

    if (l->stored == l->k)
        return i;
    if (bits == 32) /* 0b0100: the first of two, 0b1110: the second */
        return 2 * i + (metadata(l, 4 * i) >> 1 & 1u);
    unit = unit / 2 * 4 + (metadata(l, unit / 2 * 4) >> unit % 2 * 2 & 3u);
    return bits == 4 ? unit * 2 + i % 2 : unit;
}

static s64 whole_sum(const struct line *l, u32 form)
{
    s64 sum = 0;

    for (u32 k = 0; k < l->k && l->a == BYW_CU_MATRIX_B1; k += 32) {
        u32 x = (u32)of_a(l, k), y = (u32)of_b(l, k);

        sum += __builtin_popcount(form >> 13 & 1 ? x & y : x ^ y);
    }
    for (u32 i = 0; i < l->stored && l->a != BYW_CU_MATRIX_B1; i++)
        sum += whole_of(l->a, of_a(l, i)) * whole_of(l->b, of_b(l, column_of(l, i)));
    return sum;
}

/* Double precision: one fused step after the other. Else products are summed exactly enough for one
 * rounding at the end. */
static f64 real_sum(const struct line *l, f64 sum)
{
    for (u32 i = 0; i < l->stored; i++)
        sum =
            __builtin_fma(real_of(l->a, of_a(l, i)), real_of(l->b, of_b(l, column_of(l, i))), sum);
    return sum;
}

/* One element: bits of the result in the low bits.  c: bits of the element of C. */
static u64 result(const struct line *l, u32 form, u64 c)
{
    f32 real =
        (form >> 16 & 15u) == BYW_CU_MATRIX_F16 ? ptx_cvt_x_f32_f16((u16)c) : float_of((u32)c);

    switch (form >> 8 & 15u) {
    case BYW_CU_MATRIX_F64:
        return bits_of_double(real_sum(l, double_of(c)));
    case BYW_CU_MATRIX_F32:
        return bits_of((f32)(real_sum(l, 0) + real));
    case BYW_CU_MATRIX_F16:
        return ptx_cvt_rn_f16_f32((f32)(real_sum(l, 0) + real));
    default:
        return whole_of_32(whole_sum(l, form) + (s32)(u32)c, form >> 12 & 1);
    }
}

/* Register i of the result.  c: the bits of C's element, or of both elements if the register holds
 * two halves. */
PTX_CALL u64 ptx_matrix_get(u32 item, u32 form, u32 shape, u32 i, u64 c)
{
    u32 lane = item & 31u, halves = (form >> 8 & 15u) == BYW_CU_MATRIX_F16;
    u32 block = halves ? i : i / 2, rows = shape >> 16 & 255u;
    struct line l = {.warp = item - lane,
                     .row = block % rows * 8 + lane / 4,
                     .column = block / rows * 8 + lane % 4 * 2 + (halves ? 0 : i % 2),
                     .k = shape & 0xffffu,
                     .a = form & 15u,
                     .b = form >> 4 & 15u,
                     .rows = rows,
                     .columns = shape >> 24};
    u64 low;

    l.stored = form >> 14 & 1 ? l.k / 2 : l.k;
    l.selector = form >> 20 & 3u;
    l.pieces_a = l.stored / pack_of(l.a) / 4;
    l.pieces_b = l.k / pack_of(l.b) / 4;
    low = result(&l, form, c);
    if (!halves)
        return low;
    l.column++;
    c >>= (form >> 16 & 15u) == BYW_CU_MATRIX_F16 ? 16 : 32;
    return (low & 0xffffu) | result(&l, form, c) << 16;
}

/* mma.m8n8k4 of halves: four products. Lanes 4 * q to 4 * q + 3 and the four lanes 16 above them
 * compute one. Line i of A or B is in lane i % 4, with all its elements along k. If A is
 * column-major or B row-major, lanes and elements are exchanged. */
static f64 quad_element(u32 first, u32 line, u32 k, u32 at, bool along_lanes)
{
    u32 lane = first + (line >= 4 ? 16 : 0) + (along_lanes ? k : line % 4);
    u32 i = along_lanes ? line % 4 : k;

    return ptx_cvt_x_f32_f16((u16)(matrix[lane][at + i / 2] >> i % 2 * 16));
}

static f64 quad_sum(u32 first, u32 row, u32 column, u32 turned)
{
    f64 sum = 0;

    for (u32 k = 0; k < 4; k++)
        sum += quad_element(first, row, k, 0, turned & 1u) *
               quad_element(first, column, k, BYW_CU_MATRIX_REGISTERS, turned >> 1 & 1u);
    return sum;
}

/* Register i of the result.  turned: bit 0: A is column-major, bit 1: B is row-major. */
PTX_CALL u64 ptx_matrix_quad(u32 item, u32 halves, u32 turned, u32 i, u64 c)
{
    u32 lane = item & 31u, first = item - lane + (lane & 12u), high = lane >= 16 ? 4 : 0;
    f64 low;

    if (!halves)
        return bits_of((f32)(quad_sum(first, (lane & 1u) + (i & 2u) + high,
                                      (i & 4u) + (lane & 2u) + (i & 1u), turned) +
                             float_of((u32)c)));
    low = quad_sum(first, lane % 4 + high, 2 * i, turned) + ptx_cvt_x_f32_f16((u16)c);
    return ptx_cvt_rn_f16_f32((f32)low) |
           (u32)ptx_cvt_rn_f16_f32((f32)(quad_sum(first, lane % 4 + high, 2 * i + 1, turned) +
                                         ptx_cvt_x_f32_f16((u16)(c >> 16))))
               << 16;
}
