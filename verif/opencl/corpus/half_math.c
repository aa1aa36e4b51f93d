/* SPDX-License-Identifier: Apache-2.0
 * Half arithmetic: every operation is rounded to half, in scalars, vectors, functions, conversions,
 * vector loads and stores, comparisons and local memory.
 * Not for PoCL, which has no half arithmetic here: the host works the results out in its own way.
 */
#include "corpus.h"
#include <math.h>
#define TEXT(...) #__VA_ARGS__
static const char src[] = "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n" TEXT(
    kernel void scalars(global const half *a, global half *o, half f) {
        int i = get_global_id(0), n = get_global_size(0);
        half x = a[i], y = a[(i * 7 + 3) % n];
        o[i] = x + y;
        o[n + i] = x * y;
        o[2 * n + i] = x / (fabs(y) + f);
        o[3 * n + i] = x - y * f;
        o[4 * n + i] = (half)(int)(x * 4.0h);
        o[5 * n + i] = x > y ? x : (half)-y;
        o[6 * n + i] = convert_half(convert_int_rtz(x)) + (half)i;
    } kernel void vectors(global const half *a, global half *o) {
        int i = get_global_id(0), n = get_global_size(0) * 4;
        half4 x = vload4(i, a), y = x.wzyx;
        vstore4(x + y, i, o);
        vstore4(x * y - (half4)(1.0h), i, o + n);
        vstore4(fmax(x, y), i, o + 2 * n);
        vstore4(sqrt(fabs(x)), i, o + 3 * n);
        vstore4(clamp(x, -1.0h, (half)1), i, o + 4 * n);
        vstore4(select(x, y, isless(x, y)), i, o + 5 * n);
        vstore4(convert_half4(convert_float4(x) * 0.5f), i, o + 6 * n);
    } kernel void sums(global const half *a, global half *o, local half *s) {
        int l = get_local_id(0);
        s[l] = a[get_global_id(0)];
        for (int d = get_local_size(0) / 2; d > 0; d /= 2) {
            barrier(CLK_LOCAL_MEM_FENCE);
            if (l < d)
                s[l] += s[l + d];
        }
        if (l == 0)
            o[get_group_id(0)] = s[0];
    });
enum { N = 64 };
static unsigned short a[4 * N], o[7 * 4 * N];
static int wrong;
/* Halves as integers: value = f * 2^e.  Rounds to nearest even; infinity above 65504. */
static unsigned short to_half(double v)
{
    unsigned sign = signbit(v) ? 0x8000 : 0;
    double m = fabs(v), f;
    int e;
    if (m == 0)
        return (unsigned short)sign;
    frexp(m, &e);
    e = e < -13 ? -13 : e;
    f = nearbyint(ldexp(m, 11 - e));
    if (ldexp(f, e - 11) > 65504)
        return (unsigned short)(sign | 0x7c00);
    if (f < 1024)
        return (unsigned short)(sign | (unsigned)f);
    if (f == 2048)
        f = 1024, e++;
    return (unsigned short)(sign | (unsigned)(e + 14) << 10 | ((unsigned)f & 1023));
}
static double of_half(unsigned short h)
{
    int e = h >> 10 & 31, f = h & 1023;
    double v = e == 0 ? ldexp(f, -24) : ldexp(1024 + f, e - 25);
    return h & 0x8000 ? -v : v;
}
static double r(double v)
{
    return of_half(to_half(v));
}
static void expect(const char *what, int i, unsigned short got, double want)
{
    if (got != to_half(want) && wrong++ < 6)
        printf("%s of item %d: %04x, not %04x (%g)\n", what, i, got, to_half(want), want);
}
static double of(int i)
{
    return of_half(a[i]);
}
int main(void)
{
    struct bench b = open_bench(src, "-cl-std=CL1.2 -cl-fp32-correctly-rounded-divide-sqrt", 0);
    cl_kernel k = kernel(&b, "scalars");
    unsigned short f = to_half(0.5);
    cl_mem in, out = buffer(&b, sizeof(o), NULL);
    for (int i = 0; i < 4 * N; i++)
        a[i] = to_half((i * 37 % 101 - 50) * 0.375 + (i % 3) * 0.001953125);
    in = buffer(&b, sizeof(a), a);
    arg(k, 0, sizeof(in), &in);
    arg(k, 1, sizeof(out), &out);
    arg(k, 2, sizeof(f), &f);
    run1(&b, k, N, 32);
    fetch(&b, out, sizeof(o), o);
    for (int i = 0; i < N; i++) {
        double x = of(i), y = of((i * 7 + 3) % N);
        expect("sum", i, o[i], x + y);
        expect("product", i, o[N + i], x * y);
        expect("quotient", i, o[2 * N + i], x / r(fabs(y) + 0.5));
        expect("difference", i, o[3 * N + i], x - y * 0.5);
        expect("integer", i, o[4 * N + i], trunc(r(x * 4)));
        expect("choice", i, o[5 * N + i], x > y ? x : -y);
        expect("conversion", i, o[6 * N + i], trunc(x) + i);
    }
    k = kernel(&b, "vectors");
    arg(k, 0, sizeof(in), &in);
    arg(k, 1, sizeof(out), &out);
    run1(&b, k, N, 32);
    fetch(&b, out, sizeof(o), o);
    for (int i = 0; i < 4 * N; i++) {
        double x = of(i), y = of(i / 4 * 4 + 3 - i % 4);
        expect("sums", i, o[i], x + y);
        expect("products", i, o[4 * N + i], x * y - 1);
        expect("greater", i, o[8 * N + i], x > y ? x : y);
        expect("root", i, o[12 * N + i], sqrt(fabs(x)));
        expect("clamped", i, o[16 * N + i], x < -1 ? -1 : x > 1 ? 1 : x);
        expect("selected", i, o[20 * N + i], x < y ? y : x);
        expect("halved", i, o[24 * N + i], x * 0.5);
    }
    k = kernel(&b, "sums");
    arg(k, 0, sizeof(in), &in);
    arg(k, 1, sizeof(out), &out);
    arg(k, 2, 64, NULL);
    run1(&b, k, 4 * N, 32);
    fetch(&b, out, sizeof(o), o);
    for (int g = 0; g < 8; g++) {
        double s[32];
        for (int i = 0; i < 32; i++)
            s[i] = of(32 * g + i);
        for (int d = 16; d > 0; d /= 2)
            for (int i = 0; i < d; i++)
                s[i] = r(s[i] + s[i + d]);
        expect("tree", g, o[g], s[0]);
    }
    printf("halves: %d wrong\n", wrong);
    for (int i = 0; i < 3; i++) { /* versions without `extern`, and a later one */
        const char *const versions[] = {"-cl-std=CL1.0", "-cl-std=CL1.1", "-cl-std=CL3.0"};
        struct bench other = open_bench(src, versions[i], 0);

        printf("%s builds\n", versions[i]);
        close_bench(&other);
    }
    return 0;
}
