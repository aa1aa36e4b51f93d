/* SPDX-License-Identifier: Apache-2.0
 *
 * Integer and bit instructions.
 */
#include "byw_cu_arithmetic.h"

#define WIDE(t, w, n)                                                                              \
    PTX t ptx_mul_hi_##t(t a, t b)                                                                 \
    {                                                                                              \
        return (t)((w)a * (w)b >> n);                                                              \
    }                                                                                              \
    PTX t ptx_mad_hi_##t(t a, t b, t c)                                                            \
    {                                                                                              \
        return (t)((t)((w)a * (w)b >> n) + c);                                                     \
    }
WIDE(u16, u32, 16)
WIDE(s16, s32, 16)
WIDE(u32, u64, 32)
WIDE(s32, s64, 32)
WIDE(u64, unsigned __int128, 64)
WIDE(s64, __int128, 64)

PTX s32 ptx_mad_hi_sat_s32(s32 a, s32 b, s32 c)
{
    s64 sum = ((s64)a * b >> 32) + c;
    return (s32)(sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum);
}
PTX s32 ptx_add_sat_s32(s32 a, s32 b)
{
    s64 sum = (s64)a + b;
    return (s32)(sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum);
}
PTX s32 ptx_sub_sat_s32(s32 a, s32 b)
{
    s64 sum = (s64)a - b;
    return (s32)(sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum);
}
static s32 low24(u32 a)
{
    return (s32)(a << 8) >> 8;
}
PTX u32 ptx_mul24_lo_u32(u32 a, u32 b)
{
    return (a & 0xffffffu) * (b & 0xffffffu);
}
PTX s32 ptx_mul24_lo_s32(s32 a, s32 b)
{
    return (s32)((u32)low24((u32)a) * (u32)low24((u32)b));
}
PTX u32 ptx_mul24_hi_u32(u32 a, u32 b)
{
    return (u32)((u64)(a & 0xffffffu) * (b & 0xffffffu) >> 16);
}
PTX s32 ptx_mul24_hi_s32(s32 a, s32 b)
{
    return (s32)((s64)low24((u32)a) * low24((u32)b) >> 16);
}
PTX u32 ptx_mad24_lo_u32(u32 a, u32 b, u32 c)
{
    return ptx_mul24_lo_u32(a, b) + c;
}
PTX s32 ptx_mad24_lo_s32(s32 a, s32 b, s32 c)
{
    return (s32)((u32)ptx_mul24_lo_s32(a, b) + (u32)c);
}

/* Division by zero gives all ones and the dividend as remainder, like the code that NVIDIA's
 * compiler generates. */
#define DIVIDE(t)                                                                                  \
    PTX t ptx_div_##t(t a, t b)                                                                    \
    {                                                                                              \
        return b == 0 ? (t)-1 : (t)(a / b);                                                        \
    }                                                                                              \
    PTX t ptx_rem_##t(t a, t b)                                                                    \
    {                                                                                              \
        return b == 0 ? a : (t)(a % b);                                                            \
    }
DIVIDE(u16)
DIVIDE(u32)
DIVIDE(u64)
#define DIVIDE_SIGNED(t, u)                                                                        \
    PTX t ptx_div_##t(t a, t b)                                                                    \
    {                                                                                              \
        return b == 0 ? (t)-1 : b == -1 ? (t)(0 - (u)a) : (t)(a / b);                              \
    }                                                                                              \
    PTX t ptx_rem_##t(t a, t b)                                                                    \
    {                                                                                              \
        return b == 0 ? a : b == -1 ? 0 : (t)(a % b);                                              \
    }
DIVIDE_SIGNED(s16, u16)
DIVIDE_SIGNED(s32, u32)
DIVIDE_SIGNED(s64, u64)

#define SHIFTS(n)                                                                                  \
    PTX u##n ptx_shl_b##n(u##n a, u32 b)                                                           \
    {                                                                                              \
        return b < n ? (u##n)(a << b) : 0;                                                         \
    }                                                                                              \
    PTX u##n ptx_shr_u##n(u##n a, u32 b)                                                           \
    {                                                                                              \
        return b < n ? (u##n)(a >> b) : 0;                                                         \
    }                                                                                              \
    PTX u##n ptx_shr_b##n(u##n a, u32 b)                                                           \
    {                                                                                              \
        return b < n ? (u##n)(a >> b) : 0;                                                         \
    }                                                                                              \
    PTX s##n ptx_shr_s##n(s##n a, u32 b)                                                           \
    {                                                                                              \
        return (s##n)(a >> (b < n ? b : n - 1));                                                   \
    }
SHIFTS(16)
SHIFTS(32)
SHIFTS(64)

static u32 funnel(u32 low, u32 high, u32 right)
{
    return right == 0 ? low : low >> right | high << (32 - right);
}
static u32 funnel_left(u32 low, u32 high, u32 left)
{
    return left == 0 ? high : high << left | low >> (32 - left);
}
PTX u32 ptx_shf_l_wrap_b32(u32 a, u32 b, u32 c)
{
    return funnel_left(a, b, c & 31);
}
PTX u32 ptx_shf_r_wrap_b32(u32 a, u32 b, u32 c)
{
    return funnel(a, b, c & 31);
}
PTX u32 ptx_shf_l_clamp_b32(u32 a, u32 b, u32 c)
{
    return c >= 32 ? a : funnel_left(a, b, c);
}
PTX u32 ptx_shf_r_clamp_b32(u32 a, u32 b, u32 c)
{
    return c >= 32 ? b : funnel(a, b, c);
}

#define BITS(n, count, lead)                                                                       \
    PTX u32 ptx_popc_b##n(u##n a)                                                                  \
    {                                                                                              \
        return (u32)count(a);                                                                      \
    }                                                                                              \
    PTX u32 ptx_clz_b##n(u##n a)                                                                   \
    {                                                                                              \
        return a == 0 ? n : (u32)lead(a);                                                          \
    }                                                                                              \
    PTX u32 ptx_bfind_u##n(u##n a)                                                                 \
    {                                                                                              \
        return a == 0 ? UINT32_MAX : n - 1 - (u32)lead(a);                                         \
    }                                                                                              \
    PTX u32 ptx_bfind_s##n(s##n a)                                                                 \
    {                                                                                              \
        return ptx_bfind_u##n((u##n)(a < 0 ? ~a : a));                                             \
    }                                                                                              \
    PTX u32 ptx_bfind_shiftamt_u##n(u##n a)                                                        \
    {                                                                                              \
        return a == 0 ? UINT32_MAX : (u32)lead(a);                                                 \
    }                                                                                              \
    PTX u32 ptx_bfind_shiftamt_s##n(s##n a)                                                        \
    {                                                                                              \
        return ptx_bfind_shiftamt_u##n((u##n)(a < 0 ? ~a : a));                                    \
    }                                                                                              \
    PTX u##n ptx_bfe_u##n(u##n a, u32 b, u32 c)                                                    \
    {                                                                                              \
        u32 at = b & 255, length = c & 255;                                                        \
        u##n field = at < n ? a >> at : 0;                                                         \
        return length >= n ? field : field & (((u##n)1 << length) - 1);                            \
    }                                                                                              \
    PTX s##n ptx_bfe_s##n(s##n a, u32 b, u32 c)                                                    \
    {                                                                                              \
        u32 at = b & 255, length = c & 255, end = at + length - 1;                                 \
        u##n sign, field = ptx_bfe_u##n((u##n)a, b, c);                                            \
        if (length == 0)                                                                           \
            return 0;                                                                              \
        sign = (u##n)a >> (end < n - 1 ? end : n - 1) & 1;                                         \
        length = at >= n ? 0 : length < n - at ? length : n - at;                                  \
        return (s##n)(sign && length < n ? field | ~(u##n)0 << length : field);                    \
    }                                                                                              \
    PTX u##n ptx_bfi_b##n(u##n a, u##n b, u32 c, u32 d)                                            \
    {                                                                                              \
        u32 at = c & 255, length = d & 255;                                                        \
        u##n mask = length >= n ? ~(u##n)0 : ((u##n)1 << length) - 1;                              \
        return at >= n ? b : (b & ~(mask << at)) | (a & mask) << at;                               \
    }
BITS(32, __builtin_popcount, __builtin_clz)
BITS(64, __builtin_popcountll, __builtin_clzll)

PTX u32 ptx_brev_b32(u32 a)
{
    return __builtin_bitreverse32(a);
}
PTX u64 ptx_brev_b64(u64 a)
{
    return __builtin_bitreverse64(a);
}

/* The offset-th set bit of the mask, counted from `base` upwards or downwards. */
PTX_CALL u32 ptx_fns_b32(u32 mask, u32 base, s32 offset)
{
    s32 step = offset < 0 ? -1 : 1, left = offset < 0 ? -offset : offset;

    if (offset == 0)
        return base < 32 && (mask >> base & 1) ? base : UINT32_MAX;
    for (s32 i = (s32)base; i >= 0 && i < 32; i += step)
        if ((mask >> i & 1) && --left == 0)
            return (u32)i;
    return UINT32_MAX;
}

static u32 pick_byte(u32 a, u32 b, u32 selector)
{
    u64 all = (u64)b << 32 | a;
    u32 byte = (u32)(all >> (selector & 7) * 8) & 255;

    return selector & 8 ? (byte & 128 ? 255 : 0) : byte;
}
PTX u32 ptx_prmt_b32(u32 a, u32 b, u32 c)
{
    return pick_byte(a, b, c) | pick_byte(a, b, c >> 4) << 8 | pick_byte(a, b, c >> 8) << 16 |
           pick_byte(a, b, c >> 12) << 24;
}
PTX u32 ptx_prmt_b32_f4e(u32 a, u32 b, u32 c)
{
    return (u32)(((u64)b << 32 | a) >> (c & 3) * 8);
}
PTX u32 ptx_prmt_b32_b4e(u32 a, u32 b, u32 c)
{
    static const u16 selectors[] = {0x5670, 0x6701, 0x7012, 0x0123};
    return ptx_prmt_b32(a, b, selectors[c & 3]);
}
PTX u32 ptx_prmt_b32_rc8(u32 a, u32 b, u32 c)
{
    return ptx_prmt_b32(a, b, (c & 3) * 0x1111);
}
PTX u32 ptx_prmt_b32_ecl(u32 a, u32 b, u32 c)
{
    static const u16 selectors[] = {0x3210, 0x3211, 0x3222, 0x3333};
    return ptx_prmt_b32(a, b, selectors[c & 3]);
}
PTX u32 ptx_prmt_b32_ecr(u32 a, u32 b, u32 c)
{
    static const u16 selectors[] = {0x0000, 0x1110, 0x2210, 0x3210};
    return ptx_prmt_b32(a, b, selectors[c & 3]);
}
PTX u32 ptx_prmt_b32_rc16(u32 a, u32 b, u32 c)
{
    return ptx_prmt_b32(a, b, c & 1 ? 0x3232 : 0x1010);
}

PTX u32 ptx_lop3_b32(u32 a, u32 b, u32 c, u32 table)
{
    u32 r = 0;

    for (u32 i = 0; i < 8; i++)
        if (table >> i & 1)
            r |= (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
    return r;
}

#define SAD(t, u)                                                                                  \
    PTX t ptx_sad_##t(t a, t b, t c)                                                               \
    {                                                                                              \
        return (t)((u)c + (a < b ? (u)b - (u)a : (u)a - (u)b));                                    \
    }
SAD(u16, u16)
SAD(s16, u16)
SAD(u32, u32)
SAD(s32, u32)
SAD(u64, u64)
SAD(s64, u64)

#define DOTS(x, y, xt, yt)                                                                         \
    PTX u32 ptx_dp4a_##x##32_##y##32(u32 a, u32 b, u32 c)                                          \
    {                                                                                              \
        for (u32 i = 0; i < 32; i += 8)                                                            \
            c += (u32)((s32)(xt##8)(a >> i) * (s32)(yt##8)(b >> i));                               \
        return c;                                                                                  \
    }                                                                                              \
    PTX u32 ptx_dp2a_lo_##x##32_##y##32(u32 a, u32 b, u32 c)                                       \
    {                                                                                              \
        return c + (u32)((s32)(xt##16)a * (s32)(yt##8)b) +                                         \
               (u32)((s32)(xt##16)(a >> 16) * (s32)(yt##8)(b >> 8));                               \
    }                                                                                              \
    PTX u32 ptx_dp2a_hi_##x##32_##y##32(u32 a, u32 b, u32 c)                                       \
    {                                                                                              \
        return ptx_dp2a_lo_##x##32_##y##32(a, b >> 16, c);                                         \
    }
DOTS(u, u, u, u)
DOTS(u, s, u, s)
DOTS(s, u, s, u)
DOTS(s, s, s, s)

PTX u32 ptx_szext_wrap_u32(u32 a, u32 b)
{
    b &= 31;
    return b == 0 ? 0 : a & (~0u >> (32 - b));
}
PTX s32 ptx_szext_wrap_s32(s32 a, u32 b)
{
    b &= 31;
    return b == 0 ? 0 : (s32)((u32)a << (32 - b)) >> (32 - b);
}
PTX u32 ptx_szext_clamp_u32(u32 a, u32 b)
{
    return b >= 32 ? a : ptx_szext_wrap_u32(a, b);
}
PTX s32 ptx_szext_clamp_s32(s32 a, u32 b)
{
    return b >= 32 ? a : ptx_szext_wrap_s32(a, b);
}
PTX u32 ptx_bmsk_clamp_b32(u32 a, u32 b)
{
    return a >= 32 || b == 0 ? 0 : (b >= 32 ? ~0u : (1u << b) - 1) << a;
}
PTX u32 ptx_bmsk_wrap_b32(u32 a, u32 b)
{
    return ((1u << (b & 31)) - 1) << (a & 31);
}

/* cnot: 1 if the operand is 0, else 0. */
#define CNOT(n)                                                                                    \
    PTX u##n ptx_cnot_b##n(u##n a)                                                                 \
    {                                                                                              \
        return a == 0;                                                                             \
    }
CNOT(16)
CNOT(32)
CNOT(64)

/* cvt.sat between integers, computed in 64 bits. */
#define NARROW(to, low, high, from, wide)                                                          \
    PTX to ptx_cvt_sat_##to##_##from(from a)                                                       \
    {                                                                                              \
        return (to)((wide)a < (wide)(low) ? (low) : (wide)a > (wide)(high) ? (high) : (to)a);      \
    }
#define NARROWS(to, low, high)                                                                     \
    NARROW(to, low, high, s8, __int128)                                                            \
    NARROW(to, low, high, s16, __int128)                                                           \
    NARROW(to, low, high, s32, __int128)                                                           \
    NARROW(to, low, high, s64, __int128)                                                           \
    NARROW(to, low, high, u8, __int128)                                                            \
    NARROW(to, low, high, u16, __int128)                                                           \
    NARROW(to, low, high, u32, __int128)                                                           \
    NARROW(to, low, high, u64, __int128)
NARROWS(u8, 0, UINT8_MAX)
NARROWS(u16, 0, UINT16_MAX)
NARROWS(u32, 0, UINT32_MAX)
NARROWS(u64, 0, UINT64_MAX)
NARROWS(s8, INT8_MIN, INT8_MAX)
NARROWS(s16, INT16_MIN, INT16_MAX)
NARROWS(s32, INT32_MIN, INT32_MAX)
NARROWS(s64, INT64_MIN, INT64_MAX)

/* New values of atomics that the IR lacks. */
PTX u32 ptx_atom_inc_u32(u32 old, u32 b)
{
    return old >= b ? 0 : old + 1;
}
PTX u32 ptx_atom_dec_u32(u32 old, u32 b)
{
    return old == 0 || old > b ? b : old - 1;
}

/* Pairs of 16-bit integers, and minimum and maximum that are at least 0. */
#define PAIR(op, t, expression)                                                                    \
    PTX u32 ptx_##op##_##t##x2(u32 one, u32 two)                                                   \
    {                                                                                              \
        u32 all = 0;                                                                               \
        for (int i = 0; i < 32; i += 16) {                                                         \
            t a = (t)(one >> i), b = (t)(two >> i);                                                \
            all |= (u32)(u16)(expression) << i;                                                    \
        }                                                                                          \
        return all;                                                                                \
    }
#define PAIRS(t)                                                                                   \
    PAIR(add, t, a + b)                                                                            \
    PAIR(min, t, a < b ? a : b)                                                                    \
    PAIR(max, t, a > b ? a : b)
PAIRS(u16)
PAIRS(s16)
PAIR(min_relu, s16, a < 0 || b < 0 ? 0 : a < b ? a : b)
PAIR(max_relu, s16, a < 0 && b < 0 ? 0 : a > b ? a : b)
PTX s32 ptx_min_relu_s32(s32 a, s32 b)
{
    return a < 0 || b < 0 ? 0 : a < b ? a : b;
}
PTX s32 ptx_max_relu_s32(s32 a, s32 b)
{
    return a < 0 && b < 0 ? 0 : a > b ? a : b;
}

/* Absolute differences of the bytes or 16-bit halves of two words; .add: their sum is added to the
 * third operand. */
#define DIFFERENCES(count, bits, t, type)                                                          \
    PTX u32 ptx_vabsdiff##count##_##type##32_##type##32_##type##32(u32 a, u32 b, u32 c)            \
    {                                                                                              \
        u32 all = 0;                                                                               \
        (void)c;                                                                                   \
        for (int i = 0; i < 32; i += bits) {                                                       \
            s32 x = (t)(a >> i), y = (t)(b >> i);                                                  \
            all |= ((u32)(x > y ? x - y : y - x) & (u32)((1ull << bits) - 1)) << i;                \
        }                                                                                          \
        return all;                                                                                \
    }                                                                                              \
    PTX u32 ptx_vabsdiff##count##_##type##32_##type##32_##type##32_add(u32 a, u32 b, u32 c)        \
    {                                                                                              \
        for (int i = 0; i < 32; i += bits) {                                                       \
            s32 x = (t)(a >> i), y = (t)(b >> i);                                                  \
            c += (u32)(x > y ? x - y : y - x);                                                     \
        }                                                                                          \
        return c;                                                                                  \
    }
DIFFERENCES(4, 8, u8, u)
DIFFERENCES(4, 8, s8, s)
DIFFERENCES(2, 16, u16, u)
DIFFERENCES(2, 16, s16, s)

/* cvt.pack: two clamped numbers, the second in the low bits, and `c` above them. */
static inline u32 clamped(s32 a, s32 low, s32 high, u32 bits)
{
    return (u32)(a < low ? low : a > high ? high : a) & ((1u << bits) - 1);
}
#define PACK(name, low, high, bits)                                                                \
    PTX u32 ptx_cvt_pack_sat_##name##_s32_b32(s32 a, s32 b, u32 c)                                 \
    {                                                                                              \
        return c << 2 * (bits) | clamped(a, low, high, bits) << (bits) |                           \
               clamped(b, low, high, bits);                                                        \
    }
PACK(u8, 0, 255, 8)
PACK(s8, -128, 127, 8)
PACK(u4, 0, 15, 4)
PACK(s4, -8, 7, 4)
PACK(u2, 0, 3, 2)
PACK(s2, -2, 1, 2)
#define PACK_16(name, low, high)                                                                   \
    PTX u32 ptx_cvt_pack_sat_##name##_s32(s32 a, s32 b)                                            \
    {                                                                                              \
        return clamped(a, low, high, 16) << 16 | clamped(b, low, high, 16);                        \
    }
PACK_16(u16, 0, 65535)
PACK_16(s16, -32768, 32767)

/* lop3.OP.b32 d|p: p is (d != 0) OP q. */
PTX v4 ptx_lop3_or_b32(u32 a, u32 b, u32 c, u32 table, bool q)
{
    u32 d = ptx_lop3_b32(a, b, c, table);

    return (v4){d, d != 0 || q, 0, 0};
}
PTX v4 ptx_lop3_and_b32(u32 a, u32 b, u32 c, u32 table, bool q)
{
    u32 d = ptx_lop3_b32(a, b, c, table);

    return (v4){d, d != 0 && q, 0, 0};
}
PTX u32 ptx_mad24_hi_u32(u32 a, u32 b, u32 c)
{
    return ptx_mul24_hi_u32(a, b) + c;
}
PTX s32 ptx_mad24_hi_s32(s32 a, s32 b, s32 c)
{
    return (s32)((u32)ptx_mul24_hi_s32(a, b) + (u32)c);
}
PTX s32 ptx_mad24_hi_sat_s32(s32 a, s32 b, s32 c)
{
    return ptx_add_sat_s32(ptx_mul24_hi_s32(a, b), c);
}
