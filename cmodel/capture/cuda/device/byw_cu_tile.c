/* SPDX-License-Identifier: Apache-2.0
 *
 * Matrix products of warps (mma.sync): tiles of 16 rows and 8 columns.  A register of A holds row
 * `lane / 4` (plus 8 for odd registers), columns from `lane % 4 * elements` onwards; a register of
 * B holds the same transposed.
 *
 * Matrix products of warpgroups (wgmma.mma_async): each of the four warps has 16 of the 64 rows. B,
 * and A unless it is in registers, are in the scratchpad, at places that 64-bit descriptors give.
 */
#include "byw_cu_arithmetic.h"

u16 ptx_cvt_rn_f16_f32(f32 a);
f32 ptx_cvt_x_f32_f16(u16 a);
f32 ptx_cvt_x_f32_g16(u16 a);

#define ITEMS 1024u
static u32 tile_a[ITEMS][4], tile_b[ITEMS][4];

PTX_CALL void ptx_tile_put_a(u32 item, u32 r0, u32 r1, u32 r2, u32 r3)
{
    tile_a[item][0] = r0;
    tile_a[item][1] = r1;
    tile_a[item][2] = r2;
    tile_a[item][3] = r3;
}
PTX_CALL void ptx_tile_put_b(u32 item, u32 r0, u32 r1, u32 r2, u32 r3)
{
    tile_b[item][0] = r0;
    tile_b[item][1] = r1;
    tile_b[item][2] = r2;
    tile_b[item][3] = r3;
}

/* Bits of element k in row `row` of A, with `per` elements in a register. */
static u32 element_a(u32 warp, u32 row, u32 k, u32 per)
{
    u32 word = tile_a[warp + row % 8 * 4 + k / per % 4][row / 8 + 2 * (k / (4 * per))];

    return word >> k % per * (32 / per);
}
static u32 element_b(u32 warp, u32 k, u32 column, u32 per, u32 first)
{
    u32 word = tile_b[warp + column * 4 + k / per % 4][first + k / (4 * per)];

    return word >> k % per * (32 / per);
}

static f64 real_f16(u32 bits)
{
    return ptx_cvt_x_f32_f16((u16)bits);
}
static f64 real_bf16(u32 bits)
{
    return ptx_cvt_x_f32_g16((u16)bits);
}
static f64 real_tf32(u32 bits)
{
    return float_of(bits & 0xffffe000u);
}

#define SUM(name, read, per)                                                                       \
    static f64 sum_##name(u32 item, u32 first, u32 depth, u32 i)                                   \
    {                                                                                              \
        u32 lane = item & 31, warp = item - lane, row = lane / 4 + 8 * (i / 2);                    \
        f64 all = 0;                                                                               \
        for (u32 k = 0; k < depth; k++)                                                            \
            all += read(element_a(warp, row, k, per)) *                                            \
                   read(element_b(warp, k, lane % 4 * 2 + i % 2, per, first));                     \
        return all;                                                                                \
    }                                                                                              \
    PTX_CALL v4 ptx_tile_##name##_f32(u32 item, u32 first, u32 depth, u32 c0, u32 c1, u32 c2,      \
                                      u32 c3)                                                      \
    {                                                                                              \
        v4 c = {c0, c1, c2, c3};                                                                   \
        for (u32 i = 0; i < 4; i++)                                                                \
            c[i] = bits_of((f32)(sum_##name(item, first, depth, i) + float_of(c[i])));             \
        return c;                                                                                  \
    }
SUM(f16, real_f16, 2)
SUM(bf16, real_bf16, 2)
SUM(tf32, real_tf32, 1)

PTX_CALL v4 ptx_tile_f16_f16(u32 item, u32 first, u32 depth, u32 c0, u32 c1, u32 c2, u32 c3)
{
    v4 r = {c0, c1, c2, c3};

    for (u32 i = 0; i < 4; i++) {
        u32 shift = i % 2 * 16, old = r[i / 2] >> shift & 0xffffu;
        u32 sum = ptx_cvt_rn_f16_f32((f32)(sum_f16(item, first, depth, i) + real_f16(old)));

        r[i / 2] = (r[i / 2] & ~(0xffffu << shift)) | sum << shift;
    }
    return r;
}

static s32 read_s8(u32 bits)
{
    return (s8)bits;
}
static s32 read_u8(u32 bits)
{
    return (u8)bits;
}
static s32 read_s4(u32 bits)
{
    return (s32)(bits << 28) >> 28;
}
static s32 read_u4(u32 bits)
{
    return (s32)(bits & 15u);
}
#define WHOLE(x, y, per)                                                                           \
    PTX_CALL v4 ptx_tile_##x##_##y##_s32(u32 item, u32 depth, bool saturated, u32 c0, u32 c1,      \
                                         u32 c2, u32 c3)                                           \
    {                                                                                              \
        u32 lane = item & 31, warp = item - lane;                                                  \
        v4 c = {c0, c1, c2, c3};                                                                   \
        for (u32 i = 0; i < 4; i++) {                                                              \
            s64 sum = 0;                                                                           \
            for (u32 k = 0; k < depth; k++)                                                        \
                sum += read_##x(element_a(warp, lane / 4 + 8 * (i / 2), k, per)) *                 \
                       read_##y(element_b(warp, k, lane % 4 * 2 + i % 2, per, 0));                 \
            c[i] = whole_of_32(sum + (s32)c[i], saturated);                                        \
        }                                                                                          \
        return c;                                                                                  \
    }
WHOLE(s8, s8, 4)
WHOLE(s8, u8, 4)
WHOLE(u8, s8, 4)
WHOLE(u8, u8, 4)
WHOLE(s4, s4, 8)
WHOLE(s4, u4, 8)
WHOLE(u4, s4, 8)
WHOLE(u4, u4, 8)

/* Element types of a warpgroup's operands, and the bits that byw_ptx_group.c sets in `form`. */
enum { F16, BF16, TF32, E4M3, E5M2, S8, U8 };
enum { TO_F32, TO_F16, TO_S32 };
#define FORM_A(form) ((form)&7u)
#define FORM_B(form) ((form) >> 3 & 7u)
#define FORM_RESULT(form) ((form) >> 6 & 3u)
#define FORM_A_BY_LINES(form) ((form) >> 8 & 1u) /* A is M-major, not K-major */
#define FORM_B_BY_LINES(form) ((form) >> 9 & 1u) /* B is N-major, not K-major */
#define FORM_A_IN_REGISTERS(form) ((form) >> 10 & 1u)
#define FORM_NEGATED(form) ((form) >> 11 & 1u)
#define FORM_SATURATED(form) ((form) >> 12 & 1u)
#define DEPTH_MOST 32u

/* A matrix in the scratchpad.  A line is a row of A or a column of B; `by_lines`: elements of
 * neighbouring lines are contiguous, not those of one line. */
struct group_matrix {
    const u8 *scratchpad;
    u64 descriptor;
    u32 type;
    bool by_lines;
};

static u32 group_c[ITEMS][128];

PTX_CALL void ptx_group_put(u32 item, u32 i, u32 value)
{
    group_c[item][i] = value;
}
PTX_CALL u32 ptx_group_get(u32 item, u32 i)
{
    return group_c[item][i];
}

static u32 bytes_of(u32 type)
{
    return type == TF32 ? 4 : type <= BF16 ? 2 : 1;
}

/* Offset of an element.  Rows of core matrices have 16 bytes; up to eight in a row are swizzled by
 * the address, in a pattern that begins `base` bytes after a multiple of 1024. */
static u32 place(const struct group_matrix *m, u32 line, u32 k)
{
    u64 d = m->descriptor;
    u32 bytes = bytes_of(m->type), per = 16 / bytes, mode = (u32)(d >> 62);
    u32 cores = mode == 0 ? 1 : 16u >> mode, core = line / per, base = (u32)(d >> 49 & 7) * 128;
    u32 at = (u32)(d & 0x3fff) * 16, leading = (u32)(d >> 16 & 0x3fff) * 16;
    u32 stride = (u32)(d >> 32 & 0x3fff) * 16;

    if (m->by_lines) {
        at += line % per * bytes + core % cores * 16 + k % 8 * 16 * cores;
        at += mode == 0 ? core * stride + k / 8 * leading : core / cores * leading + k / 8 * stride;
    } else {
        at += k % per * bytes + k / per * (mode == 0 ? leading : 16);
        at += line % 8 * 16 * cores + line / 8 * stride;
    }
    if (mode != 0)
        at ^= (at - base) >> 3 & (cores - 1) * 16;
    return at & 0x3ffff;
}

static f64 real_of(u32 type, u32 bits)
{
    switch (type) {
    case F16:
        return real_f16(bits);
    case BF16:
        return real_bf16(bits);
    case TF32:
        return real_tf32(bits);
    case E4M3:
        return real_e4m3(bits);
    case E5M2:
        return real_f16((bits & 0xff) << 8);
    case S8:
        return (s8)bits;
    default:
        return (u8)bits;
    }
}

static void read_line(f64 *value, const struct group_matrix *m, u32 line, u32 depth)
{
    u32 bytes = bytes_of(m->type);

    for (u32 k = 0; k < depth; k++) {
        const u8 *p = m->scratchpad + place(m, line, k);

        value[k] = real_of(m->type, bytes == 4   ? *(const u32 *)p
                                    : bytes == 2 ? *(const u16 *)p
                                                 : *p);
    }
}

/* Reads one of the 16 rows of a warp from its registers. */
static void read_row(f64 *value, u32 item, u32 type, u32 row, u32 depth)
{
    for (u32 k = 0; k < depth; k++)
        value[k] = real_of(type, element_a(item & ~31u, row, k, 4 / bytes_of(type)));
}

/* Sets element i of a lane to a product, or if `keep` adds the product to it. */
static void add_to(u32 *c, u32 i, f64 sum, u32 form, bool keep)
{
    u32 shift = i % 2 * 16, old = c[i / 2] >> shift & 0xffffu;

    switch (FORM_RESULT(form)) {
    case TO_F32:
        c[i] = bits_of((f32)(sum + (keep ? float_of(c[i]) : 0)));
        break;
    case TO_F16:
        old = ptx_cvt_rn_f16_f32((f32)(sum + (keep ? real_f16(old) : 0)));
        c[i / 2] = (c[i / 2] & ~(0xffffu << shift)) | old << shift;
        break;
    default:
        c[i] = whole_of_32((s64)sum + (keep ? (s32)c[i] : 0), FORM_SATURATED(form));
    }
}

/* Computes a lane's part of a product of 64 rows: in each eight columns a lane has two elements of
 * two rows.  Offsets in descriptors count from `memory`, where the scratchpad begins. */
PTX_CALL void ptx_group_multiply(u32 item, u64 memory, u64 a, u64 b, u32 columns, u32 form,
                                 bool keep)
{
    const struct group_matrix ma = {(const u8 *)memory, a, FORM_A(form), FORM_A_BY_LINES(form)};
    const struct group_matrix mb = {(const u8 *)memory, b, FORM_B(form), FORM_B_BY_LINES(form)};
    u32 lane = item & 31, depth = 32 / bytes_of(ma.type);
    f64 row[2][DEPTH_MOST], column[DEPTH_MOST];

    for (u32 i = 0; i < 2; i++)
        if (FORM_A_IN_REGISTERS(form))
            read_row(row[i], item, ma.type, lane / 4 + 8 * i, depth);
        else
            read_line(row[i], &ma, item / 32 % 4 * 16 + lane / 4 + 8 * i, depth);
    for (u32 j = 0; j < columns / 4; j++) {
        read_line(column, &mb, j / 2 * 8 + lane % 4 * 2 + j % 2, depth);
        for (u32 i = 0; i < 2; i++) {
            f64 sum = 0;

            for (u32 k = 0; k < depth; k++)
                sum += row[i][k] * column[k];
            add_to(group_c[item], j / 2 * 4 + j % 2 + 2 * i, FORM_NEGATED(form) ? -sum : sum, form,
                   keep);
        }
    }
}
