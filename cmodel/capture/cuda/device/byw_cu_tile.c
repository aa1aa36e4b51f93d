/* SPDX-License-Identifier: Apache-2.0
 *
 * Matrix products of warps (mma.sync): tiles of 16 rows and 8 columns.  A register of A holds
 * row `lane / 4` (plus 8 for odd registers), columns from `lane % 4 * elements` on; for B, the
 * same transposed.
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

#define BYTES(x, y, xt, yt)                                                                        \
    PTX_CALL v4 ptx_tile_##x##_##y##_s32(u32 item, u32 first, u32 depth, u32 c0, u32 c1, u32 c2,   \
                                         u32 c3)                                                   \
    {                                                                                              \
        u32 lane = item & 31, warp = item - lane;                                                  \
        v4 c = {c0, c1, c2, c3};                                                                   \
        for (u32 i = 0; i < 4; i++)                                                                \
            for (u32 k = 0; k < depth; k++)                                                        \
                c[i] += (u32)((s32)(xt)element_a(warp, lane / 4 + 8 * (i / 2), k, 4) *             \
                              (s32)(yt)element_b(warp, k, lane % 4 * 2 + i % 2, 4, first));        \
        return c;                                                                                  \
    }
BYTES(s8, s8, s8, s8)
BYTES(s8, u8, s8, u8)
BYTES(u8, s8, u8, s8)
BYTES(u8, u8, u8, u8)
