/* SPDX-License-Identifier: Apache-2.0
 *
 * byw_cl_prelude_half.cl - half arithmetic (cl_khr_fp16), which libclc for nvptx lacks: functions
 * of halves, which round the results of those of floats, and loads and stores of half vectors.
 */
#if defined(BYW_WANT_HALF) && defined(cl_khr_fp16)
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#line 1 "byw_cl_arithmetic.cl"
#define BYW_INLINE extern inline BYW_OVER __attribute__((always_inline))
#define BYW_WIDTHS(F) F(2) F(3) F(4) F(8) F(16)
#define BYW_ALL_WIDTHS(F, ...) F(__VA_ARGS__, ) F(__VA_ARGS__, 2) F(__VA_ARGS__, 3)                 \
    F(__VA_ARGS__, 4) F(__VA_ARGS__, 8) F(__VA_ARGS__, 16)
BYW_INLINE float byw_wide(half x) { return x; }
BYW_INLINE half byw_narrow(float x) { return (half)x; }
#define BYW_CONVERTERS(n)                                                                          \
    BYW_INLINE float##n byw_wide(half##n x) { return __builtin_convertvector(x, float##n); }  \
    BYW_INLINE half##n byw_narrow(float##n x) { return __builtin_convertvector(x, half##n); }
BYW_WIDTHS(BYW_CONVERTERS)

#define BYW_H1(f, n)                                                                               \
    BYW_INLINE half##n f(half##n x) { return byw_narrow(f(byw_wide(x))); }
#define BYW_H2(f, n)                                                                               \
    BYW_INLINE half##n f(half##n x, half##n y) { return byw_narrow(f(byw_wide(x), byw_wide(y))); }
#define BYW_H3(f, n)                                                                               \
    BYW_INLINE half##n f(half##n x, half##n y, half##n z)                                          \
    { return byw_narrow(f(byw_wide(x), byw_wide(y), byw_wide(z))); }
#define BYW_H2S(f, n) BYW_INLINE half##n f(half##n x, half y) { return f(x, (half##n)y); }
#define BYW_F1(f) BYW_ALL_WIDTHS(BYW_H1, f)
#define BYW_F2(f) BYW_ALL_WIDTHS(BYW_H2, f)
#define BYW_F3(f) BYW_ALL_WIDTHS(BYW_H3, f)
BYW_F1(sqrt) BYW_F1(rsqrt) BYW_F1(cbrt) BYW_F1(fabs) BYW_F1(floor) BYW_F1(ceil) BYW_F1(round)
BYW_F1(rint) BYW_F1(trunc) BYW_F1(exp) BYW_F1(exp2) BYW_F1(exp10) BYW_F1(expm1) BYW_F1(log)
BYW_F1(log2) BYW_F1(log10) BYW_F1(log1p) BYW_F1(sin) BYW_F1(cos) BYW_F1(tan) BYW_F1(sinh)
BYW_F1(cosh) BYW_F1(tanh) BYW_F1(asin) BYW_F1(acos) BYW_F1(atan) BYW_F1(asinh) BYW_F1(acosh)
BYW_F1(atanh) BYW_F1(sinpi) BYW_F1(cospi) BYW_F1(erf) BYW_F1(erfc) BYW_F1(sign) BYW_F1(degrees)
BYW_F1(radians) BYW_F1(tanpi) BYW_F1(asinpi) BYW_F1(acospi) BYW_F1(atanpi) BYW_F1(lgamma)
BYW_F1(tgamma) BYW_F1(logb)
BYW_F2(fmin) BYW_F2(fmax) BYW_F2(min) BYW_F2(max) BYW_F2(pow) BYW_F2(powr) BYW_F2(fmod)
BYW_F2(atan2) BYW_F2(hypot) BYW_F2(copysign) BYW_F2(step) BYW_F2(fdim) BYW_F2(remainder)
BYW_F2(atan2pi) BYW_F2(maxmag) BYW_F2(minmag)
BYW_F3(fma) BYW_F3(mad) BYW_F3(clamp) BYW_F3(mix) BYW_F3(smoothstep)
#define BYW_POWN(n, i)                                                                             \
    BYW_INLINE half##n pown(half##n x, i y) { return byw_narrow(pown(byw_wide(x), y)); }           \
    BYW_INLINE half##n rootn(half##n x, i y) { return byw_narrow(rootn(byw_wide(x), y)); }         \
    BYW_INLINE i ilogb(half##n x) { return ilogb(byw_wide(x)); }                                   \
    BYW_INLINE half##n ldexp(half##n x, i y) { return byw_narrow(ldexp(byw_wide(x), y)); }
BYW_POWN(, int) BYW_POWN(2, int2) BYW_POWN(3, int3) BYW_POWN(4, int4) BYW_POWN(8, int8)
BYW_POWN(16, int16)
#define BYW_SCALARS(n)                                                                             \
    BYW_H2S(fmin, n) BYW_H2S(fmax, n) BYW_H2S(min, n) BYW_H2S(max, n)                              \
    BYW_INLINE half##n clamp(half##n x, half a, half b)                                            \
    { return clamp(x, (half##n)a, (half##n)b); }                                                   \
    BYW_INLINE half##n mix(half##n x, half##n y, half a) { return mix(x, y, (half##n)a); }         \
    BYW_INLINE half##n step(half a, half##n x) { return step((half##n)a, x); }                     \
    BYW_INLINE half##n smoothstep(half a, half b, half##n x)                                       \
    { return smoothstep((half##n)a, (half##n)b, x); }                                              \
    BYW_INLINE half##n ldexp(half##n x, int y) { return ldexp(x, (int##n)y); }
BYW_WIDTHS(BYW_SCALARS)
#define BYW_GEOMETRY(n)                                                                            \
    BYW_INLINE half dot(half##n x, half##n y) { return (half)dot(byw_wide(x), byw_wide(y)); }      \
    BYW_INLINE half length(half##n x) { return (half)length(byw_wide(x)); }                        \
    BYW_INLINE half distance(half##n x, half##n y) { return length(x - y); }                       \
    BYW_INLINE half##n normalize(half##n x) { return byw_narrow(normalize(byw_wide(x))); }
BYW_GEOMETRY() BYW_GEOMETRY(2) BYW_GEOMETRY(3) BYW_GEOMETRY(4)

#define BYW_CROSS(n)                                                                               \
    BYW_INLINE half##n cross(half##n x, half##n y)                                                 \
    { return byw_narrow(cross(byw_wide(x), byw_wide(y))); }
BYW_CROSS(3) BYW_CROSS(4)

/* The next value towards minus infinity; a float rounded in this direction. */
#define BYW_BELOW_N(n)                                                                             \
    BYW_INLINE half##n byw_half_below(half##n x)                                                   \
    {                                                                                              \
        short##n b = __builtin_astype(x, short##n);                                                \
        short##n next = select(b - (short)1, b + (short)1, b < (short)0);                          \
        return __builtin_astype(select(next, (short##n)0x8001, b == (short)0), half##n);           \
    }                                                                                              \
    BYW_INLINE half##n byw_half_rtn(float##n x)                                                    \
    {                                                                                              \
        half##n h = byw_narrow(x);                                                                 \
        short##n above = convert_short##n(byw_wide(h) > x);                                        \
        return __builtin_astype(select(__builtin_astype(h, short##n),                              \
                                       __builtin_astype(byw_half_below(h), short##n), above),      \
                                half##n);                                                          \
    }
BYW_INLINE half byw_half_below(half x)
{
    short b = __builtin_astype(x, short);
    return __builtin_astype((short)(b == 0 ? 0x8001 : b < 0 ? b + 1 : b - 1), half);
}
BYW_INLINE half byw_half_rtn(float x)
{
    half h = (half)x;
    return (float)h > x ? byw_half_below(h) : h;
}
BYW_WIDTHS(BYW_BELOW_N)
#define BYW_UP(n)                                                                                  \
    BYW_INLINE half##n byw_half_rtp(float##n x) { return -byw_half_rtn(-x); }
#define BYW_ZERO_N(n)                                                                              \
    BYW_INLINE half##n byw_half_rtz(float##n x)                                                    \
    { return copysign(byw_half_rtn(fabs(x)), byw_narrow(x)); }
BYW_UP() BYW_WIDTHS(BYW_UP) BYW_ZERO_N() BYW_WIDTHS(BYW_ZERO_N)
BYW_INLINE half nextafter(half x, half y)
{
    return x != x || y != y ? x + y : x == y ? y : x > y ? byw_half_below(x) : -byw_half_below(-x);
}
/* Converts a double to a float that rounds to the same half: the last bit of an inexact result is
 * set to 1. */
BYW_INLINE float byw_odd(double x)
{
    float f = (float)x;
    uint b = __builtin_astype(f, uint);
    if (x != x || (double)f == x)
        return f;
    return __builtin_astype((b - (fabs((double)f) > fabs(x))) | 1, float);
}
#define BYW_ODD_N(n)                                                                               \
    BYW_INLINE float##n byw_odd(double##n x)                                                       \
    { return (float##n)(byw_odd(x.lo), byw_odd(x.hi)); }
BYW_ODD_N(2) BYW_ODD_N(4) BYW_ODD_N(8) BYW_ODD_N(16)
BYW_INLINE float3 byw_odd(double3 x) { return (float3)(byw_odd(x.x), byw_odd(x.y), byw_odd(x.z)); }
#define BYW_FROM_DOUBLE(n)                                                                         \
    BYW_INLINE half##n convert_half##n(double##n x) { return byw_narrow(byw_odd(x)); }             \
    BYW_INLINE half##n convert_half##n##_rte(double##n x) { return byw_narrow(byw_odd(x)); }       \
    BYW_INLINE half##n convert_half##n##_rtz(double##n x) { return byw_half_rtz(byw_odd(x)); }     \
    BYW_INLINE half##n convert_half##n##_rtp(double##n x) { return byw_half_rtp(byw_odd(x)); }     \
    BYW_INLINE half##n convert_half##n##_rtn(double##n x) { return byw_half_rtn(byw_odd(x)); }
BYW_FROM_DOUBLE() BYW_WIDTHS(BYW_FROM_DOUBLE)

/* Functions that return a second result through a pointer. */
#define BYW_SECOND(space, n)                                                                       \
    BYW_INLINE half##n fract(half##n x, space half##n *p)                                          \
    {                                                                                              \
        *p = floor(x);                                                                             \
        return fmin(x - *p, (half##n)(half)0.99951171875f);                                        \
    }                                                                                              \
    BYW_INLINE half##n modf(half##n x, space half##n *p)                                           \
    {                                                                                              \
        float##n whole, rest = modf(byw_wide(x), &whole);                                          \
        *p = byw_narrow(whole);                                                                    \
        return byw_narrow(rest);                                                                   \
    }                                                                                              \
    BYW_INLINE half##n sincos(half##n x, space half##n *p)                                         \
    {                                                                                              \
        *p = cos(x);                                                                               \
        return sin(x);                                                                             \
    }                                                                                              \
    BYW_INLINE half##n frexp(half##n x, space int##n *e)                                           \
    {                                                                                              \
        int##n power;                                                                              \
        float##n rest = frexp(byw_wide(x), &power);                                                \
        *e = power;                                                                                \
        return byw_narrow(rest);                                                                   \
    }
#ifdef __opencl_c_generic_address_space
BYW_ALL_WIDTHS(BYW_SECOND, generic)
#else
BYW_ALL_WIDTHS(BYW_SECOND, global) BYW_ALL_WIDTHS(BYW_SECOND, local)
BYW_ALL_WIDTHS(BYW_SECOND, private)
#endif

/* Relational functions: scalars give int, vectors give short. */
#define BYW_ASK1(f)                                                                                \
    BYW_INLINE int f(half x) { return f((float)x); }                                               \
    BYW_ASK1_N(f, 2) BYW_ASK1_N(f, 3) BYW_ASK1_N(f, 4) BYW_ASK1_N(f, 8) BYW_ASK1_N(f, 16)
#define BYW_ASK1_N(f, n)                                                                           \
    BYW_INLINE short##n f(half##n x) { return convert_short##n(f(byw_wide(x))); }
#define BYW_ASK2(f)                                                                                \
    BYW_INLINE int f(half x, half y) { return f((float)x, (float)y); }                             \
    BYW_ASK2_N(f, 2) BYW_ASK2_N(f, 3) BYW_ASK2_N(f, 4) BYW_ASK2_N(f, 8) BYW_ASK2_N(f, 16)
#define BYW_ASK2_N(f, n)                                                                           \
    BYW_INLINE short##n f(half##n x, half##n y)                                                    \
    { return convert_short##n(f(byw_wide(x), byw_wide(y))); }
BYW_ASK1(isnan) BYW_ASK1(isinf) BYW_ASK1(isfinite) BYW_ASK1(isnormal) BYW_ASK1(signbit)
BYW_ASK2(isequal) BYW_ASK2(isnotequal) BYW_ASK2(isgreater) BYW_ASK2(isgreaterequal)
BYW_ASK2(isless) BYW_ASK2(islessequal) BYW_ASK2(islessgreater) BYW_ASK2(isunordered)
BYW_ASK2(isordered)
#define BYW_SELECT(i, n)                                                                           \
    BYW_INLINE half##n select(half##n x, half##n y, i##n c)                                        \
    {                                                                                              \
        return __builtin_astype(                                                                   \
            select(__builtin_astype(x, short##n), __builtin_astype(y, short##n), c), half##n);     \
    }
BYW_ALL_WIDTHS(BYW_SELECT, short) BYW_ALL_WIDTHS(BYW_SELECT, ushort)

#define BYW_BITSELECT(i, n)                                                                        \
    BYW_INLINE half##n bitselect(half##n x, half##n y, half##n c)                                  \
    {                                                                                              \
        return __builtin_astype(bitselect(__builtin_astype(x, i##n), __builtin_astype(y, i##n),    \
                                          __builtin_astype(c, i##n)), half##n);                    \
    }
BYW_ALL_WIDTHS(BYW_BITSELECT, ushort)

/* Conversions; those from and to integers convert via float, which represents every half
 * exactly. */
#define BYW_TO_HALF(t, n)                                                                          \
    BYW_INLINE half##n convert_half##n(t##n x) { return byw_narrow(convert_float##n(x)); }         \
    BYW_INLINE half##n convert_half##n##_rte(t##n x) { return byw_narrow(convert_float##n(x)); }   \
    BYW_INLINE half##n convert_half##n##_rtz(t##n x) { return byw_half_rtz(convert_float##n(x)); } \
    BYW_INLINE half##n convert_half##n##_rtp(t##n x) { return byw_half_rtp(convert_float##n(x)); } \
    BYW_INLINE half##n convert_half##n##_rtn(t##n x) { return byw_half_rtn(convert_float##n(x)); }
#define BYW_FROM_HALF(t, n)                                                                        \
    BYW_INLINE t##n convert_##t##n(half##n x) { return convert_##t##n(byw_wide(x)); }              \
    BYW_INLINE t##n convert_##t##n##_rte(half##n x) { return convert_##t##n##_rte(byw_wide(x)); }  \
    BYW_INLINE t##n convert_##t##n##_rtz(half##n x) { return convert_##t##n##_rtz(byw_wide(x)); }  \
    BYW_INLINE t##n convert_##t##n##_rtp(half##n x) { return convert_##t##n##_rtp(byw_wide(x)); }  \
    BYW_INLINE t##n convert_##t##n##_rtn(half##n x) { return convert_##t##n##_rtn(byw_wide(x)); }
#define BYW_FROM_HALF_SAT(t, n)                                                                    \
    BYW_INLINE t##n convert_##t##n##_sat(half##n x) { return convert_##t##n##_sat(byw_wide(x)); }  \
    BYW_INLINE t##n convert_##t##n##_sat_rte(half##n x)                                            \
    { return convert_##t##n##_sat_rte(byw_wide(x)); }                                              \
    BYW_INLINE t##n convert_##t##n##_sat_rtz(half##n x)                                            \
    { return convert_##t##n##_sat_rtz(byw_wide(x)); }                                              \
    BYW_INLINE t##n convert_##t##n##_sat_rtp(half##n x)                                            \
    { return convert_##t##n##_sat_rtp(byw_wide(x)); }                                              \
    BYW_INLINE t##n convert_##t##n##_sat_rtn(half##n x)                                            \
    { return convert_##t##n##_sat_rtn(byw_wide(x)); }
#define BYW_HALF_TYPE(t)                                                                           \
    BYW_ALL_WIDTHS(BYW_TO_HALF, t) BYW_ALL_WIDTHS(BYW_FROM_HALF, t)                                \
    BYW_ALL_WIDTHS(BYW_FROM_HALF_SAT, t)
BYW_HALF_TYPE(char) BYW_HALF_TYPE(uchar) BYW_HALF_TYPE(short) BYW_HALF_TYPE(ushort)
BYW_HALF_TYPE(int) BYW_HALF_TYPE(uint) BYW_HALF_TYPE(long) BYW_HALF_TYPE(ulong)
BYW_ALL_WIDTHS(BYW_TO_HALF, float) BYW_ALL_WIDTHS(BYW_FROM_HALF, float)
BYW_ALL_WIDTHS(BYW_FROM_HALF, double)
#define BYW_SAME_HALF(t, n)                                                                        \
    BYW_INLINE t##n convert_##t##n(t##n x) { return x; }                                           \
    BYW_INLINE t##n convert_##t##n##_rte(t##n x) { return x; }                                     \
    BYW_INLINE t##n convert_##t##n##_rtz(t##n x) { return x; }                                     \
    BYW_INLINE t##n convert_##t##n##_rtp(t##n x) { return x; }                                     \
    BYW_INLINE t##n convert_##t##n##_rtn(t##n x) { return x; }
BYW_ALL_WIDTHS(BYW_SAME_HALF, half)

/* Vectors in memory are aligned like their elements. */
#define BYW_HALF_LOAD(n, space)                                                                    \
    BYW_INLINE half##n vload##n(size_t i, const space half *p)                                     \
    { return ((const space byw_half##n *)(p + n * i))->v; }
#define BYW_HALF_STORE(n, space)                                                                   \
    BYW_INLINE void vstore##n(half##n x, size_t i, space half *p)                                  \
    { ((space byw_half##n *)(p + n * i))->v = x; }
#define BYW_HALF_MEMORY(n)                                                                         \
    typedef struct { half##n v; } __attribute__((packed, aligned(2))) byw_half##n;                 \
    BYW_HALF_LOAD(n, global) BYW_HALF_LOAD(n, local) BYW_HALF_LOAD(n, private)                     \
    BYW_HALF_LOAD(n, constant) BYW_HALF_STORE(n, global) BYW_HALF_STORE(n, local)                  \
    BYW_HALF_STORE(n, private)
BYW_HALF_MEMORY(2) BYW_HALF_MEMORY(4) BYW_HALF_MEMORY(8) BYW_HALF_MEMORY(16)
#define BYW_HALF_LOAD3(space)                                                                      \
    BYW_INLINE half3 vload3(size_t i, const space half *p)                                         \
    { return (half3)(p[3 * i], p[3 * i + 1], p[3 * i + 2]); }
#define BYW_HALF_STORE3(space)                                                                     \
    BYW_INLINE void vstore3(half3 x, size_t i, space half *p)                                      \
    { p[3 * i] = x.x; p[3 * i + 1] = x.y; p[3 * i + 2] = x.z; }
BYW_HALF_LOAD3(global) BYW_HALF_LOAD3(local) BYW_HALF_LOAD3(private) BYW_HALF_LOAD3(constant)
BYW_HALF_STORE3(global) BYW_HALF_STORE3(local) BYW_HALF_STORE3(private)
#endif
