/* SPDX-License-Identifier: Apache-2.0
 *
 * Half precision (f16), bfloat16 (g16), and pairs of them.  Each operation is done in single
 * precision, whose 24 bits are more than twice the result's plus two: rounding twice is then the
 * same as rounding once.
 */
#include <math.h>

#include "byw_cu_arithmetic.h"

static inline __attribute__((always_inline)) f32 from_f16(u16 h)
{
    u32 sign = (u32)(h & 0x8000u) << 16, exponent = h >> 10 & 31, part = h & 1023u;

    if (exponent == 31)
        return float_of(sign | 0x7f800000u | part << 13);
    if (exponent == 0)
        return float_of(sign | bits_of((f32)part * 0x1p-24f));
    return float_of(sign | (exponent + 112) << 23 | part << 13);
}

enum mode { NEAREST, ZERO, DOWN, UP };

/* The rounding increment for a magnitude whose last `cut` bits are dropped. */
static inline __attribute__((always_inline)) u32 rounding(u32 magnitude, u32 cut, bool minus,
                                                          enum mode mode)
{
    u32 rest = magnitude & ((1u << cut) - 1), half = 1u << (cut - 1);

    switch (mode) {
    case NEAREST:
        return rest > half || (rest == half && (magnitude >> cut & 1));
    case ZERO:
        return 0;
    case DOWN:
        return minus && rest != 0;
    default:
        return !minus && rest != 0;
    }
}

static inline __attribute__((always_inline)) u16 to_f16(f32 x, enum mode mode)
{
    u32 bits = bits_of(x), sign = bits >> 16 & 0x8000u, size = bits & 0x7fffffffu, shift, part;

    if (size > 0x7f800000u)
        return 0x7fff;
    if (size == 0x7f800000u)
        return (u16)(sign | 0x7c00u);
    if (size >= 0x47800000u) { /* 65536 and more */
        bool stays = mode == ZERO || (mode == DOWN && !sign) || (mode == UP && sign);
        return (u16)(sign | (stays ? 0x7bffu : 0x7c00u));
    }
    if (size < 0x38800000u) { /* below the least normal number */
        u32 exponent = size >> 23;

        part = (size & 0x7fffffu) | (exponent != 0 ? 0x800000u : 0);
        shift = 126 - (exponent != 0 ? exponent : 1);
        if (shift > 31)
            return (u16)(sign | (size != 0 && ((mode == DOWN && sign) || (mode == UP && !sign))));
        if (shift > 25)
            return (u16)(sign + rounding(part, 25, sign != 0, mode) * (mode >= DOWN));
        return (u16)(sign | ((part >> shift) + rounding(part, shift, sign != 0, mode)));
    }
    part = size - 0x38000000u;
    return (u16)(sign | ((part >> 13) + rounding(part, 13, sign != 0, mode)));
}

static inline __attribute__((always_inline)) f32 from_g16(u16 h)
{
    return float_of((u32)h << 16);
}

static inline __attribute__((always_inline)) u16 to_g16(f32 x, enum mode mode)
{
    u32 bits = bits_of(x);

    if ((bits & 0x7fffffffu) > 0x7f800000u)
        return 0x7fff;
    if ((bits & 0x7fffffffu) == 0x7f800000u)
        return (u16)(bits >> 16);
    return (u16)((bits >> 16) + rounding(bits & 0x7fffffffu, 16, bits >> 31, mode));
}

static inline f32 fma_(f32 a, f32 b, f32 c)
{
    return (f32)fma((f64)a, (f64)b, (f64)c);
}
static inline f32 least(f32 a, f32 b)
{
    return a != a ? b : b != b ? a : a < b || (a == b && signbit(a)) ? a : b;
}
static inline f32 most(f32 a, f32 b)
{
    return a != a ? b : b != b ? a : a > b || (a == b && !signbit(a)) ? a : b;
}

/* Defines an operation for a type and for pairs of it: `t` names the format, `n` the type in
 * PTX. */
#define PAIR1(op, n)                                                                               \
    PTX u32 ptx_##op##_##n##x2(u32 a)                                                              \
    {                                                                                              \
        return ptx_##op##_##n((u16)a) | (u32)ptx_##op##_##n((u16)(a >> 16)) << 16;                 \
    }
#define PAIR2(op, n)                                                                               \
    PTX u32 ptx_##op##_##n##x2(u32 a, u32 b)                                                       \
    {                                                                                              \
        return ptx_##op##_##n((u16)a, (u16)b) |                                                    \
               (u32)ptx_##op##_##n((u16)(a >> 16), (u16)(b >> 16)) << 16;                          \
    }
#define PAIR3(op, n)                                                                               \
    PTX u32 ptx_##op##_##n##x2(u32 a, u32 b, u32 c)                                                \
    {                                                                                              \
        return ptx_##op##_##n((u16)a, (u16)b, (u16)c) |                                            \
               (u32)ptx_##op##_##n((u16)(a >> 16), (u16)(b >> 16), (u16)(c >> 16)) << 16;          \
    }
#define ONE(op, t, n, expression)                                                                  \
    PTX u16 ptx_##op##_##n(u16 a)                                                                  \
    {                                                                                              \
        f32 x = from_##t(a);                                                                       \
        return to_##t(expression, NEAREST);                                                        \
    }                                                                                              \
    PAIR1(op, n)
#define TWO(op, t, n, expression)                                                                  \
    PTX u16 ptx_##op##_##n(u16 a, u16 b)                                                           \
    {                                                                                              \
        f32 x = from_##t(a), y = from_##t(b);                                                      \
        return to_##t(expression, NEAREST);                                                        \
    }                                                                                              \
    PAIR2(op, n)
#define THREE(op, t, n, expression)                                                                \
    PTX u16 ptx_##op##_##n(u16 a, u16 b, u16 c)                                                    \
    {                                                                                              \
        f32 x = from_##t(a), y = from_##t(b), z = from_##t(c);                                     \
        return to_##t(expression, NEAREST);                                                        \
    }                                                                                              \
    PAIR3(op, n)
#define COMPARE(cmp, t, n, expression)                                                             \
    PTX bool ptx_setp_##cmp##_##n(u16 a, u16 b)                                                    \
    {                                                                                              \
        f32 x = from_##t(a), y = from_##t(b);                                                      \
        return expression;                                                                         \
    }
/* Whether one is the NaN that copies of tensors write for elements outside of them. */
#define OUT(a, b, c) ((a) == 0x7fffu || (b) == 0x7fffu || (c) == 0x7fffu)
#define OPERATIONS(t, n)                                                                           \
    TWO(add, t, n, x + y)                                                                          \
    TWO(sub, t, n, x - y)                                                                          \
    TWO(mul, t, n, x *y)                                                                           \
    TWO(add_sat, t, n, saturate(x + y))                                                            \
    TWO(sub_sat, t, n, saturate(x - y))                                                            \
    TWO(mul_sat, t, n, saturate(x *y))                                                             \
    TWO(min, t, n, least(x, y))                                                                    \
    TWO(max, t, n, most(x, y))                                                                     \
    TWO(min_NaN, t, n, x != x || y != y ? NAN : least(x, y))                                       \
    TWO(max_NaN, t, n, x != x || y != y ? NAN : most(x, y))                                        \
    THREE(fma, t, n, fma_(x, y, z))                                                                \
    THREE(fma_sat, t, n, saturate(fma_(x, y, z)))                                                  \
    THREE(fma_relu, t, n, most(fma_(x, y, z), 0.0f))                                               \
    THREE(fma_oob, t, n, OUT(a, b, c) ? 0.0f : fma_(x, y, z))                                      \
    THREE(fma_oob_relu, t, n, OUT(a, b, c) ? 0.0f : most(fma_(x, y, z), 0.0f))                     \
    ONE(ex2_approx, t, n, exp2f(x))                                                                \
    ONE(ex2_approx_ftz, t, n, exp2f(x))                                                            \
    ONE(tanh_approx, t, n, tanhf(x))                                                               \
    PTX u16 ptx_neg_##n(u16 a)                                                                     \
    {                                                                                              \
        return a ^ 0x8000u;                                                                        \
    }                                                                                              \
    PTX u16 ptx_abs_##n(u16 a)                                                                     \
    {                                                                                              \
        return a & 0x7fffu;                                                                        \
    }                                                                                              \
    PAIR1(neg, n)                                                                                  \
    PAIR1(abs, n)                                                                                  \
    PTX u16 ptx_atom_add_##n(u16 a, u16 b)                                                         \
    {                                                                                              \
        return ptx_add_##n(a, b);                                                                  \
    }                                                                                              \
    PAIR2(atom_add, n)                                                                             \
    COMPARE(eq, t, n, x == y)                                                                      \
    COMPARE(ne, t, n, x<y || x> y)                                                                 \
    COMPARE(lt, t, n, x < y)                                                                       \
    COMPARE(le, t, n, x <= y)                                                                      \
    COMPARE(gt, t, n, x > y)                                                                       \
    COMPARE(ge, t, n, x >= y)                                                                      \
    COMPARE(equ, t, n, !(x < y || x > y))                                                          \
    COMPARE(neu, t, n, x != y)                                                                     \
    COMPARE(ltu, t, n, !(x >= y))                                                                  \
    COMPARE(leu, t, n, !(x > y))                                                                   \
    COMPARE(gtu, t, n, !(x <= y))                                                                  \
    COMPARE(geu, t, n, !(x < y))                                                                   \
    COMPARE(num, t, n, x == x && y == y)                                                           \
    COMPARE(nan, t, n, x != x || y != y)
OPERATIONS(f16, f16)
OPERATIONS(g16, bf16)
PTX u16 ptx_flush_f16(u16 a)
{
    return (a & 0x7c00u) == 0 ? a & 0x8000u : a;
}

/* Conversions (the front end calls bfloat16 g16). */
#define CONVERT(t)                                                                                 \
    PTX f32 ptx_cvt_x_f32_##t(u16 a)                                                               \
    {                                                                                              \
        return from_##t(a);                                                                        \
    }                                                                                              \
    PTX f64 ptx_cvt_x_f64_##t(u16 a)                                                               \
    {                                                                                              \
        return from_##t(a);                                                                        \
    }                                                                                              \
    PTX u16 ptx_saturate_##t(u16 a)                                                                \
    {                                                                                              \
        return to_##t(saturate(from_##t(a)), NEAREST);                                             \
    }                                                                                              \
    CONVERT_MODE(t, rn, NEAREST)                                                                   \
    CONVERT_MODE(t, rz, ZERO)                                                                      \
    CONVERT_MODE(t, rm, DOWN)                                                                      \
    CONVERT_MODE(t, rp, UP)                                                                        \
    INTEGRAL(t, rni, rintf)                                                                        \
    INTEGRAL(t, rzi, truncf)                                                                       \
    INTEGRAL(t, rmi, floorf)                                                                       \
    INTEGRAL(t, rpi, ceilf)
/* A double or integer as a float whose last bit shows whether any bits were dropped (sticky). */
static f32 to_odd(f64 x)
{
    f32 y = (f32)x;

    if ((f64)y == x || x != x || isinf(y))
        return y;
    if (fabs((f64)y) > fabs(x))
        y = float_of(bits_of(y) - 1);
    return float_of(bits_of(y) | 1);
}
#define CONVERT_MODE(t, r, mode)                                                                   \
    PTX u16 ptx_cvt_##r##_##t##_f32(f32 a)                                                         \
    {                                                                                              \
        return to_##t(a, mode);                                                                    \
    }                                                                                              \
    PTX u16 ptx_cvt_##r##relu_##t##_f32(f32 a)                                                     \
    {                                                                                              \
        return a > 0.0f || a != a ? to_##t(a, mode) : 0;                                           \
    }                                                                                              \
    PTX u16 ptx_cvt_##r##_##t##_f64(f64 a)                                                         \
    {                                                                                              \
        return to_##t(to_odd(a), mode);                                                            \
    }                                                                                              \
    FROM_WHOLE(t, r, mode, u8)                                                                     \
    FROM_WHOLE(t, r, mode, s8)                                                                     \
    FROM_WHOLE(t, r, mode, u16)                                                                    \
    FROM_WHOLE(t, r, mode, s16)                                                                    \
    FROM_WHOLE(t, r, mode, u32)                                                                    \
    FROM_WHOLE(t, r, mode, s32)                                                                    \
    FROM_WHOLE(t, r, mode, u64)                                                                    \
    FROM_WHOLE(t, r, mode, s64)
#define FROM_WHOLE(t, r, mode, from)                                                               \
    PTX u16 ptx_cvt_##r##_##t##_##from(from a)                                                     \
    {                                                                                              \
        return to_##t(to_odd((f64)a), mode);                                                       \
    }
#define INTEGRAL(t, r, round)                                                                      \
    PTX u16 ptx_cvt_##r##_##t##_##t(u16 a)                                                         \
    {                                                                                              \
        return to_##t(round(from_##t(a)), NEAREST);                                                \
    }                                                                                              \
    TO_WHOLE(t, r, round, u8, 0, 256.0f)                                                           \
    TO_WHOLE(t, r, round, s8, INT8_MIN, 128.0f)                                                    \
    TO_WHOLE(t, r, round, u16, 0, 65536.0f)                                                        \
    TO_WHOLE(t, r, round, s16, INT16_MIN, 32768.0f)                                                \
    TO_WHOLE(t, r, round, u32, 0, 0x1p32f)                                                         \
    TO_WHOLE(t, r, round, s32, INT32_MIN, 0x1p31f)                                                 \
    TO_WHOLE(t, r, round, u64, 0, 0x1p64f)                                                         \
    TO_WHOLE(t, r, round, s64, INT64_MIN, 0x1p63f)
#define TO_WHOLE(t, r, round, to, low, above)                                                      \
    PTX to ptx_cvt_##r##_##to##_##t(u16 a)                                                         \
    {                                                                                              \
        f32 x = round(from_##t(a));                                                                \
        if (x != x)                                                                                \
            return sizeof(to) == 8 ? (to)(1ull << 63) : 0;                                         \
        return x <= (f32)(low) ? (to)(low)                                                         \
               : x >= above    ? (to)((to)(low) == 0 ? ~(to)0 : ~(to)(low))                        \
                               : (to)x;                                                               \
    }
CONVERT(f16)
CONVERT(g16)

/* .ftz: subnormal halves are zeros of the same sign, as operands and as results. */
static inline u16 flushed(u16 a)
{
    return (a & 0x7c00u) == 0 ? a & 0x8000u : a;
}
#define FTZ1(op)                                                                                   \
    PTX u16 ptx_##op##_ftz_f16(u16 a)                                                              \
    {                                                                                              \
        return flushed(ptx_##op##_f16(flushed(a)));                                                \
    }                                                                                              \
    PAIR1(op##_ftz, f16)
#define FTZ2(op, more)                                                                             \
    PTX u16 ptx_##op##_ftz##more##_f16(u16 a, u16 b)                                               \
    {                                                                                              \
        return flushed(ptx_##op##more##_f16(flushed(a), flushed(b)));                              \
    }                                                                                              \
    PAIR2(op##_ftz##more, f16)
#define FTZ3(op, more)                                                                             \
    PTX u16 ptx_##op##_ftz##more##_f16(u16 a, u16 b, u16 c)                                        \
    {                                                                                              \
        return flushed(ptx_##op##more##_f16(flushed(a), flushed(b), flushed(c)));                  \
    }                                                                                              \
    PAIR3(op##_ftz##more, f16)
FTZ1(abs)
FTZ1(neg)
FTZ2(add, )
FTZ2(add, _sat)
FTZ2(sub, )
FTZ2(sub, _sat)
FTZ2(mul, )
FTZ2(mul, _sat)
FTZ3(fma, )
FTZ3(fma, _sat)
FTZ3(fma, _relu)

/* .xorsign.abs: the result is chosen by magnitude and negative if exactly one operand is
 * negative. */
#define LEAST_SIZE(op, nan, n)                                                                     \
    PTX u16 ptx_##op##nan##_xorsign_abs_##n(u16 a, u16 b)                                          \
    {                                                                                              \
        return (ptx_##op##nan##_##n(a & 0x7fffu, b & 0x7fffu) & 0x7fffu) | ((a ^ b) & 0x8000u);    \
    }                                                                                              \
    PAIR2(op##nan##_xorsign_abs, n)
#define LEAST_FORMS(op)                                                                            \
    LEAST_SIZE(op, , f16)                                                                          \
    LEAST_SIZE(op, _NaN, f16)                                                                      \
    LEAST_SIZE(op, , bf16)                                                                         \
    LEAST_SIZE(op, _NaN, bf16)                                                                     \
    FTZ2(op, )                                                                                     \
    FTZ2(op, _NaN)                                                                                 \
    FTZ2(op, _xorsign_abs)                                                                         \
    FTZ2(op, _NaN_xorsign_abs)
LEAST_FORMS(min)
LEAST_FORMS(max)

/* The new values of atomics on vectors of halves. */
#define ATOMIC(op, n)                                                                              \
    PTX u16 ptx_atom_##op##_##n(u16 a, u16 b)                                                      \
    {                                                                                              \
        return ptx_##op##_##n(a, b);                                                               \
    }                                                                                              \
    PTX u32 ptx_atom_##op##_##n##x2(u32 a, u32 b)                                                  \
    {                                                                                              \
        return ptx_##op##_##n##x2(a, b);                                                           \
    }
ATOMIC(min, f16)
ATOMIC(max, f16)
ATOMIC(min, bf16)
ATOMIC(max, bf16)

PTX u32 ptx_cvt_rn_f16x2_f32(f32 a, f32 b)
{
    return (u32)to_f16(a, NEAREST) << 16 | to_f16(b, NEAREST);
}
PTX u32 ptx_cvt_rz_f16x2_f32(f32 a, f32 b)
{
    return (u32)to_f16(a, ZERO) << 16 | to_f16(b, ZERO);
}
PTX u32 ptx_cvt_rn_bf16x2_f32(f32 a, f32 b)
{
    return (u32)to_g16(a, NEAREST) << 16 | to_g16(b, NEAREST);
}
PTX u32 ptx_cvt_rz_bf16x2_f32(f32 a, f32 b)
{
    return (u32)to_g16(a, ZERO) << 16 | to_g16(b, ZERO);
}
PTX u32 ptx_cvt_rn_relu_f16x2_f32(f32 a, f32 b)
{
    return ptx_cvt_rn_f16x2_f32(a > 0 ? a : 0, b > 0 ? b : 0);
}
/* Replaces infinity by the largest finite number, and a NaN by 0x7fff. */
static inline u32 finite(u32 bits, u32 infinity)
{
    return (bits & 0x7fffu) > infinity ? 0x7fffu : bits - ((bits & 0x7fffu) == infinity);
}
static inline f32 positive(f32 a)
{
    return a < 0 ? 0 : a;
}
#define TWO_HALVES(mode, word, n, t, infinity)                                                     \
    PTX u32 ptx_cvt_##mode##_satfinite_##n##x2_f32(f32 a, f32 b)                                   \
    {                                                                                              \
        return finite(to_##t(a, word), infinity) << 16 | finite(to_##t(b, word), infinity);        \
    }                                                                                              \
    PTX u32 ptx_cvt_##mode##_relu_satfinite_##n##x2_f32(f32 a, f32 b)                              \
    {                                                                                              \
        return ptx_cvt_##mode##_satfinite_##n##x2_f32(positive(a), positive(b));                   \
    }
TWO_HALVES(rn, NEAREST, f16, f16, 0x7c00u)
TWO_HALVES(rz, ZERO, f16, f16, 0x7c00u)
TWO_HALVES(rn, NEAREST, bf16, g16, 0x7f80u)
TWO_HALVES(rz, ZERO, bf16, g16, 0x7f80u)
#define RELU_PAIR(mode, n)                                                                         \
    PTX u32 ptx_cvt_##mode##_relu_##n##x2_f32(f32 a, f32 b)                                        \
    {                                                                                              \
        return ptx_cvt_##mode##_##n##x2_f32(positive(a), positive(b));                             \
    }
RELU_PAIR(rz, f16)
RELU_PAIR(rn, bf16)
RELU_PAIR(rz, bf16)
/* tf32: ten bits of fraction; to the nearest even or towards zero. */
PTX u32 ptx_cvt_rn_tf32_f32(f32 a)
{
    u32 bits = bits_of(a);

    return (bits & 0x7f800000u) == 0x7f800000u ? bits
                                               : (bits + 0xfffu + (bits >> 13 & 1)) & 0xffffe000u;
}
PTX u32 ptx_cvt_rz_tf32_f32(f32 a)
{
    return (bits_of(a) & 0x7fffffffu) > 0x7f800000u ? bits_of(a) : bits_of(a) & 0xffffe000u;
}
PTX u32 ptx_cvt_rn_relu_tf32_f32(f32 a)
{
    return ptx_cvt_rn_tf32_f32(positive(a));
}
PTX u32 ptx_cvt_rz_relu_tf32_f32(f32 a)
{
    return ptx_cvt_rz_tf32_f32(positive(a));
}
PTX u32 ptx_cvt_rna_satfinite_tf32_f32(f32 a)
{
    u32 bits = bits_of(a), size = bits & 0x7fffffffu;

    if (size > 0x7f800000u)
        return 0x7fffffffu;
    size = (size + 0x1000u) & 0xffffe000u;
    return (bits & 0x80000000u) | (size >= 0x7f800000u ? 0x7f7fe000u : size);
}
/* tf32: ten bits of fraction, ties away from zero. */
PTX u32 ptx_cvt_rna_tf32_f32(f32 a)
{
    return (bits_of(a) & 0x7f800000u) == 0x7f800000u ? bits_of(a)
                                                     : (bits_of(a) + 0x1000u) & 0xffffe000u;
}

/* Conversions between the two formats. */
#define CROSS(r, mode)                                                                             \
    PTX u16 ptx_cvt_##r##_f16_g16(u16 a)                                                           \
    {                                                                                              \
        return to_f16(from_g16(a), mode);                                                          \
    }                                                                                              \
    PTX u16 ptx_cvt_##r##_g16_f16(u16 a)                                                           \
    {                                                                                              \
        return to_g16(from_f16(a), mode);                                                          \
    }
CROSS(rn, NEAREST)
CROSS(rz, ZERO)
CROSS(rm, DOWN)
CROSS(rp, UP)

/* Formats of 8, 6 and 4 bits: EeMm has e bits of exponent, m of the fraction, and no infinity
 * except e5m2.  Only those of 8 bits have a NaN; here it is 0x7f.  .satfinite clamps infinities,
 * too; without a NaN, a NaN becomes the largest number. */
struct small {
    /* part: bits of the fraction; most: largest number; sign: bit number of the sign */
    u32 part, bias, most, nan, sign;
};
static const struct small E4M3 = {3, 7, 0x7e, 0x7f, 7}, E5M2 = {2, 15, 0x7b, 0x7f, 7},
                          E2M3 = {3, 1, 0x1f, 0x1f, 5}, E3M2 = {2, 3, 0x1f, 0x1f, 5},
                          E2M1 = {1, 1, 7, 7, 3};

static inline __attribute__((always_inline)) u32 to_small(f32 x, struct small s, bool relu)
{
    u32 bits = bits_of(x), size = bits & 0x7fffffffu, code;

    if (size > 0x7f800000u)
        return s.nan;
    if (relu && bits >> 31)
        return 0;
    if (size >> 23 < 128 - s.bias) /* below the least normal number */
        code = (u32)rintf(float_of(size) * float_of((126 + s.bias + s.part) << 23));
    else
        code = ((size - ((127 - s.bias) << 23)) >> (23 - s.part)) +
               rounding(size, 23 - s.part, false, NEAREST);
    return (bits >> 31) << s.sign | (code < s.most ? code : s.most);
}
static inline __attribute__((always_inline)) f32 from_small(u32 a, struct small s)
{
    u32 size = a & ((1u << s.sign) - 1), fraction = size & ((1u << s.part) - 1);
    f32 value = size >> s.part == 0
                    ? (f32)fraction * float_of((128 - s.bias - s.part) << 23)
                    : float_of(((size >> s.part) + 127 - s.bias) << 23 | fraction << (23 - s.part));

    return a >> s.sign & 1 ? -value : value;
}
static inline __attribute__((always_inline)) u32 half_of_small(u32 a, struct small s)
{
    u32 size = a & ((1u << s.sign) - 1);

    if (s.sign == 7 && size > (s.bias == 15 ? 0x7cu : s.most))
        return 0x7fff;
    /* An e5m2 number is the upper half of a half. */
    return s.bias == 15 ? (a & 0xffu) << 8 : to_f16(from_small(a, s), NEAREST);
}
/* A negative number becomes 0, also -0. */
static inline __attribute__((always_inline)) u32 without_minus(u32 half)
{
    return (half & 0x7fffu) <= 0x7c00u && half & 0x8000u ? 0 : half;
}
/* A pair of 8- or 6-bit numbers takes two bytes, a pair of 4-bit numbers one. */
#define TO_SMALL(name, relu, on, format, high)                                                     \
    PTX u16 ptx_cvt_rn_satfinite##relu##_##name##x2_f32(f32 a, f32 b)                              \
    {                                                                                              \
        return (u16)(to_small(a, format, on) << high | to_small(b, format, on));                   \
    }                                                                                              \
    PTX u32 ptx_cvt_rn##relu##_f16x2_##name##x2(u16 a)                                             \
    {                                                                                              \
        u32 first = half_of_small(a >> high, format), last = half_of_small(a, format);             \
                                                                                                   \
        return on ? without_minus(first) << 16 | without_minus(last) : first << 16 | last;         \
    }
#define TO_SMALL_F16(name, relu, on, format, high)                                                 \
    PTX u16 ptx_cvt_rn_satfinite##relu##_##name##x2_f16x2(u32 a)                                   \
    {                                                                                              \
        return (u16)(to_small(from_f16((u16)(a >> 16)), format, on) << high |                      \
                     to_small(from_f16((u16)a), format, on));                                      \
    }
#define SMALL(name, format, high)                                                                  \
    TO_SMALL(name, , false, format, high)                                                          \
    TO_SMALL(name, _relu, true, format, high)
SMALL(e4m3, E4M3, 8)
SMALL(e5m2, E5M2, 8)
SMALL(e2m3, E2M3, 8)
SMALL(e3m2, E3M2, 8)
SMALL(e2m1, E2M1, 4)
TO_SMALL_F16(e4m3, , false, E4M3, 8)
TO_SMALL_F16(e5m2, , false, E5M2, 8)
TO_SMALL_F16(e2m1, , false, E2M1, 4)
TO_SMALL_F16(e4m3, _relu, true, E4M3, 8)
TO_SMALL_F16(e5m2, _relu, true, E5M2, 8)
TO_SMALL_F16(e2m1, _relu, true, E2M1, 4)

/* ue8m0: the exponent of a power of two, from 2^-127; 0xff is NaN.  The sign is dropped. */
static inline __attribute__((always_inline)) u32 to_exponent(u32 bits, bool up, bool clamp)
{
    u32 size = bits & 0x7fffffffu, code = size >> 23;

    if (up && (size & 0x7fffffu) != 0 && size > 0x400000u && code < 255)
        code++;
    return clamp && code == 255 && size <= 0x7f800000u ? 254 : code;
}
#define EXPONENT(mode, up, satfinite, clamp)                                                       \
    PTX u16 ptx_cvt_##mode##satfinite##_ue8m0x2_f32(f32 a, f32 b)                                  \
    {                                                                                              \
        return (u16)(to_exponent(bits_of(a), up, clamp) << 8 |                                     \
                     to_exponent(bits_of(b), up, clamp));                                          \
    }                                                                                              \
    PTX u16 ptx_cvt_##mode##satfinite##_ue8m0x2_bf16x2(u32 a)                                      \
    {                                                                                              \
        return (u16)(to_exponent(a & 0xffff0000u, up, clamp) << 8 |                                \
                     to_exponent(a << 16, up, clamp));                                             \
    }
EXPONENT(rz, false, , false)
EXPONENT(rp, true, , false)
EXPONENT(rz, false, _satfinite, true)
EXPONENT(rp, true, _satfinite, true)
static inline __attribute__((always_inline)) u32 from_exponent(u32 code)
{
    return code == 255 ? 0x7fff : code == 0 ? 0x40 : code << 7;
}
PTX u32 ptx_cvt_rn_bf16x2_ue8m0x2(u16 a)
{
    return from_exponent(a >> 8) << 16 | from_exponent(a & 0xffu);
}
