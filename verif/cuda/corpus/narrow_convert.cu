// SPDX-License-Identifier: Apache-2.0
// nvcc: -arch=sm_100a
// Numbers of 6 and 4 bits and powers of two (ue8m0), which compute capability 10.0 converts.
#include "corpus.h"
#ifdef __CUDACC__
#define TO(type, from, to) asm("{ cvt.rn.satfinite." type " %0, %2, %1; }" : "=h"(to) : "f"(from), "f"(-(from)))
#define TO4(type, from, to) \
    asm("{ .reg .b8 a; cvt.rn.satfinite." type " a, %2, %1; mov.b16 %0, {a, 0}; }" : "=h"(to) : "f"(from), "f"(-(from)))
#define POWER(type, from, to) asm("{ cvt." type ".ue8m0x2.f32 %0, %2, %1; }" : "=h"(to) : "f"(from), "f"(-2 * (from)))
#define FROM(type, from, to) asm("{ cvt.rn." type " %0, %1; }" : "=r"(to) : "h"(from))
#define FROM4(type, from, to) \
    asm("{ .reg .b8 a, b; mov.b16 {a, b}, %1; cvt.rn." type " %0, a; }" : "=r"(to) : "h"(from))
KERNEL narrow_convert(const float *x, unsigned short *to, unsigned *back)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
    unsigned short r[12], both = (unsigned short)(i % 64 << 8 | i / 7 % 64), four = (unsigned short)(i % 256);
    unsigned b[7], pair = __float_as_uint(x[i]) >> 16 << 16 | __float_as_uint(x[i]) >> 16;
    TO("e2m3x2.f32", x[i], r[0]);
    TO("relu.e2m3x2.f32", x[i], r[1]);
    TO("e3m2x2.f32", x[i], r[2]);
    TO("relu.e3m2x2.f32", x[i], r[3]);
    TO4("e2m1x2.f32", x[i], r[4]);
    TO4("relu.e2m1x2.f32", x[i], r[5]);
    POWER("rz", x[i], r[6]);
    POWER("rp", x[i], r[7]);
    POWER("rz.satfinite", x[i], r[8]);
    POWER("rp.satfinite", x[i], r[9]);
    asm("cvt.rp.ue8m0x2.bf16x2 %0, %1;" : "=h"(r[10]) : "r"(pair));
    asm("cvt.rz.satfinite.ue8m0x2.bf16x2 %0, %1;" : "=h"(r[11]) : "r"(pair));
    FROM("f16x2.e2m3x2", both, b[0]);
    FROM("relu.f16x2.e2m3x2", both, b[1]);
    FROM("f16x2.e3m2x2", both, b[2]);
    FROM("relu.f16x2.e3m2x2", both, b[3]);
    FROM4("f16x2.e2m1x2", four, b[4]);
    FROM4("relu.f16x2.e2m1x2", four, b[5]);
    FROM("bf16x2.ue8m0x2", (unsigned short)(i % 256 << 8 | i / 3 % 256), b[6]);
    for (int k = 0; k < 12; k++)
        to[k * n + i] = r[k];
    for (int k = 0; k < 7; k++)
        back[k * n + i] = b[k];
}
#else
// A format: bits of fraction, bias, place of the sign.
struct Narrow {
    int part, bias, sign;
};
static const Narrow narrow[3] = {{3, 1, 5}, {2, 3, 5}, {1, 1, 3}};
static double narrow_value(unsigned code, Narrow f)
{
    unsigned size = code & ((1u << f.sign) - 1), fraction = size & ((1u << f.part) - 1), exponent = size >> f.part;
    double value = exponent == 0 ? ldexp(fraction, 1 - f.bias - f.part)
                                 : ldexp(fraction + (1u << f.part), (int)exponent - f.bias - f.part);
    return code >> f.sign & 1 ? -value : value;
}
// The nearest code, ties to even, by trying all of them.
static unsigned narrow_nearest(float x, Narrow f, bool relu)
{
    unsigned best = 0, most = (1u << f.sign) - 1, sign = signbit(x) ? most + 1 : 0;
    if (x != x)
        return most;
    if (relu && sign)
        return 0;
    double size = fmin(fabs((double)x), narrow_value(most, f));
    for (unsigned code = 1; code <= most; code++) {
        double far = fabs(size - narrow_value(code, f)), least = fabs(size - narrow_value(best, f));
        if (far < least || (far == least && code % 2 == 0))
            best = code;
    }
    return sign | best;
}
// Bits of a half with the value of a code, which is exact and not subnormal.
static unsigned narrow_half(unsigned code, Narrow f, bool relu)
{
    double value = narrow_value(code, f), size = fabs(value);
    unsigned sign = signbit(value) && !relu ? 0x8000 : 0;
    int exponent;
    if (size == 0 || (relu && value < 0))
        return sign;
    frexp(size, &exponent);
    return sign | (unsigned)(exponent + 14) << 10 | ((unsigned)ldexp(size, 11 - exponent) & 1023);
}
// The exponent of the power of two next to |x|, from 2^-127.
static unsigned narrow_power(double x, bool up, bool clamp)
{
    int code = 0;
    if (x != x)
        return 255;
    while (code < 255 && (up ? ldexp(1, code - 127) < fabs(x) : ldexp(1, code - 126) <= fabs(x)))
        code++;
    return clamp && code == 255 ? 254 : (unsigned)code;
}
static bool narrow_right(unsigned i, float x, const unsigned short *t, const unsigned *b, unsigned n)
{
    static const bool up[] = {false, true, false, true}, clamp[] = {false, false, true, true};
    uint32_t bits;
    float brain, twice = -2 * x;
    bool good = true;
    memcpy(&bits, &x, 4);
    bits &= 0xffff0000u;
    memcpy(&brain, &bits, 4);
    for (int k = 0; k < 6; k++)
        good &= t[k * n] == (narrow_nearest(-x, narrow[k / 2], k % 2) << (k < 4 ? 8 : 4) | narrow_nearest(x, narrow[k / 2], k % 2));
    for (int k = 0; k < 4; k++)
        good &= t[(6 + k) * n] == (narrow_power(twice, up[k], clamp[k]) << 8 | narrow_power(x, up[k], clamp[k]));
    good &= t[10 * n] == narrow_power(brain, true, false) * 257 && t[11 * n] == narrow_power(brain, false, true) * 257;
    for (int k = 0; k < 6; k++) {
        unsigned high = k < 4 ? i % 64 : i % 256 >> 4, low = k < 4 ? i / 7 % 64 : i % 16;
        good &= b[k * n] == (narrow_half(high, narrow[k / 2], k % 2) << 16 | narrow_half(low, narrow[k / 2], k % 2));
    }
    for (int k = 0; k < 2; k++) {
        unsigned code = k ? i % 256 : i / 3 % 256;
        good &= (b[6 * n] >> 16 * k & 0xffff) == (code == 255 ? 0x7fff : code == 0 ? 0x40 : code << 7);
    }
    return good;
}
CHECK(narrow_convert)
{
    const unsigned n = 4096;
    std::vector<float> x(n);
    bool good = true;
    for (unsigned i = 0; i < n; i++) {
        uint32_t bits = noise(i);
        if (i % 4 != 0)
            bits = (bits & 0x807fffffu) | (120 + i % 14) << 23;
        if (i % 3 == 0)
            bits &= 0xffe00000u << i % 4; // ties and powers of two
        memcpy(&x[i], &bits, 4);
    }
    static const float special[] = {INFINITY, -INFINITY, NAN, -0.0f, 7.5f, 28, 6, 5, 0.25f, 1e-40f, 5.877472e-39f, 6e-39f, 3.4028235e38f, 1.7014118e38f, -1.8e38f};
    std::copy(special, special + sizeof(special) / sizeof(*special), x.begin());
    Buffer<float> dx(x);
    Buffer<unsigned short> to(12 * n);
    Buffer<unsigned> back(7 * n);
    if (!p.run("narrow_convert", n / 64, 64, 0, dx.at, to.at, back.at))
        return false;
    auto t = to.get();
    auto b = back.get();
    for (unsigned i = 0; i < n; i++)
        good &= narrow_right(i, x[i], &t[i], &b[i], n);
    return good;
}
#endif
