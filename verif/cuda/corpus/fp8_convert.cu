// SPDX-License-Identifier: Apache-2.0
#include "corpus.h"
#ifdef __CUDACC__
#define TO(type, from, to) asm("{ cvt.rn.satfinite." type " %0, %2, %1; }" : "=h"(to) : "f"(from), "f"(-(from)))
KERNEL fp8_convert(const float *x, unsigned short *to, unsigned *back)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
    unsigned short r[4];
    TO("e4m3x2.f32", x[i], r[0]);
    TO("e5m2x2.f32", x[i], r[1]);
    TO("relu.e4m3x2.f32", x[i], r[2]);
    TO("relu.e5m2x2.f32", x[i], r[3]);
    for (int k = 0; k < 4; k++)
        to[k * n + i] = r[k];
    unsigned short both = (unsigned short)(i % 256 << 8 | i / 7 % 256);
    asm("cvt.rn.f16x2.e4m3x2 %0, %1;" : "=r"(back[i]) : "h"(both));
    asm("cvt.rn.relu.f16x2.e5m2x2 %0, %1;" : "=r"(back[n + i]) : "h"(both));
}
#else
// The value of a code: `part` bits of fraction; NAN for NaN and infinity.
static double fp8_value(unsigned code, int part)
{
    int bias = part == 3 ? 7 : 15, exponent = (int)(code >> part & ((1 << (7 - part)) - 1));
    double fraction = code & ((1 << part) - 1), size;
    if (part == 3 ? (code & 127) == 127 : exponent == 31)
        return NAN;
    size = exponent == 0 ? ldexp(fraction, 1 - bias - part) : ldexp(fraction + (1 << part), exponent - bias - part);
    return code & 128 ? -size : size;
}
// The nearest code, ties to even, by trying all of them.
static unsigned fp8_nearest(float x, int part, bool relu)
{
    unsigned best = 0, sign = signbit(x) ? 128 : 0;
    if (x != x)
        return 127;
    if (relu && sign)
        return 0;
    double size = fmin(fabs((double)x), part == 3 ? 448 : 57344);
    for (unsigned code = 1; code < 128; code++) {
        double value = fp8_value(code, part), far = fabs(size - value), least = fabs(size - fp8_value(best, part));
        if (value == value && (far < least || (far == least && code % 2 == 0)))
            best = code;
    }
    return sign | best;
}
// Bits of a half with an FP8 value, which is exact.
static unsigned fp8_half(unsigned code, int part, bool relu)
{
    double value = fp8_value(code, part), size = fabs(value);
    int exponent;
    if (value != value)
        return part == 2 && (code & 127) == 124 ? (relu && code & 128 ? 0 : (code & 128) << 8 | 0x7c00) : 0x7fff;
    if (size == 0 || (relu && code & 128))
        return relu ? 0 : (code & 128) << 8;
    frexp(size, &exponent);
    return (code & 128) << 8 | (exponent < -13 ? (unsigned)ldexp(size, 24) : (unsigned)(exponent + 14) << 10 | ((unsigned)ldexp(size, 11 - exponent) & 1023));
}
CHECK(fp8_convert)
{
    const unsigned n = 2048;
    std::vector<float> x(n);
    bool good = true;
    for (unsigned i = 0; i < n; i++) {
        uint32_t bits = noise(i);
        if (i % 8 != 0)
            bits = (bits & 0x807fffffu) | (100 + i % 50) << 23;
        if (i % 3 == 0)
            bits &= 0xffe00000u >> i % 2; // ties
        memcpy(&x[i], &bits, 4);
    }
    x[0] = INFINITY, x[1] = -INFINITY, x[2] = NAN, x[3] = -0.0f, x[4] = 448, x[5] = 464, x[6] = 57344, x[7] = 1e-9f;
    Buffer<float> dx(x);
    Buffer<unsigned short> to(4 * n);
    Buffer<unsigned> back(2 * n);
    if (!p.run("fp8_convert", n / 64, 64, 0, dx.at, to.at, back.at))
        return false;
    auto t = to.get();
    auto b = back.get();
    for (unsigned i = 0; i < n; i++) {
        unsigned code[2] = {i / 7 % 256, i % 256};
        for (int k = 0; k < 4; k++)
            good &= t[k * n + i] == (fp8_nearest(-x[i], 3 - k % 2, k > 1) << 8 | fp8_nearest(x[i], 3 - k % 2, k > 1));
        good &= b[i] == (fp8_half(code[1], 3, false) << 16 | fp8_half(code[0], 3, false));
        good &= b[n + i] == (fp8_half(code[1], 2, true) << 16 | fp8_half(code[0], 2, true));
    }
    return good;
}
#endif
