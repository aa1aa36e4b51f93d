/* SPDX-License-Identifier: Apache-2.0
 *
 * Operands for which the machine code of a division or root calls a function, and the path through
 * that function (byw_slow_ways.h).
 *
 * For roots and reciprocals, integer instructions of the machine code test the operand, so the
 * condition is known. A division of 32 bits tests both by FCHK: it holds unless the dividend is at
 * least 2^-102, the divisor from 2^-125 to below 2^125 and the quotient from 2^-125 to below 2^127,
 * where no step of the short code under- or overflows. A division of 64 bits tests the upper words
 * of the dividend and of the quotient that the short code found.
 */
#include <math.h>

#include "byw_cu_arithmetic.h"
#include "capture/path/byw_slow_ways.h"

#define RAISED(way) (raised ? BYW_SLOW_DIV32_RAISED_##way : BYW_SLOW_DIV32_##way)

static u32 exponent(u32 x)
{
    return x >> 23 & 255;
}

static bool is_nan32(u32 x)
{
    return (x << 1) > 0xff000000u;
}

static bool is_infinite32(u32 x)
{
    return (x << 1) == 0xff000000u;
}

/* Whether the instruction FCHK sets its predicate, so that the slow path is taken.  Its ranges are
 * assumed, not measured: published experiments on another architecture found them
 * (cmodel/doc/machine_code.md, Slow paths). */
static bool checks(u32 a, u32 b)
{
    s32 d = (s32)exponent(a) - (s32)exponent(b);
    bool less = (a & 0x7fffffu) < (b & 0x7fffffu);

    return exponent(a) < 25 || exponent(a) == 255 || exponent(b) < 2 || exponent(b) > 251 ||
           d < -125 || (d == -125 && less) || d > 127 || (d == 127 && !less);
}

static u32 special32(u32 a, u32 b)
{
    bool zero_a = (a << 1) == 0, zero_b = (b << 1) == 0;

    if (is_nan32(a) || is_nan32(b))
        return BYW_SLOW_DIV32_NAN;
    if (zero_a && zero_b)
        return BYW_SLOW_DIV32_ZEROS;
    if (is_infinite32(a) && is_infinite32(b))
        return BYW_SLOW_DIV32_INFINITIES;
    if (zero_a || is_infinite32(b))
        return BYW_SLOW_DIV32_ZERO;
    return zero_b || is_infinite32(a) ? BYW_SLOW_DIV32_INFINITY : BYW_SLOW_NONE;
}

static __attribute__((noinline)) u32 way_of_div32(u32 a, u32 b)
{
    u32 way = special32(a, b), bits;
    bool raised = exponent(a) == 0 || exponent(b) == 0;
    f32 q = float_of(a) / float_of(b);

    if (way != BYW_SLOW_NONE)
        return way;
    bits = bits_of(q) << 1;
    if (bits == 0xff000000u)
        return RAISED(OVER);
    if (bits >= 0x01000000u)
        return raised ? BYW_SLOW_DIV32_RAISED : BYW_SLOW_DIV32_NORMAL;
    return fabs((f64)float_of(a) / (f64)float_of(b)) < 0x1p-151 ? RAISED(TINY) : RAISED(UNDER);
}

PTX u32 ptx_way_div32(f32 a, f32 b)
{
    return checks(bits_of(a), bits_of(b)) ? way_of_div32(bits_of(a), bits_of(b)) : BYW_SLOW_NONE;
}
PTX u32 ptx_way_div32_ftz(f32 a, f32 b)
{
    return checks(bits_of(a), bits_of(b)) ? way_of_div32(bits_of(flush(a)), bits_of(flush(b)))
                                          : BYW_SLOW_NONE;
}

PTX u32 ptx_way_rcp32(f32 x)
{
    u32 bits = bits_of(x);

    if (((bits + 0x1800000u) & 0x7f800000u) > 0x1ffffffu)
        return BYW_SLOW_NONE;
    if (exponent(bits) == 255)
        return BYW_SLOW_RCP32_INFINITY;
    if (exponent(bits) != 0)
        return BYW_SLOW_RCP32_LARGE;
    return (bits << 1) == 0 ? BYW_SLOW_RCP32_ZERO : BYW_SLOW_RCP32_SUBNORMAL;
}
PTX u32 ptx_way_rcp32_ftz(f32 x)
{
    u32 bits = bits_of(x);

    if (((bits + 0x1800000u) & 0x7f800000u) > 0x1ffffffu)
        return BYW_SLOW_NONE;
    if (exponent(bits) == 255)
        return BYW_SLOW_RCP32_FTZ_INFINITY;
    return exponent(bits) == 0 ? BYW_SLOW_RCP32_FTZ_ZERO : BYW_SLOW_RCP32_FTZ_LARGE;
}

PTX u32 ptx_way_sqrt32(f32 x)
{
    u32 bits = bits_of(x);

    if (bits - 0x0d000000u <= 0x727fffffu)
        return BYW_SLOW_NONE;
    if ((bits << 1) == 0)
        return BYW_SLOW_SQRT32_ZERO;
    if (is_nan32(bits))
        return BYW_SLOW_SQRT32_NAN;
    if (bits >> 31 != 0)
        return BYW_SLOW_SQRT32_NEGATIVE;
    return is_infinite32(bits) ? BYW_SLOW_SQRT32_INFINITY : BYW_SLOW_SQRT32_TINY;
}
PTX u32 ptx_way_sqrt32_ftz(f32 x)
{
    return bits_of(x) - 0x0d000000u <= 0x727fffffu ? BYW_SLOW_NONE : ptx_way_sqrt32(flush(x));
}

static u32 upper_of(f64 x)
{
    return (u32)(bits_of_double(x) >> 32);
}

static bool is_subnormal_or_zero(f64 x)
{
    return (upper_of(x) & 0x7ff00000u) == 0;
}

static __attribute__((noinline)) u32 way_of_div64(f64 a, f64 b)
{
    u32 low = is_subnormal_or_zero(a); /* added to a path: its variant for a subnormal or zero a */
    f64 q = a / b;

    if (a != a)
        return BYW_SLOW_DIV64_NAN_A;
    if (b != b)
        return BYW_SLOW_DIV64_NAN_B + low;
    if ((a == 0 && b == 0) || (isinf(a) && isinf(b)))
        return BYW_SLOW_DIV64_EQUAL + low;
    if (a == 0 || b == 0 || isinf(a) || isinf(b))
        return BYW_SLOW_DIV64_OTHER + low;
    if (!is_subnormal_or_zero(q))
        return BYW_SLOW_DIV64_NORMAL + low;
    return (q * b == a && q != 0 ? BYW_SLOW_DIV64_EXACT : BYW_SLOW_DIV64_UNDER) + low;
}

PTX u32 ptx_way_div64(f64 a, f64 b)
{
    u32 up_a = upper_of(a) & 0x7fffffffu, up_b = upper_of(b) & 0x7fffffffu,
        up_q = upper_of(a / b) & 0x7fffffffu;

    if (up_a >= 0x03600000u && up_b >= 0x00100000u && up_b < 0x7f800000u && up_q > 0x00100000u &&
        up_q <= 0x7f800000u)
        return BYW_SLOW_NONE;
    return way_of_div64(a, b);
}

PTX u32 ptx_way_rcp64(f64 x)
{
    u32 up = upper_of(x);

    if (((up + 0x300402u) & 0x7fffffffu) >= 0x00400402u)
        return BYW_SLOW_NONE;
    if (x != x)
        return BYW_SLOW_RCP64_NAN;
    if (x == 0 || isinf(x))
        return BYW_SLOW_RCP64_ENDS;
    return is_subnormal_or_zero(x) ? BYW_SLOW_RCP64_SUBNORMAL : BYW_SLOW_RCP64_LARGE;
}

PTX u32 ptx_way_sqrt64(f64 x)
{
    u32 up = upper_of(x);

    if (up + 0xfcb00000u < 0x7ca00000u)
        return BYW_SLOW_NONE;
    if (up + 0xfcb00000u >= 0xfcc00000u)
        return BYW_SLOW_SQRT64_SMALL;
    if (x == 0)
        return BYW_SLOW_SQRT64_ZERO;
    if (up >> 31 != 0)
        return BYW_SLOW_SQRT64_NEGATIVE;
    return up >= 0x7ff00000u ? BYW_SLOW_SQRT64_INFINITY : BYW_SLOW_SQRT64_SUBNORMAL;
}
