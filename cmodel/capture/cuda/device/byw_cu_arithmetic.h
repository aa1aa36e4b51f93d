/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_cu_arithmetic.h - declarations shared by the files of the arithmetic library.
 *
 * Functions are named after PTX opcodes (bfe.u32: ptx_bfe_u32) and compiled to LLVM bitcode when
 * byway is built.  The capture counts a call of one as one instruction; it is inlined afterwards.
 */
#ifndef BYW_CU_ARITHMETIC_H
#define BYW_CU_ARITHMETIC_H

#include <stdbool.h>
#include <stdint.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int8_t s8;
typedef int16_t s16;
typedef int32_t s32;
typedef int64_t s64;
typedef float f32;
typedef double f64;
typedef u32 v4 __attribute__((vector_size(16))); /* several results, the first in element 0 */

#define PTX __attribute__((always_inline))
#define PTX_CALL __attribute__((noinline))

static inline __attribute__((always_inline)) u32 bits_of(f32 x)
{
    union {
        f32 f;
        u32 u;
    } v = {x};
    return v.u;
}

static inline __attribute__((always_inline)) f32 float_of(u32 x)
{
    union {
        u32 u;
        f32 f;
    } v = {x};
    return v.f;
}

static inline __attribute__((always_inline)) u64 bits_of_double(f64 x)
{
    union {
        f64 f;
        u64 u;
    } v = {x};
    return v.u;
}

static inline __attribute__((always_inline)) f64 double_of(u64 x)
{
    union {
        u64 u;
        f64 f;
    } v = {x};
    return v.f;
}

static inline f64 real_e4m3(u32 bits)
{
    u32 exponent = bits >> 3 & 15, fraction = bits & 7;
    f64 size = exponent == 0 ? (f64)fraction : (f64)((8 + fraction) << (exponent - 1));

    if ((bits & 0x7f) == 0x7f)
        return __builtin_nan("");
    return (bits & 0x80 ? -size : size) / 512;
}

static inline __attribute__((always_inline)) f32 flush(f32 x)
{
    return (bits_of(x) & 0x7f800000u) == 0 ? float_of(bits_of(x) & 0x80000000u) : x;
}

/* Result of a saturating operation: NaN gives 0. */
static inline __attribute__((always_inline)) f32 saturate(f32 x)
{
    return x > 0.0f ? x < 1.0f ? x : 1.0f : 0.0f;
}

/* The bits of a sum as a number of 32 bits: it wraps or, `saturated`, is clamped. */
static inline __attribute__((always_inline)) u32 whole_of_32(s64 sum, bool saturated)
{
    if (saturated)
        sum = sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum;
    return (u32)sum;
}

#endif
