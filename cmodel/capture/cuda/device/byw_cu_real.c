/* SPDX-License-Identifier: Apache-2.0
 *
 * Floating-point instructions of 32 and 64 bits, and conversions.
 */
#include <fenv.h>
#include <math.h>

#include "byw_cu_arithmetic.h"

PTX f32 ptx_flush_f32(f32 x)
{
    return flush(x);
}
PTX f32 ptx_saturate_f32(f32 x)
{
    return saturate(x);
}
PTX f64 ptx_saturate_f64(f64 x)
{
    return x > 0.0 ? x < 1.0 ? x : 1.0 : 0.0;
}

/* Directed rounding, implemented with the host's rounding mode. */
#define DIRECTED(t, name, mode)                                                                    \
    PTX_CALL t ptx_add_##name##_##t(t a, t b)                                                      \
    {                                                                                              \
        volatile t x = a, y = b;                                                                   \
        fesetround(mode);                                                                          \
        x = x + y;                                                                                 \
        fesetround(FE_TONEAREST);                                                                  \
        return x;                                                                                  \
    }                                                                                              \
    PTX_CALL t ptx_mul_##name##_##t(t a, t b)                                                      \
    {                                                                                              \
        volatile t x = a, y = b;                                                                   \
        fesetround(mode);                                                                          \
        x = x * y;                                                                                 \
        fesetround(FE_TONEAREST);                                                                  \
        return x;                                                                                  \
    }                                                                                              \
    PTX_CALL t ptx_div_##name##_##t(t a, t b)                                                      \
    {                                                                                              \
        volatile t x = a, y = b;                                                                   \
        fesetround(mode);                                                                          \
        x = x / y;                                                                                 \
        fesetround(FE_TONEAREST);                                                                  \
        return x;                                                                                  \
    }                                                                                              \
    PTX_CALL t ptx_sqrt_##name##_##t(t a)                                                          \
    {                                                                                              \
        volatile t x = a;                                                                          \
        fesetround(mode);                                                                          \
        x = (t)(sizeof(t) == 4 ? sqrtf((f32)x) : sqrt(x));                                         \
        fesetround(FE_TONEAREST);                                                                  \
        return x;                                                                                  \
    }                                                                                              \
    PTX_CALL t ptx_fma_##name##_##t(t a, t b, t c)                                                 \
    {                                                                                              \
        volatile t x = a, y = b, z = c;                                                            \
        fesetround(mode);                                                                          \
        x = (t)(sizeof(t) == 4 ? fmaf((f32)x, (f32)y, (f32)z) : fma(x, y, z));                     \
        fesetround(FE_TONEAREST);                                                                  \
        return x;                                                                                  \
    }                                                                                              \
    PTX t ptx_sub_##name##_##t(t a, t b)                                                           \
    {                                                                                              \
        return ptx_add_##name##_##t(a, -b);                                                        \
    }                                                                                              \
    PTX t ptx_mad_##name##_##t(t a, t b, t c)                                                      \
    {                                                                                              \
        return ptx_fma_##name##_##t(a, b, c);                                                      \
    }                                                                                              \
    PTX t ptx_rcp_##name##_##t(t a)                                                                \
    {                                                                                              \
        return ptx_div_##name##_##t(1, a);                                                         \
    }
DIRECTED(f32, rz, FE_TOWARDZERO)
DIRECTED(f32, rm, FE_DOWNWARD)
DIRECTED(f32, rp, FE_UPWARD)
DIRECTED(f64, rz, FE_TOWARDZERO)
DIRECTED(f64, rm, FE_DOWNWARD)
DIRECTED(f64, rp, FE_UPWARD)

static inline f32 add_(f32 a, f32 b)
{
    return a + b;
}
static inline f32 sub_(f32 a, f32 b)
{
    return a - b;
}
static inline f32 mul_(f32 a, f32 b)
{
    return a * b;
}

/* .ftz and .sat of operations with two operands: `mode` is the rounding with its underscore. */
#define FLUSHED(op, mode, core)                                                                    \
    PTX f32 ptx_##op##mode##_ftz_f32(f32 a, f32 b)                                                 \
    {                                                                                              \
        return flush(core(flush(a), flush(b)));                                                    \
    }                                                                                              \
    PTX f32 ptx_##op##mode##_sat_f32(f32 a, f32 b)                                                 \
    {                                                                                              \
        return saturate(core(a, b));                                                               \
    }                                                                                              \
    PTX f32 ptx_##op##mode##_ftz_sat_f32(f32 a, f32 b)                                             \
    {                                                                                              \
        return saturate(flush(core(flush(a), flush(b))));                                          \
    }
#define FLUSHED_MODES(op)                                                                          \
    FLUSHED(op, , op##_)                                                                           \
    FLUSHED(op, _rz, ptx_##op##_rz_f32)                                                            \
    FLUSHED(op, _rm, ptx_##op##_rm_f32)                                                            \
    FLUSHED(op, _rp, ptx_##op##_rp_f32)
FLUSHED_MODES(add)
FLUSHED_MODES(sub)
FLUSHED_MODES(mul)

#define FLUSHED_FMA(mode, core)                                                                    \
    PTX f32 ptx_fma##mode##_ftz_f32(f32 a, f32 b, f32 c)                                           \
    {                                                                                              \
        return flush(core(flush(a), flush(b), flush(c)));                                          \
    }                                                                                              \
    PTX f32 ptx_fma##mode##_sat_f32(f32 a, f32 b, f32 c)                                           \
    {                                                                                              \
        return saturate(core(a, b, c));                                                            \
    }                                                                                              \
    PTX f32 ptx_fma##mode##_ftz_sat_f32(f32 a, f32 b, f32 c)                                       \
    {                                                                                              \
        return saturate(flush(core(flush(a), flush(b), flush(c))));                                \
    }                                                                                              \
    PTX f32 ptx_mad##mode##_ftz_f32(f32 a, f32 b, f32 c)                                           \
    {                                                                                              \
        return ptx_fma##mode##_ftz_f32(a, b, c);                                                   \
    }
FLUSHED_FMA(, __builtin_fmaf)
FLUSHED_FMA(_rz, ptx_fma_rz_f32)
FLUSHED_FMA(_rm, ptx_fma_rm_f32)
FLUSHED_FMA(_rp, ptx_fma_rp_f32)

/* Functions of one operand, with .ftz. */
#define UNARY(name, expression)                                                                    \
    PTX f32 ptx_##name##_ftz_f32(f32 x)                                                            \
    {                                                                                              \
        x = flush(x);                                                                              \
        return flush(expression);                                                                  \
    }
#define UNARY_BOTH(name, expression)                                                               \
    PTX f32 ptx_##name##_f32(f32 x)                                                                \
    {                                                                                              \
        return expression;                                                                         \
    }                                                                                              \
    UNARY(name, expression)
UNARY_BOTH(ex2_approx, exp2f(x))
UNARY_BOTH(lg2_approx, log2f(x))
UNARY_BOTH(sin_approx, sinf(x))
UNARY_BOTH(cos_approx, cosf(x))
UNARY_BOTH(rsqrt_approx, 1.0f / sqrtf(x))
UNARY(rcp_approx, 1.0f / x)
UNARY(rcp_rn, 1.0f / x)
UNARY(sqrt_approx, sqrtf(x))
UNARY(sqrt_rn, sqrtf(x))
UNARY(neg, -x)
UNARY(abs, fabsf(x))
PTX f32 ptx_tanh_approx_f32(f32 x)
{
    return tanhf(x);
}
PTX f64 ptx_rsqrt_approx_f64(f64 x)
{
    return 1.0 / sqrt(x);
}
/* Only the upper 32 bits of operand and result are significant. */
static f64 upper(f64 x)
{
    union {
        f64 f;
        u64 u;
    } v = {x};

    v.u &= 0xffffffff00000000ull;
    return v.f;
}
PTX f64 ptx_rcp_approx_ftz_f64(f64 x)
{
    f64 r = upper(x);

    return fabs(r) < 0x1p-1022 ? copysign((f64)INFINITY, r) : upper(1.0 / r);
}
PTX f64 ptx_rsqrt_approx_ftz_f64(f64 x)
{
    return upper(1.0 / sqrt(upper(x)));
}
PTX f32 ptx_div_approx_ftz_f32(f32 a, f32 b)
{
    return flush(flush(a) / flush(b));
}
PTX f32 ptx_div_full_ftz_f32(f32 a, f32 b)
{
    return flush(flush(a) / flush(b));
}
PTX f32 ptx_div_rn_ftz_f32(f32 a, f32 b)
{
    return flush(flush(a) / flush(b));
}

/* -0 is less than +0; if one operand is NaN, the other one is the result. */
#define LEAST(t, name, less)                                                                       \
    PTX t ptx_##name##_##t(t a, t b)                                                               \
    {                                                                                              \
        if (a != a || b != b)                                                                      \
            return a != a ? b : a;                                                                 \
        if (a == b)                                                                                \
            return (signbit(a) != 0) == (less) ? a : b;                                            \
        return (a < b) == (less) ? a : b;                                                          \
    }                                                                                              \
    PTX t ptx_##name##_NaN_##t(t a, t b)                                                           \
    {                                                                                              \
        return a != a || b != b ? (t)NAN : ptx_##name##_##t(a, b);                                 \
    }
LEAST(f32, min, 1)
LEAST(f32, max, 0)
LEAST(f64, min, 1)
LEAST(f64, max, 0)
/* .xorsign.abs: the result is chosen by magnitude and negative if exactly one operand is
 * negative. */
static f32 with_sign(f32 size, f32 a, f32 b)
{
    return copysignf(size, (signbit(a) != 0) != (signbit(b) != 0) ? -1.0f : 1.0f);
}
#define LEAST_FORMS(name)                                                                          \
    LEAST_FTZ(name, )                                                                              \
    LEAST_FTZ(name, NaN_)                                                                          \
    LEAST_SIZE(name, , )                                                                           \
    LEAST_SIZE(name, NaN_, )                                                                       \
    LEAST_SIZE(name, , ftz_)                                                                       \
    LEAST_SIZE(name, NaN_, ftz_)
#define LEAST_FTZ(name, nan)                                                                       \
    PTX f32 ptx_##name##_ftz_##nan##f32(f32 a, f32 b)                                              \
    {                                                                                              \
        return ptx_##name##_##nan##f32(flush(a), flush(b));                                        \
    }
#define LEAST_SIZE(name, nan, ftz)                                                                 \
    PTX f32 ptx_##name##_##ftz##nan##xorsign_abs_f32(f32 a, f32 b)                                 \
    {                                                                                              \
        return with_sign(ptx_##name##_##ftz##nan##f32(fabsf(a), fabsf(b)), a, b);                  \
    }
LEAST_FORMS(min)
LEAST_FORMS(max)
#define DIRECTED_FTZ(name)                                                                         \
    PTX f32 ptx_div_##name##_ftz_f32(f32 a, f32 b)                                                 \
    {                                                                                              \
        return flush(ptx_div_##name##_f32(flush(a), flush(b)));                                    \
    }                                                                                              \
    PTX f32 ptx_rcp_##name##_ftz_f32(f32 a)                                                        \
    {                                                                                              \
        return flush(ptx_rcp_##name##_f32(flush(a)));                                              \
    }                                                                                              \
    PTX f32 ptx_sqrt_##name##_ftz_f32(f32 a)                                                       \
    {                                                                                              \
        return flush(ptx_sqrt_##name##_f32(flush(a)));                                             \
    }
DIRECTED_FTZ(rz)
DIRECTED_FTZ(rm)
DIRECTED_FTZ(rp)
PTX f32 ptx_copysign_f32(f32 a, f32 b)
{
    return copysignf(b, a);
}
PTX f64 ptx_copysign_f64(f64 a, f64 b)
{
    return copysign(b, a);
}

#define TESTS(t)                                                                                   \
    PTX bool ptx_testp_finite_##t(t a)                                                             \
    {                                                                                              \
        return isfinite(a);                                                                        \
    }                                                                                              \
    PTX bool ptx_testp_infinite_##t(t a)                                                           \
    {                                                                                              \
        return isinf(a);                                                                           \
    }                                                                                              \
    PTX bool ptx_testp_number_##t(t a)                                                             \
    {                                                                                              \
        return !isnan(a);                                                                          \
    }                                                                                              \
    PTX bool ptx_testp_notanumber_##t(t a)                                                         \
    {                                                                                              \
        return isnan(a);                                                                           \
    }                                                                                              \
    PTX bool ptx_testp_normal_##t(t a)                                                             \
    {                                                                                              \
        return isnormal(a);                                                                        \
    }                                                                                              \
    PTX bool ptx_testp_subnormal_##t(t a)                                                          \
    {                                                                                              \
        return a != 0 && isfinite(a) && !isnormal(a);                                              \
    }
TESTS(f32)
TESTS(f64)

/* Conversions to integers: NaN gives 0, or only the highest bit if one of the types has 64 bits;
 * values out of range are clamped. */
#define TO_WHOLE(r, round, to, low, above, from)                                                   \
    PTX to ptx_cvt_##r##_##to##_##from(from x)                                                     \
    {                                                                                              \
        x = round(x);                                                                              \
        if (x != x)                                                                                \
            return sizeof(from) == 8 ? (to)(1ull << (8 * sizeof(to) - 1)) : 0;                     \
        return x <= (from)(low) ? (to)(low) : x >= (from)above ? (to)(above - 1) : (to)x;          \
    }
#define TO_WHOLE_64(r, round, to, low, high, above, from)                                          \
    PTX to ptx_cvt_##r##_##to##_##from(from x)                                                     \
    {                                                                                              \
        x = round(x);                                                                              \
        if (x != x)                                                                                \
            return (to)((u64)1 << 63);                                                             \
        return x <= (from)(low) ? (to)(low) : x >= (from)above ? (to)(high) : (to)x;               \
    }
#define TO_WHOLES(r, round, from)                                                                  \
    TO_WHOLE(r, round, u8, 0, 256.0, from)                                                         \
    TO_WHOLE(r, round, u16, 0, 65536.0, from)                                                      \
    TO_WHOLE(r, round, u32, 0, 4294967296.0, from)                                                 \
    TO_WHOLE(r, round, s8, INT8_MIN, 128.0, from)                                                  \
    TO_WHOLE(r, round, s16, INT16_MIN, 32768.0, from)                                              \
    TO_WHOLE(r, round, s32, INT32_MIN, 2147483648.0, from)                                         \
    TO_WHOLE_64(r, round, u64, 0, UINT64_MAX, 0x1p64, from)                                        \
    TO_WHOLE_64(r, round, s64, INT64_MIN, INT64_MAX, 0x1p63, from)
TO_WHOLES(rni, __builtin_rintf, f32)
TO_WHOLES(rzi, __builtin_truncf, f32)
TO_WHOLES(rmi, __builtin_floorf, f32)
TO_WHOLES(rpi, __builtin_ceilf, f32)
TO_WHOLES(rni, __builtin_rint, f64)
TO_WHOLES(rzi, __builtin_trunc, f64)
TO_WHOLES(rmi, __builtin_floor, f64)
TO_WHOLES(rpi, __builtin_ceil, f64)

/* Conversions between floating types, and to whole numbers in floating types. */
#define TO_INTEGRAL(t, s)                                                                          \
    PTX t ptx_cvt_rni_##t##_##t(t x)                                                               \
    {                                                                                              \
        return __builtin_rint##s(x);                                                               \
    }                                                                                              \
    PTX t ptx_cvt_rzi_##t##_##t(t x)                                                               \
    {                                                                                              \
        return __builtin_trunc##s(x);                                                              \
    }                                                                                              \
    PTX t ptx_cvt_rmi_##t##_##t(t x)                                                               \
    {                                                                                              \
        return __builtin_floor##s(x);                                                              \
    }                                                                                              \
    PTX t ptx_cvt_rpi_##t##_##t(t x)                                                               \
    {                                                                                              \
        return __builtin_ceil##s(x);                                                               \
    }
TO_INTEGRAL(f32, f)
TO_INTEGRAL(f64, )

#define FROM(r, mode, to, from)                                                                    \
    PTX_CALL to ptx_cvt_##r##_##to##_##from(from a)                                                \
    {                                                                                              \
        volatile from x = a;                                                                       \
        volatile to y;                                                                             \
        fesetround(mode);                                                                          \
        y = (to)x;                                                                                 \
        fesetround(FE_TONEAREST);                                                                  \
        return a == 0 ? (to)a : y; /* rounded downwards, the host's unsigned 0 is -0 */            \
    }
#define FROM_ALL(r, mode)                                                                          \
    FROM(r, mode, f32, f64)                                                                        \
    FROM(r, mode, f32, u8)                                                                         \
    FROM(r, mode, f32, s8)                                                                         \
    FROM(r, mode, f32, u16)                                                                        \
    FROM(r, mode, f32, s16)                                                                        \
    FROM(r, mode, f32, u32)                                                                        \
    FROM(r, mode, f32, s32)                                                                        \
    FROM(r, mode, f32, u64)                                                                        \
    FROM(r, mode, f32, s64)                                                                        \
    FROM(r, mode, f64, u8)                                                                         \
    FROM(r, mode, f64, s8)                                                                         \
    FROM(r, mode, f64, u16)                                                                        \
    FROM(r, mode, f64, s16)                                                                        \
    FROM(r, mode, f64, u32)                                                                        \
    FROM(r, mode, f64, s32)                                                                        \
    FROM(r, mode, f64, u64)                                                                        \
    FROM(r, mode, f64, s64)
FROM_ALL(rz, FE_TOWARDZERO)
FROM_ALL(rm, FE_DOWNWARD)
FROM_ALL(rp, FE_UPWARD)
